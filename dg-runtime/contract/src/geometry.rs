//! The geometry of a mesh in memory: the numbers that its arrays have per item.
//!
//! Only two files know the numbers' order: `templates/kernels/geometry.cu`, which reads the arrays, and
//! `dg-runtime/src/solver/geometry.rs`, which writes them.

pub use crate::map::Map;

use crate::reference::Operators;
use crate::{Cost, Shape};

/// J⁻¹ of an element.
pub fn metric_terms(shape: Shape) -> usize {
    shape.dim() * shape.dim()
}

/// The coefficients of an element's map.
pub fn map(shape: Shape, map: Map) -> usize {
    shape.dim() * map.monomials(shape).len()
}

/// The lower triangle of the inverse of an element's mass matrix, where it is kept.
pub fn mass(o: &Operators, map: Map) -> usize {
    if map.keeps_mass(o.shape) { o.basis * (o.basis + 1) / 2 } else { 0 }
}

/// The unit normal of a face of a patch, and |f| / det J of the elements on both sides; or, where faces are curved, at each of its
/// points the unit normal and |f|.
pub fn face_geometry(o: &Operators, map: Map) -> usize {
    let dim = o.shape.dim();
    if map.is_curved() { o.face_points.len() * (dim + 1) } else { dim + 2 }
}

/// The body's unit normal at a point of a boundary face, and the position.
pub fn boundary_point(shape: Shape) -> usize {
    2 * shape.dim()
}

/// What maps of this kind add to a stage for a law with so many components: the metric at the points of the volume, and the division of the
/// residual by the mass matrix. The metric at the faces of a viscous flux is not counted.
pub fn cost_of_stage(o: &Operators, map: Map, components: usize) -> Cost {
    if map == Map::Affine {
        return Cost { flops: 0, reals: 0, integers: 0 };
    }
    let dim = o.shape.dim();
    // Terms that are not linear have a part in the derivative by each coordinate that they depend on; a determinant takes three operations.
    let terms = map.monomials(o.shape).into_iter().filter(|[i, j]| i + j > 1);
    let metric = 3 + 2 * dim * terms.map(|[i, j]| usize::from(i > 0) + usize::from(j > 0)).sum::<usize>();
    let points = o.volume_points.len();
    let divide = if map.keeps_mass(o.shape) {
        2 * o.basis * o.basis
    } else {
        // Values at the points, divided by det J, and integrals: both by sums along lines.
        let n = o.order + 1;
        2 * n * n * (2 * n - 1) + n * n + n * n * (2 * n - 1) + 2 * n * n * n
    };
    let determinant = if map.keeps_mass(o.shape) { 0 } else { points };
    let faces = o.shape.faces() * (face_geometry(o, map) - face_geometry(o, Map::Affine));
    Cost {
        flops: points * metric + determinant + components * divide,
        reals: self::map(o.shape, map) + mass(o, map) + faces / 2 - metric_terms(o.shape),
        integers: 0,
    }
}

/// All of them with their names in the text of the kernels.
pub fn numbers(o: &Operators, map: Map) -> [(&'static str, usize); 5] {
    [
        ("METRIC_TERMS", metric_terms(o.shape)),
        ("MAP", self::map(o.shape, map)),
        ("MASS", mass(o, map)),
        ("FACE_GEOMETRY", face_geometry(o, map)),
        ("BOUNDARY_POINT", boundary_point(o.shape)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by hand: of a bilinear quadrilateral of order 1, with four points and functions, and of a triangle of degree 2 and order 1, with three
    /// of each.
    #[test]
    fn maps_cost_what_a_count_by_hand_gives() {
        let bilinear = Operators::new(Shape::Quadrilateral, 1).unwrap();
        // The term xy has a part in both columns of J for both coordinates: four multiply-adds; then det J, and its reciprocal.
        let metric = 4 * (4 * 2 + 3 + 1);
        // Values along both directions and integrals along the first, eight and four sums of three operations, four quotients, and 2·2·2
        // multiply-adds for the integrals along the second.
        let divide = 8 * 3 + 4 + 4 * 3 + 8 * 2;
        // Eight numbers of the map instead of four of J⁻¹.
        let cost = Cost { flops: metric + 3 * divide, reals: 8 - 4, integers: 0 };
        assert_eq!(cost_of_stage(&bilinear, Map::Polynomial(1), 3), cost);

        let curved = Operators::new(Shape::Triangle, 1).unwrap();
        // x² and y² have a part in one column, xy in both.
        let metric = 3 * (2 * 4 * 2 + 3);
        // A symmetric matrix of six numbers, which nine multiply-adds take; at both points of a face a normal and |f| instead of one normal
        // and two numbers.
        let cost = Cost { flops: metric + 3 * 9 * 2, reals: 12 - 4 + 6 + 3 * (6 - 4) / 2, integers: 0 };
        assert_eq!(cost_of_stage(&curved, Map::Polynomial(2), 3), cost);
        let none = Cost { flops: 0, reals: 0, integers: 0 };
        assert_eq!(cost_of_stage(&curved, Map::Affine, 3), none);
    }
}
