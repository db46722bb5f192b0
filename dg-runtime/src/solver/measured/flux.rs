//! Fluxes through the boundary.

use crate::device::{Buffers, Kernel, Launch, args};
use crate::law::MAX_DIM;
use crate::law::geometry::Map;
use crate::law::reference::Operators;
use crate::mesh::{BoundaryFace, Mesh};
use crate::solver::inventory::{Inventory, Part};
use crate::solver::places::basis_slopes;
use crate::solver::program::{FluxKernels, present};
use crate::solver::reduce::{Operation, Reduction};
use crate::solver::rows::Rows;
use crate::solver::scheme::OnSection;
use crate::solver::viscous;
use crate::solver::{Error, Solver};

/// Faces of the boundary on a device, and a point about which the flux has moments.
pub struct Faces {
    /// `[face][point]`: where the scheme evaluates fluxes.
    pub points: Vec<FacePoint>,
    /// Those of each section that has any, with its number.
    sections: Vec<(usize, OfSection)>,
}

/// A point of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePoint {
    /// The unit normal of the element's side, out of the domain.
    pub normal: [f64; MAX_DIM],
    /// The length that it stands for in integrals along the boundary.
    pub weight: f64,
}

/// The faces of a section.
struct OfSection {
    /// Of each its number among all.
    numbers: Vec<usize>,
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

/// The flux out of the domain at points of faces, per unit of time and length.
#[derive(Clone, Debug, PartialEq)]
pub struct FluxAtPoints {
    /// `[face][point][component]`: the numerical flux between the inner state and the ghost state.
    pub whole: Vec<f64>,
    /// Likewise what of it is the viscous flux; 0 if the law has none.
    pub viscous: Vec<f64>,
}

/// The points of a face of a section, whose elements have maps of this kind.
fn face_points(operators: &Operators, map: Map, mesh: &Mesh, face: BoundaryFace) -> Vec<FacePoint> {
    let (element, face) = (face.element as usize, usize::from(face.face));
    let at = |(&s, weight): (&f64, &f64)| {
        let (normal, measure) = match map {
            Map::Polynomial(_) if map.is_curved() => mesh.map_of(element).face_normal(face, s),
            _ => {
                let geometry = mesh.geometry(element);
                (geometry.normals[face], geometry.face_lengths[face])
            }
        };
        FacePoint { normal, weight: weight * measure }
    };
    operators.face_points.iter().zip(&operators.face_weights).map(at).collect()
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

/// The faces of boundaries of these names, as numbers among the boundary faces of a mesh.
///
/// # Errors
/// [`Error::NoFaces`].
pub(crate) fn require_faces(mesh: &Mesh, boundaries: &[String]) -> Result<Vec<usize>, Error> {
    let faces = mesh.faces_of_boundaries(boundaries);
    if faces.is_empty() { Err(Error::no_faces(boundaries)) } else { Ok(faces) }
}

impl<'a> OnSection<'a> {
    fn flux_kernels(self) -> Result<&'a FluxKernels, Error> {
        present(&self.program.kernels.flux, "boundary_flux")
    }

    /// Has a kernel write `count` columns for faces.
    fn flux(
        self,
        kernel: &'a Kernel,
        OfSection { numbers, buffers, columns }: &'a OfSection,
        count: usize,
        time: f64,
    ) -> Result<Launch<'a>, Error> {
        let args = args! {
            u: self.solution(),
            fluxes: columns.values(),
            time: time,
            stride: columns.stride(),
            numbers: count * columns.stride(),
        };
        self.on_items(kernel, numbers.len(), buffers, &args)
    }
}

impl Solver {
    /// Puts the faces of boundaries of these names on the device, with the point about which their fluxes have moments.
    ///
    /// # Errors
    /// [`Error::NoFaces`], and errors of the device.
    pub fn faces(&self, boundaries: &[String], centre: [f64; MAX_DIM]) -> Result<Faces, Error> {
        self.numbered_faces(&require_faces(self.mesh(), boundaries)?, centre)
    }

