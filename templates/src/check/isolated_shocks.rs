//! Rule 3, seventh part: numerical fluxes of systems at isolated shocks.
//!
//! A shock of speed s joins l and r. In the basis of eigenvectors of the mean flux Jacobian between both, whose left eigenvector ℓ belongs to
//! the jump `r - l`, a numerical flux is `F(l)·n + θ (r - l) + …`. As an E-flux of a scalar law does (S. Osher, SIAM J. Numer. Anal. 21 (1984)
//! 217–235, <https://doi.org/10.1137/0721016>), it has to have `θ ≤ min(s, 0)`, the value of the exact solution, in both orders of the states:
//! a θ above is the flux of a signal that the shock outruns. Godunov's flux, Roe's, HLL, HLLC with speeds of both sides, Rusanov's and
//! the splittings of van Leer and of Steger & Warming keep to that.
//!
//! Waves of the jump of the flux instead of that of the state (D. S. Bale, R. J. LeVeque, S. Mitran & J. A. Rossmanith, SIAM J. Sci.
//! Comput. 24 (2002) 955–978, <https://doi.org/10.1137/S106482750139738X>), at another mean, and fluxes of traffic by classes (M.
//! Hilliges & W. Weidlich, Transp. Res. B 29 (1995) 407–431, <https://doi.org/10.1016/0191-2615(95)00018-9>) exceed it between
//! states far apart alone: ℓ is that of one mean, and another differs from it by the square of the jump. A signal that is too slow,
//! such as that of one side or of the slower one, is so by the jump itself. So what is less than linear in the size of the shock is
//! no mistake.
//!
//! Weak waves of all kinds, which move like shocks in both orders of the states, are held to the same: where a flux has a kink at equal
//! states, as the smaller of two flows has, its derivatives on one side do not tell. Flux-vector splittings damp waves in total, not each.
//!
//! Beside a non-conservative product f* stands for the flux and half the product at the jump.
//!
//! A shock at rest in the other order is an expansion shock, which a flux that keeps `F(l)·n` between these states keeps for ever, as Roe's
//! does without an entropy fix (A. Harten & J. M. Hyman, J. Comput. Phys. 50 (1983) 235–269,
//! <https://doi.org/10.1016/0021-9991(83)90066-9>).

use super::trials::Trials;
use super::{Checker, Method};
use crate::derive::isolated::{Joined, WEAKER};
use crate::derive::{Inputs, Stop, eigenvalues, text};
use crate::ir::{FunctionId, Isolated, Law, Role, Warning};

/// A θ that is too large by less than this part of the fastest wave is the error of a good estimate of the shock's speed.
const SLACK: f64 = 0.01;

/// What of a θ that is too large is left there of one that is linear in the size of the shock, and more than of a square.
const LASTING: f64 = 0.5 * WEAKER;

/// A flux that spreads an expansion shock by less than this part of the difference of its speeds keeps it.
const SPREAD: f64 = 1e-3;

/// A flux between two states that a shock joins, or the same states in the other order.
struct Found {
    pair: Inputs<f64>,
    theta: f64,
    /// The largest |λ| of both states.
    fastest: f64,
}

/// Checks a numerical flux of a law of several components.
pub fn check(checker: &mut Checker, id: FunctionId, trials: &Trials) {
    let law = checker.law;
    let (name, span) = (&law.function(id).name, law.function(id).span);
    let mut tried = 0;
    let shocks = trials.joined(Isolated::Shock).iter().chain(trials.standing_shocks());
    for shock in shocks {
        let Ok(both) = both_orders(law, id, shock) else { continue };
        tried += 1;
        let [speed, _] = shock.speeds;
        for (order, found) in both.into_iter().enumerate() {
            let lasts = |excess: f64| weaker_excess(law, id, shock, order).is_none_or(|left| left >= LASTING * excess);
            if found.excess(speed).is_some_and(lasts) {
                let what = ["a shock", "an expansion that moves like a shock"][order];
                return outrun(checker, id, &found, what, speed);
            }
        }
    }
    for [shock, weaker] in trials.drifting_shocks() {
        let (Ok(both), Ok(weak)) = (both_orders(law, id, shock), both_orders(law, id, weaker)) else { continue };
        tried += 1;
        for (order, found) in both.into_iter().enumerate() {
            let left = weak[order].theta - weaker.speeds[0].min(0.0);
            if found.excess(shock.speeds[0]).is_some_and(|excess| left >= LASTING * excess) {
                let what = ["a shock", "an expansion that moves like a shock"][order];
                return outrun(checker, id, &found, what, shock.speeds[0]);
            }
        }
    }
    let splits = matches!(&law.function(id).role, Role::NumericalFlux(claims) if claims.splitting);
    for wave in trials.weak().take_while(|_| !splits) {
        let Ok(both) = both_orders(law, id, &wave) else { continue };
        let [speed, _] = wave.speeds;
        if let Some(found) = both.iter().find(|found| found.excess(speed).is_some()) {
            return outrun(checker, id, found, "a weak wave", speed);
        }
    }
    let mut standing = 0;
    for shock in trials.standing_shocks() {
        let Ok([_, expansion]) = both_orders(law, id, shock) else { continue };
        let Ok([least, most]) = ends(law, shock) else { continue };
        standing += 1;
        if -expansion.theta >= SPREAD * (most - least) {
            continue;
        }
        let message = format!("`{name}` keeps expansion shocks");
        let notes = vec![
            format!("at {}", text::floats(law, &expansion.pair, text::Show::BothStatesAndNormal)),
            format!(
                "there both states have one flux, which f* keeps, though the wave of speed {} on the left and {} on the right should spread",
                text::real(least),
                text::real(most)
            ),
            "Roe's flux needs an entropy fix: instead of |λ| of the mean take the largest of it, λ - λ(l) and λ(r) - λ for each wave \
             that is neither a contact nor a shear wave (Harten & Hyman 1983)"
                .into(),
        ];
        return checker.warning(Warning::ExpansionShocks, span, message, notes);
    }
    if tried > 0 {
        let statement = format!("no isolated shock outruns the signals of `{name}`");
        checker.proved(statement, Method::FloatingPoint(tried));
    }
    if standing > 0 {
        checker.proved(format!("`{name}` keeps no expansion shock at rest"), Method::FloatingPoint(standing));
    }
}

