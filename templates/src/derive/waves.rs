//! Rule 2: one bound on the wave speed, from the declared eigenvalues.

use super::number::{Number, Stop};
use super::setting::{Point, Setting};
use super::signs::Signs;
use super::tower::Tower;
use crate::algebra::Rational;
use crate::ir::{FunctionId, Law, call, flatten};

/// The indices of eigenvalues that always include the least and the greatest: the distinct ones, without those that are
/// proved to lie always between two others.
///
/// If a condition or the root of a square depends on signs of the state, all distinct ones are kept: other states may
/// have other signs.
pub(crate) fn extreme(law: &Law, id: FunctionId, points: &[Point], texts: &[String]) -> Vec<usize> {
    let found = points.iter().find_map(|point| match proved(law, id, point) {
        Err(Stop::TooLarge) => Some(None),
        // At some points a number vanishes that is not zero elsewhere.
        found => found.ok().flatten().map(Some),
    });
    found.flatten().unwrap_or_else(|| distinct(texts))
}

/// The eigenvalues whose text differs from all earlier ones.
fn distinct(texts: &[String]) -> Vec<usize> {
    (0..texts.len()).filter(|&i| !texts[..i].contains(&texts[i])).collect()
}

/// The unit normal as fractions in variables without a relation, by stereographic projection: `2 s / (1 + s²)`, and
/// `(1 - s²) / (1 + s²)` last. Unlike polynomials on the sphere, these fractions have unique factors. The one normal
/// without such parameters is a limit of others.
pub(super) fn free_normal(tower: &mut Tower, normal: &[Rational]) -> Result<Vec<Number>, Stop> {
    let number = |n: i64| Number::Rational(Rational::from(n));
    let Some((last, others)) = normal.split_last() else { return Ok(Vec::new()) };
    let height = last + &Rational::from(1);
    let mut square = number(0);
    let mut slopes = Vec::new();
    for component in others {
        let value = if height.is_zero() { Rational::from(1) } else { component / &height };
        let slope = tower.variable("s".into(), &value)?;
        square = tower.add(&square, &tower.mul(&slope, &slope)?)?;
        slopes.push(slope);
    }
    let inverse = tower.div(&number(1), &tower.add(&number(1), &square)?)?;
    let last = tower.mul(&tower.sub(&number(1), &square)?, &inverse)?;
    let twice = tower.mul(&number(2), &inverse)?;
    let components = slopes.iter().map(|slope| tower.mul(slope, &twice));
    components.chain([Ok(last)]).collect()
}

/// The extreme eigenvalues; `None` where they depend on signs.
fn proved(law: &Law, id: FunctionId, point: &Point) -> Result<Option<Vec<usize>>, Stop> {
    let (mut setting, mut inputs) = Setting::symbolic(law, point)?;
    inputs.normal = free_normal(&mut setting.tower, &point.normal)?;
    let mut signs = Signs::new(&mut setting.tower);
    let values = flatten(&call(&mut signs, law, id, &inputs.arguments(law, id))?);
    if signs.branched() {
        return Ok(None);
    }
    let mut kept: Vec<usize> = Vec::new();
    for i in 0..values.len() {
        let mut known = false;
        for &k in &kept {
            known |= signs.difference(&values[i], &values[k])?.is_zero();
        }
        if !known {
            kept.push(i);
        }
    }
    let mut position = 0;
    while position < kept.len() {
        let middle = kept[position];
        let (mut above, mut below) = (false, false);
        for &other in kept.iter().filter(|&&other| other != middle) {
            above = above || signs.is_at_least(&values[middle], &values[other])?;
            below = below || signs.is_at_least(&values[other], &values[middle])?;
        }
        if above && below {
            kept.remove(position);
        } else {
            position += 1;
        }
    }
    Ok(Some(kept))
}