    /// The same for faces of these numbers among the boundary faces of the mesh.
    ///
    /// # Errors
    /// Errors of the device.
    ///
    /// # Panics
    /// If there is no face of a number.
    pub fn numbered_faces(&self, numbers: &[usize], centre: [f64; MAX_DIM]) -> Result<Faces, Error> {
        let faces: Vec<(usize, BoundaryFace)> =
            numbers.iter().map(|&number| (number, self.mesh().boundary_faces()[number])).collect();
        let mut points = Vec::new();
        for (_, face) in &faces {
            let (section, _) = self.scheme().on_element(face.element as usize);
            let operators = &section.program.unit.reference().operators;
            points.extend(face_points(operators, section.setup.map, self.mesh(), *face));
        }
        let of_section = |section: OnSection<'_>| {
            let elements = &section.domain.section.elements;
            let is_own = |&i: &usize| elements.contains(&(faces[i].1.element as usize));
            let own: Vec<usize> = (0..faces.len()).filter(is_own).collect();
            let of_own: Vec<(usize, BoundaryFace)> = own.iter().map(|&i| faces[i]).collect();
            let (buffers, columns) = self.faces_of(section, &of_own, centre)?;
            Ok((section.number, OfSection { numbers: own, buffers, columns }))
        };
        let sections: Vec<(usize, OfSection)> =
            self.scheme().on_sections().map(of_section).collect::<Result<_, Error>>()?;
        Ok(Faces { points, sections: sections.into_iter().filter(|(_, of)| !of.numbers.is_empty()).collect() })
    }

    fn faces_of(
        &self,
        section: OnSection<'_>,
        faces: &[(usize, BoundaryFace)],
        centre: [f64; MAX_DIM],
    ) -> Result<(Buffers, Reduction), Error> {
        let (mesh, layout, map) = (self.mesh(), self.setup().layout(), section.setup.map);
        let (operators, dim, count) = (&section.program.unit.reference().operators, mesh.dim, faces.len());
        let first = section.domain.section.elements.start;
        let numbers = operators.face_points.len();
        let mut inventory = Inventory::new(layout, count);
        let part = Part::Mesh;
        let rows = Rows::new(&[count]);
        let columns = self.numbers_of_flux().max(self.numbers_at_points());
        let columns = Reduction::inventory(part, layout, &rows, columns);
        let columns = Reduction::new(self.device(), &rows, &columns)?;
        if count == 0 {
            return Ok((Buffers::default(), columns));
        }
        inventory.written_ints(part, "flux_elements", 1, |i, v| v[0] = faces[i].1.element as i32 - first as i32);
        inventory.written_ints(part, "flux_faces", 1, |i, v| v[0] = faces[i].0 as i32);
        inventory.written_reals(part, "flux_basis", numbers * operators.basis, |i, v| {
            v.copy_from_slice(&operators.basis_at_face[usize::from(faces[i].1.face)].concat());
        });
        inventory.written_reals(part, "flux_points", numbers * (2 * dim + 1), |i, v| {
            let face = faces[i].1;
            let points = face_points(operators, map, mesh, face).into_iter().zip(&operators.face_points);
            for (v, (point, &s)) in v.chunks_exact_mut(2 * dim + 1).zip(points) {
                let position = mesh.face_position(face.element as usize, face.face.into(), s);
                v[..dim].copy_from_slice(&point.normal[..dim]);
                v[dim] = point.weight;
                (0..dim).for_each(|d| v[dim + 1 + d] = position[d] - centre[d]);
            }
        });
        if self.setup().law.is_viscous() {
            let basis = operators.basis;
            inventory.written_reals(part, "flux_slopes", numbers * dim * basis, move |i, v| {
                let BoundaryFace { element, face, .. } = faces[i].1;
                let map = mesh.map_of(element as usize);
                let points = &operators.face_positions[usize::from(face)];
                for (slopes, xi) in v.chunks_exact_mut(dim * basis).zip(points) {
                    slopes.copy_from_slice(&basis_slopes(operators.shape, operators.order, &map, xi));
                }
            });
            let keeps_liftings = section.setup.viscous.keeps_liftings(&mesh.sections());
            let of_face =
                move |i: usize| viscous::at_boundary(section.setup, mesh, operators, faces[i].1, keeps_liftings);
            inventory.written_reals(part, "flux_penalties", of_face(0).len(), move |i, v| {
                v.copy_from_slice(&of_face(i));
            });
        } else {
            inventory.reals(part, "flux_slopes", 1);
            inventory.reals(part, "flux_penalties", 1);
        }
        Ok((inventory.allocate(self.device())?, columns))
    }

    /// The whole flux and, if there is one, its viscous part.
    fn parts_of_flux(&self) -> usize {
        if self.setup().law.is_viscous() { 2 } else { 1 }
    }

    /// The sums over faces: of each component and its moments, of each part of the flux.
    fn numbers_of_flux(&self) -> usize {
        self.parts_of_flux() * (1 + self.mesh().dim) * self.setup().law.state.len()
    }

    /// The numbers of a face: at each point each component of each part of the flux.
    fn numbers_at_points(&self) -> usize {
        self.parts_of_flux() * self.unit().reference().operators.face_points.len() * self.setup().law.state.len()
    }

    /// Makes sure that the kernels for fluxes get all their arguments, by preparing the launches for a face of each section.
    pub(super) fn check_faces(&self) -> Result<(), Error> {
        let (scheme, of_mesh) = (self.scheme(), self.mesh().boundary_faces());
        let first = |section: OnSection<'_>| {
            let elements = &section.domain.section.elements;
            of_mesh.iter().position(|face| elements.contains(&(face.element as usize)))
        };
        let faces = self.numbered_faces(&scheme.on_sections().filter_map(first).collect::<Vec<_>>(), [0.0; MAX_DIM])?;
        for (number, faces) in &faces.sections {
            let section = scheme.on_section(*number);
            let FluxKernels { through, at_points } = section.flux_kernels()?;
            section.flux(through, faces, self.numbers_of_flux(), 0.0)?;
            faces.columns.launches(section.program, self.numbers_of_flux(), Operation::Sum)?;
            section.flux(at_points, faces, self.numbers_at_points(), 0.0)?;
        }
        Ok(())
    }

    /// The flux out of the domain through faces.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup measures no flux.
    pub fn flux_through(&self, faces: &Faces) -> Result<Flux, Error> {
        let (scheme, count, time) = (self.scheme(), self.numbers_of_flux(), self.clock()?.time);
        let mut sums = vec![0.0; count];
        for (number, of_section) in &faces.sections {
            let (section, columns) = (scheme.on_section(*number), &of_section.columns);
            scheme.run([section.flux(&section.flux_kernels()?.through, of_section, count, time)?])?;
            scheme.run(columns.launches(section.program, count, Operation::Sum)?)?;
            sums.iter_mut().zip(section.program.read(columns.result(), count)?).for_each(|(sum, of)| *sum += of);
        }
        let none = Flux { components: Vec::new(), moments: Vec::new(), viscous: None };
        Ok(Flux::new(&sums, self.setup().law.state.len(), self.mesh().dim).unwrap_or(none))
    }

    /// The flux out of the domain at the points of faces at which the scheme evaluates it, so that its sum by the faces' quadrature is
    /// [`flux_through`](Self::flux_through).
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup measures no flux.
    pub fn flux_at_points(&self, faces: &Faces) -> Result<FluxAtPoints, Error> {
        let (scheme, count, time) = (self.scheme(), self.numbers_at_points(), self.clock()?.time);
        let of_part = count / self.parts_of_flux();
        let total = faces.sections.iter().map(|(_, of)| of.numbers.len()).sum::<usize>() * of_part;
        let mut flux = FluxAtPoints { whole: vec![0.0; total], viscous: vec![0.0; total] };
        for (number, of_section) in &faces.sections {
            let (section, OfSection { numbers, columns, .. }) = (scheme.on_section(*number), of_section);
            scheme.run([section.flux(&section.flux_kernels()?.at_points, of_section, count, time)?])?;
            let stride = columns.stride();
            let values = section.program.read(columns.values(), count * stride)?;
            let columns_of_parts = values.chunks_exact(of_part * stride);
            for (part, columns) in [&mut flux.whole, &mut flux.viscous].into_iter().zip(columns_of_parts) {
                for (i, column) in columns.chunks_exact(stride).enumerate() {
                    numbers.iter().zip(column).for_each(|(face, value)| part[face * of_part + i] = *value);
                }
            }
        }
        Ok(flux)
    }
}
