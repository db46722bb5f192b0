//! The tolerated error of a step.

use std::fmt;

use crate::solver::{Integrator, Precision};

/// Errors of a step below this many rounding units are noise.
const ROUNDINGS: f64 = 64.0;

/// The tolerated error of a step in every component: `absolute` plus `relative` times the size of the component at the start of the
/// computation.
///
/// The error of a step is the root mean square over the domain and the components of the integrator's
/// [estimate](crate::solver::Estimate), each component over its tolerated error.
///
/// The size of a component is the root mean square over the domain of |u_c| or, where it is larger, of max |F_c| / |λ|, both at
/// the elements' means: so it has the component's unit, and momentum at rest has a size. Where it is 0, `absolute` alone
/// bounds the component's error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Fraction of the size of a component.
    pub relative: f64,
    /// In the units of every component.
    pub absolute: f64,
}

impl Tolerance {
    /// The tolerance after so many refinements; each reduces the error in space by the factor 2^(p + 1).
    pub fn on_finer(self, order: usize, refinements: u32, precision: Precision) -> Self {
        let part = 0.5_f64.powi((order as i32 + 1) * refinements as i32);
        Self { relative: (self.relative * part).max(Self::least(precision)), absolute: self.absolute * part }
    }

    /// The least relative tolerance: smaller errors are rounding.
    pub fn least(precision: Precision) -> f64 {
        ROUNDINGS * precision.epsilon()
    }

    /// The `#define`s of the integrator's error estimate and of the control of steps.
    pub(in crate::solver) fn defines(integrator: Integrator) -> Vec<(String, String)> {
        let Some(estimate) = integrator.estimate() else { return Vec::new() };
        let numbers = [("ESTIMATE_U", estimate.u), ("ESTIMATE_K", estimate.k), ("ESTIMATE_G", estimate.g)];
        let control = ["CONTROL_1", "CONTROL_2", "CONTROL_3"].into_iter().zip(estimate.control);
        numbers.into_iter().chain(control).map(|(name, x)| (name.to_owned(), format!("R({x:?})"))).collect()
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e} of the size of each component", self.relative)?;
        if self.absolute > 0.0 {
            write!(f, " and {:e}", self.absolute)?;
        }
        Ok(())
    }
}
