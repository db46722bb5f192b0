//! The choice of a solver's schedule, and messages about it.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Error;
use super::table::table;
use crate::case::{Case, Initial};
use crate::device::Device;
use crate::mesh::Mesh;
use crate::notice::inform;
use crate::solver::{ELEMENTS_FILL_CUDA, Setup, Solver, Trials, Variant};

/// The help on `--schedule`.
pub(super) const HELP: &str = "\
How threads share the work; if not given, as in the case file, or else the fastest. With `element` a thread has all components of an \
element; with `component` it has one; with `pair` one of two elements, with `triple` three of one (CUDA only); with `tensor` one, by tensor instructions (CUDA, \
double precision). component/32 takes patches of 32 elements instead of the usual number (32, 64 or 128), and component/32/4 puts four \
patches on a CUDA multiprocessor at once";

/// The origin of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The user chose it.
    Told,
    /// The checkpoint's run used it.
    Checkpoint,
    /// It was the fastest of several.
    Fastest,
    /// It is usually the fastest for this order.
    Expected,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Told => "as told",
            Self::Checkpoint => "as before",
            Self::Fastest => "the fastest measured",
            Self::Expected => "not measured",
        })
    }
}

/// How to choose a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choosing {
    /// By the candidates' times, measured if unknown.
    Measure,
    /// Take the expected one: times on a fully used device say little about a small mesh.
    Expect,
}

impl Choosing {
    /// The choice for a run on a mesh.
    pub fn on(mesh: &Mesh) -> Self {
        let fills = mesh.element_count() >= ELEMENTS_FILL_CUDA;
        // One measurement is of one shape and one kind of maps.
        if fills && mesh.sections().len() == 1 { Self::Measure } else { Self::Expect }
    }
}

/// Usual duration of measuring, including compilation.
const MEASURING: Duration = Duration::from_secs(4);
/// The fraction of a run that measuring may take.
const SHARE: f64 = 0.1;

/// Sets a setup's schedule, unless it has one, if the fastest is known or is to be measured.
pub(super) fn choose(device: &Arc<Device>, setup: &mut Setup, choosing: Choosing) -> Result<Origin, Error> {
    if let Some(origin) = known(device, setup, choosing) {
        return Ok(origin);
    }
    measure(device, setup, Duration::MAX)
}

/// A solver for a run of a case, which is not yet at its initial state, and the origin of its schedule: the fastest one if
/// it is known, or if finding it takes at most a tenth of the run.
pub(super) fn solver(
    case: &Case,
    device: &Arc<Device>,
    mesh: Mesh,
    mut setup: Setup,
) -> Result<(Solver, Origin), Error> {
    let new = |mesh, setup| Solver::new(device.clone(), mesh, setup);
    if let Some(origin) = known(device, &mut setup, Choosing::on(&mesh)) {
        return Ok((new(mesh, setup)?, origin));
    }
    // The expected schedule shows how long the run takes.
    let mut solver = new(mesh, setup.clone())?;
    let Some(within) = worth(length(case, &mut solver)) else { return Ok((solver, Origin::Expected)) };
    let mesh = solver.into_mesh();
    let origin = measure(device, &mut setup, within)?;
    Ok((new(mesh, setup)?, origin))
}

/// The origin of a schedule known without measuring, if any; a setup without one gets the fastest known one.
fn known(device: &Device, setup: &mut Setup, choosing: Choosing) -> Option<Origin> {
    if setup.schedule.is_some() {
        return Some(Origin::Told);
    }
    if choosing == Choosing::Expect || !Trials::are_possible(device, setup) {
        return Some(Origin::Expected);
    }
    setup.schedule = Trials::kept(device, setup)?.fastest();
    setup.schedule.map(|_| Origin::Fastest)
}

/// Measures the schedules of a setup, and sets the fastest.
fn measure(device: &Arc<Device>, setup: &mut Setup, within: Duration) -> Result<Origin, Error> {
    let start = Instant::now();
    let trials = Trials::new(device, setup, within)?;
    if let Some(trials) = &trials {
        let (law, order, count) = (setup.law.name, setup.order, trials.trials.len());
        let seconds = start.elapsed().as_secs_f64();
        inform(format_args!("{law}: order {order}: {count} schedules compiled and measured, once, in {seconds:.1} s"));
    }
    setup.schedule = trials.and_then(|trials| trials.fastest());
    Ok(if setup.schedule.is_some() { Origin::Fastest } else { Origin::Expected })
}

/// An estimate of the duration of a run's steps in seconds; `None` if unknown: on the way to a steady state, or from a
/// checkpoint, which is read only once.
fn length(case: &Case, solver: &mut Solver) -> Option<f64> {
    let until = case.time.until.filter(|_| !matches!(case.initial, Initial::From { .. }))?;
    let seconds = case.project(solver).map_err(Error::from).and_then(|()| Ok(solver.seconds_until(until)?));
    // The run will meet and report an error.
    Some(seconds.unwrap_or(0.0))
}

/// The time allowed for measuring before a run of so many seconds; `None` if it is less than the usual duration.
fn worth(seconds: Option<f64>) -> Option<Duration> {
    let within =
        seconds.map_or(Duration::MAX, |seconds| Duration::try_from_secs_f64(SHARE * seconds).unwrap_or(Duration::MAX));
    (within >= MEASURING).then_some(within)
}

/// The candidates in a table, with the chosen one marked; a stage updates `dof` degrees of freedom.
pub(super) fn as_text(trials: &Trials, chosen: Variant, dof: usize) -> String {
    let mut rows = vec![["schedule", "µs", "Gdof/s", ""].map(String::from).to_vec()];
    for trial in &trials.trials {
        let mark = if trial.schedule == chosen { "chosen" } else { "" };
        rows.push(match &trial.seconds {
            Ok(seconds) => vec![
                trial.schedule.to_string(),
                format!("{:.2}", seconds * 1e6),
                format!("{:.3}", dof as f64 / seconds * 1e-9),
                mark.to_owned(),
            ],
            Err(reason) => {
                let reason = reason.lines().next().unwrap_or_default().to_owned();
                vec![trial.schedule.to_string(), String::new(), String::new(), reason]
            }
        });
    }
    format!("a stage on {} elements\n\n{}", trials.elements, table(&rows))
}

/// The candidates as JSON.
pub(super) fn as_json(trials: &Trials) -> Value {
    let candidates = trials.trials.iter().map(|trial| {
        json!({
            "schedule": trial.schedule.to_string(), "seconds": trial.seconds.as_ref().ok(),
            "failure": trial.seconds.as_ref().err(),
        })
    });
    json!({ "elements": trials.elements, "schedules": candidates.collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measuring_takes_at_most_a_tenth_of_a_run_whose_length_is_known() {
        assert_eq!(worth(Some(39.0)), None);
        assert_eq!(worth(Some(50.0)), Some(Duration::from_secs(5)));
        assert_eq!(worth(Some(f64::INFINITY)), Some(Duration::MAX));
        assert_eq!(worth(Some(f64::NAN)), Some(Duration::MAX));
        assert_eq!(worth(None), Some(Duration::MAX));
    }
}
