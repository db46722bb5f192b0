//! Rule 7, second part: no admissible state makes a function that takes a state divide by zero or take the root of a
//! negative number.
//!
//! The proof, if one is found, uses the signs of the quantities that `#[admissible]` returns. First, states with
//! components that are zero or of either sign are tried, then those between (`zeros`). If none fails and no proof is
//! found, the record says at how many states everything is defined. What a more careful `#[admissible]` would refuse is
//! one mistake. A function that also takes a position or a time counts as defined at a state if it is defined somewhere,
//! since `#[admissible]` cannot refuse positions or times.

mod zeros;

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, Method, SEED};
use crate::algebra::{Rational, rational};
use crate::derive::{
    Inputs, Number, Origin, Parameters, Point, Points, Setting, Stop, Undefined, budget, is_defined, origins, text,
};
use crate::ir::{BinaryOp, Expr, ExprId, ExprKind, Function, FunctionId, Law, MathFn, Role, Span, Type, Warning};

/// The number of random states; each is also tried with every single component set to zero or negated.
const STATES: usize = 24;

/// The number of positions and times that a state is tried with.
const PLACES: usize = 4;

/// A state at which an operation is undefined.
struct Failure {
    point: At,
    /// The function that was called.
    function: FunctionId,
    /// The operation.
    place: Span,
    stop: Stop,
}

/// The state of a failure.
enum At {
    /// One that was tried.
    Tried(Box<Point>),
    /// One between two that were tried, to rounding.
    Between(Box<Inputs<f64>>),
}

/// Tries extreme admissible states.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let mut points = Points::new(law, SEED + 4).over_ranges();
    let mut tried = 0;
    let mut failures: Vec<Failure> = Vec::new();
    let share = budget::Share::begin();
    let functions: Vec<_> = law.with_role(takes_a_state).collect();
    let mut defined = vec![false; functions.len()];
    let mut right = None;
    let random: Vec<_> = (0..STATES).map(|_| points.any()).collect();
    // The checker's points are admissible, even if hardly any random state is.
    for base in random.iter().chain(&checker.points) {
        if tried > 0 && share.is_exhausted() {
            break;
        }
        for mut point in variants(base) {
            match admissible(law, &point) {
                Ok(false) => continue,
                Ok(true) => tried += 1,
                Err(failure) => failures.push(failure),
            }
            // The state before, unless it is inadmissible for the parameters of this point.
            let before = right.replace(point.left.clone()).map(|left| Point { left, ..point.clone() });
            let before = before.filter(|before| matches!(admissible(law, before), Ok(true)));
            point.right = before.map_or_else(|| point.left.clone(), |before| before.left);
            for (id, defined) in functions.iter().zip(&mut defined) {
                match call_somewhere(law, *id, &point, &mut points) {
                    Ok(()) => *defined = true,
                    Err(failure) => failures.push(failure),
                }
            }
        }
    }
    if tried == 0 && failures.is_empty() {
        return; // that there is no admissible state is said elsewhere
    }
    for (&id, _) in functions.iter().zip(&defined).filter(|(_, defined)| !**defined) {
        if takes_a_place(law, id) {
            // The cause may be the position or the time rather than the state.
            failures.retain(|failure| failure.function != id);
            let (name, span) = (&law.function(id).name, law.function(id).span);
            undecided(checker, span, &format!("`{name}` is"), "it is undefined at all positions that were tried");
        }
    }
    if failures.is_empty() && !checker.points.is_empty() {
        let somewhere = functions.iter().zip(&defined).filter(|(id, defined)| **defined || !takes_a_place(law, **id));
        failures = zeros::find(checker, &somewhere.map(|(id, _)| *id).collect::<Vec<_>>());
    }
    // A vanishing denominator causes most negative radicands: other mistakes show once it is guarded.
    let divides = failures.iter().any(|failure| failure.stop == Stop::DivisionByZero);
    failures.retain(|failure| !divides || failure.stop == Stop::DivisionByZero);
    blame(checker, &failures);
    if failures.is_empty() {
        record(checker, functions, tried);
    }
}

