//! A section of a mesh on a device: geometry and links of its elements, faces and patches. It knows no solution.

use crate::device::{Buffers, Device};
use crate::law::{Item, Shape};
use crate::mesh::{Mesh, Neighbour, Section};

use super::added::Added;
use super::geometry;
use super::inventory::{Inventory, Part};
use super::layout::{LANES, padded};
use super::patches::INNER;
use super::plan::{Plan, SectionPlan};
use super::{Error, Setup, viscous};

/// A section of a mesh on a device.
pub(super) struct Domain {
    pub(super) section: Section,
    /// See [`inventory`].
    pub(super) buffers: Buffers,
    /// The most elements that meet at a vertex; 0 unless the limiter needs it.
    pub(super) valence: usize,
}

impl Domain {
    pub(super) fn new(device: &Device, mesh: &Mesh, plan: &Plan, section: usize) -> Result<Self, Error> {
        let stars = plan.stars.as_ref();
        let mut buffers = inventory(mesh, plan, section).allocate(device)?;
        let patches = &plan.patches.sections[section];
        buffers.count(Item::Patch, patches.patch_count());
        buffers.count(Item::PatchStart, patches.starts.len());
        buffers.count(Item::Face, patches.faces.len());
        buffers.count(Item::Vertex, stars.map_or(0, |stars| stars.elements.len() / stars.valence));
        buffers.count(Item::SectionElement, padded(plan.sections[section].section.elements.len()));
        let valence = stars.map_or(0, |stars| stars.valence);
        Ok(Self { section: plan.sections[section].section.clone(), buffers, valence })
    }

    /// Number of elements.
    pub(super) fn elements(&self) -> usize {
        self.section.elements.len()
    }
}

/// The boundary of a mesh, the records, and the medium at faces on a device, which all sections read.
pub(super) fn allocate_rim(device: &Device, mesh: &Mesh, setup: &Setup, plan: &Plan) -> Result<Buffers, Error> {
    let mut buffers = rim(mesh, setup, plan).allocate(device)?;
    buffers.count(Item::Record, plan.patches.records());
    buffers.count(Item::BoundaryFace, mesh.boundary_faces().len());
    let elements = plan.sections.iter().map(|section| padded(section.section.elements.len()));
    buffers.count(Item::MeshElement, elements.sum());
    Ok(buffers)
}

/// The buffers of the boundary, the records and the medium at faces.
pub(super) fn rim<'a>(mesh: &'a Mesh, setup: &'a Setup, plan: &'a Plan) -> Inventory<'a> {
    let (part, boundary_faces, patches) = (Part::Mesh, mesh.boundary_faces().len(), &plan.patches);
    let mut inventory = Inventory::new(setup.layout(), mesh.element_count());
    geometry::declare_boundary(&mut inventory, mesh, plan.sections[0].unit);
    // The number of the condition of every boundary face.
    inventory.list_of_ints(part, "conditions", boundary_faces.max(1), move || {
        let added = Added::to_boundaries(setup);
        let number = |condition| added.number(condition).map_or(-1, |number| number as i32);
        let numbers: Vec<i32> = setup.boundaries.iter().map(number).collect();
        mesh.boundary_faces().iter().map(|face| numbers[usize::from(face.boundary)]).collect()
    });
    inventory.list_of_ints(part, "rim_links", patches.records() + LANES, || patches.rim_links.clone());
    inventory.list_of_ints(part, "boundary_records", boundary_faces + LANES, || patches.boundary_records.clone());
    let turns = &patches.turns;
    inventory
        .list_of_reals(part, "turns", turns.len().max(1), || if turns.is_empty() { vec![1.0] } else { turns.clone() });
    plan.medium.declare_faces(&mut inventory, mesh, patches);
    inventory
}

