//! Which schedule a setup gets, and how it is compiled.

use std::fmt;
use std::str::FromStr;

use super::{Error, Precision, Setup};
use crate::device::Device;
use crate::law::Schedule;

/// Whether a device runs a schedule in a precision.
pub(super) fn is_possible(schedule: Schedule, device: &Device, precision: Precision) -> bool {
    !schedule.uses_tensors() || (device.has_double_tensors() && precision == Precision::Double)
}

/// So many elements fill a GPU with a thread for each.
pub const ELEMENTS_FILL_CUDA: usize = 50_000;

/// A schedule, and how it is compiled. As text `component` or `component/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// The schedule.
    pub schedule: Schedule,
    /// Blocks of threads that a multiprocessor is to hold, which bounds the registers of each; `None` leaves that to the
    /// compiler. A CPU ignores it.
    pub blocks: Option<u32>,
}

/// The most blocks of a multiprocessor that kernels by element, of 128 threads, may be compiled for.
pub(super) const MOST_BLOCKS: u32 = 16;

impl From<Schedule> for Variant {
    fn from(schedule: Schedule) -> Self {
        Self { schedule, blocks: None }
    }
}

impl Variant {
    /// What was fastest for Euler's equations, by order: on an H200, with tensor instructions or without them, and on a
    /// CPU with vectors of 512 bits, where it was so for advection too. With few elements a GPU is not filled, and more
    /// threads for each take less time.
    pub fn expected(order: usize, elements: usize, on_cuda: bool, tensors: bool) -> Self {
        let schedule = match order {
            _ if !on_cuda => Schedule::Component,
            0..=1 if elements >= ELEMENTS_FILL_CUDA => Schedule::Element,
            6.. if tensors => Schedule::Tensor,
            _ => Schedule::Component,
        };
        schedule.into()
    }

    /// That of a setup: the one that it asks for, or the one expected to be fastest.
    ///
    /// # Errors
    /// [`Error::Schedule`].
    pub(super) fn of(setup: &Setup, elements: usize, device: &Device) -> Result<Self, Error> {
        let expected = || {
            let tensors = is_possible(Schedule::Tensor, device, setup.precision);
            Self::expected(setup.order, elements, device.is_cuda(), tensors)
        };
        let variant = setup.schedule.unwrap_or_else(expected);
        if !is_possible(variant.schedule, device, setup.precision) {
            return Err(Error::Schedule);
        }
        Ok(Self { blocks: variant.blocks.filter(|_| device.is_cuda()), ..variant })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.schedule.name())?;
        self.blocks.map_or(Ok(()), |blocks| write!(f, "/{blocks}"))
    }
}

impl FromStr for Variant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (name, blocks) = text.split_once('/').map_or((text, None), |(name, blocks)| (name, Some(blocks)));
        let schedule = Schedule::ALL.into_iter().find(|schedule| schedule.name() == name);
        let blocks = blocks.map(|blocks| blocks.parse().ok().filter(|blocks| (1..=MOST_BLOCKS).contains(blocks)));
        match (schedule, blocks) {
            (Some(schedule), None) => Ok(schedule.into()),
            (Some(schedule), Some(Some(blocks))) => Ok(Self { schedule, blocks: Some(blocks) }),
            _ => Err(Error::UnknownSchedule(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_read_as_they_are_written() {
        for text in ["element", "component/4", "tensor"] {
            assert_eq!(text.parse::<Variant>().unwrap().to_string(), text);
        }
        for text in ["", "elements", "component/", "component/0", "component/17", "tensor/x"] {
            assert!(text.parse::<Variant>().is_err_and(|error| error.to_string().contains("`component/4`")), "{text}");
        }
    }
}
