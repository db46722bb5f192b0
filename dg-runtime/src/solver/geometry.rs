//! The geometry of a mesh in a device's memory: the counterpart of `templates/kernels/geometry.cu`, which reads these arrays in
//! the order in which they are written here.

use rayon::prelude::*;

use super::domain::LANES;
use super::inventory::{Inventory, Part};
use super::patches::Patches;
use crate::law::{MAX_DIM, Unit, geometry};
use crate::mesh::{BoundaryFace, Geometry, Mesh};

/// Adds the arrays of a mesh's geometry.
pub(super) fn declare<'a>(inventory: &mut Inventory<'a>, mesh: &'a Mesh, unit: &'a Unit, patches: &'a Patches) {
    let (part, shape, dim, faces) = (Part::Mesh, mesh.shape, mesh.dim, mesh.shape.faces());
    // J⁻¹, `[dim][dim]`.
    inventory.written_reals(part, "inverse_jacobian", geometry::metric_terms(shape), move |e, v| {
        let inverse = mesh.geometry(e).inverse;
        for i in 0..dim {
            v[i * dim..][..dim].copy_from_slice(&inverse[i][..dim]);
        }
    });
    // det J.
    inventory.written_reals(part, "determinants", 1, move |e, v| v[0] = mesh.geometry(e).determinant);
    // The origin `[dim]`, and J, `[dim][dim]`; of products the twist, `[dim]`.
    inventory.written_reals(part, "map", geometry::map(shape), move |e, v| {
        let Geometry { jacobian, twist, .. } = mesh.geometry(e);
        v[..dim].copy_from_slice(mesh.vertex(mesh.corners(e)[0]));
        for i in 0..dim {
            v[dim + i * dim..][..dim].copy_from_slice(&jacobian[i][..dim]);
        }
        let behind = &mut v[dim * (1 + dim)..];
        behind.copy_from_slice(&twist[..behind.len()]);
    });
    // Unit outward normals, `[faces][dim]`; then |f| / det J, `[faces]`.
    inventory.written_reals(part, "normals", geometry::normals(shape), move |e, v| {
        for f in 0..faces {
            let (normal, measure) = of_side(mesh, e, f);
            v[f * dim..][..dim].copy_from_slice(&normal[..dim]);
            v[faces * dim + f] = measure;
        }
    });
    // `[faces]`: see `Mesh::crossings`.
    inventory.written_reals(part, "crossings", faces, move |e, v| v.copy_from_slice(&mesh.crossings(e)[..faces]));
    let count = patches.faces.len() * geometry::face_geometry(shape);
    inventory.list_of_reals(part, "face_geometry", count + LANES, move || of_faces(mesh, patches));
    // Buffers must not be empty, even on a mesh without boundaries.
    let count = mesh.boundary_faces().len().max(1) * unit.reference().operators.face_points.len();
    let count = count * geometry::boundary_point(shape);
    inventory.list_of_reals(part, "boundary_points", count, move || of_boundary_points(mesh, unit));
}

/// The unit outward normal of a face of an element, and |f| / det J.
fn of_side(mesh: &Mesh, element: usize, face: usize) -> ([f64; MAX_DIM], f64) {
    let geometry = mesh.geometry(element);
    (geometry.normals[face], geometry.face_lengths[face] / geometry.determinant)
}

/// For every patch: the unit normals of its faces, outward from their first sides, `[dim][face]`; then |f| / det J of the elements on
/// the first and on the second sides. On the rim the second value is unused.
fn of_faces(mesh: &Mesh, patches: &Patches) -> Vec<f64> {
    let bilinear = !mesh.is_affine();
    let (dim, numbers) = (mesh.dim, geometry::face_geometry(mesh.shape));
    let sides = mesh.shape.faces() * patches.size;
    let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
        let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
        let mut values = vec![0.0; numbers * list.len()];
        for (i, both) in list.iter().enumerate() {
            let side =
                |number: usize| of_side(mesh, patch * patches.size + number % patches.size, number / patches.size);
            let (own, other) = ((both & 0xffff) as usize, (both >> 16) as usize);
            // Where the map is bilinear the mass matrix divides by det J.
            let side = |number: usize| {
                let (normal, measure) = side(number);
                let element = patch * patches.size + number % patches.size;
                (normal, if bilinear { measure * mesh.geometry(element).determinant } else { measure })
            };
            let (normal, measure) = side(own);
            for d in 0..dim {
                values[d * list.len() + i] = normal[d];
            }
            values[dim * list.len() + i] = measure;
            values[(dim + 1) * list.len() + i] = if other < sides { side(other).1 } else { 0.0 };
        }
        values
    };
    let of_patches: Vec<Vec<f64>> = patches.starts.par_windows(2).enumerate().map(of_patch).collect();
    of_patches.concat()
}

/// At every point of every boundary face: the unit outward normal of the body `[dim]`, and the position `[dim]`.
fn of_boundary_points(mesh: &Mesh, unit: &Unit) -> Vec<f64> {
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
