//! Meshes: who is whose neighbour, where the boundary is, and what the bodies behind it look like.
//!
//! A [`Draft`] is what a file or a generator tells; [`Mesh::new`] checks and connects it, and everything after
//! that may rely on these invariants:
//!
//! * All elements have one shape, positive area, and corners that run counter-clockwise.
//! * Every face has exactly one [`Neighbour`]: the element behind it, also across periodic boundaries, or a
//!   boundary face. The two elements of a face run through it in opposite directions.
//! * Every boundary has a name of its own and at least one face.
//!
//! # Files
//!
//! [`gmsh::read`] reads Gmsh's files, [`generate`] makes meshes with no file at all.

mod connect;
mod curve;
mod error;
pub mod generate;
mod geometry;
pub mod gmsh;
mod periodic;
mod refine;
mod renumber;
mod shape;
mod spline;

pub use connect::{Draft, FaceCorners, NamedFace};
pub use curve::Curve;
pub use error::MeshError;
pub use geometry::Geometry;
pub use shape::{MAX_DIM, MAX_FACE_CORNERS, MAX_FACES};

use crate::law::Shape;

/// A connected mesh of elements of one shape.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Shape of all elements.
    pub shape: Shape,
    /// Number of space dimensions.
    pub dim: usize,
    /// Positions of the vertices, `[vertex][dim]`.
    pub vertices: Vec<f64>,
    /// The vertices of the elements, `[element][corner]`.
    pub elements: Vec<u32>,
    /// What is on the other side of each face, `[element][face]`.
    pub neighbours: Vec<Neighbour>,
    /// All faces on a boundary, sorted by boundary, element and face.
    pub boundary_faces: Vec<BoundaryFace>,
    /// The boundaries, each with at least one face.
    pub boundaries: Vec<Boundary>,
}

/// What is on the other side of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Another element, possibly displaced by a period.
    Element {
        /// The element.
        element: u32,
        /// The face's number there.
        face: u8,
    },
    /// The boundary, as an index into [`Mesh::boundary_faces`].
    Boundary(u32),
}

/// A face on a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoundaryFace {
    /// Index into [`Mesh::boundaries`].
    pub boundary: u16,
    /// The element that has the face.
    pub element: u32,
    /// The face's number there.
    pub face: u8,
}

/// A named part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// The name that conditions refer to.
    pub name: String,
    /// The curve that the faces approximate; `None` where the body itself is straight.
    pub curve: Option<Curve>,
}

impl Mesh {
    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.elements.len() / self.shape.corners()
    }

    /// Number of faces, a periodic pair counted once.
    pub fn face_count(&self) -> usize {
        (self.neighbours.len() + self.boundary_faces.len()) / 2
    }

    /// Position of a vertex.
    pub fn vertex(&self, vertex: u32) -> &[f64] {
        &self.vertices[vertex as usize * self.dim..][..self.dim]
    }

    /// The vertices of an element.
    pub fn corners(&self, element: usize) -> &[u32] {
        &self.elements[element * self.shape.corners()..][..self.shape.corners()]
    }

    /// The vertices of a face, in its element's direction.
    pub fn face_corners(&self, element: usize, face: usize) -> FaceCorners {
        connect::face_corners(self.shape, &self.elements, element, face)
    }

    /// What is on the other side of a face.
    pub fn neighbour(&self, element: usize, face: usize) -> Neighbour {
        self.neighbours[element * self.shape.faces() + face]
    }

    /// Number of faces of each boundary.
    pub fn boundary_face_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.boundaries.len()];
        for face in &self.boundary_faces {
            counts[usize::from(face.boundary)] += 1;
        }
        counts
    }

    /// Index of the boundary with this name.
    ///
    /// # Errors
    ///
    /// [`MeshError::UnknownBoundary`] where there is none.
    pub fn boundary(&self, name: &str) -> Result<usize, MeshError> {
        self.boundaries.iter().position(|boundary| boundary.name == name).ok_or_else(|| {
            let known: Vec<String> = self.boundaries.iter().map(|boundary| format!("`{}`", boundary.name)).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            MeshError::UnknownBoundary { name: name.to_owned(), known }
        })
    }

    /// Smallest and largest coordinates of the vertices.
    pub fn bounds(&self) -> [[f64; MAX_DIM]; 2] {
        let mut bounds = [[f64::INFINITY; MAX_DIM], [f64::NEG_INFINITY; MAX_DIM]];
        for vertex in self.vertices.chunks_exact(self.dim) {
            for (d, &x) in vertex.iter().enumerate() {
                bounds[0][d] = bounds[0][d].min(x);
                bounds[1][d] = bounds[1][d].max(x);
            }
        }
        bounds
    }
}
