//! Branches that no tried state takes: nothing is proved about them, so each is reported.

use std::collections::BTreeSet;

use super::{Checker, Severity, repair::reachable};
use crate::derive::{Point, Setting};
use crate::ir::{ExprKind, FunctionId, Law, Role, Span, Warning};

/// Warns of branches about which nothing was proved. After a mistake other statements are unproved too.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    if checker.report.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return;
    }
    let mut blamed = BTreeSet::new();
    for id in law.with_role(is_proved) {
        for branch in branches(law, id) {
            if !checker.taken.contains(&branch.way) && blamed.insert(branch.way) {
                let name = &law.function(id).name;
                let message =
                    format!("no state that was tried takes this branch, so that nothing is known of `{name}` there");
                let note = "conditions on components between -24 and 24 are met by some";
                checker.warning(Warning::UntriedBranch, branch.value, message, vec![note.into()]);
            }
        }
    }
}

/// Whether there are statements about the values of a function.
fn is_proved(role: &Role) -> bool {
    match role {
        Role::Flux | Role::Eigenvalues | Role::MinimumPrinciple | Role::NumericalFlux(_) | Role::Exact { .. } => true,
        Role::Boundary { impermeable } => !impermeable.is_empty(),
        Role::Helper
        | Role::Admissible
        | Role::Source
        | Role::Initial
        | Role::ManufacturedSource { .. }
        | Role::Variables
        | Role::Output => false,
    }
}

/// One of the two branches of an `if`.
struct Branch {
    /// The place of the `if`, and whether its condition holds.
    way: (Span, bool),
    /// The place of the value.
    value: Span,
}

/// The branches of a function and of those that it calls.
fn branches(law: &Law, id: FunctionId) -> Vec<Branch> {
    let functions = reachable(law, id);
    let exprs = functions.iter().map(|&id| law.function(id)).flat_map(|f| f.exprs.iter().map(move |expr| (f, expr)));
    let both = exprs.filter_map(|(function, expr)| match &expr.kind {
        ExprKind::If(_, a, b) => Some(
            [(true, a), (false, b)]
                .map(|(holds, block)| Branch { way: (expr.span, holds), value: function.expr(block.value).span }),
        ),
        _ => None,
    });
    both.flatten().collect()
}

/// Adds to the points those of `more` that take branches of the functions not taken so far.
pub fn cover(law: &Law, functions: &[FunctionId], points: &mut Vec<Point>, more: impl Iterator<Item = Point>) {
    let ways = |point: &Point| {
        let all = functions.iter().flat_map(|&id| {
            let (mut setting, inputs) = Setting::approximate(law, point);
            setting.call(id, &inputs).map_or_else(|_| BTreeSet::new(), |_| setting.tower.taken)
        });
        all.collect::<BTreeSet<_>>()
    };
    let mut missing: BTreeSet<_> =
        functions.iter().flat_map(|&id| branches(law, id)).map(|branch| branch.way).collect();
    for point in points.iter() {
        missing = &missing - &ways(point);
    }
    for point in more {
        if missing.is_empty() {
            break;
        }
        let ways = ways(&point);
        if !missing.is_disjoint(&ways) {
            missing = &missing - &ways;
            points.push(point);
        }
    }
}

#[cfg(test)]
mod tests;
