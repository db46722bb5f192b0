//! Progress of a run on standard error; nothing where that is no terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::case::{Steady, Time};
use crate::solver::{Change, Solver};

/// Ticks of a whole bar.
const TICKS: f64 = 10_000.0;

/// A bar with rate and time left.
pub(super) struct Progress {
    bar: ProgressBar,
    label: String,
    until: Option<f64>,
    steady: Vec<Steady>,
    /// Unknowns times stages, for the rate.
    work: f64,
    start: Instant,
    first_step: u64,
    /// The first change that was measured.
    first_change: Cell<Option<Change>>,
}

/// A bar over a number of tasks of about equal length.
pub(super) fn tasks(count: usize) -> ProgressBar {
    bar(count as u64, "{bar:24} {pos}/{len}  {msg}  {elapsed} gone, {left} left")
}

/// A bar of this length that looks like this; its `{left}` is the time left.
fn bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        let _ = out.write_str(&time_left(state.pos(), state.eta()));
    };
    ProgressBar::new(length).with_style(style.with_key("left", left))
}

/// The time left, as text: nothing is known of it before the first progress.
fn time_left(position: u64, estimate: Duration) -> String {
    if position == 0 { "?".into() } else { format!("{:#}", HumanDuration(estimate)) }
}

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// Steps so far.
    pub step: u64,
    /// Time.
    pub time: f64,
    /// How much the last step changed the solution, where that was measured.
    pub change: Option<Change>,
}

impl Progress {
    /// A bar for a run that goes on from step `first_step` to this end.
    pub fn new(label: impl Into<String>, time: &Time, solver: &Solver, first_step: u64) -> Self {
        Self {
            bar: bar(TICKS as u64, "{bar:24} {percent:>3} %  {msg}  {elapsed} gone, {left} left"),
            label: label.into(),
            until: time.until,
            steady: time.steady.clone(),
            work: (solver.dof() * time.integrator.stages().len()) as f64,
            start: Instant::now(),
            first_step,
            first_change: Cell::new(None),
        }
    }

    /// Shows where the run is.
    pub fn show(&self, position: Position) {
        let Position { step, time, change } = position;
        let of_time = self.until.map_or(0.0, |until| time / until);
        // On the way to a steady state the change falls exponentially: its logarithm is what advances evenly.
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
        let ticks = (of_time.max(of_steady).clamp(0.0, 1.0) * TICKS) as u64;
        // A step in which no change was measured does not move a bar back that shows the change.
        self.bar.set_position(ticks.max(self.bar.position()));
        let steps = (step - self.first_step) as f64 / self.start.elapsed().as_secs_f64();
        let rate = format!("{steps:.0} steps/s, {:.3} Gdof/s", steps * self.work * 1e-9);
        let label = &self.label;
        self.bar.set_message(format!("{label}: t = {time:.4}, step {step}, {rate}"));
    }

    /// Takes the bar away.
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
}
