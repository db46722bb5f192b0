//! Characteristic polynomials of small matrices, and the roots that remain after deflation.

use super::number::{Number, Stop, Zero};
use super::text;
use super::tower::Tower;
use crate::algebra::Rational;

/// A polynomial in λ: the coefficient of λ^k at index k.
pub type Characteristic = Vec<Number>;

/// `det(λI - A)` by the Faddeev–LeVerrier recurrence.
///
/// # Errors
/// When numbers grow too large.
pub fn characteristic(tower: &Tower, a: &[Vec<Number>]) -> Result<Characteristic, Stop> {
    let n = a.len();
    let zero = Number::Rational(Rational::from(0));
    let mut coefficients = vec![zero.clone(); n];
    coefficients.push(Number::Rational(Rational::from(1)));
    let mut m = vec![vec![zero.clone(); n]; n];
    for k in 1..=n {
        // M_k = A M_{k-1} + c_{n-k+1} I;  c_{n-k} = -tr(A M_k) / k
        for (i, row) in m.iter_mut().enumerate() {
            row[i] = tower.add(&row[i], &coefficients[n - k + 1])?;
        }
        m = product(tower, a, &m)?;
        let mut trace = zero.clone();
        for (i, row) in m.iter().enumerate() {
            trace = tower.add(&trace, &row[i])?;
        }
        coefficients[n - k] = tower.mul(&trace, &Number::Rational(Rational::from((-1, k as i64))))?;
    }
    Ok(coefficients)
}

