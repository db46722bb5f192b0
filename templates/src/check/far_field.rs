//! Whether a boundary can distinguish incoming from outgoing waves: the flux Jacobian in any direction is
//! diagonalisable at almost all states. It is if and only if Π (A - λ I) = 0 there over its distinct eigenvalues λ.

use super::{Checker, Method};
use crate::derive::{FarField, Number, Point, Setting, Stop, distinct, far_field, shifted, spectrum};
use crate::ir::{Law, Role, Warning};

/// A residual of some 90 digits that is smaller than this, relative to the size of the matrix, is zero.
const ROUNDING: f64 = 1e-40;

/// The same in terms of the error of iterated eigenvalues.
const ITERATED: f64 = 1e6;

/// Derives the far field of a law that has one, and proves that its flux Jacobian is diagonalisable.
pub fn check(checker: &mut Checker) -> FarField {
    let law = checker.law;
    if checker.eigenvalues_proved.is_none() {
        return FarField::default();
    }
    let mut tried: Vec<_> = checker.points.iter().filter_map(|point| diagonalisation(law, point).ok()).collect();
    let Some(most) = tried.iter().map(|(waves, _)| *waves).max() else {
        return FarField::None("it could not be decided whether the flux Jacobian can be diagonalised".into());
    };
    // Where two waves happen to be equally fast that differ elsewhere, the flux Jacobian may not be diagonalisable.
    tried.retain(|(waves, _)| *waves == most);
    if tried.iter().any(|(_, diagonalisable)| !diagonalisable) {
        weakly_hyperbolic(checker);
        return FarField::None("the flux Jacobian cannot be diagonalised".into());
    }
    match far_field(law, super::SEED) {
        Ok(derived) => {
            let statement =
                "the flux Jacobian can be diagonalised in any direction, so that the waves that come in are known";
            checker.proved(statement.into(), Method::FloatingPoint(tried.len()));
            derived
        }
        Err(stop) => FarField::None(format!("the derivatives of the flux met {stop}")),
    }
}

fn weakly_hyperbolic(checker: &mut Checker) {
    let law = checker.law;
    let Some(id) = law.only(&Role::Eigenvalues) else { return };
    let message = "the flux Jacobian has no full set of eigenvectors: the law is only weakly hyperbolic";
    let notes = vec![
        "small disturbances may grow without bound as the mesh is refined, and there are neither characteristic variables nor a far field"
            .into(),
    ];
    checker.warning(Warning::WeaklyHyperbolic, law.function(id).span, message.into(), notes);
}

/// The largest difference of a coefficient of `det(λ - A)` from that of the polynomial with the declared roots, relative to its size: zero
/// but for rounding, unless the eigenvalues are iterated.
fn inexactness(setting: &Setting, declared: &[Number], jacobian: &[Vec<Number>]) -> Result<f64, Stop> {
    let right = spectrum::characteristic(&setting.tower, jacobian)?;
    let found = spectrum::from_roots(&setting.tower, declared)?;
    let mut largest = 0.0_f64;
    for (a, b) in right.iter().zip(&found) {
        let size = a.to_f64().abs().max(b.to_f64().abs());
        if size > 0.0 {
            largest = largest.max(setting.tower.sub(a, b)?.to_f64().abs() / size);
        }
    }
    Ok(largest)
}

/// The number of distinct eigenvalues of the flux Jacobian at a point, and whether it can be diagonalised there.
pub(super) fn diagonalisation(law: &Law, point: &Point) -> Result<(usize, bool), Stop> {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let Some(id) = law.only(&Role::Eigenvalues) else { return Ok((0, false)) };
    let declared = setting.call(id, &inputs)?;
    let eigenvalues = distinct(&setting, &declared)?;
    let jacobian = setting.normal_jacobian(&inputs)?;
    let row = |row: &Vec<Number>| row.iter().map(|entry| entry.to_f64().abs()).sum::<f64>();
    let norm = jacobian.iter().map(row).fold(0.0, f64::max);
    let rounding = ROUNDING.max(ITERATED * inexactness(&setting, &declared, &jacobian)?);
    let size: f64 = eigenvalues.iter().map(|lambda| norm + lambda.to_f64().abs()).product();
    for j in 0..jacobian.len() {
        let mut column: Vec<_> = (0..jacobian.len()).map(|i| super::integer(i64::from(i == j))).collect();
        for lambda in &eigenvalues {
            column = shifted(&setting, &jacobian, lambda, &column)?;
        }
        if column.iter().any(|entry| entry.to_f64().abs() > rounding * size) {
            return Ok((eigenvalues.len(), false));
        }
    }
    Ok((eigenvalues.len(), true))
}

#[cfg(test)]
mod tests;
