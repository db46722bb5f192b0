//! The files of a run, in one directory:
//!
//! | file | content |
//! |---|---|
//! | `solution.pvd` | the series of `solution_N.vtu`, for ParaView |
//! | `solution.vtkhdf` | the solution at all times, for ParaView |
//! | `FIELD_N.png`, `FIELD_N.svg` | pictures |
//! | `history.csv` | time, step, integrals, largest change |
//! | `receiver_NAME.csv` | the solution at a receiver |
//! | `KIND_NAME.csv` | what is measured: see [`Rows::file`](crate::case::Rows::file) |
//! | `checkpoints/` | states to go on from |
//! | `.lock` | held by the run that writes the others |

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::Error;
use super::drawing::Drawing;
use super::due::{next_multiple, passes_multiple};
use super::measurements::Measurements;
use super::pictures::Pictures;
use super::receivers::Receivers;
use super::solutions::{Solutions, WHOLE};
use crate::case::{Case, Rows, field_names, measure};
use crate::device::Device;
use crate::io::checkpoint::{self, Checkpoint, Coefficients, Identity, Latest, Value};
use crate::io::csv::{self, History, Last, Row};
use crate::io::grid::{self, Grid};
use crate::io::picture::Format;
use crate::io::{Nodes, atomic, seismogram};
use crate::mesh::Mesh;
use crate::notice::notice;
use crate::solver::{Averages, Change, Clock, Precision, Solver, StepLimit, Variant};

/// The files of a run.
pub(super) struct Files {
    directory: PathBuf,
    every: f64,
    solutions: Option<Solutions>,
    pictures: Arc<Pictures>,
    /// Positions of the output nodes, `[element][node][dim]`; empty if nothing is written at them.
    positions: Arc<Vec<f64>>,
    /// Pictures drawn in the background.
    drawing: Drawing,
    history: History,
    /// Started after the first checkpoint, as what is measured.
    receivers: Option<Receivers>,
    measurements: Measurements,
    /// When averages begin.
    averages_from: f64,
    identity: Identity,
    /// [`Case::identity`] as text.
    case: String,
    /// Sets of fields written so far.
    written: u64,
    /// The last change in the history.
    change: Option<Change>,
    /// Whether the run resumes from a checkpoint at its end, with all files written.
    ended: bool,
}

/// The folder of checkpoints.
const CHECKPOINTS: &str = checkpoint::FOLDER;

/// The file of the history.
const HISTORY: &str = "history.csv";

/// The file that a run locks.
const LOCK: &str = ".lock";

/// Keys of a checkpoint's metadata.
const CASE: &str = "case";
const WRITTEN: &str = "written";
const LIMIT: &str = "limit";
const REJECTED: &str = "rejected";
const ERRORS: [&str; 2] = ["error", "error_before"];
const CHANGE_PER_STEP: &str = "change_per_step";
const CHANGE_PER_TIME: &str = "change_per_time";
const SCHEDULE: &str = "schedule";
const ENDED: &str = "ended";
const RECEIVERS: &str = "receivers";
const AVERAGES: [&str; 3] = ["average_duration", "average_means", "average_squares"];

/// The key of the size of a component.
fn size_of(component: &str) -> String {
    format!("size_of_{component}")
}

impl Files {
    /// Starts the files of a case whose solver is at its initial state, in a directory that was [claimed](claim), and writes
    /// this state. Files of an earlier run there are removed if `overwrite` is set or that run is the same and has
    /// ended.
    ///
    /// # Errors
    ///
    /// [`Error::EarlierRun`] if another run could still resume, [`Error::Foreign`] if a file is in the way; any failure to write
    /// files.
    pub fn start(case: &Case, solver: &Solver, overwrite: bool) -> Result<Self, Error> {
        let directory = &case.output.directory;
        let places = Measurements::places(case, solver)?;
        match start_in(case, solver.mesh(), overwrite) {
            Start::Empty => {}
            Start::Replace => remove(case)?,
            Start::Refused => return Err(Error::EarlierRun(directory.clone())),
            Start::Foreign(file) => return Err(Error::Foreign(file)),
        }
        keep_grid(&directory.join(CHECKPOINTS), solver.mesh())?;
        let mut history = History::new(directory.join(HISTORY), &components(case))?;
        let clock = solver.clock()?;
        history.append(&Row { time: clock.time, step: clock.steps, integrals: &solver.integrals()?, last: None })?;
        let mut files = Self::new(case, solver, Solutions::start(case), history, 0);
        files.write_checkpoint(solver, clock, false)?;
        files.write_fields(solver, clock.time)?;
        files.receivers = Receivers::start(case, solver)?;
        files.measurements = Measurements::start(case, solver, places)?;
        Ok(files)
    }

