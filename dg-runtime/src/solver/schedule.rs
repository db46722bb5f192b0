//! How the work on an element is laid over threads.

use std::fmt;
use std::str::FromStr;

use super::{Error, Precision, Setup};
use crate::device::Device;

/// A way to run the stages; `templates/kernels` has the text of each. All give the same solution up to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// A thread, or a lane of the CPU, has an element to itself and evaluates its neighbours' traces.
    Element,
    /// A thread has one component of an element; points are shared out among them, and traces are kept. On the CPU the
    /// same order of work, component by component.
    Component,
    /// Like `Component`, with products of tables and coefficients by tensor instructions: on CUDA, in double precision.
    Tensor,
}

impl Schedule {
    /// Every schedule.
    pub const ALL: [Self; 3] = [Self::Element, Self::Component, Self::Tensor];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Component => "component",
            Self::Tensor => "tensor",
        }
    }

    /// What the text's `SCHEDULE` is defined to.
    pub fn define(self) -> &'static str {
        match self {
            Self::Element => "ELEMENT",
            Self::Component => "COMPONENT",
            Self::Tensor => "TENSOR",
        }
    }

    /// Whether traces are kept beside the coefficients.
    pub(super) fn keeps_traces(self) -> bool {
        self != Self::Element
    }

    /// Whether tables must be laid out in tiles.
    pub(super) fn uses_tensors(self) -> bool {
        self == Self::Tensor
    }

    /// Whether a device runs it in a precision.
    pub(super) fn is_possible(self, device: &Device, precision: Precision) -> bool {
        !self.uses_tensors() || (device.has_double_tensors() && precision == Precision::Double)
    }

    /// What was fastest for Euler's equations, by order: on an H200, with tensor instructions or without them, and on a
    /// CPU with vectors of 512 bits, where it was so for advection too. With few elements a GPU is not filled, and more
    /// threads for each take less time.
    pub fn expected(order: usize, elements: usize, on_cuda: bool, tensors: bool) -> Self {
        match order {
            _ if !on_cuda => Self::Component,
            0..=1 if elements >= ELEMENTS_FILL_CUDA => Self::Element,
            6.. if tensors => Self::Tensor,
            _ => Self::Component,
        }
    }
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
    /// That of a setup: the one that it asks for, or the one expected to be fastest.
    ///
    /// # Errors
    /// [`Error::Schedule`].
    pub(super) fn of(setup: &Setup, elements: usize, device: &Device) -> Result<Self, Error> {
        let expected = || {
            let tensors = Schedule::Tensor.is_possible(device, setup.precision);
            Schedule::expected(setup.order, elements, device.is_cuda(), tensors).into()
        };
        let variant = setup.schedule.unwrap_or_else(expected);
        if !variant.schedule.is_possible(device, setup.precision) {
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
