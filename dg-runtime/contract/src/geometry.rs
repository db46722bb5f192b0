//! The geometry of a mesh in memory: the numbers that its arrays have per item.
//!
//! Only two files know the numbers' order: `templates/kernels/geometry.cu`, which reads the arrays, and
//! `dg-runtime/src/solver/geometry.rs`, which writes them.

use crate::Shape;

/// J⁻¹ of an element.
pub fn metric_terms(shape: Shape) -> usize {
    shape.dim() * shape.dim()
}

/// The origin and J of an element; where it is a product, the twist, too.
pub fn map(shape: Shape) -> usize {
    shape.dim() * (1 + shape.dim() + usize::from(shape.is_product()))
}

/// The unit normals of an element's faces, and |f| / det J.
pub fn normals(shape: Shape) -> usize {
    shape.faces() * (shape.dim() + 1)
}

/// The unit normal of a face of a patch, and |f| / det J of the elements on both sides.
pub fn face_geometry(shape: Shape) -> usize {
    shape.dim() + 2
}

/// The body's unit normal at a point of a boundary face, and the position.
pub fn boundary_point(shape: Shape) -> usize {
    2 * shape.dim()
}

/// All of them with their names in the text of the kernels.
pub fn numbers(shape: Shape) -> [(&'static str, usize); 5] {
    [
        ("METRIC_TERMS", metric_terms(shape)),
        ("MAP", map(shape)),
        ("NORMALS", normals(shape)),
        ("FACE_GEOMETRY", face_geometry(shape)),
        ("BOUNDARY_POINT", boundary_point(shape)),
    ]
}
