//! The geometry of a mesh in memory: the numbers that its arrays have per item.
//!
//! Only two files know the numbers' order: `templates/kernels/geometry.cu`, which reads the arrays, and
//! `dg-runtime/src/solver/geometry.rs`, which writes them.

use crate::Shape;
use crate::reference::Operators;

/// The kind of the maps x(ξ) from the reference element to the elements of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// Affine: triangles with straight sides, and parallelograms.
    Affine,
    /// Polynomials of this degree, at least 1, on quadrilaterals in each direction. Those of degree 1 are quadrilaterals with straight
    /// sides that are no parallelograms; elements with curved sides have a higher one.
    Polynomial(usize),
}

impl Map {
    /// The degree of the polynomials.
    pub fn degree(self) -> usize {
        match self {
            Self::Affine => 1,
            Self::Polynomial(degree) => degree,
        }
    }

    /// Whether sides may be curved, so that their normals vary.
    pub fn is_curved(self) -> bool {
        self.degree() > 1
    }

    /// The monomials ζ₀^i ζ₁^j of which the map is a sum, as `[i, j]`: by total degree, so that 1, ζ₀ and ζ₁ come first. ζ is ξ, or if
    /// sides are curved ξ - 1/2.
    pub fn monomials(self, shape: Shape) -> Vec<[usize; 2]> {
        let (degree, most) = match (self, shape.is_product()) {
            (Self::Polynomial(degree), true) => (degree, 2 * degree),
            (map, _) => (map.degree(), map.degree()),
        };
        let of_total = |total: usize| (0..=total).map(move |j| [total - j, j]);
        (0..=most).flat_map(of_total).filter(|[i, j]| *i <= degree && *j <= degree).collect()
    }

    /// Whether the inverse of an element's mass matrix is kept. On affine elements the matrix is det J; products of polynomials on a
    /// line have as many Gauss points as functions, which makes the inverse a sum over them.
    pub fn keeps_mass(self, shape: Shape) -> bool {
        self != Self::Affine && !shape.is_product()
    }
}

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
