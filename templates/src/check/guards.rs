//! Rule 7, second part: no admissible state makes flux or eigenvalues divide by zero or take the root of a negative
//! number.
//!
//! States with components that are zero or of either sign are tried. Finding none that fails is no proof, and is
//! recorded as what it is: so many states at which everything is defined.

use super::{Checker, Method, SEED};
use crate::algebra::Rational;
use crate::derive::{Number, Point, Points, Setting, Stop, array_elements, text};
use crate::ir::{BinaryOp, ExprId, ExprKind, Function, FunctionId, Law, MathFn, Role, Span};

/// Random states, each also with one component after the other set to zero and negated.
const STATES: usize = 24;

/// A state at which an operation is undefined.
struct Failure {
    point: Box<Point>,
    /// The function that was called.
    function: FunctionId,
    /// The operation.
    place: Span,
    stop: Stop,
}

/// Tries extreme admissible states.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let elements = element_laws(law);
    let mut points = Points::new(law, SEED + 4);
    let mut tried = 0;
    let mut failures: Vec<Failure> = Vec::new();
    for base in (0..STATES).map(|_| points.any()) {
        for point in variants(&base) {
            match admissible(law, &elements, &point) {
                Ok(false) => continue,
                Ok(true) => tried += 1,
                Err(failure) => failures.push(failure),
            }
            for id in law.with_role(|role| matches!(role, Role::Flux | Role::Eigenvalues)) {
                failures.extend(call(law, id, &point).err());
            }
        }
    }
    // A vanishing divisor is behind most negative roots: what else is wrong shows once it is guarded.
    let divides = failures.iter().any(|failure| failure.stop == Stop::DivisionByZero);
    let mut blamed = Vec::new();
    for failure in &failures {
        if !divides || failure.stop == Stop::DivisionByZero {
            blame(checker, failure, &mut blamed);
        }
    }
    if failures.is_empty() && tried > 0 {
        let statement = "flux and eigenvalues are defined at all admissible states".into();
        checker.proved(statement, Method::RationalStates(tried));
    }
}

/// Calls a function at a point of rational numbers.
fn call(law: &Law, id: FunctionId, point: &Point) -> Result<Vec<Number>, Failure> {
    let (mut setting, inputs) = Setting::constant(law, point);
    let result = setting.call(id, &inputs);
    result.map_err(|stop| Failure { point: Box::new(point.clone()), function: id, place: setting.tower.place, stop })
}

/// The law with each single element of what `#[admissible]` returns in place of all: one of them refuses a state
/// even where another is undefined.
fn element_laws(law: &Law) -> Vec<Law> {
    let Some(id) = law.only(&Role::Admissible) else { return Vec::new() };
    let elements = array_elements(law.function(id)).unwrap_or_else(|| vec![law.function(id).body.value]);
    let single = |element: ExprId| {
        let mut law = law.clone();
        let function = &mut law.functions[id.0];
        function.result = function.expr(element).ty.clone();
        function.body.value = element;
        law
    };
    elements.into_iter().map(single).collect()
}

/// Whether what `#[admissible]` returns is positive; all states are admissible where the law has none.
fn admissible(law: &Law, elements: &[Law], point: &Point) -> Result<bool, Failure> {
    let Some(id) = law.only(&Role::Admissible) else { return Ok(true) };
    let mut undefined = None;
    for element in elements {
        match call(element, id, point) {
            Ok(values) if values.iter().all(Number::is_positive) => {}
            Ok(_) => return Ok(false),
            Err(failure) => undefined = Some(failure),
        }
    }
    undefined.map_or(Ok(true), Err)
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

fn blame(checker: &mut Checker, failure: &Failure, blamed: &mut Vec<String>) {
    let law = checker.law;
    let Failure { point, function: id, place, stop } = failure;
    let culprit = law.functions.iter().find_map(|function| Some((function, operand(function, *place)?)));
    let (what, span) = match culprit {
        Some((function, operand)) => {
            (format!("`{}`", text::expression(law, function, operand)), function.expr(operand).span)
        }
        None => (format!("a term of `{}`", law.function(*id).name), law.function(*id).span),
    };
    if blamed.contains(&what) {
        return;
    }
    blamed.push(what.clone());
    let problem = match stop {
        Stop::DivisionByZero => "can be zero, and is divided by",
        Stop::NegativeRoot => "can be negative, and its root is taken",
        Stop::NotPositive => "can be zero or negative, and its logarithm or power is taken",
        Stop::TooLarge | Stop::Literal => return,
    };
    let remedy = match law.only(&Role::Admissible) {
        Some(admissible) => format!("return {what} from `{}` as well", law.function(admissible).name),
        None => format!("add an `#[admissible]` function that returns {what}"),
    };
    let message = format!("{what} {problem}: {remedy}, so that such states are refused");
    checker.error(span, message, vec![format!("at {}", text::point(law, point, text::Show::State))]);
}

/// The divisor or the argument of the operation at a place.
fn operand(function: &Function, place: Span) -> Option<ExprId> {
    function.exprs.iter().filter(|expr| expr.span == place).find_map(|expr| match &expr.kind {
        ExprKind::Binary(BinaryOp::Div, _, divisor) => Some(*divisor),
        ExprKind::Math(MathFn::Sqrt | MathFn::Ln | MathFn::Powf | MathFn::Powi(_) | MathFn::Atan2, args) => {
            Some(args[0])
        }
        _ => None,
    })
}
