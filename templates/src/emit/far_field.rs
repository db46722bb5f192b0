//! The derivative of the normal flux, by which a far field distinguishes incoming from outgoing waves.

use crate::ir::{Function, Law};

use super::physics::{self, Names};
use super::scheme::{kernel, state};

/// `law_normal_flux_change`: how the flux through a face changes with the state.
pub(super) fn functions(names: &Names, change: &Function) -> String {
    format!("/* ---- far field ---- */\n\n{}", physics::derived(&change.name, names, change))
}

/// The kernel that evaluates it at given points, with the given state for the right one.
pub(super) fn pointwise_kernel(law: &Law) -> String {
    let mut text = String::new();
    kernel(&mut text, "far_field", law.state.fields.len(), &state("law_far_field(u, r, n)"));
    text
}
