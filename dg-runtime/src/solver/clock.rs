//! The state of a computation in time.

use crate::law::protocol::*;

/// The state of a computation in time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time.
    pub time: f64,
    /// Length of the last step.
    pub dt: f64,
    /// Steps taken.
    pub steps: u64,
    /// Steps rejected because a stage was inadmissible or the error was too large.
    pub rejected: u64,
    /// The latest bound on the step: the longest that is stable, or within the tolerance.
    pub stable_dt: f64,
    /// With a tolerance, the errors of the last step and of the one before, relative to the tolerated error; 0 where there was none.
    pub errors: [f64; 2],
}

impl Clock {
    /// The numbers of the clock on the device, for steps with this Courant number.
    pub(super) fn numbers(&self, cfl: f64) -> [f64; CLOCK_NUMBERS] {
        let mut numbers = [0.0; CLOCK_NUMBERS];
        numbers[CLOCK_TIME] = self.time;
        numbers[CLOCK_DT] = self.dt;
        numbers[CLOCK_STEPS] = self.steps as f64;
        numbers[CLOCK_STABLE_DT] = self.stable_dt;
        numbers[CLOCK_TARGET] = self.time;
        numbers[CLOCK_CFL] = cfl;
        numbers[CLOCK_REJECTED] = self.rejected as f64;
        [numbers[CLOCK_ERROR], numbers[CLOCK_ERROR_BEFORE]] = self.errors;
        numbers
    }
}

impl From<&[f64; CLOCK_NUMBERS]> for Clock {
    fn from(numbers: &[f64; CLOCK_NUMBERS]) -> Self {
        Self {
            time: numbers[CLOCK_TIME],
            dt: numbers[CLOCK_DT],
            steps: numbers[CLOCK_STEPS] as u64,
            rejected: numbers[CLOCK_REJECTED] as u64,
            stable_dt: numbers[CLOCK_STABLE_DT],
            errors: [numbers[CLOCK_ERROR], numbers[CLOCK_ERROR_BEFORE]],
        }
    }
}
