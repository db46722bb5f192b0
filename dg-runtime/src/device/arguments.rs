//! The arguments of a launch: given by name, and checked against the kernel's declaration.

use std::fmt;

use super::blocks::ELEMENT_BLOCK;
use super::buffers::Named;
use super::{Buffer, Number, View};
use crate::law::{Argument, Direction, Kind, Size};

/// The most arguments that a kernel may have.
pub(super) const MAX_ARGUMENTS: usize = 64;

/// An argument of a kernel.
#[derive(Clone, Copy)]
pub(crate) enum Arg<'a> {
    /// A pointer to the beginning of a buffer, or of a part of one.
    Buffer(View<'a>),
    /// A `double` in either precision.
    Real(f64),
    /// A `long long`.
    Int(i64),
}

impl<'a> From<&'a Buffer> for Arg<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Self::Buffer(buffer.into())
    }
}

impl<'a> From<View<'a>> for Arg<'a> {
    fn from(view: View<'a>) -> Self {
        Self::Buffer(view)
    }
}

impl From<f64> for Arg<'_> {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl From<i64> for Arg<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<usize> for Arg<'_> {
    fn from(value: usize) -> Self {
        // No size is large enough to overflow.
        Self::Int(value as i64)
    }
}

impl From<bool> for Arg<'_> {
    fn from(value: bool) -> Self {
        Self::Int(value.into())
    }
}

/// Arguments by name, as in `args! { u: &buffer, time: 0.5, ..others }`, where `others` is an iterator over more of them.
macro_rules! args {
    ($($name:ident: $value:expr),* $(, ..$others:expr)* $(,)?) => {{
        let named = [$((stringify!($name), $crate::device::Arg::from($value))),*];
        #[allow(unused_mut)]
        let mut all: Vec<(&'static str, $crate::device::Arg<'_>)> = named.into();
        $(all.extend($others);)*
        all
    }};
}
pub(crate) use args;

/// The defect of an argument of a launch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misuse {
    /// It is declared but not given.
    #[error("is missing")]
    Missing,
    /// It is given but not declared.
    #[error("is unknown; there are {0}")]
    Unknown(String),
    /// It is given more than once.
    #[error("is given twice")]
    Twice,
    /// It has the wrong kind.
    #[error("must be {expected}, given is {given}")]
    Kind {
        /// The declared kind.
        expected: String,
        /// The given kind.
        given: String,
    },
    /// The buffer is too small for so many items.
    #[error("must hold {needed} numbers, and holds {given}")]
    Size {
        /// The numbers that the kernel may access.
        needed: usize,
        /// The numbers in the buffer.
        given: usize,
    },
    /// The kernel writes it, and no kernel may write the buffer.
    #[error("is written, and the buffer given is constant")]
    Constant,
    /// The kernel writes it, and another argument lies in the same memory.
    #[error("is written, and lies in the same memory as `{0}`")]
    Overlap(String),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Single => "single precision",
            Self::Double => "double precision",
            Self::Int => "integers",
        })
    }
}

