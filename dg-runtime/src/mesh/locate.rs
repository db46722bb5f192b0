//! The element at a position.

use rayon::prelude::*;
use rstar::{AABB, PointDistance, RTree, RTreeObject};

use super::{ElementMap, Elements, MAX_DIM, Mesh};
use crate::law::Shape;

/// Up to so many positions are looked for in every element, which takes less time than a tree of all elements.
const FEW: usize = 16;

/// How much larger than the box around its nodes the box around a curved element may be: the largest Lebesgue constant of the nodes, which is
/// 4.88, of quadrilaterals of degree 4.
const CURVED: f64 = 5.0;

/// An element and a box around it.
pub(crate) struct Boxed {
    pub(crate) element: usize,
    envelope: AABB<[f64; 2]>,
}

impl Boxed {
    /// The box around the nodes of the element's map, `growth` times as large. Curved sides may leave that around the nodes, by little.
    fn new(shape: Shape, element: usize, map: &ElementMap, growth: f64) -> Self {
        let nodes = shape.lattice(map.degree()).into_iter();
        let at = |node: [usize; 2]| map.position(node.map(|i| i as f64 / map.degree() as f64));
        let positions: Vec<[f64; 2]> = nodes.map(at).collect();
        let around = AABB::from_points(&positions);
        let (lower, upper) = (around.lower(), around.upper());
        let corner =
            |sign: f64| [0, 1].map(|d| 0.5 * (lower[d] + upper[d]) + sign * (0.5 * growth) * (upper[d] - lower[d]));
        Self { element, envelope: AABB::from_corners(corner(-1.0), corner(1.0)) }
    }
}

impl RTreeObject for Boxed {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        self.envelope
    }
}

/// The distance to the box.
impl PointDistance for Boxed {
    fn distance_2(&self, point: &[f64; 2]) -> f64 {
        self.envelope.distance_2(point)
    }
}

/// All elements in boxes, `growth` times as large as those around the nodes of their maps.
pub(crate) fn boxes(elements: &Elements, map_of: impl Fn(usize) -> ElementMap + Sync, growth: f64) -> RTree<Boxed> {
    let boxed = |element| Boxed::new(elements.shape(element), element, &map_of(element), growth);
    RTree::bulk_load((0..elements.count()).into_par_iter().map(boxed).collect())
}

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

    /// The same for each of many positions.
    pub fn locate_each(&self, positions: &[[f64; MAX_DIM]]) -> Vec<Option<(usize, [f64; MAX_DIM])>> {
        if positions.len() <= FEW {
            return positions.iter().map(|position| self.locate(&position[..self.dim])).collect();
        }
        let growth = if self.degree() > 1 { CURVED } else { 1.0 + 1e-6 };
        let tree = boxes(&self.elements, |element| self.map_of(element), growth);
        let locate = |position: &[f64; MAX_DIM]| {
            let mut around: Vec<usize> =
                tree.locate_all_at_point([position[0], position[1]]).map(|boxed| boxed.element).collect();
            around.sort_unstable();
            around.into_iter().find_map(|element| self.place_in(element, &position[..self.dim]))
        };
        positions.par_iter().map(locate).collect()
    }

    /// All elements at a position, in order: several on a face or at a vertex, none outside of the mesh.
    pub fn locate_all(&self, position: &[f64]) -> Vec<(usize, [f64; MAX_DIM])> {
        (0..self.element_count()).into_par_iter().filter_map(|element| self.place_in(element, position)).collect()
    }

    /// The element, with the reference coordinates of a position, if that is inside.
    fn place_in(&self, element: usize, position: &[f64]) -> Option<(usize, [f64; MAX_DIM])> {
        let map = self.map_of(element);
        let reference = map.reference(position)?;
        map.is_inside(&reference, position).then_some((element, reference))
    }
}

#[cfg(test)]
mod tests {
    use crate::law::Shape;
    use crate::mesh::Mesh;
    use crate::mesh::generate::{Disc, Rectangle};

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

