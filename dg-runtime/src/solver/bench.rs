//! How long the kernels take.

use super::scheme::{AdvanceClock, cycle};
use super::{Error, Solver};

/// Seconds of one launch of each kernel that matters, and of a whole step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds {
    /// A stage, the mean of those of a step, without limiting.
    pub(crate) stage: f64,
    /// Limiting the result of a stage, where there is a limiter: the time of a step without that of its stages, of reducing and of
    /// the clock, divided by the number of stages. So it is that of results of stages, as in a run.
    pub(crate) limiting: Option<f64>,
    /// The longest stable step of every element.
    pub(crate) time_step: f64,
    /// Reducing these, or the errors of all elements, to the few numbers that `advance_clock` reduces.
    pub(crate) reduce: f64,
    /// Advancing the clock from one step to the next.
    pub(crate) advance_clock: f64,
    /// A step as a run takes it, with a new step size where the setup has it so.
    pub(crate) step: f64,
}

/// Samples of which the median is taken.
const SAMPLES: usize = 15;
/// Shortest time of a sample, in seconds.
const LEAST: f64 = 0.02;
/// Most launches of a sample: on a small mesh there is nothing to reduce, and launching nothing takes no time.
const MOST: u32 = 1 << 16;

/// Measures the kernels at the current solution, which takes some steps.
///
/// # Errors
/// The device's own, and [`Error::Inadmissible`].
pub(super) fn benchmark(solver: &mut Solver) -> Result<Seconds, Error> {
    solver.advance(f64::INFINITY, 1)?;
    let setup = solver.setup();
    let (every, limited) = (setup.step_every, setup.limiter.is_some());
    let (steps, count) = (cycle(every), setup.integrator.stages().len() as f64);
    let stage = seconds(solver, stages)? / count;
    let time_step = seconds(solver, |solver| {
        let scheme = solver.scheme();
        scheme.run([scheme.time_step(scheme.state.current, scheme.state.bounds.values())?])
    })?;
    let reduce = seconds(solver, |solver| {
        let scheme = solver.scheme();
        scheme.run(scheme.shorten_bounds(true)?.0)
    })?;
    let advance_clock = seconds(solver, |solver| {
        let scheme = solver.scheme();
        let advance = AdvanceClock { end: true, renew: false, begin: true };
        scheme.run(scheme.advance_clock(advance, [scheme.state.current; 2])?)
    })?;
    let step = seconds(solver, |solver| solver.take_cycle(steps))? / steps as f64;
    let between_steps = advance_clock + reduce / every as f64;
    let limiting = limited.then(|| (step - between_steps).max(count * stage) / count - stage);
    Ok(Seconds { stage, limiting, time_step, reduce, advance_clock, step })
}

/// Launches the stages of a step without limiting, and does not take it.
pub(super) fn stages(solver: &mut Solver) -> Result<(), Error> {
    let scheme = solver.scheme();
    scheme.run(scheme.bare_stages(scheme.state.current)?)
}

/// Median time of `launch`, after a warm-up; a sample is as many launches as it takes to measure them.
fn seconds(solver: &mut Solver, launch: impl Fn(&mut Solver) -> Result<(), Error>) -> Result<f64, Error> {
    let launches = launches(solver, &launch, LEAST)?;
    let samples = (0..SAMPLES).map(|_| sample(solver, &launch, launches)).collect::<Result<Vec<_>, _>>()?;
    Ok(median(samples) / f64::from(launches))
}

/// How many launches take at least so many seconds.
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

/// Time of so many launches.
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