/// The arguments of a launch for `n` items in the order of their declaration, where `real` is the precision of the unit: those given
/// by name, and for other names those in `others`.
///
/// # Errors
/// The name and the defect of an argument.
pub(super) fn resolve<'a>(
    declared: &[Argument],
    real: Number,
    n: usize,
    given: &[(&str, Arg<'a>)],
    others: &[Named<'a>],
) -> Result<Vec<Arg<'a>>, (String, Misuse)> {
    let mut found: Vec<Option<Arg<'a>>> = vec![None; declared.len()];
    // Most are given in the order of the declaration, or in a part of it.
    let mut next = 0;
    for (name, arg) in given {
        let fails = |misuse| Err(((*name).to_owned(), misuse));
        let place = (next..declared.len()).chain(0..next).find(|&place| declared[place].name == *name);
        let Some(place) = place else {
            let known: Vec<_> = declared.iter().map(|argument| format!("`{}`", argument.name)).collect();
            return fails(Misuse::Unknown(known.join(", ")));
        };
        if found[place].replace(*arg).is_some() {
            return fails(Misuse::Twice);
        }
        next = place + 1;
    }
    let of_others = |name: &str| others.iter().find_map(|buffers| buffers.get(name)).map(Arg::Buffer);
    let take = |(argument, arg): (&Argument, Option<Arg<'a>>)| {
        let fails = |misuse| (argument.name.to_owned(), misuse);
        let arg = arg.or_else(|| of_others(argument.name)).ok_or_else(|| fails(Misuse::Missing))?;
        match other_kind(argument.kind, real, &arg) {
            Some((expected, given)) => Err(fails(Misuse::Kind { expected, given })),
            None => Ok(arg),
        }
    };
    let found: Vec<_> = declared.iter().zip(found).map(take).collect::<Result<_, _>>()?;
    for (argument, arg) in declared.iter().zip(&found) {
        let Arg::Buffer(view) = arg else { continue };
        let integer = |place: usize| match found[place] {
            Arg::Int(count) => usize::try_from(count).unwrap_or(usize::MAX),
            _ => unreachable!("sizes are multiples of integers"),
        };
        // If the number of items is unknown, no buffer is large enough.
        let count = |item| others.iter().find_map(|buffers| buffers.count_of(item)).unwrap_or(usize::MAX);
        let needed = match argument.size {
            Size::Fixed(numbers) => numbers,
            Size::PerElement(numbers) => n.next_multiple_of(ELEMENT_BLOCK).saturating_mul(numbers),
            Size::Times(numbers, place) => integer(place).saturating_mul(numbers),
            Size::PerItem { item, numbers, times } => {
                times.map_or(1, integer).saturating_mul(numbers).saturating_mul(count(item))
            }
        };
        let given = view.numbers();
        let is_placeholder = argument.optional && given == 1;
        if given < needed && !is_placeholder {
            return Err((argument.name.to_owned(), Misuse::Size { needed, given }));
        }
        if let Some(misuse) = misuse_of_written(declared, &found, (argument, *view)) {
            return Err((argument.name.to_owned(), misuse));
        }
    }
    Ok(found)
}

/// What is wrong with the memory of an argument, if the kernel writes it.
fn misuse_of_written(
    declared: &[Argument],
    found: &[Arg<'_>],
    (argument, view): (&Argument, View<'_>),
) -> Option<Misuse> {
    if argument.direction == Direction::In {
        return None;
    }
    if view.buffer.is_constant {
        return Some(Misuse::Constant);
    }
    let overlaps = |(other, arg): &(&Argument, &Arg<'_>)| {
        let has_own_memory = other.name != argument.name && !other.shared;
        has_own_memory && matches!(arg, Arg::Buffer(of) if view.overlaps(*of))
    };
    let (other, _) = declared.iter().zip(found).find(overlaps)?;
    Some(Misuse::Overlap(other.name.to_owned()))
}

/// The expected and the given kind, if they differ.
fn other_kind(kind: Kind, real: Number, arg: &Arg<'_>) -> Option<(String, String)> {
    let number = match kind {
        Kind::Reals => Some(real),
        Kind::Doubles => Some(Number::Double),
        Kind::Ints => Some(Number::Int),
        Kind::Real | Kind::Int => None,
    };
    let is_right = match (kind, arg) {
        (Kind::Real, Arg::Real(_)) | (Kind::Int, Arg::Int(_)) => true,
        (_, Arg::Buffer(view)) => number == Some(view.buffer.number),
        _ => false,
    };
    let buffer = |number| format!("a buffer of {number}");
    let expected = || match kind {
        Kind::Real => "a real number".to_owned(),
        Kind::Int => "an integer".to_owned(),
        _ => number.map_or_else(String::new, buffer),
    };
    let given = || match arg {
        Arg::Buffer(given) => buffer(given.buffer.number),
        Arg::Real(_) => "a real number".to_owned(),
        Arg::Int(_) => "an integer".to_owned(),
    };
    (!is_right).then(|| (expected(), given()))
}
