//! How long the kernels take.

use super::scheme::{AdvanceClock, cycle};
use super::{Error, Solver};

/// Seconds of one launch of each important kernel, and of a whole step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds {
    /// The predictor, if the integrator has one.
    pub(crate) predict: Option<f64>,
    /// A stage without limiting: the mean over the stages of a step.
    pub(crate) stage: f64,
    /// Limiting after one stage, if there is a limiter: the time of a step without its stages, the medium, the reduction and the clock,
    /// divided by the number of stages. So the input is the result of a stage, as in a run.
    pub(crate) limiting: Option<f64>,
    /// What a medium that depends on time takes in a step: renewing it for every stage and, with a predictor, the series in time.
    pub(crate) medium: Option<f64>,
    /// Finding the longest stable step of every element.
    pub(crate) time_step: f64,
    /// Reducing these bounds, or the errors of all elements, to the few numbers that `advance_clock` reduces.
    pub(crate) reduce: f64,
    /// Advancing the clock from one step to the next, without the few numbers that it reduces itself: these count as limiting.
    pub(crate) advance_clock: f64,
    /// A step as in a run, with a new step size as often as the setup asks for one.
    pub(crate) step: f64,
    /// The time by which a step advances the solution.
    pub(crate) step_length: f64,
}

/// Number of samples; their median counts.
const SAMPLES: usize = 15;
/// Shortest time of a sample, in seconds.
const LEAST: f64 = 0.02;
/// Most launches of a sample: on a small mesh some kernels launch nothing, which takes no time.
const MOST: u32 = 1 << 16;

impl Solver {
    /// Measures the kernels at the current solution, which takes some steps.
    ///
    /// # Errors
    /// Errors of the device, and [`Error::Inadmissible`].
    pub(crate) fn benchmark(&mut self) -> Result<Seconds, Error> {
        self.advance(f64::INFINITY, 1)?;
        let setup = self.setup();
        let (every, limited) = (setup.step_every(), setup.limiter.is_some());
        let (steps, count) = (cycle(every), setup.stages().len() as f64);
        let has_predictor = setup.predicts_mean();
        let predict = has_predictor.then(|| seconds(self, predict)).transpose()?;
        let stage = seconds(self, stages)? / count;
        let column = self.scheme().new_columns(1)?;
        let time_step = seconds(self, |solver| {
            let scheme = solver.scheme();
            scheme.find_longest_steps(scheme.state.current, &column)
        })?;
        drop(column);
        let reduce = seconds(self, |solver| {
            let scheme = solver.scheme();
            scheme.run(scheme.shorten_bounds(true)?.0)
        })?;
        let advance_clock = seconds(self, |solver| {
            let scheme = solver.scheme();
            let advance = AdvanceClock { end: true, renew: false, begin: true };
            scheme.run(scheme.advance_clock(advance, [scheme.state.current; 2])?)
        })?;
        let step = seconds(self, |solver| solver.take_cycle(steps))? / steps as f64;
        let between_steps = advance_clock + reduce / every as f64;
        let medium = if self.setup().predicts_series() {
            Some((step - between_steps - count * stage).max(0.0))
        } else if self.setup().changing_medium().is_some() {
            // At the start of a step, too.
            Some((count + 1.0) * seconds(self, renew_medium)?)
        } else {
            None
        };
        let stages_limited = step - between_steps - medium.unwrap_or(0.0);
        let limiting = limited.then(|| stages_limited.max(count * stage) / count - stage);
        let step_length = self.clock()?.dt;
        Ok(Seconds { predict, stage, limiting, medium, time_step, reduce, advance_clock, step, step_length })
    }

    /// An estimate of the seconds that a run from the current solution to a time takes: takes two steps, and assumes that all others have
    /// the length and duration of the second.
    ///
    /// # Errors
    /// Errors of the device, and [`Error::Inadmissible`].
    pub(crate) fn seconds_until(&mut self, time: f64) -> Result<f64, Error> {
        let first = self.advance(f64::INFINITY, 1)?;
        let start = std::time::Instant::now();
        let second = self.advance(f64::INFINITY, 1)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(seconds * ((time - first.time) / (second.time - first.time)).max(0.0))
    }
}

/// Launches the predictor alone.
fn predict(solver: &mut Solver) -> Result<(), Error> {
    let scheme = solver.scheme();
    scheme.run(scheme.predict(scheme.state.current)?)
}

/// Renews a medium that depends on time, once.
fn renew_medium(solver: &mut Solver) -> Result<(), Error> {
    let scheme = solver.scheme();
    scheme.run(scheme.renew_medium(0.0)?)
}

/// Launches the predictor, if there is one, and the stages of a step without limiting, and leaves the solution as it was.
pub(super) fn predictor_and_stages(solver: &mut Solver) -> Result<(), Error> {
    predict(solver)?;
    stages(solver)
}

/// Launches the stages of a step without limiting, and leaves the solution as it was.
fn stages(solver: &mut Solver) -> Result<(), Error> {
    let scheme = solver.scheme();
    scheme.run(scheme.bare_stages(scheme.state.current)?)
}

/// Median time of one launch after a warm-up; a sample consists of enough launches for a reliable time.
fn seconds(solver: &mut Solver, launch: impl Fn(&mut Solver) -> Result<(), Error>) -> Result<f64, Error> {
    let launches = launches(solver, &launch, LEAST)?;
    let samples = (0..SAMPLES).map(|_| sample(solver, &launch, launches)).collect::<Result<Vec<_>, _>>()?;
    Ok(median(samples) / f64::from(launches))
}

/// The number of launches that take at least `least` seconds.
pub(super) fn launches(
    solver: &mut Solver,
    launch: impl Fn(&mut Solver) -> Result<(), Error>,
    least: f64,
) -> Result<u32, Error> {
    let mut launches = 1;
    while sample(solver, &launch, launches)? < least && launches < MOST {
        launches *= 2;
    }
    Ok(launches)
}

/// Time of this many launches.
pub(super) fn sample(
    solver: &mut Solver,
    launch: impl Fn(&mut Solver) -> Result<(), Error>,
    launches: u32,
) -> Result<f64, Error> {
    solver.device().synchronize()?;
    let start = std::time::Instant::now();
    for _ in 0..launches {
        launch(solver)?;
    }
    solver.device().synchronize()?;
    Ok(start.elapsed().as_secs_f64())
}

/// The middle one of an odd number of samples.
pub(super) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