    /// Resumes the files of a case from its last checkpoint, and sets the solver to it.
    pub fn resume(case: &Case, solver: &mut Solver, latest: Latest) -> Result<Self, Error> {
        let directory = &case.output.directory;
        let Checkpoint { time, step, time_step: dt, ref metadata, .. } = latest.checkpoint;
        require_same(case, solver.mesh(), &latest)?;

        let stable_dt = if let Some(Value::Real(dt)) = metadata.get(LIMIT) { *dt } else { 0.0 };
        let written = if let Some(Value::Integer(written)) = metadata.get(WRITTEN) { *written } else { 0 };
        let history = History::resume(directory.join(HISTORY), &components(case), step)?;
        warn_of_lost_rows(&history, step, case.output.history_every);
        let solutions = Solutions::resume(case, time, written)?;
        checkpoint::tidy(&directory.join(CHECKPOINTS), step)?;
        if !directory.join(CHECKPOINTS).join(grid::NAME).is_file() {
            keep_grid(&directory.join(CHECKPOINTS), solver.mesh())?;
        }
        let mut files = Self::new(case, solver, solutions, history, written);
        files.change = change(metadata);
        files.ended = ended(metadata);
        let coefficients = match latest.checkpoint.coefficients {
            Coefficients::Double(values) => values,
            Coefficients::Single(values) => values.into_iter().map(f64::from).collect(),
        };
        if coefficients.len() != solver.dof() {
            return Err(Error::OtherCase { path: latest.path, keys: "number of unknowns".into() });
        }
        solver.set_coefficients(&coefficients)?;
        let rejected = if let Some(Value::Integer(rejected)) = metadata.get(REJECTED) { *rejected } else { 0 };
        let real = |key: &str| if let Some(Value::Real(x)) = metadata.get(key) { *x } else { 0.0 };
        solver.set_clock(Clock { time, dt, steps: step, rejected, stable_dt, errors: ERRORS.map(real) })?;
        let sizes: Vec<f64> = case.law.state.iter().map(|component| real(&size_of(component.name))).collect();
        solver.set_sizes(&sizes)?;
        let received = if let Some(Value::Text(text)) = metadata.get(RECEIVERS) { Some(&**text) } else { None };
        files.receivers = Receivers::resume(case, solver, received)?;
        if let Some(averages) = averages(metadata) {
            solver.set_averages(&averages)?;
        }
        let places = Measurements::places(case, solver)?;
        // The first checkpoint is written before the first fields.
        if written == 0 {
            files.write_fields(solver, time)?;
            files.measurements = Measurements::start(case, solver, places)?;
        } else {
            files.measurements = Measurements::resume(case, solver, places)?;
        }
        Ok(files)
    }

