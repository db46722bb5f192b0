//! `run --dry-run`: the plan of a run. Nothing is compiled and nothing is written.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::announce::{grows_slowly, length_of_steps, memory_as_json, slow_around_sources, warn_of_cfl};
use super::files::{self, Start};
use super::march::require_reach;
use super::measurements::require_places;
use super::position::position;
use super::schedule::Choosing;
use super::shapes::orders;
use super::smallest;
use super::table::table;
use super::{Error, Report};
use crate::case::Case;
use crate::device::{Choice, Device};
use crate::mesh::Mesh;
use crate::solver::{Footprint, Plan, Precision, SectionPlan, Setup, Trials, first_step, require_memory};
use crate::system::bytes;

/// The origin of the schedule.
#[derive(Clone, Copy)]
enum Chosen {
    Told,
    Expected,
    Measured,
    Unmeasured,
}

impl Chosen {
    /// The origin as words for programs and for people.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Told => ("told", "as told"),
            Self::Expected => ("expected", "not measured"),
            Self::Measured => ("measured", "the fastest measured"),
            Self::Unmeasured => {
                ("unmeasured", "unless another is faster: several are measured before a run of ten times as long")
            }
        }
    }
}

/// What a run of a case on a mesh would take.
pub(super) struct Planned {
    pub setup: Setup,
    pub plan: Plan,
    pub memory: Footprint,
    origin: Chosen,
    /// The length of the first step, where waves of the initial state say it.
    pub step: Option<f64>,
}

impl Planned {
    /// The plan on a device.
    pub fn new(case: &Case, mesh: &Mesh, device: &Device) -> Result<Self, Error> {
        let mut setup = case.setup(mesh)?;
        let origin = if setup.schedule.is_some() {
            Chosen::Told
        } else if Choosing::on(mesh) == Choosing::Expect {
            Chosen::Expected
        } else {
            setup.schedule = Trials::kept(device, &setup).and_then(|trials| trials.fastest());
            if setup.schedule.is_some() { Chosen::Measured } else { Chosen::Unmeasured }
        };
        let plan = Plan::new(device, mesh, &setup)?;
        let memory = require_memory(device, mesh, &setup, &plan)?;
        let step = setup.initial.as_ref().and_then(|initial| first_step(mesh, &setup, initial));
        Ok(Self { setup, plan, memory, origin, step })
    }

    /// The number of unknowns.
    pub fn dof(&self) -> usize {
        self.plan.dof()
    }

    /// The unknowns, for people.
    pub fn unknowns(&self, mesh: &Mesh) -> String {
        let precision = if self.setup.precision == Precision::Double { "double" } else { "single" };
        format!("{} of {}, in {precision} precision", self.dof(), orders(mesh, self.setup.order))
    }

    /// The length of the first step, for people.
    pub fn first_step(&self) -> String {
        match (self.step, &self.setup.initial) {
            (Some(step), _) => format!("of about {step:.3e} at first"),
            (None, None) => "of a length that the state to start from will say".to_owned(),
            (None, Some(_)) => "no finite speed of a wave says how long they are".to_owned(),
        }
    }
}

/// The plan of a run of the case on a device.
pub(super) fn dry_run(case: &Case, device: Choice, overwrite: bool) -> Result<Report, Error> {
    let (mesh, device) = rayon::join(|| case.build_mesh(), || Device::open(device));
    let (mesh, device) = (mesh?, device?);
    let shapes = mesh.elements().shapes();
    warn_of_cfl(case, &shapes);
    let planned = Planned::new(case, &mesh, &device)?;
    let start = files::start_in(case, &mesh, overwrite);
    case.check_start(&mesh)?;
    case.check_measured_points(&mesh)?;
    require_places(case, &mesh)?;
    if let Some((step, until)) = planned.step.zip(case.time.until) {
        let what = if case.law.is_viscous() { "waves and diffusion" } else { "waves" };
        require_reach(case, &shapes, until, step, || {
            Ok(format!("such steps follow from {what} of the initial state"))
        })?;
    }
    Ok(report(case, &device, &mesh, &planned, &start))
}

/// An estimate of the number of steps to the final time, and of outputs.
struct Expected {
    steps: Option<u64>,
    outputs: Option<u64>,
}

fn expected(case: &Case, planned: &Planned) -> Expected {
    // With a tolerance, errors determine all steps but the first.
    let until = case.time.until.filter(|_| planned.setup.tolerance.is_none());
    let steps = planned.step.zip(until).map(|(step, until)| (until / step).ceil() as u64);
    let outputs = match (case.time.until, case.output.every) {
        (Some(until), Some(every)) => Some((until / every - 1e-9).ceil() as u64 + 1),
        (None, Some(_)) => None,
        (_, None) => Some(2),
    };
    Expected { steps, outputs }
}

