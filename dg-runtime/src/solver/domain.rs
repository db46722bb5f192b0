//! The mesh as the kernels see it: geometry and surroundings of every element, in device memory.

use crate::device::{Arg, Buffer, Device, Number, args};
use crate::law::Unit;
use crate::mesh::{BoundaryFace, Mesh, Neighbour};

use super::layout::{pack, padded};
use super::patches::Patches;
use super::{Error, Precision};

/// Geometry and connectivity on a device. Field names are those of the kernels' arguments.
pub(super) struct Domain {
    /// `[dim][dim]` per element: J⁻¹.
    pub(super) inverse_jacobian: Buffer,
    /// `[faces][dim]` per element: unit outward normals; then `[faces]`: |f| / det J.
    pub(super) normals: Buffer,
    /// `[faces]` per element: neighbour · faces + its face, or −1 − boundary face.
    pub(super) neighbours: Buffer,
    /// Of every boundary face: the number of its condition.
    pub(super) conditions: Buffer,
    /// Of every boundary face, at every point: the body's own normal `[dim]`, and the position `[dim]`.
    pub(super) boundary_points: Buffer,
    /// `[origin: dim][J: dim × dim]` per element.
    pub(super) map: Buffer,
    /// `[faces]` per element: see [`Mesh::crossings`].
    pub(super) crossings: Buffer,
    /// det J of every element.
    pub(super) determinants: Buffer,
    /// The faces of patches; see [`Patches`].
    pub(super) patches: Buffer,
    pub(super) faces: Buffer,
    pub(super) face_geometry: Buffer,
    pub(super) rim_links: Buffer,
    /// `[faces]` per element.
    pub(super) links: Buffer,
    pub(super) boundary_records: Buffer,
}

/// On a CPU groups of lanes read beyond the last number of a list.
const LANES: usize = 16;

impl Domain {
    /// Uploads a mesh; `condition_of` gives the number of the condition on each of its boundaries.
    pub(super) fn new(
        device: &Device,
        precision: Precision,
        mesh: &Mesh,
        unit: &Unit,
        condition_of: &[i32],
        links: &Patches,
    ) -> Result<Self, Error> {
        let (n, dim, faces) = (mesh.element_count(), mesh.dim, mesh.shape.faces());
        let largest = n as u128 * faces as u128;
        if largest > i32::MAX as u128 {
            return Err(Error::TooManyElements { elements: n, most: i32::MAX as usize / faces });
        }
        let block = precision.block(device);
        let reals = |fields: usize, write: &(dyn Fn(usize, &mut [f64]) + Sync)| {
            precision.upload(device, &pack(block, n, fields, write))
        };
        let inverse_jacobian = reals(dim * dim, &|e, v| {
            let inverse = mesh.geometry(e).inverse;
            for i in 0..dim {
                v[i * dim..][..dim].copy_from_slice(&inverse[i][..dim]);
            }
        })?;
        let normals = reals(faces * (dim + 1), &|e, v| {
            let geometry = mesh.geometry(e);
            for f in 0..faces {
                v[f * dim..][..dim].copy_from_slice(&geometry.normals[f][..dim]);
                v[faces * dim + f] = geometry.face_lengths[f] / geometry.determinant;
            }
        })?;
        let map = reals(dim + dim * dim, &|e, v| {
            let jacobian = mesh.geometry(e).jacobian;
            v[..dim].copy_from_slice(mesh.vertex(mesh.corners(e)[0]));
            for i in 0..dim {
                v[dim + i * dim..][..dim].copy_from_slice(&jacobian[i][..dim]);
            }
        })?;
        let crossings = reals(faces, &|e, v| v.copy_from_slice(&mesh.crossings(e)[..faces]))?;
        let determinants = reals(1, &|e, v| v[0] = mesh.geometry(e).determinant)?;
        let neighbours: Vec<i32> = pack(block, n, faces, |e, v| {
            for (f, value) in v.iter_mut().enumerate() {
                *value = match mesh.neighbour(e, f) {
                    Neighbour::Element { element, face } => element as i32 * faces as i32 + i32::from(face),
                    Neighbour::Boundary(face) => -1 - face as i32,
                };
            }
        });
        // A mesh without boundaries still needs something to point at.
        let mut conditions: Vec<i32> =
            mesh.boundary_faces().iter().map(|face| condition_of[usize::from(face.boundary)]).collect();
        conditions.resize(conditions.len().max(1), -1);
        let mut boundary_points = boundary_points(mesh, unit);
        boundary_points.resize(boundary_points.len().max(unit.reference().operators.face_points.len() * 2 * dim), 0.0);
        let padded_reals = |mut values: Vec<f64>| {
            values.resize(values.len() + LANES, 0.0);
            precision.upload(device, &values)
        };
        let padded_integers = |values: &[i32]| upload(device, &[values, &[0; LANES]].concat());
        let links_of_elements = pack(block, n, faces, |e, v| v.copy_from_slice(&links.links[e * faces..][..faces]));
        Ok(Self {
            inverse_jacobian,
            normals,
            neighbours: upload(device, &neighbours)?,
            conditions: upload(device, &conditions)?,
            boundary_points: precision.upload(device, &boundary_points)?,
            map,
            crossings,
            determinants,
            patches: upload(device, links.starts.as_flattened())?,
            faces: padded_integers(&links.faces)?,
            face_geometry: padded_reals(links.geometry(mesh))?,
            rim_links: padded_integers(&links.rim_links)?,
            links: upload(device, &links_of_elements)?,
            boundary_records: padded_integers(&links.boundary_records)?,
        })
    }

