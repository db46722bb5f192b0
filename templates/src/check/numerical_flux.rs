//! Rule 3: every numerical flux is consistent, `f*(u, u, n) = F(u)·n`, and conservative,
//! `f*(l, r, n) = -f*(r, l, -n)`; then whether it dissipates
//! ([`dissipation`](super::dissipation)) and is continuous ([`continuity`](super::continuity)), in scalar laws between any two states
//! ([`scalar_flux`](super::scalar_flux)), in systems if it has one or two waves ([`signal_speeds`](super::signal_speeds)),
//! between states that a shock joins ([`isolated_shocks`](super::isolated_shocks)), or any wave, where it claims to be exact
//! ([`exact_waves`](super::exact_waves)); and whether it destroys entropy ([`entropy`](super::entropy)).

use std::collections::BTreeSet;

use super::trials::Trials;
use super::{
    Checker, branches, continuity, dissipation, entropy, exact_waves, isolated_shocks, scalar_flux, signal_speeds,
};
use crate::algebra::Rational;
use crate::derive::{Inputs, Number, Point, Points, Setting, Stop, both_are_admissible, text};
use crate::ir::{Claims, FunctionId, Law, Role, Warning};

/// The number of pairs of states at which consistency and conservation are tried.
const PAIRS: usize = 24;

/// The number of further pairs that are tried for branches that none of the first takes.
const RARE_PAIRS: usize = 400;

/// The number of pairs of small states at which damping is tried: a speed may have a product in place of a quotient.
const SMALL_PAIRS: usize = 8;

/// The number of further pairs that are tried for a wave that is the fastest in none of the others.
const FAST_PAIRS: usize = 48;

/// Checks the numerical fluxes that the law declares.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let declared: Vec<_> = law.with_role(|role| matches!(role, Role::NumericalFlux(_))).collect();
    if declared.is_empty() {
        return;
    }
    let mut source = Points::new(law, super::SEED + 1).over_ranges();
    let mut pairs: Vec<_> = (0..PAIRS).filter_map(|_| source.admissible()).collect();
    let mut small = Points::new(law, super::SEED + 10).over_ranges().of_small_states();
    let rare = (0..RARE_PAIRS).filter_map(|_| source.likely());
    let rarer = (0..RARE_PAIRS).filter_map(|_| small.likely());
    branches::cover(law, &declared, &mut pairs, rare.chain(rarer), |pair| both_are_admissible(law, pair));
    let more = (0..FAST_PAIRS).filter_map(|_| source.admissible());
    add_fastest(law, &mut pairs, more.flat_map(|pair| [exchanged(&pair), pair]));
    let damped: Vec<_> = pairs.iter().cloned().chain((0..SMALL_PAIRS).filter_map(|_| small.admissible())).collect();
    let mut trials = None;
    for id in declared {
        let before = checker.report.diagnostics.len();
        consistent(checker, id, &pairs);
        conservative(checker, id, &pairs);
        // The dissipation of a wrong flux means nothing, nor does it beside wrong eigenvalues.
        if checker.report.diagnostics.len() == before && !checker.eigenvalues_are_wrong {
            dissipates(checker, id, (&pairs, &damped), trials.get_or_insert_with(|| Trials::new(law)));
        }
    }
}

/// A pair with its sides exchanged.
fn exchanged(pair: &Point) -> Point {
    Inputs { left: pair.right.clone(), right: pair.left.clone(), ..pair.clone() }
}

