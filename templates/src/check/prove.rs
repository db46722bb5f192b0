//! How a statement about a law is proved: residuals that must vanish, at random points and then with variables.

use std::collections::BTreeSet;

use super::Method;
use crate::algebra::{Rational, RealLike};
use crate::derive::{Inputs, Number, Point, Setting, Stop, Zero, budget};
use crate::ir::{Law, Span};

/// The outcome of a proof.
pub enum Verdict {
    /// All residuals vanish.
    Holds(Method),
    /// A residual does not vanish.
    Fails {
        /// The counter-example.
        point: Point,
        /// The index of the residual.
        residual: usize,
    },
    /// No point could be evaluated.
    Undecided(Option<Stop>),
}

/// Sums that are zero if a statement holds, each as its terms.
pub type Residuals<'f> = dyn Fn(&mut Setting, &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> + 'f;

/// The branches that proofs have taken: the place of an `if`, and whether its condition held.
pub type Taken = BTreeSet<(Span, bool)>;

/// In floating point, a residual below the first figure times its largest term vanishes and one above the second does
/// not.
const ROUNDING: (f64, f64) = (1e-9, 1e-6);

/// The work in exact arithmetic at points, after which further ones are tried with numbers of some 90 digits.
const EXACT_WORK: u64 = 200_000;

/// The work of a proof with variables where most points were tried with such numbers. What takes more is rarely proved at all.
const SYMBOLIC_WORK: u64 = 2 * EXACT_WORK;

/// In exact arithmetic a residual below this part of its largest term is that of an iteration, which agrees as far as numbers in double
/// precision do.
const ITERATED: f64 = 1e-13;

/// The sum of a residual's terms.
pub fn sum(setting: &Setting, terms: &[Number]) -> Result<Number, Stop> {
    let zero = Number::Rational(Rational::from(0));
    terms.iter().try_fold(zero, |sum, term| setting.tower.add(&sum, term))
}

fn sums(setting: &Setting, residuals: &[Vec<Number>]) -> Result<Vec<Number>, Stop> {
    residuals.iter().map(|terms| sum(setting, terms)).collect()
}

/// Evaluates residuals at the points, exactly; if they vanish at all of them, also with variables.
///
/// Beyond an amount of work, points are tried with numbers of some 90 digits, and do not count as exact. If the algebra cannot reduce a
/// residual to zero that is zero to some 70 digits, or expressions are too large for exact arithmetic, the proof is one in floating point,
/// and so at all further points; when the law's work is used up, at no further ones. So it is if a residual is as small as rounding in
/// double precision. A symbolic proof that met a branch is repeated from every point that takes other branches, since it holds only in the
/// part of the domain that takes the same ones: branches that no point took are not proved. `taken` gains the branches of the points.
pub fn prove(law: &Law, points: &[Point], residuals: &Residuals, taken: &mut Taken) -> Verdict {
    let (mut evaluated, mut exact, mut stop, mut doubtful) = (Vec::new(), true, None, false);
    let (mut too_large, mut exactly, begin) = (false, 0, budget::spent());
    for point in points {
        if !evaluated.is_empty() && budget::is_exhausted() {
            break;
        }
        let evaluate = |(mut setting, inputs): (Setting, Inputs<Number>)| {
            let terms = residuals(&mut setting, &inputs)?;
            let sums = sums(&setting, &terms)?;
            Ok::<_, Stop>((terms, sums, setting.tower.taken))
        };
        let mut values = Err(Stop::TooLarge);
        let enough = exactly > 0 && budget::spent() - begin > EXACT_WORK;
        if !too_large && !enough {
            values = evaluate(Setting::constant(law, point));
            too_large = matches!(values, Err(Stop::TooLarge));
            exactly += usize::from(values.is_ok());
        }
        if too_large || enough {
            values = evaluate(Setting::approximate(law, point));
        }
        let (terms, values) = match values {
            Ok((terms, sums, here)) => {
                taken.extend(here);
                (terms, sums)
            }
            Err(reason) => {
                stop = Some(reason);
                continue;
            }
        };
        for (i, (value, terms)) in values.iter().zip(&terms).enumerate() {
            let relative = || {
                let terms = terms.iter().filter(|term| term.zero() == Zero::No);
                terms.map(|term| (value.value() / term.value()).to_f64().abs()).fold(f64::INFINITY, f64::min)
            };
            match (value.zero(), value) {
                (Zero::Exactly, _) => {}
                (Zero::Numerically, _) if enough && !too_large => {}
                (Zero::Numerically, _) => exact = false,
                (Zero::No, Number::Real(_)) if relative() <= ROUNDING.0 => exact = false,
                (Zero::No, Number::Real(_)) if relative() < ROUNDING.1 => doubtful = true,
                // Newton's or Heron's method, which ends in rounding.
                (Zero::No, _) if relative() <= ITERATED => exact = false,
                (Zero::No, _) => return Verdict::Fails { point: point.clone(), residual: i },
            }
        }
        evaluated.push(point);
    }
    if doubtful {
        return Verdict::Undecided(Some(Stop::TooLarge));
    }
    match evaluated.len() {
        0 => Verdict::Undecided(stop),
        n if exact => {
            let most = if 2 * exactly < n { SYMBOLIC_WORK } else { budget::TOWER };
            let symbolic = symbolically(law, &evaluated, residuals, most);
            Verdict::Holds(symbolic.unwrap_or(Method::RationalStates(exactly)))
        }
        n => Verdict::Holds(Method::FloatingPoint(n)),
    }
}

/// Evaluates residuals with variables, in work of at most so much for each combination of branches.
fn symbolically(law: &Law, points: &[&Point], residuals: &Residuals, most: u64) -> Option<Method> {
    let mut proofs: Vec<Setting> = Vec::new();
    for point in points {
        if proofs.iter().any(|setting| setting.holds_at(point)) {
            continue;
        }
        let (mut setting, inputs) = Setting::symbolic(law, point).ok()?;
        setting.tower.bound_work(most);
        let terms = residuals(&mut setting, &inputs).ok()?;
        let values = sums(&setting, &terms).ok()?;
        if !values.iter().all(Number::is_zero) {
            return None;
        }
        if !setting.tower.branched() {
            return Some(Method::Symbolic);
        }
        proofs.push(setting);
    }
    Some(Method::Branches(proofs.len()))
}