fn product(tower: &Tower, a: &[Vec<Number>], b: &[Vec<Number>]) -> Result<Vec<Vec<Number>>, Stop> {
    let n = a.len();
    let entry = |i: usize, j: usize| {
        let mut sum = Number::Rational(Rational::from(0));
        for k in 0..n {
            if !a[i][k].is_zero() && !b[k][j].is_zero() {
                sum = tower.add(&sum, &tower.mul(&a[i][k], &b[k][j])?)?;
            }
        }
        Ok(sum)
    };
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// `∏ (λ - λ_i)`.
///
/// # Errors
/// When numbers grow too large.
pub fn from_roots(tower: &Tower, roots: &[Number]) -> Result<Characteristic, Stop> {
    let mut coefficients = vec![Number::Rational(Rational::from(1))];
    for root in roots {
        let mut next = vec![Number::Rational(Rational::from(0))];
        next.extend(coefficients.iter().cloned());
        for (k, coefficient) in coefficients.iter().enumerate() {
            next[k] = tower.sub(&next[k], &tower.mul(root, coefficient)?)?;
        }
        coefficients = next;
    }
    Ok(coefficients)
}

/// Divides by `λ - root`; `None` when it is no root.
///
/// # Errors
/// When numbers grow too large.
pub fn deflate(tower: &Tower, polynomial: &Characteristic, root: &Number) -> Result<Option<Characteristic>, Stop> {
    let mut quotient = vec![Number::Rational(Rational::from(0)); polynomial.len() - 1];
    let mut carry = Number::Rational(Rational::from(0));
    for k in (0..polynomial.len()).rev() {
        carry = tower.add(&polynomial[k], &tower.mul(&carry, root)?)?;
        if k > 0 {
            quotient[k - 1] = carry.clone();
        }
    }
    Ok((carry.zero() != Zero::No).then_some(quotient))
}

/// Whether all eigenvalues of a matrix have positive real parts: by Routh's array of the polynomial whose roots are their
/// negatives, as far as its first column can be computed (E. J. Routh 1877; F. R. Gantmacher, The Theory of Matrices, vol. 2,
/// chapter XV). An eigenvalue on the imaginary axis counts as not positive.
///
/// # Errors
/// When numbers grow too large, or rounding decides.
pub fn is_positive(tower: &Tower, a: &[Vec<Number>]) -> Result<bool, Stop> {
    let polynomial = characteristic(tower, a)?;
    let n = polynomial.len() - 1;
    // (-1)^n p(-λ), from the leading coefficient down.
    let coefficients: Vec<Number> =
        (0..=n).map(|k| if k % 2 == 0 { polynomial[n - k].clone() } else { tower.neg(&polynomial[n - k]) }).collect();
    let every_other = |from: usize| coefficients.iter().skip(from).step_by(2).cloned().collect::<Vec<_>>();
    let (mut upper, mut lower) = (every_other(0), every_other(1));
    let zero = Number::Rational(Rational::from(0));
    for _ in 0..n {
        let pivot = match lower.first() {
            Some(pivot) if pivot.zero() == Zero::Numerically => return Err(Stop::Undecided),
            Some(pivot) if pivot.is_positive() => pivot.clone(),
            _ => return Ok(false),
        };
        let factor = tower.div(&upper[0], &pivot)?;
        let mut next = Vec::new();
        for (k, above) in upper.iter().enumerate().skip(1) {
            let term = tower.mul(&factor, lower.get(k).unwrap_or(&zero))?;
            next.push(tower.sub(above, &term)?);
        }
        (upper, lower) = (lower, next);
    }
    Ok(true)
}

/// `±p(-λ)`, with the sign that makes it monic.
pub fn reflected(tower: &Tower, polynomial: &Characteristic) -> Characteristic {
    let n = polynomial.len() - 1;
    let sign = |(k, c): (usize, &Number)| if (n - k).is_multiple_of(2) { c.clone() } else { tower.neg(c) };
    polynomial.iter().enumerate().map(sign).collect()
}

/// Whether no root of a monic polynomial is larger than `bound`, if all of them are real: by Descartes' rule of signs no coefficient of
/// `p(λ + bound)` is negative.
///
/// # Errors
/// When numbers grow too large.
pub fn none_above(tower: &Tower, polynomial: &Characteristic, bound: &Number) -> Result<bool, Stop> {
    // Horner's scheme, again and again, gives the coefficients of the shifted polynomial.
    let mut shifted = polynomial.clone();
    for last in 0..shifted.len() {
        for k in (last..shifted.len() - 1).rev() {
            shifted[k] = tower.add(&shifted[k], &tower.mul(bound, &shifted[k + 1])?)?;
        }
    }
    Ok(shifted.iter().all(|c| c.zero() != Zero::No || !c.is_negative()))
}

/// Whether all roots of a polynomial are real, multiple ones among them: as many as its Sturm sequence counts are distinct (C. Sturm
/// 1829; F. R. Gantmacher, The Theory of Matrices, vol. 2, chapter XV).
///
/// # Errors
/// When numbers grow too large.
pub fn all_real(tower: &Tower, polynomial: &Characteristic) -> Result<bool, Stop> {
    let trim = |p: &mut Characteristic| {
        while p.last().is_some_and(|c| c.zero() != Zero::No) {
            p.pop();
        }
    };
    let derivative = polynomial.iter().enumerate().skip(1).map(|(k, c)| {
        let factor = Number::Rational(Rational::from(k as i64));
        tower.mul(&factor, c)
    });
    let mut sequence = vec![polynomial.clone(), derivative.collect::<Result<Vec<_>, _>>()?];
    loop {
        let [.., before, last] = &sequence[..] else { return Ok(true) };
        let mut rest = before.clone();
        for shift in (0..=before.len() - last.len()).rev() {
            let factor = tower.div(&rest[shift + last.len() - 1], &last[last.len() - 1])?;
            for (k, c) in last.iter().enumerate() {
                rest[shift + k] = tower.sub(&rest[shift + k], &tower.mul(&factor, c)?)?;
            }
            rest.pop();
        }
        trim(&mut rest);
        if rest.is_empty() {
            break;
        }
        let next = rest.iter().map(|c| tower.neg(c)).collect();
        sequence.push(next);
    }
    let changes = |at_minus_infinity: bool| {
        let sign =
            |p: &Characteristic| p[p.len() - 1].is_negative() != (at_minus_infinity && p.len().is_multiple_of(2));
        let signs: Vec<bool> = sequence.iter().map(sign).collect();
        signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    // The last of the sequence is the greatest common divisor of the polynomial and its derivative.
    let distinct = polynomial.len() - sequence[sequence.len() - 1].len();
    Ok(changes(true) - changes(false) == distinct)
}

/// [`roots`] of a polynomial whose roots may be large or small.
pub fn scaled_roots(polynomial: &Characteristic) -> Vec<(f64, f64)> {
    let n = polynomial.len() - 1;
    // The largest root is at most twice this (M. Fujiwara, Tohoku Math. J. 10 (1916) 167-171).
    let size = |(k, c): (usize, &Number)| c.to_f64().abs().powf(1.0 / (n - k) as f64);
    let scale = polynomial[..n].iter().enumerate().map(size).fold(0.0, f64::max);
    if scale == 0.0 {
        return vec![(0.0, 0.0); n];
    }
    let scaled = polynomial.iter().enumerate().map(|(k, c)| c.to_f64() / scale.powi((n - k) as i32));
    durand_kerner(&scaled.collect::<Vec<_>>()).into_iter().map(|(re, im)| (scale * re, scale * im)).collect()
}

/// A number as text, with its imaginary part unless that is rounding.
pub fn shown(&(re, im): &(f64, f64)) -> String {
    if im.abs() < 1e-6 * (1.0 + re.abs()) {
        text::real(re)
    } else {
        format!("{} {} {}i", text::real(re), if im < 0.0 { "-" } else { "+" }, text::real(im.abs()))
    }
}

/// The roots (real, imaginary part) of a monic polynomial, for people to read (Durand–Kerner iteration); NaN where coefficients are
/// beyond the range of double precision.
pub fn roots(polynomial: &Characteristic) -> Vec<(f64, f64)> {
    roots_in_double_precision(&polynomial.iter().map(Number::to_f64).collect::<Vec<_>>())
}

/// The same of a polynomial in double precision.
pub fn roots_in_double_precision(polynomial: &[f64]) -> Vec<(f64, f64)> {
    durand_kerner(polynomial)
}

fn durand_kerner(c: &[f64]) -> Vec<(f64, f64)> {
    let n = c.len() - 1;
    if c.iter().any(|c| !c.is_finite()) {
        return vec![(f64::NAN, f64::NAN); n];
    }
    let mul = |a: (f64, f64), b: (f64, f64)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let radius: f64 = 1.0 + c[..n].iter().fold(0.0_f64, |max, c| max.max(c.abs()));
    let start = |k: usize| (radius.min(2.0) * (0.4 + k as f64).cos(), radius.min(2.0) * (0.4 + k as f64).sin());
    let mut roots: Vec<(f64, f64)> = (0..n).map(start).collect();
    for _ in 0..500 {
        for i in 0..n {
            let z = roots[i];
            let value = c.iter().rev().fold((0.0, 0.0), |sum, &c| {
                let sum = mul(sum, z);
                (sum.0 + c, sum.1)
            });
            let others = (0..n).filter(|&j| j != i).map(|j| (z.0 - roots[j].0, z.1 - roots[j].1));
            let denominator = others.fold((1.0, 0.0), mul);
            let square = denominator.0 * denominator.0 + denominator.1 * denominator.1;
            if square > 0.0 {
                let step = mul(value, (denominator.0 / square, -denominator.1 / square));
                roots[i] = (z.0 - step.0, z.1 - step.1);
            }
        }
    }
    roots.sort_by(|a, b| a.0.total_cmp(&b.0));
    roots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra;

    #[test]
    fn what_rounding_decides_is_neither_positive_nor_not() {
        algebra::session("tests", || {
            let mut tower = Tower::approximate();
            let number = |n: i64| Number::Rational(Rational::from(n));
            let root = tower.sqrt(&number(2)).unwrap();
            let nothing = tower.sub(&tower.mul(&root, &root).unwrap(), &number(2)).unwrap();
            for (number, positive) in [(number(1), Ok(true)), (number(-1), Ok(false)), (nothing, Err(Stop::Undecided))]
            {
                assert_eq!(is_positive(&tower, &[vec![number]]), positive);
            }
        })
        .unwrap();
    }

    #[test]
    fn multiple_real_roots_are_told_from_complex_ones() {
        let real = |roots: &[i64], quadratic: Option<[i64; 2]>| {
            algebra::session("tests", || {
                let tower = Tower::approximate();
                let number = |n: i64| Number::Rational(Rational::from(n));
                let roots: Vec<_> = roots.iter().map(|&root| number(root)).collect();
                let mut polynomial = from_roots(&tower, &roots).unwrap();
                if let Some([b, c]) = quadratic {
                    // Times λ² + b λ + c.
                    let mut product = vec![number(0); polynomial.len() + 2];
                    for (k, coefficient) in polynomial.iter().enumerate() {
                        for (shift, factor) in [c, b, 1].into_iter().enumerate() {
                            let term = tower.mul(&number(factor), coefficient).unwrap();
                            product[k + shift] = tower.add(&product[k + shift], &term).unwrap();
                        }
                    }
                    polynomial = product;
                }
                all_real(&tower, &polynomial).unwrap()
            })
            .unwrap()
        };
        for roots in [&[3][..], &[1, 2, 3], &[2, 2, 2, 2, 2, 2, 2, 2, 3], &[0, 0, 0, -1, -1, 5], &[0, 0, 0]] {
            assert!(real(roots, None), "{roots:?}");
            assert!(!real(roots, Some([1, 1])) && !real(roots, Some([0, 4])), "{roots:?}");
            assert!(real(roots, Some([2, 1])) && real(roots, Some([3, 2])), "{roots:?}");
        }
    }
}