/// Adds pairs of `more` in whose left state an eigenvalue is the fastest that is so in none of the others: a bound on the speeds may have
/// forgotten just that wave.
fn add_fastest(law: &Law, pairs: &mut Vec<Point>, more: impl Iterator<Item = Point>) {
    let Some(id) = law.only(&Role::Eigenvalues) else { return };
    // Several where they are equally fast, and none where nothing moves.
    let fastest = |point: &Point| {
        let speeds = point.map(Rational::to_f64).call(law, id).unwrap_or_default();
        let most = speeds.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
        (0..speeds.len()).filter(|&i| most > 0.0 && speeds[i].abs() == most).collect::<BTreeSet<_>>()
    };
    let mut seen: BTreeSet<usize> = pairs.iter().flat_map(fastest).collect();
    pairs.extend(more.filter(|pair| {
        let waves = fastest(pair);
        let is_new = !waves.is_subset(&seen);
        seen.extend(waves);
        is_new
    }));
}

/// The rules that hold a flux to more than consistency, until one of them has something to say: what it does wrong elsewhere has the same cause.
fn dissipates(checker: &mut Checker, id: FunctionId, (pairs, damped): (&[Point], &[Point]), trials: &Trials) {
    let law = checker.law;
    let Role::NumericalFlux(claims) = &law.function(id).role else { return };
    type Rule<'r> = &'r dyn Fn(&mut Checker);
    let first: [Rule; 2] = [&|checker| claimed(checker, id, claims, trials), &|checker| {
        dissipation::check(checker, id, claims.splitting, damped);
    }];
    let of_scalars: [Rule; 2] =
        [&|checker| scalar_flux::check(checker, id, trials), &|checker| continuity::check(checker, id, pairs, trials)];
    let of_systems: [Rule; 4] = [
        &|checker| signal_speeds::check(checker, id, trials),
        &|checker| isolated_shocks::check(checker, id, trials),
        &|checker| continuity::check(checker, id, pairs, trials),
        &|checker| entropy::check(checker, id, trials),
    ];
    // Entropy has no flux that a numerical flux without the product could be held to.
    let of_products: [Rule; 3] = [
        &|checker| signal_speeds::check(checker, id, trials),
        &|checker| isolated_shocks::check(checker, id, trials),
        &|checker| continuity::check(checker, id, pairs, trials),
    ];
    let others = match law.state.fields.len() {
        1 if law.only(&Role::Nonconservative).is_some() => &of_products[2..],
        _ if law.only(&Role::Nonconservative).is_some() => &of_products,
        1 => &of_scalars,
        _ => &of_systems,
    };
    let before = checker.report.diagnostics.len();
    for rule in first.iter().chain(others) {
        if checker.report.diagnostics.len() == before {
            rule(checker);
        }
    }
}

/// Holds a flux to the waves at which it claims to be exact.
fn claimed(checker: &mut Checker, id: FunctionId, claims: &Claims, trials: &Trials) {
    let law = checker.law;
    if law.only(&Role::Nonconservative).is_none() {
        exact_waves::check(checker, id, &claims.exact, trials);
    } else if !claims.exact.is_empty() {
        let name = &law.function(id).name;
        let message = format!("it could not be decided whether `{name}` is exact at isolated waves, as it claims");
        let note = "the compiler knows no jumps of a law with a non-conservative product; leave the claim out";
        checker.warning(Warning::Undecided, law.function(id).span, message, vec![note.into()]);
    }
}

fn consistent(checker: &mut Checker, id: FunctionId, points: &[Point]) {
    let name = &checker.law.function(id).name;
    let statement = format!("`{name}` is consistent: f*(u, u, n) = F(u)·n");
    let both = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let inputs = Inputs { right: inputs.left.clone(), ..inputs.clone() };
        Ok::<_, Stop>((setting.call(id, &inputs)?, setting.normal_flux(&inputs)?))
    };
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let (numerical, flux) = both(setting, inputs)?;
        Ok(numerical.into_iter().zip(&flux).map(|(a, b)| vec![a, setting.tower.neg(b)]).collect())
    };
    checker.claim(id, statement, points, &residuals, |checker, point, i| {
        let law = checker.law;
        let (mut setting, inputs) = Setting::constant(law, point);
        let mut notes = vec![format!("at {}", text::point(law, point, text::Show::StateAndNormal))];
        if let Ok((numerical, flux)) = both(&mut setting, &inputs) {
            let (numerical, flux) = (numerical[i].to_f64(), flux[i].to_f64());
            let show = text::apart(&[numerical], &[flux]);
            notes.push(format!("f*(u, u, n) is {}, F(u)·n is {}", show(numerical), show(flux)));
        }
        let (component, name) = (&law.state.fields[i].name, &law.function(id).name);
        let message =
            format!("`{name}` is not consistent: between two equal states its `{component}` is not that of the flux");
        checker.error(law.function(id).span, message, notes);
    });
}

