//! `bench`: the speed of the generated code, and how far it is from the machine's limit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::RangedU64ValueParser;
use serde_json::{Value, json};

use super::announce::{announce, memory_as_json};
use super::orders::{self, Orders, with_order};
use super::plot::require_picture;
use super::progress::tasks;
use super::schedule::{self, Choosing};
use super::table::table;
use super::{Error, Report, selected_laws, shapes, signals};
use crate::case::{Case, require_order};
use crate::device::{Choice, Device, Resources};
use crate::io::picture::roofline;
use crate::law::{Law, Shape};
use crate::mesh::Mesh;
use crate::solver::{
    Ceilings, Elements, Footprint, Given, Indicator, Integrator, Limiter, Method, Precision, Seconds, Setup, Solver,
    Trials, Variables, Variant, admissible_function, benchmark_mesh, bytes,
};

/// Arguments of `bench`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} bench euler
  {bin} bench euler --orders 1..5 --elements 10000,800000 --device cuda
  {bin} bench euler --orders 1..5 --roofline euler.png
  {bin} bench euler --orders 3 --explain
  {bin} bench cases/vortex.toml
  {bin} bench cases/vortex.toml --orders 2..5 --set flux.numerical=rusanov

Of a law, steps are measured as a run takes them whose case says nothing else: with rusanov and, unless --integrator names \
another, the default integrator. A case is measured as it is: its mesh, order, integrator, numerical flux, limiter and boundaries, from its initial state.

Times are the median of 15 samples. Flops and bytes are those that an element takes at least, as \
counted from the law. A degree of freedom counts once for each stage, and for a predictor. The floor is the least time that \
the device allows: that of moving every number once at the speed of a copy, or that of all flops at the \
speed of independent multiply-adds, whichever is longer. Both speeds are measured first. Data that stay in \
a CPU's cache move faster than the copy, so that a small mesh may come out beyond 100 % of the floor.")]
pub(super) struct Bench {
    /// A law, all of them if not given; or a case file
    #[arg(value_name = "LAW|CASE")]
    what: Option<String>,
    /// Set a key of the case file, instead of what the file says: mesh.refine=2. May be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Polynomial degrees: 2, a list 1,3 or a range 1..5 with both ends; if not given, that of the case, or 1..3
    #[arg(long, value_parser = orders::parse)]
    orders: Option<Orders>,
    /// About how many elements, of an unstructured periodic square; if not given, 20000. A case has a mesh of its own
    #[arg(
        long,
        value_name = "N",
        value_delimiter = ',',
        value_parser = RangedU64ValueParser::<usize>::new().range(1..)
    )]
    elements: Vec<usize>,
    /// The shape of the elements: triangle, if not given, or quadrilateral. A case has its own
    #[arg(long, value_parser = shapes::parse)]
    shape: Option<Shape>,
    /// Where to compute: cpu, cuda, cuda:N, or auto for the first usable GPU or else the CPU
    #[arg(long, default_value_t)]
    device: Choice,
    /// In single precision; a case says so itself
    #[arg(long)]
    single: bool,
    #[arg(long, help = schedule::HELP)]
    schedule: Option<Variant>,
    /// Take the steps of this method, by its name in case files, and compare `ader` with `rk4` to the same time; a case says so
    /// itself
    #[arg(long)]
    integrator: Option<Integrator>,
    /// Limit the result of every stage, by a method of case files, and show what that costs; a case says so itself
    #[arg(long, value_name = "METHOD")]
    limiter: Option<Method>,
    /// Limit troubled elements alone, by an indicator of case files
    #[arg(long, requires = "limiter")]
    indicator: Option<Indicator>,
    /// Show the time of every schedule from which one was chosen, where there was a choice
    #[arg(long, conflicts_with = "schedule")]
    explain: bool,
    /// Draw the kernels under the device's roof, to a PNG or an SVG
    #[arg(long, value_name = "FILE")]
    roofline: Option<PathBuf>,
}

/// The default number of elements and orders for a law.
const ELEMENTS: usize = 20_000;
const ORDERS: [usize; 3] = [1, 2, 3];

