//! The geometry of a mesh in a device's memory: the counterpart of `templates/kernels/geometry.cu`, which reads these arrays in
//! the order in which they are written here.

use rayon::prelude::*;

use super::inventory::{Inventory, Part};
use super::layout::LANES;
use super::patches::SectionPatches;
use crate::law::geometry::{self, Map};
use crate::law::reference::Operators;
use crate::law::{MAX_DIM, Unit};
use crate::mesh::{BoundaryFace, ElementMap, Mesh, Neighbour, Section, inverse};

/// Adds the arrays of the geometry of a section.
pub(super) fn declare<'a>(
    inventory: &mut Inventory<'a>,
    mesh: &'a Mesh,
    section: &'a Section,
    unit: &'a Unit,
    patches: &'a SectionPatches,
) {
    let &Section { shape, map, ref elements, .. } = section;
    let (part, dim, faces, first) = (Part::Mesh, mesh.dim, shape.faces(), elements.start);
    // J⁻¹, `[dim][dim]`, in the middle of an element where it varies.
    inventory.written_reals(part, "inverse_jacobian", geometry::metric_terms(shape), move |e, v| {
        let rows = inverse_jacobian(mesh, section, first + e);
        v.chunks_exact_mut(dim).zip(rows).for_each(|(v, row)| v.copy_from_slice(&row));
    });
    // The mean of det J, with the quadrature of the mass matrix if it is not constant: the first basis function is 1 / √|reference element|.
    let operators = &unit.reference().operators;
    inventory.written_reals(part, "determinants", 1, move |e, v| {
        v[0] = match map {
            Map::Affine => mesh.geometry(first + e).determinant,
            Map::Polynomial(_) => mass_matrix(&mesh.map_in(section, first + e), operators, map)[0][0],
        };
    });
    // The coefficients of the map, `[term][dim]`.
    inventory.written_reals(part, "map", geometry::map(shape, map), move |e, v| {
        for (v, term) in v.chunks_exact_mut(dim).zip(mesh.map_in(section, first + e).terms()) {
            v.copy_from_slice(&term[..dim]);
        }
    });
    // Their products with the constant one are the integrals of basis functions.
    let integrals = move |e: usize, v: &mut [f64]| {
        let constant = operators.basis_at_volume[0][0];
        let row = &mass_matrix(&mesh.map_in(section, first + e), operators, map)[0];
        v.iter_mut().zip(row).for_each(|(v, entry)| *v = entry / constant);
    };
    let inverse_mass = move |e: usize, v: &mut [f64]| {
        let inverse = inverse(mass_matrix(&mesh.map_in(section, first + e), operators, map));
        let rows = inverse.iter().enumerate().flat_map(|(i, row)| &row[..=i]);
        v.iter_mut().zip(rows).for_each(|(v, entry)| *v = *entry);
    };
    if map == Map::Affine {
        inventory.reals_of_elements(part, "basis_integrals", 0, false);
    } else {
        inventory.written_reals(part, "basis_integrals", operators.basis, integrals);
    }
    if map.keeps_mass(shape) {
        inventory.written_reals(part, "inverse_mass", geometry::mass(operators, map), inverse_mass);
    } else {
        inventory.reals_of_elements(part, "inverse_mass", 0, false);
    }
    // |f| / det J, `[faces]`.
    inventory.written_reals(part, "measures", faces, move |e, v| {
        v.iter_mut().enumerate().for_each(|(f, measure)| *measure = of_side(mesh, first + e, f).1);
    });
    // `[faces]`: see `Mesh::crossings`.
    inventory
        .written_reals(part, "crossings", faces, move |e, v| v.copy_from_slice(&mesh.crossings(first + e)[..faces]));
    let count = patches.faces.len() * geometry::face_geometry(operators, map);
    inventory.list_of_reals(part, "face_geometry", count + LANES, move || of_faces(mesh, section, operators, patches));
}

/// J⁻¹ of an element of a section, `[dim][dim]`, in its middle where it varies.
fn inverse_jacobian(mesh: &Mesh, section: &Section, element: usize) -> Vec<Vec<f64>> {
    let dim = mesh.dim;
    match section.map {
        Map::Affine => mesh.geometry(element).inverse.map(|row| row[..dim].to_vec()).to_vec(),
        Map::Polynomial(_) => {
            let corners = section.shape.reference_corners();
            let middle: [f64; MAX_DIM] =
                std::array::from_fn(|d| corners.iter().map(|corner| corner[d]).sum::<f64>() / corners.len() as f64);
            let jacobian = mesh.map_in(section, element).jacobian(middle);
            inverse(jacobian[..dim].iter().map(|row| row[..dim].to_vec()).collect())
        }
    }
}

