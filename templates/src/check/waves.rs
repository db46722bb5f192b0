//! Rule 2, second part: whether a wave between two states can be faster than those at both. For a scalar law it can unless the flux is
//! convex or concave along every normal; for a system where the field of an extreme eigenvalue is neither genuinely nonlinear nor
//! linearly degenerate. Numerical fluxes and time steps of such a law take a bound over the states between.

use super::{Checker, Method};
use crate::derive::between::{along, samples};
use crate::derive::fields::{Field, follow, is_monotone};
use crate::derive::{Derived, Inputs, Points};
use crate::ir::Role;

/// The number of pairs of states between which fields are followed.
const PAIRS: usize = 32;

/// Derives the bound over the states between two for a law that needs it, and says what is known of the law's extreme fields.
pub fn check(checker: &mut Checker, derived: &mut Derived) {
    let law = checker.law;
    let scalar = law.state.fields.len() == 1;
    let eigenvalues = law.only(&Role::Eigenvalues).filter(|_| checker.eigenvalues_proved.is_some());
    if derived.linear || law.speeds().is_none() || (eigenvalues.is_none() && !(scalar && checker.bound_tried.is_some()))
    {
        return;
    }
    let statement = if scalar {
        if let Some(id) = eigenvalues
            && is_monotone(law, id, &checker.points)
        {
            let statement = "the flux is convex or concave along every normal, so that no wave between two states is faster than both";
            checker.proved(statement.into(), Method::Symbolic);
            return;
        }
        None
    } else {
        let mut source = Points::new(law, super::SEED + 5);
        let pairs = (0..PAIRS).filter_map(|_| source.admissible());
        let pairs: Vec<Inputs<f64>> = pairs.map(|point| point.map(|value| value.to_f64())).collect();
        let fields: Vec<_> = derived.extreme.iter().zip(follow(law, &derived.extreme, &pairs)).collect();
        let names = |wanted: Field| {
            let of = fields.iter().filter(|(_, field)| *field == wanted);
            of.map(|(i, _)| format!("`{}`", derived.eigenvalues[**i])).collect::<Vec<_>>().join(", ")
        };
        let (neither, either) = (names(Field::Neither), names(Field::Either));
        if neither.is_empty() {
            if !either.is_empty() {
                let statement = format!("each field is genuinely nonlinear or linearly degenerate: {either}");
                checker.proved(statement, Method::FloatingPoint(pairs.len()));
            }
            return;
        }
        Some((format!("a field is neither genuinely nonlinear nor linearly degenerate: {neither}"), pairs.len()))
    };
    let Ok(function) = along(law, &derived.extreme) else { return };
    if let Some((statement, tried)) = statement {
        checker.proved(statement, Method::FloatingPoint(tried));
    }
    // They have no part of a non-conservative product.
    if law.only(&Role::Nonconservative).is_none() {
        derived.samples.extend(samples(law, &function, super::SEED));
    }
    derived.wave_speed = format!("{} at any state between those of both sides of a face", derived.wave_speed);
    derived.between = Some(Box::new(function));
}

#[cfg(test)]
mod tests;
