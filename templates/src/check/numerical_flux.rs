//! Rule 3: every numerical flux is consistent, `f*(u, u, n) = F(u)·n`, and conservative,
//! `f*(l, r, n) = -f*(r, l, -n)`; then whether it dissipates
//! ([`dissipation`](super::dissipation)), in scalar laws between any two states ([`scalar_flux`](super::scalar_flux)), in systems
//! if it has one or two waves ([`signal_speeds`](super::signal_speeds)), and
//! between states that one wave joins, where it claims to be exact ([`exact_waves`](super::exact_waves)); and
//! whether it destroys entropy ([`entropy`](super::entropy)).

use super::{Checker, branches, dissipation, entropy, exact_waves, scalar_flux, signal_speeds};
use crate::derive::{Inputs, Number, Point, Points, Setting, Stop, text};
use crate::ir::{FunctionId, Role};

/// The number of pairs of states at which consistency and conservation are tried.
const PAIRS: usize = 24;

/// The number of further pairs that are tried for branches that none of the first takes.
const RARE_PAIRS: usize = 400;

/// Checks the numerical fluxes that the law declares.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let declared: Vec<_> = law.with_role(|role| matches!(role, Role::NumericalFlux(_))).collect();
    if declared.is_empty() {
        return;
    }
    let mut source = Points::new(law, super::SEED + 1).over_ranges();
    let mut pairs: Vec<_> = (0..PAIRS).filter_map(|_| source.admissible()).collect();
    branches::cover(law, &declared, &mut pairs, (0..RARE_PAIRS).filter_map(|_| source.admissible()));
    for id in declared {
        let before = checker.report.diagnostics.len();
        consistent(checker, id, &pairs);
        conservative(checker, id, &pairs);
        // The dissipation of a wrong flux means nothing, nor does it beside wrong eigenvalues.
        if checker.report.diagnostics.len() == before && !checker.eigenvalues_are_wrong {
            dissipates(checker, id, &pairs);
        }
    }
}

fn dissipates(checker: &mut Checker, id: FunctionId, pairs: &[Point]) {
    let function = checker.law.function(id);
    let Role::NumericalFlux(claims) = &function.role else { return };
    let before = checker.report.diagnostics.len();
    dissipation::check(checker, id, claims.splitting, pairs);
    match checker.law.state.fields.len() {
        _ if checker.report.diagnostics.len() > before => {}
        1 => scalar_flux::check(checker, id),
        _ => {
            signal_speeds::check(checker, id);
            entropy::check(checker, id);
        }
    }
    exact_waves::check(checker, id, &claims.exact);
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
        let mut notes = vec![format!("at {}", text::point(law, point, text::Show::BothStatesAndNormal))];
        if let Ok((there, back)) = both(&mut setting, &inputs) {
            let (there, back) = (there[i].to_f64(), back[i].to_f64());
            let show = text::apart(&[there], &[-back]);
            notes.push(format!("f*(l, r, n) is {}, f*(r, l, -n) is {}", show(there), show(back)));
        }
        let (component, name) = (&law.state.fields[i].name, &law.function(id).name);
        let message = format!(
            "`{name}` does not conserve `{component}`: what leaves one element does not enter the other, \
             f*(l, r, n) = -f*(r, l, -n) does not hold"
        );
        checker.error(law.function(id).span, message, notes);
    });
}

#[cfg(test)]
mod tests;
