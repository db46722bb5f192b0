//! The memory that a solver takes on its device, part by part.

use std::fmt;

use crate::system::bytes;

/// Bytes on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The registers of the Runge–Kutta method: coefficients, and records of faces between patches.
    pub registers: usize,
    /// Geometry and neighbours of all elements, and the boundary.
    pub mesh: usize,
    /// The limiter's buffers.
    pub limiting: usize,
    /// Quantities reduced over all elements in each step: step sizes, errors of steps.
    pub reductions: usize,
    /// Buffers that are there while a solution is set or looked at: the largest of those for initial data, samples, and integrals or norms of
    /// errors.
    pub transfers: usize,
    /// Number of elements.
    pub elements: usize,
}

impl Footprint {
    /// The sum of all parts.
    pub fn total(&self) -> usize {
        self.registers + self.mesh + self.limiting + self.reductions + self.transfers
    }

    /// Bytes per element.
    pub fn per_element(&self) -> usize {
        self.total() / self.elements.max(1)
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in all, {} bytes per element", bytes(self.total()), self.per_element())
    }
}