impl Found {
    /// By how much θ is too large at a jump of this speed, if that is more than the error of a good estimate.
    fn excess(&self, speed: f64) -> Option<f64> {
        let excess = self.theta - speed.min(0.0);
        (excess > SLACK * self.fastest).then_some(excess)
    }
}

/// Says that a jump of this speed outruns a numerical flux.
fn outrun(checker: &mut Checker, id: FunctionId, found: &Found, what: &str, speed: f64) {
    let law = checker.law;
    let function = law.function(id);
    let message = format!("`{}` has slower signals than the law has waves", function.name);
    let show = text::apart(&[found.theta], &[speed.min(0.0)]);
    let notes = vec![
        format!("at {}", text::floats(law, &found.pair, text::Show::BothStatesAndNormal)),
        format!(
            "there {what} of speed {} joins the states: along it the numerical flux is F(l)·n + θ (r - l) with θ = {}, and should have \
             θ ≤ min(speed, 0)",
            text::real(speed),
            show(found.theta)
        ),
        "no shock outruns signal speeds and damping that take both states into account, or a mean between them".into(),
    ];
    checker.warning(Warning::SlowSignals, function.span, message, notes);
}

/// By how much θ is too large at a weaker shock of the same wave, in this order of the states.
fn weaker_excess(law: &Law, id: FunctionId, shock: &Joined, order: usize) -> Option<f64> {
    let weaker = shock.weaker(law, WEAKER)?;
    let both = both_orders(law, id, &weaker).ok()?;
    Some(both[order].theta - weaker.speeds[0].min(0.0))
}

/// What a flux does between the states of a shock, and between the same in the other order.
fn both_orders(law: &Law, id: FunctionId, shock: &Joined) -> Result<[Found; 2], Stop> {
    let vector = shock.left_eigenvector(law).ok_or(Stop::Undecided)?;
    let of = |pair: Inputs<f64>, sign: f64| {
        // The left side has half of the product at the jump.
        let (left, product, numerical) = (pair.normal_flux(law)?, pair.product_at_jump(law)?, pair.call(law, id)?);
        let beyond = |i: usize| numerical[i] + 0.5 * product[i] - left[i];
        let theta = sign * (0..left.len()).map(|i| vector[i] * beyond(i)).sum::<f64>();
        let back = Inputs { left: pair.right.clone(), ..pair.clone() };
        let speeds = [eigenvalues(law, &pair)?, eigenvalues(law, &back)?].concat();
        let fastest = speeds.iter().fold(0.0, |fastest: f64, speed| fastest.max(speed.abs()));
        Ok(Found { pair, theta, fastest })
    };
    Ok([of(shock.pair.clone(), 1.0)?, of(shock.reversed(), -1.0)?])
}

/// The speeds of the wave on both sides of a shock at rest, from the least: those that are nearest to each other of those that change sign.
fn ends(law: &Law, shock: &Joined) -> Result<[f64; 2], Stop> {
    let mut sides = [eigenvalues(law, &shock.pair)?, eigenvalues(law, &shock.reversed())?];
    sides.iter_mut().for_each(|side| side.sort_by(f64::total_cmp));
    let [before, after] = &sides;
    let both = before.iter().zip(after).filter(|(before, after)| **before > 0.0 && **after < 0.0);
    both.map(|(before, after)| [*after, *before]).next().ok_or(Stop::Undecided)
}

#[cfg(test)]
mod tests;
