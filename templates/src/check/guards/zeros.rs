//! What is undefined between the states that were tried, or at few of them.
//!
//! States over decades are tried in double precision, some with a component that is nearly zero. Where a divisor has both signs, the way
//! between two states is halved to the zero. A way that leaves the admissible states, or takes a branch without the division, shows
//! nothing; nor does one that ends where the function compares nearly equal numbers, since it may tell the zero from other states.

use std::collections::BTreeMap;

use super::{At, Checker, Failure, SEED, call_somewhere, exactly, operation};
use crate::derive::{Inputs, Points, Stop, Wide, budget};
use crate::ir::{BinaryOp, ExprKind, FunctionId, Law, MathFn, Span, Type};

/// The number of sets of parameters, and of pairs of states with each.
const PARAMETERS: usize = 4;
const STATES: usize = 12;

/// A component is nearly zero if it is so many times smaller.
const TINY: f64 = 1.0 / 1024.0;

/// The number of states of a set that are also tried with small components.
const WITH_TINY: usize = 3;

/// The number of pairs of states between which a zero is sought.
const PAIRS: usize = 4;

/// How often a way is halved at most: until its ends are neighbours.
const HALVINGS: usize = 120;

/// A divisor is zero if it is this many times smaller than it was at first.
const ZERO: f64 = 1e-12;

/// Numbers are nearly equal if they differ by this part of the divisor at first.
const EQUAL: f64 = 1e-9;

/// The operations that are undefined at some state, each once.
pub fn find(checker: &Checker, functions: &[FunctionId]) -> Vec<Failure> {
    let law = checker.law;
    let states = states(checker);
    let mut failures: Vec<Failure> = Vec::new();
    let mut source = Points::new(law, SEED + 4);
    let share = budget::Share::begin();
    for &id in functions {
        let mut signs: BTreeMap<(Span, usize), [Vec<usize>; 2]> = BTreeMap::new();
        for (i, state) in states.iter().enumerate() {
            if share.is_exhausted() {
                break;
            }
            let undefined =
                matches!(state.call(law, id), Err(Stop::DivisionByZero | Stop::NegativeRoot | Stop::NotPositive));
            if undefined && let Some(point) = exactly(state) {
                failures.extend(call_somewhere(law, id, &point, &mut source).err());
            }
            for (key, value) in divisors(law, id, state) {
                if value != 0.0 {
                    signs.entry(key).or_default()[usize::from(value > 0.0)].push(i);
                }
            }
        }
        for (key, [negative, positive]) in signs {
            let pairs = negative.iter().zip(&positive).take(PAIRS);
            let between = |(&a, &b): (&usize, &usize)| zero_between(law, id, key, &states[a], &states[b]);
            if let Some(point) = pairs.into_iter().find_map(between) {
                failures.push(Failure {
                    point: At::Between(Box::new(point)),
                    function: id,
                    place: key.0,
                    stop: Stop::DivisionByZero,
                });
            }
        }
    }
    failures
}

/// Pairs of admissible states, all at one place.
fn states(checker: &Checker) -> Vec<Inputs<f64>> {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 10, starts);
    let (position, time) = (wide.position(4.0), wide.time(1.0));
    let mut states = Vec::new();
    for set in 0..PARAMETERS {
        let parameters = if set == 0 { wide.default_parameters() } else { wide.parameters() };
        for i in 0..STATES {
            let (Some(state), Some(other)) = (wide.admissible(&parameters), wide.admissible(&parameters)) else {
                continue;
            };
            let state = Inputs { right: other.left, position: position.clone(), time, ..state };
            if i < WITH_TINY {
                let tiny = (0..state.left.len()).map(|component| {
                    let mut tiny = state.clone();
                    tiny.left[component] *= TINY;
                    tiny
                });
                states.extend(tiny.filter(|tiny| tiny.is_admissible(law)));
            }
            states.push(state);
        }
    }
    states
}

/// The divisors that a function meets, each with its place and how often that was met before.
fn divisors(law: &Law, id: FunctionId, state: &Inputs<f64>) -> Vec<((Span, usize), f64)> {
    let mut met: BTreeMap<Span, usize> = BTreeMap::new();
    let mut numbered = Vec::new();
    for (place, value) in state.operands(law, id).values {
        let count = met.entry(place).or_default();
        numbered.push(((place, *count), value));
        *count += 1;
    }
    numbered.retain(|((place, _), _)| divides(law, *place));
    numbered
}

fn divides(law: &Law, place: Span) -> bool {
    operation(law, place).is_some_and(|(_, kind)| {
        matches!(kind, ExprKind::Binary(BinaryOp::Div, ..) | ExprKind::Math(MathFn::Powi(i32::MIN..=-1), _))
    })
}

/// A point between two at which a divisor of different signs vanishes.
fn zero_between(
    law: &Law,
    id: FunctionId,
    key: (Span, usize),
    a: &Inputs<f64>,
    b: &Inputs<f64>,
) -> Option<Inputs<f64>> {
    let divisor =
        |at: &Inputs<f64>| divisors(law, id, at).into_iter().find_map(|(k, value)| (k == key).then_some(value));
    let two_states = law.function(id).signature().filter(|ty| **ty == Type::State).count() == 2;
    let (mut near, mut far) = (a.clone(), b.clone());
    let (first, last) = (divisor(&near)?, divisor(&far)?);
    let size = first.abs().max(last.abs());
    for _ in 0..HALVINGS {
        let half = middle(&near, &far)?;
        if half.left == near.left && half.right == near.right && half.parameters == near.parameters {
            break;
        }
        let right = Inputs { left: half.right.clone(), ..half.clone() };
        if !half.is_admissible(law) || two_states && !right.is_admissible(law) {
            return None;
        }
        let value = divisor(&half)?;
        *(if (value > 0.0) == (first > 0.0) { &mut near } else { &mut far }) = half;
    }
    let compares = near.operands(law, id).closest.is_some_and(|gap| gap <= EQUAL * size);
    (!compares && divisor(&near)?.abs() <= ZERO * size).then_some(near)
}

fn middle(a: &Inputs<f64>, b: &Inputs<f64>) -> Option<Inputs<f64>> {
    let mean = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| 0.5 * a + 0.5 * b).collect::<Vec<_>>();
    let normal = mean(&a.normal, &b.normal);
    let length = normal.iter().map(|n| n * n).sum::<f64>().sqrt();
    (length > 0.0).then(|| Inputs {
        parameters: mean(&a.parameters, &b.parameters),
        left: mean(&a.left, &b.left),
        right: mean(&a.right, &b.right),
        normal: normal.iter().map(|n| n / length).collect(),
        ..a.clone()
    })
}
