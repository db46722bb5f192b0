//! The mesh as the kernels see it: geometry and surroundings of every element, in device memory.

use crate::device::{Arg, Buffer, Device, Number, args};
use crate::law::Unit;
use crate::mesh::{Mesh, Neighbour};

use super::layout::{pack, padded};
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
    /// Of every boundary face, `[face point][dim]`: the body's own normal.
    pub(super) boundary_normals: Buffer,
    /// `[origin: dim][J: dim × dim]` per element.
    pub(super) map: Buffer,
    /// `[faces]` per element: see [`Mesh::crossings`].
    pub(super) crossings: Buffer,
    /// det J of every element.
    pub(super) volumes: Buffer,
}

impl Domain {
    /// Uploads a mesh; `condition_of` gives the number of the condition on each of its boundaries.
    pub(super) fn new(
        device: &Device,
        precision: Precision,
        mesh: &Mesh,
        unit: &Unit,
        condition_of: &[i32],
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
        let volumes = reals(1, &|e, v| v[0] = mesh.geometry(e).determinant)?;
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
        let mut boundary_normals = mesh.boundary_normals(unit.face_points);
        boundary_normals.resize(boundary_normals.len().max(unit.face_points.len() * dim), 0.0);
        Ok(Self {
            inverse_jacobian,
            normals,
            neighbours: upload(device, &neighbours)?,
            conditions: upload(device, &conditions)?,
            boundary_normals: precision.upload(device, &boundary_normals)?,
            map,
            crossings,
            volumes,
        })
    }

    /// Bytes of all buffers.
    pub(super) fn bytes(precision: Precision, mesh: &Mesh, unit: &Unit) -> usize {
        let (dim, faces, boundary_faces) = (mesh.dim, mesh.shape.faces(), mesh.boundary_faces().len().max(1));
        let geometry = dim * dim + faces * (dim + 1) + (dim + dim * dim) + faces + 1;
        let reals = padded(mesh.element_count()) * geometry + boundary_faces * unit.face_points.len() * dim;
        let integers = padded(mesh.element_count()) * faces + boundary_faces;
        reals * precision.bytes() + integers * size_of::<i32>()
    }

    /// Where the faces of elements lead, and what the bodies there are: what several kernels take.
    pub(super) fn surroundings(&self) -> Vec<(&'static str, Arg<'_>)> {
        args! {
            normals: &self.normals,
            neighbours: &self.neighbours,
            conditions: &self.conditions,
            boundary_normals: &self.boundary_normals,
            map: &self.map,
        }
    }

    pub(super) fn buffers(&self) -> [&Buffer; 8] {
        let Self { inverse_jacobian, normals, neighbours, conditions, boundary_normals, map, crossings, volumes } =
            self;
        [inverse_jacobian, normals, neighbours, conditions, boundary_normals, map, crossings, volumes]
    }
}

/// A buffer of these integers.
pub(super) fn upload(device: &Device, values: &[i32]) -> Result<Buffer, Error> {
    let buffer = device.allocate(Number::Int, values.len())?;
    device.upload(&buffer, values)?;
    Ok(buffer)
}
