//! Criteria for a steady state.

use std::fmt;

use super::Time;
use crate::solver::Change;

/// A bound on the change of a steady state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Steady {
    /// `steady`: on the [change per unit of time](Change::per_time).
    PerTime(f64),
    /// `steady_step`: on the [change in a step](Change::per_step).
    PerStep(f64),
}

impl Steady {
    /// The key in case files.
    pub fn key(self) -> &'static str {
        match self {
            Self::PerTime(_) => "steady",
            Self::PerStep(_) => "steady_step",
        }
    }

    /// The bounded quantity and its bound.
    pub fn change_and_tolerance(self, change: Change) -> (f64, f64) {
        match self {
            Self::PerTime(tolerance) => (change.per_time, tolerance),
            Self::PerStep(tolerance) => (change.per_step, tolerance),
        }
    }

    /// Whether a state with this change is steady.
    pub fn holds(self, change: Change) -> bool {
        let (change, tolerance) = self.change_and_tolerance(change);
        change <= tolerance
    }
}

impl fmt::Display for Steady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PerTime(rate) => {
                write!(f, "no coefficient changes by more than {rate:e} of its size per unit of time")
            }
            Self::PerStep(change) => write!(f, "no coefficient changes by more than {change:e} in a step"),
        }
    }
}

impl Time {
    /// The first bound that the change in the last step satisfies.
    pub fn steady_by(&self, change: Change) -> Option<Steady> {
        self.steady.iter().copied().find(|bound| bound.holds(change))
    }
}
