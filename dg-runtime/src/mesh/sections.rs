//! Sections of a mesh: consecutive elements of one shape and degree with maps of one kind, for which code is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rayon::prelude::*;

use super::{ElementMap, Mesh};
use crate::law::Shape;
use crate::law::geometry::Map;

/// The terms that distinguish a map from an affine one are below this fraction of the element's longest side.
const NOT_AFFINE: f64 = 1e-12;

/// Affine elements among others of their shape are a section of their own if they are at least this share: fewer save less time than
/// further launches take.
const LEAST_AFFINE: f64 = 0.125;

/// Consecutive elements of one shape and degree with maps of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Their shape.
    pub shape: Shape,
    /// The kind of their maps.
    pub map: Map,
    /// The degree of the solution there, if they have one of their own.
    pub order: Option<usize>,
    /// Their numbers.
    pub elements: Range<usize>,
}

impl Mesh {
    /// The sections, in the order of their elements. [Renumbered](Mesh::renumbered) elements of one shape and degree are in two at most: those
    /// with affine maps, and then those with others.
    pub fn sections(&self) -> Vec<Section> {
        let of_degree = |(shape, order, elements): (Shape, Option<usize>, Range<usize>)| {
            let affine = self.are_affine(elements.clone());
            let first = affine.iter().take_while(|is_affine| **is_affine).count();
            let is_apart = is_apart(&affine) && !affine[first..].contains(&true);
            let end = elements.start + if is_apart { first } else { 0 };
            let section = |map, elements| Section { shape, map, order, elements };
            let all =
                [section(Map::Affine, elements.start..end), section(Map::Polynomial(self.degree()), end..elements.end)];
            all.into_iter().filter(|section| !section.elements.is_empty())
        };
        self.by_degree().into_iter().flat_map(of_degree).collect()
    }

    /// Consecutive elements of one shape and degree.
    fn by_degree(&self) -> Vec<(Shape, Option<usize>, Range<usize>)> {
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            let numbers: Vec<usize> =
                if self.orders.is_empty() { vec![elements.start] } else { elements.clone().collect() };
            let runs: Vec<usize> =
                numbers.chunk_by(|a, b| self.order(*a) == self.order(*b)).map(|run| run[0]).collect();
            let ends = runs[1..].iter().copied().chain([elements.end]);
            let runs: Vec<_> =
                runs.iter().zip(ends).map(|(&start, end)| (shape, self.order(start), start..end)).collect();
            runs
        };
        self.elements.by_shape().flat_map(of_shape).collect()
    }

    /// The elements of each shape and degree, those that are to be a section of their own apart, in the order of their numbers.
    pub(super) fn to_be_sections(&self) -> Vec<Vec<u32>> {
        let of_degree = |elements: Vec<u32>| {
            let affine = self.are_affine(elements.iter().map(|element| *element as usize));
            if !is_apart(&affine) {
                return vec![elements];
            }
            let (straight, others): (Vec<_>, Vec<_>) =
                elements.into_iter().zip(affine).partition(|(_, is_affine)| *is_affine);
            [straight, others].map(|part| part.into_iter().map(|(element, _)| element).collect()).into()
        };
        let of_shape = |(_, elements): (Shape, Range<usize>)| {
            let mut by_degree: BTreeMap<Option<usize>, Vec<u32>> = BTreeMap::new();
            for element in elements {
                by_degree.entry(self.order(element)).or_default().push(element as u32);
            }
            by_degree.into_values()
        };
        let sections = self.elements.by_shape().flat_map(of_shape).flat_map(of_degree);
        sections.filter(|section: &Vec<u32>| !section.is_empty()).collect()
    }

    /// All degrees of the solution, in order, where `others` is that of elements without their own.
    pub fn all_orders(&self, others: usize) -> BTreeSet<usize> {
        self.by_degree().into_iter().map(|(_, order, _)| order.unwrap_or(others)).collect()
    }

    /// Whether the maps of all elements are affine: no side is curved, and there is no quadrilateral but parallelograms.
    pub fn is_affine(&self) -> bool {
        self.are_affine(0..self.element_count()).into_iter().all(|is_affine| is_affine)
    }

    /// The shapes that elements have, each with the number of its elements and of those with affine maps.
    pub fn kinds(&self) -> Vec<(Shape, usize, usize)> {
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            let affine = self.are_affine(elements.clone()).into_iter().filter(|is_affine| *is_affine).count();
            (shape, elements.len(), affine)
        };
        self.elements.by_shape().map(of_shape).collect()
    }

    fn are_affine(&self, elements: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let is_affine = |element: usize| {
            if self.curved.is_none() && !self.shape(element).is_product() {
                return true;
            }
            let corners = self.corners(element);
            let longest = (0..self.shape(element).faces()).fold(0.0, |longest: f64, face| {
                let [from, to] = self.shape(element).face_corners(face) else { return longest };
                let along = |d: usize| self.vertex(corners[*to])[d] - self.vertex(corners[*from])[d];
                longest.max((0..self.dim).map(|d| along(d).powi(2)).sum::<f64>().sqrt())
            });
            self.map_of(element).beyond_affine() <= NOT_AFFINE * longest
        };
        let elements: Vec<usize> = elements.into_iter().collect();
        elements.into_par_iter().map(is_affine).collect()
    }

    /// The map of an element of a section: without the terms that are rounding errors where it is affine.
    pub fn map_in(&self, section: &Section, element: usize) -> ElementMap {
        match section.map {
            Map::Affine => self.straight_map(element),
            Map::Polynomial(_) => self.map_of(element),
        }
    }
}

