//! Branches, and operands of `min` and `max`, that no tried state takes, operands of `||` that none makes true, and of `&&` that none
//! makes false: nothing is proved about them, so each is reported. And states that take all branches, on both sides of every condition.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::guards::parameters_alone;
use super::{Checker, Diagnostic, Severity, accept::accepted, repair::reachable};
use crate::algebra::Rational;
use crate::derive::{Inputs, Origin, Point, Wide, origins, text};
use crate::ir::{BinaryOp, ExprId, ExprKind, Function, FunctionId, Law, MathFn, Role, Span, UnaryOp, Warning};

/// Warns of branches about which nothing was proved. After a mistake other statements are unproved too.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    if checker.report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    let mut blamed = BTreeSet::new();
    for id in law.with_role(is_proved) {
        if is_explained(checker, id) {
            continue;
        }
        let mut first: Option<usize> = None;
        let branches = branches(law, id);
        // A branch within one that no state takes is blamed with that, and where nothing was tried, each is.
        let tried = branches.iter().any(|branch| checker.taken.contains(&branch.way));
        for branch in branches {
            let (place, way) = branch.way;
            if checker.taken.contains(&branch.way) || blamed.contains(&branch.way) {
                continue;
            }
            // Where neither operand is known to be the result, a branch around them is not taken.
            let one_sided = checker.taken.contains(&(place, !way));
            let untried = match branch.kind {
                Kind::Branch => (one_sided || !tried) && !is_constant(law, id, place),
                Kind::Operand(_) => one_sided && !is_constant(law, id, place) && !come_near(checker, id, place),
                Kind::Condition(_) => one_sided,
            };
            if untried {
                blamed.insert(branch.way);
                let (function, value) = branch.value;
                let value = (law.function(function), value);
                // The function is accepted or mended as a whole.
                if let Some(first) = first {
                    let shown = text::expression(law, value.0, value.1);
                    checker.report.diagnostics[first].notes.push(format!("the same is true of `{shown}`"));
                    continue;
                }
                first = Some(checker.report.diagnostics.len());
                let name = &law.function(id).name;
                let what = match branch.kind {
                    Kind::Branch => "takes this branch".to_owned(),
                    Kind::Operand(f) => format!("makes this the result of `{}`", text::name(f)),
                    Kind::Condition(BinaryOp::Or) => "makes this operand of `||` true".into(),
                    Kind::Condition(_) => "makes this operand of `&&` false".into(),
                };
                let message = format!("no state that was tried {what}, so that nothing is known of `{name}` there");
                let note = what_was_tried(law, id, place);
                checker.warning(Warning::UntriedBranch, value.0.expr(value.1).span, message, vec![note]);
            }
        }
    }
}

/// Whether it is said that a function gives inadmissible states, at which nothing is proved of it, or that an entropy fix does not act,
/// as if its branch were not there.
fn is_explained(checker: &Checker, id: FunctionId) -> bool {
    let explains = [Warning::InadmissibleState, Warning::ExpansionShocks].map(Severity::Warning);
    let span = checker.law.function(id).span;
    let about = |d: &&Diagnostic| explains.contains(&d.severity) && d.span == span;
    checker.report.diagnostics.iter().filter(about).any(|d| accepted(checker.law, d).is_none())
}

/// Whether it is known at compile time which branch or operand is taken.
fn is_constant(law: &Law, id: FunctionId, place: Span) -> bool {
    origins(law, id).get(&place).is_some_and(BTreeSet::is_empty)
}

/// Which states or parameters were tried for a condition, or for the operands of a `min` or `max`.
fn what_was_tried(law: &Law, id: FunctionId, place: Span) -> String {
    let origins = origins(law, id).remove(&place).unwrap_or_default();
    let Some(names) = parameters_alone(law, &origins) else {
        return "conditions on components of sizes from 1/64 to 24 are met by some".into();
    };
    let unbounded = |origin: &Origin| match origin {
        Origin::Parameter(i) => law.parameters.fields[*i].range == (Bound::Unbounded, Bound::Unbounded),
        _ => false,
    };
    if origins.iter().any(unbounded) {
        format!(
            "it depends on {names} alone, and a parameter without a `#[range(…)]` is tried near its default: \
             `#[range(…)]` says which values a case may set, and these are tried"
        )
    } else {
        format!("it depends on {names} alone, and no value in `#[range(…)]` that was tried leads there")
    }
}

