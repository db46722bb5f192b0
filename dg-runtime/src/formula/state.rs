//! A state that is given by formulas.

use std::fmt::Write as _;

use super::Formulas;
use crate::law::Arguments;

/// A state of a law at every position and time, by a formula for each of its components.
#[derive(Clone, Debug, PartialEq)]
pub struct StateFormulas {
    formulas: Formulas,
}

impl StateFormulas {
    /// The state with these components.
    pub fn new(formulas: Formulas) -> Self {
        Self { formulas }
    }

    /// The state for these parameters at a position and a time; the other arguments are not looked at.
    pub fn value(&self, at: &Arguments<'_>, state: &mut [f64]) {
        state.copy_from_slice(&self.formulas.values(at));
    }

    /// All on which the state depends beside the arguments, as JSON.
    pub fn identity(&self) -> serde_json::Value {
        self.formulas.identity()
    }

    /// A function `State name(Point x, real t)` of the generated code.
    pub(crate) fn function(&self, name: &str) -> String {
        let (statements, values) = self.formulas.code();
        let mut text = format!("DEVICE State {name}(Point x, real t)\n{{\n    (void)x;\n    (void)t;\n{statements}");
        let _ = writeln!(text, "    const real component[COMPONENTS] = {{{}}};", values.join(", "));
        text.push_str("    return state_of(component);\n}\n");
        text
    }
}
