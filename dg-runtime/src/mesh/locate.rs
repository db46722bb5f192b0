//! The element at a position.

use rayon::prelude::*;

use super::{MAX_DIM, Mesh};
use crate::law::Shape;

/// A position is in an element if it is outside by at most this share of it: by rounding.
const ROUNDING: f64 = 1e-12;

impl Mesh {
    /// The names of the groups of the element at a position; none outside of the mesh.
    pub fn groups_at(&self, position: &[f64]) -> &[String] {
        if self.groups.sets.is_empty() {
            return &[];
        }
        self.locate(position).map_or(&[], |(element, _)| self.groups.of(element))
    }

    /// The element at a position, with the reference coordinates there; on a face or at a vertex that of the lowest number. `None`
    /// outside of the mesh.
    pub fn locate(&self, position: &[f64]) -> Option<(usize, [f64; MAX_DIM])> {
        (0..self.element_count()).into_par_iter().find_map_first(|element| self.place_in(element, position))
    }

    /// All elements at a position, in order: several on a face or at a vertex, none outside of the mesh.
    pub fn locate_all(&self, position: &[f64]) -> Vec<(usize, [f64; MAX_DIM])> {
        (0..self.element_count()).into_par_iter().filter_map(|element| self.place_in(element, position)).collect()
    }

    /// The element, with the reference coordinates of a position, if that is inside.
    fn place_in(&self, element: usize, position: &[f64]) -> Option<(usize, [f64; MAX_DIM])> {
        let reference = self.map_of(element).reference(position)?;
        (depth(self.shape(element), &reference[..self.dim]) >= -ROUNDING).then_some((element, reference))
    }
}

/// How far a point is inside of the reference element: its least coordinate, from the faces at the origin and from the others; negative
/// outside.
pub(crate) fn depth(shape: Shape, reference: &[f64]) -> f64 {
    let rest = match shape {
        Shape::Triangle => 1.0 - reference.iter().sum::<f64>(),
        Shape::Quadrilateral => reference.iter().fold(1.0, |rest: f64, x| rest.min(1.0 - x)),
    };
    reference.iter().copied().fold(rest, f64::min)
}

#[cfg(test)]
mod tests {
    use crate::law::Shape;
    use crate::mesh::Mesh;
    use crate::mesh::generate::Rectangle;

    #[test]
    fn every_point_of_the_mesh_is_found_and_none_outside() {
        let triangles = Rectangle { jitter: 0.24, cells: [5, 4], ..Rectangle::default() };
        let inside_triangles = [[0.3, 0.2], [0.5, 0.0], [0.5, 0.5], [0.0, 1.0]];
        assert_found(&triangles.mesh().unwrap(), inside_triangles);
        let squares = Rectangle { shape: Shape::Quadrilateral, cells: [5, 4], ..Rectangle::default() };
        assert_found(&squares.mesh().unwrap(), [[0.7, 0.6], [0.5, 0.0], [1.0, 0.5], [1.0, 1.0]]);
    }

    /// Of a place inside elements, and places on their faces and corners.
    fn assert_found(mesh: &Mesh, [inside, on_rim @ ..]: [[f64; 2]; 4]) {
        for element in 0..mesh.element_count() {
            let (found, reference) = mesh.locate(&mesh.position(element, &inside)).unwrap();
            assert_eq!(found, element);
            assert!(reference.iter().zip(inside).all(|(x, y)| (x - y).abs() < 1e-13), "{reference:?}");
            // In the middle of a face and at a corner it is the first of the elements there.
            for place in on_rim {
                let (found, reference) = mesh.locate(&mesh.position(element, &place)).unwrap();
                assert!(found <= element);
                let all = mesh.locate_all(&mesh.position(element, &place));
                assert!(all[0].0 == found && all.iter().any(|(other, _)| *other == element));
                let [back, there] = [mesh.position(found, &reference), mesh.position(element, &place)];
                assert!(back.iter().zip(there).all(|(x, y)| (x - y).abs() < 1e-14));
            }
        }
        for outside in [[-0.001, 0.5], [0.5, 1.001], [2.0, 2.0]] {
            assert_eq!(mesh.locate(&outside), None);
        }
    }
}
