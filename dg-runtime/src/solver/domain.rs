//! A mesh on a device: geometry and links of its elements, faces and patches. It knows no solution.

use crate::device::{Buffers, Device};
use crate::law::{Item, Unit};
use crate::mesh::{Mesh, Neighbour, Stars};

use super::added::Added;
use super::geometry;
use super::inventory::{Inventory, Part};
use super::patches::{INNER, Patches};
use super::point_sources::PointSources;
use super::projected::Projected;
use super::receivers::Receivers;
use super::{Error, Plan, Setup};

/// A mesh on a device.
pub(super) struct Domain {
    pub(super) mesh: Mesh,
    /// See [`inventory`].
    pub(super) buffers: Buffers,
    /// The most elements that meet at a vertex; 0 unless the limiter needs it.
    pub(super) valence: usize,
    /// The receivers, if there are any.
    pub(super) receivers: Option<Receivers>,
    pub(super) point_sources: PointSources,
}

/// On a CPU, groups of lanes read past the end of a list.
pub(super) const LANES: usize = 16;

impl Domain {
    pub(super) fn new(device: &Device, mesh: Mesh, setup: &Setup, plan: &Plan) -> Result<Self, Error> {
        let Plan { unit, patches, medium, stars, .. } = plan;
        let stars = stars.as_ref();
        let mut buffers = inventory(&mesh, setup, unit, patches, medium, stars).allocate(device)?;
        buffers.count(Item::Patch, patches.starts.len());
        buffers.count(Item::Face, patches.faces.len());
        buffers.count(Item::Record, patches.records());
        buffers.count(Item::BoundaryFace, mesh.boundary_faces().len());
        buffers.count(Item::Vertex, stars.map_or(0, |stars| stars.elements.len() / stars.valence));
        let receivers = Receivers::new(device, setup, &plan.receivers)?;
        let point_sources = PointSources::new(device, setup, &mesh, &plan.point_sources)?;
        Ok(Self { buffers, valence: stars.map_or(0, |stars| stars.valence), receivers, point_sources, mesh })
    }

    /// Number of elements.
    pub(super) fn elements(&self) -> usize {
        self.mesh.element_count()
    }
}

/// The buffers of a mesh.
pub(super) fn inventory<'a>(
    mesh: &'a Mesh,
    setup: &'a Setup,
    unit: &'a Unit,
    patches: &'a Patches,
    medium: &'a Projected,
    stars: Option<&'a Stars>,
) -> Inventory<'a> {
    let (n, faces, boundary_faces) = (mesh.element_count(), mesh.shape.faces(), mesh.boundary_faces().len());
    let part = Part::Mesh;
    let mut inventory = Inventory::new(setup.precision, n);
    geometry::declare(&mut inventory, mesh, unit, patches);
    medium.declare(&mut inventory, setup, mesh, unit, patches);
    // `[faces]`: neighbour · faces + its face, or −1 − boundary face.
    inventory.written_ints(part, "neighbours", faces, move |e, v| {
        for (f, value) in v.iter_mut().enumerate() {
            *value = match mesh.neighbour(e, f) {
                Neighbour::Element { element, face } => element as i32 * faces as i32 + i32::from(face),
                Neighbour::Boundary(face) => -1 - face as i32,
            };
        }
    });
    // The number of the condition of every boundary face.
    inventory.list_of_ints(part, "conditions", boundary_faces.max(1), move || {
        let added = Added::new(setup);
        let number = |condition| added.number(condition).map_or(-1, |number| number as i32);
        let numbers: Vec<i32> = setup.boundaries.iter().map(number).collect();
        mesh.boundary_faces().iter().map(|face| numbers[usize::from(face.boundary)]).collect()
    });
    // The faces of patches: see `Patches`.
    inventory.list_of_ints(part, "patches", 2 * patches.starts.len(), || patches.starts.as_flattened().to_vec());
    inventory.list_of_ints(part, "faces", patches.faces.len() + LANES, || patches.faces.clone());
    inventory.list_of_ints(part, "rim_links", patches.records() + LANES, || patches.rim_links.clone());
    // What fills up the last block of lanes must write no record: a limiter changes it in another way than the element it copies.
    let links = move |e, v: &mut [i32]| v.copy_from_slice(&patches.links[e * faces..][..faces]);
    inventory.padded_ints(part, "links", faces, INNER, links);
    inventory.list_of_ints(part, "boundary_records", boundary_faces + LANES, || patches.boundary_records.clone());

    if setup.limiter.is_some() {
        let part = Part::Limiting;
        match stars {
            Some(stars) => {
                let corners = mesh.shape.corners();
                // `[corner]` of every element: its vertices.
                inventory.written_ints(part, "corners", corners, move |e, v| {
                    for (vertex, &number) in v.iter_mut().zip(&stars.corners[e * corners..]) {
                        *vertex = number as i32;
                    }
                });
                // `[valence]` of every vertex: the elements around it.
                inventory.list_of_ints(part, "around", stars.elements.len(), move || {
                    stars.elements.iter().map(|&element| element as i32).collect()
                });
            }
            None => {
                inventory.list_of_ints(part, "corners", 1, Vec::new);
                inventory.list_of_ints(part, "around", 1, Vec::new);
            }
        }
    }
    inventory
}
