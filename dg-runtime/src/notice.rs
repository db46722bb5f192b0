//! Messages on standard error.

use std::io::Write as _;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::plain::plain;

/// The amount of messages from a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Verbosity {
    /// Warnings and errors.
    Quiet,
    /// Announcements, and occasional progress.
    #[default]
    Normal,
    /// More frequent progress.
    Verbose,
}

impl Verbosity {
    const ALL: [Self; 3] = [Self::Quiet, Self::Normal, Self::Verbose];

    /// Sets this amount for the process.
    pub fn set(self) {
        VERBOSITY.store(self as u8, Ordering::Relaxed);
    }

    /// The amount for the process.
    pub fn get() -> Self {
        Self::ALL[usize::from(VERBOSITY.load(Ordering::Relaxed))]
    }
}

static VERBOSITY: AtomicU8 = AtomicU8::new(Verbosity::Normal as u8);

/// Writes a line to standard error. If that fails, there is no reader, and the work continues.
pub(crate) fn notice(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

/// Like [`notice`], for optional messages; nothing if the process is quiet.
pub(crate) fn inform(line: impl std::fmt::Display) {
    if Verbosity::get() != Verbosity::Quiet {
        notice(line);
    }
}
