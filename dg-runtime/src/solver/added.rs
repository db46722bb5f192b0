//! Functions that a case adds to a unit of generated code: those of its formulas and boundary conditions.

use std::fmt::Write as _;

use crate::formula::{Formulas, StateFormulas, mask};
use crate::law::{Function, Law, Role};
use crate::scheme::Part;

use super::{Choice, Condition, Given, Measured, Medium, PointSource, Setup};

/// The body of a function that gives a change of a state that is zero.
const NO_CHANGE: &str = "    const real none[COMPONENTS] = {splat(R(0.0))};\n    return law_change(none);\n";

/// The functions that a setup adds, each once and in a fixed order. Their names contain numbers, so that they never clash with those of
/// a law's functions.
pub(super) struct Added<'s> {
    /// Given states.
    states: Vec<&'s StateFormulas>,
    /// Conditions in use, each with whether a boundary has it; the parts of a choice come before the choice.
    conditions: Vec<(&'s Condition, bool)>,
    /// The law, if it has a viscous flux, for which ghost states have derivatives.
    viscous: Option<&'static Law>,
    /// Rates of point sources.
    rates: Vec<&'s Formulas>,
    /// The medium, if it depends on time, and the fields of the law's.
    medium: Option<(&'s Medium, usize)>,
    /// What is measured.
    measured: Option<&'s Measured>,
}

impl<'s> Added<'s> {
    /// What a part of the code needs: the functions of boundaries, and its own.
    pub(super) fn to(part: Part, setup: &'s Setup) -> Self {
        let mut added = Self::to_boundaries(setup);
        match part {
            Part::Stage => {}
            Part::Limiter => setup.bounding_state().into_iter().for_each(|given| added.add_state(given)),
            Part::Output => added.measured = Some(&setup.measured),
            Part::Rest => {
                setup.initial.iter().chain(&setup.exact).for_each(|given| added.add_state(given));
                added.rates = PointSource::formulas(&setup.point_sources);
                added.medium = setup.changing_medium().map(|medium| (medium, setup.law.medium.len()));
            }
        }
        added
    }

    /// The functions of boundaries alone, which have the same numbers in every part.
    pub(super) fn to_boundaries(setup: &'s Setup) -> Self {
        let viscous = Some(setup.law).filter(|law| law.is_viscous());
        let mut added = Self {
            states: Vec::new(),
            conditions: Vec::new(),
            viscous,
            rates: Vec::new(),
            medium: None,
            measured: None,
        };
        setup.boundaries.iter().for_each(|condition| added.add(condition, true));
        added.conditions.sort_by_cached_key(|(condition, _)| match condition {
            Condition::Function(function) => function.name,
            _ => "~",
        });
        added
    }

    /// Given states alone.
    pub(super) fn of_states(states: &'s [StateFormulas]) -> Self {
        Self {
            states: states.iter().collect(),
            conditions: Vec::new(),
            viscous: None,
            rates: Vec::new(),
            medium: None,
            measured: None,
        }
    }

    fn add(&mut self, condition: &'s Condition, of_boundary: bool) {
        if let Some(number) = self.number(condition) {
            self.conditions[number].1 |= of_boundary;
            return;
        }
        condition.parts().into_iter().for_each(|part| self.add(part, false));
        condition.given().into_iter().for_each(|given| self.add_state(given));
        self.conditions.push((condition, of_boundary));
    }

    fn add_state(&mut self, given: &'s Given) {
        if let Given::Formulas(formulas) = given
            && !self.states.contains(&formulas)
        {
            self.states.push(formulas);
        }
    }

    /// The number of a condition, if it is in use.
    pub(super) fn number(&self, condition: &Condition) -> Option<usize> {
        let identity = condition.identity();
        self.conditions.iter().position(|(known, _)| known.identity() == identity)
    }

    /// The part of a condition's function name after `law_boundary_`.
    pub(super) fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Function(function) => function.name.to_owned(),
            _ => self.number(condition).unwrap_or_default().to_string(),
        }
    }

    /// The name of the function that gives a state in use.
    pub(super) fn given(&self, given: &Given) -> String {
        match given {
            Given::Function(function) => function_name(function),
            Given::Formulas(formulas) => {
                let number = self.states.iter().position(|known| *known == formulas).unwrap_or_default();
                format!("law_formulas_{number}")
            }
        }
    }

    /// The `#define`s that add these functions.
    pub(super) fn defines(&self) -> Vec<(String, String)> {
        let list = |is_listed: &dyn Fn(&Condition) -> bool| {
            let in_use = self
                .conditions
                .iter()
                .enumerate()
                .filter(|(_, (condition, of_boundary))| *of_boundary && is_listed(condition));
            let entries = in_use.map(|(number, (condition, _))| format!("X({number}, {})", self.condition(condition)));
            entries.collect::<Vec<_>>().join(" ")
        };
        let mut defines = vec![("BOUNDARY_CONDITIONS(X)".to_owned(), list(&|_| true))];
        if let Some(law) = self.viscous {
            defines.push(("BOUNDARY_MIRRORS(X)".to_owned(), list(&|condition| condition.is_mirror(law))));
            defines.push(("BOUNDARY_FLUXES(X)".to_owned(), list(&|condition| condition.imposes_flux(law))));
        }
        let functions = self.functions();
        if !functions.is_empty() {
            defines.push(("CASE_FUNCTIONS".to_owned(), format!("\\\n{}", functions.trim_end().replace('\n', " \\\n"))));
        }
        defines
    }

    fn functions(&self) -> String {
        let mut text: String =
            self.states.iter().enumerate().map(|(i, state)| state.function(&format!("law_formulas_{i}"))).collect();
        let imposes_flux =
            self.viscous.is_some_and(|law| self.conditions.iter().any(|(condition, _)| condition.imposes_flux(law)));
        for (number, (condition, _)) in self.conditions.iter().enumerate() {
            if let Some(body) = self.body(condition) {
                let _ = writeln!(
                    text,
                    "DEVICE State law_boundary_{number}(State u, Normal n, Point x, real t)\n{{\n{body}}}"
                );
            }
            let Some(law) = self.viscous else { continue };
            if let Some(body) = self.change_body(condition) {
                let _ = writeln!(
                    text,
                    "DEVICE State law_boundary_change_{number}(State u, State v, Normal n, Point x, real t)\n{{\n{body}}}"
                );
            }
            let (name, body) = (self.condition(condition), self.sign_body(condition, law));
            let _ = writeln!(text, "DEVICE real law_boundary_sign_{name}(Point x, real t)\n{{\n{body}}}");
            if let Some(body) = self.flux_body(condition, law).filter(|_| imposes_flux) {
                let _ = writeln!(
                    text,
                    "DEVICE State law_boundary_flux_{name}(State u, Normal n, Point x, real t)\n{{\n{body}}}"
                );
            }
        }
        for (number, rate) in self.rates.iter().enumerate() {
            let (statements, values) = rate.code();
            let value = values.join(", ");
            let _ = writeln!(
                text,
                "DEVICE real law_rate_{number}(Point x, real t)\n{{\n{statements}    return {value};\n}}"
            );
        }
        text.extend(self.medium.map(|(medium, fields)| medium.code(fields)));
        text.extend(self.measured.map(Measured::functions));
        text
    }

    /// The body of the function for the ghost state in generated code, unless it is a function of the law.
    fn body(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::Function(_) => None,
            Condition::Given(given) => Some(format!("    return {}(x, t);\n", self.given(given))),
            Condition::FarField(given) => {
                Some(format!("    return law_far_field(u, {}(x, t), n);\n", self.given(given)))
            }
            Condition::Absorbing(given) => {
                Some(format!("    return law_far_field(u, {}(x, splat(R(0.0))), n);\n", self.given(given)))
            }
            Condition::If(choice) => Some(self.choose(choice, |name| format!("law_boundary_{name}(u, n, x, t)"))),
        }
    }

    /// The body of the function for the change of the ghost state with the inner state, unless it is a function of the law.
    fn change_body(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::Function(_) => None,
            Condition::Given(_) | Condition::FarField(_) | Condition::Absorbing(_) => Some(NO_CHANGE.to_owned()),
            Condition::If(choice) => {
                Some(self.choose(choice, |name| format!("law_boundary_change_{name}(u, v, n, x, t)")))
            }
        }
    }

    /// The body of the function for the sign of gradients along the boundary in the image behind it: -1 where that is one in a point.
    fn sign_body(&self, condition: &Condition, law: &Law) -> String {
        match condition {
            Condition::If(choice) => self.choose_by("select", choice, |name| format!("law_boundary_sign_{name}(x, t)")),
            Condition::Function(function) if law.algebra.inversions.contains(&function.name) => {
                "    return splat(R(-1.0));\n".to_owned()
            }
            _ => "    return splat(R(1.0));\n".to_owned(),
        }
    }

    /// The body of the function for the viscous flux that is imposed, unless it is a function of the law.
    fn flux_body(&self, condition: &Condition, law: &Law) -> Option<String> {
        match condition {
            Condition::If(choice) => Some(self.choose(choice, |name| format!("law_boundary_flux_{name}(u, n, x, t)"))),
            _ if condition.imposes_flux(law) => None,
            _ => Some(NO_CHANGE.to_owned()),
        }
    }

    /// The body that calls one of two functions for a state.
    fn choose(&self, choice: &Choice, call: impl Fn(&str) -> String) -> String {
        self.choose_by("select_State", choice, call)
    }

    /// The body that calls one of two functions, and selects by another.
    fn choose_by(&self, select: &str, choice: &Choice, call: impl Fn(&str) -> String) -> String {
        let (statements, values) = choice.condition.code();
        let holds: Vec<_> = values.iter().map(|value| mask(value)).collect();
        let [a, b] = [&choice.holds, &choice.fails].map(|condition| call(&self.condition(condition)));
        format!("{statements}    return {select}({}, {a}, {b});\n", holds.join(" & "))
    }

    /// The `#define` that lists the rates of point sources by formulas.
    pub(super) fn rates(&self) -> (String, String) {
        let list: Vec<_> = (0..self.rates.len()).map(|number| format!("X({number})")).collect();
        ("POINT_RATES(X)".to_owned(), list.join(" "))
    }
}

/// The name, in generated code, of the state that an initial or exact function of the law gives.
fn function_name(function: &Function) -> String {
    let kind = if function.role == Role::Exact { "exact" } else { "initial" };
    format!("law_{kind}_{}", function.name)
}
