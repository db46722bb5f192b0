//! Rule 9: what limiters rely on. The mean of two admissible states is admissible, and no quantity with a minimum
//! principle is less there than at both: a scheme takes means of states, and its limiters move states towards means.
//!
//! Both are tried at random pairs over decades in double precision; a counter-example counts if it is one to some 90 digits.

use super::{Checker, Method, SEED};
use crate::algebra::rational;
use crate::derive::{Inputs, Number, Setting, Wide, Zero, text};
use crate::ir::{FunctionId, Law, Role, Warning};

/// The number of pairs of states.
const PAIRS: usize = 200;

/// The number of sets of parameters.
const PARAMETERS: usize = 8;

/// Two admissible states, left and right, and their mean as the left state.
struct Pair {
    states: Inputs<f64>,
    mean: Inputs<f64>,
}

/// Tries both statements.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    if law.only(&Role::Admissible).is_none() && law.only(&Role::MinimumPrinciple).is_none() {
        return;
    }
    let pairs = pairs(checker);
    if pairs.is_empty() {
        return;
    }
    if let Some(id) = law.only(&Role::Admissible) {
        let outside = |pair: &Pair| !pair.mean.is_admissible(law) && confirms_outside(law, id, &pair.mean);
        match pairs.iter().find(|pair| outside(pair)) {
            Some(pair) => nonconvex(checker, id, pair),
            None => {
                let statement = format!("means of states that `{}` admits are admissible", law.function(id).name);
                checker.proved(statement, Method::FloatingPoint(pairs.len()));
            }
        }
    }
    if let Some(id) = law.only(&Role::MinimumPrinciple) {
        let pairs: Vec<_> = pairs.iter().filter(|pair| pair.mean.is_admissible(law)).collect();
        match pairs.iter().find_map(|pair| Some((pair, falls(law, id, pair)?))) {
            Some((pair, [left, right, mean])) => falls_at_a_mean(checker, id, pair, [left, right, mean]),
            None => {
                let statement =
                    format!("what `{}` returns is at no mean of two states less than at both", law.function(id).name);
                checker.proved(statement, Method::FloatingPoint(pairs.len()));
            }
        }
    }
}

fn pairs(checker: &Checker) -> Vec<Pair> {
    let law = checker.law;
    let floats = |state: &[crate::algebra::Rational]| state.iter().map(|u| u.to_f64()).collect();
    let starts = checker.points.iter().flat_map(|point| [floats(&point.left), floats(&point.right)]).collect();
    let mut wide = Wide::new(law, SEED + 6, starts);
    let mut pairs = Vec::with_capacity(PAIRS);
    for set in 0..PARAMETERS {
        let parameters = if set == 0 { wide.default_parameters() } else { wide.parameters() };
        for _ in 0..PAIRS / PARAMETERS {
            let (Some(states), Some(other)) = (wide.admissible(&parameters), wide.admissible(&parameters)) else {
                continue;
            };
            let states = Inputs { right: other.left, ..states };
            let left = states.left.iter().zip(&states.right).map(|(u, v)| 0.5 * (u + v)).collect();
            pairs.push(Pair { mean: Inputs { left, ..states.clone() }, states });
        }
    }
    pairs
}

/// The components of a function's value to some 90 digits, where it is defined.
fn precisely(law: &Law, id: FunctionId, point: &Inputs<f64>) -> Option<Vec<Number>> {
    let exact = |values: &[f64]| values.iter().map(|&value| rational(value)).collect::<Option<Vec<_>>>();
    let point = Inputs {
        parameters: exact(&point.parameters)?,
        left: exact(&point.left)?,
        right: exact(&point.right)?,
        normal: exact(&point.normal)?,
        position: exact(&point.position)?,
        time: rational(point.time)?,
    };
    let (mut setting, inputs) = Setting::approximate(law, &point);
    setting.call(id, &inputs).ok()
}

fn confirms_outside(law: &Law, id: FunctionId, mean: &Inputs<f64>) -> bool {
    precisely(law, id, mean).is_some_and(|values| values.iter().any(|value| value.is_negative()))
}

/// The values of a quantity at two states and at their mean, if it is less at the mean.
fn falls(law: &Law, id: FunctionId, pair: &Pair) -> Option<[f64; 3]> {
    let right = Inputs { left: pair.states.right.clone(), ..pair.states.clone() };
    let points = [&pair.states, &right, &pair.mean];
    let [left, right, mean] = points.map(|point| point.call(law, id));
    let (left, right, mean) = (left.ok()?, right.ok()?, mean.ok()?);
    let suspect = (0..mean.len()).find(|&i| mean[i] < left[i].min(right[i]))?;
    let [left, right, mean] = points.map(|point| precisely(law, id, point));
    let values = [left?, right?, mean?].map(|values| values[suspect].clone());
    let tower = crate::derive::Tower::approximate();
    let below = |other: &Number| {
        let difference = tower.sub(other, &values[2]).ok()?;
        (difference.zero() == Zero::No && difference.is_positive()).then_some(())
    };
    below(&values[0])?;
    below(&values[1])?;
    Some(values.map(|value| value.to_f64()))
}

fn nonconvex(checker: &mut Checker, id: FunctionId, pair: &Pair) {
    let law = checker.law;
    let name = &law.function(id).name;
    let message = format!("the mean of two states that `{name}` admits is not always admissible");
    let notes = vec![
        format!("at {}", text::floats(law, &pair.states, text::Show::BothStates)),
        "a scheme takes means of states, and its limiters move states towards means: neither keeps them admissible".into(),
        "write the conditions so that they hold for means: each quantity concave in the components where those before are positive".into(),
    ];
    checker.warning(Warning::NonconvexAdmissible, law.function(id).span, message, notes);
}

fn falls_at_a_mean(checker: &mut Checker, id: FunctionId, pair: &Pair, values: [f64; 3]) {
    let law = checker.law;
    let name = &law.function(id).name;
    let message = format!(
        "`{name}` has a quantity that is less at the mean of two states than at both: no limiter can keep its minimum"
    );
    let [left, right, mean] = values.map(text::apart(&values[..2], &values[2..]));
    let notes = vec![
        format!("at {}", text::floats(law, &pair.states, text::Show::BothStates)),
        format!("there it is {left} and {right}, and at their mean {mean}"),
        "an entropy that grows in shocks has a minimum principle, the negative of it has none".into(),
    ];
    checker.error(law.function(id).span, message, notes);
}

#[cfg(test)]
mod tests;
