//! The memory that a solver takes on its device, known before any of it is allocated.

use std::fmt;

use crate::device::Device;
use crate::system::bytes;

use super::inventory::Part;
use super::{Error, Precision, Setup};

/// Bytes on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// The registers of the Runge–Kutta method: coefficients, and records of faces between patches.
    pub registers: usize,
    /// Geometry and neighbours of all elements, and the boundary.
    pub mesh: usize,
    /// The limiter's buffers.
    pub limiting: usize,
    /// Quantities reduced over all elements: step sizes, integrals, errors.
    pub reductions: usize,
    /// Buffers for the transfer of initial data or samples, the larger of the two.
    pub transfers: usize,
    /// Number of elements.
    pub elements: usize,
}

impl Footprint {
    /// The footprint of a solver on so many elements; `bytes` returns the bytes of the buffers of a part.
    pub(super) fn new(elements: usize, transfers: usize, bytes: impl Fn(Part) -> usize) -> Self {
        Self {
            registers: bytes(Part::Registers),
            mesh: bytes(Part::Mesh),
            limiting: bytes(Part::Limiting),
            reductions: bytes(Part::Reductions),
            transfers,
            elements,
        }
    }

    /// The sum of all parts.
    pub fn total(&self) -> usize {
        self.registers + self.mesh + self.limiting + self.reductions + self.transfers
    }

    /// Bytes per element.
    pub fn per_element(&self) -> usize {
        self.total() / self.elements.max(1)
    }

    /// Makes sure that a device has this much free memory.
    pub(super) fn check(&self, device: &Device, setup: &Setup) -> Result<(), Error> {
        match device.free_memory() {
            Some(free) if free < self.total() => Err(Error::Memory {
                device: device.name(),
                needed: *self,
                free,
                lower: [
                    (setup.order > 0).then_some("a lower order"),
                    (setup.precision == Precision::Double).then_some("single precision"),
                ]
                .into_iter()
                .flatten()
                .map(|remedy| format!("{remedy}, "))
                .collect(),
            }),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in all, {} bytes per element", bytes(self.total()), self.per_element())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::device::Choice;

    #[test]
    fn a_lack_of_memory_is_an_error_with_figures_and_remedies() {
        let device = Device::open(Choice::Cpu).unwrap();
        let setup = |order, precision| Setup { precision, ..Setup::new(&WAVES, order).unwrap() };
        let memory =
            Footprint { registers: 1 << 50, mesh: 0, limiting: 0, reductions: 0, transfers: 0, elements: 1 << 40 };
        let message = |order, precision| memory.check(&device, &setup(order, precision)).err().unwrap().to_string();
        let text = message(2, Precision::Double);
        for part in
            ["1024.0 TiB in all, 1024 bytes per element", " are free; take fewer elements, a lower order, single"]
        {
            assert!(text.contains(part), "{text}");
        }
        assert!(message(0, Precision::Single).ends_with("take fewer elements, or another device"));
        let little = Footprint { registers: 1, ..memory };
        assert!(little.check(&device, &setup(2, Precision::Double)).is_ok());
    }
}
