//! Proofs that a viscous flux diffuses: the eigenvalues of its matrix `Σ_ij n_i G_ij n_j` are real and not negative, whatever the state
//! and the direction n.
//!
//! They are those of the diagonal blocks of the matrix once it is ordered to be block triangular. The eigenvalues of a symmetric block are
//! real, and so are those of a block of two whose characteristic polynomial has a discriminant that is not negative. Real eigenvalues are
//! not negative if the coefficients of that polynomial have alternating signs (Descartes' rule).
//!
//! Something short stands for long coefficients whose sign is known: of a viscosity that depends on temperature nothing else matters.
//!
//! A parameter with a range that has two ends is one of these ends: what is linear in it has between them no sign that it has at neither.

use std::ops::Bound;

use super::defined::assume;
use super::dual::{Dual, Duals};
use super::number::{Number, Stop};
use super::setting::{Inputs, Point, Setting};
use super::signs::Signs;
use super::source::blocks;
use super::spectrum::characteristic;
use crate::algebra::{Rational, decimal};
use crate::ir::{FunctionId, Law, call, flatten};

/// The largest number of terms of a polynomial that is examined: proofs that are found are short.
const LIMIT: usize = 100;

/// The largest number of terms of a coefficient that stays itself: a temperature has more.
const LONGEST: usize = 5;

/// Whether it is proved for all states that are admissible, and all parameters in their ranges that have the signs of their defaults.
///
/// # Errors
/// If the proof meets numbers that are too large, or undefined at its base point.
pub fn diffuses(law: &Law, id: FunctionId, point: &Point) -> Result<bool, Stop> {
    let (mut setting, mut inputs) = Setting::symbolic(law, point)?;
    let mut signs = Signs::within(&mut setting.tower, LIMIT);
    signs.shorten(LONGEST);
    for (parameter, value) in law.parameters.fields.iter().zip(&mut inputs.parameters) {
        let (lower, upper) = &parameter.range;
        if let (Some(lower), Some(upper)) = (end(lower), end(upper)) {
            *value = signs.either(&lower, &upper)?;
        }
    }
    assume(&mut signs, law, &inputs)?;
    let matrix = matrix(&mut signs, law, id, &inputs)?;
    let m = matrix.len();
    let depends: Vec<bool> = matrix.iter().flatten().map(|entry| !entry.is_zero()).collect();
    for block in blocks(&depends, m) {
        let entries: Vec<Vec<Number>> =
            block.iter().map(|&i| block.iter().map(|&j| matrix[i][j].clone()).collect()).collect();
        if !block_diffuses(&signs, &entries)? {
            return Ok(false);
        }
    }
    Ok(!signs.branched())
}

/// The end of a range, if it has one.
fn end(bound: &Bound<String>) -> Option<Number> {
    match bound {
        Bound::Included(end) | Bound::Excluded(end) => decimal(end).map(Number::Rational),
        Bound::Unbounded => None,
    }
}

/// The matrix, row by row: the derivative of the flux along n by each part of a gradient along n.
fn matrix(signs: &mut Signs<'_>, law: &Law, id: FunctionId, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
    let m = law.state.fields.len();
    let zero = Number::Rational(Rational::from(0));
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    let along = |n: &Number| (0..m).map(|j| Dual::along(zero.clone(), j, n.clone())).collect::<Vec<_>>();
    duals.right = inputs.normal.iter().flat_map(along).collect();
    let flux = flatten(&call(&mut Duals::new(signs), law, id, &duals.arguments(law, id))?);
    let mut matrix = vec![vec![zero; m]; m];
    for (n, flux) in inputs.normal.iter().zip(flux.chunks(m)) {
        for (row, component) in matrix.iter_mut().zip(flux) {
            for (j, entry) in row.iter_mut().enumerate() {
                let tower = signs.tower();
                *entry = tower.add(entry, &tower.mul(n, &component.partial(j))?)?;
            }
        }
    }
    Ok(matrix)
}

fn block_diffuses(signs: &Signs<'_>, block: &[Vec<Number>]) -> Result<bool, Stop> {
    let tower = signs.tower();
    let zero = Number::Rational(Rational::from(0));
    let polynomial = characteristic(tower, block)?;
    for (k, coefficient) in polynomial.iter().rev().enumerate() {
        let of_sign = if k % 2 == 0 { coefficient.clone() } else { tower.neg(coefficient) };
        if !signs.is_at_least(&of_sign, &zero)? {
            return Ok(false);
        }
    }
    let mut is_symmetric = true;
    for i in 0..block.len() {
        for j in 0..i {
            is_symmetric &= tower.sub(&block[i][j], &block[j][i])?.is_zero();
        }
    }
    if is_symmetric {
        return Ok(true);
    }
    let [product, sum, _] = polynomial.as_slice() else { return Ok(false) };
    let four = Number::Rational(Rational::from(4));
    signs.is_at_least(&tower.mul(sum, sum)?, &tower.mul(&four, product)?)
}
