//! What tells the waves that come in through a boundary, in the words of the scheme's kernels.

use crate::ir::{Function, Law, Type};

use super::physics::{self, Names};
use super::scheme::kernel;

/// The state beyond a far field, for a law that has one.
pub(super) const TEXT: &str = include_str!("../../kernels/far_field.cu");

/// What [`TEXT`] needs of the law, and it.
pub(super) fn functions(names: &Names, change: &Function) -> String {
    let mut text = String::from("/* ---- far field ---- */\n\n");
    text.push_str(&physics::function(&change.name, names, change));
    text.push_str(TEXT);
    text.push('\n');
    text
}

/// The kernel that evaluates it at given points, with the given state for the right one.
pub(super) fn pointwise_kernel(law: &Law) -> String {
    let mut text = String::new();
    kernel(&mut text, law, "far_field", &Type::State, "far_field(u, r, n)");
    text
}
