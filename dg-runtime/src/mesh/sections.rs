//! Sections of a mesh: consecutive elements of one shape and degree with maps of one kind, for which code is compiled.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rayon::prelude::*;

use super::{ElementMap, Mesh};
use crate::law::Shape;
use crate::law::geometry::Map;

/// The terms that distinguish a map from one of a simpler kind move no point by more than this fraction of the element's longest side.
const ROUNDING: f64 = 1e-12;

/// Elements with simpler maps among others of their shape are a section of their own if they are at least this share: fewer save less time
/// than further launches take.
const LEAST_SHARE: f64 = 0.125;

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
    /// The sections, in the order of their elements. [Renumbered](Mesh::renumbered) elements of one shape and degree are in one section for
    /// every kind of maps at most, the simplest first.
    pub fn sections(&self) -> Vec<Section> {
        let of_degree = |(shape, order, elements): (Shape, Option<usize>, Range<usize>)| {
            let mut maps = self.maps_in_sections(elements.clone());
            if !maps.is_sorted_by_key(|map| rank(*map)) {
                // Where elements are in another order, all are of the most general kind.
                let general = maps.iter().copied().max_by_key(|map| rank(*map));
                maps.fill(general.unwrap_or(Map::Affine));
            }
            let mut start = elements.start;
            let section = |run: &[Map]| {
                let elements = start..start + run.len();
                start = elements.end;
                Section { shape, map: run[0], order, elements }
            };
            maps.chunk_by(PartialEq::eq).map(section).collect::<Vec<_>>()
        };
        self.by_degree().into_iter().flat_map(of_degree).collect()
    }

    /// The same, but elements of one shape and degree that are fewer than `many` are one section, of the most general kind of maps among them:
    /// where launches on few elements take longer than simpler maps save.
    pub fn sections_of_many(&self, many: usize) -> Vec<Section> {
        let sections = self.sections();
        let alike = sections.chunk_by(|a, b| (a.shape, a.order) == (b.shape, b.order));
        let joined = |alike: &[Section]| match alike {
            [first, .., last] if last.elements.end - first.elements.start < many => {
                vec![Section { elements: first.elements.start..last.elements.end, ..last.clone() }]
            }
            alike => alike.to_vec(),
        };
        alike.flat_map(joined).collect()
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
            let maps = self.maps_in_sections(elements.iter().map(|element| *element as usize));
            let mut by_kind: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
            for (element, map) in elements.into_iter().zip(maps) {
                by_kind.entry(rank(map)).or_default().push(element);
            }
            by_kind.into_values()
        };
        let of_shape = |(_, elements): (Shape, Range<usize>)| {
            let mut by_degree: BTreeMap<Option<usize>, Vec<u32>> = BTreeMap::new();
            for element in elements {
                by_degree.entry(self.order(element)).or_default().push(element as u32);
            }
            by_degree.into_values()
        };
        self.elements.by_shape().flat_map(of_shape).flat_map(of_degree).collect()
    }

    /// All degrees of the solution, in order, where `others` is that of elements without their own.
    pub fn all_orders(&self, others: usize) -> BTreeSet<usize> {
        self.by_degree().into_iter().map(|(_, order, _)| order.unwrap_or(others)).collect()
    }

    /// Whether the maps of all elements are affine: no side is curved, and there is no quadrilateral but parallelograms.
    pub fn is_affine(&self) -> bool {
        self.maps(0..self.element_count()).into_iter().all(|map| map == Map::Affine)
    }

    /// The shapes that elements have, each with the kinds of their maps and the number of elements of each.
    pub fn kinds(&self) -> Vec<(Shape, Vec<(Map, usize)>)> {
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            let maps = self.maps(elements);
            let count = |kind: Map| maps.iter().filter(|map| **map == kind).count();
            (shape, self.kinds_of_maps(shape).into_iter().map(|kind| (kind, count(kind))).collect())
        };
        self.elements.by_shape().map(of_shape).collect()
    }

    /// The kinds of maps that elements of a shape may have, the simplest first. Quadrilaterals that are no parallelograms may have straight
    /// sides beside others that are curved.
    fn kinds_of_maps(&self, shape: Shape) -> Vec<Map> {
        let mut kinds = vec![Map::Affine];
        kinds.extend(shape.is_product().then_some(Map::Polynomial(1)));
        kinds.extend((self.degree() > 1).then_some(Map::Polynomial(self.degree())));
        kinds
    }

    /// Of each of these elements, which are of one shape, the simplest kind of map that it has.
    fn maps(&self, elements: impl IntoIterator<Item = usize>) -> Vec<Map> {
        let elements: Vec<usize> = elements.into_iter().collect();
        let Some(&first) = elements.first() else { return Vec::new() };
        let shape = self.shape(first);
        let kinds = self.kinds_of_maps(shape);
        let monomials: Vec<Vec<[usize; 2]>> = kinds.iter().map(|kind| kind.monomials(shape)).collect();
        let simplest = |element: usize| {
            let corners = self.corners(element);
            let longest = (0..shape.faces()).fold(0.0, |longest: f64, face| {
                let [from, to] = shape.face_corners(face) else { return longest };
                let along = |d: usize| self.vertex(corners[*to])[d] - self.vertex(corners[*from])[d];
                longest.max((0..self.dim).map(|d| along(d).powi(2)).sum::<f64>().sqrt())
            });
            let map = self.map_of(element);
            let is_enough = |terms: &Vec<[usize; 2]>| map.moves_beyond(terms) <= ROUNDING * longest;
            let enough = monomials.iter().position(is_enough);
            kinds[enough.unwrap_or(kinds.len() - 1)]
        };
        if let [only] = kinds[..] {
            return vec![only; elements.len()];
        }
        elements.into_par_iter().map(simplest).collect()
    }

    /// Of each of these elements, which are of one shape, the kind of maps in its section: its own, or where too few have this one a more
    /// general one.
    fn maps_in_sections(&self, elements: impl IntoIterator<Item = usize>) -> Vec<Map> {
        let mut maps = self.maps(elements);
        let least = LEAST_SHARE * maps.len() as f64;
        let mut kinds: Vec<Map> = maps.clone();
        kinds.sort_unstable_by_key(|map| rank(*map));
        kinds.dedup();
        for pair in kinds.windows(2) {
            let count = maps.iter().filter(|map| **map == pair[0]).count();
            if (count as f64) < least {
                maps.iter_mut().filter(|map| **map == pair[0]).for_each(|map| *map = pair[1]);
            }
        }
        maps
    }

    /// The map of an element of a section: without the terms that are rounding errors where its kind has none.
    pub fn map_in(&self, section: &Section, element: usize) -> ElementMap {
        if section.map.is_curved() { self.map_of(element) } else { self.straight_map(element) }
    }
}

