//! The fastest schedule, found by trial.
//!
//! The fastest one depends on the device, the law, the order, the precision, the numerical flux and the compiler. So every candidate is
//! timed once, on a mesh made for this, and the times are kept beside the compiled kernels.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::bench::{launches, median, predictor_and_stages, sample};
use super::benchmark_mesh::{admissible_function, benchmark_mesh};
use super::patches::Patches;
use super::projected::Projected;
use super::setup::schedule::PATCHES;
use super::{Error, Measured, Precision, Schedule, Setup, Solver, Variant};
use crate::device::{self, Device, Options};
use crate::law::{Arguments, Function, KeptMedium, Unit};
use crate::mesh::Mesh;
use crate::scheme::{Part, code};

/// The candidates of a law, an order, a precision and a numerical flux on a device.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trials {
    /// Elements of the mesh used for timing.
    pub(crate) elements: usize,
    /// The results, one for each candidate.
    pub(crate) trials: Vec<Trial>,
}

/// The result of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Trial {
    /// The candidate.
    pub(crate) schedule: Variant,
    /// Seconds of a stage, with the predictor if the integrator has one, or why it was not timed.
    pub(crate) seconds: Result<f64, String>,
}

/// About as many elements as keep a device busy, with more data than its caches hold.
const CUDA_ELEMENTS: usize = 400_000;
const HOST_ELEMENTS: usize = 20_000;

/// Number of samples; their median counts. The candidates take turns, so that other work of the machine slows all of them alike.
const SAMPLES: usize = 5;
/// Shortest time of a sample, in seconds.
const LEAST: f64 = 0.01;

/// With more coefficients than this, one thread for an element is never fastest and takes long to compile.
const COEFFICIENTS_OF_A_THREAD: usize = 32;
/// Registers of a thread on CUDA.
const BOUNDS: [usize; 5] = [168, 128, 96, 80, 64];
/// In double precision, so few serve for one component of an element alone.
const FEWEST: usize = 64;
/// Below, one thread for an element is faster; above, the code no longer fits a GPU's instruction cache.
const PAIR_ORDERS: std::ops::RangeInclusive<usize> = 2..=4;
const ELEMENT_BOUNDS: [usize; 5] = [248, 168, 128, 96, 64];
/// Above, three components do not fit a thread's registers.
const TRIPLE_ORDERS: std::ops::RangeInclusive<usize> = 1..=3;
const TRIPLE_BOUNDS: [usize; 2] = [248, 168];

impl Trials {
    /// The times kept for a setup, if there are any.
    pub(crate) fn kept(device: &Device, setup: &Setup) -> Option<Self> {
        let (unit, candidates) = candidates(device, setup)?;
        let question = question(device, setup, &candidates);
        Self::decode(&device.kept(code(setup.law, unit, setup.map).text, &question.each_ref().map(|part| &**part))?)
    }

    /// Whether there is a choice at all.
    pub(crate) fn are_possible(device: &Device, setup: &Setup) -> bool {
        candidates(device, setup).is_some()
    }

    /// Times every candidate for a setup and keeps the times; `None` where there is no choice, no function of the law to
    /// start from or no memory to spare, or where it takes longer than `within`: the current compilation or sample is finished
    /// then, and no other begun.
    ///
    /// # Errors
    /// The benchmark mesh cannot be made. A candidate that fails is not chosen; its failure is no error here.
    pub(crate) fn new(device: &Arc<Device>, setup: &Setup, within: Duration) -> Result<Option<Self>, Error> {
        let start_of_all = Instant::now();
        let is_late = || start_of_all.elapsed() >= within;
        let Some((unit, candidates)) = candidates(device, setup) else { return Ok(None) };
        if is_late() {
            return Ok(None);
        }
        // The benchmark mesh has no place for them.
        let medium = setup.medium.as_ref().and_then(|medium| medium.for_timing(setup.law));
        let setup = &Setup {
            point_sources: Vec::new(),
            receivers: Vec::new(),
            measured: Measured::default(),
            medium,
            ..setup.clone()
        };
        let elements = if device.is_cuda() { CUDA_ELEMENTS } else { HOST_ELEMENTS };
        let mesh = benchmark_mesh(setup.shape, elements, setup.layout().cuda_block)?;
        let Some(function) = admissible_function(setup.law, &mesh, &setup.parameters) else { return Ok(None) };
        compile(device, setup, unit, &mesh, &candidates);
        let mut runs: Vec<Result<(Solver, u32), Error>> = Vec::new();
        for &schedule in &candidates {
            if is_late() {
                return Ok(None);
            }
            let earlier = runs.iter().find_map(|run| Some(&run.as_ref().ok()?.0));
            let setup = Setup { schedule: Some(schedule), ..setup.clone() };
            let run = start(device, &mesh, setup, function, earlier);
            runs.push(run);
        }
        if runs.iter().any(|run| run.as_ref().is_err_and(is_lack_of_memory)) {
            return Ok(None);
        }
        let count = setup.stages().len() as f64;
        let mut samples = vec![Vec::new(); runs.len()];
        for _ in 0..SAMPLES {
            if is_late() {
                return Ok(None);
            }
            for (run, samples) in runs.iter_mut().zip(&mut samples) {
                if let Ok((solver, launches)) = run {
                    match sample(solver, predictor_and_stages, *launches) {
                        Ok(seconds) => samples.push(seconds / f64::from(*launches) / count),
                        Err(error) => *run = Err(error),
                    }
                }
            }
        }
        let trial = |((run, samples), &schedule): ((Result<_, Error>, _), _)| Trial {
            schedule,
            seconds: run.map(|_| median(samples)).map_err(|error| error.to_string()),
        };
        let trials = runs.into_iter().zip(samples).zip(&candidates).map(trial).collect();
        let trials = Self { elements: mesh.element_count(), trials };
        if trials.fastest().is_some() {
            let question = question(device, setup, &candidates);
            device.keep(
                code(setup.law, unit, setup.map).text,
                &question.each_ref().map(|part| &**part),
                &trials.encode(),
            );
        }
        Ok(Some(trials))
    }

