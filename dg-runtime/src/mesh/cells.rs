//! The elements of a mesh without what lies behind their faces: enough to evaluate a solution on them.

use super::curved::Curved;
use super::{ElementMap, Elements, Mesh};

/// The elements of a mesh by themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Number of space dimensions.
    pub dim: usize,
    /// Positions of the vertices, `[vertex][dim]`.
    pub vertices: Vec<f64>,
    /// The elements, by their vertices, all of them valid indices.
    pub elements: Elements,
    /// The degree of the sides: 1 if they are straight.
    pub degree: usize,
    /// The coefficients of the terms of [`ElementMap`], `[element][term][dim]`; empty if sides are straight.
    pub terms: Vec<f64>,
    /// Of every element the degree of the solution there, if it has one of its own; empty where none has.
    pub orders: Vec<Option<u8>>,
}

impl Mesh {
    /// Its elements by themselves.
    pub fn cells(&self) -> Cells {
        Cells {
            dim: self.dim,
            vertices: self.vertices.clone(),
            elements: self.elements.clone(),
            degree: self.degree(),
            terms: self.curved.as_ref().map_or_else(Vec::new, |curved| curved.terms.clone()),
            orders: self.orders.clone(),
        }
    }
}

impl Cells {
    /// Whether all lists are as long as the elements need, and vertices are there.
    pub fn are_sound(&self) -> bool {
        let count = self.elements.count();
        let of_element = |shape: crate::law::Shape| shape.polynomials(self.degree) * self.dim;
        let terms = if self.degree == 1 { 0 } else { self.elements.offset(count, of_element) };
        let vertices = self.vertices.len().checked_div(self.dim).unwrap_or(0);
        self.dim == self.elements.dim()
            && self.elements.vertices().iter().all(|&vertex| (vertex as usize) < vertices)
            && (1..=super::MAX_DEGREE).contains(&self.degree)
            && self.terms.len() == terms
            && (self.orders.is_empty() || self.orders.len() == count)
    }

    /// The map of an element.
    pub fn map_of(&self, element: usize) -> ElementMap {
        let shape = self.elements.shape(element);
        if self.degree > 1 {
            return ElementMap::new(
                shape,
                self.degree,
                Curved::part(&self.terms, self.degree, &self.elements, element),
            );
        }
        let corners = self.elements.corners(element);
        ElementMap::straight(shape, |corner| &self.vertices[corners[corner] as usize * self.dim..][..self.dim])
    }

    /// The degree of the solution in an element, where it is `others` without one of its own.
    pub fn order(&self, element: usize, others: usize) -> usize {
        self.orders.get(element).copied().flatten().map_or(others, usize::from)
    }
}
