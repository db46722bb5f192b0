//! Fluxes through the boundary.

use crate::device::{Buffers, args};
use crate::law::MAX_DIM;
use crate::law::geometry::Map;
use crate::law::reference::basis;
use crate::mesh::BoundaryFace;
use crate::solver::inventory::{Inventory, Part};
use crate::solver::reduce::{Operation, Reduction, Rows};
use crate::solver::scheme::OnSection;
use crate::solver::viscous;
use crate::solver::{Error, Solver};

/// Faces of the boundary on a device, and a point about which the flux has moments.
pub struct Faces {
    /// Those of each section that has any, with its number.
    sections: Vec<(usize, OfSection)>,
}

/// The faces of a section.
struct OfSection {
    count: usize,
    buffers: Buffers,
    columns: Reduction,
}

/// The flux out of the domain through faces, per unit of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Flux {
    /// `[component]`: the numerical flux between the inner state and the ghost state, integrated over the faces.
    pub components: Vec<f64>,
    /// `[d][component]`: the integral of the same times the distance from the point of the moments along axis d.
    pub moments: Vec<Vec<f64>>,
    /// What of these is the viscous flux, if the law has one.
    pub viscous: Option<Box<Flux>>,
}

impl Flux {
    /// From the numbers of each component and its moments, of the whole flux and of its viscous part, if there is one.
    fn new(sums: &[f64], components: usize, dim: usize) -> Option<Self> {
        let (own, rest) = sums.split_at_checked((1 + dim) * components)?;
        let (flux, moments) = own.split_at(components);
        let moments = moments.chunks_exact(components).map(<[f64]>::to_vec).collect();
        let viscous = Self::new(rest, components, dim).map(Box::new);
        Some(Self { components: flux.to_vec(), moments, viscous })
    }
}

