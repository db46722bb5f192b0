//! Values of a law's functions in exact arithmetic, at inputs that floating point represents exactly.

use std::collections::BTreeSet;

use super::budget;
use super::points::{Points, is_admissible};
use super::setting::{Inputs, Point, Setting};
use crate::algebra::rational;
use crate::ir::{ExprKind, FunctionId, Law, Role, Span};

/// The number of values of each function; more if these leave out a branch of an `if`.
const VALUES: usize = 4;

/// The number of points that are tried for them.
const TRIES: usize = 100;

/// A sample that the compiler has made.
pub type Sample = dg_contract::Sample<dg_contract::Owned>;

/// Samples of every function with a role.
pub fn samples(law: &Law, seed: u64) -> Vec<Sample> {
    let with_role = law.with_role(|role| *role != Role::Helper);
    with_role.flat_map(|id| of_function(law, id, seed)).collect()
}

fn of_function(law: &Law, id: FunctionId, seed: u64) -> Vec<Sample> {
    let mut source = Points::new(law, seed);
    let exprs = law.functions.iter().flat_map(|function| &function.exprs);
    let conditions: BTreeSet<_> =
        exprs.filter(|expr| matches!(expr.kind, ExprKind::If(..))).map(|expr| expr.span).collect();
    let gives_state = matches!(law.function(id).role, Role::Exact { .. } | Role::Initial | Role::Variables);
    let (mut found, mut taken) = (Vec::<Sample>::new(), BTreeSet::<(Span, bool)>::new());
    for _ in 0..TRIES {
        let complete = taken.iter().all(|&(place, holds)| taken.contains(&(place, !holds)));
        if found.len() >= VALUES && complete || !found.is_empty() && budget::is_exhausted() {
            break;
        }
        let Some(mut point) = (if gives_state { Some(source.any()) } else { source.admissible() }) else { continue };
        let only_branches = found.len() >= VALUES;
        if only_branches && let Some(first) = found.first() {
            // Other parameters would need another unit of code to compare.
            let Some(parameters) = first.parameters.iter().map(|&value| rational(value)).collect() else { continue };
            point.parameters = parameters;
            let right = Inputs { left: point.right.clone(), ..point.clone() };
            if !gives_state && [&point, &right].into_iter().any(|point| !is_admissible(law, point)) {
                continue;
            }
        }
        let Some((point, inputs)) = representable(&point) else { continue };
        let (mut setting, numbers) = Setting::approximate(law, &point);
        let Ok(value) = setting.call(id, &numbers) else { continue };
        let value: Vec<f64> = value.iter().map(super::Number::to_f64).collect();
        // A value beyond the range of floating-point numbers cannot be compared.
        if !value.iter().all(|value| value.is_finite()) {
            continue;
        }
        if gives_state {
            let state = value.iter().map(|&u| rational(u)).collect::<Option<Vec<_>>>();
            if !state.is_some_and(|left| is_admissible(law, &Inputs { left, ..point })) {
                continue;
            }
        }
        // Both sides of every `min` and `max` would take many samples, and the functions of C are known.
        let ways: BTreeSet<_> =
            setting.tower.taken.into_iter().filter(|(place, _)| conditions.contains(place)).collect();
        if only_branches && ways.is_subset(&taken) {
            continue;
        }
        taken.extend(ways);
        let Inputs { parameters, left: state, right, normal, position, time } = inputs;
        let function = law.function(id).name.clone();
        found.push(Sample { function, parameters, state, right, normal, position, time, value });
    }
    found
}

/// The nearest point of floating-point numbers, as rationals and as `f64`s.
pub(super) fn representable(point: &Point) -> Option<(Point, Inputs<f64>)> {
    let floats = point.map(|value| value.to_f64());
    let all = [&floats.parameters, &floats.left, &floats.right, &floats.normal, &floats.position];
    let finite = all.into_iter().flatten().chain([&floats.time]).all(|value| value.is_finite());
    finite.then(|| (floats.map(|&value| rational(value).unwrap_or_default()), floats))
}
