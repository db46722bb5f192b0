//! Rule 3, seventh part: numerical fluxes of systems at isolated shocks.
//!
//! A shock of speed s joins l and r. In the basis of eigenvectors of the mean flux Jacobian between both, whose left eigenvector ℓ belongs to
//! the jump `r - l`, a numerical flux is `F(l)·n + θ (r - l) + …`. As an E-flux of a scalar law does (S. Osher, SIAM J. Numer. Anal. 21 (1984)
//! 217–235, <https://doi.org/10.1137/0721016>), it has to have `θ ≤ min(s, 0)`, the value of the exact solution, in both orders of the states:
//! a θ above is the flux of a signal that the shock outruns. Godunov's flux, Roe's, HLL, HLLC with speeds of both sides, Rusanov's and
//! the splittings of van Leer and of Steger & Warming keep to that.
//!
//! Beside a non-conservative product f* stands for the flux and half the product at the jump.
//!
//! A shock at rest in the other order is an expansion shock, which a flux that keeps `F(l)·n` between these states keeps for ever, as Roe's
//! does without an entropy fix (A. Harten & J. M. Hyman, J. Comput. Phys. 50 (1983) 235–269,
//! <https://doi.org/10.1016/0021-9991(83)90066-9>).

use super::trials::Trials;
use super::{Checker, Method};
use crate::derive::isolated::Joined;
use crate::derive::{Inputs, Stop, eigenvalues, text};
use crate::ir::{FunctionId, Law, Warning};

/// A θ that is too large by less than this part of the fastest wave is the error of a good estimate of the shock's speed.
const SLACK: f64 = 0.01;

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
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    let mut tried = 0;
    for shock in trials.joined(crate::ir::Isolated::Shock).iter().chain(trials.standing_shocks()) {
        let Ok(both) = both_orders(law, id, shock) else { continue };
        tried += 1;
        let [speed, _] = shock.speeds;
        for (found, what) in both.into_iter().zip(["a shock", "an expansion that moves like a shock"]) {
            if found.theta <= speed.min(0.0) + SLACK * found.fastest {
                continue;
            }
            let message = format!("`{name}` has slower signals than the law has waves");
            let show = text::apart(&[found.theta], &[speed.min(0.0)]);
            let notes = vec![
                format!("at {}", text::floats(law, &found.pair, text::Show::BothStatesAndNormal)),
                format!(
                    "there {what} of speed {} joins the states: along it the numerical flux is F(l)·n + θ (r - l) with θ = {}, and \
                     should have θ ≤ min(speed, 0)",
                    text::real(speed),
                    show(found.theta)
                ),
                "no shock outruns signal speeds and damping that take both states into account, or a mean between them"
                    .into(),
            ];
            return checker.warning(Warning::SlowSignals, span, message, notes);
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
