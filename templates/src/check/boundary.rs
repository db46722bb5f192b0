//! Rule 4: the flux of components that a boundary declares impermeable vanishes, and a ghost state imposes as many data
//! as characteristics can enter.
//!
//! A component is impermeable when its numerical flux from any state to the ghost state vanishes, for every declared
//! numerical flux, for Rusanov's and for that of Harten, Lax & van Leer (1983).
//!
//! The number of data that a ghost state `g(u)` imposes is the rank of `I - ∂g/∂u`. A ghost state that copies the state
//! imposes none, and for one that prescribes all components the numerical flux selects those that matter: both are
//! right for some flow. A rank in between must be, at every state tried, the number of incoming characteristics
//! (negative eigenvalues in direction of the outward normal) of some admissible state. That it is the number of the
//! same state is not checked. A proved wall is exempt: what it reflects is no datum. A boundary that lets nothing of a component pass,
//! and does not say so, is offered to.
//! Components that diffuse take one datum each, whatever
//! enters: their value, or else their slope, which the scheme makes vanish.

use std::collections::BTreeSet;

use super::numerical_flux::fails_at_wall;
use super::symmetry::is_refuted;
use super::{Checker, Method, prove::Verdict, prove::prove, prove::sum, viscous};
use crate::algebra::Rational;
use crate::derive::{Dual, Inputs, Number, Points, Setting, Stop, Zero, eigenvalues, text};
use crate::ir::{FunctionId, Law, Role, Span, Type, Warning};

/// The number of states at which incoming characteristics are counted.
const STATES: usize = 32;

/// The same while a wanted count was not found, as few flows have it.
const RARE_STATES: usize = 400;

/// A speed below this part of the fastest is 0.
const ROUNDING: f64 = 1e-9;

/// Checks the boundaries of the law.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    for id in law.with_role(|role| matches!(role, Role::Boundary { .. })) {
        let Role::Boundary { impermeable } = &law.function(id).role else { continue };
        let mut is_wall = !impermeable.is_empty();
        // One proof for all components takes less time, and one for each says which passes.
        if impermeable.len() < 2 || !lets_none_pass(checker, id, impermeable) {
            for &(component, span) in impermeable {
                is_wall &= lets_nothing_pass(checker, id, component, span);
            }
        }
        // What a wall reflects is no datum: it may turn round more components than waves enter.
        if !is_wall && !checker.eigenvalues_are_wrong {
            let offer = if impermeable.is_empty() { wall_offered(checker, id) } else { None };
            imposes_what_enters(checker, id, offer);
        }
    }
}

/// The numerical fluxes that a wall is held to; `None` is Rusanov's and HLL, which come first: every law has them.
fn fluxes(checker: &Checker) -> Vec<Option<FunctionId>> {
    // A flux that is wrong itself may let anything pass.
    let right = |flux: &FunctionId| !is_refuted(checker, *flux);
    let declared = checker.law.with_role(|role| matches!(role, Role::NumericalFlux(_))).filter(right);
    std::iter::once(None).chain(declared.map(Some)).collect()
}

fn lets_nothing(law: &Law, id: FunctionId, component: usize, flux: Option<FunctionId>) -> String {
    let by = flux.map_or("Rusanov's flux and HLL", |flux| &law.function(flux).name);
    format!("`{}` lets no `{}` pass by {by}", law.function(id).name, law.state.fields[component].name)
}

