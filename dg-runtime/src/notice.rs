//! What is said on standard error while something else goes on.

use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::plain::plain;

/// How much a process says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Warnings and errors.
    Quiet,
    /// What is about to be done, and now and then how it goes.
    #[default]
    Normal,
    /// More often how it goes.
    Verbose,
}

impl Verbosity {
    const ALL: [Self; 3] = [Self::Quiet, Self::Normal, Self::Verbose];

    /// From now on the process says so much.
    pub fn set(self) {
        VERBOSITY.store(self as u8, Ordering::Relaxed);
    }

    /// How much the process says.
    pub fn get() -> Self {
        Self::ALL[usize::from(VERBOSITY.load(Ordering::Relaxed))]
    }
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

/// Writes a line to standard error. Where that cannot be written, nobody listens, and whatever goes on goes on.
pub(crate) fn notice(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

/// As [`notice`], of what nobody needs to know; nothing where the process is to be quiet.
pub(crate) fn inform(line: impl std::fmt::Display) {
    if Verbosity::get() != Verbosity::Quiet {
        notice(line);
    }
}