    /// Newton's method from the middle of the cubic elements leaves some of them.
    #[test]
    fn every_point_of_elements_that_bend_much_is_found() {
        let (shape, upper, cells) = (Shape::Quadrilateral, [2.0, 1.0], [8, 8]);
        let options = Rectangle { shape, upper, cells, jitter: 0.2, curvature: 0.149, ..Rectangle::default() };
        for degree in [3, 4] {
            let mesh = options.bent(options.mesh().unwrap().with_degree(degree).unwrap()).unwrap();
            for (element, place) in (0..mesh.element_count()).flat_map(|e| (0..=400).map(move |i| (e, i))) {
                let place = [place % 20, place / 20].map(|i| (i as f64 + 0.5) / 21.0);
                let position = mesh.position(element, &place);
                let found = mesh.map_of(element).reference(&position);
                let near = found.is_some_and(|found| (0..2).all(|d| (found[d] - place[d]).abs() < 1e-10));
                assert!(near, "degree {degree}, element {element}: {place:?} found as {found:?}");
            }
        }
    }

    /// Rounding of positions is up to 1e-8 of these elements: more than what Newton's method converges to elsewhere.
    #[test]
    fn every_point_of_small_elements_far_from_the_origin_is_found() {
        for (distance, shape) in [1.0, 1e2, 1e4].into_iter().flat_map(|far| Shape::ALL.map(|shape| (far, shape))) {
            let (lower, upper) = ([distance, -0.3 * distance], [distance + 1e-3, -0.3 * distance + 1e-3]);
            let options = Rectangle { shape, lower, upper, cells: [7, 5], jitter: 0.2, ..Rectangle::default() };
            for degree in [1, 3] {
                let options = Rectangle { curvature: if degree > 1 { 0.1 } else { 0.0 }, ..options.clone() };
                let mesh = options.bent(options.mesh().unwrap().with_degree(degree).unwrap()).unwrap();
                let places = (0..mesh.element_count()).flat_map(|e| {
                    let place = |i: usize| [i % 7, i / 7].map(|i| i as f64 / 6.0);
                    (0..49).map(place).filter(move |[x, y]| shape.is_product() || x + y <= 1.0).map(move |at| (e, at))
                });
                let positions: Vec<[f64; 2]> = places.map(|(e, at)| mesh.position(e, &at)).collect();
                for (position, found) in positions.iter().zip(mesh.locate_each(&positions)) {
                    let (element, reference) =
                        found.unwrap_or_else(|| panic!("{shape:?} of degree {degree}: {position:?} is in no element"));
                    let back = mesh.position(element, &reference);
                    assert!(
                        (0..2).all(|d| (back[d] - position[d]).abs() <= 1e-14 * distance),
                        "{position:?}: {back:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn many_positions_are_found_where_each_is() {
        let straight = Rectangle { jitter: 0.24, cells: [5, 4], ..Rectangle::default() };
        let squares = Rectangle { shape: Shape::Quadrilateral, cells: [5, 4], ..Rectangle::default() };
        let curved = Disc { shape: Shape::Quadrilateral, rings: 2, ..Disc::default() };
        let curved = curved.mesh().unwrap().with_degree(4).unwrap();
        for mesh in [straight.mesh().unwrap(), squares.mesh().unwrap(), curved] {
            let [lower, upper] = mesh.bounds();
            let count = 40;
            let position = |i: usize| {
                let share = [i % count, i / count].map(|i| 1.02 * i as f64 / (count - 1) as f64 - 0.01);
                [0, 1].map(|d| lower[d] + share[d] * (upper[d] - lower[d]))
            };
            let mut positions: Vec<_> = (0..count * count).map(position).collect();
            // On faces and at corners, too.
            positions
                .extend((0..mesh.element_count()).flat_map(|e| [[0.0, 0.0], [0.5, 0.0]].map(|x| mesh.position(e, &x))));
            let found = mesh.locate_each(&positions);
            assert!(found.iter().any(Option::is_some) && found.iter().any(Option::is_none));
            for (position, found) in positions.iter().zip(found) {
                assert_eq!(found, mesh.locate(position), "{position:?}");
            }
        }
    }
}