    /// The fastest candidate.
    pub(crate) fn fastest(&self) -> Option<Variant> {
        let timed = self.trials.iter().filter_map(|trial| Some((trial.schedule, *trial.seconds.as_ref().ok()?)));
        timed.min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(schedule, _)| schedule)
    }

    /// As JSON.
    fn encode(&self) -> Vec<u8> {
        let trial = |trial: &Trial| {
            let (seconds, failure) = (trial.seconds.as_ref().ok(), trial.seconds.as_ref().err());
            json!({ "schedule": trial.schedule.to_string(), "seconds": seconds, "failure": failure })
        };
        let trials: Vec<Value> = self.trials.iter().map(trial).collect();
        json!({ "elements": self.elements, "trials": trials }).to_string().into_bytes()
    }

    /// The inverse of [`encode`](Self::encode).
    fn decode(bytes: &[u8]) -> Option<Self> {
        let json: Value = serde_json::from_slice(bytes).ok()?;
        let trial = |trial: &Value| {
            let failure = || trial["failure"].as_str().unwrap_or_default().to_owned();
            let seconds = trial["seconds"].as_f64().ok_or_else(failure);
            Some(Trial { schedule: trial["schedule"].as_str()?.parse().ok()?, seconds })
        };
        let trials = json["trials"].as_array()?.iter().map(trial).collect::<Option<_>>()?;
        Some(Self { elements: json["elements"].as_u64()?.try_into().ok()?, trials })
    }
}

/// The unit of a setup, and the schedules that may be fastest; `None` where there are fewer than two.
fn candidates(device: &Device, setup: &Setup) -> Option<(&'static Unit, Vec<Variant>)> {
    let unit = setup.law.unit(setup.shape, setup.order)?;
    let members = setup.law.state.len();
    let is_cuda = device.is_cuda();
    let mut candidates: Vec<Variant> = Vec::new();
    let mut add = |schedule, patch, registers: Option<usize>| {
        let variant = Variant::with_registers(schedule, patch, registers, (setup.law, setup.order));
        if !candidates.contains(&variant) && (!is_cuda || variant.fits(setup.law, setup.order)) {
            candidates.push(variant);
        }
    };
    let is_enough = |registers: &usize| *registers > FEWEST || setup.precision == Precision::Single;
    let fits_a_thread = members * unit.basis <= COEFFICIENTS_OF_A_THREAD;
    if is_cuda {
        for registers in ELEMENT_BOUNDS.into_iter().filter(is_enough).filter(|_| fits_a_thread) {
            add(Schedule::Element, 128, Some(registers));
        }
        for patch in PATCHES[..2].iter().copied().filter(|_| setup.order >= 1) {
            for registers in BOUNDS {
                add(Schedule::Component, patch, Some(registers));
            }
        }
        for registers in BOUNDS.into_iter().filter(is_enough).filter(|_| PAIR_ORDERS.contains(&setup.order)) {
            add(Schedule::Pair, 64, Some(registers));
        }
        let has_triple = TRIPLE_ORDERS.contains(&setup.order) && setup.runs(Schedule::Triple, device);
        for registers in TRIPLE_BOUNDS.into_iter().filter(|_| has_triple) {
            add(Schedule::Triple, 64, Some(registers));
        }
        if setup.order >= 3 && setup.runs(Schedule::Tensor, device) {
            add(Schedule::Tensor, 32, None);
            add(Schedule::Tensor, 64, None);
        }
    } else {
        for patch in PATCHES {
            if fits_a_thread {
                add(Schedule::Element, patch, None);
            }
            add(Schedule::Component, patch, None);
        }
    }
    (candidates.len() > 1).then_some((unit, candidates))
}

