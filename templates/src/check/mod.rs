//! What the compiler proves about a law. One file per family of rules; all mistakes are reported at once.

use crate::ir::{Law, Span};

/// Everything that [`check`] has to say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Mistakes and warnings, in source order.
    pub diagnostics: Vec<Diagnostic>,
    /// What was established.
    pub proofs: Vec<Proof>,
}

/// A mistake or a warning about a place in the user's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the law can be used all the same.
    pub severity: Severity,
    /// The smallest place that is to blame.
    pub span: Span,
    /// Lower case, in the user's words: what was found, and what would work.
    pub message: String,
    /// Further lines: a counter-example, the right formula.
    pub notes: Vec<String>,
}

/// How bad a [`Diagnostic`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The law is wrong.
    Error,
    /// Something could not be decided, or is not used.
    Warning,
}

/// One thing that was established about a law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// What holds, as a sentence with the user's names.
    pub statement: String,
    /// How that is known.
    pub method: Method,
}

/// How a [`Proof`] was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By symbolic algebra, for all states.
    Symbolic,
    /// Exactly, at this many random rational states.
    RationalStates(usize),
    /// In floating point to rounding error, at this many random states.
    FloatingPoint(usize),
}

/// Checks a law against all rules.
pub fn check(_law: &Law) -> Report {
    Report::default()
}
