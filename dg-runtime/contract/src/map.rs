//! The maps from the reference element to the elements of a mesh.

use crate::Shape;

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
