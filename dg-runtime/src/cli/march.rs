//! The time loop: steps until the end, with a look around at every output, row of the history and checkpoint.

use std::time::{Duration, Instant};

use super::Error;
use super::files::Files;
use super::progress::{Position, Progress};
use super::signals::Signals;
use crate::case::{Case, Steady};
use crate::law::protocol::CLOCK_GROWTH;
use crate::notice::inform;
use crate::solver::{Bottleneck, Change, Clock, Growth, SMALL_CFL, Solver};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Ending {
    /// At the final time.
    Time,
    /// At a state that is steady by this bound.
    Steady(Steady),
    /// By Ctrl-C.
    Interrupted,
}

/// Where and how a run ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub ending: Ending,
    pub clock: Clock,
    /// Steps that this run tried: without those before a checkpoint, with those that were rejected.
    pub tried: u64,
    /// How much of the solution's time they cover.
    pub covered: f64,
    /// Time that the steps took alone.
    pub stepping: Duration,
    /// Time that they took with output.
    pub elapsed: Duration,
    /// When the first of them began.
    pub start: Instant,
}

/// A progress bar and Ctrl-C get their turn this often.
const TURN: Duration = Duration::from_millis(100);

/// Steps from where the solver is until the case's end, until its solution is steady, or until a signal asks
/// for its end.
///
/// Where the steps lie depends on the case alone, never on how long they take: a run that was interrupted goes on to the
/// same bits as one that was not.
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
    // A run that had ended so ends so again.
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
        // What differs from the end by rounding is the end: six times 0.3 is less than 1.8.
        let target = if next * (1.0 + 1e-9) < until { next } else { until };
        let to_event = |every: u64| every - clock.steps % every;
        let steps =
            in_turn.min(to_event(history_every)).min(to_event(checkpoint_every)).min(steps_before(target, clock));

        let turn = Instant::now();
        let before = clock.steps;
        clock = solver.advance(target, steps)?;
        stepping += turn.elapsed();
        if until - clock.time > MOST_STEPS * clock.stable_dt {
            // What was rejected and tried again with a part of the step says nothing of waves.
            require_reach(case, until - clock.time, solver.stable_step()?, || {
                let Bottleneck { place, fastest, .. } = solver.bottleneck()?;
                Ok(format!("waves are as fast in {place}: {fastest}"))
            })?;
        }
        // Where every step was rejected, there is nothing new to see.
        let due = |every: u64| clock.steps > before && clock.steps % every == 0;
        let look = due(history_every) || clock.time >= until;
        if look || clock.time >= target || due(checkpoint_every) {
            // Nothing that makes no sense is written as a result.
            solver.check()?;
        }
        // A step that was not taken, because the target had been reached, changes nothing and says nothing.
        let change = (look && clock.dt > 0.0).then(|| growth.look(solver)).transpose()?;
        in_turn = next_turn(steps, turn.elapsed());
        progress.show(Position { step: clock.steps, time: clock.time, change });
        progress.report(solver, clock)?;

        steady = steady_by(change);
        if let Some(files) = files.as_deref_mut() {
            if let Some(change) = change {
                files.add_to_history(solver, clock, change)?;
            }
            // The end has files and a checkpoint of its own.
            let ends = steady.is_some() || clock.time >= until;
            if !ends && clock.time >= target {
                files.write_fields(solver, clock.time)?;
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

/// More steps than this are taken by no machine in a year.
const MOST_STEPS: f64 = 1e12;

/// Makes sure that steps of this length come to the end of the case in what is left of time; `waves` says how fast they are, and
/// where.
///
/// # Errors
/// [`Error::OutOfReach`].
pub(super) fn require_reach(
    case: &Case,
    left: f64,
    step: f64,
    waves: impl FnOnce() -> Result<String, Error>,
) -> Result<(), Error> {
    let steps = left / step;
    let Some(until) = case.time.until.filter(|_| steps > MOST_STEPS) else { return Ok(()) };
    let cfl = case.cfl();
    let cause = if cfl < SMALL_CFL * case.time.integrator.stable_cfl(case.order) {
        format!("`cfl = {cfl:?}` makes them that short; leave it out, or take more")
    } else {
        format!("{}; do parameters, state and mesh have the same units?", waves()?)
    };
    Err(Error::OutOfReach { step, steps, until, cause })
}

/// Steps that surely do not reach the target, but at least one: also if each is longer than the one before by as much
/// as a step may grow.
fn steps_before(target: f64, clock: Clock) -> u64 {
    let left = (target - clock.time) / clock.stable_dt;
    if clock.stable_dt == 0.0 {
        return 1;
    }
    // left = g + g² + … + gⁿ
    let n = (1.0 + left * (CLOCK_GROWTH - 1.0) / CLOCK_GROWTH).ln() / CLOCK_GROWTH.ln();
    // Of an infinite target the conversion saturates.
    (n.floor() as u64).max(1)
}

/// As many steps as take a turn's time, where so many took so long.
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
