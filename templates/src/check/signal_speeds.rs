//! Rule 3, fourth part: the signal speeds of fluxes with one or two waves bound the law's waves, also between states that differ.
//!
//! A numerical flux may be given by any code. If at every pair of states it is, for some numbers s or s⁻ < 0 < s⁺,
//!
//! * `½ (F(l) + F(r))·n - ½ s (r - l)` (Lax–Friedrichs, Rusanov), then s must be at least every |λ| of both states;
//! * `(s⁺ F(l) - s⁻ F(r))·n / (s⁺ - s⁻) + s⁺ s⁻ / (s⁺ - s⁻) (r - l)` (A. Harten, P. D. Lax & B. van Leer, SIAM Review 25 (1983) 35–61,
//!   <https://doi.org/10.1137/1025002>), then s⁻ must not exceed the slowest wave of l, nor s⁺ be below the fastest of r:
//!   any estimate in the literature keeps to that (B. Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294–318, <https://doi.org/10.1137/0725021>).
//!
//! Where all waves are equally fast, as in a gas in Lagrangian coordinates, fluxes with a wave for each eigenvector have the first form, too,
//! with a mean speed. That of Osher & Solomon is the mean of |λ| along a path between the states (Math. Comp. 38 (1982) 339–374,
//! <https://doi.org/10.1090/S0025-5718-1982-0645656-0>), on the straight one by Gauss's quadrature (M. Dumbser & E. F. Toro, Commun. Comput.
//! Phys. 10 (2011) 635–671, <https://doi.org/10.4208/cicp.170610.021210a>): there s must be at least the least such mean of two to four
//! points. Roe's is the speed of a shock: a flux that is exact at isolated shocks is not held to other speeds.
//!
//! Beside a non-conservative product, which is no part of a numerical flux, only the first form is known.
//!
//! Shocks between the two states are another matter ([`isolated_shocks`](super::isolated_shocks)).

use std::ops::RangeInclusive;

use dg_contract::reference::quadrature::gauss_legendre;

use super::exact_waves::is_exact;
use super::trials::{Pair, Trials};
use super::{Checker, Method};
use crate::derive::{Inputs, Stop, eigenvalues, text};
use crate::ir::{FunctionId, Isolated, Law, Role, Warning};

/// What is smaller than this part is rounding.
const ROUNDING: f64 = 1e-8;

/// The numbers of points of Gauss's quadrature whose means serve as speeds.
const MEANS: RangeInclusive<usize> = 2..=4;

/// The form of a numerical flux at a pair, with its signal speeds.
#[derive(Clone, Copy)]
enum Form {
    /// With one speed to both sides.
    One(f64),
    /// With a slowest and a fastest speed; where it is the flux of one side, the speed to that side is 0 and the other unknown.
    Two(Option<f64>, Option<f64>),
}

/// A speed that is too small at a pair.
struct Slow {
    /// The flux's.
    has: f64,
    /// The wave's.
    needs: f64,
    /// What has the wave.
    whose: &'static str,
}

/// Checks a numerical flux, if it has one of these forms.
pub fn check(checker: &mut Checker, id: FunctionId, trials: &Trials) {
    let law = checker.law;
    let mut forms = Vec::new();
    for Pair { point, floats } in &trials.pairs {
        let Ok(form) = form(law, id, floats) else { continue };
        let Some(form) = form else { return };
        forms.push((point, floats, form));
    }
    // The flux of one side has both forms: what it has elsewhere decides.
    let one = forms.iter().all(|(.., form)| matches!(form, Form::One(_)));
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    let is_exact = || law.only(&Role::Nonconservative).is_none() && is_exact(law, id, Isolated::Shock, trials);
    for (point, pair, form) in &forms {
        let Ok(Some(slow)) = slow(law, pair, *form, one) else { continue };
        if one && is_exact() {
            return;
        }
        let message = format!("`{name}` has slower signals than the law has waves");
        let show = text::apart(&[slow.has], &[slow.needs]);
        let notes = vec![
            format!("at {}", text::point(law, point, text::Show::BothStatesAndNormal)),
            format!("there its signal speed is {}, and {} has {}", show(slow.has), slow.whose, show(slow.needs)),
        ];
        return checker.warning(Warning::SlowSignals, span, message, notes);
    }
    if !forms.is_empty() {
        checker.proved(format!("no wave outruns the signals of `{name}`"), Method::FloatingPoint(forms.len()));
    }
}