/// The key of the times in the cache, beside device and unit.
fn question(device: &Device, setup: &Setup, candidates: &[Variant]) -> [String; 7] {
    let elements = if device.is_cuda() { CUDA_ELEMENTS } else { HOST_ELEMENTS };
    let names: Vec<String> = candidates.iter().map(Variant::to_string).collect();
    [
        format!("schedules on {elements} elements"),
        names.join(" "),
        setup.precision.c_type().to_owned(),
        setup.numerical_flux.name.to_owned(),
        setup.viscous.name().to_owned(),
        if setup.integrator.has_predictor() { setup.integrator.name().to_owned() } else { String::new() },
        setup
            .medium
            .as_ref()
            .and_then(|medium| medium.degree)
            .map_or(String::new(), |degree| format!("medium {degree}")),
    ]
}

/// Compiles the stages of all candidates, and the other kernels, in parallel into the cache. A failure to compile is reported when the
/// candidate is timed.
fn compile(device: &Device, setup: &Setup, unit: &'static Unit, mesh: &Mesh, candidates: &[Variant]) {
    let code = code(setup.law, unit, setup.map);
    let sections = mesh.sections();
    let units = sections.iter().map(|section| (section.clone(), unit)).collect();
    let medium = Projected::new(setup.law, &setup.parameters, setup.medium.as_ref(), mesh, units, 0.0)
        .map_or(KeptMedium::NOTHING, |medium| medium.kept_in(0));
    let mut rooms = BTreeMap::new();
    std::thread::scope(|scope| {
        let compile = |options: Options| {
            scope.spawn(move || drop(device.compile(code.text, code.kernels, &options)));
        };
        for (i, &variant) in candidates.iter().enumerate() {
            let size = variant.elements(setup.law, setup.order, device.is_cuda());
            let patches = || Patches::new(mesh, &sections, &[size]).sections[0].room(device.is_cuda());
            let room = *rooms.entry(size).or_insert_with(patches);
            // The stages alone differ.
            let parts = setup.options(unit, variant, room, &medium);
            parts
                .into_iter()
                .filter(|(part, _)| i == 0 || *part == Part::Stage)
                .for_each(|(_, options)| compile(options));
        }
    });
}

fn is_lack_of_memory(error: &Error) -> bool {
    matches!(error, Error::Memory { .. } | Error::Device(device::Error::Memory { .. }))
}

/// A solver that starts from the solution of an earlier one or else from a function of the law, and the number of steps of a sample.
fn start(
    device: &Arc<Device>,
    mesh: &Mesh,
    setup: Setup,
    function: &Function,
    earlier: Option<&Solver>,
) -> Result<(Solver, u32), Error> {
    let parameters = setup.parameters.clone();
    let mut solver = Solver::new(device.clone(), mesh.clone(), setup)?;
    match earlier {
        Some(earlier) => solver.copy_solution(earlier)?,
        None => solver.project_values(0.0, |position, state| {
            let arguments =
                Arguments { parameters: &parameters, state: &[], right: &[], normal: &[], position, time: 0.0 };
            if let Some(host) = function.host {
                host(&arguments, state);
            }
        })?,
    }
    solver.advance(f64::INFINITY, 1)?;
    let count = launches(&mut solver, predictor_and_stages, LEAST)?;
    Ok((solver, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_are_read_as_they_were_written_and_the_fastest_that_ran_is_chosen() {
        let trial = |schedule: &str, seconds| Trial { schedule: schedule.parse().unwrap(), seconds };
        let trials = Trials {
            elements: 7,
            trials: vec![
                trial("tensor/32", Err("no \"such\" instruction".into())),
                trial("element/128", Ok(1.0 / 3.0)),
                trial("component/64/4", Ok(0.1)),
            ],
        };
        assert_eq!(trials.fastest(), Some("component/64/4".parse().unwrap()));
        assert_eq!(Trials::decode(&trials.encode()), Some(trials));
        assert_eq!(Trials::decode(b"{}"), None);
        assert_eq!(Trials { elements: 7, trials: Vec::new() }.fastest(), None);
    }
}
