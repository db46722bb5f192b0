//! The elements of a mesh by their vertices: all triangles, then all quadrilaterals.

use std::ops::Range;

use super::{MAX_DIM, MAX_FACE_CORNERS};
use crate::law::Shape;

/// The vertices of a face.
pub type FaceCorners = [u32; MAX_FACE_CORNERS];

/// Elements of one or more shapes, in the order of [`Shape::ALL`], so that those of a shape have consecutive numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elements {
    /// The number of elements of each shape of [`Shape::ALL`].
    counts: [usize; Shape::ALL.len()],
    /// The vertices of all elements, one element behind the other.
    vertices: Vec<u32>,
}

impl Elements {
    /// Elements of one shape, from their vertices `[element][corner]`.
    pub fn new(shape: Shape, vertices: Vec<u32>) -> Self {
        let counts = Shape::ALL.map(|other| if other == shape { vertices.len() / shape.corners() } else { 0 });
        Self { counts, vertices }
    }

    /// Elements of several shapes, from the vertices of those of each, in the order of [`Shape::ALL`].
    pub fn mixed(vertices: &[Vec<u32>; Shape::ALL.len()]) -> Self {
        let counts = std::array::from_fn(|i| vertices[i].len() / Shape::ALL[i].corners());
        Self { counts, vertices: vertices.concat() }
    }

    /// Number of elements.
    pub fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// The number of elements of each shape of [`Shape::ALL`].
    pub fn counts(&self) -> [usize; Shape::ALL.len()] {
        self.counts
    }

    /// The shapes that elements have.
    pub fn shapes(&self) -> Vec<Shape> {
        self.by_shape().map(|(shape, _)| shape).collect()
    }

    /// Number of space dimensions.
    pub fn dim(&self) -> usize {
        self.by_shape().next().map_or(MAX_DIM, |(shape, _)| shape.dim())
    }

    /// The vertices of all elements, one element behind the other.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// The shape of an element.
    pub fn shape(&self, element: usize) -> Shape {
        let of_element = self.by_shape().find(|(_, elements)| elements.contains(&element));
        of_element.map_or(Shape::ALL[0], |(shape, _)| shape)
    }

    /// The shapes that elements have, with the numbers of these elements.
    pub fn by_shape(&self) -> impl Iterator<Item = (Shape, Range<usize>)> {
        let mut end = 0;
        let all = Shape::ALL.into_iter().zip(self.counts).map(move |(shape, count)| {
            end += count;
            (shape, end - count..end)
        });
        all.filter(|(_, elements)| !elements.is_empty())
    }

    /// The shape of all elements, if they have the same.
    pub fn single_shape(&self) -> Option<Shape> {
        let mut shapes = self.by_shape().map(|(shape, _)| shape);
        shapes.next().filter(|_| shapes.next().is_none())
    }

    /// How many items come before those of an element in a list with `items` of each.
    pub fn offset(&self, element: usize, items: impl Fn(Shape) -> usize) -> usize {
        let mut left = element;
        let before = Shape::ALL.into_iter().zip(self.counts).map(|(shape, count)| {
            let of_shape = left.min(count);
            left -= of_shape;
            of_shape * items(shape)
        });
        before.sum()
    }

    /// The place of an element's items in such a list.
    pub fn range(&self, element: usize, items: impl Fn(Shape) -> usize) -> Range<usize> {
        let (first, count) = (self.offset(element, &items), items(self.shape(element)));
        first..first + count
    }

    /// The vertices of an element.
    pub fn corners(&self, element: usize) -> &[u32] {
        &self.vertices[self.range(element, Shape::corners)]
    }

    /// The vertices of an element, to be changed.
    pub(super) fn corners_mut(&mut self, element: usize) -> &mut [u32] {
        let range = self.range(element, Shape::corners);
        &mut self.vertices[range]
    }

    /// The same elements with other vertices, or in another order in each shape.
    pub(super) fn with_vertices(&self, vertices: Vec<u32>) -> Self {
        Self { counts: self.counts, vertices }
    }

    /// Triangles that the elements are cut into, `[triangle][corner]`.
    pub fn triangles(&self) -> Vec<u32> {
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            let [from, to] = [elements.start, elements.end].map(|element| self.offset(element, Shape::corners));
            shape.cut(&self.vertices[from..to])
        };
        self.by_shape().flat_map(of_shape).collect()
    }

    /// The vertices of a face, in its element's direction.
    pub fn face_corners(&self, element: usize, face: usize) -> FaceCorners {
        let (own, corners) = (self.corners(element), self.shape(element).face_corners(face));
        std::array::from_fn(|i| own[corners[i]])
    }

    /// Number of faces of all elements: of slots.
    pub fn slots(&self) -> usize {
        self.offset(self.count(), Shape::faces)
    }

    /// The number of a face among those of all elements, one element behind the other.
    pub fn slot(&self, element: usize, face: usize) -> usize {
        self.offset(element, Shape::faces) + face
    }

    /// The element and its face with this number.
    pub fn side(&self, slot: usize) -> (usize, usize) {
        let (mut first_slot, mut first) = (0, 0);
        for (shape, elements) in self.by_shape() {
            let slots = elements.len() * shape.faces();
            if slot < first_slot + slots {
                let inside = slot - first_slot;
                return (first + inside / shape.faces(), inside % shape.faces());
            }
            (first_slot, first) = (first_slot + slots, elements.end);
        }
        (first, slot - first_slot)
    }

    /// Every face of every element, in the order of the slots.
    pub fn sides(&self) -> impl Iterator<Item = (usize, usize)> {
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            elements.flat_map(move |element| (0..shape.faces()).map(move |face| (element, face)))
        };
        self.by_shape().flat_map(of_shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_faces_lead_back_to_their_elements() {
        let mixed = Elements::mixed(&[vec![0, 1, 2, 2, 1, 3], vec![1, 4, 5, 3]]);
        assert_eq!((mixed.count(), mixed.slots(), mixed.single_shape()), (3, 10, None));
        assert_eq!(
            [0, 1, 2].map(|element| mixed.shape(element)),
            [Shape::Triangle, Shape::Triangle, Shape::Quadrilateral]
        );
        for (slot, (element, face)) in mixed.sides().enumerate() {
            assert_eq!((mixed.slot(element, face), mixed.side(slot)), (slot, (element, face)));
        }
        assert_eq!(mixed.face_corners(2, 3), [3, 1]);
        let alone = Elements::new(Shape::Quadrilateral, vec![1, 4, 5, 3]);
        assert_eq!((alone.count(), alone.slots(), alone.side(3)), (1, 4, (0, 3)));
        assert_eq!(alone.single_shape(), Some(Shape::Quadrilateral));
    }
}
