//! `convergence`: errors and rates over orders and refinements.

use std::path::PathBuf;

use serde_json::json;

use super::announce::warn_of_cfl;
use super::march::{Ending, march};
use super::orders::{self, Orders, with_order};
use super::progress::Progress;
use super::run::solver_of;
use super::schedule;
use super::signals::{self, Signals};
use super::table::table;
use super::{Error, Report};
use crate::case::Case;
use crate::device::Choice;
use crate::law::Law;
use crate::mesh::MeshError;
use crate::solver::{Clock, Norms, Variant};

/// Arguments of `convergence`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} convergence cases/vortex.toml
  {bin} convergence cases/vortex.toml --orders 1..3 --levels 4 --format json")]
pub(super) struct Convergence {
    /// The case file; it needs an exact solution
    case: PathBuf,
    /// Set a key of the case file, instead of what the file says: time.final=2.0. May be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Polynomial degrees: 2, a list 1,3 or a range 1..5 with both ends
    #[arg(long, value_parser = orders::parse, default_value = "1..3")]
    orders: Orders,
    /// Number of meshes: the case's own and its refinements
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    levels: u32,
    /// Where to compute: cpu, cuda, cuda:N, or auto for the first usable GPU or else the CPU
    #[arg(long, default_value_t)]
    device: Choice,
    #[arg(long, help = schedule::HELP)]
    schedule: Option<Variant>,
}

/// Errors of one run.
#[derive(Clone, Debug)]
struct Measurement {
    elements: usize,
    /// Number of degrees of freedom.
    dof: usize,
    /// The side of a square with the area of two elements of mean size.
    h: f64,
    steps: u64,
    /// Rejected steps.
    rejected: u64,
    time: f64,
    /// Duration of the steps only, as in `speed` of `run`.
    seconds: f64,
    errors: Norms,
    device: String,
}

/// One run with its measurement, or the reason for its failure.
struct Trial {
    order: usize,
    /// Refinements beyond the case's own.
    level: u32,
    /// Elements of its mesh, if it could be made.
    elements: Option<usize>,
    outcome: Result<Measurement, Error>,
}

