//! `run`: from a case file to the files of its solution.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::announce::{
    announce, blind_to_medium, bounded_by_diffusion, bounded_by_source, curved_walls, grows_slowly, memory_as_json,
    slow_around_sources, warn_of_cfl,
};
use super::dry_run::dry_run;
use super::files::{self, Files};
use super::march::{Ending, Outcome, march};
use super::orders::with_order;
use super::progress::Progress;
use super::schedule::{self, Origin};
use super::shapes::{number_of, orders};
use super::speed::Speed;
use super::table::table;
use super::{Error, Report, START, entering, signals, smallest};
use crate::case::{Case, CaseError, Steady};
use crate::device::{Choice, Device};
use crate::io::checkpoint::Latest;
use crate::law::Law;
use crate::mesh::Mesh;
use crate::notice::{inform, notice};
use crate::solver::{Entering, Norms, Solver, Variant};

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} run cases/vortex.toml
  {bin} run cases/vortex.toml --device cpu --order 3 --out p3
  {bin} run cases/vortex.toml --set time.final=2.0 --set boundaries.inner=slip_wall
  {bin} run cases/vortex.toml --dry-run
  {bin} run cases/vortex.toml --resume

Ctrl-C ends a run in good order, with a checkpoint to go on from; exit status 130.
kill -USR1 PID has it write a checkpoint and go on.")]
pub(super) struct Run {
    /// The case file
    case: PathBuf,
    /// Where to compute: cpu, cuda, cuda:N, or auto for the first usable GPU or else the CPU
    #[arg(long, default_value_t)]
    device: Choice,
    #[arg(long, help = schedule::HELP)]
    schedule: Option<Variant>,
    /// Polynomial degree, instead of the case file's
    #[arg(long, short = 'p', value_name = "P")]
    order: Option<usize>,
    /// Directory for the files, instead of the case file's
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Set a key of the case file, instead of what the file says: time.final=2.0, boundaries.left=wall. The value is
    /// TOML, or a string without its quotes. May be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Say what a run would take and do, and neither compile nor write anything
    #[arg(long, conflicts_with = "resume")]
    dry_run: bool,
    /// Go on from the last checkpoint in the output directory
    #[arg(long)]
    resume: bool,
    /// Replace files of whatever run in the output directory; without it, only those of the same one that came to its end
    #[arg(long, conflicts_with = "resume")]
    overwrite: bool,
}

