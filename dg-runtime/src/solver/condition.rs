//! Boundary conditions: the sources of ghost states.

use serde_json::{Value, json};

use crate::formula::{Formulas, mask};
use crate::law::{Arguments, Function, Law};

use super::Given;
use super::added::Added;

/// A condition on a boundary: the ghost state outside, which the numerical flux sees there.
#[derive(Clone, Debug)]
pub enum Condition {
    /// A boundary function of the law.
    Function(&'static Function),
    /// A given state.
    Given(Given),
    /// Outgoing waves leave as if there were no boundary; incoming waves are those of a given state. For laws that have a
    /// [far field](crate::law::Algebra::far_field).
    FarField(Given),
    /// The same, with the incoming waves of the given state at time 0.
    Absorbing(Given),
    /// One condition where a formula is not 0, and another elsewhere.
    If(Box<Choice>),
}

/// One of two conditions.
#[derive(Clone, Debug)]
pub struct Choice {
    /// A single formula.
    pub condition: Formulas,
    /// The condition where it is not 0.
    pub holds: Condition,
    /// The condition where it is 0.
    pub fails: Condition,
}

/// The body of a function that gives a change of a state that is zero.
const NO_CHANGE: &str = "    const real none[COMPONENTS] = {splat(R(0.0))};\n    return law_change(none);\n";

impl Condition {
    /// Everything that determines the ghost state beside the law and its parameters, as JSON.
    pub fn identity(&self) -> Value {
        match self {
            Self::Function(function) => json!(function.name),
            Self::Given(given) => json!({ "state": given.identity() }),
            Self::FarField(given) => json!({ "far_field": given.identity() }),
            Self::Absorbing(given) => json!({ "absorbing": given.identity() }),
            Self::If(choice) => json!({
                "if": choice.condition.identity(), "then": choice.holds.identity(), "else": choice.fails.identity(),
            }),
        }
    }

    /// Whether some component of the state cannot pass.
    pub fn is_impermeable(&self) -> bool {
        match self {
            Self::Function(function) => !function.impermeable().is_empty(),
            Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => false,
            Self::If(choice) => choice.holds.is_impermeable() || choice.fails.is_impermeable(),
        }
    }

    /// The condition that holds at a position and a time, with all choices resolved.
    pub fn in_force(&self, at: &Arguments<'_>) -> &Self {
        let Self::If(choice) = self else { return self };
        let holds = choice.condition.values(at).iter().all(|value| *value != 0.0);
        if holds { &choice.holds } else { &choice.fails }.in_force(at)
    }

    /// The ghost state, by the law's own Rust. For a far field it is the inner state: the difference due to incoming waves is left out.
    pub fn ghost(&self, at: &Arguments<'_>, ghost: &mut [f64]) {
        match self.in_force(at) {
            Self::Function(function) => match function.host {
                Some(host) => host(at, ghost),
                None => ghost.fill(f64::NAN),
            },
            Self::Given(given) => given.value(at, ghost),
            Self::FarField(_) | Self::Absorbing(_) | Self::If(_) => ghost.copy_from_slice(&at.state[..ghost.len()]),
        }
    }

    /// The body of the function for the ghost state in generated code, unless it is a function of the law.
    pub(super) fn body(&self, added: &Added<'_>) -> Option<String> {
        match self {
            Self::Function(_) => None,
            Self::Given(given) => Some(format!("    return {}(x, t);\n", added.given(given))),
            Self::FarField(given) => Some(format!("    return law_far_field(u, {}(x, t), n);\n", added.given(given))),
            Self::Absorbing(given) => {
                Some(format!("    return law_far_field(u, {}(x, splat(R(0.0))), n);\n", added.given(given)))
            }
            Self::If(choice) => Some(Self::choose(choice, added, |name| format!("law_boundary_{name}(u, n, x, t)"))),
        }
    }

    /// Whether the ghost state depends on the inner state by a function of the law: then the gradient behind the boundary is a mirror image.
    /// Otherwise the ghost state is the value on the boundary itself.
    pub fn is_mirror(&self, law: &Law) -> bool {
        match self {
            Self::Function(function) => law.algebra.mirrors.contains(&function.name),
            Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => false,
            Self::If(choice) => choice.holds.is_mirror(law) || choice.fails.is_mirror(law),
        }
    }

    /// The body of the function for the change of the ghost state with the inner state, unless it is a function of the law.
    pub(super) fn change_body(&self, added: &Added<'_>) -> Option<String> {
        match self {
            Self::Function(_) => None,
            Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => Some(NO_CHANGE.to_owned()),
            Self::If(choice) => {
                Some(Self::choose(choice, added, |name| format!("law_boundary_change_{name}(u, v, n, x, t)")))
            }
        }
    }

    /// The body of the function for the sign of gradients along the boundary in the image behind it: -1 where that is one in a point.
    pub(super) fn sign_body(&self, law: &Law, added: &Added<'_>) -> String {
        match self {
            Self::If(choice) => {
                Self::choose_by("select", choice, added, |name| format!("law_boundary_sign_{name}(x, t)"))
            }
            Self::Function(function) if law.algebra.inversions.contains(&function.name) => {
                "    return splat(R(-1.0));\n".to_owned()
            }
            _ => "    return splat(R(1.0));\n".to_owned(),
        }
    }

    /// Whether it imposes a viscous flux.
    pub(super) fn imposes_flux(&self, law: &Law) -> bool {
        match self {
            Self::Function(function) => law.boundary_flux(function.name).is_some(),
            Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => false,
            Self::If(choice) => choice.holds.imposes_flux(law) || choice.fails.imposes_flux(law),
        }
    }

    /// The body of the function for the viscous flux that is imposed, unless it is a function of the law.
    pub(super) fn flux_body(&self, law: &Law, added: &Added<'_>) -> Option<String> {
        match self {
            Self::If(choice) => {
                Some(Self::choose(choice, added, |name| format!("law_boundary_flux_{name}(u, n, x, t)")))
            }
            _ if self.imposes_flux(law) => None,
            _ => Some(NO_CHANGE.to_owned()),
        }
    }

    /// The body that calls one of two functions for a state.
    fn choose(choice: &Choice, added: &Added<'_>, call: impl Fn(&str) -> String) -> String {
        Self::choose_by("select_State", choice, added, call)
    }

    /// The body that calls one of two functions, and selects by another.
    fn choose_by(select: &str, choice: &Choice, added: &Added<'_>, call: impl Fn(&str) -> String) -> String {
        let (statements, values) = choice.condition.code();
        let holds: Vec<_> = values.iter().map(|value| mask(value)).collect();
        let [a, b] = [&choice.holds, &choice.fails].map(|condition| call(&added.condition(condition)));
        format!("{statements}    return {select}({}, {a}, {b});\n", holds.join(" & "))
    }

    /// The conditions of a choice.
    pub(crate) fn parts(&self) -> Vec<&Condition> {
        match self {
            Self::Function(_) | Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => Vec::new(),
            Self::If(choice) => vec![&choice.holds, &choice.fails],
        }
    }

    /// Its given state, if it has one.
    pub(crate) fn given(&self) -> Option<&Given> {
        match self {
            Self::Function(_) | Self::If(_) => None,
            Self::Given(given) | Self::FarField(given) | Self::Absorbing(given) => Some(given),
        }
    }
}
