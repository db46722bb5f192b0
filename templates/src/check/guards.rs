//! Rule 7, second part: no admissible state makes flux or eigenvalues divide by zero or take the root of a negative
//! number.
//!
//! States with components that are zero or of either sign are tried. Finding none that fails is no proof, and is
//! recorded as what it is: so many states at which everything is defined.

use super::{Checker, Method, SEED};
use crate::algebra::Rational;
use crate::derive::{Inputs, Number, Point, Points, Setting, Stop, text};
use crate::ir::{BinaryOp, ExprId, ExprKind, Function, FunctionId, MathFn, Role, Span};

/// Random states, each also with one component after the other set to zero and negated.
const STATES: usize = 24;

/// Tries extreme admissible states.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let mut points = Points::new(law, SEED + 4);
    let mut tried = 0;
    let mut blamed: Vec<Span> = Vec::new();
    for base in (0..STATES).map(|_| points.any()) {
        for point in variants(&base) {
            if !admissible(checker, &point) {
                continue;
            }
            tried += 1;
            for id in law.with_role(|role| matches!(role, Role::Flux | Role::Eigenvalues)) {
                let (mut setting, inputs) = Setting::constant(law, &point);
                let Err(stop) = setting.call(id, &inputs) else { continue };
                let place = setting.tower.place;
                if !blamed.contains(&place) {
                    blamed.push(place);
                    blame(checker, id, &point, place, &stop);
                }
            }
        }
    }
    if blamed.is_empty() && tried > 0 {
        let statement = "flux and eigenvalues are defined at all admissible states".into();
        checker.proved(statement, Method::RationalStates(tried));
    }
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

/// Whether what `#[admissible]` returns is positive; all states are where the law has none.
fn admissible(checker: &Checker, point: &Point) -> bool {
    let Some(id) = checker.law.only(&Role::Admissible) else { return true };
    let (mut setting, inputs): (Setting, Inputs<Number>) = Setting::constant(checker.law, point);
    setting.call(id, &inputs).is_ok_and(|values| values.iter().all(Number::is_positive))
}

fn blame(checker: &mut Checker, id: FunctionId, point: &Point, place: Span, stop: &Stop) {
    let law = checker.law;
    let culprit = law.functions.iter().find_map(|function| Some((function, operand(function, place)?)));
    let (what, span) = match culprit {
        Some((function, operand)) => {
            (format!("`{}`", text::expression(law, function, operand)), function.expr(operand).span)
        }
        None => (format!("a term of `{}`", law.function(id).name), law.function(id).span),
    };
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
