//! Receivers: points at which the solution of every step is kept on the device, until the host takes it from there.

use super::inventory::{Inventory, Part};
use super::layout::unpack;
use super::places::Place;
use super::places::SectionUnit;
use super::plan::{Plan, SectionPlan};
use super::scheme::{OnSection, Scheme};
use super::series::Evolution;
use super::{Error, Setup};
use crate::device::{Buffers, Device, Launch, args};
use crate::law::MAX_DIM;
use crate::mesh::Mesh;
use crate::scheme::RECEIVER_STEPS;

/// A point at which the solution is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Receiver {
    /// Its name.
    pub name: String,
    /// Its position, in the mesh.
    pub position: [f64; MAX_DIM],
}

/// The solution at all receivers at the start of a step, or after the last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Received {
    /// The time.
    pub time: f64,
    /// `[receiver][component]`
    pub values: Vec<f64>,
    /// The length of the step.
    pub dt: f64,
    /// The terms T_k of the Taylor series in time, u(time + s) = Σ_k T_k (s / dt)^k, from k = 1 on: `[k][receiver][component]`. None
    /// where the integrator has no [series](Setup::has_series).
    pub terms: Vec<Vec<f64>>,
}

/// A receiver on a section of a mesh.
#[derive(Debug)]
pub(super) struct Placed {
    /// Its number among all receivers.
    number: usize,
    /// The number of its element in the section.
    element: usize,
    /// The values of the basis functions there.
    basis: Vec<f64>,
    /// For k = 1 … p and every component the functional of the element's coefficients whose value is the k-th derivative by time over the
    /// power k of the scale, `[k][component]`; and the scale. Empty without a series.
    series: (Vec<f64>, f64),
}

/// Places the receivers of a setup in the sections of a mesh.
///
/// # Errors
/// [`Error::Outside`].
pub(super) fn place(plan: &mut Plan, setup: &Setup, mesh: &Mesh, code: &[SectionUnit]) -> Result<(), Error> {
    for (number, receiver) in setup.receivers.iter().enumerate() {
        let place = Place::find(mesh, code, receiver.position, || format!("the receiver `{}`", receiver.name))?;
        let series = if setup.has_series() { series(setup, mesh, plan, &place) } else { (Vec::new(), 1.0) };
        let Place { section, number: element, basis, .. } = place;
        plan.sections[section].receivers.push(Placed { number, element, basis, series });
    }
    Ok(())
}

fn series(setup: &Setup, mesh: &Mesh, plan: &Plan, place: &Place) -> (Vec<f64>, f64) {
    let SectionPlan { unit, section, .. } = &plan.sections[place.section];
    let evolution = Evolution::new(setup, unit, mesh, section.map, &plan.medium, place.element);
    let (m, n) = (setup.law.state.len(), place.basis.len());
    let value = |c: usize| {
        let mut functional = vec![0.0; m * n];
        functional[c * n..][..n].copy_from_slice(&place.basis);
        functional
    };
    let mut functionals: Vec<Vec<f64>> = (0..m).map(value).collect();
    let mut all = Vec::new();
    for _ in 1..=setup.order {
        functionals.iter_mut().for_each(|functional| *functional = evolution.apply(functional));
        all.extend(functionals.concat());
    }
    (all, evolution.scale)
}

/// The buffers of receivers; no receivers have none.
pub(super) fn inventory<'a>(setup: &Setup, placed: &'a [Placed]) -> Inventory<'a> {
    let mut inventory = Inventory::new(setup.precision, placed.len());
    if let Some(first) = placed.first() {
        let part = Part::Mesh;
        inventory.written_ints(part, "receiver_elements", 1, |i, v| v[0] = placed[i].element as i32);
        let basis = first.basis.len();
        inventory.written_reals(part, "receiver_basis", basis, |i, v| v.copy_from_slice(&placed[i].basis));
        if setup.has_series() {
            let write = |i: usize, v: &mut [f64]| v.copy_from_slice(&placed[i].series.0);
            inventory.written_reals(part, "receiver_series", first.series.0.len(), write);
            inventory.written_reals(part, "receiver_scales", 1, |i, v| v[0] = placed[i].series.1);
        } else {
            inventory.reals(part, "receiver_series", 1);
            inventory.reals(part, "receiver_scales", 1);
        }
        inventory.doubles(Part::Reductions, "receiver_times", 2 * RECEIVER_STEPS);
        inventory.reals_of_elements(Part::Reductions, "received", RECEIVER_STEPS * of_step(setup), true);
    }
    inventory
}