/// Whether there are statements about the values of a function.
fn is_proved(role: &Role) -> bool {
    match role {
        Role::Flux
        | Role::Nonconservative
        | Role::Jump
        | Role::ViscousFlux
        | Role::Eigenvalues
        | Role::WaveSpeed
        | Role::MinimumPrinciple
        | Role::NumericalFlux(_)
        | Role::Exact { .. } => true,
        Role::Boundary { impermeable } => !impermeable.is_empty(),
        Role::Helper
        | Role::Admissible
        | Role::BoundaryFlux { .. }
        | Role::Source
        | Role::Initial
        | Role::ManufacturedSource { .. }
        | Role::Variables
        | Role::Medium
        | Role::Output => false,
    }
}

/// One of the two branches of an `if`, or one of the two operands of a `min`, `max`, `||` or `&&`.
struct Branch {
    /// The place of the `if`, and whether its condition holds; that of the other, and whether it is its second operand.
    way: (Span, bool),
    /// The operands of further `min`s and `max`es around it that make it the result of the whole nest.
    outer: BTreeSet<(Span, bool)>,
    /// The value, and the function in which it stands.
    value: (FunctionId, ExprId),
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Branch,
    /// An operand.
    Operand(MathFn),
    /// An operand of a condition, which decides it.
    Condition(BinaryOp),
}

/// The branches of a function and of those that it calls, apart from operands that guard against rounding.
fn branches(law: &Law, id: FunctionId) -> Vec<Branch> {
    let functions = reachable(law, id);
    let exprs = functions.iter().flat_map(|&id| law.function(id).exprs.iter().map(move |expr| (id, expr)));
    let both = exprs.flat_map(|(id, expr)| match &expr.kind {
        ExprKind::If(_, a, b) => [(true, a), (false, b)]
            .map(|(holds, block)| Branch {
                way: (expr.span, holds),
                outer: BTreeSet::new(),
                value: (id, block.value),
                kind: Kind::Branch,
            })
            .into(),
        ExprKind::Math(f @ (MathFn::Min | MathFn::Max), args) => [(false, args[0]), (true, args[1])]
            .into_iter()
            .filter(|(_, operand)| !is_guard(law.function(id), *operand))
            .map(|(second, operand)| Branch {
                way: (expr.span, second),
                outer: around(law.function(id), expr.span),
                value: (id, operand),
                kind: Kind::Operand(*f),
            })
            .collect(),
        ExprKind::Binary(op @ (BinaryOp::Or | BinaryOp::And), a, b) => [(false, a), (true, b)]
            .map(|(second, operand)| Branch {
                way: (expr.span, second),
                outer: BTreeSet::new(),
                value: (id, *operand),
                kind: Kind::Condition(*op),
            })
            .into(),
        _ => Vec::new(),
    });
    both.collect()
}

/// The operands that a `min` or `max` is of others around it: where all are taken, its result is that of the whole nest.
fn around(function: &Function, place: Span) -> BTreeSet<(Span, bool)> {
    let outer = function.exprs.iter().find_map(|expr| match &expr.kind {
        ExprKind::Math(MathFn::Min | MathFn::Max, args) => {
            let operand = args.iter().position(|arg| function.expr(*arg).span == place)?;
            Some((expr.span, operand == 1))
        }
        _ => None,
    });
    outer.map_or_else(BTreeSet::new, |way| &around(function, way.0) | &BTreeSet::from([way]))
}

/// Whether an operand is 0, 1 or -1, or so small that it can only guard against rounding.
fn is_guard(function: &Function, operand: ExprId) -> bool {
    match &function.expr(operand).kind {
        ExprKind::Literal(text) => text.parse().is_ok_and(|value: f64| value == 1.0 || value <= SMALL),
        ExprKind::Unary(UnaryOp::Neg, a) => is_guard(function, *a),
        _ => false,
    }
}

/// A constant below this guards against rounding.
const SMALL: f64 = 1e-3;

/// How near to each other, relative to the larger, two operands of a `min` or `max` come where the one that never is the
/// result bounds what is admissible.
const NEAR: f64 = 0.3;

/// The number of states at which that is tried.
const STATES: usize = 100;

