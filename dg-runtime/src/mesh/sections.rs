//! Sections of a mesh: consecutive elements of one shape with maps of one kind, for which code is compiled.

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

/// Consecutive elements of one shape with maps of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Their shape.
    pub shape: Shape,
    /// The kind of their maps.
    pub map: Map,
    /// Their numbers.
    pub elements: Range<usize>,
}

impl Mesh {
    /// The sections, in the order of their elements. [Renumbered](Mesh::renumbered) elements of one shape are in two at most: those with
    /// affine maps, and then those with others.
    pub fn sections(&self) -> Vec<Section> {
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            let affine = self.are_affine(elements.clone());
            let first = affine.iter().take_while(|is_affine| **is_affine).count();
            let is_apart = is_apart(&affine) && !affine[first..].contains(&true);
            let end = elements.start + if is_apart { first } else { 0 };
            let section = |map, elements| Section { shape, map, elements };
            let all =
                [section(Map::Affine, elements.start..end), section(Map::Polynomial(self.degree()), end..elements.end)];
            all.into_iter().filter(|section| !section.elements.is_empty())
        };
        self.elements.by_shape().flat_map(of_shape).collect()
    }

    /// The elements of each shape, those that are to be a section of their own apart, in the order of their numbers.
    pub(super) fn to_be_sections(&self) -> Vec<Vec<u32>> {
        let of_shape = |(_, elements): (Shape, Range<usize>)| {
            let affine = self.are_affine(elements.clone());
            let numbers = elements.map(|element| element as u32);
            if !is_apart(&affine) {
                return vec![numbers.collect()];
            }
            let (straight, others): (Vec<_>, Vec<_>) = numbers.zip(affine).partition(|(_, is_affine)| *is_affine);
            [straight, others].map(|part| part.into_iter().map(|(element, _)| element).collect()).into()
        };
        let sections = self.elements.by_shape().flat_map(of_shape);
        sections.filter(|section: &Vec<u32>| !section.is_empty()).collect()
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

    fn are_affine(&self, elements: Range<usize>) -> Vec<bool> {
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
            self.map_of(element).terms()[1 + self.dim..].iter().flatten().all(|x| x.abs() <= NOT_AFFINE * longest)
        };
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