/// Numbers that a receiver keeps of a step.
fn of_step(setup: &Setup) -> usize {
    let terms = if setup.has_series() { setup.order + 1 } else { 1 };
    terms * setup.law.state.len()
}

/// The receivers of a section on a device.
pub(super) struct Receivers {
    /// Their numbers among all receivers.
    numbers: Vec<usize>,
    buffers: Buffers,
}

impl Receivers {
    /// `None` if there are none.
    pub(super) fn new(device: &Device, setup: &Setup, placed: &[Placed]) -> Result<Option<Self>, Error> {
        let numbers: Vec<usize> = placed.iter().map(|receiver| receiver.number).collect();
        let is_empty = numbers.is_empty();
        let new = || Ok(Self { numbers, buffers: inventory(setup, placed).allocate(device)? });
        (!is_empty).then(new).transpose()
    }
}

impl<'a> OnSection<'a> {
    /// Keeps the solution of a register at the receivers, for the step that begins there.
    pub(super) fn receive(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let (Some(kernel), Some(receivers)) = (&self.program.kernels.receive, self.receivers) else { return Ok(None) };
        let args = args! { u: self.u(register) };
        self.on_items(kernel, receivers.numbers.len(), &receivers.buffers, &args).map(Some)
    }

    /// What the receivers kept of steps: times and lengths of these, and for every receiver its number and its values.
    fn kept(self) -> Result<Option<Kept>, Error> {
        let (program, Some(receivers)) = (self.program, self.receivers) else { return Ok(None) };
        let mut times = [0.0; 2 * RECEIVER_STEPS];
        program.device.download(&receivers.buffers["receiver_times"], &mut times)?;
        let (buffer, fields) = (&receivers.buffers["received"], RECEIVER_STEPS * of_step(self.setup));
        let packed = program.read(buffer, buffer.numbers())?;
        let block = program.precision.block(&program.device);
        let values = unpack(block, receivers.numbers.len(), fields, &packed);
        let values = values.chunks_exact(fields).map(<[f64]>::to_vec);
        Ok(Some(Kept { times, values: receivers.numbers.iter().copied().zip(values).collect() }))
    }
}

/// See [`OnSection::kept`].
struct Kept {
    times: [f64; 2 * RECEIVER_STEPS],
    values: Vec<(usize, Vec<f64>)>,
}

impl Scheme<'_> {
    /// What the receivers kept at the starts of the steps from number `from` on, and of the current solution.
    pub(super) fn received(self, from: u64) -> Result<Vec<Received>, Error> {
        self.run(self.all(|section| section.receive(self.state.current))?)?;
        let kept: Vec<Kept> =
            self.on_sections().map(OnSection::kept).filter_map(Result::transpose).collect::<Result<_, _>>()?;
        let Some(Kept { times, .. }) = kept.first() else { return Ok(Vec::new()) };
        let mut values: Vec<&(usize, Vec<f64>)> = kept.iter().flat_map(|kept| &kept.values).collect();
        values.sort_unstable_by_key(|(number, _)| *number);
        let (of_step, components) = (of_step(self.setup), self.setup.law.state.len());
        let received = |step: u64| {
            let slot = step as usize % RECEIVER_STEPS;
            let term = |k: usize| -> Vec<f64> {
                let of_receiver =
                    |(_, kept): &&(usize, Vec<f64>)| kept[slot * of_step + k * components..][..components].to_vec();
                values.iter().flat_map(of_receiver).collect()
            };
            Received {
                time: times[slot],
                values: term(0),
                dt: times[RECEIVER_STEPS + slot],
                terms: (1..of_step / components).map(term).collect(),
            }
        };
        Ok((from..=self.clock()?.steps).map(received).collect())
    }
}