/// The length of a quadrilateral along the axis that leads through a face, divided by the distance along it of its middle from that of the
/// element behind the face; 1 on a boundary.
pub(super) fn spacing(mesh: &Mesh, section: &Section, element: usize, face: usize) -> f64 {
    let Neighbour::Element { element: other, face: other_face } = mesh.neighbour(element, face) else { return 1.0 };
    let (other, other_face) = (other as usize, usize::from(other_face));
    // By way of the face, which a period may move.
    let to_face = |element: usize, face: usize| {
        let (from, to) = (mesh.centroid(element), mesh.face_position(element, face, 0.5));
        [0, 1].map(|d| to[d] - from[d])
    };
    let (here, there) = (to_face(element, face), to_face(other, other_face));
    let axis = usize::from(face.is_multiple_of(2));
    let row = &inverse_jacobian(mesh, section, element)[axis];
    let distance: f64 = (0..mesh.dim).map(|d| row[d] * (here[d] - there[d])).sum();
    // The middle itself is half a length from the face.
    1.0 / distance.abs().max(0.5)
}

/// Adds the array of points on the boundary, which all sections read.
pub(super) fn declare_boundary<'a>(inventory: &mut Inventory<'a>, mesh: &'a Mesh, unit: &'a Unit) {
    // Buffers must not be empty, even on a mesh without boundaries.
    let count = mesh.boundary_faces().len().max(1) * unit.reference().operators.face_points.len();
    let count = count * geometry::boundary_point(unit.shape);
    inventory.list_of_reals(Part::Mesh, "boundary_points", count, move || of_boundary_points(mesh, unit));
}

/// The unit outward normal of a face of an element, and |f| / det J.
fn of_side(mesh: &Mesh, element: usize, face: usize) -> ([f64; MAX_DIM], f64) {
    let geometry = mesh.geometry(element);
    (geometry.normals[face], geometry.face_lengths[face] / geometry.determinant)
}

/// M_ij = ∫ det J φ_i φ_j with the quadrature of projections.
pub(super) fn mass_matrix(element: &ElementMap, operators: &Operators, map: Map) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; operators.basis]; operators.basis];
    let (points, weights, basis) = operators.projection_rule(map);
    for ((point, weight), phi) in points.iter().zip(weights).zip(basis) {
        let weight = weight * element.determinant([point[0], point[1]]);
        for (row, at_point) in matrix.iter_mut().zip(phi) {
            row.iter_mut().zip(phi).for_each(|(entry, other)| *entry += weight * at_point * other);
        }
    }
    matrix
}

/// For every patch and number of [`geometry::face_geometry`]: that number of all its faces. On the rim the second measure is that of an
/// element as large as what is behind the face.
fn of_faces(mesh: &Mesh, section: &Section, operators: &Operators, patches: &SectionPatches) -> Vec<f64> {
    let &Section { shape, map, .. } = section;
    let (dim, numbers) = (mesh.dim, geometry::face_geometry(operators, map));
    let of_face = |patch: usize, both: i32, v: &mut [f64]| {
        let ((element, face), other) = patches.sides_in(patch, both);
        if map.is_curved() {
            let element = mesh.map_of(element);
            for (v, &s) in v.chunks_exact_mut(dim + 1).zip(&operators.face_points) {
                let (normal, measure) = element.face_normal(face, s);
                v[..dim].copy_from_slice(&normal[..dim]);
                v[dim] = measure;
            }
            return;
        }
        let (normal, measure) = of_side(mesh, element, face);
        v[..dim].copy_from_slice(&normal[..dim]);
        v[dim..].copy_from_slice(&match map {
            Map::Affine => {
                let behind =
                    || mesh.geometry(element).face_lengths[face] * shape.measure() / mesh.volume_behind(element, face);
                [measure, other.map_or_else(behind, |(element, face)| of_side(mesh, element, face).1)]
            }
            // The mass matrix divides by det J.
            Map::Polynomial(_) => [mesh.geometry(element).face_lengths[face]; 2],
        });
    };
    let of_patch = |(patch, pair): (usize, &[[i32; 2]])| {
        let list = &patches.faces[pair[0][0] as usize..pair[1][0] as usize];
        let (mut values, mut of_this) = (vec![0.0; numbers * list.len()], vec![0.0; numbers]);
        for (i, &both) in list.iter().enumerate() {
            of_face(patch, both, &mut of_this);
            for (number, value) in of_this.iter().enumerate() {
                values[number * list.len() + i] = *value;
            }
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
