//! Who owns the parts of the data.

use std::fmt::Debug;
use std::ops::Deref;

/// How texts and lists are kept: owned by the compiler that makes them, constant in the program that uses them.
pub trait Storage: Clone + Debug + 'static {
    /// A text.
    type Text: Clone + Debug + Deref<Target = str> + 'static;
    /// A list.
    type List<T: Clone + Debug + 'static>: Clone + Debug + Deref<Target = [T]> + 'static;
}

/// Constants of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Static {}

/// Data that the compiler makes at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owned {}

impl Storage for Static {
    type Text = &'static str;
    type List<T: Clone + Debug + 'static> = &'static [T];
}

impl Storage for Owned {
    type Text = String;
    type List<T: Clone + Debug + 'static> = Vec<T>;
}