/// What vanishes where these components do not pass a boundary by a flux.
fn passing(
    setting: &mut Setting,
    inputs: &Inputs<Number>,
    id: FunctionId,
    flux: Option<FunctionId>,
    (components, waves): (&[usize], Option<FunctionId>),
) -> Result<Vec<Vec<Number>>, Stop> {
    let inputs = Inputs { right: setting.call(id, inputs)?, ..inputs.clone() };
    if let Some(flux) = flux {
        let values = setting.call(flux, &inputs)?;
        return Ok(components.iter().map(|&component| vec![values[component].clone()]).collect());
    }
    let each = components.iter().map(|&component| central_fluxes(setting, &inputs, component, waves));
    Ok(each.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Whether it is proved of all components at once that their fluxes through a boundary vanish.
fn lets_none_pass(checker: &mut Checker, id: FunctionId, impermeable: &[(usize, Span)]) -> bool {
    let law = checker.law;
    let components: Vec<_> = impermeable.iter().map(|(component, _)| *component).collect();
    let waves = law.speeds().filter(|_| !checker.eigenvalues_are_wrong);
    let mut methods = Vec::new();
    for flux in fluxes(checker) {
        let residuals =
            |setting: &mut Setting, inputs: &Inputs<Number>| passing(setting, inputs, id, flux, (&components, waves));
        let Verdict::Holds(method) = prove(law, &checker.points, &residuals, &mut checker.taken) else { return false };
        methods.push((flux, method));
    }
    for &component in &components {
        for (flux, method) in &methods {
            checker.proved(lets_nothing(law, id, component, *flux), *method);
        }
    }
    true
}

/// Whether the flux of a component through a boundary vanishes, which is recorded or reported.
fn lets_nothing_pass(checker: &mut Checker, id: FunctionId, component: usize, span: Span) -> bool {
    let law = checker.law;
    let (name, field) = (&law.function(id).name, &law.state.fields[component].name);
    let points = checker.points.clone();
    let waves = law.speeds().filter(|_| !checker.eigenvalues_are_wrong);
    let mut decided = true;
    for flux in fluxes(checker) {
        let by = flux.map_or("Rusanov's flux and HLL", |flux| &law.function(flux).name);
        let statement = lets_nothing(law, id, component, flux);
        let residuals =
            |setting: &mut Setting, inputs: &Inputs<Number>| passing(setting, inputs, id, flux, (&[component], waves));
        match prove(law, &points, &residuals, &mut checker.taken) {
            // Rusanov's flux and HLL let nothing pass: the wall is right if the flux is wrong there.
            Verdict::Fails { point, .. }
                if flux.is_some_and(|flux| fails_at_wall(checker, flux, id, &point, component)) =>
            {
                decided = false;
            }
            // So it is if a warning says already what is wrong with the flux.
            Verdict::Fails { .. } if flux.is_some_and(|flux| checker.is_warned_of(law.function(flux).span)) => {
                decided = false;
            }
            Verdict::Fails { point, residual } => {
                let (mut setting, inputs) = Setting::constant(law, &point);
                let mut notes = vec![format!("at {}", text::point(law, &point, text::Show::StateAndNormal))];
                let passes = residuals(&mut setting, &inputs).and_then(|values| sum(&setting, &values[residual]));
                if let Ok(passes) = passes {
                    notes.push(format!("there {} of `{field}` passes by {by}", text::real(passes.to_f64())));
                }
                if flux.is_some() {
                    notes.push(format!("by Rusanov's flux and HLL nothing passes, so that {by} may be what is wrong"));
                }
                let message = format!("`{name}` lets `{field}` pass, which it declares impermeable");
                checker.error(span, message, notes);
                return false;
            }
            Verdict::Holds(method) => checker.proved(statement, method),
            Verdict::Undecided(_) => {
                decided = false;
                let message = format!("it could not be decided whether {statement}");
                checker.warning(
                    Warning::Undecided,
                    span,
                    message,
                    vec!["every state that was tried is inadmissible or undefined".into()],
                );
            }
        }
    }
    decided
}

/// The expressions that vanish if a component of Rusanov's flux and of HLL vanishes: `(F(u) + F(g))·n` and `g - u` for
/// the former; `s⁺ F(u)·n - s⁻ F(g)·n` for the latter, with the least and greatest eigenvalues of both states, or the bounds on them.
fn central_fluxes(
    setting: &mut Setting,
    inputs: &Inputs<Number>,
    component: usize,
    waves: Option<FunctionId>,
) -> Result<Vec<Vec<Number>>, Stop> {
    let ghost = Inputs { left: inputs.right.clone(), ..inputs.clone() };
    let inside = setting.normal_flux(inputs)?.swap_remove(component);
    let outside = setting.normal_flux(&ghost)?.swap_remove(component);
    let mut residuals = vec![
        vec![inside.clone(), outside.clone()],
        vec![ghost.left[component].clone(), setting.tower.neg(&inputs.left[component])],
    ];
    if let Some(id) = waves {
        let mut speeds = setting.call(id, inputs)?;
        speeds.extend(setting.call(id, &ghost)?);
        if setting.law.function(id).result == Type::Real {
            let backwards: Vec<_> = speeds.iter().map(|bound| setting.tower.neg(bound)).collect();
            speeds.extend(backwards);
        }
        let Some(first) = speeds.first().cloned() else { return Ok(residuals) };
        let (mut least, mut greatest) = (first.clone(), first);
        for speed in speeds {
            if setting.tower.less(&speed, &least)? {
                least = speed;
            } else if setting.tower.less(&greatest, &speed)? {
                greatest = speed;
            }
        }
        let a = setting.tower.mul(&greatest, &inside)?;
        let b = setting.tower.mul(&least, &outside)?;
        residuals.push(vec![a, setting.tower.neg(&b)]);
    }
    Ok(residuals)
}

/// A boundary that promises nothing may be a wall: the promise it could give, of the components that pass it nowhere by the fluxes that every
/// law has, though they pass elsewhere.
fn wall_offered(checker: &mut Checker, id: FunctionId) -> Option<String> {
    let law = checker.law;
    let (mut stops, mut flows) = (vec![true; law.state.fields.len()], vec![false; law.state.fields.len()]);
    let mut tried = 0;
    for point in &checker.points {
        let inner = point.map(Rational::to_f64);
        let Ok(passing) = passes(law, id, &inner) else { continue };
        tried += 1;
        for (i, (flux, passes)) in passing.into_iter().enumerate() {
            flows[i] |= flux;
            stops[i] &= !passes;
        }
    }
    if tried == 0 {
        return None;
    }
    let stopped: Vec<_> = (0..stops.len()).filter(|&i| stops[i] && flows[i]).collect();
    if stopped.is_empty() {
        return None;
    }
    let names: Vec<_> = stopped.iter().map(|&i| law.state.fields[i].name.as_str()).collect();
    let list = match &names[..] {
        [one] => (*one).to_owned(),
        several => format!("[{}]", several.join(", ")),
    };
    let offer = format!("`#[boundary(impermeable = {list})]`");
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    let statement = format!(
        "`{}` lets no {} pass by Rusanov's flux and HLL; {offer} holds all numerical fluxes to that",
        law.function(id).name,
        quoted.join(", ")
    );
    checker.proved(statement, Method::FloatingPoint(tried));
    Some(offer)
}

/// For each component whether it has a flux at a state, and whether it passes a boundary there by Rusanov's flux or HLL, in double precision.
fn passes(law: &Law, id: FunctionId, inner: &Inputs<f64>) -> Result<Vec<(bool, bool)>, Stop> {
    let outer = Inputs { left: inner.call(law, id)?, ..inner.clone() };
    let (inside, outside) = (inner.normal_flux(law)?, outer.normal_flux(law)?);
    let speeds = [eigenvalues(law, inner)?, eigenvalues(law, &outer)?].concat();
    let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
    let most = speeds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let equal = |a: f64, b: f64| (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
    let of = |i: usize| {
        let stops = equal(inside[i], -outside[i])
            && equal(inner.left[i], outer.left[i])
            && equal(most * inside[i], least * outside[i]);
        (inside[i] != 0.0, !stops)
    };
    Ok((0..inside.len()).map(of).collect())
}

/// A mistake names the promise that a wall could give instead.
fn imposes_what_enters(checker: &mut Checker, id: FunctionId, offer: Option<String>) {
    let law = checker.law;
    let m = law.state.fields.len();
    if law.speeds().is_none() {
        return; // rule 7 reports it
    }
    let ranks: Vec<usize> = checker
        .points
        .iter()
        .filter_map(|point| {
            // A rank to some 70 digits: with roots, as inlets have them, exact arithmetic takes a hundred times the work.
            let (mut setting, inputs) = Setting::approximate(law, point);
            imposed(&mut setting, &inputs, id).ok()
        })
        .collect();
    let distinct: BTreeSet<usize> = ranks.iter().copied().collect();
    let partial: BTreeSet<usize> = distinct.iter().copied().filter(|rank| (1..m).contains(rank)).collect();
    let waves = entering(law, &partial);
    let diffusing = viscous::diffusing(law, &checker.points);
    let taken: BTreeSet<usize> =
        if diffusing.is_empty() { waves.clone() } else { waves.iter().copied().chain(0..=diffusing.len()).collect() };
    let function = law.function(id);
    let name = &function.name;
    if waves.is_empty() || ranks.is_empty() {
        let message =
            format!("it could not be decided whether `{name}` imposes as many data as characteristics can enter");
        let reason = "no state was found at which the ghost state has derivatives and the eigenvalues are known";
        checker.warning(Warning::Undecided, function.span, message, vec![reason.into()]);
        return;
    }
    let list = |numbers: &BTreeSet<usize>| numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    let wrong = &partial - &taken;
    if wrong.is_empty() {
        let statement = format!("`{name}` imposes {} data, as some flow takes them", list(&distinct));
        checker.proved(statement, Method::FloatingPoint(ranks.len()));
        return;
    }
    let imposed = list(&wrong);
    let (message, note) = if diffusing.is_empty() {
        (
            format!("`{name}` imposes {imposed} data, but {} characteristics can enter", list(&waves)),
            "the data imposed are the rank of I - ∂ghost/∂u; write the ghost state with the components that leave \
             taken from the interior state"
                .to_owned(),
        )
    } else {
        let of_diffusion: Vec<_> = diffusing.iter().map(|&i| format!("`{}`", law.state.fields[i].name)).collect();
        let of_waves = list(&waves);
        (
            format!("`{name}` imposes {imposed} data, but this law takes {} at a boundary", list(&taken)),
            format!(
                "{of_waves} waves can enter, each with a datum, and what diffuses takes one of its own: {}. The data \
                 imposed are the rank of I - ∂ghost/∂u: take all other components from the interior state, and write \
                 `2.0 * value - u.{}` for a value at the boundary",
                of_diffusion.join(", "),
                law.state.fields[diffusing[0]].name
            ),
        )
    };
    let wall = offer.map(|offer| format!("if it is a wall, let it promise so: {offer}"));
    checker.error(function.span, message, [note].into_iter().chain(wall).collect());
}

/// The numbers of characteristics that enter at random states: those of negative speed, with and without those of speed
/// 0. More states are tried while a wanted number was not found.
fn entering(law: &Law, wanted: &BTreeSet<usize>) -> BTreeSet<usize> {
    let mut counts = BTreeSet::new();
    let mut source = Points::new(law, super::SEED + 3);
    for i in 0..RARE_STATES {
        if i >= STATES && wanted.is_subset(&counts) {
            break;
        }
        let Some(point) = source.likely() else { continue };
        let Ok(speeds) = eigenvalues(law, &point.map(Rational::to_f64)) else { continue };
        let rounding = ROUNDING * speeds.iter().fold(0.0_f64, |most, speed| most.max(speed.abs()));
        let below = |limit: f64| speeds.iter().filter(|speed| **speed <= limit).count();
        counts.extend([below(-rounding), below(rounding)]);
    }
    counts
}

/// The rank of `I - ∂g/∂u`.
fn imposed(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<usize, Stop> {
    let m = inputs.left.len();
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
    let ghost = setting.call_dual(id, &duals)?;
    let tower = &setting.tower;
    let mut rows = Vec::with_capacity(m);
    for (i, g) in ghost.iter().enumerate() {
        let entry = |j: usize| {
            let unit = Number::Rational(Rational::from(i64::from(i == j)));
            tower.sub(&unit, &g.partial(j))
        };
        rows.push((0..m).map(entry).collect::<Result<Vec<_>, _>>()?);
    }
    let mut rank = 0;
    for column in 0..m {
        let Some(pivot) = (rank..m).find(|&i| rows[i][column].zero() == Zero::No) else { continue };
        rows.swap(rank, pivot);
        for i in rank + 1..m {
            let factor = tower.div(&rows[i][column], &rows[rank][column])?;
            for j in column..m {
                rows[i][j] = tower.sub(&rows[i][j], &tower.mul(&factor, &rows[rank][j])?)?;
            }
        }
        rank += 1;
    }
    Ok(rank)
}

#[cfg(test)]
mod tests;
