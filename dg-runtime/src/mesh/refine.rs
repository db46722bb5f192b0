//! Uniform refinement.

use super::curve::Bodies;
use super::{Draft, Mesh, MeshError, NamedFace, Neighbour};

impl Mesh {
    /// Cuts every element into children of half the size, a triangle into four; the children of element `e` are
    /// `4 e` to `4 e + 3`. New vertices of a boundary lie on its curve; boundaries and periods stay.
    ///
    /// # Errors
    ///
    /// Elements at a curve that is coarse beyond measure may turn over: [`MeshError::Inverted`].
    pub fn refined(&self) -> Result<Self, MeshError> {
        let bodies = Bodies::new(self);
        let mut vertices = self.vertices.clone();
        let middles = self.middles(&bodies, &mut vertices);
        let (corners, faces) = (self.shape.corners(), self.shape.faces());

        let mut elements = Vec::with_capacity(self.elements.len() * self.shape.children().len());
        for element in 0..self.element_count() {
            let middles = &middles[element * faces..][..faces];
            for child in self.shape.children() {
                let vertex = |&i: &usize| if i < corners { self.corners(element)[i] } else { middles[i - corners] };
                elements.extend(child.iter().map(vertex));
            }
        }
        let halves = |slot: u32| {
            let ([from, to], middle) = (self.slot_corners(slot), middles[slot as usize]);
            [[from, middle], [middle, to]]
        };
        let named = self.boundary_faces.iter().flat_map(|face| {
            let slot = face.element * faces as u32 + u32::from(face.face);
            halves(slot).map(|corners| NamedFace { corners, boundary: face.boundary })
        });
        let periodic = self.periodic_pairs().flat_map(|[slot, behind]| {
            let ([a, b], [c, d]) = (halves(slot), halves(behind));
            [[a, [d[1], d[0]]], [b, [c[1], c[0]]]]
        });
        Self::new(Draft {
            shape: self.shape,
            named_faces: named.collect(),
            periodic_faces: periodic.collect(),
            vertices,
            elements,
            boundaries: self.boundaries.clone(),
            element_tags: Vec::new(),
        })
    }

    /// Adds the middles of all faces to `vertices`; returns their numbers, `[element][face]`.
    fn middles(&self, bodies: &Bodies<'_>, vertices: &mut Vec<f64>) -> Vec<u32> {
        let mut middles: Vec<u32> = Vec::with_capacity(self.neighbours.len());
        for slot in 0..self.neighbours.len() as u32 {
            let shared = self.slot_behind(slot).filter(|&behind| behind < slot && !self.is_periodic(slot));
            middles.push(match shared {
                Some(behind) => middles[behind as usize],
                None => {
                    let (element, face) = (slot as usize / self.shape.faces(), slot as usize % self.shape.faces());
                    let middle = match self.neighbours[slot as usize] {
                        Neighbour::Boundary(face) => bodies.middle(face as usize),
                        Neighbour::Element { .. } => self.face_position(element, face, 0.5),
                    };
                    vertices.extend(middle);
                    (vertices.len() / self.dim - 1) as u32
                }
            });
        }
        middles
    }
}
