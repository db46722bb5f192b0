//! How long the kernels take.

use super::{Error, Solver, cycle};
use crate::device::Resources;

/// Seconds of one launch of each kernel that matters, and of a whole step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seconds {
    /// A stage that reads two registers and writes one.
    pub stage: f64,
    /// The longest stable step, with its reduction over all elements.
    pub time_step: f64,
    /// A step with a new step size.
    pub step: f64,
}

/// Shortest time that is measured, in seconds.
const LEAST: f64 = 0.3;

impl Solver {
    /// Measures the kernels at the current solution, which takes some steps.
    ///
    /// # Errors
    /// The device's own, and [`Error::Inadmissible`].
    pub fn benchmark(&mut self) -> Result<Seconds, Error> {
        self.advance(f64::INFINITY, 1)?;
        // All methods have at least two stages, and the second reads uⁿ beside u.
        let stage = &self.setup.integrator.stages()[1];
        let (from, to) = (self.current, (self.current + 1) % 3);
        let launch = |solver: &mut Self| solver.stage(stage, false, [from, from, to]);
        let stage = self.seconds(launch)?;
        let time_step = self.seconds(|solver| solver.longest_step().map(drop))?;
        let step = self.seconds(|solver| solver.take_cycle(cycle(1)))? / cycle(1) as f64;
        Ok(Seconds { stage, time_step, step })
    }

    /// What a thread of a kernel takes; `None` where the back end does not know, or there is no such kernel.
    pub fn resources(&self, kernel: &str) -> Option<Resources> {
        self.kernels.module.kernel(kernel).ok()?.resources()
    }

    /// Mean time of `launch`, over as many launches as it takes to measure it.
    fn seconds(&mut self, launch: impl Fn(&mut Self) -> Result<(), Error>) -> Result<f64, Error> {
        let mut launches = 1;
        loop {
            self.device.synchronize()?;
            let start = std::time::Instant::now();
            for _ in 0..launches {
                launch(self)?;
            }
            self.device.synchronize()?;
            let elapsed = start.elapsed().as_secs_f64();
            if elapsed >= LEAST {
                return Ok(elapsed / f64::from(launches));
            }
            launches *= 2;
        }
    }
}