pub(super) fn run(arguments: &Run, laws: &[&'static Law]) -> Result<Report, Error> {
    let settings = with_order(&arguments.settings, arguments.order);
    let mut case = Case::read_with(&arguments.case, &settings, laws)?;
    if let Some(directory) = &arguments.out {
        case.output.directory = directory.clone();
    }
    case.schedule = arguments.schedule.or(case.schedule);
    let report = if arguments.dry_run {
        dry_run(&case, arguments.device, arguments.overwrite)
    } else {
        compute(&case, arguments)
    };
    report.map_err(|error| at_its_place(&case, error))
}

/// An error of the solver at the place in the case file that it comes from, if it is known.
fn at_its_place(case: &Case, error: Error) -> Error {
    let mistake = match &error {
        Error::Solver(error) => case.mistake(error),
        _ => None,
    };
    mistake.map_or(error, |mistake| CaseError::from(mistake).into())
}

fn compute(case: &Case, arguments: &Run) -> Result<Report, Error> {
    let signals = signals::catch()?;
    if !arguments.resume && !arguments.overwrite {
        files::require_room(case)?;
    }
    let _claim = files::claim(&case.output.directory, arguments.resume)?;
    let latest = if arguments.resume { files::latest(case)? } else { None };
    let (mut solver, origin) =
        solver_of(case, arguments.device, latest.as_ref(), |mesh| case.check_measured_points(mesh))?;
    warn_of_cfl(case, &solver.mesh().elements().shapes());
    announce(&solver, origin);
    if let Some(smallest) = smallest::text(solver.mesh(), solver.mesh().smallest()) {
        inform(smallest);
    }
    let (mesh, setup) = (solver.mesh(), solver.setup());
    let remarks = [curved_walls(mesh, &setup.boundaries), blind_to_medium(setup, mesh), slow_around_sources(setup)];
    for remark in remarks.into_iter().flatten() {
        inform(remark);
    }
    for steady in &case.time.steady {
        inform(format_args!("it ends where {steady} (`{}`)", steady.key()));
    }
    let mut files = match latest {
        Some(latest) => Files::resume(case, &mut solver, latest)?,
        None => {
            case.project(&mut solver)?;
            solver.check()?;
            Files::start(case, &solver, arguments.overwrite)?
        }
    };
    let (left, setup) = (case.time.until.unwrap_or(0.0) - solver.clock()?.time, solver.setup());
    let slow = grows_slowly(setup, left / solver.stable_step()?);
    let remarks = [bounded_by_source(&solver)?, bounded_by_diffusion(&solver)?, slow];
    for remark in remarks.into_iter().flatten() {
        inform(remark);
    }
    for entering in solver.entering()? {
        notice(entering::warning(case.law, &entering));
    }
    let progress = Progress::new(case.law.name, &case.time, &solver, solver.clock()?);
    let outcome = march(case, &mut solver, Some(&mut files), &progress, signals)?;
    files.finish()?;
    let errors = case.exact.as_ref().map(|_| solver.errors()).transpose()?;
    let entering = solver.entering()?;
    let speed = Speed::new(&solver, &outcome);
    let json = as_json(case, &solver, &outcome, &speed, errors.as_ref(), &entering)?;
    let status = if outcome.ending == Ending::Interrupted { signals::INTERRUPTED } else { 0 };
    Ok(Report { json, text: as_text(case, &solver, &outcome, &speed, errors.as_ref(), &entering), status })
}

/// A solver of the case, which is not yet at its initial state or its checkpoint, and the origin of its
/// schedule. The mesh is to pass a check before anything is compiled.
pub(super) fn solver_of(
    case: &Case,
    device: Choice,
    latest: Option<&Latest>,
    check: impl FnOnce(&Mesh) -> Result<(), CaseError>,
) -> Result<(Solver, Origin), Error> {
    // In parallel, because CUDA takes a fifth of a second to open a device.
    let (mesh, device) = rayon::join(|| case.build_mesh(), || Device::open(device));
    let (mesh, device) = (mesh?, Arc::new(device?));
    let mut setup = case.setup(&mesh)?;
    check(&mesh)?;
    if latest.is_none() {
        case.check_start(&mesh)?;
    }
    match latest.and_then(|latest| files::schedules(latest, &device)) {
        Some(earlier) if setup.schedule.is_none() => {
            // Sections have several where none was told, which is for all: the expected ones.
            setup.schedule = <[Variant; 1]>::try_from(earlier).ok().map(|[of_all]| of_all);
            Ok((Solver::new(device, mesh, setup)?, Origin::Checkpoint))
        }
        _ => schedule::solver(case, &device, mesh, setup),
    }
}

/// Seconds from the start of the process to that of its first step.
fn seconds_to_first_step(outcome: &Outcome) -> f64 {
    outcome.start.duration_since(*START).as_secs_f64()
}

fn as_text(
    case: &Case,
    solver: &Solver,
    outcome: &Outcome,
    speed: &Speed,
    errors: Option<&Norms>,
    entering: &[Entering],
) -> String {
    let (clock, elements) = (outcome.clock, number_of(solver.mesh().element_count(), "element"));
    let mut text = format!(
        "{}: {}, {elements}, {} degrees of freedom, on {}\n",
        case.law.name,
        orders(solver.mesh(), case.order),
        solver.dof(),
        solver.device().name(),
    );
    let ending = match outcome.ending {
        Ending::Time => "reached the final time".to_owned(),
        Ending::Steady(steady) => format!("reached a steady state, in which {steady}"),
        Ending::Interrupted => "was interrupted; go on with --resume".to_owned(),
    };
    let rejected = match outcome.clock.rejected {
        0 => String::new(),
        count => format!(" ({count} more rejected)"),
    };
    let _ = writeln!(
        text,
        "{ending}: t = {:?}, step {}{rejected}; first step after {:.2} s, {:.1} s from there\n{speed}",
        clock.time,
        clock.steps,
        seconds_to_first_step(outcome),
        outcome.elapsed.as_secs_f64(),
    );
    if let (Some(errors), Some(exact)) = (errors, &case.exact) {
        let mut rows = vec![[&format!("error against {}", exact.name()), "L1", "L2", "max"].map(String::from).to_vec()];
        for (i, variable) in case.law.state.iter().enumerate() {
            let numbers = [errors.l1[i], errors.l2[i], errors.max[i]].map(|error| format!("{error:.3e}"));
            rows.push(std::iter::once(variable.name.to_owned()).chain(numbers).collect());
        }
        text += &format!("\n{}\n", table(&rows));
    }
    for entering in entering {
        let _ = writeln!(text, "{}", entering::warning(case.law, entering));
    }
    text + &format!("files are in {}", case.output.directory.display())
}

fn as_json(
    case: &Case,
    solver: &Solver,
    outcome: &Outcome,
    speed: &Speed,
    errors: Option<&Norms>,
    entering: &[Entering],
) -> Result<Value, Error> {
    let (ending, steady) = match outcome.ending {
        Ending::Time => ("time", None),
        Ending::Steady(steady) => ("steady", Some(steady)),
        Ending::Interrupted => ("interrupted", None),
    };
    Ok(json!({
        "case": case.identity(&solver.mesh().elements().shapes()),
        "device": solver.device().name(),
        "schedule": solver.schedules(),
        "integrator": solver.setup().integrator.name(),
        "elements": solver.mesh().element_count(),
        "smallest": smallest::as_json(solver.mesh(), solver.mesh().smallest()),
        "dof": solver.dof(),
        "memory": memory_as_json(&solver.memory()),
        "ending": ending,
        "steady_by": steady.map(Steady::key),
        "time": outcome.clock.time,
        "step": outcome.clock.steps,
        "rejected": outcome.clock.rejected,
        "seconds": outcome.elapsed.as_secs_f64(),
        "seconds_to_first_step": seconds_to_first_step(outcome),
        "speed": speed.as_json(),
        "components": case.law.state.iter().map(|variable| variable.name).collect::<Vec<_>>(),
        "integrals": solver.integrals()?,
        "errors": errors.map(|errors| json!({ "l1": errors.l1, "l2": errors.l2, "max": errors.max })),
        "entering": entering::as_json(entering),
        "directory": case.output.directory,
    }))
}
