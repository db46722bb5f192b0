//! Leaves out the warnings that the law accepts, and says with the others how to accept them.

use std::collections::BTreeSet;

use super::{Diagnostic, Severity};
use crate::ir::{Accepted, Function, Law, Role, Span, Warning};

/// Applies every `#[accept]` of a law. One that silences nothing is itself a warning, unless a mistake left checks out.
pub fn apply(law: &Law, diagnostics: &mut Vec<Diagnostic>) {
    let mut used = BTreeSet::new();
    silence(law, diagnostics, &mut used);
    if !diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        // What accepts needless ones is judged last.
        for last in [false, true] {
            let needless = all(law).filter(|accepted| {
                (accepted.warning == Warning::NeedlessAccept) == last && !used.contains(&accepted.span)
            });
            diagnostics.extend(needless.map(|accepted| Diagnostic {
                severity: Severity::Warning(Warning::NeedlessAccept),
                span: accepted.span,
                message: format!("there is no warning `{}` here: leave it out", accepted.warning.name()),
                notes: Vec::new(),
            }));
            if !last {
                silence(law, diagnostics, &mut used);
            }
        }
    }
    for diagnostic in diagnostics {
        // One that is needless says its remedy itself.
        if let Severity::Warning(warning) = diagnostic.severity
            && warning != Warning::NeedlessAccept
        {
            let place = match function_at(law, diagnostic.span).filter(|function| !function.shared) {
                Some(function) => format!("`fn {}`", function.name),
                None => format!("`mod {}`", law.name),
            };
            diagnostic.notes.push(format!("`#[accept({})]` on {place} accepts this", warning.name()));
        }
    }
}

/// Removes accepted warnings, and collects the places of what accepts them.
fn silence(law: &Law, diagnostics: &mut Vec<Diagnostic>, used: &mut BTreeSet<Span>) {
    diagnostics.retain(|diagnostic| {
        let accepted = accepted(law, diagnostic);
        used.extend(accepted.map(|accepted| accepted.span));
        accepted.is_none()
    });
}

/// What accepts a warning.
pub(super) fn accepted<'a>(law: &'a Law, diagnostic: &Diagnostic) -> Option<&'a Accepted> {
    let Severity::Warning(warning) = diagnostic.severity else { return None };
    let of_function = function_at(law, diagnostic.span).into_iter().flat_map(|function| &function.accepted);
    of_function.chain(&law.accepted).find(|accepted| accepted.warning == warning)
}

fn all(law: &Law) -> impl Iterator<Item = &Accepted> {
    law.functions.iter().flat_map(|function| &function.accepted).chain(&law.accepted)
}

/// The function that a place belongs to; others belong to the law as a whole.
pub(super) fn function_at(law: &Law, span: Span) -> Option<&Function> {
    law.functions.iter().find(|function| {
        // A derived source has the places of its solution, which comes first.
        span == function.span
            || function.exprs.iter().any(|expr| expr.span == span)
            || function.locals.iter().any(|local| local.span == span)
            || function.accepted.iter().any(|accepted| accepted.span == span)
            || matches!(&function.role, Role::Boundary { impermeable } if impermeable.iter().any(|(_, at)| *at == span))
    })
}

#[cfg(test)]
mod tests;
