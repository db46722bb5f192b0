//! How fast the steps of a run were, and how far that is from what the device allows.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::march::Outcome;
use crate::solver::{Ceiling, Ceilings, Solver};

/// After steps of this length, the device's ceilings are measured where they are not known: that takes a second or two.
const WORTH_MEASURING: Duration = Duration::from_secs(20);

/// The speed of the steps of a run, without output and all that is between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speed {
    /// Seconds that the steps took.
    pub seconds: f64,
    /// The same for a unit of the solution's time; `None` where no time went by.
    pub per_time: Option<f64>,
    /// Unknowns times stages in a second, those of rejected steps too: as `bench` has it. `None` where no step was tried.
    pub dof_per_second: Option<f64>,
    /// Which part of the time the device needs at least; `None` where its ceilings are not known.
    pub of_floor: Option<(f64, Ceiling)>,
}

impl Speed {
    pub fn new(solver: &Solver, outcome: &Outcome) -> Self {
        let (stages, dof) = (solver.setup().integrator.stages().len(), solver.dof());
        let seconds = outcome.stepping.as_secs_f64();
        let of_floor = |ceilings: Ceilings| {
            let (elements, precision) = (solver.mesh().element_count(), solver.setup().precision);
            let floor = ceilings.floor_of_step(solver.unit(), stages, elements, precision);
            (outcome.tried as f64 * floor.seconds / seconds, floor.ceiling)
        };
        Self {
            seconds,
            per_time: (outcome.covered > 0.0).then_some(seconds / outcome.covered),
            dof_per_second: (outcome.tried > 0).then(|| outcome.tried as f64 * (dof * stages) as f64 / seconds),
            of_floor: ceilings(solver, outcome.stepping).filter(|_| outcome.tried > 0).map(of_floor),
        }
    }

    /// For programs.
    pub fn as_json(&self) -> Value {
        json!({
            "seconds": self.seconds,
            "seconds_per_time": self.per_time,
            "dof_per_second": self.dof_per_second,
            "fraction_of_floor": self.of_floor.map(|(fraction, _)| fraction),
            "floor_by": self.of_floor.map(|(_, ceiling)| ceiling.to_string()),
        })
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "steps: {:.2} s", self.seconds)?;
        if let Some(per_time) = self.per_time {
            if per_time < 0.01 {
                write!(f, ", {per_time:.2e} s per unit of time")?;
            } else {
                write!(f, ", {per_time:.2} s per unit of time")?;
            }
        }
        let Some(rate) = self.dof_per_second else { return Ok(()) };
        write!(f, ", {:.3} Gdof/s (unknowns times stages)", rate * 1e-9)?;
        match self.of_floor {
            Some((fraction, ceiling)) => write!(f, ", {:.0} % of the floor, which {ceiling} set", 100.0 * fraction),
            None => f.write_str("; the floor is not known before `bench` has measured it"),
        }
    }
}

/// The ceilings of the solver's device: as they were kept, or measured where the steps took so long that this is little.
fn ceilings(solver: &Solver, stepping: Duration) -> Option<Ceilings> {
    let (device, precision) = (solver.device(), solver.setup().precision);
    let measure = || Ceilings::measure(device, precision).ok();
    Ceilings::kept(device, precision).or_else(|| (stepping >= WORTH_MEASURING).then(measure).flatten())
}
