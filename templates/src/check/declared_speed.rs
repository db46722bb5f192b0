//! Rule 2, first part: a declared bound on the speeds of waves is one on the eigenvalues of the flux Jacobian, which are computed at
//! random states, and real.
//!
//! If all roots of a polynomial p are real, none is larger than b if and only if p(λ + b) has no coefficient of another sign than the
//! first (Descartes' rule of signs, which is exact for real roots). That is decided in some 90 digits, where the values of the roots
//! would lose half of them to multiple ones.

use super::{Checker, prove::Taken};
use crate::algebra::Rational;
use crate::derive::budget::Share;
use crate::derive::{Inputs, Number, Point, Points, Setting, Stop, spectrum, text};
use crate::ir::{FunctionId, Law, Role, Warning};
use dg_contract::Method;

/// The number of states at which a bound is tried.
const STATES: usize = 64;

/// The number of pairs of states over many decades at which it is tried as well.
const WIDE: usize = 64;

/// A bound may be exceeded by this part of it: iterated formulas are exact to rounding only.
const ROUNDING: (i64, i64) = (1, 1_000_000_000);

/// An imaginary part that is larger than this part of the spectral radius is no rounding error of a multiple eigenvalue.
const COMPLEX: f64 = 1e-3;

/// A bound that is more than this many times too large at every state.
const LOOSE: f64 = 4.0;

/// The spectrum at a state beside the bound.
struct Tried {
    point: Point,
    /// The slowest and the fastest wave that the law declares.
    declared: [f64; 2],
    /// The eigenvalues (real and imaginary part).
    eigenvalues: Vec<(f64, f64)>,
    /// Whether the eigenvalues are real, to rounding.
    all_real: bool,
    /// Whether the bounds hold.
    holds: [bool; 2],
    /// The branches that were taken.
    taken: Taken,
}

impl Tried {
    fn radius(&self) -> f64 {
        self.eigenvalues.iter().fold(0.0, |radius, (re, im)| radius.max(re.hypot(*im)))
    }

    fn is_hyperbolic(&self) -> bool {
        self.all_real
    }

    fn size(&self) -> f64 {
        self.declared[1].max(-self.declared[0])
    }

    /// How far the eigenvalues are outside the bounds, as a part of the largest.
    fn excess(&self) -> f64 {
        let [slowest, fastest] = self.declared;
        let outside = self.eigenvalues.iter().map(|(re, _)| (re - fastest).max(slowest - re));
        outside.fold(f64::NEG_INFINITY, f64::max) / self.radius()
    }
}

/// Tries the bound that the law declares, if it does; how that was found.
pub fn check(checker: &mut Checker) -> Option<Method> {
    let law = checker.law;
    let id = law.only(&Role::WaveSpeed)?;
    let (name, span) = (&law.function(id).name, law.function(id).span);
    let mut source = Points::new(law, super::SEED + 7).over_ranges();
    let tried: Vec<_> =
        (0..STATES).filter_map(|_| source.admissible()).filter_map(|point| at(law, id, point).ok()).collect();
    if tried.is_empty() {
        let message = format!("it could not be decided whether `{name}` bounds the speeds of all waves");
        let note = "at no state that was tried, the bound and the eigenvalues of the flux Jacobian are known";
        checker.warning(Warning::Undecided, span, message, vec![note.into()]);
        return None;
    }
    let wide = at_wide_states(law, id);
    checker.taken.extend(tried.iter().chain(&wide).flat_map(|tried| &tried.taken));
    let wrong = tried.iter().chain(&wide).filter(|tried| tried.is_hyperbolic() && tried.holds != [true; 2]);
    if let Some(wrong) = wrong.max_by(|a, b| a.excess().total_cmp(&b.excess())) {
        fails(checker, id, wrong);
        return None;
    }
    // Along some normals nothing may move.
    let hyperbolic = tried.iter().filter(|tried| tried.is_hyperbolic()).count();
    let waves = tried.iter().any(|tried| tried.is_hyperbolic() && tried.radius() > 0.0);
    if let Some(complex) = tried.iter().find(|tried| !tried.is_hyperbolic()) {
        not_hyperbolic(checker, id, complex, !waves);
        if !waves {
            return None;
        }
    }
    let moving: Vec<_> = tried.iter().filter(|tried| tried.radius() > 0.0).collect();
    let ratio = moving.iter().map(|tried| tried.size() / tried.radius()).fold(f64::INFINITY, f64::min);
    if !moving.is_empty() && ratio > LOOSE {
        let message = format!(
            "`{name}` is at least {} times as large as the fastest wave at every state tried",
            text::real(ratio.floor())
        );
        let note = "time steps are as many times too short, and numerical fluxes smear as much more";
        checker.warning(Warning::LooseBound, span, message, vec![note.into()]);
    }
    let method = Method::FloatingPoint(hyperbolic + wide.iter().filter(|tried| tried.is_hyperbolic()).count());
    checker.proved(format!("`{name}` bounds the eigenvalues of the flux Jacobian, which are real"), method);
    Some(method)
}