/// Records for each function how it is known to be defined, if none was found undefined.
fn record(checker: &mut Checker, functions: Vec<FunctionId>, tried: usize) {
    let law = checker.law;
    let has_parameters = !law.parameters.fields.is_empty();
    let (of_sign, rest): (Vec<_>, Vec<_>) =
        functions.into_iter().partition(|&id| is_proved(checker, id, Parameters::OfSign));
    let (by_default, rest): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|&id| has_parameters && is_proved(checker, id, Parameters::Default));
    let signs = if has_parameters { ", whatever the parameters if they have the signs of their defaults" } else { "" };
    for (functions, condition, method) in [
        (of_sign, signs, Method::Symbolic),
        (by_default, ", with the default parameters", Method::Symbolic),
        (rest, "", Method::FloatingPoint(tried)),
    ] {
        let names: Vec<_> = functions.iter().map(|&id| format!("`{}`", law.function(id).name)).collect();
        if !names.is_empty() {
            let verb = if names.len() == 1 { "is" } else { "are" };
            checker.proved(format!("{} {verb} defined at all admissible states{condition}", names.join(", ")), method);
        }
    }
}

/// Whether it is proved that a function is defined.
fn is_proved(checker: &Checker, id: FunctionId, parameters: Parameters) -> bool {
    let found = checker.points.iter().find_map(|point| match is_defined(checker.law, id, point, parameters) {
        Err(Stop::TooLarge) => Some(false),
        // A number vanishes at this point that is not zero elsewhere.
        Err(_) => None,
        Ok(proved) => Some(proved),
    });
    found.unwrap_or(false)
}

pub(super) fn takes_a_state(role: &Role) -> bool {
    match role {
        Role::Flux
        | Role::Nonconservative
        | Role::Jump
        | Role::ViscousFlux
        | Role::Eigenvalues
        | Role::WaveSpeed
        | Role::MinimumPrinciple
        | Role::Source
        | Role::Boundary { .. }
        | Role::BoundaryFlux { .. }
        | Role::NumericalFlux(_)
        | Role::Output => true,
        Role::Helper
        | Role::Admissible
        | Role::Medium
        | Role::Initial
        | Role::Exact { .. }
        | Role::ManufacturedSource { .. }
        | Role::Variables => false,
    }
}

/// Whether a function takes a position or a time.
pub(super) fn takes_a_place(law: &Law, id: FunctionId) -> bool {
    law.function(id).signature().any(|ty| matches!(ty, Type::Point | Type::Real))
}

fn undecided(checker: &mut Checker, span: Span, subject: &str, reason: &str) {
    let message = format!("it could not be decided whether {subject} defined at all admissible states");
    checker.warning(Warning::Undecided, span, message, vec![reason.into()]);
}

/// Calls a function at a state, and at several positions and times where it takes them.
fn call_somewhere(law: &Law, id: FunctionId, point: &Point, source: &mut Points) -> Result<(), Failure> {
    let mut result = call(law, id, point);
    for _ in 1..if takes_a_place(law, id) { PLACES } else { 1 } {
        if result.is_ok() {
            break;
        }
        let Point { position, time, .. } = source.any();
        result = call(law, id, &Point { position, time, ..point.clone() });
    }
    match result {
        // In floating point the angle of the vector (0, 0) is defined.
        Err(failure) if is_angle(law, failure.place) => Ok(()),
        result => result.map(drop),
    }
}

fn is_angle(law: &Law, place: Span) -> bool {
    let angle = |expr: &Expr| expr.span == place && matches!(expr.kind, ExprKind::Math(MathFn::Atan2, _));
    law.functions.iter().any(|function| function.exprs.iter().any(angle))
}

/// Calls a function at a point of rational numbers, in floating point, where no expression is too large.
fn call(law: &Law, id: FunctionId, point: &Point) -> Result<Vec<Number>, Failure> {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let result = setting.call(id, &inputs);
    result.map_err(|stop| Failure {
        point: At::Tried(Box::new(point.clone())),
        function: id,
        place: setting.tower.place,
        stop,
    })
}

