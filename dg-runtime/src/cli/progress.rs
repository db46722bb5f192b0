//! Progress of a run on standard error; nothing where that is no terminal.

use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::case::Time;

/// Ticks of a whole bar.
const TICKS: f64 = 10_000.0;

/// A bar with rate and time left.
pub(super) struct Progress {
    bar: ProgressBar,
    until: Option<f64>,
    steady: Option<f64>,
    /// Unknowns, for the rate.
    dofs: usize,
    start: Instant,
    /// The step and the change at which the run began or went on.
    first: Option<(u64, f64)>,
}

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// Steps so far.
    pub step: u64,
    /// Time.
    pub time: f64,
    /// Largest change of a coefficient in the last step, where it was measured.
    pub change: Option<f64>,
}

impl Progress {
    /// A bar for a run with this end and this number of unknowns.
    pub fn new(time: &Time, dofs: usize) -> Self {
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}  {elapsed} gone, {eta} left");
        let bar = ProgressBar::new(TICKS as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, until: time.until, steady: time.steady, dofs, start: Instant::now(), first: None }
    }

    /// Shows where the run is.
    pub fn show(&mut self, position: Position) {
        let Position { step, time, change } = position;
        let (first_step, first_change) = *self.first.get_or_insert((step, change.unwrap_or(f64::NAN)));
        let of_time = self.until.map_or(0.0, |until| time / until);
        // On the way to a steady state the change falls exponentially: its logarithm is what advances evenly.
        let of_steady = match (self.steady, change) {
            (Some(steady), Some(change)) => (first_change / change).ln() / (first_change / steady).ln(),
            _ => 0.0,
        };
        let done = of_time.max(of_steady).clamp(0.0, 1.0);
        self.bar.set_position((done * TICKS) as u64);
        let steps = (step - first_step) as f64 / self.start.elapsed().as_secs_f64();
        let rate = format!("{steps:.0} steps/s, {:.3} Gdof/s", steps * self.dofs as f64 * 1e-9);
        let change = change.map_or(String::new(), |change| format!(", change {change:.1e}"));
        self.bar.set_message(format!("step {step}, t = {time:.4}{change}, {rate}"));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