    fn new(case: &Case, solver: &Solver, solutions: Option<Solutions>, history: History, written: u64) -> Self {
        let mesh = solver.mesh();
        let of_shape = |(_, elements): (_, Range<usize>)| {
            (elements.clone(), &*solver.unit_of(elements.start).reference().sample_points)
        };
        let points: Vec<(Range<usize>, &[f64])> = mesh.elements().by_shape().map(of_shape).collect();
        let points_of =
            |element: usize| points.iter().find(|(elements, _)| elements.contains(&element)).map_or(&[][..], |of| of.1);
        let pictures = Pictures::new(case, mesh);
        let elements = if solutions.is_some() || !pictures.is_empty() { mesh.element_count() } else { 0 };
        let positions = (0..elements).into_par_iter().flat_map_iter(|element| {
            points_of(element).chunks_exact(mesh.dim).flat_map(move |point| {
                let position = mesh.position(element, point);
                position.into_iter().take(mesh.dim)
            })
        });
        Self {
            directory: case.output.directory.clone(),
            every: case.output.every.unwrap_or(f64::INFINITY),
            solutions,
            pictures: Arc::new(pictures),
            positions: Arc::new(positions.collect()),
            drawing: Drawing::default(),
            history,
            receivers: None,
            measurements: Measurements::default(),
            averages_from: solver.setup().measured.averaged.as_ref().map_or(f64::NEG_INFINITY, |(_, from)| *from),
            identity: identity(case, mesh),
            case: case.identity(&mesh.elements().shapes()).to_string(),
            written,
            change: None,
            ended: false,
        }
    }

    /// Whether the run resumes from a checkpoint at its end, with all files written.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// The change in the last step of a run that [had ended](Self::has_ended).
    pub fn final_change(&self) -> Option<Change> {
        self.change.filter(|_| self.ended)
    }

    /// The next time that a step has to hit: of an output of fields or of a measurement, or when averages begin.
    pub fn next_time(&self, time: f64) -> f64 {
        let begin = if self.averages_from > time { self.averages_from } else { f64::INFINITY };
        next_multiple(time, self.every).min(self.measurements.next_time(time)).min(begin)
    }

    /// Whether anything is due by its own times after a step from the time `before`.
    pub fn is_due(&self, before: f64, time: f64) -> bool {
        passes_multiple(before, time, self.every) || self.measurements.is_due(before, time)
    }

    /// Writes the fields and pictures if they are due after a step from the time `before` to the solver's time.
    pub fn write_due_fields(&mut self, solver: &Solver, before: f64, time: f64) -> Result<(), Error> {
        if passes_multiple(before, time, self.every) { self.write_fields(solver, time) } else { Ok(()) }
    }

    /// Writes what is measured and due after a step from the time `before`: also with a row of the history, and all of it at the end.
    pub fn measure(&mut self, solver: &Solver, before: f64, with_history: bool, at_end: bool) -> Result<(), Error> {
        self.measurements.add(solver, before, with_history, at_end)
    }

    /// Writes the fields and pictures at the solver's time.
    pub fn write_fields(&mut self, solver: &Solver, time: f64) -> Result<(), Error> {
        let index = self.written;
        self.written += 1;
        if self.solutions.is_none() && self.pictures.is_empty() {
            return Ok(());
        }
        // Samples fill much memory: two sets must not exist at once.
        self.drawing.finish()?;
        let (mesh, samples) = (solver.mesh(), Arc::new(solver.samples()?));
        let (counts, dim, degree) = (mesh.elements().counts(), mesh.dim, solver.unit().sample_order);
        let nodes = Nodes { counts, degree, dim, positions: &self.positions };
        if !self.pictures.is_empty() {
            let (pictures, positions) = (Arc::clone(&self.pictures), Arc::clone(&self.positions));
            let samples = Arc::clone(&samples);
            self.drawing.start(&self.directory, move || {
                let nodes = Nodes { counts, degree, dim, positions: &positions };
                pictures.draw(&nodes, &samples, time, index)
            })?;
        }
        if let Some(solutions) = &mut self.solutions {
            solutions.write(solver, &nodes, &samples, time, index)?;
        }
        Ok(())
    }

    /// Adds a row to the history.
    pub fn add_to_history(&mut self, solver: &Solver, clock: Clock, change: Change) -> Result<(), Error> {
        self.change = Some(change);
        let StepLimit { element, wave, diffusion, .. } = solver.step_limit()?;
        let of_waves = || wave.and_then(|wave| solver.setup().law.algebra.eigenvalues.get(wave.eigenvalue).copied());
        let wave = if diffusion.is_some() { "diffusion" } else { of_waves().unwrap_or_default() };
        let Change { per_step: change_per_step, per_time: change_per_time } = change;
        let last = Last { change_per_step, change_per_time, dt: clock.dt, rejected: clock.rejected, element, wave };
        let row = Row { time: clock.time, step: clock.steps, integrals: &solver.integrals()?, last: Some(last) };
        Ok(self.history.append(&row)?)
    }

