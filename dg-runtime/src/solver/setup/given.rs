//! States given at every position and time.

use serde_json::{Value, json};

use crate::formula::StateFormulas;
use crate::law::{Arguments, Function, Law};

/// A state given at every position and time.
#[derive(Clone, Debug)]
pub enum Given {
    /// By an initial or exact function of the law.
    Function(&'static Function),
    /// By formulas.
    Formulas(StateFormulas),
}

impl Given {
    /// Its name in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Function(function) => function.name,
            Self::Formulas(_) => "formulas",
        }
    }

    /// The state for these parameters at a position and a time; other arguments are ignored.
    pub fn value(&self, at: &Arguments<'_>, state: &mut [f64]) {
        match self {
            Self::Function(function) => match function.host {
                Some(host) => host(at, state),
                None => state.fill(f64::NAN),
            },
            Self::Formulas(formulas) => formulas.value(at, state),
        }
    }

    /// The law's solution from which a source was derived, if the state is one.
    pub(crate) fn manufactured(&self, law: &Law) -> Option<&'static Function> {
        match self {
            Self::Function(function) => law.manufactured_source(function).map(|_| *function),
            Self::Formulas(_) => None,
        }
    }

    /// Everything that determines the state beside the law and its parameters, as JSON.
    pub fn identity(&self) -> Value {
        match self {
            Self::Function(function) => json!({ "function": function.name }),
            Self::Formulas(formulas) => json!({ "formulas": formulas.identity() }),
        }
    }
}