/// The bound where density, say, is small or large beside momentum: a formula that lacks it may hold at all moderate states.
fn at_wide_states(law: &Law, id: FunctionId) -> Vec<Tried> {
    let mut source = Points::new(law, super::SEED + 8).over_ranges().over_decades();
    let share = Share::begin();
    let points = (0..WIDE).map_while(|_| (!share.is_exhausted()).then(|| source.likely())).flatten();
    let both = points.flat_map(|point| [Point { left: point.right.clone(), ..point.clone() }, point]);
    both.filter_map(|point| at(law, id, point).ok()).collect()
}

fn at(law: &Law, id: FunctionId, point: Point) -> Result<Tried, Stop> {
    let (mut setting, inputs) = Setting::approximate(law, &point);
    let [slowest, fastest] = declared(&mut setting, id, &inputs)?;
    let jacobian = setting.normal_jacobian(&inputs)?;
    let polynomial = spectrum::characteristic(&setting.tower, &jacobian)?;
    let tower = &setting.tower;
    let margin = Number::Rational(Rational::from(ROUNDING));
    let size = if slowest.to_f64().abs() > fastest.to_f64().abs() { &slowest } else { &fastest };
    let margin = tower.mul(&margin, &if size.is_negative() { tower.neg(size) } else { size.clone() })?;
    let above = tower.add(&fastest, &margin)?;
    let below = tower.neg(&tower.sub(&slowest, &margin)?);
    let holds = [
        spectrum::none_above(tower, &spectrum::reflected(tower, &polynomial), &below)?,
        spectrum::none_above(tower, &polynomial, &above)?,
    ];
    let eigenvalues = spectrum::scaled_roots(&polynomial);
    let radius = eigenvalues.iter().fold(0.0_f64, |radius, (re, im)| radius.max(re.hypot(*im)));
    // Double precision moves an m-fold eigenvalue by the m-th root of its rounding.
    let all_real =
        eigenvalues.iter().all(|(_, im)| im.abs() <= COMPLEX * radius) || spectrum::all_real(tower, &polynomial)?;
    let taken = setting.tower.taken;
    Ok(Tried { point, declared: [slowest.to_f64(), fastest.to_f64()], eigenvalues, all_real, holds, taken })
}

/// The slowest and the fastest wave by the declared bound.
fn declared(setting: &mut Setting, id: FunctionId, inputs: &Inputs<Number>) -> Result<[Number; 2], Stop> {
    match setting.call(id, inputs)?.as_slice() {
        [bound] => Ok([setting.tower.neg(bound), bound.clone()]),
        [slowest, fastest] => Ok([slowest.clone(), fastest.clone()]),
        _ => Err(Stop::Undecided),
    }
}

fn fails(checker: &mut Checker, id: FunctionId, wrong: &Tried) {
    let law = checker.law;
    let function = law.function(id);
    let name = &function.name;
    let speeds = wrong.eigenvalues.iter().map(|(re, _)| *re);
    let (least, most) = (speeds.clone().fold(f64::INFINITY, f64::min), speeds.fold(f64::NEG_INFINITY, f64::max));
    let radius = wrong.radius();
    let show = text::apart(&wrong.declared, &[least, most, radius]);
    let place = format!("at {}", text::point(law, &wrong.point, text::Show::StateAndNormal));
    let (message, there) = if law.size_of(&function.result) == 1 {
        let message = format!("`{name}` does not bound the speeds of all waves: it is {}", show(wrong.declared[1]));
        (message, format!("there the flux Jacobian has an eigenvalue of size {}", show(radius)))
    } else {
        let message = format!(
            "`{name}` does not bound the speeds of all waves: it is [{}, {}]",
            show(wrong.declared[0]),
            show(wrong.declared[1])
        );
        (message, format!("there the eigenvalues of the flux Jacobian lie between {} and {}", show(least), show(most)))
    };
    checker.error(function.span, message, vec![place, there]);
}

fn not_hyperbolic(checker: &mut Checker, id: FunctionId, complex: &Tried, everywhere: bool) {
    let law = checker.law;
    let function = law.function(id);
    let values: Vec<_> = complex.eigenvalues.iter().filter(|(_, im)| *im != 0.0).map(spectrum::shown).collect();
    let place = format!("at {}", text::point(law, &complex.point, text::Show::StateAndNormal));
    let there = format!("there the flux Jacobian has {}", values.join(", "));
    if everywhere {
        let message = "the law is not hyperbolic: the flux Jacobian has complex eigenvalues at every state tried";
        checker.error(function.span, message.into(), vec![place, there]);
        return;
    }
    let message = "the law is not hyperbolic at some admissible states: the flux Jacobian has complex eigenvalues";
    let remedy = "there the law has no stable solutions; leave these states out by `#[admissible]`";
    checker.warning(Warning::NotHyperbolic, function.span, message.into(), vec![place, there, remedy.into()]);
}

#[cfg(test)]
mod tests;
