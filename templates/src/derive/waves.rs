//! Rule 2: one bound on the wave speed, from the declared eigenvalues.

use super::number::{Number, Stop};
use super::setting::{Point, Setting};
use super::tower::Tower;
use crate::algebra::Rational;
use crate::ir::{FunctionId, Law};

/// The indices of the eigenvalues whose least and greatest are those of all: the distinct ones, without those that
/// always lie between two others.
///
/// `λ_i` lies above `λ_a` for certain when `λ_i - λ_a` is one half to twice a root or absolute value that the
/// eigenvalues contain, or a sum of two of these. Where that depends on signs of the state, nothing is left out: other
/// states may have other signs.
pub fn extreme(law: &Law, id: FunctionId, points: &[Point], texts: &[String]) -> Vec<usize> {
    let found = points.first().and_then(|point| symbolic(law, id, point).ok().flatten());
    found.unwrap_or_else(|| distinct(texts))
}

/// The eigenvalues that are not written like one before them.
fn distinct(texts: &[String]) -> Vec<usize> {
    (0..texts.len()).filter(|&i| !texts[..i].contains(&texts[i])).collect()
}

/// The extreme eigenvalues; `None` where they depend on signs.
fn symbolic(law: &Law, id: FunctionId, point: &Point) -> Result<Option<Vec<usize>>, Stop> {
    let (mut setting, inputs) = Setting::symbolic(law, point)?;
    let values = setting.call(id, &inputs)?;
    let tower = &setting.tower;
    if tower.branched() {
        return Ok(None);
    }
    let mut kept: Vec<usize> = Vec::new();
    for i in 0..values.len() {
        let mut known = false;
        for &k in &kept {
            known |= tower.sub(&values[i], &values[k])?.is_zero();
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
            let difference = tower.sub(&values[middle], &values[other])?;
            above |= nonnegative(tower, &difference)?;
            below |= nonnegative(tower, &tower.neg(&difference))?;
        }
        if above && below {
            kept.remove(position);
        } else {
            position += 1;
        }
    }
    Ok(Some(kept))
}

fn nonnegative(tower: &Tower, a: &Number) -> Result<bool, Stop> {
    if a.as_rational().is_some() {
        return Ok(!a.is_negative());
    }
    // The value at the base point says which multiple or sum is worth trying.
    let size = a.to_f64();
    let near = |b: f64| (size - b).abs() < 1e-9 * size.abs();
    let known = &tower.nonnegative;
    for (i, root) in known.iter().enumerate() {
        for halves in 1..=4 {
            if near(0.5 * f64::from(halves) * root.to_f64()) {
                let multiple = tower.mul(&Number::Rational(Rational::from((halves, 2))), root)?;
                if tower.sub(a, &multiple)?.is_zero() {
                    return Ok(true);
                }
            }
        }
        for other in &known[..i] {
            if near(root.to_f64() + other.to_f64()) && tower.sub(a, &tower.add(root, other)?)?.is_zero() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
