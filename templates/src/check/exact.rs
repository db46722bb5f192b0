//! Rule 5: every `#[exact]` solution satisfies `∂u/∂t + Σ_d ∂(F_d(u) - G_d(u, ∇u))/∂x_d + Σ_d B_d(u) ∂u/∂x_d = S`, a manufactured one with its derived
//! source.
//!
//! Points lie at several scales around the origin. A solution in closed form holds as long as it is defined, and is
//! tried up to time 1. One that iterates towards its values is tried up to time 1/8, and the statement says so: many
//! such solutions form a shock later, which the language cannot express.

use super::prove::{Verdict, prove, sum};
use super::{Checker, POINTS, branches, exact_jumps};
use crate::algebra::{Rational, rational};
use crate::derive::{Dual, Inputs, Number, Point, Points, Setting, Stop, Wide, budget, is_admissible, text};
use crate::ir::{FunctionId, Law, Role, Warning};
use crate::medium;

/// The number of points for a solution that only floating point can evaluate.
const FLOATING_POINTS: usize = 32;

/// The most positions that are tried to find points where the solution is admissible.
const TRIES: usize = 200;

/// The time up to which a solution in closed form is tried, and one that iterates.
const LATE: f64 = 1.0;
const EARLY: f64 = 0.125;

/// Checks the exact solutions that the law declares.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    for id in law.with_role(|role| matches!(role, Role::Exact { .. })) {
        let derived = law.only(&Role::ManufacturedSource { of: id });
        let mut points = points(law, id);
        let closed = !is_too_large(law, id, points.first());
        if closed {
            points.truncate(POINTS);
            points.extend(far_and_late(law, id, &points));
            let mut source = Points::new(law, super::SEED + 17).over_ranges();
            let mut wide = Wide::new(law, super::SEED + 18, Vec::new());
            let mut near =
                || wide.position(1.0).into_iter().filter_map(|x| rational((64.0 * x).round() / 64.0)).collect();
            // First far and late, then early within 1 of the axes, for small spots.
            let rare = (0..3 * TRIES).map(|i| {
                let point = source.any();
                if i < TRIES { moved(&point, 1) } else { Point { position: near(), ..point } }
            });
            branches::cover(law, &[id], &mut points, rare, |point| is_defined(law, id, point));
        }
        let name = &law.function(id).name;
        let until = if closed { "" } else { " up to time 1/8" };
        let with = if derived.is_some() { " with the source that is derived for it" } else { "" };
        let statement = if law.steady().any(|steady| steady == id) {
            format!("`{name}` is steady: flux and source balance in it{until}")
        } else {
            format!("`{name}` satisfies the law{with}{until}")
        };
        let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs, id, derived);
        if derived.is_some() {
            warn_of_no_source(checker, id, &points);
        }
        checker.claim(id, statement, &points, &residuals, |checker, point, i| {
            let (mut setting, inputs) = Setting::approximate(law, point);
            let mut notes = vec![format!("at {}", text::point(law, point, text::Show::PositionAndTime))];
            let component = &law.state.fields[i].name;
            let value = residuals(&mut setting, &inputs).and_then(|values| sum(&setting, &values[i]));
            if let Ok(value) = value {
                let product = law.only(&Role::Nonconservative).map_or("", |_| " + Σ B_d ∂u/∂x_d");
                let has_source = law.only(&Role::Source).is_some() || derived.is_some();
                let viscous = law.only(&Role::ViscousFlux).map_or("", |_| " - Σ ∂G_d/∂x_d");
                let formula = format!("∂u/∂t + Σ ∂F_d/∂x_d{viscous}{product}{}", if has_source { " - S" } else { "" });
                notes.push(format!("there {formula} of `{component}` is {}, not 0", text::real(value.to_f64())));
            }
            let name = &law.function(id).name;
            let message =
                format!("`{name}` is no solution of the law: its `{component}` does not satisfy the equation");
            if derived.is_none() {
                notes.push(MANUFACTURED.into());
            }
            checker.error(law.function(id).span, message, notes);
        });
        // Jumps between branches of a manufactured solution are in no source, and none are known of a law with a product or viscosity.
        if derived.is_none()
            && law.only(&Role::Nonconservative).is_none()
            && law.only(&Role::ViscousFlux).is_none()
            && !checker.has_error_at(law.function(id).span)
        {
            exact_jumps::check(checker, id, if closed { LATE } else { EARLY });
        }
    }
}

const MANUFACTURED: &str =
    "a function that a source of its own is to make a solution is marked `#[exact(manufactured)]`";

/// Warns of a manufactured solution that needs no source.
fn warn_of_no_source(checker: &mut Checker, id: FunctionId, points: &[Point]) {
    let alone = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs, id, None);
    if let Verdict::Holds(_) = prove(checker.law, points, &alone, &mut checker.taken) {
        let solution = checker.law.function(id);
        let message =
            format!("`{}` is a solution of the law as it stands: the source that is derived is zero", solution.name);
        checker.warning(
            Warning::NeedlessManufactured,
            solution.span,
            message,
            vec!["`#[exact]` says the same, and has it proved".into()],
        );
    }
}

