//! How the work on an element is laid over threads.

/// A way to run the stages of the scheme; `templates/kernels` has the text of each. All give the same solution up to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// A thread, or a lane of the CPU, has an element to itself.
    Element,
    /// A thread has one component of an element; points are shared out among them. On the CPU the same order of work, component by
    /// component.
    Component,
    /// Like `Component`, but a thread has that component of two elements, so that what it fetches of a table serves for both: on
    /// CUDA.
    Pair,
    /// Like `Component`, with products of tables and coefficients by tensor instructions: on CUDA, in double precision.
    Tensor,
}

impl Schedule {
    /// Every schedule, in the order of their numbers in the text.
    pub const ALL: [Self; 4] = [Self::Element, Self::Component, Self::Pair, Self::Tensor];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Component => "component",
            Self::Pair => "pair",
            Self::Tensor => "tensor",
        }
    }

    /// What the text's `SCHEDULE` is defined to.
    pub fn define(self) -> &'static str {
        match self {
            Self::Element => "ELEMENT",
            Self::Component => "COMPONENT",
            Self::Pair => "PAIR",
            Self::Tensor => "TENSOR",
        }
    }

    /// Whether tables must be laid out in tiles.
    pub fn uses_tensors(self) -> bool {
        self == Self::Tensor
    }
}
