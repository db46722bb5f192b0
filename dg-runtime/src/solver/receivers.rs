//! Receivers: points at which the solution of every step is kept on the device, until the host takes it from there.

use super::inventory::{Inventory, Part};
use super::layout::unpack;
use super::places::Place;
use super::scheme::Scheme;
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
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// The time.
    pub time: f64,
    /// `[receiver][component]`
    pub values: Vec<f64>,
}

/// The places of a setup's receivers.
///
/// # Errors
/// [`Error::Outside`].
pub(super) fn places(setup: &Setup, mesh: &Mesh, unit: &Unit) -> Result<Vec<Place>, Error> {
    let place = |receiver: &Receiver| {
        Place::find(mesh, unit, receiver.position, || format!("the receiver `{}`", receiver.name))
    };
    setup.receivers.iter().map(place).collect()
}

/// The buffers of receivers at these places; no receivers have none.
pub(super) fn inventory<'a>(setup: &Setup, places: &'a [Place]) -> Inventory<'a> {
    let mut inventory = Inventory::new(setup.precision, places.len());
    if let Some(first) = places.first() {
        inventory.written_ints(Part::Mesh, "receiver_elements", 1, |i, v| v[0] = places[i].element as i32);
        let basis = first.basis.len();
        inventory.written_reals(Part::Mesh, "receiver_basis", basis, |i, v| v.copy_from_slice(&places[i].basis));
        inventory.doubles(Part::Reductions, "receiver_times", RECEIVER_STEPS);
        inventory.reals_of_elements(Part::Reductions, "received", received(setup), true);
    }
    inventory
}

/// Numbers that a receiver keeps.
fn received(setup: &Setup) -> usize {
    RECEIVER_STEPS * setup.law.state.len()
}

/// The receivers of a computation on its device.
pub(super) struct Receivers {
    count: usize,
    buffers: Buffers,
}

impl Receivers {
    /// `None` if there are none.
    pub(super) fn new(device: &Device, setup: &Setup, places: &[Place]) -> Result<Option<Self>, Error> {
        let count = places.len();
        let new = || Ok(Self { count, buffers: inventory(setup, places).allocate(device)? });
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
        let (program, fields) = (self.program, received(self.setup));
        let mut times = [0.0; RECEIVER_STEPS];
        program.device.download(&receivers.buffers["receiver_times"], &mut times)?;
        let buffer = &receivers.buffers["received"];
        let packed = program.read(buffer, buffer.numbers())?;
        let block = program.precision.block(&program.device);
        let kept = unpack(block, receivers.count, fields, &packed);
        let of_step = |step: u64| {
            let slot = step as usize % RECEIVER_STEPS;
            let of_receiver = |kept: &[f64]| kept.chunks_exact(fields / RECEIVER_STEPS).nth(slot).map(<[f64]>::to_vec);
            let values = kept.chunks_exact(fields).filter_map(of_receiver).flatten().collect();
            Received { time: times[slot], values }
        };
        Ok((from..=self.clock()?.steps).map(of_step).collect())
    }
}
