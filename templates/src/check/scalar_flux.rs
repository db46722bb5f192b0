//! Rule 3, third part: the numerical flux of a scalar law is monotone, or at least an E-flux.
//!
//! A monotone flux, `∂f*/∂l ≥ 0 ≥ ∂f*/∂r`, makes the scheme of degree 0 converge to the entropy solution (M. G. Crandall & A. Majda, Math.
//! Comp. 34 (1980) 1–21, <https://doi.org/10.1090/S0025-5718-1980-0551288-3>). So does an E-flux, `sign(r - l) (f* - F(u)·n) ≤ 0` for every
//! u between l and r (S. Osher, SIAM J. Numer. Anal. 21 (1984) 217–235, <https://doi.org/10.1137/0721016>), with the entropy inequality in
//! each element (G. Jiang & C.-W. Shu, Math. Comp. 62 (1994) 531–538, <https://doi.org/10.1090/S0025-5718-1994-1223232-7>).
//!
//! Roe's flux is an E-flux only where no wave spreads to both sides. Such a flux keeps some expansion shocks: a warning. One that
//! violates the inequality elsewhere is wrong.

use super::trials::{Pair, Trials};
use super::{Checker, Method};
use crate::derive::{Inputs, Point, monotone_ways, text};
use crate::ir::{FunctionId, Law, Warning};

/// The number of states between two that are tried.
const BETWEEN: usize = 16;

/// What is smaller than this part of the largest flux is rounding.
const ROUNDING: f64 = 1e-10;

/// A state between two on whose side of the flux the numerical flux must not be.
struct Violation {
    between: f64,
    flux: f64,
    numerical: f64,
    /// Whether waves move away from each other, or towards each other, between the two states.
    turns: bool,
}

/// Checks a numerical flux of a law of one component.
pub fn check(checker: &mut Checker, id: FunctionId, trials: &Trials) {
    let law = checker.law;
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    let (mut tried, mut monotone, mut expansion) = (0, true, None);
    // Between equal states a minimum of two fluxes has no derivatives.
    let pairs: Vec<&Pair> = trials.pairs.iter().filter(|pair| pair.point.left != pair.point.right).collect();
    for Pair { point, floats } in &pairs {
        let Ok(violation) = violation(law, id, floats) else { continue };
        tried += 1;
        monotone = monotone && is_monotone(law, id, floats);
        let Some(violation) = violation else { continue };
        let field = &law.state.fields[0].name;
        let show = text::apart(&[violation.numerical], &[violation.flux]);
        let mut notes = vec![
            format!("at {}", text::point(law, point, text::Show::BothStatesAndNormal)),
            format!(
                "f*(l, r, n) is {}, and F(u)·n is {} for {field} = {}, one of the two states or between them",
                show(violation.numerical),
                show(violation.flux),
                text::real(violation.between)
            ),
        ];
        if violation.turns {
            expansion = expansion.or(Some(notes));
            continue;
        }
        let message = format!(
            "`{name}` is no E-flux, sign(r - l) (f* - F(u)·n) ≤ 0 for u from l to r: it takes the flux from the wrong side, or damps too little"
        );
        let remedy = "the speed of Rusanov's flux must be at least |λ| at all states from l to r, not only at both, if the flux is neither \
                      convex nor concave, as that of the derived `rusanov` is";
        notes.push(remedy.into());
        return checker.error(span, message, notes);
    }
    if let Some(mut notes) = expansion {
        let message = format!("`{name}` keeps expansion shocks: it is no E-flux where waves move apart");
        notes.push("Godunov's flux, Engquist & Osher's and Rusanov's are E-fluxes; Roe's needs an entropy fix".into());
        checker.warning(Warning::ExpansionShocks, span, message, notes);
    } else if tried > 0 {
        let what = if monotone { "is monotone" } else { "is an E-flux" };
        let points: Vec<&Point> = pairs.iter().map(|pair| &pair.point).collect();
        let method = match monotone.then(|| monotone_ways(law, id, &points)).flatten() {
            Some(0) => Method::Symbolic,
            Some(ways) => Method::Branches(ways),
            None => Method::FloatingPoint(tried),
        };
        checker.proved(format!("`{name}` {what}"), method);
    }
}

/// The first violation of the inequality by a pair.
fn violation(law: &Law, id: FunctionId, pair: &Inputs<f64>) -> Result<Option<Violation>, crate::derive::Stop> {
    let (l, r) = (pair.left[0], pair.right[0]);
    let numerical = pair.call(law, id)?[0];
    let mut fluxes = Vec::with_capacity(BETWEEN + 1);
    for k in 0..=BETWEEN {
        let u = l + (r - l) * k as f64 / BETWEEN as f64;
        fluxes.push((u, Inputs { left: vec![u], ..pair.clone() }.normal_flux(law)?[0]));
    }
    let scale = fluxes.iter().fold(numerical.abs(), |scale, (_, flux)| scale.max(flux.abs()));
    let rises = fluxes.windows(2).any(|two| two[1].1 - two[0].1 > ROUNDING * scale);
    let falls = fluxes.windows(2).any(|two| two[0].1 - two[1].1 > ROUNDING * scale);
    let worst = fluxes.into_iter().map(|(u, flux)| ((numerical - flux) * (r - l).signum(), u, flux));
    let worst = worst.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(excess, ..)| *excess > ROUNDING * scale);
    Ok(worst.map(|(_, between, flux)| Violation { between, flux, numerical, turns: rises && falls }))
}

/// Whether the numerical flux rises with the left state and falls with the right one, at a pair.
fn is_monotone(law: &Law, id: FunctionId, pair: &Inputs<f64>) -> bool {
    pair.gradients(law, id).is_ok_and(|gradients| {
        let [left, right] = [gradients[0][0], gradients[0][1]];
        let rounding = ROUNDING * left.abs().max(right.abs());
        left >= -rounding && right <= rounding
    })
}

#[cfg(test)]
mod tests;
