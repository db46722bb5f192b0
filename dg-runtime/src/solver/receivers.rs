//! Receivers: points at which the solution of every step is kept on the device, until the host takes it from there.

use super::inventory::{Inventory, Part};
use super::layout::unpack;
use super::places::Place;
use super::projected::Projected;
use super::scheme::Scheme;
use super::series::Evolution;
use super::{Error, Setup};
use crate::device::{Buffers, Device, Launch, args};
use crate::law::{MAX_DIM, Unit};
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

/// A receiver on a mesh.
#[derive(Debug)]
pub(super) struct Placed {
    place: Place,
    /// For k = 1 … p and every component the functional of the element's coefficients whose value is the k-th derivative by time over the
    /// power k of the scale, `[k][component]`; and the scale. Empty without a series.
    series: (Vec<f64>, f64),
}

impl Placed {
    /// Places the receivers of a setup.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(super) fn all(setup: &Setup, mesh: &Mesh, unit: &Unit, medium: &Projected) -> Result<Vec<Self>, Error> {
        let place = |receiver: &Receiver| {
            let place = Place::find(mesh, unit, receiver.position, || format!("the receiver `{}`", receiver.name))?;
            let series = if setup.has_series() { series(setup, mesh, unit, medium, &place) } else { (Vec::new(), 1.0) };
            Ok(Self { place, series })
        };
        setup.receivers.iter().map(place).collect()
    }
}

fn series(setup: &Setup, mesh: &Mesh, unit: &Unit, medium: &Projected, place: &Place) -> (Vec<f64>, f64) {
    let evolution = Evolution::new(setup, unit, mesh, medium, place.element);
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
        inventory.written_ints(part, "receiver_elements", 1, |i, v| v[0] = placed[i].place.element as i32);
        let basis = first.place.basis.len();
        inventory.written_reals(part, "receiver_basis", basis, |i, v| v.copy_from_slice(&placed[i].place.basis));
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

/// The receivers of a computation on its device.
pub(super) struct Receivers {
    count: usize,
    buffers: Buffers,
}

impl Receivers {
    /// `None` if there are none.
    pub(super) fn new(device: &Device, setup: &Setup, placed: &[Placed]) -> Result<Option<Self>, Error> {
        let count = placed.len();
        let new = || Ok(Self { count, buffers: inventory(setup, placed).allocate(device)? });
        (count > 0).then(new).transpose()
    }
}

impl<'a> Scheme<'a> {
    /// Keeps the solution of a register at the receivers, for the step that begins there.
    pub(super) fn receive(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let (Some(kernel), Some(receivers)) = (&self.program.kernels.receive, &self.domain.receivers) else {
            return Ok(None);
        };
        let args = args! { u: &self.state.registers[register]["u"], clock: &self.state.buffers["clock"] };
        Ok(Some(self.program.device.prepare(kernel, 0..receivers.count, &args, &[&receivers.buffers])?))
    }

    /// What the receivers kept at the starts of the steps from number `from` on, and of the current solution.
    pub(super) fn received(self, from: u64) -> Result<Vec<Received>, Error> {
        let Some(receivers) = &self.domain.receivers else { return Ok(Vec::new()) };
        self.run(self.receive(self.state.current)?)?;
        let (program, of_step, components) = (self.program, of_step(self.setup), self.setup.law.state.len());
        let mut times = [0.0; 2 * RECEIVER_STEPS];
        program.device.download(&receivers.buffers["receiver_times"], &mut times)?;
        let buffer = &receivers.buffers["received"];
        let packed = program.read(buffer, buffer.numbers())?;
        let block = program.precision.block(&program.device);
        let kept = unpack(block, receivers.count, RECEIVER_STEPS * of_step, &packed);
        let received = |step: u64| {
            let slot = step as usize % RECEIVER_STEPS;
            let term = |k: usize| -> Vec<f64> {
                let of_receiver = |kept: &[f64]| kept[slot * of_step + k * components..][..components].to_vec();
                kept.chunks_exact(RECEIVER_STEPS * of_step).flat_map(of_receiver).collect()
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