/// The terms of `∂u/∂t + Σ_d ∂F_d(u)/∂x_d + Σ_d B_d(u) ∂u/∂x_d - S(u)` of every component, less those of a further source.
fn residuals(
    setting: &mut Setting,
    inputs: &Inputs<Number>,
    id: FunctionId,
    derived: Option<FunctionId>,
) -> Result<Vec<Vec<Number>>, Stop> {
    let law = setting.law;
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.position = inputs.position.iter().enumerate().map(|(d, x)| Dual::variable(x.clone(), d)).collect();
    duals.time = Dual::variable(inputs.time.clone(), law.dim);
    let mut at_solution = inputs.clone();
    if let Some(given) = medium::of_solutions(law) {
        let fields = setting.call_dual(given, &duals)?;
        for (i, field) in fields.into_iter().enumerate() {
            at_solution.parameters[i] = field.value.clone();
            duals.parameters[i] = field;
        }
    }
    let state = setting.call_dual(id, &duals)?;
    at_solution.left = state.iter().map(|u| u.value.clone()).collect();
    let mut products = Vec::new();
    if let Some(product) = law.only(&Role::Nonconservative) {
        let changing = || state.iter().chain(&duals.parameters[..law.medium.fields.len()]);
        for direction in 0..law.dim {
            let axis = |d: usize| Number::Rational(Rational::from(i64::from(d == direction)));
            let right = changing().map(|value| value.partial(direction)).collect();
            let normal = (0..law.dim).map(axis).collect();
            products.push(setting.call(product, &Inputs { right, normal, ..at_solution.clone() })?);
        }
    }
    let rates: Vec<_> = state.iter().map(|u| u.partial(law.dim)).collect();
    duals.left = state;
    let flux = match law.only(&Role::Flux) {
        Some(flux) => setting.call_dual(flux, &duals)?,
        None => return Ok(Vec::new()),
    };
    let mut sources = Vec::new();
    for source in law.only(&Role::Source).into_iter().chain(derived) {
        sources.push(setting.call(source, &at_solution)?);
    }
    let diffusion = setting.diffusion(id, inputs)?;
    let m = law.state.fields.len();
    let mut residuals = Vec::with_capacity(m);
    for (i, rate) in rates.into_iter().enumerate() {
        let mut terms = vec![rate];
        terms.extend((0..law.dim).map(|d| flux[d * m + i].partial(d)));
        terms.extend(diffusion[i].iter().map(|term| setting.tower.neg(term)));
        terms.extend(products.iter().map(|product| product[i].clone()));
        terms.extend(sources.iter().map(|source| setting.tower.neg(&source[i])));
        residuals.push(terms);
    }
    Ok(residuals)
}

/// Whether exact arithmetic is out of reach at a point.
fn is_too_large(law: &Law, id: FunctionId, point: Option<&Point>) -> bool {
    point.is_some_and(|point| {
        let (mut setting, inputs) = Setting::constant(law, point);
        matches!(residuals(&mut setting, &inputs, id, None), Err(Stop::TooLarge))
    })
}

/// Points where the solution is defined and admissible, or at the edge of that.
fn points(law: &Law, id: FunctionId) -> Vec<Point> {
    let mut source = Points::new(law, super::SEED + 2).over_ranges();
    let mut found = Vec::new();
    for _ in 0..TRIES {
        if found.len() == FLOATING_POINTS || !found.is_empty() && budget::is_exhausted() {
            break;
        }
        found.extend(Some(source.any()).filter(|point| is_defined(law, id, point)));
    }
    found
}

/// The points at 1, 4, 16 or 64 times their distance and at 8 times their time, if the solution is defined there.
fn far_and_late(law: &Law, id: FunctionId, points: &[Point]) -> Vec<Point> {
    let moved = points.iter().zip([4, 16, 64, 1].iter().cycle()).map(|(point, &scale)| moved(point, scale));
    moved.filter(|point| is_defined(law, id, point)).collect()
}

/// A point at so many times its distance and at 8 times its time.
fn moved(point: &Point, scale: i64) -> Point {
    let position = point.position.iter().map(|x| x * &Rational::from(scale)).collect();
    Point { position, time: &point.time * &Rational::from(8), ..point.clone() }
}

fn is_defined(law: &Law, id: FunctionId, point: &Point) -> bool {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let Ok(state) = setting.call(id, &inputs) else { return false };
    // Admissibility is tested at a rational state near the exact one, which may contain roots.
    let nearby = state.iter().map(|u| rational(u.to_f64())).collect::<Option<Vec<_>>>();
    nearby.is_some_and(|left| {
        let point = Inputs { left, ..point.clone() };
        is_admissible(law, &point) || point.map(Rational::to_f64).is_on_edge(law)
    })
}

#[cfg(test)]
mod tests;