/// Whether the quantities of `#[admissible]` are positive; if the law has none, all states are admissible. One of them
/// can refuse a state even where another is undefined.
fn admissible(law: &Law, point: &Point) -> Result<bool, Failure> {
    let Some(id) = law.only(&Role::Admissible) else { return Ok(true) };
    // Double precision refuses most states, and costs little.
    if point
        .map(Rational::to_f64)
        .call(law, id)
        .is_ok_and(|quantities| quantities.iter().any(|&quantity| quantity < 0.0))
    {
        return Ok(false);
    }
    let (mut setting, inputs) = Setting::approximate(law, point);
    let quantities = setting.call_lazily(id, &inputs);
    if quantities.iter().flatten().any(|quantity| !quantity.is_positive()) {
        return Ok(false);
    }
    let undefined = quantities.into_iter().find_map(Result::err);
    undefined.map_or(Ok(true), |Undefined { stop, place }| {
        Err(Failure { point: At::Tried(Box::new(point.clone())), function: id, place, stop })
    })
}

/// A point of floating-point numbers as one of rational numbers; its normal has the length 1 to rounding alone.
fn exactly(point: &Inputs<f64>) -> Option<Point> {
    let all = |values: &[f64]| values.iter().map(|&value| rational(value)).collect::<Option<Vec<_>>>();
    Some(Inputs {
        parameters: all(&point.parameters)?,
        left: all(&point.left)?,
        right: all(&point.right)?,
        normal: all(&point.normal)?,
        position: all(&point.position)?,
        time: rational(point.time)?,
    })
}

fn variants(base: &Point) -> impl Iterator<Item = Point> {
    let changed = |i: usize, value: Rational| {
        let mut point = base.clone();
        point.left[i] = value;
        point
    };
    let zero = (0..base.left.len()).map(move |i| changed(i, Rational::from(0)));
    let negative = (0..base.left.len()).map(move |i| changed(i, -base.left[i].clone()));
    std::iter::once(base.clone()).chain(zero).chain(negative)
}

/// Reports operations that are undefined: one mistake for all that `#[admissible]` can mend.
fn blame(checker: &mut Checker, failures: &[Failure]) {
    let law = checker.law;
    let mut blamed: BTreeMap<String, Option<Span>> = BTreeMap::new();
    let mut first_to_refuse: Option<usize> = None;
    for failure in failures {
        let Failure { point, function: id, place, stop } = failure;
        let culprit = operation(law, *place).map(|(function, _)| function);
        let operand = culprit.and_then(|culprit| Some((culprit, operand(law.function(culprit), *place)?)));
        let (what, span) = match operand {
            Some((culprit, operand)) => (operand_text(law, *id, culprit, operand), expr_span(law, culprit, operand)),
            None => (format!("a term of `{}`", law.function(*id).name), law.function(*id).span),
        };
        if let Some(own) = blamed.get(&what) {
            checker.undefined.extend(own.map(|span| (span, *id)));
            continue;
        }
        blamed.insert(what.clone(), None);
        let problem = match stop {
            Stop::DivisionByZero => "zero, and is divided by",
            Stop::NegativeRoot => "negative, and its root is taken",
            Stop::NotPositive => "zero or negative, and its logarithm or power is taken",
            Stop::TooLarge | Stop::Undecided | Stop::Literal => {
                let name = &law.function(*id).name;
                let reason = format!("the states that were tried met {stop}");
                undecided(checker, span, &format!("`{name}` is"), &reason);
                continue;
            }
        };
        let origins = origins(law, *id).remove(place).unwrap_or_default();
        let modal = if origins.is_empty() { "is" } else { "can be" };
        let remedy = remedy(law, &origins, &what);
        let diagnostics = &mut checker.report.diagnostics;
        if let (Remedy::Refuse(_), Some(first)) = (&remedy, first_to_refuse) {
            diagnostics[first].notes.push(format!("{what} {modal} {problem}, too"));
            continue;
        }
        if matches!(remedy, Remedy::Refuse(_)) {
            first_to_refuse = Some(diagnostics.len());
        } else {
            blamed.insert(what.clone(), Some(span));
            checker.undefined.push((span, *id));
        }
        let (Remedy::Refuse(remedy) | Remedy::Other(remedy)) = remedy;
        let message = format!("{what} {modal} {problem}: {remedy}");
        let show = if origins.contains(&Origin::Right) { text::Show::BothStates } else { text::Show::State };
        let note = match point {
            At::Tried(point) => format!("at {}", text::point(law, point, show)),
            At::Between(point) => format!("near {}, where it changes its sign", text::floats(law, point, show)),
        };
        checker.error(span, message, vec![note]);
    }
}

