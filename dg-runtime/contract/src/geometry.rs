//! The geometry of a mesh in memory: the numbers that its arrays have per item.
//!
//! Only two files know the numbers' order: `templates/kernels/geometry.cu`, which reads the arrays, and
//! `dg-runtime/src/solver/geometry.rs`, which writes them.

pub use crate::map::Map;

use crate::Shape;
use crate::reference::Operators;

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

/// The unit normals of an element's faces, and |f| / det J.
pub fn normals(shape: Shape) -> usize {
    shape.faces() * (shape.dim() + 1)
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

/// All of them with their names in the text of the kernels.
pub fn numbers(o: &Operators, map: Map) -> [(&'static str, usize); 6] {
    [
        ("METRIC_TERMS", metric_terms(o.shape)),
        ("MAP", self::map(o.shape, map)),
        ("MASS", mass(o, map)),
        ("NORMALS", normals(o.shape)),
        ("FACE_GEOMETRY", face_geometry(o, map)),
        ("BOUNDARY_POINT", boundary_point(o.shape)),
    ]
}