pub(super) fn convergence(arguments: &Convergence, laws: &[&'static Law]) -> Result<Report, Error> {
    let settings = with_order(&arguments.settings, arguments.orders.0.first().copied());
    let mut case = Case::read_with(&arguments.case, &settings, laws)?;
    case.schedule = arguments.schedule.or(case.schedule);
    if case.exact.is_none() {
        return Err(Error::Unfit {
            path: case.path,
            message: "errors are measured against an exact solution; name one in [exact]".into(),
        });
    }
    let levels = arguments.levels;
    let shapes = finer(&case, levels - 1).check_size().map_err(|error| match error {
        MeshError::TooLarge { .. } | MeshError::TooMuchMemory { .. } => Error::Levels { levels, source: error },
        error => error.into(),
    })?;
    let signals = signals::catch()?;
    for &order in &arguments.orders.0 {
        case.clone().with_order(order)?;
    }
    let mut trials = Vec::new();
    for &order in &arguments.orders.0 {
        for level in 0..levels {
            let case = finer(&case.clone().with_order(order)?, level);
            if level == 0 {
                warn_of_cfl(&case, &shapes);
            }
            let outcome = match measure(&case, arguments.device, signals) {
                Ok(Some(measurement)) => Ok(measurement),
                Err(error) if !signals.explain(&error) => Err(error),
                _ => return Ok(Report { status: signals::INTERRUPTED, ..report(&case, &trials) }),
            };
            let elements = match &outcome {
                Ok(measurement) => Some(measurement.elements),
                Err(_) => case.build_mesh().ok().map(|mesh| mesh.element_count()),
            };
            trials.push(Trial { order, level, elements, outcome });
        }
    }
    // Without any measurement, there are only errors to report.
    if trials.iter().all(|trial| trial.outcome.is_err())
        && let Some(Err(error)) = trials.drain(..).map(|trial| trial.outcome).next()
    {
        return Err(error);
    }
    let status = u8::from(trials.iter().any(|trial| trial.outcome.is_err()));
    Ok(Report { status, ..report(&case, &trials) })
}

/// The case with `level` more refinements, with a tolerance that falls like the error in space.
fn finer(case: &Case, level: u32) -> Case {
    let mut case = case.clone();
    case.mesh.refine = case.mesh.refine.saturating_add(level as usize);
    let (order, precision) = (case.order, case.precision);
    case.time.tolerance = case.time.tolerance.map(|tolerance| tolerance.on_finer(order, level, precision));
    case
}

/// Runs a case to its end and measures the error there; `None` if it was interrupted.
fn measure(case: &Case, device: Choice, signals: &Signals) -> Result<Option<Measurement>, Error> {
    let (mut solver, _) = solver_of(case, device, None, |_| Ok(()))?;
    case.project(&mut solver)?;
    let (order, elements) = (case.order, solver.mesh().element_count());
    let progress = Progress::new(format!("p = {order}, {elements} elements"), &case.time, &solver, Clock::default());
    let outcome = march(case, &mut solver, None, &progress, signals)?;
    if outcome.ending == Ending::Interrupted {
        return Ok(None);
    }
    let Clock { steps, rejected, time, .. } = outcome.clock;
    let mesh = solver.mesh();
    // A triangle's determinant is twice its area.
    let area: f64 = (0..elements).map(|element| mesh.geometry(element).determinant).sum();
    Ok(Some(Measurement {
        elements,
        dof: solver.dof(),
        h: (area / elements as f64).sqrt(),
        steps,
        rejected,
        time,
        seconds: outcome.stepping.as_secs_f64(),
        errors: solver.errors()?,
        device: solver.device().name(),
    }))
}

/// log2 of the ratio of the errors on a mesh and on its refinement, which halves lengths.
fn rate(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

/// The rates of the components' L2 errors from one run to the next one on the finer mesh.
fn rates(coarse: &Trial, fine: &Trial) -> Option<Vec<f64>> {
    let (Ok(before), Ok(after)) = (&coarse.outcome, &fine.outcome) else { return None };
    let pairs = before.errors.l2.iter().zip(&after.errors.l2);
    (fine.order == coarse.order && fine.level == coarse.level + 1)
        .then(|| pairs.map(|(coarse, fine)| rate(*coarse, *fine)).collect())
}

fn report(case: &Case, trials: &[Trial]) -> Report {
    let components: Vec<_> = case.law.state.iter().map(|variable| variable.name).collect();
    let heading = components.iter().flat_map(|name| [(*name).to_owned(), "rate".to_owned()]);
    let mut rows = vec![["order", "elements"].map(String::from).into_iter().chain(heading).collect::<Vec<_>>()];
    let (mut list, mut failures, mut reasons) = (Vec::new(), Vec::new(), String::new());
    for (index, trial) in trials.iter().enumerate() {
        let order = format!("p = {}", trial.order);
        let measurement = match &trial.outcome {
            Ok(measurement) => measurement,
            Err(error) => {
                let failed = std::iter::repeat_n(["failed".to_owned(), String::new()], components.len()).flatten();
                let elements = trial.elements.map_or("?".to_owned(), |elements| elements.to_string());
                rows.push([order, elements.clone()].into_iter().chain(failed).collect());
                reasons += &format!("\nfailed: p = {}, {elements} elements: {}\n", trial.order, error.chain());
                failures.push(json!({ "order": trial.order, "level": trial.level, "error": error.to_json()["error"] }));
                continue;
            }
        };
        let rates = index.checked_sub(1).and_then(|before| rates(&trials[before], trial));
        let rate = |i: usize| rates.as_ref().map(|rates| rates[i]);
        let cells = measurement.errors.l2.iter().enumerate().flat_map(|(i, error)| {
            [format!("{error:.3e}"), rate(i).map_or(String::new(), |rate| format!("{rate:.2}"))]
        });
        rows.push([order, measurement.elements.to_string()].into_iter().chain(cells).collect());
        list.push(json!({
            "order": trial.order,
            "level": trial.level,
            "elements": measurement.elements,
            "dof": measurement.dof,
            "h": measurement.h,
            "steps": measurement.steps,
            "rejected": measurement.rejected,
            "time": measurement.time,
            "seconds": measurement.seconds,
            "errors": { "l1": measurement.errors.l1, "l2": measurement.errors.l2, "max": measurement.errors.max },
            "rates": (0..components.len()).map(rate).collect::<Vec<_>>(),
        }));
    }
    let title = format!("L2 errors of {}\n\n", case.path.display());
    let device = trials.iter().find_map(|trial| Some(&trial.outcome.as_ref().ok()?.device));
    Report::new(
        json!({
            "case": case.path,
            "law": case.law.name,
            "device": device,
            "components": components,
            "measurements": list,
            "failures": failures,
        }),
        title + &table(&rows) + &reasons,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_falls_with_the_cube_of_the_length_has_rate_3() {
        assert_eq!(rate(8e-3, 1e-3), 3.0);
    }
}
