//! One mistake gives one message: what follows from a mistake that is reported becomes a note of it, or is left out.
//!
//! - What is wrong with a function is said once: an inconsistent flux is rarely conservative, what a mistake leaves
//!   undecided or inadmissible is its consequence, and a numerical flux that is wrong, or broken in some direction, damps something wrong.
//! - What else is wrong with a function that is undefined somewhere, which no condition on the state mends, is rarely another mistake.
//! - A flux that should be the same in all directions, and is not, has other eigenvalues; a wrong formula that the flux, say, and
//!   the conditions share makes these wrong, too; a quantity that is undefined somewhere may have no minimum for that reason alone.
//! - If neither the flux nor the eigenvalues can be told to be right, what does not fit the flux either supports one of the two.
//! - Functions that fail alike and call a function that no right one calls fail because of it; solutions that all fail where
//!   there is a source may fail because of that.

use std::collections::BTreeSet;

use super::accept::{accepted, function_at};
use super::repair::reachable;
use super::{Diagnostic, Severity};
use crate::ir::{FunctionId, Law, Role, Span, Warning};

/// Merges messages of one cause. `doubt` is the place of the message about eigenvalues, if it could not be told whether
/// they or the flux are wrong; `undefined` are the places of errors about operations, with functions that evaluate them.
pub fn merge(law: &Law, diagnostics: &mut Vec<Diagnostic>, doubt: Option<Span>, undefined: &[(Span, FunctionId)]) {
    once_for_each_function(law, diagnostics);
    undefined.iter().for_each(|(place, id)| undefined_somewhere(law, diagnostics, *place, *id));
    consequences(law, diagnostics);
    if let Some(span) = doubt {
        evidence(law, diagnostics, span);
    }
    for wanted in [is_numerical_flux as fn(&Role) -> bool, is_exact] {
        common_callee(law, diagnostics, wanted);
    }
}

fn is_numerical_flux(role: &Role) -> bool {
    matches!(role, Role::NumericalFlux(_))
}

fn is_exact(role: &Role) -> bool {
    // A manufactured solution has its own source.
    *role == Role::Exact { manufactured: false }
}

/// The function of which an error says that what it returns is wrong.
fn accused(law: &Law, diagnostic: &Diagnostic) -> Option<FunctionId> {
    let claims = |role: &Role| {
        matches!(
            role,
            Role::NumericalFlux(_) | Role::Jump | Role::Exact { .. } | Role::MinimumPrinciple | Role::Boundary { .. }
        )
    };
    law.with_role(claims).find(|&id| {
        let function = law.function(id);
        let components = match &function.role {
            Role::Boundary { impermeable } => &impermeable[..],
            _ => &[],
        };
        diagnostic.severity == Severity::Error
            && (diagnostic.span == function.span || components.iter().any(|(_, span)| *span == diagnostic.span))
    })
}

fn once_for_each_function(law: &Law, diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    diagnostics.retain(|diagnostic| accused(law, diagnostic).is_none_or(|id| seen.insert(id)));
    let [inadmissible, growing, broken, undecided] =
        [Warning::InadmissibleState, Warning::GrowingGhost, Warning::BrokenSymmetry, Warning::Undecided]
            .map(Severity::Warning);
    let of_fluxes = [
        Warning::WeakDissipation,
        Warning::StrongDissipation,
        Warning::InexactInterface,
        Warning::DiscontinuousFlux,
        Warning::ExpansionShocks,
        Warning::SlowSignals,
        Warning::DestroysEntropy,
    ]
    .map(Severity::Warning);
    let known = [Severity::Error, broken, inadmissible, growing];
    for (explain, follow) in [
        (&known[..1], &known[1..]),
        (&known[..2], &of_fluxes[..]),
        (&known[1..2], &known[3..]),
        (&known[..], &[undecided]),
    ] {
        let about = |diagnostic: &Diagnostic| function_at(law, diagnostic.span).map(|function| function.span);
        // What the author accepts explains nothing that he has not seen.
        let explains = |d: &&Diagnostic| explain.contains(&d.severity) && accepted(law, d).is_none();
        let explained: BTreeSet<_> = diagnostics.iter().filter(explains).filter_map(about).collect();
        let follows =
            |d: &Diagnostic| follow.contains(&d.severity) && about(d).is_some_and(|at| explained.contains(&at));
        diagnostics.retain(|diagnostic| !follows(diagnostic));
    }
}