/// The buffers of a section.
pub(super) fn inventory<'a>(mesh: &'a Mesh, plan: &'a Plan, section: usize) -> Inventory<'a> {
    let (patches, stars, part) = (&plan.patches.sections[section], plan.stars.as_ref(), Part::Mesh);
    let SectionPlan { section: of_mesh, setup, unit, .. } = &plan.sections[section];
    let (elements, faces) = (of_mesh.elements.clone(), of_mesh.shape.faces());
    let first = elements.start;
    let mut inventory = Inventory::new(setup.layout(), elements.len());
    geometry::declare(&mut inventory, mesh, of_mesh, unit, patches);
    viscous::declare(&mut inventory, mesh, plan, section);
    plan.medium.declare(&mut inventory, mesh, (setup, &plan.patches), section);
    // `[faces]`: neighbour · faces + its face, or −1 − boundary face. Elements have the numbers of their rows; the face of one of another
    // shape, which may have more, is left out.
    let (rows, shape) = (plan.rows(), of_mesh.shape);
    inventory.written_ints(part, "neighbours", faces, move |e, v| {
        for (f, value) in v.iter_mut().enumerate() {
            *value = match mesh.neighbour(first + e, f) {
                Neighbour::Element { element, face } => {
                    let is_alike = mesh.shape(element as usize) == shape;
                    (rows.of_element(element as usize) * faces) as i32 + if is_alike { i32::from(face) } else { 0 }
                }
                Neighbour::Boundary(face) => -1 - face as i32,
            };
        }
    });
    // The faces of patches: see `SectionPatches`.
    inventory.list_of_ints(part, "patches", 2 * patches.starts.len(), || patches.starts.as_flattened().to_vec());
    inventory.list_of_ints(part, "faces", patches.faces.len() + LANES, || patches.faces.clone());
    // What fills up the last block of lanes must write no record: a limiter changes it in another way than the element it copies.
    let links = move |e, v: &mut [i32]| v.copy_from_slice(&patches.links[e * faces..][..faces]);
    inventory.padded_ints(part, "links", faces, INNER, links);

    if let Some(limiter) = setup.limiter {
        let part = Part::Limiting;
        if limiter.needs_moments() && plan.sections.len() > 1 && shape.is_product() {
            let of_element = move |e: usize, v: &mut [f64]| {
                v.iter_mut().enumerate().for_each(|(face, v)| *v = geometry::spacing(mesh, of_mesh, first + e, face));
            };
            inventory.written_reals(part, "spacing", faces, of_element);
        } else {
            inventory.reals_of_elements(part, "spacing", 0, false);
        }
        match stars {
            Some(stars) => {
                let corners = of_mesh.shape.corners();
                // `[corner]` of every element: its vertices.
                inventory.written_ints(part, "corners", corners, move |e, v| {
                    let start = mesh.elements().offset(first + e, Shape::corners);
                    for (vertex, &number) in v.iter_mut().zip(&stars.corners[start..]) {
                        *vertex = number as i32;
                    }
                });
                // `[valence]` of every vertex: the rows of the elements around it.
                let rows = plan.rows();
                inventory.list_of_ints(part, "around", stars.elements.len(), move || {
                    stars.elements.iter().map(|&element| rows.of_element(element as usize) as i32).collect()
                });
                // Cosines and sines, see `Stars`.
                if stars.corner_turns.is_empty() {
                    inventory.reals(part, "corner_turns", 1);
                    inventory.reals(part, "around_turns", 1);
                } else {
                    inventory.written_reals(part, "corner_turns", 2 * corners, move |e, v| {
                        let start = mesh.elements().offset(first + e, Shape::corners);
                        v.copy_from_slice(stars.corner_turns[start..start + corners].as_flattened());
                    });
                    let turns = &stars.element_turns;
                    inventory.list_of_reals(part, "around_turns", 2 * turns.len(), || turns.as_flattened().to_vec());
                }
            }
            None => {
                inventory.ints(part, "corners", 1);
                inventory.ints(part, "around", 1);
                inventory.reals(part, "corner_turns", 1);
                inventory.reals(part, "around_turns", 1);
            }
        }
    }
    inventory
}
