//! What is said on standard error while something else goes on.

use std::io::Write as _;

use crate::plain::plain;

/// Writes a line to standard error. Where that cannot be written, nobody listens, and whatever goes on goes on.
pub(crate) fn notice(line: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}