fn conservative(checker: &mut Checker, id: FunctionId, points: &[Point]) {
    let name = &checker.law.function(id).name;
    let statement = format!("`{name}` is conservative: f*(l, r, n) = -f*(r, l, -n)");
    let both = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let there = setting.call(id, inputs)?;
        let (left, right) = (inputs.right.clone(), inputs.left.clone());
        let normal = inputs.normal.iter().map(|n| setting.tower.neg(n)).collect();
        let back = setting.call(id, &Inputs { left, right, normal, ..inputs.clone() })?;
        Ok::<_, Stop>((there, back))
    };
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let (there, back) = both(setting, inputs)?;
        Ok(there.into_iter().zip(back).map(|(a, b)| vec![a, b]).collect())
    };
    checker.claim(id, statement, points, &residuals, |checker, point, i| {
        let law = checker.law;
        let (mut setting, inputs) = Setting::constant(law, point);
        let place = format!("at {}", text::point(law, point, text::Show::BothStatesAndNormal));
        let values = both(&mut setting, &inputs).ok().map(|(there, back)| [there[i].to_f64(), back[i].to_f64()]);
        does_not_conserve(checker, id, i, values, vec![place]);
    });
}

/// A mistake in a component of a numerical flux, with its values f*(l, r, n) and f*(r, l, -n).
fn does_not_conserve(
    checker: &mut Checker,
    id: FunctionId,
    i: usize,
    values: Option<[f64; 2]>,
    mut notes: Vec<String>,
) {
    let law = checker.law;
    if let Some([there, back]) = values {
        let show = text::apart(&[there], &[-back]);
        notes.push(format!("f*(l, r, n) is {}, f*(r, l, -n) is {}", show(there), show(back)));
    }
    let (component, name) = (&law.state.fields[i].name, &law.function(id).name);
    let message = format!(
        "`{name}` does not conserve `{component}`: what leaves one element does not enter the other, \
         f*(l, r, n) = -f*(r, l, -n) does not hold"
    );
    checker.error(law.function(id).span, message, notes);
}

/// Reports a numerical flux that does not conserve a component between a state and that behind a wall, where few random pairs are: true
/// if it is reported.
pub(super) fn fails_at_wall(checker: &mut Checker, id: FunctionId, wall: FunctionId, point: &Point, i: usize) -> bool {
    let law = checker.law;
    let state = point.map(|value| value.to_f64());
    let values = || -> Result<_, Stop> {
        let pair = Inputs { right: state.call(law, wall)?, ..state.clone() };
        let normal = pair.normal.iter().map(|n| -n).collect();
        let back = Inputs { left: pair.right.clone(), right: pair.left.clone(), normal, ..pair.clone() };
        Ok(([pair.call(law, id)?[i], back.call(law, id)?[i]], pair))
    };
    let Ok((values, pair)) = values() else { return false };
    if (values[0] + values[1]).abs() <= 1e-9 * (values[0].abs() + values[1].abs()) {
        return false;
    }
    let place = format!("at {}", text::floats(law, &pair, text::Show::BothStatesAndNormal));
    let where_from = format!("this is a state and the one that `{}` puts behind it", law.function(wall).name);
    does_not_conserve(checker, id, i, Some(values), vec![place, where_from]);
    true
}

#[cfg(test)]
mod tests;