/// The place of a kind of maps among others: a map has all terms of those before it.
fn rank(map: Map) -> usize {
    match map {
        Map::Affine => 0,
        Map::Polynomial(degree) => degree,
    }
}

#[cfg(test)]
mod tests {
    use crate::law::Shape;
    use crate::law::geometry::Map;
    use crate::mesh::generate::{Disc, Rectangle};
    use crate::mesh::{Groups, MAX_DEGREE, Mesh, Section};

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
        let affine = |mesh: &Mesh| mesh.kinds().iter().map(|(_, kinds)| kinds[0].1).sum::<usize>();
        for degree in 1..=MAX_DEGREE {
            let disc = Disc { shape: Shape::Quadrilateral, ..Disc::default() }.mesh().unwrap();
            assert_eq!(affine(&disc.with_degree(degree).unwrap()), 16 * 16, "degree {degree}");
            let disc = Disc::default().mesh().unwrap();
            let straight = if degree > 1 { 6 * 7 * 7 + 6 * 7 } else { 6 * 8 * 8 };
            assert_eq!(affine(&disc.with_degree(degree).unwrap()), straight, "degree {degree}");
        }
    }

    #[test]
    fn quadrilaterals_are_in_sections_by_what_their_maps_need() {
        let disc = Disc { shape: Shape::Quadrilateral, rings: 4, ..Disc::default() }.mesh().unwrap();
        let disc = disc.with_degree(3).unwrap();
        let kinds = [(Map::Affine, 8 * 8), (Map::Polynomial(1), 3 * 32), (Map::Polynomial(3), 32)];
        assert_eq!(disc.kinds(), [(Shape::Quadrilateral, kinds.to_vec())]);
        let disc = disc.renumbered();
        let kinds_of =
            |sections: Vec<Section>| sections.iter().map(|of| (of.map, of.elements.len())).collect::<Vec<_>>();
        assert_eq!(kinds_of(disc.sections()), kinds);
        assert_eq!(kinds_of(disc.sections_of_many(192)), kinds);
        assert_eq!(kinds_of(disc.sections_of_many(193)), [(Map::Polynomial(3), 192)]);
    }
}