    /// Writes what receivers received since step `from`.
    pub fn add_to_receivers(&mut self, solver: &Solver, from: u64) -> Result<(), Error> {
        self.receivers.as_mut().map_or(Ok(()), |receivers| receivers.take(solver, from))
    }

    /// Writes the samples of receivers that wait for more steps than the run has.
    pub fn finish_receivers(&mut self, solver: &Solver) -> Result<(), Error> {
        self.receivers.as_mut().map_or(Ok(()), |receivers| receivers.finish(solver))
    }

    /// Waits until all files are written.
    pub fn finish(&mut self) -> Result<(), Error> {
        Ok(self.drawing.finish()?)
    }

    /// Writes a checkpoint, after everything that it declares written; `ended` at the end of the run.
    pub fn write_checkpoint(&mut self, solver: &Solver, clock: Clock, ended: bool) -> Result<(), Error> {
        self.drawing.finish()?;
        if let Some(solutions) = self.solutions.as_ref().filter(|_| ended && self.pictures.has_series()) {
            let (mesh, degree) = (solver.mesh(), solver.unit().sample_order);
            let counts = mesh.elements().counts();
            let nodes = Nodes { counts, degree, dim: mesh.dim, positions: &self.positions };
            self.pictures.draw_series(&nodes, &solver.samples()?, &solutions.all().collect::<Vec<_>>())?;
        }
        let coefficients = solver.coefficients()?;
        let mut metadata = BTreeMap::from([
            (CASE.to_owned(), Value::Text(self.case.clone())),
            (WRITTEN.to_owned(), Value::Integer(self.written)),
            (LIMIT.to_owned(), Value::Real(clock.stable_dt)),
            (REJECTED.to_owned(), Value::Integer(clock.rejected)),
            (ENDED.to_owned(), Value::Integer(ended.into())),
            (ERRORS[0].to_owned(), Value::Real(clock.errors[0])),
            (ERRORS[1].to_owned(), Value::Real(clock.errors[1])),
            (SCHEDULE.to_owned(), Value::Text(format!("{} on {}", solver.schedules(), back_end(solver.device())))),
        ]);
        let components = solver.setup().law.state.iter().map(|component| size_of(component.name));
        metadata.extend(components.zip(solver.sizes()).map(|(key, size)| (key, Value::Real(*size))));
        metadata.extend(self.receivers.iter().map(|receivers| (RECEIVERS.to_owned(), Value::Text(receivers.text()))));
        metadata.extend(solver.averages()?.into_iter().flat_map(|averages| {
            let [duration, means, squares] = AVERAGES.map(str::to_owned);
            let Averages { duration: covered, means: of_means, squares: of_squares } = averages;
            [(duration, Value::Real(covered)), (means, Value::Reals(of_means)), (squares, Value::Reals(of_squares))]
        }));
        let changes = |change: Change| [(CHANGE_PER_STEP, change.per_step), (CHANGE_PER_TIME, change.per_time)];
        metadata.extend(self.change.into_iter().flat_map(changes).map(|(key, x)| (key.to_owned(), Value::Real(x))));
        let checkpoint = Checkpoint {
            identity: self.identity.clone(),
            time: clock.time,
            step: clock.steps,
            time_step: clock.dt,
            metadata,
            coefficients: match solver.setup().precision {
                Precision::Double => Coefficients::Double(coefficients),
                Precision::Single => Coefficients::Single(coefficients.into_iter().map(|c| c as f32).collect()),
            },
        };
        checkpoint.save(&self.directory.join(CHECKPOINTS))?;
        solver.forget_last_step()?;
        Ok(())
    }
}

