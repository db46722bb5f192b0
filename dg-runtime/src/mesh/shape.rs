//! Corners and faces of the shapes: the one place that knows how a shape is put together.

use crate::law::Shape;

/// The largest number of space dimensions of a shape.
pub const MAX_DIM: usize = 2;
/// The largest number of faces of a shape.
pub const MAX_FACES: usize = 3;
/// The largest number of corners of a face.
pub const MAX_FACE_CORNERS: usize = 2;

impl Shape {
    /// Number of space dimensions.
    pub fn dim(self) -> usize {
        match self {
            Self::Triangle => 2,
        }
    }

    /// The measure (area) of the reference element.
    pub fn measure(self) -> f64 {
        match self {
            Self::Triangle => 0.5,
        }
    }

    /// Number of corners. Those of a triangle run counter-clockwise.
    pub fn corners(self) -> usize {
        match self {
            Self::Triangle => 3,
        }
    }

    /// Number of faces.
    pub fn faces(self) -> usize {
        match self {
            Self::Triangle => 3,
        }
    }

    /// The corners of a face: those of face `f` of a triangle are `f` and `f + 1` (modulo 3).
    ///
    /// The parameter in (0, 1) of a point of the face runs from the first to the last; the element on the other
    /// side sees the same face reversed. `face` must be below [`Self::faces`].
    pub fn face_corners(self, face: usize) -> &'static [usize] {
        match self {
            Self::Triangle => [&[0, 1], &[1, 2], &[2, 0]][face],
        }
    }

    /// The corners' reference positions, `[corner][dim]`.
    pub fn reference_corners(self) -> &'static [[f64; MAX_DIM]] {
        match self {
            Self::Triangle => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        }
    }

    /// How uniform refinement cuts an element: the corners of each child, as corners of the parent (from 0) and
    /// middles of its faces (from [`Self::corners`]).
    pub fn children(self) -> &'static [&'static [usize]] {
        match self {
            Self::Triangle => &[&[0, 3, 5], &[3, 1, 4], &[3, 4, 5], &[5, 4, 2]],
        }
    }
}
