//! States that are given at every position and time.

use serde_json::{Value, json};

use crate::formula::StateFormulas;
use crate::law::{Arguments, Function, Law, Role};

/// A state that is given at every position and time.
#[derive(Clone, Debug)]
pub enum Given {
    /// By an initial or exact function of the law.
    Function(&'static Function),
    /// By formulas.
    Formulas(StateFormulas),
}

impl Given {
    /// What people call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Function(function) => function.name,
            Self::Formulas(_) => "formulas",
        }
    }

    /// The state for these parameters at a position and a time; the other arguments are not looked at.
    pub fn value(&self, at: &Arguments<'_>, state: &mut [f64]) {
        match self {
            Self::Function(function) => match function.host {
                Some(host) => host(at, state),
                None => state.fill(f64::NAN),
            },
            Self::Formulas(formulas) => formulas.value(at, state),
        }
    }

    /// The solution of the law for which a source was derived, if it is one.
    pub(crate) fn manufactured(&self, law: &Law) -> Option<&'static Function> {
        match self {
            Self::Function(function) => law.manufactured_source(function).map(|_| *function),
            Self::Formulas(_) => None,
        }
    }

    /// All on which the state depends beside the law and its parameters, as JSON.
    pub fn identity(&self) -> Value {
        match self {
            Self::Function(function) => json!({ "function": function.name }),
            Self::Formulas(formulas) => json!({ "formulas": formulas.identity() }),
        }
    }
}

/// What generated code calls the state that an initial or exact function of the law gives at a position and a time.
pub(super) fn function_name(function: &Function) -> String {
    let kind = if function.role == Role::Exact { "exact" } else { "initial" };
    format!("law_{kind}_{}", function.name)
}
