//! The time loop: steps until the end, with output, rows of the history and checkpoints.

use std::time::{Duration, Instant};

use super::Error;
use super::files::Files;
use super::progress::{Position, Progress};
use super::signals::Signals;
use crate::case::{Case, Steady};
use crate::law::Shape;
use crate::law::protocol::CLOCK_GROWTH;
use crate::notice::inform;
use crate::solver::{Bottleneck, Change, Clock, Growth, SMALL_CFL, Solver};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ending {
    /// At the final time.
    Time,
    /// At a state steady by this bound.
    Steady(Steady),
    /// By Ctrl-C.
    Interrupted,
}

/// The state and the cause at the end of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub ending: Ending,
    pub clock: Clock,
    /// Attempted steps of this run: without those before a checkpoint, but with rejected ones.
    pub tried: u64,
    /// The solution's time that they cover.
    pub covered: f64,
    /// Duration of the steps only.
    pub stepping: Duration,
    /// Duration including output.
    pub elapsed: Duration,
    /// The start of the first step.
    pub start: Instant,
}

/// Interval between updates of the progress bar and checks for Ctrl-C.
const TURN: Duration = Duration::from_millis(100);

/// Takes steps from the solver's state until the case's end, until the solution is steady, or until a signal asks
/// for the end.
///
/// The sequence of steps depends only on the case, never on timing: an interrupted run resumes to the
/// same bits as an uninterrupted one.
pub(super) fn march(
    case: &Case,
    solver: &mut Solver,
    mut files: Option<&mut Files>,
    progress: &Progress,
    signals: &Signals,
) -> Result<Outcome, Error> {
    let until = case.time.until.unwrap_or(f64::INFINITY);
    let history_every = case.output.history_every;
    let checkpoint_every = case.output.checkpoint_every.unwrap_or(u64::MAX);
    let start = Instant::now();
    let first = solver.clock()?;
    let (mut clock, mut in_turn) = (first, 1);
    let mut stepping = Duration::ZERO;
    let mut growth = Growth::new(solver)?;
    let steady_by = |change: Option<Change>| change.and_then(|change| case.time.steady_by(change));
    // A run that had ended as steady ends so again.
    let mut steady = steady_by(files.as_ref().and_then(|files| files.final_change()));
    let ending = loop {
        if let Some(steady) = steady {
            break Ending::Steady(steady);
        }
        if clock.time >= until {
            break Ending::Time;
        }
        if signals.ask_to_end() {
            break Ending::Interrupted;
        }
        let next = files.as_ref().map_or(until, |files| files.next_time(clock.time));
        // An output at the end up to rounding is the end: six times 0.3 is less than 1.8.
        let target = if next * (1.0 + 1e-9) < until { next } else { until };
        let to_event = |every: u64| every - clock.steps % every;
        let to_events = to_event(history_every).min(to_event(checkpoint_every));
        let steps = in_turn.min(to_events).min(steps_before(target, clock)).min(solver.most_steps());

        let turn = Instant::now();
        let (before, time_before) = (clock.steps, clock.time);
        clock = solver.advance(target, steps)?;
        stepping += turn.elapsed();
        if let Some(files) = files.as_deref_mut() {
            files.add_to_receivers(solver, before)?;
        }
        if until - clock.time > MOST_STEPS * clock.stable_dt {
            // The stable step is computed anew, because a rejection shortens steps regardless of waves.
            require_reach(case, &solver.mesh().elements().shapes(), until - clock.time, solver.stable_step()?, || {
                let Bottleneck { place, what, fastest, .. } = solver.bottleneck()?;
                Ok(format!("such steps follow from {what} in {place}: {fastest}"))
            })?;
        }
        // If every step was rejected, there is nothing new to examine.
        let due = |every: u64| clock.steps > before && clock.steps % every == 0;
        let look = due(history_every) || clock.time >= until;
        let is_due = files.as_deref().is_some_and(|files| files.is_due(time_before, clock.time));
        if look || is_due || due(checkpoint_every) {
            // Inadmissible states are never written as results.
            solver.check()?;
        }
        // At the target dt is 0, and such a step says nothing about the change.
        let change = (look && clock.dt > 0.0).then(|| growth.look(solver)).transpose()?;
        in_turn = next_turn(steps, turn.elapsed());
        progress.show(Position { step: clock.steps, time: clock.time, change });
        progress.report(solver, clock)?;

        steady = steady_by(change);
        if let Some(files) = files.as_deref_mut() {
            if let Some(change) = change {
                files.add_to_history(solver, clock, change)?;
            }
            // The end has its own files and checkpoint.
            let ends = steady.is_some() || clock.time >= until;
            files.measure(solver, time_before, look, ends)?;
            if !ends {
                files.write_due_fields(solver, time_before, clock.time)?;
            }
            if !ends && due(checkpoint_every) {
                files.write_checkpoint(solver, clock, false)?;
            }
            if !ends && signals.ask_for_checkpoint() {
                solver.check()?;
                files.write_checkpoint(solver, clock, false)?;
                inform(format_args!("wrote a checkpoint at t = {:?}, step {}", clock.time, clock.steps));
            }
        }
    };
    if let Some(files) = files {
        let moved = clock.steps > first.steps;
        if ending == Ending::Interrupted {
            if moved {
                files.write_checkpoint(solver, clock, false)?;
            }
        } else if moved || !files.has_ended() {
            files.write_fields(solver, clock.time)?;
            files.finish_receivers(solver)?;
            files.write_checkpoint(solver, clock, true)?;
        }
    }
    progress.finish();
    Ok(Outcome {
        ending,
        clock,
        tried: clock.steps + clock.rejected - first.steps - first.rejected,
        covered: clock.time - first.time,
        stepping,
        elapsed: start.elapsed(),
        start,
    })
}

