//! How the work on an element is distributed over threads.

/// A way to run the stages of the scheme; `templates/kernels` has the text of each. All give the same solution up to
/// rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Schedule {
    /// A thread, or a lane of the CPU, has all components of an element.
    Element,
    /// A thread has one component of an element; points are divided among these threads. The CPU works in the same
    /// order, component by component.
    Component,
    /// Like `Component`, but a thread has that component of two elements, so that each table entry it loads serves
    /// both: on CUDA only.
    Pair,
    /// Like `Component`, but a thread has three components of an element, so that each table entry it loads serves all three, and a third as many
    /// threads share its points: on CUDA only, for six components, nine, and so on.
    Triple,
    /// Like `Component`, with products of tables and coefficients by tensor instructions: on CUDA only, in double
    /// precision.
    Tensor,
}

impl Schedule {
    /// Every schedule, in the order of their numbers in the text.
    pub const ALL: [Self; 5] = [Self::Element, Self::Component, Self::Pair, Self::Triple, Self::Tensor];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Element => "element",
            Self::Component => "component",
            Self::Pair => "pair",
            Self::Triple => "triple",
            Self::Tensor => "tensor",
        }
    }

    /// The value of `SCHEDULE` in the text.
    pub fn define(self) -> &'static str {
        match self {
            Self::Element => "ELEMENT",
            Self::Component => "COMPONENT",
            Self::Pair => "PAIR",
            Self::Triple => "TRIPLE",
            Self::Tensor => "TENSOR",
        }
    }

    /// Whether tables must be laid out in tiles.
    pub fn uses_tensors(self) -> bool {
        self == Self::Tensor
    }
}