/// Warns of rows missing in a history before the step of a checkpoint.
fn warn_of_lost_rows(history: &History, step: u64, every: u64) {
    let (due, path) = (step - step % every, history.path().display());
    match history.last_step() {
        None => notice(format_args!(
            "warning: {path} is lost: a new one begins after step {step}, its earlier rows are missing"
        )),
        Some(last) if last < due => {
            notice(format_args!("warning: {path} lacks the rows from step {last} to step {due}"));
        }
        Some(_) => {}
    }
}

/// The effect of a run's start on its directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// There is no checkpoint to resume from.
    Empty,
    /// The files of an earlier run are removed.
    Replace,
    /// Another run could still resume.
    Refused,
    /// This file has the name of a run's file, and no checkpoint identifies its run.
    Foreign(PathBuf),
}

impl Start {
    /// A remark for messages.
    pub fn remark(&self) -> String {
        match self {
            Self::Empty => "no run has been there".to_owned(),
            Self::Replace => "in the place of an earlier run".to_owned(),
            Self::Refused => "a run would be refused, for another or unfinished one has left checkpoints".to_owned(),
            Self::Foreign(file) => {
                format!("a run would be refused, for nobody knows of which run {} is", file.display())
            }
        }
    }

    /// Whether a run may start.
    pub fn is_allowed(&self) -> bool {
        matches!(self, Self::Empty | Self::Replace)
    }
}

/// The effect of the start of this case on its directory, with or without `overwrite`.
pub(super) fn start_in(case: &Case, mesh: &Mesh, overwrite: bool) -> Start {
    match checkpoint::latest(&case.output.directory.join(CHECKPOINTS)) {
        _ if overwrite => Start::Replace,
        Ok(None) => in_the_way(case).map_or(Start::Empty, Start::Foreign),
        Ok(Some(latest)) if is_replaceable(case, mesh, &latest) => Start::Replace,
        Ok(Some(_)) | Err(_) => Start::Refused,
    }
}

/// A file that this case would replace, in a directory without checkpoints, unless an earlier run left it before its
/// first checkpoint.
fn in_the_way(case: &Case) -> Option<PathBuf> {
    let directory = &case.output.directory;
    let is_named_so = is_of_run(case);
    let files = std::fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
    let mut named =
        files.filter(|entry| entry.file_name().to_str().is_some_and(&is_named_so)).map(|entry| entry.path());
    named.find(|path| !(path.ends_with(HISTORY) && csv::is_of_the_beginning(path)))
}

/// Makes sure that no file is in the way of this case in an unused directory.
///
/// # Errors
///
/// [`Error::Foreign`].
pub(super) fn require_room(case: &Case) -> Result<(), Error> {
    match checkpoint::latest(&case.output.directory.join(CHECKPOINTS)) {
        Ok(None) => in_the_way(case).map_or(Ok(()), |file| Err(Error::Foreign(file))),
        // Checkpoints can be judged only with the mesh.
        _ => Ok(()),
    }
}

/// A directory claimed for one run.
#[derive(Debug)]
pub(super) struct Claim {
    lock: File,
    /// The directory, if the claim made it.
    made: Option<PathBuf>,
}

impl Drop for Claim {
    /// Leaves no directory behind for a run that was refused before it wrote anything.
    fn drop(&mut self) {
        if let Some(directory) = &self.made
            && std::fs::remove_dir(directory.join(CHECKPOINTS)).is_ok()
            && std::fs::read_dir(directory).is_ok_and(|files| files.count() == 1)
        {
            let _ = std::fs::remove_file(directory.join(LOCK));
            let _ = std::fs::remove_dir(directory);
        }
        // Closing the file does not suffice: a process being started by another thread has it open too.
        let _ = self.lock.unlock();
    }
}