/// The form of a flux at a pair; `None` if it has neither.
fn form(law: &Law, id: FunctionId, pair: &Inputs<f64>) -> Result<Option<Form>, Stop> {
    let back = Inputs { left: pair.right.clone(), ..pair.clone() };
    let (left, right, numerical) = (pair.normal_flux(law)?, back.normal_flux(law)?, pair.call(law, id)?);
    let jump: Vec<f64> = pair.right.iter().zip(&pair.left).map(|(r, l)| r - l).collect();
    // Components may have units of very different size.
    let scale = |i: usize| left[i].abs().max(right[i].abs()).max(numerical[i].abs());
    let zero = |values: &[f64]| values.iter().enumerate().all(|(i, value)| value.abs() <= ROUNDING * scale(i));
    // Twice the mean flux less twice the numerical flux, which is s (r - l).
    let damping: Vec<f64> = (0..jump.len()).map(|i| left[i] + right[i] - 2.0 * numerical[i]).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let speed = dot(&damping, &jump) / dot(&jump, &jump);
    if zero(&damping.iter().zip(&jump).map(|(d, j)| d - speed * j).collect::<Vec<_>>()) {
        return Ok(Some(Form::One(speed)));
    }
    if law.only(&Role::Nonconservative).is_some() {
        return Ok(None);
    }
    // f* - F(r) = α (F(l) - F(r)) + β (r - l), by least squares.
    let change: Vec<f64> = left.iter().zip(&right).map(|(l, r)| l - r).collect();
    let rest: Vec<f64> = numerical.iter().zip(&right).map(|(f, r)| f - r).collect();
    let (a, b, c) = (dot(&change, &change), dot(&change, &jump), dot(&jump, &jump));
    let determinant = a * c - b * b;
    if determinant <= ROUNDING * a * c {
        return Err(Stop::Undecided);
    }
    let (p, q) = (dot(&change, &rest), dot(&jump, &rest));
    let (alpha, beta) = ((p * c - q * b) / determinant, (a * q - b * p) / determinant);
    let fitted = (0..jump.len()).map(|i| rest[i] - alpha * change[i] - beta * jump[i]).collect::<Vec<_>>();
    if jump.len() < 3 || !zero(&fitted) || !(-ROUNDING..=1.0 + ROUNDING).contains(&alpha) {
        return Ok(None);
    }
    let share = |weight: f64| (weight > ROUNDING).then(|| beta / weight);
    Ok(Some(Form::Two(share(alpha), share(1.0 - alpha).map(|share| -share))))
}

/// The speed that is too small, if there is one.
fn slow(law: &Law, pair: &Inputs<f64>, form: Form, one: bool) -> Result<Option<Slow>, Stop> {
    let back = Inputs { left: pair.right.clone(), ..pair.clone() };
    let (left, right) = (eigenvalues(law, pair)?, eigenvalues(law, &back)?);
    let slowest = left.iter().fold(0.0, |slowest: f64, speed| slowest.min(*speed));
    let fastest = right.iter().fold(0.0, |fastest: f64, speed| fastest.max(*speed));
    let (largest_left, largest_right) = (largest(&left), largest(&right));
    let rounding = ROUNDING * largest_left.max(largest_right);
    let (of_left, of_right) = ("a wave of the left state", "a wave of the right state");
    let candidates = match form {
        Form::One(has) if one => match least_mean(law, pair) {
            Some(mean) => vec![(Some(has), mean, "the mean of |λ| between both states")],
            None => vec![(Some(has), largest_left, of_left), (Some(has), largest_right, of_right)],
        },
        Form::One(_) => return Ok(None),
        Form::Two(least, most) => {
            vec![(least.map(|least| 0.0 - least), -slowest, of_left), (most, fastest, of_right)]
        }
    };
    let known = candidates.into_iter().filter_map(|(has, needs, whose)| Some(Slow { has: has?, needs, whose }));
    Ok(known.into_iter().find(|slow| slow.has < slow.needs - rounding))
}

/// The least of some means of |λ| on the straight path between the states, if all waves are equally fast there.
fn least_mean(law: &Law, pair: &Inputs<f64>) -> Option<f64> {
    let mean = |points: usize| {
        let (places, weights) = gauss_legendre(points);
        let mut sum = 0.0;
        for (place, weight) in places.into_iter().zip(weights) {
            let between = |(l, r): (&f64, &f64)| l + place * (r - l);
            let left = pair.left.iter().zip(&pair.right).map(between).collect();
            sum += weight * common_speed(&eigenvalues(law, &Inputs { left, ..pair.clone() }).ok()?)?;
        }
        Some(sum)
    };
    MEANS.map(mean).try_fold(f64::INFINITY, |least, mean| Some(least.min(mean?)))
}

/// The |λ| that all waves have.
fn common_speed(speeds: &[f64]) -> Option<f64> {
    let speed = largest(speeds);
    speeds.iter().all(|each| each.abs() >= (1.0 - ROUNDING) * speed).then_some(speed)
}

fn largest(speeds: &[f64]) -> f64 {
    speeds.iter().fold(0.0, |largest: f64, speed| largest.max(speed.abs()))
}

#[cfg(test)]
mod tests;