/// Whether the operands of a `min` or `max` come near each other: then the one that never is the result guards against rounding at
/// the end of the admissible states.
fn come_near(checker: &Checker, id: FunctionId, place: Span) -> bool {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, super::SEED + 8, starts);
    let parameters = wide.default_parameters();
    let gaps = (0..STATES).filter_map(|_| {
        let (point, other) = (wide.admissible(&parameters)?, wide.admissible(&parameters)?);
        Inputs { right: other.left, ..point }.gap(law, id, place)
    });
    gaps.fold(1.0, f64::min) < NEAR
}

/// The branches that functions take at a point; none where one is undefined.
pub fn ways(law: &Law, functions: &[FunctionId], point: &Inputs<f64>) -> BTreeSet<(Span, bool)> {
    functions.iter().flat_map(|&id| point.branches(law, id).unwrap_or_default()).collect()
}

/// Adds to the points those of `more` that take branches of the functions not taken so far, or make an operand the result of a nest of
/// `min` and `max` that was not so far, if they are confirmed, and states on both sides of every condition, near to where it changes.
pub fn cover(
    law: &Law,
    functions: &[FunctionId],
    points: &mut Vec<Point>,
    more: impl Iterator<Item = Point>,
    confirmed: impl Fn(&Point) -> bool,
) {
    let branches: Vec<_> = functions.iter().flat_map(|&id| branches(law, id)).collect();
    if branches.is_empty() {
        return;
    }
    let floats = |point: &Point| point.map(|value| value.to_f64());
    let whole = |branch: &Branch| &branch.outer | &BTreeSet::from([branch.way]);
    let mut missing: BTreeSet<_> = branches.iter().map(whole).collect();
    for point in points.iter() {
        let ways = ways(law, functions, &floats(point));
        missing.retain(|all| !all.is_subset(&ways));
    }
    for point in more {
        if missing.is_empty() {
            break;
        }
        let ways = ways(law, functions, &floats(&point));
        // Most points take nothing new, and need not be confirmed.
        if missing.iter().any(|all| all.is_subset(&ways)) && confirmed(&point) {
            missing.retain(|all| !all.is_subset(&ways));
            points.push(point);
        }
    }
    let conditions: BTreeSet<_> =
        branches.iter().filter(|branch| branch.kind == Kind::Branch).map(|branch| branch.way.0).collect();
    let beside: Vec<_> = conditions.iter().flat_map(|&place| threshold(law, functions, points, place)).collect();
    points.extend(beside);
}

/// The number of points from which a threshold is looked for.
const STARTS: usize = 4;

/// How often the distance of two states is halved.
const HALVINGS: usize = 8;

/// Two points that decide a condition differently and differ little in their states, found between two of the given ones.
fn threshold(law: &Law, functions: &[FunctionId], points: &[Point], place: Span) -> Vec<Point> {
    let decides = |point: &Point| {
        let floats = point.map(|value| value.to_f64());
        let right = Inputs { left: floats.right.clone(), ..floats.clone() };
        let ways = ways(law, functions, &floats);
        let decided = ways.contains(&(place, true)) != ways.contains(&(place, false));
        let admissible = floats.is_admissible(law) && right.is_admissible(law);
        (decided && admissible).then(|| ways.contains(&(place, true)))
    };
    let middle = |a: &[Rational], b: &[Rational]| {
        a.iter().zip(b).map(|(a, b)| &(a + b) * &Rational::from((1, 2))).collect::<Vec<_>>()
    };
    let between = |a: &Point| {
        let holds = decides(a)?;
        let mut near = a.clone();
        // Only states differ.
        let beyond = |b: &Point| Point { left: b.left.clone(), right: b.right.clone(), ..a.clone() };
        let mut far = points.iter().map(beyond).find(|b| decides(b) == Some(!holds))?;
        for _ in 0..HALVINGS {
            let left = middle(&near.left, &far.left);
            let half = Point { left, right: middle(&near.right, &far.right), ..near.clone() };
            let same = decides(&half)? == holds;
            *(if same { &mut near } else { &mut far }) = half;
        }
        Some(vec![near, far])
    };
    points.iter().take(STARTS).find_map(between).unwrap_or_default()
}

#[cfg(test)]
mod tests;