impl Solver {
    /// Puts the faces of boundaries of these names on the device, with the point about which their fluxes have moments.
    ///
    /// # Errors
    /// [`Error::NoFaces`], and errors of the device.
    pub fn faces(&self, boundaries: &[String], centre: [f64; MAX_DIM]) -> Result<Faces, Error> {
        let mesh = self.mesh();
        let is_named = |face: &BoundaryFace| boundaries.contains(&mesh.boundaries()[usize::from(face.boundary)].name);
        let faces: Vec<(usize, BoundaryFace)> =
            mesh.boundary_faces().iter().copied().enumerate().filter(|(_, face)| is_named(face)).collect();
        if faces.is_empty() {
            return Err(Error::no_faces(boundaries));
        }
        let of_section = |section: OnSection<'_>| {
            let elements = &section.domain.section.elements;
            let own = faces.iter().copied().filter(|(_, face)| elements.contains(&(face.element as usize)));
            Ok((section.number, self.faces_of(section, &own.collect::<Vec<_>>(), centre)?))
        };
        let sections: Vec<(usize, OfSection)> =
            self.scheme().on_sections().map(of_section).collect::<Result<_, Error>>()?;
        Ok(Faces { sections: sections.into_iter().filter(|(_, of)| of.count > 0).collect() })
    }

    fn faces_of(
        &self,
        section: OnSection<'_>,
        faces: &[(usize, BoundaryFace)],
        centre: [f64; MAX_DIM],
    ) -> Result<OfSection, Error> {
        let (mesh, precision, map) = (self.mesh(), self.setup.precision, section.setup.map);
        let (operators, dim, count) = (&section.program.unit.reference().operators, mesh.dim, faces.len());
        let first = section.domain.section.elements.start;
        let numbers = operators.face_points.len();
        let mut inventory = Inventory::new(precision, count);
        let part = Part::Mesh;
        let rows = Rows::new(&[count]);
        let columns = Reduction::inventory(part, precision, &rows, self.numbers_of_flux());
        let columns = Reduction::new(self.device(), &rows, &columns)?;
        if count == 0 {
            return Ok(OfSection { count, buffers: Buffers::default(), columns });
        }
        inventory.written_ints(part, "flux_elements", 1, |i, v| v[0] = faces[i].1.element as i32 - first as i32);
        inventory.written_ints(part, "flux_faces", 1, |i, v| v[0] = faces[i].0 as i32);
        inventory.written_reals(part, "flux_basis", numbers * operators.basis, |i, v| {
            v.copy_from_slice(&operators.basis_at_face[usize::from(faces[i].1.face)].concat());
        });
        inventory.written_reals(part, "flux_points", numbers * (2 * dim + 1), |i, v| {
            let BoundaryFace { element, face, .. } = faces[i].1;
            let (element, face) = (element as usize, usize::from(face));
            let rule = operators.face_points.iter().zip(&operators.face_weights);
            for (point, (&s, weight)) in v.chunks_exact_mut(2 * dim + 1).zip(rule) {
                let (normal, measure) = match map {
                    Map::Polynomial(_) if map.is_curved() => mesh.map_of(element).face_normal(face, s),
                    _ => {
                        let geometry = mesh.geometry(element);
                        (geometry.normals[face], geometry.face_lengths[face])
                    }
                };
                let position = mesh.face_position(element, face, s);
                point[..dim].copy_from_slice(&normal[..dim]);
                point[dim] = weight * measure;
                (0..dim).for_each(|d| point[dim + 1 + d] = position[d] - centre[d]);
            }
        });
        if self.setup.law.is_viscous() {
            let basis = operators.basis;
            inventory.written_reals(part, "flux_slopes", numbers * dim * basis, move |i, v| {
                let BoundaryFace { element, face, .. } = faces[i].1;
                let map = mesh.map_of(element as usize);
                let points = &operators.face_positions[usize::from(face)];
                for (slopes, xi) in v.chunks_exact_mut(dim * basis).zip(points) {
                    let mut at = [0.0; MAX_DIM];
                    at[..dim].copy_from_slice(&xi[..dim]);
                    let ([[a, b], [c, d]], det_j) = (map.jacobian(at), map.determinant(at));
                    let along = basis::gradients(operators.shape, operators.order, xi);
                    for j in 0..basis {
                        slopes[j] = (d * along[0][j] - c * along[1][j]) / det_j;
                        slopes[basis + j] = (a * along[1][j] - b * along[0][j]) / det_j;
                    }
                }
            });
            inventory.written_reals(part, "flux_penalties", 2, |i, v| {
                let BoundaryFace { element, face, boundary } = faces[i].1;
                let order = section.setup.order;
                v[0] = viscous::penalty_of_side(mesh, order, element as usize, face.into());
                v[1] = viscous::share(section.setup, boundary.into());
            });
        } else {
            inventory.reals(part, "flux_slopes", 1);
            inventory.reals(part, "flux_penalties", 1);
        }
        Ok(OfSection { count, buffers: inventory.allocate(self.device())?, columns })
    }

    /// The sums over faces: of each component and its moments, of the flux and of its viscous part.
    fn numbers_of_flux(&self) -> usize {
        let parts = if self.setup.law.is_viscous() { 2 } else { 1 };
        parts * (1 + self.mesh().dim) * self.setup.law.state.len()
    }

    /// The flux out of the domain through faces.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup measures no flux.
    pub fn flux_through(&self, faces: &Faces) -> Result<Flux, Error> {
        let (scheme, components) = (self.scheme(), self.setup.law.state.len());
        let (time, count) = (scheme.clock()?.time, self.numbers_of_flux());
        let mut sums = vec![0.0; count];
        for (number, OfSection { count: faces, buffers, columns }) in &faces.sections {
            let section = OnSection::new(scheme, *number);
            let program = section.program;
            let args = args! {
                u: section.u(self.state.current),
                fluxes: columns.values(),
                time: time,
                stride: columns.stride(),
                numbers: count * columns.stride(),
            };
            let others = [buffers.into(), (&section.domain.buffers).into(), (&self.rim).into()];
            let kernel = program.kernel("boundary_flux")?;
            scheme.run([self.device().prepare(&kernel, 0..*faces, &args, &others)?])?;
            scheme.run(columns.launches(program, count, Operation::Sum)?)?;
            sums.iter_mut().zip(program.read(columns.result(), count)?).for_each(|(sum, of)| *sum += of);
        }
        let none = Flux { components: Vec::new(), moments: Vec::new(), viscous: None };
        Ok(Flux::new(&sums, components, self.mesh().dim).unwrap_or(none))
    }
}