/// Claims the directory of a run's files until the returned value is dropped; makes a missing one, unless to resume.
/// Removes files that a killed run left half written there.
///
/// # Errors
///
/// [`Error::Directory`] if it is not writable, [`Error::Busy`] if another run has it, [`Error::NoCheckpoint`].
pub(super) fn claim(directory: &Path, resume: bool) -> Result<Claim, Error> {
    let failed = |source| Error::Directory { directory: directory.to_owned(), source };
    let folder = directory.join(CHECKPOINTS);
    if resume && !folder.is_dir() {
        return Err(Error::NoCheckpoint(folder));
    }
    let made = (!directory.exists()).then(|| directory.to_owned());
    std::fs::create_dir_all(&folder).map_err(failed)?;
    let lock = File::options().create(true).truncate(false).write(true).open(directory.join(LOCK)).map_err(failed)?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Busy(directory.to_owned())),
        // On file systems without locks, half-written files may belong to another active run.
        Err(TryLockError::Error(_)) => Ok(Claim { lock, made }),
        Ok(()) => {
            atomic::remove_leftovers(directory, |name| {
                ["solution.pvd", WHOLE, HISTORY].contains(&name)
                    || seismogram::is_name(name)
                    || measure::is_name(name)
                    || [".vtu", ".png", ".svg"].iter().any(|end| series_of(name, end).is_some())
            })?;
            atomic::remove_leftovers(&folder, |name| name == grid::NAME || checkpoint::is_name(name))?;
            Ok(Claim { lock, made })
        }
    }
}

/// The stem of a name such as `STEM_0001.png`.
fn series_of<'n>(name: &'n str, end: &str) -> Option<&'n str> {
    let (stem, number) = name.strip_suffix(end)?.rsplit_once('_')?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(stem)
}

/// The last checkpoint of a case whose directory is [claimed](claim); `None`, with a message, if a run began there but ended before
/// its first one.
///
/// # Errors
///
/// No checkpoint can be read; there is none, but files that a run would replace; [`Error::Past`].
pub(super) fn latest(case: &Case) -> Result<Option<Latest>, Error> {
    let folder = case.output.directory.join(CHECKPOINTS);
    let Some(latest) = checkpoint::latest(&folder)? else {
        require_room(case)?;
        notice(format_args!("{} has no checkpoint yet: the run begins at its beginning", folder.display()));
        return Ok(None);
    };
    let time = latest.checkpoint.time;
    if let Some(until) = case.time.until.filter(|until| time > *until) {
        return Err(Error::Past { path: latest.path, time, until });
    }
    for error in &latest.skipped {
        notice(format_args!("warning: {error}"));
    }
    Ok(Some(latest))
}

/// The schedules of the sections in the run that left a checkpoint, one if all had the same, if its device was of this kind: on another
/// kind, equal bits are impossible.
pub(super) fn schedules(latest: &Latest, device: &Device) -> Option<Vec<Variant>> {
    let Some(Value::Text(text)) = latest.checkpoint.metadata.get(SCHEDULE) else { return None };
    text.strip_suffix(&format!(" on {}", back_end(device)))?.split(", ").map(|name| name.parse().ok()).collect()
}

fn back_end(device: &Device) -> &'static str {
    if device.is_cuda() { "cuda" } else { "cpu" }
}

/// Removes the files of an earlier run by their names, the checkpoints last: they identify the other files.
fn remove(case: &Case) -> Result<(), Error> {
    remove_where(&case.output.directory, is_of_run(case))?;
    Ok(checkpoint::remove_all(&case.output.directory.join(CHECKPOINTS))?)
}

/// Whether a file's name is one that a run uses.
fn is_of_run(case: &Case) -> impl Fn(&str) -> bool {
    // Pictures of this case, and the default names of another case of this law.
    let mut pictures: Vec<String> = case.output.pictures.iter().map(|picture| picture.name.clone()).collect();
    pictures.extend(field_names(case.law).iter().flat_map(|field| [(*field).to_owned(), format!("{field}_schlieren")]));
    let receivers = case.receivers.iter().flat_map(|receivers| &receivers.points);
    let mut signals: Vec<String> = receivers.map(|receiver| seismogram::name(&receiver.name)).collect();
    signals.extend(case.measure.iter().flat_map(|measure| &measure.files).map(Rows::file));
    let formats = Format::ALL.map(|format| format!(".{}", format.name()));
    move |name: &str| {
        ["solution.pvd", WHOLE, HISTORY].contains(&name)
            || signals.iter().any(|signal| signal == name)
            || series_of(name, ".vtu") == Some("solution")
            || formats
                .iter()
                .any(|end| series_of(name, end).is_some_and(|stem| pictures.iter().any(|known| known == stem)))
    }
}

