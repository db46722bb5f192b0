//! How long the kernels take.

use super::reduce::Operation;
use super::{Error, Solver, Turn, cycle};
use crate::device::Resources;

/// Seconds of one launch of each kernel that matters, and of a whole step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// A stage that reads two registers and writes one.
    pub stage: f64,
    /// The longest stable step of every element.
    pub time_step: f64,
    /// The smallest of these, but for the last few numbers.
    pub reduce: f64,
    /// From one step to the next.
    pub turn: f64,
    /// A step with a new step size, as a run takes it.
    pub step: f64,
}

/// How thoroughly to measure.
#[derive(Clone, Copy)]
pub(super) struct Sampling {
    /// Samples of which the median is taken.
    pub samples: usize,
    /// Shortest time of a sample, in seconds.
    pub least: f64,
}

/// For figures that people compare.
const THOROUGH: Sampling = Sampling { samples: 15, least: 0.02 };

impl Solver {
    /// Measures the kernels at the current solution, which takes some steps.
    ///
    /// # Errors
    /// The device's own, and [`Error::Inadmissible`].
    pub fn benchmark(&mut self) -> Result<Seconds, Error> {
        self.advance(f64::INFINITY, 1)?;
        let from = self.current;
        let how = THOROUGH;
        Ok(Seconds {
            stage: self.stage_seconds(how)?,
            time_step: self.seconds(how, |solver| solver.time_step(from))?,
            reduce: self.seconds(how, |solver| solver.longest.shorten(&solver.device, Operation::Min).map(drop))?,
            turn: self.seconds(how, |solver| solver.turn(Turn { end: true, begin: true, renew: false }))?,
            step: self.seconds(how, |solver| solver.take_cycle(cycle(1)))? / cycle(1) as f64,
        })
    }

    /// Time of a stage, once a step was taken.
    pub(super) fn stage_seconds(&mut self, how: Sampling) -> Result<f64, Error> {
        // All methods have at least two stages, and the second reads uⁿ beside u.
        let stage = &self.setup.integrator.stages()[1];
        let (from, to) = (self.current, (self.current + 1) % 3);
        self.seconds(how, |solver| solver.stage(stage, false, [from, from, to]))
    }

    /// What a thread of a kernel takes; `None` where the back end does not know, or there is no such kernel.
    pub fn resources(&self, kernel: &str) -> Option<Resources> {
        self.kernels.module.kernel(kernel).ok()?.resources()
    }

    /// Median time of `launch`, after a warm-up; a sample is as many launches as it takes to measure them.
    fn seconds(&mut self, how: Sampling, launch: impl Fn(&mut Self) -> Result<(), Error>) -> Result<f64, Error> {
        let mut launches = 1;
        while self.sample(&launch, launches)? < how.least {
            launches *= 2;
        }
        let mut samples = (0..how.samples).map(|_| self.sample(&launch, launches)).collect::<Result<Vec<_>, _>>()?;
        samples.sort_unstable_by(f64::total_cmp);
        Ok(samples[how.samples / 2] / f64::from(launches))
    }

    /// Time of so many launches.
    fn sample(&mut self, launch: impl Fn(&mut Self) -> Result<(), Error>, launches: u32) -> Result<f64, Error> {
        self.device.synchronize()?;
        let start = std::time::Instant::now();
        for _ in 0..launches {
            launch(self)?;
        }
        self.device.synchronize()?;
        Ok(start.elapsed().as_secs_f64())
    }
}
