//! The rows of columns with one number for every element.

use std::ops::Range;

use crate::law::protocol::REDUCTION;

use super::layout::padded;

/// The rows that belong to elements, by the sections of a mesh: the elements of each begin with a new block of memory.
#[derive(Clone, Debug)]
pub(super) struct Rows(Vec<Range<usize>>);

impl Rows {
    /// Those of sections with so many elements.
    pub(super) fn new(elements: &[usize]) -> Self {
        let starts = elements.iter().scan(0, |next, &count| Some(std::mem::replace(next, *next + padded(count))));
        Self(starts.zip(elements).map(|(start, count)| start..start + count).collect())
    }

    /// The length of a column.
    pub(super) fn stride(&self) -> usize {
        self.0.last().map_or(0, |last| last.start + padded(last.len()))
    }

    /// Partial results of the first pass over each section.
    pub(super) fn partials(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|rows| rows.len().div_ceil(REDUCTION))
    }

    /// The rows of each section.
    pub(super) fn of_sections(&self) -> &[Range<usize>] {
        &self.0
    }

    /// The first row of a section.
    pub(super) fn first(&self, section: usize) -> usize {
        self.0[section].start
    }

    /// The row of an element.
    pub(super) fn of_element(&self, element: usize) -> usize {
        let mut left = element;
        for rows in &self.0 {
            if left < rows.len() {
                return rows.start + left;
            }
            left -= rows.len();
        }
        0
    }

    /// The numbers of the elements in a column.
    pub(super) fn of_elements(&self, column: &[f64]) -> Vec<f64> {
        self.0.iter().flat_map(|rows| &column[rows.clone()]).copied().collect()
    }
}