/// The longest text of an operand in terms of what its function is given.
const READABLE: usize = 60;

/// An operand in terms that the author of `#[admissible]` can use: fields rather than variables, unless that is long.
fn operand_text(law: &Law, called: FunctionId, function: FunctionId, operand: ExprId) -> String {
    let inlined = text::inlined_from(law, called, function, operand);
    let short = !inlined.is_empty() && inlined.len() <= READABLE;
    format!("`{}`", if short { inlined } else { text::expression(law, law.function(function), operand) })
}

fn expr_span(law: &Law, function: FunctionId, expr: ExprId) -> Span {
    law.function(function).expr(expr).span
}

/// What keeps an operation from being undefined.
enum Remedy {
    /// A further quantity of `#[admissible]`.
    Refuse(String),
    Other(String),
}

/// What keeps an operation from being undefined; `what` is its divisor or its argument, which depends on these.
fn remedy(law: &Law, origins: &BTreeSet<Origin>, what: &str) -> Remedy {
    let has = |origin| origins.contains(&origin);
    if origins.is_empty() {
        return Remedy::Other("it is the same number at all states, so correct the formula".into());
    }
    if let Some(names) = parameters_alone(law, origins) {
        let remedy = format!("it depends on {names} alone, so exclude such values by `#[range(…)]`");
        return Remedy::Other(remedy);
    }
    if has(Origin::Both) {
        let remedy =
            "it depends on two states, each admissible by itself, so write what holds in this case with an `if`";
        return Remedy::Other(remedy.into());
    }
    if has(Origin::Normal) || has(Origin::Place) || has(Origin::Time) {
        let what = if has(Origin::Normal) { "the normal" } else { "the position or the time" };
        return Remedy::Other(format!("it depends on {what}, so write what holds in this case with an `if`"));
    }
    Remedy::Refuse(match law.only(&Role::Admissible) {
        Some(admissible) => {
            format!("return {what} from `{}` as well, so that such states are refused", law.function(admissible).name)
        }
        None => format!("add an `#[admissible]` function that returns {what}, so that such states are refused"),
    })
}

/// The names of the parameters, if something depends on nothing else.
pub(super) fn parameters_alone(law: &Law, origins: &BTreeSet<Origin>) -> Option<String> {
    let name = |origin: &Origin| match origin {
        Origin::Parameter(i) => Some(format!("`{}`", law.parameters.fields[*i].name)),
        _ => None,
    };
    let names: Vec<_> = origins.iter().map(name).collect::<Option<_>>()?;
    (!names.is_empty()).then(|| names.join(" and "))
}

/// The operation at a place, and the function that has it.
fn operation(law: &Law, place: Span) -> Option<(FunctionId, &ExprKind)> {
    law.with_role(|_| true).find_map(|id| {
        let function = law.function(id);
        let expr = operand(function, place).and(function.exprs.iter().find(|expr| {
            expr.span == place && matches!(expr.kind, ExprKind::Binary(BinaryOp::Div, ..) | ExprKind::Math(..))
        }));
        expr.map(|expr| (id, &expr.kind))
    })
}

/// The divisor or the argument of the operation at a place, as the user wrote it.
pub(super) fn operation_text(law: &Law, place: Span) -> String {
    let found = operation(law, place).and_then(|(id, _)| Some((id, operand(law.function(id), place)?)));
    found.map_or_else(
        || "an operand".into(),
        |(id, operand)| format!("`{}`", text::expression(law, law.function(id), operand)),
    )
}

/// The denominator or the argument of the operation at a place.
fn operand(function: &Function, place: Span) -> Option<ExprId> {
    function.exprs.iter().filter(|expr| expr.span == place).find_map(|expr| match &expr.kind {
        ExprKind::Binary(BinaryOp::Div, _, divisor) => Some(*divisor),
        ExprKind::Math(MathFn::Sqrt | MathFn::Ln | MathFn::Powf | MathFn::Powi(_), args) => Some(args[0]),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
