//! Values of a law's parameters in the generated code.
//!
//! They are variables there, which are set when the code is loaded: one compiled unit serves every value. Where a case asks for
//! it they are literals, for which the unit is compiled anew.

use crate::device::{self, Module};
use crate::law::Law;

/// The `#define`s that make literals of the parameters.
pub(super) fn literals(law: &Law, values: &[f64]) -> impl Iterator<Item = (String, String)> {
    names(law).zip(values).map(|(name, value)| (name, format!("R({value:?})")))
}

/// Sets the parameters of a unit that was compiled without literals.
pub(super) fn set(module: &mut Module, law: &Law, values: &[f64]) -> Result<(), device::Error> {
    names(law).zip(values).try_for_each(|(name, &value)| module.set_parameter(&name, value))
}

/// What the generated code calls them.
fn names(law: &Law) -> impl Iterator<Item = String> {
    law.parameters.iter().map(|parameter| format!("parameter_{}", parameter.name))
}