fn remove_where(directory: &Path, unwanted: impl Fn(&str) -> bool) -> Result<(), Error> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| Error::Remove { path, source }
    };
    for entry in std::fs::read_dir(directory).map_err(failed(directory))? {
        let entry = entry.map_err(failed(directory))?;
        if entry.file_name().to_str().is_some_and(&unwanted) {
            std::fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
        }
    }
    Ok(())
}

/// Writes the mesh of checkpoints beside them, for runs on another mesh that start from them.
fn keep_grid(folder: &Path, mesh: &Mesh) -> Result<(), Error> {
    Ok(Grid { mesh: mesh.hash(), cells: mesh.cells() }.write(&folder.join(grid::NAME))?)
}

fn components(case: &Case) -> Vec<&'static str> {
    case.law.state.iter().map(|variable| variable.name).collect()
}

fn identity(case: &Case, mesh: &Mesh) -> Identity {
    Identity { law: case.law.name.to_owned(), shapes: mesh.elements().shapes(), order: case.order, mesh: mesh.hash() }
}

/// Checks that a checkpoint belongs to this case on this mesh; an error names the differences.
fn require_same(case: &Case, mesh: &Mesh, latest: &Latest) -> Result<(), Error> {
    let double = case.precision == Precision::Double;
    latest.checkpoint.require(&latest.path, &identity(case, mesh), double)?;
    same_case(case, mesh, &latest.checkpoint.metadata)
        .map_err(|keys| Error::OtherCase { path: latest.path.clone(), keys })
}

/// Whether a checkpoint is the end of this case, so that a new run loses nothing.
fn is_replaceable(case: &Case, mesh: &Mesh, latest: &Latest) -> bool {
    let Checkpoint { time, metadata, .. } = &latest.checkpoint;
    let in_time = case.time.until.is_some_and(|until| *time >= until);
    let steady = change(metadata).is_some_and(|change| case.time.steady_by(change).is_some());
    ended(metadata) && (in_time || steady) && require_same(case, mesh, latest).is_ok()
}

/// Whether a checkpoint is the end of its run, with all files written before it.
fn ended(metadata: &BTreeMap<String, Value>) -> bool {
    metadata.get(ENDED) == Some(&Value::Integer(1))
}

/// The change of the last step stored in a checkpoint.
fn change(metadata: &BTreeMap<String, Value>) -> Option<Change> {
    let real = |key| if let Some(Value::Real(x)) = metadata.get(key) { Some(*x) } else { None };
    Some(Change { per_step: real(CHANGE_PER_STEP)?, per_time: real(CHANGE_PER_TIME)? })
}

/// The averages in a checkpoint.
fn averages(metadata: &BTreeMap<String, Value>) -> Option<Averages> {
    let [Some(Value::Real(duration)), Some(Value::Reals(means)), Some(Value::Reals(squares))] =
        AVERAGES.map(|key| metadata.get(key))
    else {
        return None;
    };
    Some(Averages { duration: *duration, means: means.clone(), squares: squares.clone() })
}

/// Checks that a checkpoint's metadata belong to this case; an error names the keys that differ.
fn same_case(case: &Case, mesh: &Mesh, metadata: &BTreeMap<String, Value>) -> Result<(), String> {
    let Some(Value::Text(text)) = metadata.get(CASE) else { return Err("everything".into()) };
    // Both are read from text, because reading a number may change its last bit.
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap_or_default();
    let (now, then) = (read(&case.identity(&mesh.elements().shapes()).to_string()), read(text));
    let keys: Vec<_> = now.as_object().into_iter().flatten().filter(|(key, value)| then[key] != **value).collect();
    if keys.is_empty() { Ok(()) } else { Err(keys.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>().join(", ")) }
}
