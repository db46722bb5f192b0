//! The eigenvalues of the flux Jacobian at a state in double precision, whether or not the law declares them.

use super::number::Stop;
use super::setting::Inputs;
use super::spectrum;
use crate::ir::{Law, Role};

/// Roots of the characteristic polynomial that differ by less than this part of the largest are one, and such an imaginary part is rounding:
/// a root of multiplicity 2 or 3 is known to so many digits.
const ROUNDING: f64 = 1e-5;

/// The eigenvalues along the normal at the left state, each as often as its multiplicity: those that the law declares, or roots of the
/// characteristic polynomial.
///
/// # Errors
/// Where a function is undefined, or eigenvalues that are not declared are complex.
pub fn eigenvalues(law: &Law, at: &Inputs<f64>) -> Result<Vec<f64>, Stop> {
    match law.only(&Role::Eigenvalues) {
        Some(declared) => at.call(law, declared),
        None => real_roots(&characteristic(&at.normal_jacobian(law)?)),
    }
}

/// `det(λI - A)` by the recurrence of Faddeev and LeVerrier, the coefficient of λ^k at index k.
fn characteristic(a: &[Vec<f64>]) -> Vec<f64> {
    let n = a.len();
    let mut coefficients = vec![0.0; n];
    coefficients.push(1.0);
    // A M for M_1 = I, then for M_k = A M_{k-1} + c_{n-k+1} I.
    let mut product = a.to_vec();
    for k in 1..=n {
        let trace: f64 = (0..n).map(|i| product[i][i]).sum();
        coefficients[n - k] = -trace / k as f64;
        let mut m = product;
        for (i, row) in m.iter_mut().enumerate() {
            row[i] += coefficients[n - k];
        }
        let entry = |row: &Vec<f64>, j: usize| (0..n).map(|l| row[l] * m[l][j]).sum();
        product = a.iter().map(|row| (0..n).map(|j| entry(row, j)).collect()).collect();
    }
    coefficients
}

/// The roots of a polynomial that has real ones, from the least; roots that rounding alone tells apart are replaced by their mean.
fn real_roots(polynomial: &[f64]) -> Result<Vec<f64>, Stop> {
    let roots = spectrum::roots_in_double_precision(polynomial);
    let scale = roots.iter().fold(0.0, |scale: f64, (re, im)| scale.max(re.abs()).max(im.abs()));
    if roots.iter().any(|(re, im)| !re.is_finite() || !im.is_finite() || im.abs() > ROUNDING * scale) {
        return Err(Stop::Undecided);
    }
    let real: Vec<f64> = roots.into_iter().map(|(re, _)| re).collect();
    let alike = real.chunk_by(|a, b| b - a <= ROUNDING * scale);
    Ok(alike.flat_map(|alike| vec![alike.iter().sum::<f64>() / alike.len() as f64; alike.len()]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra;
    use crate::check::laws::EULER;
    use crate::check::testing::law;
    use crate::derive::Points;

    #[test]
    fn roots_are_the_declared_eigenvalues() {
        let declared = law("euler", EULER).law;
        let mut bare = declared.clone();
        let id = bare.only(&Role::Eigenvalues).unwrap();
        bare.functions[id.0].role = Role::Helper;
        algebra::session("tests", || {
            let mut points = Points::new(&declared, 5);
            for _ in 0..20 {
                let at = points.admissible().unwrap().map(|value| value.to_f64());
                let mut expected = eigenvalues(&declared, &at).unwrap();
                expected.sort_by(f64::total_cmp);
                let scale = expected[3].abs().max(expected[0].abs());
                // Half of all digits of the double one.
                for (found, expected) in eigenvalues(&bare, &at).unwrap().iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-7 * scale, "{found} {expected}");
                }
            }
        })
        .unwrap();
    }

    #[test]
    fn complex_roots_are_none() {
        assert_eq!(real_roots(&[1.0, 0.0, 1.0]), Err(Stop::Undecided));
        assert_eq!(real_roots(&[2.0, -3.0, 1.0]).map(|roots| roots.len()), Ok(2));
    }
}