    /// Bytes of all buffers.
    pub(super) fn bytes(precision: Precision, mesh: &Mesh, unit: &Unit, links: &Patches) -> usize {
        let (dim, faces, boundary_faces) = (mesh.dim, mesh.shape.faces(), mesh.boundary_faces().len());
        let geometry = dim * dim + faces * (dim + 1) + (dim + dim * dim) + faces + 1;
        let boundary_points = boundary_faces.max(1) * unit.reference().operators.face_points.len() * 2 * dim;
        let of_faces = links.faces.len() * (dim + 2) + LANES;
        let reals = padded(mesh.element_count()) * geometry + boundary_points + of_faces;
        let of_patches = 2 * links.starts.len() + links.faces.len() + links.records() + boundary_faces + 3 * LANES;
        let integers = padded(mesh.element_count()) * 2 * faces + boundary_faces.max(1) + of_patches;
        reals * precision.bytes() + integers * size_of::<i32>()
    }

    /// Where the faces of elements lead, and what the bodies there are: what several kernels take.
    pub(super) fn surroundings(&self) -> Vec<(&'static str, Arg<'_>)> {
        args! {
            normals: &self.normals,
            neighbours: &self.neighbours,
            conditions: &self.conditions,
            boundary_points: &self.boundary_points,
        }
    }

    /// What it takes to write records.
    pub(super) fn links(&self) -> Vec<(&'static str, Arg<'_>)> {
        args! {
            links: &self.links,
            boundary_records: &self.boundary_records,
            conditions: &self.conditions,
            boundary_points: &self.boundary_points,
        }
    }

    pub(super) fn buffers(&self) -> [&Buffer; 14] {
        [
            &self.inverse_jacobian,
            &self.normals,
            &self.neighbours,
            &self.conditions,
            &self.boundary_points,
            &self.map,
            &self.crossings,
            &self.determinants,
            &self.patches,
            &self.faces,
            &self.face_geometry,
            &self.rim_links,
            &self.links,
            &self.boundary_records,
        ]
    }
}

/// Of every boundary face, at every point: the body's own normal and the position.
fn boundary_points(mesh: &Mesh, unit: &Unit) -> Vec<f64> {
    let (dim, points) = (mesh.dim, &unit.reference().operators.face_points);
    let normals = mesh.boundary_normals(points);
    let of_face = |(face, normals): (&BoundaryFace, &[f64])| {
        let at = |(&s, normal): (&f64, &[f64])| {
            let position = mesh.face_position(face.element as usize, face.face.into(), s);
            [normal, &position[..dim]].concat()
        };
        points.iter().zip(normals.chunks_exact(dim)).flat_map(at).collect::<Vec<_>>()
    };
    mesh.boundary_faces().iter().zip(normals.chunks_exact(dim * points.len())).flat_map(of_face).collect()
}

/// A buffer of these integers.
pub(super) fn upload(device: &Device, values: &[i32]) -> Result<Buffer, Error> {
    let buffer = device.allocate(Number::Int, values.len())?;
    device.upload(&buffer, values)?;
    Ok(buffer)
}
