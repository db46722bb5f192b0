//! Rule 3, eighth part: no numerical flux jumps where a condition changes.
//!
//! A flux that converges is Lipschitz continuous (M. G. Crandall & A. Majda, Math. Comp. 34 (1980) 1–21,
//! <https://doi.org/10.1090/S0025-5718-1980-0551288-3>), and so is that of the exact solution. Where an `if` takes the other branch, the
//! formulas of both have to agree: the end of a rarefaction fan, a contact that stands. On the straight way between two pairs of states that
//! take different branches, bisection finds the place of a change, and double precision the flux on both sides of it.

use std::collections::BTreeSet;

use super::trials::Trials;
use super::{Checker, Method};
use crate::derive::{Inputs, Point, Stop, text};
use crate::ir::{ExprKind, FunctionId, Law, Span, Warning};

/// A difference below this part of the fluxes is a threshold against rounding, or rounding.
const ROUNDING: f64 = 1e-4;

/// Halvings of the way to a change.
const HALVINGS: usize = 44;

/// The number of changes that are met, and the most on one way.
const CHANGES: usize = 64;
const ALONG: usize = 4;

/// The branches of `if`s that are taken.
type Ways = BTreeSet<(Span, bool)>;

/// Checks a numerical flux between these pairs and those of the trials.
pub fn check(checker: &mut Checker, id: FunctionId, points: &[Point], trials: &Trials) {
    let law = checker.law;
    let exprs = law.functions.iter().flat_map(|function| &function.exprs);
    let conditions = exprs.filter(|expr| matches!(expr.kind, ExprKind::If(..))).map(|expr| expr.span).collect();
    let pairs = points.iter().map(|point| point.map(|value| value.to_f64()));
    let pairs: Vec<_> = pairs.chain(trials.pairs.iter().map(|pair| pair.floats.clone())).collect();
    let mut met = 0;
    let all = pairs.windows(2).flat_map(|two| changes(law, id, &conditions, &two[0], &two[1])).take(CHANGES);
    for (before, after) in all {
        met += 1;
        let Ok(Some((component, one, other))) = jump(law, id, &before.0, &after.0) else { continue };
        let function = law.function(id);
        let message = format!("`{}` jumps where a condition changes", function.name);
        let show = text::apart(&[one], &[other]);
        let flips = before.1.iter().find(|(place, way)| after.1.contains(&(*place, !way)));
        let condition = flips.and_then(|(place, _)| condition(law, *place)).unwrap_or_else(|| "a condition".into());
        let notes = vec![
            format!("at {}", text::floats(law, &after.0, text::Show::BothStatesAndNormal)),
            format!(
                "where {condition} begins to hold its `{}` is {} on one side and {} on the other, between states that differ by rounding",
                law.state.fields[component].name,
                show(one),
                show(other)
            ),
            "the flux of the exact solution is continuous, and states that move to and fro across a jump do not converge".into(),
        ];
        return checker.warning(Warning::DiscontinuousFlux, function.span, message, notes);
    }
    if met > 0 {
        let statement = format!("`{}` does not jump where its conditions change", law.function(id).name);
        checker.proved(statement, Method::FloatingPoint(met));
    }
}

/// The condition of the `if` at a place, as text.
fn condition(law: &Law, place: Span) -> Option<String> {
    law.functions.iter().find_map(|function| {
        let expr = function.exprs.iter().find(|expr| expr.span == place)?;
        let ExprKind::If(condition, ..) = &expr.kind else { return None };
        Some(format!("`{}`", text::expression(law, function, *condition)))
    })
}

/// The pair of states at a share of the way between two pairs, with the parameters and the normal of the first.
fn between(from: &Inputs<f64>, to: &Inputs<f64>, share: f64) -> Inputs<f64> {
    let mean = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a + share * (b - a)).collect();
    Inputs { left: mean(&from.left, &to.left), right: mean(&from.right, &to.right), ..from.clone() }
}

type Side = (Inputs<f64>, Ways);

/// Couples of pairs that differ by rounding and take different branches, on the way from one pair to another.
fn changes(
    law: &Law,
    id: FunctionId,
    conditions: &BTreeSet<Span>,
    from: &Inputs<f64>,
    to: &Inputs<f64>,
) -> Vec<(Side, Side)> {
    let at = |share: f64| {
        let pair = between(from, to, share);
        let ways = pair.branches(law, id).ok()?.into_iter().filter(|(place, _)| conditions.contains(place)).collect();
        Some((share, (pair, ways)))
    };
    let mut found = Vec::new();
    let (Some(mut least), Some(end)) = (at(0.0), at(1.0)) else { return found };
    while least.1.1 != end.1.1 && found.len() < ALONG {
        let mut most = end.clone();
        for _ in 0..HALVINGS {
            let Some(middle) = at(0.5 * (least.0 + most.0)) else { return found };
            if middle.1.1 == least.1.1 {
                least = middle;
            } else {
                most = middle;
            }
        }
        found.push((least.1, most.1.clone()));
        least = most;
    }
    let is_admissible = |(pair, _): &Side| {
        pair.is_admissible(law) && Inputs { left: pair.right.clone(), ..pair.clone() }.is_admissible(law)
    };
    found.retain(|(before, after)| is_admissible(before) && is_admissible(after));
    found
}

/// The component in which a numerical flux jumps between two pairs, with its values; `None` if it does not, or the law's flux itself does.
fn jump(law: &Law, id: FunctionId, a: &Inputs<f64>, b: &Inputs<f64>) -> Result<Option<(usize, f64, f64)>, Stop> {
    let fluxes = |pair: &Inputs<f64>| -> Result<[Vec<f64>; 3], Stop> {
        let back = Inputs { left: pair.right.clone(), ..pair.clone() };
        Ok([pair.call(law, id)?, pair.normal_flux(law)?, back.normal_flux(law)?])
    };
    let (a, b) = (fluxes(a)?, fluxes(b)?);
    let largest = a.iter().chain(&b).flatten().fold(0.0, |largest: f64, f| largest.max(f.abs()));
    let differs = |k: usize, i: usize| {
        let scale = a.iter().chain(&b).fold(0.0, |scale: f64, flux| scale.max(flux[i].abs()));
        (a[k][i] - b[k][i]).abs() > ROUNDING * scale + f64::EPSILON.sqrt() * ROUNDING * largest
    };
    let found = (0..a[0].len()).find(|&i| differs(0, i));
    Ok(found.filter(|_| (0..a[0].len()).all(|i| !differs(1, i) && !differs(2, i))).map(|i| (i, a[0][i], b[0][i])))
}

#[cfg(test)]
mod tests;