/// Whether affine elements are to be a section of their own, from whether each element of a shape is affine.
fn is_apart(affine: &[bool]) -> bool {
    let count = affine.iter().filter(|is_affine| **is_affine).count();
    count > 0 && count as f64 >= LEAST_AFFINE * affine.len() as f64
}

#[cfg(test)]
mod tests {
    use crate::law::Shape;
    use crate::mesh::generate::{Disc, Rectangle};
    use crate::mesh::{Groups, MAX_DEGREE, Mesh};

    #[test]
    fn elements_of_one_degree_keep_together_and_groups_go_before_shapes() {
        let mut mesh = Rectangle { cells: [8, 8], layers: 4, ..Rectangle::default() }.mesh().unwrap();
        // Every second element is fine, of which every second one is finest, too.
        let sets =
            [&[][..], &["fine"], &["finest", "fine"]].map(|set| set.iter().map(|name| (*name).to_owned()).collect());
        let of_elements = (0..mesh.element_count()).map(|element| [0, 1, 0, 2][element % 4]).collect();
        mesh.groups = Groups { sets: sets.into(), of_elements };
        let orders = [("fine", 3), ("finest", 5), ("quadrilaterals", 1)].map(|(name, order)| (name.to_owned(), order));
        let mesh = mesh.with_orders(&orders).renumbered();
        let found: Vec<_> = mesh.sections().iter().map(|of| (of.shape, of.order, of.elements.len())).collect();
        let [triangle, quadrilateral] = Shape::ALL;
        let expected = [
            (triangle, None, 32),
            (triangle, Some(3), 16),
            (triangle, Some(5), 16),
            (quadrilateral, Some(1), 16),
            (quadrilateral, Some(3), 8),
            (quadrilateral, Some(5), 8),
        ];
        assert_eq!(found, expected);
        for section in mesh.sections() {
            for element in section.elements {
                let groups = mesh.groups().of(element).len();
                assert_eq!(mesh.order(element), [section.order, Some(3), Some(5)][groups]);
            }
        }
        assert_eq!(mesh.all_orders(2).into_iter().collect::<Vec<_>>(), [1, 2, 3, 5]);
    }

    /// In the middle of a disc elements are squares, whatever the degree of the sides at its rim.
    #[test]
    fn straight_elements_are_affine_at_all_degrees() {
        let affine = |mesh: &Mesh| mesh.kinds().iter().map(|(_, _, affine)| affine).sum::<usize>();
        for degree in 1..=MAX_DEGREE {
            let disc = Disc { shape: Shape::Quadrilateral, ..Disc::default() }.mesh().unwrap();
            assert_eq!(affine(&disc.with_degree(degree).unwrap()), 16 * 16, "degree {degree}");
            let disc = Disc::default().mesh().unwrap();
            let straight = if degree > 1 { 6 * 7 * 7 + 6 * 7 } else { 6 * 8 * 8 };
            assert_eq!(affine(&disc.with_degree(degree).unwrap()), straight, "degree {degree}");
        }
    }
}
