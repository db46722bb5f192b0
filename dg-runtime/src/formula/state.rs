//! A state given by formulas.

use std::fmt::Write as _;

use super::Formulas;
use crate::law::{Arguments, Function};

/// A state of a law at every position and time, with a formula for each of its components or for each of other variables.
#[derive(Clone, Debug)]
pub struct StateFormulas {
    formulas: Formulas,
    /// The law's function from the other variables to the state.
    of_variables: Option<&'static Function>,
}

impl PartialEq for StateFormulas {
    fn eq(&self, other: &Self) -> bool {
        self.of_variables.map(|function| function.name) == other.of_variables.map(|function| function.name)
            && self.formulas == other.formulas
    }
}

impl StateFormulas {
    /// The state with these components, or computed by a function of the law from other variables with these values.
    pub fn new(formulas: Formulas, of_variables: Option<&'static Function>) -> Self {
        Self { formulas, of_variables }
    }

    /// The state with the value of a single formula in each of so many components.
    pub(crate) fn of_value(formula: &Formulas, components: usize) -> Self {
        Self::new(formula.repeated(components), None)
    }

    /// The state at a position and a time, for these parameters; other arguments are ignored.
    pub fn value(&self, at: &Arguments<'_>, state: &mut [f64]) {
        let values = self.formulas.values(at);
        match self.of_variables.map(|function| function.host) {
            None => state.copy_from_slice(&values),
            Some(Some(host)) => host(&Arguments { state: &values, ..*at }, state),
            Some(None) => state.fill(f64::NAN),
        }
    }

    /// The first formula whose value is not finite, with that value.
    pub fn not_finite(&self, at: &Arguments<'_>) -> Option<(&str, f64)> {
        self.formulas.not_finite(at)
    }

    /// Everything that determines the state beside the arguments, as JSON.
    pub fn identity(&self) -> serde_json::Value {
        match self.of_variables {
            None => self.formulas.identity(),
            Some(function) => serde_json::json!({ function.name: self.formulas.identity() }),
        }
    }

    /// A function `State name(Point x, real t)` of the generated code.
    pub(crate) fn function(&self, name: &str) -> String {
        let (statements, values) = self.formulas.code();
        let mut text = format!("DEVICE State {name}(Point x, real t)\n{{\n{statements}");
        let made =
            self.of_variables.map_or("law_state".to_owned(), |function| format!("law_variables_{}", function.name));
        let _ = writeln!(text, "    const real value[COMPONENTS] = {{{}}};", values.join(", "));
        let _ = writeln!(text, "    return {made}(value);\n}}");
        text
    }
}
