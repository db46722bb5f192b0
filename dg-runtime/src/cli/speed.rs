//! The speed of a run's steps, compared with the device's limit.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};

use super::march::Outcome;
use crate::solver::{Ceiling, Ceilings, Elements, Solver};

/// After steps of this duration, unknown ceilings of the device are measured: that takes a second or two.
const WORTH_MEASURING: Duration = Duration::from_secs(20);

/// The speed of the steps of a run, without output and other work between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Speed {
    /// Duration of the steps.
    pub seconds: f64,
    /// Seconds per unit of the solution's time; `None` if no time passed.
    pub per_time: Option<f64>,
    /// Unknowns times stages per second, including rejected steps, as in `bench`. `None` if no step was tried.
    pub dof_per_second: Option<f64>,
    /// The fraction of the duration that the device needs at least; `None` if its ceilings or a kernel's work are unknown.
    pub of_floor: Option<(f64, Ceiling)>,
    /// Whether the ceilings of the device are known.
    pub has_ceilings: bool,
}

impl Speed {
    pub fn new(solver: &Solver, outcome: &Outcome) -> Self {
        let (integrator, dof) = (solver.setup().integrator, solver.dof());
        let stages = solver.setup().stages().len();
        let seconds = outcome.stepping.as_secs_f64();
        let of_floor = |ceilings: Ceilings| {
            let (law, precision) = (solver.setup().law, solver.setup().precision);
            let floor = |section: &Elements| ceilings.floor_of_step(section, law, integrator, precision);
            let floors: Vec<_> = solver.sections_of_elements().iter().map(floor).collect::<Option<_>>()?;
            let slowest = floors.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
            let ceiling = slowest.map_or(Ceiling::Bytes, |floor| floor.ceiling);
            let floor: f64 = floors.iter().map(|floor| floor.seconds).sum();
            Some((outcome.tried as f64 * floor / seconds, ceiling))
        };
        let ceilings = ceilings(solver, outcome.stepping);
        Self {
            seconds,
            per_time: (outcome.covered > 0.0).then_some(seconds / outcome.covered),
            dof_per_second: (outcome.tried > 0).then(|| outcome.tried as f64 * (dof * stages) as f64 / seconds),
            has_ceilings: ceilings.is_some(),
            of_floor: ceilings.filter(|_| outcome.tried > 0).and_then(of_floor),
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
            if !(0.01..1e6).contains(&per_time) {
                write!(f, ", {per_time:.2e} s per unit of time")?;
            } else {
                write!(f, ", {per_time:.2} s per unit of time")?;
            }
        }
        let Some(rate) = self.dof_per_second else { return Ok(()) };
        write!(f, ", {:.3} Gdof/s (unknowns times stages)", rate * 1e-9)?;
        match self.of_floor {
            Some((fraction, ceiling)) => write!(f, ", {:.0} % of the floor, which {ceiling} set", 100.0 * fraction),
            None if self.has_ceilings => Ok(()),
            None => f.write_str("; the floor is not known before `bench` has measured it"),
        }
    }
}

/// The ceilings of the solver's device: the stored ones, or measured if the steps took much longer than that.
fn ceilings(solver: &Solver, stepping: Duration) -> Option<Ceilings> {
    let (device, precision) = (solver.device(), solver.setup().precision);
    let measure = || Ceilings::measure(device, precision).ok();
    Ceilings::kept(device, precision).or_else(|| (stepping >= WORTH_MEASURING).then(measure).flatten())
}
