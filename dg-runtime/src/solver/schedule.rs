//! How the work on an element is laid over threads.

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
    pub(super) fn define(self) -> &'static str {
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

    /// The schedule of a setup: the one that it asks for, or the one expected to be fastest.
    ///
    /// # Errors
    /// [`Error::Schedule`].
    pub(super) fn of(setup: &Setup, device: &Device) -> Result<Self, Error> {
        let tensors = device.is_cuda() && setup.precision == Precision::Double;
        match setup.schedule {
            Some(Self::Tensor) if !tensors => Err(Error::Schedule),
            Some(schedule) => Ok(schedule),
            None => Ok(Self::expected(setup, device)),
        }
    }

    /// What was fastest for Euler's equations, by order: on an H200, and on a CPU with vectors of 512 bits, where it was
    /// so for advection too.
    fn expected(setup: &Setup, device: &Device) -> Self {
        match setup.order {
            _ if !device.is_cuda() => Self::Component,
            0..=1 => Self::Element,
            6.. if setup.precision == Precision::Double => Self::Tensor,
            _ => Self::Component,
        }
    }
}
