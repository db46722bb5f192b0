//! How long the kernels take.

use super::step::{AdvanceClock, cycle};
use super::{Error, Solver};
use crate::device::Resources;

/// Seconds of one launch of each kernel that matters, and of a whole step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// A stage, the mean of those of a step, without what limits its result.
    pub stage: f64,
    /// All that limits the result of a stage, where there is a limiter: what a step takes beside its stages, the step size and the
    /// clock, over the stages. It acts on what a stage leaves behind, as in a run.
    pub limiting: Option<f64>,
    /// The longest stable step of every element.
    pub time_step: f64,
    /// What these, or the errors of all elements, are reduced to, but for the last few numbers.
    pub reduce: f64,
    /// Advancing the clock from one step to the next.
    pub advance_clock: f64,
    /// A step as a run takes it, with a new step size where the setup has it so.
    pub step: f64,
}

/// Samples of which the median is taken.
const SAMPLES: usize = 15;
/// Shortest time of a sample, in seconds.
const LEAST: f64 = 0.02;
/// Most launches of a sample: on a small mesh there is nothing to reduce, which takes no time.
const MOST: u32 = 1 << 16;

impl Solver {
    /// Measures the kernels at the current solution, which takes some steps.
    ///
    /// # Errors
    /// The device's own, and [`Error::Inadmissible`].
    pub fn benchmark(&mut self) -> Result<Seconds, Error> {
        self.advance(f64::INFINITY, 1)?;
        let steps = cycle(self.setup.step_every);
        let (from, stages) = (self.current, self.setup.integrator.stages().len() as f64);
        let stage = self.seconds(Self::stages)? / stages;
        let time_step = self.seconds(|solver| solver.time_step(from, &solver.bounds.values))?;
        let reduce = self.seconds(|solver| solver.shorten_bounds(true).map(drop))?;
        let advance_clock = self
            .seconds(|solver| solver.advance_clock(AdvanceClock { end: true, renew: false, begin: true }, [from; 2]))?;
        let step = self.seconds(|solver| solver.take_cycle(steps))? / steps as f64;
        let between_steps = advance_clock + reduce / self.setup.step_every as f64;
        let limiting = self.setup.limiter.map(|_| (step - between_steps).max(stages * stage) / stages - stage);
        Ok(Seconds { stage, limiting, time_step, reduce, advance_clock, step })
    }

    /// About how many seconds the steps from the solution as it is to a time take: as many as the second one is long, each of
    /// its duration. Both are taken.
    ///
    /// # Errors
    /// The device's own, and [`Error::Inadmissible`].
    pub fn seconds_until(&mut self, time: f64) -> Result<f64, Error> {
        let first = self.advance(f64::INFINITY, 1)?;
        let start = std::time::Instant::now();
        let second = self.advance(f64::INFINITY, 1)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(seconds * ((time - first.time) / (second.time - first.time)).max(0.0))
    }

    /// Launches all stages of a step that is not taken, and limits nothing.
    pub(super) fn stages(&mut self) -> Result<(), Error> {
        self.runge_kutta_step(self.current, false, false).map(drop)
    }

    /// What a thread of a kernel takes; `None` where the back end does not know, or there is no such kernel.
    pub fn resources(&self, kernel: &str) -> Option<Resources> {
        self.kernels.module.kernel(kernel).ok()?.resources()
    }

    /// Median time of `launch`, after a warm-up; a sample is as many launches as it takes to measure them.
    fn seconds(&mut self, launch: impl Fn(&mut Self) -> Result<(), Error>) -> Result<f64, Error> {
        let launches = self.launches(&launch, LEAST)?;
        let samples = (0..SAMPLES).map(|_| self.sample(&launch, launches)).collect::<Result<Vec<_>, _>>()?;
        Ok(median(samples) / f64::from(launches))
    }

    /// How many launches take at least so many seconds.
    pub(super) fn launches(
        &mut self,
        launch: impl Fn(&mut Self) -> Result<(), Error>,
        least: f64,
    ) -> Result<u32, Error> {
        let mut launches = 1;
        while self.sample(&launch, launches)? < least && launches < MOST {
            launches *= 2;
        }
        Ok(launches)
    }

    /// Time of so many launches.
    pub(super) fn sample(
        &mut self,
        launch: impl Fn(&mut Self) -> Result<(), Error>,
        launches: u32,
    ) -> Result<f64, Error> {
        self.device.synchronize()?;
        let start = std::time::Instant::now();
        for _ in 0..launches {
            launch(self)?;
        }
        self.device.synchronize()?;
        Ok(start.elapsed().as_secs_f64())
    }
}

/// The middle one of an odd number of samples.
pub(super) fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
