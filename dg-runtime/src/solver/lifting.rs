//! How a jump at a face is lifted into an element whose map is not that of the elements beside it.

use crate::law::geometry::Map;
use crate::law::reference::Operators;
use crate::mesh::{Mesh, inverse};

use super::geometry::mass_matrix;

/// `[k][i]`: at point k of a face of an element, the part along the normal of the lifting r of a jump of 1 along the normal at its point i, with
/// that point's weight. `∫_K r·v = ∮_f [u] n·v` for all v of the degree of derivatives: p - 1, on products of lines p in each direction.
pub(super) fn of_side(mesh: &Mesh, operators: &Operators, map: Map, (element, face): (usize, usize)) -> Vec<Vec<f64>> {
    let of_element = mesh.map_of(element);
    let is_derivative = |j: &usize| operators.shape.is_product() || operators.degrees[*j] < operators.order;
    let kept: Vec<usize> = (0..operators.basis).filter(is_derivative).collect();
    let mass = mass_matrix(&of_element, operators, map);
    let inverse = inverse(kept.iter().map(|&i| kept.iter().map(|&j| mass[i][j]).collect()).collect());
    let at_points: Vec<Vec<f64>> =
        operators.basis_at_face[face].iter().map(|phi| kept.iter().map(|&j| phi[j]).collect()).collect();
    let sides: Vec<_> = operators.face_points.iter().map(|&s| of_element.face_normal(face, s)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let entry = |k: usize, i: usize| {
        let phi: f64 = inverse.iter().zip(&at_points[k]).map(|(row, phi)| phi * dot(row, &at_points[i])).sum();
        let ((normal, _), (other, measure)) = (sides[k], sides[i]);
        operators.face_weights[i] * measure * dot(&normal, &other) * phi
    };
    let points = 0..sides.len();
    points.clone().map(|k| points.clone().map(|i| entry(k, i)).collect()).collect()
}
