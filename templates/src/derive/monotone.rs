//! Proofs that a function of two states rises with the left one and falls with the right one, for laws of one component.

use super::dual::Dual;
use super::number::{Number, Stop};
use super::setting::{Point, Setting};
use super::signs::Signs;
use crate::algebra::Rational;
use crate::ir::{FunctionId, Law};

/// The largest number of terms of fractions and polynomials: proofs that are found are short.
const LIMIT: usize = 60;

/// The number of combinations of branches for which a proof is sought.
const WAYS: usize = 16;

/// For how many combinations of branches it is proved, if it is for all that the points take: 0 if there are no branches.
pub fn monotone_ways(law: &Law, id: FunctionId, points: &[&Point]) -> Option<usize> {
    let mut ways: Vec<Setting> = Vec::new();
    for point in points {
        if ways.iter().any(|setting| setting.holds_at(point)) {
            continue;
        }
        let setting = rises_and_falls(law, id, point).ok().flatten()?;
        if !setting.tower.branched() {
            return Some(0);
        }
        ways.push(setting);
        if ways.len() > WAYS {
            return None;
        }
    }
    (!ways.is_empty()).then_some(ways.len())
}

/// The law where the same branches are taken as at a point, if it is proved there: the signs that decide them are known.
fn rises_and_falls<'a>(law: &'a Law, id: FunctionId, point: &Point) -> Result<Option<Setting<'a>>, Stop> {
    let (mut setting, inputs) = Setting::symbolic_within(law, point, LIMIT)?;
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.left = vec![Dual::variable(inputs.left[0].clone(), 0)];
    duals.right = vec![Dual::variable(inputs.right[0].clone(), 1)];
    let value = setting.call_dual(id, &duals)?.swap_remove(0);
    let decided = setting.tower.decided();
    let zero = Number::Rational(Rational::from(0));
    let rises = value.partial(0);
    let falls = setting.tower.neg(&value.partial(1));
    let mut signs = Signs::within(&mut setting.tower, LIMIT);
    for number in &decided {
        signs.assume_positive(number)?;
    }
    let proved = signs.is_at_least(&rises, &zero)? && signs.is_at_least(&falls, &zero)?;
    Ok(proved.then_some(setting))
}
