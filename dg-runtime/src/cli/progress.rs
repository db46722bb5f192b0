//! Progress of a run on standard error: a bar on a terminal, else occasional lines.

use std::cell::Cell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::case::{Steady, Time};
use crate::notice::{Verbosity, notice};
use crate::solver::{self, Change, Clock, Solver};

/// Length of a whole bar.
const TICKS: f64 = 10_000.0;

/// A bar with rate and time left.
pub(super) struct Progress {
    bar: ProgressBar,
    label: String,
    until: Option<f64>,
    steady: Vec<Steady>,
    /// Unknowns times stages per step, for the rate.
    work: f64,
    start: Instant,
    first: Clock,
    /// The completed part, from 0 to 1, and its value at the start.
    done: Cell<f64>,
    done_at_first: f64,
    /// The last measured change.
    change: Cell<Option<Change>>,
    /// The time of the next line, if lines are written.
    next_line: Cell<Option<Duration>>,
    /// The first measured change.
    first_change: Cell<Option<Change>>,
}

/// The time until the next line: the longer a run takes, the rarer lines are.
fn until_next_line(elapsed: Duration) -> Duration {
    let seconds = |seconds| Duration::from_secs(seconds);
    match Verbosity::get() {
        Verbosity::Verbose => (elapsed / 40).clamp(seconds(1), seconds(60)),
        _ => (elapsed / 4).clamp(seconds(10), seconds(600)),
    }
}

/// The change of the solution in the last step as text, if it is known.
fn as_text(change: Option<Change>) -> String {
    change.map_or(String::new(), |change| format!(", change {:.1e} per unit of time", change.per_time))
}

/// A bar over a number of tasks of about equal length.
pub(super) fn tasks(count: usize) -> ProgressBar {
    bar(count as u64, "{bar:24} {pos}/{len}  {msg}  {elapsed} gone, {left} left")
}

/// A bar with this length and template; its `{left}` is the time left.
fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&time_left(state.pos(), state.eta()));
    };
    let bar = ProgressBar::new(length);
    if Verbosity::get() == Verbosity::Quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar.with_style(style.with_key("left", left))
}

/// The time left, as text: unknown before the first progress.
fn time_left(position: u64, estimate: Duration) -> String {
    if position == 0 { "?".into() } else { format!("{:#}", HumanDuration(estimate)) }
}

/// The state of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// Steps so far.
    pub step: u64,
    /// Time.
    pub time: f64,
    /// The change of the solution in the last step, if it was measured.
    pub change: Option<Change>,
}

impl Progress {
    /// The progress of a run from here to its end.
    pub fn new(label: impl Into<String>, time: &Time, solver: &Solver, first: Clock) -> Self {
        let bar = bar(TICKS as u64, "{bar:24} {percent:>3} %  {msg}  {elapsed} gone, {left} left");
        let lines = match Verbosity::get() {
            Verbosity::Quiet => false,
            Verbosity::Normal => bar.is_hidden(),
            Verbosity::Verbose => true,
        };
        let done = time.until.map_or(0.0, |until| first.time / until);
        Self {
            bar,
            label: label.into(),
            until: time.until,
            steady: time.steady.clone(),
            work: (solver.dof() * solver.setup().stages().len()) as f64,
            start: Instant::now(),
            first,
            done: Cell::new(done),
            done_at_first: done,
            change: Cell::new(None),
            next_line: Cell::new(lines.then(|| until_next_line(Duration::ZERO))),
            first_change: Cell::new(None),
        }
    }

    /// Shows the state of the run.
    pub fn show(&self, position: Position) {
        let Position { step, time, change } = position;
        let of_time = self.until.map_or(0.0, |until| time / until);
        // On the way to a steady state the change falls exponentially: its logarithm advances evenly.
        let of_steady = change.map_or(0.0, |change| {
            let first = self.first_change.get().unwrap_or(change);
            self.first_change.set(Some(first));
            let to = |steady: &Steady| {
                let ((first, _), (change, tolerance)) =
                    (steady.change_and_tolerance(first), steady.change_and_tolerance(change));
                (first / change).ln() / (first / tolerance).ln()
            };
            self.steady.iter().map(to).fold(0.0, f64::max)
        });
        // The bar never moves back, for example when no change was measured.
        self.done.set(of_time.max(of_steady).min(1.0).max(self.done.get()));
        self.bar.set_position((self.done.get() * TICKS) as u64);
        self.change.set(change.or(self.change.get()));
        let (label, rate, change) = (&self.label, self.rate(step), as_text(self.change.get()));
        self.bar.set_message(format!("{label}: t = {time:.4}, step {step}, {rate}{change}"));
    }

    /// Steps and updated unknowns per second.
    fn rate(&self, step: u64) -> String {
        let steps = (step - self.first.steps) as f64 / self.start.elapsed().as_secs_f64();
        format!("{steps:.0} steps/s, {:.3} Gdof/s", steps * self.work * 1e-9)
    }

    /// Writes a line about the run's state, if one is due.
    ///
    /// # Errors
    ///
    /// Errors of the device.
    pub fn report(&self, solver: &Solver, clock: Clock) -> Result<(), solver::Error> {
        let elapsed = self.start.elapsed();
        if self.next_line.get().is_none_or(|next| elapsed < next) {
            return Ok(());
        }
        self.next_line.set(Some(elapsed + until_next_line(elapsed)));
        if clock.dt > 0.0 {
            self.change.set(Some(solver.change()?));
        }
        let Clock { time, dt, steps, .. } = clock;
        let (label, rate, change) = (&self.label, self.rate(steps), as_text(self.change.get()));
        let mut line = format!("{label}: t = {time:.6}, step {steps}, dt = {dt:.3e}, {rate}{change}; means:");
        for (variable, [least, largest]) in solver.setup().law.state.iter().zip(solver.range_of_means()?) {
            let _ = write!(line, " {} {least:.4e} to {largest:.4e},", variable.name);
        }
        let done = self.done.get() - self.done_at_first;
        if done > 0.0 {
            let left = elapsed.as_secs_f64() * (1.0 - self.done.get()) / done;
            let left = Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX);
            let _ = write!(line, " about {} left", HumanDuration(left));
        } else {
            line += " time left unknown";
        }
        self.bar.suspend(|| notice(line));
        Ok(())
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_unknown_before_the_first_progress() {
        assert_eq!(time_left(0, Duration::ZERO), "?");
        assert_eq!(time_left(1, Duration::from_secs(30)), "30s");
    }

    #[test]
    fn lines_are_the_rarer_the_longer_a_run_takes() {
        let mut elapsed = Duration::ZERO;
        let mut lines = 0;
        while elapsed < Duration::from_secs(24 * 3600) {
            let wait = until_next_line(elapsed);
            assert!(wait >= Duration::from_secs(10) && wait <= Duration::from_secs(600));
            elapsed += wait;
            lines += 1;
        }
        assert!((144..200).contains(&lines), "{lines} lines in a day");
    }
}
