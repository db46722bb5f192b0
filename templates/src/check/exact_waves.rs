//! Rule 3, fifth part: a numerical flux that claims to be exact at isolated contacts, shocks or rarefactions is.
//!
//! `#[numerical_flux(exact = contact)]` is held to it between states that such a wave joins
//! ([`isolated`](crate::derive::isolated)). The exact solution has the flux of the left state where the wave moves along n, that of the
//! right one where it moves against n, and within a rarefaction that spreads to both sides the flux of the sonic state.

use super::trials::Trials;
use super::{Checker, Method};
use crate::algebra::decimal;
use crate::derive::isolated::Joined;
use crate::derive::{Inputs, Stop, text};
use crate::ir::{FunctionId, Isolated, Law, Warning};

/// A difference of fluxes that is smaller than this part is the error of the states.
const ACCURACY: f64 = 1e-6;

/// Checks what a numerical flux claims.
pub fn check(checker: &mut Checker, id: FunctionId, claimed: &[Isolated], trials: &Trials) {
    let law = checker.law;
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    for wave in claimed {
        let what = match wave {
            Isolated::Contact => "contacts",
            Isolated::Shock => "shocks",
            Isolated::Rarefaction => "rarefactions",
        };
        let mut tried = 0;
        for joined in trials.joined(*wave) {
            let Ok(wrong) = wrong(law, id, joined) else { continue };
            tried += 1;
            let Some((i, found, right)) = wrong else { continue };
            let message = format!("`{name}` is not exact at isolated {what}, as it claims");
            // Six digits show what is meant.
            let place = joined.pair.map(|value| decimal(&text::real(*value)).unwrap_or_default());
            let show = text::apart(&[found], &[right]);
            let moves = match (wave, joined.speeds.map(text::real)) {
                (Isolated::Rarefaction, [tail, head]) => format!("this wave spreads at speeds from {tail} to {head}"),
                (_, [speed, _]) => format!("this jump moves at {speed}"),
            };
            let notes = vec![
                format!("at {}", text::point(law, &place, text::Show::BothStatesAndNormal)),
                format!(
                    "there its `{}` is {}, and that of the exact solution, in which {moves}, is {}",
                    law.state.fields[i].name,
                    show(found),
                    show(right)
                ),
            ];
            return checker.error(span, message, notes);
        }
        if tried > 0 {
            checker.proved(format!("`{name}` is exact at isolated {what}"), Method::FloatingPoint(tried));
        } else {
            let message = format!("it could not be decided whether `{name}` is exact at isolated {what}");
            let notes = vec![
                format!("no two states were found that one of the law's {what} joins"),
                format!("if all its waves are of another kind, leave the claim of {what} out"),
            ];
            checker.warning(Warning::Undecided, span, message, notes);
        }
    }
}

/// Whether a numerical flux is exact wherever one wave of this kind joins two of the states that are tried.
pub fn is_exact(law: &Law, id: FunctionId, wave: Isolated, trials: &Trials) -> bool {
    let mut tried = trials.joined(wave).iter().filter_map(|joined| wrong(law, id, joined).ok()).peekable();
    tried.peek().is_some() && tried.all(|wrong| wrong.is_none())
}

/// A component in which a numerical flux is not that of the exact solution, and both.
fn wrong(law: &Law, id: FunctionId, Joined { pair, at_face, .. }: &Joined) -> Result<Option<(usize, f64, f64)>, Stop> {
    let of = |state: &[f64]| Inputs { left: state.to_vec(), ..pair.clone() }.normal_flux(law);
    let (found, right) = (pair.call(law, id)?, of(at_face)?);
    let (behind, ahead) = (of(&pair.left)?, of(&pair.right)?);
    let scale = [&right, &behind, &ahead].into_iter().flatten().fold(0.0, |scale: f64, f| scale.max(f.abs()));
    let differs = (0..right.len()).find(|&i| (found[i] - right[i]).abs() > ACCURACY * scale);
    Ok(differs.map(|i| (i, found[i], right[i])))
}

#[cfg(test)]
mod tests;
