//! The element at a position.

use rayon::prelude::*;

use super::{MAX_DIM, Mesh};

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
        let (origin, inverse) = (self.vertex(self.corners(element)[0]), self.geometry(element).inverse);
        let coordinate = |i: usize| (0..self.dim).map(|j| inverse[i][j] * (position[j] - origin[j])).sum::<f64>();
        let reference: [f64; MAX_DIM] = std::array::from_fn(coordinate);
        let rest = 1.0 - reference[..self.dim].iter().sum::<f64>();
        reference[..self.dim].iter().chain([&rest]).all(|x| *x >= -ROUNDING).then_some((element, reference))
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::generate::Rectangle;

    #[test]
    fn every_point_of_the_mesh_is_found_and_none_outside() {
        let mesh = Rectangle { jitter: 0.24, cells: [5, 4], ..Rectangle::default() }.mesh().unwrap();
        for element in 0..mesh.element_count() {
            let inside = [0.3, 0.2];
            let (found, reference) = mesh.locate(&mesh.position(element, &inside)).unwrap();
            assert_eq!(found, element);
            assert!(reference.iter().zip(inside).all(|(x, y)| (x - y).abs() < 1e-13), "{reference:?}");
            // In the middle of a face and at a corner it is the first of the elements there.
            for place in [[0.5, 0.0], [0.5, 0.5], [0.0, 1.0]] {
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