/// The subject of the measurements.
enum Subject {
    /// Laws on periodic squares of about so many elements, with the defaults of a case.
    Laws { laws: Vec<&'static Law>, shape: Shape, elements: Vec<usize>, orders: Vec<usize> },
    /// A case as it is, except for the order.
    Case { case: Box<Case>, orders: Vec<usize> },
}

/// One law, order and mesh.
struct Measurement {
    law: &'static Law,
    order: usize,
    /// Of every section of the mesh: its unit, how it keeps the medium, and its number of elements.
    sections: Vec<Elements>,
    integrator: Integrator,
    numerical_flux: &'static str,
    precision: Precision,
    schedule: Variant,
    /// All trials of schedules, if they are to be shown.
    trials: Option<Trials>,
    memory: Footprint,
    seconds: Seconds,
    /// Of a method with a predictor: seconds in which classical Runge-Kutta steps advance the solution by a unit of time.
    runge_kutta: Option<f64>,
    /// Resources of the kernels in [`KERNELS`], if known.
    resources: [Option<Resources>; 5],
}

/// The measured kernels.
const KERNELS: [&str; 5] = ["predict", "stage", "time_step", "reduce", "advance_clock"];

/// The method that one with a predictor is compared with.
const COMPARED: Integrator = Integrator::Rk4;

/// Less than any launch takes, in seconds: with few elements there is nothing to reduce, and no rate.
const NO_LAUNCH: f64 = 1e-7;

/// The measurements of a kernel, or of a whole step.
struct Timing {
    name: &'static str,
    seconds: f64,
    /// The work of a kernel on all elements, if it has any.
    work: Option<Work>,
    floor: f64,
    resources: Option<Resources>,
    /// Updates of degrees of freedom per second.
    dofs: Option<f64>,
}

/// Flops of a kernel, and bytes that it moves.
#[derive(Clone, Copy)]
struct Work {
    flops: usize,
    bytes: usize,
}

pub(super) fn bench(arguments: &Bench, laws: &[&'static Law]) -> Result<Report, Error> {
    let subject = Subject::of(arguments, laws)?;
    let (laws, orders) = (subject.laws(), subject.orders());
    for (law, &order) in laws.iter().flat_map(|law| orders.iter().map(move |order| (law, order))) {
        require_order(law, order)?;
    }
    arguments.roofline.as_deref().map_or(Ok(()), require_picture)?;
    let signals = signals::catch()?;
    let device = Arc::new(Device::open(arguments.device)?);
    let precision = subject.precision(arguments);
    if laws.is_empty() {
        return Err(Error::Name("there is no law to measure".into()));
    }
    let ceilings = Ceilings::measure(&device, precision)?;
    let bar = tasks(subject.mesh_count() * laws.len() * orders.len());
    let mut measurements = Vec::new();
    'all: for number in 0..subject.mesh_count() {
        for law in &laws {
            let mut made: Option<(usize, Mesh)> = None;
            for &order in orders {
                if signals.ask_to_end() {
                    break 'all;
                }
                let block = law.cuda_block(order);
                let mesh = match made.take() {
                    Some((of, mesh)) if of == block => mesh,
                    _ => subject.mesh(number, order, block)?,
                };
                bar.set_message(format!("{}, order {order}, {} elements", law.name, mesh.element_count()));
                let measured = measure_one(arguments, &subject, &device, law, order, &mesh, &bar);
                made = Some((block, mesh));
                match measured {
                    Err(error) if signals.explain(&error) => continue,
                    measurement => measurements.push(measurement?),
                }
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    if let Some(path) = &arguments.roofline {
        let roof =
            roofline::Roof { bytes_per_second: ceilings.bytes_per_second, flops_per_second: ceilings.flops_per_second };
        let points: Vec<_> = measurements.iter().flat_map(|measurement| measurement.points(&ceilings)).collect();
        roofline::write(path, &device.name(), &roof, &points)?;
    }
    let status = if signals.ask_to_end() { signals::INTERRUPTED } else { 0 };
    Ok(Report { status, ..report(&device.name(), &subject, &ceilings, &measurements) })
}

/// Compiles a law for an order, and measures it on a mesh.
fn measure_one(
    arguments: &Bench,
    subject: &Subject,
    device: &Arc<Device>,
    law: &'static Law,
    order: usize,
    mesh: &Mesh,
    bar: &indicatif::ProgressBar,
) -> Result<Measurement, Error> {
    let mut setup = subject.setup(arguments, law, order, mesh)?;
    setup.schedule = arguments.schedule.or(setup.schedule);
    let origin = bar.suspend(|| schedule::choose(device, &mut setup, subject.choosing(mesh)))?;
    let trials = if arguments.explain { Trials::kept(device, &setup) } else { None };
    let other = setup.integrator.has_predictor().then(|| compared(&setup));
    let runge_kutta = other.map(|mut setup| -> Result<f64, Error> {
        bar.suspend(|| schedule::choose(device, &mut setup, subject.choosing(mesh)))?;
        let mut solver = Solver::new(device.clone(), mesh.clone(), setup)?;
        subject.begin(&mut solver)?;
        Ok(of_unit_time(&solver.benchmark()?))
    });
    let runge_kutta = runge_kutta.transpose()?;
    let mut solver = Solver::new(device.clone(), mesh.clone(), setup)?;
    bar.suspend(|| announce(&solver, origin));
    subject.begin(&mut solver)?;
    Ok(Measurement { runge_kutta, ..measure(solver, trials)? })
}

/// The same setup with [`COMPARED`], in steps that are the same part of the longest stable ones.
fn compared(setup: &Setup) -> Setup {
    let cfl = setup.cfl * COMPARED.default_cfl(setup.shape, setup.order)
        / setup.integrator.default_cfl(setup.shape, setup.order);
    Setup { integrator: COMPARED, cfl, schedule: None, ..setup.clone() }
}

/// Seconds in which steps advance the solution by a unit of time.
fn of_unit_time(seconds: &Seconds) -> f64 {
    seconds.step / seconds.step_length
}

impl Subject {
    /// The subject given by the arguments.
    fn of(arguments: &Bench, laws: &[&'static Law]) -> Result<Self, Error> {
        let orders = arguments.orders.as_ref().map(|orders| orders.0.clone());
        let path = arguments.what.as_ref().filter(|what| is_path(what) && laws.iter().all(|law| law.name != **what));
        let Some(path) = path else {
            if !arguments.settings.is_empty() {
                return Err(Error::misplaced("--set is for a case file; give one instead of a law"));
            }
            return Ok(Self::Laws {
                laws: selected_laws(arguments.what.as_deref(), laws)?,
                shape: arguments.shape.unwrap_or(Shape::Triangle),
                elements: if arguments.elements.is_empty() { vec![ELEMENTS] } else { arguments.elements.clone() },
                orders: orders.unwrap_or(ORDERS.to_vec()),
            });
        };
        let given = [
            ("--shape", arguments.shape.is_some(), "mesh.elements=quadrilaterals"),
            ("--elements", !arguments.elements.is_empty(), "mesh.refine=1"),
            ("--single", arguments.single, "precision=single"),
            ("--integrator", arguments.integrator.is_some(), "time.integrator=rk4"),
            ("--limiter", arguments.limiter.is_some(), "limiter.method=moment"),
        ];
        if let Some((option, _, key)) = given.into_iter().find(|(_, given, _)| *given) {
            return Err(Error::misplaced(&format!(
                "{option} is for laws, a case says so itself; use --set, as in --set {key}"
            )));
        }
        let settings = with_order(&arguments.settings, orders.as_ref().and_then(|orders| orders.first().copied()));
        let case = Box::new(Case::read_with(Path::new(path), &settings, laws)?);
        let orders = orders.unwrap_or(vec![case.order]);
        for &order in &orders {
            case.clone().with_order(order)?;
        }
        Ok(Self::Case { case, orders })
    }

    fn laws(&self) -> Vec<&'static Law> {
        match self {
            Self::Laws { laws, .. } => laws.clone(),
            Self::Case { case, .. } => vec![case.law],
        }
    }

    fn orders(&self) -> &[usize] {
        let (Self::Laws { orders, .. } | Self::Case { orders, .. }) = self;
        orders
    }

    fn mesh_count(&self) -> usize {
        match self {
            Self::Laws { elements, .. } => elements.len(),
            Self::Case { .. } => 1,
        }
    }

    /// The mesh of this number, numbered for an order and blocks of so many elements.
    fn mesh(&self, number: usize, order: usize, block: usize) -> Result<Mesh, Error> {
        Ok(match self {
            Self::Laws { shape, elements, .. } => benchmark_mesh(*shape, elements[number], block)?,
            Self::Case { case, .. } => case.clone().with_order(order)?.build_mesh()?,
        })
    }

    fn precision(&self, arguments: &Bench) -> Precision {
        match self {
            Self::Laws { .. } if arguments.single => Precision::Single,
            Self::Laws { .. } => Precision::Double,
            Self::Case { case, .. } => case.precision,
        }
    }

    fn setup(&self, arguments: &Bench, law: &'static Law, order: usize, mesh: &Mesh) -> Result<Setup, Error> {
        match self {
            Self::Laws { .. } => {
                let limiter = limiter(arguments, law, order)?;
                setup(law, order, mesh, self.precision(arguments), limiter, arguments.integrator)
            }
            Self::Case { case, .. } => Ok(case.clone().with_order(order)?.setup(mesh)?),
        }
    }

    /// A case uses the schedule of its run.
    fn choosing(&self, mesh: &Mesh) -> Choosing {
        match self {
            Self::Laws { .. } => Choosing::Measure,
            Self::Case { .. } => Choosing::on(mesh),
        }
    }

    /// Sets a solver to its initial state.
    fn begin(&self, solver: &mut Solver) -> Result<(), Error> {
        match self {
            Self::Laws { .. } => solver.project(0.0)?,
            Self::Case { case, .. } => case.project(solver)?,
        }
        Ok(())
    }

    /// The subject, for messages.
    fn description(&self) -> String {
        match self {
            Self::Laws { .. } => "a law on a periodic square, as a run takes it whose case says nothing else".into(),
            Self::Case { case, .. } => format!("{} as it is, from its initial state", case.path.display()),
        }
    }

    /// The case file, if it is one.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Laws { .. } => None,
            Self::Case { case, .. } => Some(&case.path),
        }
    }
}

/// Whether an argument names a file, not a law.
fn is_path(what: &str) -> bool {
    let path = Path::new(what);
    path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1
}

/// The setup of a law with the defaults of a case.
fn setup(
    law: &'static Law,
    order: usize,
    mesh: &Mesh,
    precision: Precision,
    limiter: Option<Limiter>,
    integrator: Option<Integrator>,
) -> Result<Setup, Error> {
    let no_state =
        || Error::Name(format!("{} has no initial or exact function that makes sense on the unit square", law.name));
    let setup = Setup::on(mesh.shape(0), law, order)?;
    let initial = admissible_function(law, mesh, &setup.parameters).ok_or_else(no_state)?;
    let integrator = integrator.unwrap_or_else(|| Integrator::recommended(limiter.is_some()));
    Ok(Setup {
        initial: Some(Given::Function(initial)),
        integrator,
        cfl: integrator.default_cfl(setup.shape, order),
        face_share: limiter.and_then(|_| integrator.face_share(setup.shape, order)),
        precision,
        limiter,
        ..setup
    })
}

/// The limiter to be measured.
fn limiter(arguments: &Bench, law: &Law, order: usize) -> Result<Option<Limiter>, Error> {
    let Some(method) = arguments.limiter else { return Ok(None) };
    method.require(law, order).map_err(Error::Name)?;
    if let Some(integrator) = arguments.integrator {
        integrator.require_strong_stability().map_err(Error::Name)?;
    }
    Ok(Some(Limiter {
        method: Some(method),
        variables: Variables::default(),
        indicator: arguments.indicator,
        positivity: Limiter::keeps_positive(law),
    }))
}

fn measure(mut solver: Solver, trials: Option<Trials>) -> Result<Measurement, Error> {
    let integrator = solver.setup().integrator;
    if integrator.has_implicit_source() {
        let message = format!(
            "bench counts flops and bytes of stages, and `{integrator}` takes most of its time outside of them; take another integrator"
        );
        return Err(Error::Name(message));
    }
    let (seconds, resources) = (solver.benchmark()?, KERNELS.map(|kernel| solver.resources(kernel)));
    let setup = solver.setup();
    Ok(Measurement {
        law: setup.law,
        order: solver.unit().order,
        sections: solver.sections_of_elements(),
        integrator: setup.integrator,
        numerical_flux: setup.numerical_flux.name,
        precision: setup.precision,
        schedule: solver.schedule(),
        trials,
        memory: solver.memory(),
        seconds,
        runge_kutta: None,
        resources,
    })
}

impl Measurement {
    fn stages(&self) -> usize {
        self.integrator.stages().len()
    }

    fn elements(&self) -> usize {
        self.sections.iter().map(|section| section.count).sum()
    }

    /// The work of a kernel on all elements, and its least time; `None` if it has no counted cost.
    fn work(&self, kernel: &str, ceilings: &Ceilings) -> Option<(Work, f64)> {
        let mut sum = (Work { flops: 0, bytes: 0 }, 0.0);
        for section in &self.sections {
            let cost = section.cost(kernel, self.law)?;
            sum.0.flops += cost.flops * section.count;
            sum.0.bytes += bytes(&cost, self.precision) * section.count;
            sum.1 += ceilings.floor(&cost, section.count, self.precision).seconds;
        }
        Some(sum)
    }

    /// The kernels, followed by the whole step.
    fn timings(&self, ceilings: &Ceilings) -> Vec<Timing> {
        let coefficients: usize = self.sections.iter().map(|section| section.unit.basis * section.count).sum();
        let dof = (coefficients * self.law.state.len()) as f64;
        let floor_of_step = |section: &Elements| {
            ceilings.floor_of_step(section, self.law, self.integrator, self.precision).map(|floor| floor.seconds)
        };
        let Seconds { predict, stage, limiting, medium, time_step, reduce, advance_clock, step, .. } = self.seconds;
        let seconds = [predict, Some(stage), Some(time_step), Some(reduce), Some(advance_clock)];
        let kernels = KERNELS.into_iter().zip(seconds).zip(self.resources);
        let mut timings: Vec<_> = kernels
            .filter_map(|((name, seconds), resources)| Some((name, seconds?, resources)))
            .map(|(name, seconds, resources)| {
                let (work, floor) = self.work(name, ceilings).filter(|_| seconds > NO_LAUNCH).unzip();
                let dofs = matches!(name, "predict" | "stage").then_some(dof / seconds);
                Timing { name, seconds, work, floor: floor.unwrap_or(0.0), resources, dofs }
            })
            .collect();
        let uncounted = |name, seconds, dofs| Timing { name, seconds, work: None, floor: 0.0, resources: None, dofs };
        timings.extend(limiting.map(|seconds| uncounted("limiting", seconds, Some(dof / seconds))));
        timings.extend(medium.map(|seconds| uncounted("medium", seconds, None)));
        timings.push(Timing {
            name: "whole step",
            seconds: step,
            work: None,
            floor: self.sections.iter().map(floor_of_step).sum::<Option<f64>>().unwrap_or(0.0),
            resources: None,
            dofs: Some(dof * self.stages() as f64 / step),
        });
        timings
    }

    /// The share of a step that limiting takes.
    fn limiting(&self) -> Option<f64> {
        Some(self.stages() as f64 * self.seconds.limiting? / self.seconds.step)
    }

    /// The kernels as points under the roof.
    fn points(&self, ceilings: &Ceilings) -> Vec<roofline::Point> {
        let point = |timing: Timing| {
            let Work { flops, bytes } = timing.work?;
            Some(roofline::Point {
                label: format!("{} {}, p = {}", self.law.name, timing.name, self.order),
                intensity: flops as f64 / bytes as f64,
                flops_per_second: flops as f64 / timing.seconds,
            })
        };
        self.timings(ceilings).into_iter().filter_map(point).collect()
    }
}

/// Headings of kernel data that only some devices provide.
const RESOURCES: [&str; 4] = ["registers", "spilled bytes", "shared bytes", "occupancy"];

fn report(device: &str, subject: &Subject, ceilings: &Ceilings, measurements: &[Measurement]) -> Report {
    let mut heading: Vec<&str> = vec![
        "law",
        "order",
        "schedule",
        "elements",
        "kernel",
        "µs",
        "Gdof/s",
        "flops",
        "bytes",
        "GFLOP/s",
        "GB/s",
        "of the floor",
    ];
    let known = measurements.iter().flat_map(|measurement| measurement.resources).any(|resources| resources.is_some());
    if known {
        heading.extend(RESOURCES);
    }
    let mut rows = vec![heading.into_iter().map(String::from).collect()];
    let mut list: Vec<Value> = Vec::new();
    for measurement in measurements {
        let (law, order, elements) = (measurement.law.name, measurement.order, measurement.elements());
        let mut kernels = Vec::new();
        for Timing { name, seconds, work, floor, resources, dofs } in measurement.timings(ceilings) {
            let (flops, bytes) = work.map(|work| (work.flops, work.bytes)).unzip();
            let rate = |count: Option<usize>| count.map(|count| count as f64 / seconds);
            // The mean over elements of several shapes.
            let [flops_each, bytes_each] = [flops, bytes].map(|count| count.map(|count| count.div_ceil(elements)));
            let fraction = (floor > 0.0).then_some(floor / seconds);
            let giga = |rate: Option<f64>| rate.map(|rate| format!("{:.3}", rate * 1e-9));
            let percent = |fraction: Option<f64>| fraction.map(|fraction| format!("{:.1} %", 100.0 * fraction));
            let mut cells = vec![
                Some(law.to_owned()),
                Some(order.to_string()),
                Some(measurement.schedule.to_string()),
                Some(elements.to_string()),
                Some(name.to_owned()),
                Some(format!("{:.2}", seconds * 1e6)),
                giga(dofs),
                flops_each.map(|count| count.to_string()),
                bytes_each.map(|count| count.to_string()),
                giga(rate(flops)),
                giga(rate(bytes)),
                percent(fraction),
            ];
            if known {
                cells.extend([
                    resources.map(|resources| resources.registers.to_string()),
                    resources.map(|resources| resources.spilled_bytes.to_string()),
                    resources.map(|resources| resources.shared_bytes.to_string()),
                    percent(resources.map(|resources| resources.occupancy)),
                ]);
            }
            rows.push(cells.into_iter().map(Option::unwrap_or_default).collect());
            kernels.push(json!({
                "kernel": name, "seconds": seconds, "dof_per_second": dofs,
                "flops_per_element": flops_each, "bytes_per_element": bytes_each,
                "flops_per_second": rate(flops), "bytes_per_second": rate(bytes), "fraction_of_floor": fraction,
                "registers": resources.map(|resources| resources.registers),
                "spilled_bytes": resources.map(|resources| resources.spilled_bytes),
                "shared_bytes": resources.map(|resources| resources.shared_bytes),
                "occupancy": resources.map(|resources| resources.occupancy),
            }));
        }
        let memory = memory_as_json(&measurement.memory);
        let candidates = measurement.trials.as_ref().map(schedule::as_json);
        list.push(json!({
            "law": law, "order": order, "integrator": measurement.integrator.name(),
            "numerical_flux": measurement.numerical_flux, "schedule": measurement.schedule.to_string(), "elements": elements,
            "memory": memory, "kernels": kernels, "limiting": measurement.limiting(), "candidates": candidates,
            "seconds_per_unit_time": of_unit_time(&measurement.seconds), "seconds_per_unit_time_rk4": measurement.runge_kutta,
        }));
    }
    let [bandwidth, peak] = [ceilings.bytes_per_second, ceilings.flops_per_second].map(|rate| rate * 1e-9);
    let schemes: BTreeSet<_> =
        measurements.iter().map(|of| format!("{} with {}", of.integrator, of.numerical_flux)).collect();
    let schemes: Vec<_> = schemes.iter().map(String::as_str).collect();
    let mut text = format!("{device}: {bandwidth:.1} GB/s in a copy, {peak:.1} GFLOP/s in multiply-adds\n");
    if !measurements.is_empty() {
        text += &format!("{}: steps of {}\n\n{}", subject.description(), schemes.join(", "), table(&rows));
    }
    for measurement in measurements {
        if let Some(share) = measurement.limiting() {
            let (law, order) = (measurement.law.name, measurement.order);
            text += &format!("\n{law}, order {order}: limiting takes {:.1} % of a step\n", 100.0 * share);
        }
        if let Some(other) = measurement.runge_kutta {
            let (law, order, own) = (measurement.law.name, measurement.order, of_unit_time(&measurement.seconds));
            text += &format!(
                "\n{law}, order {order}: a unit of time takes {own:.3e} s, with {COMPARED} {other:.3e} s: {:.3} of it\n",
                own / other
            );
        }
        if let Some(trials) = &measurement.trials {
            let (law, order, chosen) = (measurement.law.name, measurement.order, measurement.schedule);
            let dof = trials.elements * measurement.law.state.len() * measurement.sections[0].unit.basis;
            text += &format!("\n{law}, order {order}: {}", schedule::as_text(trials, chosen, dof));
        }
    }
    let json = json!({
        "case": subject.path(), "device": device, "limits": ceilings.as_json(), "measurements": list,
    });
    Report::new(json, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::law::geometry::Map;
    use crate::law::{Cost, KeptMedium, KernelCost, Unit};

    #[test]
    fn registers_and_spills_are_shown_where_they_are_known() {
        let cost = |name| {
            let [cost, of_field] = [1, 0].map(|n| Cost { flops: n, reals: n, integers: 0 });
            KernelCost { name, medium_basis: 1, cost, of_field }
        };
        let unit: &'static Unit = Box::leak(Box::new(Unit {
            costs: vec![cost("stage"), cost("time_step"), cost("reduce")].leak() as &_,
            ..crate::case::sample_law::unit(1)
        }));
        let seconds = Seconds {
            predict: None,
            stage: 1e-3,
            limiting: None,
            medium: None,
            time_step: 1e-3,
            reduce: 1e-9,
            advance_clock: 1e-5,
            step: 4e-3,
            step_length: 1.0,
        };
        let memory = Footprint { registers: 0, mesh: 0, limiting: 0, reductions: 0, transfers: 0, elements: 10 };
        let precision = Precision::Double;
        let ceilings = Ceilings { bytes_per_second: 1e6, flops_per_second: 1e9 };
        let shown = |resources| {
            let measurement = Measurement {
                law: &WAVES,
                order: 1,
                sections: [4, 6]
                    .map(|count| Elements { unit, medium: KeptMedium::NOTHING, map: Map::Affine, count })
                    .to_vec(),
                integrator: Integrator::SspRk3,
                numerical_flux: "rusanov",
                precision,
                schedule: "component/64/4".parse().unwrap(),
                trials: None,
                memory,
                seconds,
                runge_kutta: None,
                resources,
            };
            let subject =
                Subject::Laws { laws: vec![&WAVES], shape: Shape::Triangle, elements: vec![10], orders: vec![1] };
            report("device", &subject, &ceilings, &[measurement])
        };
        let stage = Resources { registers: 255, spilled_bytes: 4711, shared_bytes: 0, occupancy: 0.25 };
        let known = shown([None, Some(stage), None, None, None]);
        assert!(known.text.contains("spilled bytes") && known.text.contains("4711"), "{}", known.text);
        assert_eq!(known.json["measurements"][0]["kernels"][0]["registers"], 255);
        assert_eq!(known.json["measurements"][0]["kernels"][0]["occupancy"], 0.25);
        // Ten elements of eight bytes take 80 µs; three stages and the next step's bound take 320.
        for kernel in [0, 4] {
            let fraction = known.json["measurements"][0]["kernels"][kernel]["fraction_of_floor"].as_f64().unwrap();
            assert!((fraction - 0.08).abs() < 1e-12, "{kernel}: {fraction}");
        }
        // A kernel without a launch has no rate.
        assert_eq!(known.json["measurements"][0]["kernels"][2]["bytes_per_second"], Value::Null);
        assert_eq!(known.json["measurements"][0]["kernels"][3]["fraction_of_floor"], Value::Null);
        let unknown = shown([None; 5]);
        assert!(!unknown.text.contains("registers"), "{}", unknown.text);
        assert_eq!(unknown.json["measurements"][0]["kernels"][0]["registers"], Value::Null);
    }
}