fn report(case: &Case, device: &Device, mesh: &Mesh, planned: &Planned, start: &Start) -> Report {
    let Expected { steps, outputs } = expected(case, planned);
    let Planned { setup, plan, memory, origin, step } = planned;
    let (compiled, elements, dof) = (plan.is_compiled(device), mesh.element_count(), planned.dof());
    let [lower, upper] = mesh.bounds().map(|corner| corner[..mesh.dim].to_vec());
    let survey = mesh.survey();
    let [least, largest] = survey.diameters.map(|extreme| extreme.value);
    let (vertices, file) = (mesh.vertices().len() / mesh.dim, unit_name(plan, setup));
    let faces: Vec<_> =
        mesh.boundaries().iter().map(|boundary| &*boundary.name).zip(mesh.boundary_face_counts()).collect();
    let boundaries: Vec<Value> = (faces.iter().zip(&setup.boundaries))
        .map(|((name, faces), condition)| json!({ "name": name, "faces": faces, "condition": condition.identity() }))
        .collect();

    let mut rows = vec![vec![String::new(), String::new()]];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_owned(), text]);
    row(
        "mesh",
        format!(
            "{elements} elements, {vertices} vertices, from {} to {}",
            position(mesh, &lower),
            position(mesh, &upper)
        ),
    );
    row("", format!("inscribed circles of diameters from {least:.3e} to {largest:.3e}"));
    if let Some(smallest) = smallest::text(mesh, survey.smallest) {
        row("", smallest);
    }
    for (name, faces) in &faces {
        row("", format!("boundary {name}: {faces} faces"));
    }
    row("unknowns", planned.unknowns(mesh));
    row("memory", memory.to_string());
    row("schedule", format!("{}, {}", plan.schedules(), origin.words().1));
    let length: usize = plan.sections.iter().map(|section| section.code.text.len()).sum();
    let code = bytes(length);
    row("code", if compiled { format!("{file}, compiled before") } else { format!("{file}, {code}, to be compiled") });
    if setup.literal_parameters {
        row("", "with literal parameters, for which it is compiled anew where one changes".to_owned());
    }
    row(
        "steps",
        match (steps, step, case.time.until) {
            (Some(steps), Some(step), Some(until)) => {
                format!("about {steps} of {step:.3e} until t = {until:?}, if waves stay as fast as they begin")
            }
            (None, Some(_), Some(_)) => format!("{}; errors say how many there are", planned.first_step()),
            (_, Some(_), _) => format!("{}; how many lead to a steady state is not known", planned.first_step()),
            _ => planned.first_step(),
        },
    );
    row("", length_of_steps(setup));
    for remark in [steps.and_then(|steps| grows_slowly(setup, steps as f64)), slow_around_sources(setup)] {
        remark.into_iter().for_each(|remark| row("", remark));
    }
    row(
        "fields",
        outputs.map_or("nobody knows how often".into(), |count| format!("written {count} times"))
            + &format!(", into {}: {}", case.output.directory.display(), start.remark()),
    );
    let mut text = format!("{}: {}, on {}\n", case.law.name, orders(mesh, setup.order), device.name());
    // The table's heading is empty.
    let _ = write!(text, "{}\nnothing was compiled or written", table(&rows).trim_start_matches('\n'));
    let json = json!({
        "case": case.identity(&mesh.elements().shapes()),
        "device": device.name(),
        "mesh": {
            "elements": elements, "vertices": vertices, "lower": lower, "upper": upper, "boundaries": boundaries,
            "least_diameter": least, "largest_diameter": largest, "smallest": smallest::as_json(mesh, survey.smallest),
        },
        "dof": dof,
        "memory": memory_as_json(memory),
        "schedule": { "name": plan.schedules(), "origin": origin.words().0 },
        "code": { "unit": file, "bytes": length, "compiled": compiled },
        "integrator": setup.integrator.name(),
        "first_time_step": step,
        "steps": steps,
        "outputs": outputs,
        "directory": case.output.directory,
        "may_start": start.is_allowed(),
    });
    Report::new(json, text)
}

fn unit_name(plan: &Plan, setup: &Setup) -> String {
    let name =
        |section: &SectionPlan| format!("{}_{}_p{}", setup.law.name, section.unit.shape.name(), section.unit.order);
    let mut names: Vec<String> = plan.sections.iter().map(name).collect();
    names.dedup();
    names.join(" and ")
}
