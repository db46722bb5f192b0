//! Reference elements: everything about a discretisation that no law and no mesh changes.
//!
//! ```text
//! Shape ─┬─ basis       orthonormal polynomials
//!        ├─ quadrature  points and weights
//!        ├─ nodes       where solutions are sampled for output
//!        └─ operators   the tables of one shape and one order, which is all that the emitter reads
//! ```
//!
//! Reference coordinates are dimensionless. Order means the polynomial degree p.

pub mod basis;
pub mod nodes;
pub mod operators;
pub mod quadrature;
mod triangle_rules;

pub use operators::Operators;

/// A reference element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// The triangle with corners (0,0), (1,0), (0,1). Face f runs from corner f to corner (f + 1) mod 3.
    Triangle,
}

impl Shape {
    /// The number of space dimensions.
    pub fn dim(self) -> usize {
        match self {
            Shape::Triangle => 2,
        }
    }

    /// The number of faces.
    pub fn faces(self) -> usize {
        match self {
            Shape::Triangle => 3,
        }
    }

    /// The shape's name, as it appears in generated code.
    pub fn name(self) -> &'static str {
        match self {
            Shape::Triangle => "triangle",
        }
    }

    /// The measure (length, area, volume) of the reference element.
    pub fn measure(self) -> f64 {
        match self {
            Shape::Triangle => 0.5,
        }
    }

    /// The corners, `[corner][dim]`, counter-clockwise.
    pub fn corners(self) -> &'static [&'static [f64]] {
        match self {
            Shape::Triangle => &[&[0.0, 0.0], &[1.0, 0.0], &[0.0, 1.0]],
        }
    }

    /// The two corners of a face; its parameter s in (0,1) runs from the first to the second.
    pub fn face_corners(self, face: usize) -> [usize; 2] {
        [face, (face + 1) % self.faces()]
    }

    /// The reference coordinates of the point with parameter s on a face.
    pub fn face_position(self, face: usize, s: f64) -> Vec<f64> {
        let [first, second] = self.face_corners(face).map(|corner| self.corners()[corner]);
        (0..self.dim()).map(|d| (1.0 - s) * first[d] + s * second[d]).collect()
    }
}
