//! Boundary conditions: the sources of ghost states.

use serde_json::{Value, json};

use crate::formula::Formulas;
use crate::law::{Arguments, Function, Law};

use super::given::Given;

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

    /// Whether the ghost state depends on the inner state by a function of the law: then the gradient behind the boundary is a mirror image.
    /// Otherwise the ghost state is the value on the boundary itself.
    pub fn is_mirror(&self, law: &Law) -> bool {
        match self {
            Self::Function(function) => law.algebra.mirrors.contains(&function.name),
            Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => false,
            Self::If(choice) => choice.holds.is_mirror(law) || choice.fails.is_mirror(law),
        }
    }

    /// Whether it imposes a viscous flux.
    pub(in crate::solver) fn imposes_flux(&self, law: &Law) -> bool {
        match self {
            Self::Function(function) => law.boundary_flux(function.name).is_some(),
            Self::Given(_) | Self::FarField(_) | Self::Absorbing(_) => false,
            Self::If(choice) => choice.holds.imposes_flux(law) || choice.fails.imposes_flux(law),
        }
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
