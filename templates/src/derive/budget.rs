//! The work that the check of a law may do in exact and in long arithmetic, so that none takes for ever.
//!
//! Work is counted: an operation on polynomials by the words of its operands, one on numbers of some 90 digits as one unit, and several
//! on numbers in double precision as one. Unlike times, counts are the same on every machine, so that a law has the same proofs
//! everywhere. A unit takes some microseconds where the compiler is not optimised. Time ends it only after two minutes, many times what all of the work takes.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::number::Stop;

/// The work in exact arithmetic on one tower of numbers.
pub const TOWER: u64 = 2_000_000;

/// The work in exact arithmetic on a law.
pub const EXACT: u64 = 16_000_000;

/// The work on a law after which statements are tried at no further states.
pub const LAW: u64 = 20_000_000;

/// The work of an operation on polynomials by each word of its operands.
const PER_WORD: u64 = 16;

/// The work of a root of a number of some 90 digits, and of another function.
const ROOT: u64 = 20;
const FUNCTION: u64 = 60;

/// The work of a rule that tries many states one by one.
const SHARE: u64 = 2_000_000;

/// So many operations on numbers in double precision take as long as one on numbers of some 90 digits.
const DOUBLES: u64 = 8;

/// The time after which exact arithmetic ends, whatever the work.
const DEADLINE: Duration = Duration::from_secs(120);

thread_local! {
    // A session has a thread of its own.
    static START: Cell<Instant> = Cell::new(Instant::now());
    static SPENT: Cell<u64> = const { Cell::new(0) };
}

/// Begins anew, for the next law of a session.
pub fn restart() {
    START.set(Instant::now());
    SPENT.set(0);
}

/// The work on this law, or in this session, so far.
pub fn spent() -> u64 {
    SPENT.get()
}

/// Whether statements are to be tried at no further states, if they were at some.
pub fn is_exhausted() -> bool {
    spent() > LAW
}

/// Counts an operation on numbers of some 90 digits.
pub(super) fn number() {
    SPENT.set(SPENT.get() + 1);
}

/// Counts a root of a number of some 90 digits.
pub(super) fn root() {
    SPENT.set(SPENT.get() + ROOT);
}

/// Counts another function of such a number.
pub(super) fn function() {
    SPENT.set(SPENT.get() + FUNCTION);
}

/// The part of the work on a law that one of its rules may take.
#[derive(Debug)]
pub struct Share {
    until: u64,
}

impl Share {
    /// The share of a rule that begins now.
    pub fn begin() -> Self {
        Self { until: spent() + SHARE }
    }

    /// Whether statements are to be tried at no further states, if they were at some.
    pub fn is_exhausted(&self) -> bool {
        spent() > self.until || is_exhausted()
    }
}

/// Counts operations on numbers in double precision.
pub(super) fn doubles(operations: u64) {
    SPENT.set(SPENT.get() + operations.div_ceil(DOUBLES));
}

/// Counts an operation on polynomials of so many words in all.
///
/// # Errors
/// When the work has reached `until`, or that on a law its end.
pub(super) fn polynomials(words: usize, until: u64) -> Result<(), Stop> {
    let spent = spent().saturating_add(PER_WORD.saturating_mul(words as u64));
    SPENT.set(spent);
    let late = || START.get().elapsed() > DEADLINE;
    if spent > until.min(EXACT) || late() { Err(Stop::TooLarge) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