/// Leaves out what follows from a mistake in another statement.
fn consequences(law: &Law, diagnostics: &mut Vec<Diagnostic>) {
    let function_of = |d: &Diagnostic| function_at(law, d.span).map(|function| &function.role);
    let is_error = |d: &Diagnostic| d.severity == Severity::Error;
    let of_flux = |d: &Diagnostic| matches!(function_of(d), Some(Role::Flux | Role::Eigenvalues | Role::WaveSpeed));
    // An error about the flux as a whole stands at what it is declared to be.
    let turns = |d: &Diagnostic| law.rotation.as_ref().is_some_and(|rotation| rotation.span == d.span);
    let quantity = |d: &Diagnostic| function_of(d) == Some(&Role::MinimumPrinciple);
    let is_within = |d: &Diagnostic| function_at(law, d.span).is_some_and(|function| function.span != d.span);
    let [flux, direction, undefined] = [
        diagnostics.iter().any(|d| is_error(d) && of_flux(d)),
        diagnostics.iter().any(|d| is_error(d) && turns(d)),
        diagnostics.iter().any(|d| is_error(d) && quantity(d) && is_within(d)),
    ];
    let shared = |a: Role, b: &Role| {
        let of = |role: &Role| law.only(role).map(|id| reachable(law, id)).unwrap_or_default();
        !of(&a).is_disjoint(&of(b))
    };
    let conditions = [Role::Flux, Role::Eigenvalues, Role::WaveSpeed].map(|of| shared(of, &Role::Admissible));
    diagnostics.retain(|d| {
        let follows = direction && is_error(d) && of_flux(d)
            || flux && d.severity == Severity::Warning(Warning::NonconvexAdmissible) && conditions.contains(&true)
            || undefined && is_error(d) && quantity(d) && !is_within(d);
        !follows
    });
}

/// Puts what is wrong with a function beside the error about an operation that it evaluates, and leaves out doubts that follow.
fn undefined_somewhere(law: &Law, diagnostics: &mut Vec<Diagnostic>, place: Span, id: FunctionId) {
    let (function, mut wrong) = (law.function(id), Vec::new());
    let doubts = |diagnostic: &Diagnostic| match function_at(law, diagnostic.span) {
        _ if diagnostic.severity == Severity::Error => false,
        Some(about) if about.span == function.span => true,
        // What a wall lets pass is what the numerical flux does there.
        Some(about) => {
            matches!(about.role, Role::Boundary { .. })
                && is_numerical_flux(&function.role)
                && diagnostic.severity == Severity::Warning(Warning::Undecided)
        }
        None => false,
    };
    diagnostics.retain(|diagnostic| {
        let is_wrong = diagnostic.span != place && accused(law, diagnostic) == Some(id);
        wrong.extend(is_wrong.then(|| format!("where it is defined, {}", diagnostic.message)));
        !is_wrong && !doubts(diagnostic)
    });
    if let Some(error) = diagnostics.iter_mut().find(|diagnostic| diagnostic.span == place) {
        error.notes.extend(wrong);
    }
}

/// Takes out the errors about these functions.
fn take(law: &Law, diagnostics: &mut Vec<Diagnostic>, which: impl Fn(FunctionId) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    diagnostics.retain(|diagnostic| match accused(law, diagnostic).filter(|&id| which(id)) {
        Some(id) => {
            names.push(format!("`{}`", law.function(id).name));
            false
        }
        None => true,
    });
    names
}

fn list(names: &[String]) -> String {
    match names {
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
        [] => String::new(),
    }
}

fn evidence(law: &Law, diagnostics: &mut Vec<Diagnostic>, doubt: Span) {
    let names = take(law, diagnostics, |_| true);
    let message = diagnostics.iter_mut().find(|diagnostic| diagnostic.span == doubt);
    if let (Some(message), false) = (message, names.is_empty()) {
        let verb = if names.len() == 1 { "does" } else { "do" };
        let (what, wrong) = match law.only(&Role::Nonconservative) {
            Some(id) => (format!("the flux and `{}`", law.function(id).name), "one of these"),
            None => ("the flux".into(), "the flux"),
        };
        message
            .notes
            .push(format!("{} {verb} not fit {what} either, so that {wrong} may be what is wrong", list(&names)));
    }
}

fn common_callee(law: &Law, diagnostics: &mut Vec<Diagnostic>, wanted: fn(&Role) -> bool) {
    let failing: Vec<_> = diagnostics
        .iter()
        .filter_map(|diagnostic| accused(law, diagnostic))
        .filter(|&id| wanted(&law.function(id).role))
        .collect();
    let [first, others @ ..] = &failing[..] else { return };
    if others.is_empty() {
        return;
    }
    let right = law.with_role(|role| *role != Role::Helper).filter(|id| !failing.contains(id));
    let right: BTreeSet<_> = right.flat_map(|id| reachable(law, id)).collect();
    let common = others.iter().fold(&reachable(law, *first) - &right, |common, &id| &common & &reachable(law, id));
    let none_solves = failing.iter().all(|&id| is_exact(&law.function(id).role))
        && law.with_role(is_exact).all(|id| failing.contains(&id));
    let cause = match (common.last(), law.only(&Role::Source)) {
        (Some(&callee), _) => law.function(callee),
        (None, Some(source)) if none_solves => law.function(source),
        _ => return,
    };
    let names = take(law, diagnostics, |id| others.contains(&id));
    let verb = if names.len() == 1 { "fails" } else { "fail" };
    let note = format!("{} {verb} alike, so that the mistake may be in `{}`", list(&names), cause.name);
    if let Some(message) = diagnostics.iter_mut().find(|diagnostic| accused(law, diagnostic) == Some(*first)) {
        message.notes.push(note);
    }
}

#[cfg(test)]
mod tests;