/// More steps than any machine takes in a year.
const MOST_STEPS: f64 = 1e12;

/// Makes sure that steps of this length reach the end of the case; `waves` describes the fastest waves and their
/// place.
///
/// # Errors
/// [`Error::OutOfReach`].
pub(super) fn require_reach(
    case: &Case,
    shapes: &[Shape],
    left: f64,
    step: f64,
    waves: impl FnOnce() -> Result<String, Error>,
) -> Result<(), Error> {
    let steps = left / step;
    let Some(until) = case.time.until.filter(|_| steps > MOST_STEPS) else { return Ok(()) };
    let cfl = case.cfl(shapes);
    let cause = if cfl < SMALL_CFL * case.stable_cfl(shapes) {
        format!("`cfl = {cfl:?}` makes them that short; leave it out, or take more")
    } else {
        format!("{}; do parameters, state and mesh have the same units?", waves()?)
    };
    Err(Error::OutOfReach { step, steps, until, cause })
}

/// A number of steps that surely does not reach the target, but at least one: even if each step is longer than the previous one by the
/// largest growth factor.
fn steps_before(target: f64, clock: Clock) -> u64 {
    let left = (target - clock.time) / clock.stable_dt;
    if clock.stable_dt == 0.0 {
        return 1;
    }
    // left = g + g² + … + gⁿ
    let n = (1.0 + left * (CLOCK_GROWTH - 1.0) / CLOCK_GROWTH).ln() / CLOCK_GROWTH.ln();
    // For an infinite target the conversion saturates.
    (n.floor() as u64).max(1)
}

/// The number of steps in a turn, given that `steps` steps took `elapsed`.
fn next_turn(steps: u64, elapsed: Duration) -> u64 {
    let of_turn = TURN.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
    ((steps as f64 * of_turn) as u64).clamp(1, 2 * steps.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_approached_in_single_steps() {
        let clock = Clock { time: 1.0, stable_dt: 0.1, ..Clock::default() };
        // 1.1 + 1.21 + … + 1.1⁶ = 8.49, and the next is 10.4.
        assert_eq!(steps_before(2.0, clock), 6);
        assert_eq!(steps_before(1.05, clock), 1);
        assert_eq!(steps_before(2.0, Clock::default()), 1);
        assert_eq!(steps_before(f64::INFINITY, clock), u64::MAX);
    }

    #[test]
    fn turns_grow_at_most_twofold() {
        assert_eq!(next_turn(4, Duration::from_millis(1)), 8);
        assert_eq!(next_turn(4, Duration::from_millis(200)), 2);
        assert_eq!(next_turn(1, Duration::from_secs(9)), 1);
        assert_eq!(next_turn(1, Duration::ZERO), 2);
    }
}
