//! Receivers in the elements of a mesh, and on a device, where the solution of every step is kept until the host takes it from there.

use super::inventory::{Inventory, Part};
use super::places::{Place, SectionUnit};
use super::projected::{self, Projected};
use super::series::Evolution;
use super::{Error, Setup};
use crate::device::{Buffers, Device};
use crate::law::Unit;
use crate::mesh::Mesh;
use crate::scheme::RECEIVER_STEPS;

/// A receiver on a section of a mesh.
#[derive(Debug)]
pub(super) struct Placed {
    /// Its number among all receivers.
    number: usize,
    place: Place,
    /// The medium there at time 0, as the scheme has it in the element.
    medium: Vec<f64>,
    /// For k = 1 … p and every component the functional of the element's coefficients whose value is the k-th derivative by time over the
    /// power k of the scale, `[k][component]`; and the scale. Empty without a series.
    series: (Vec<f64>, f64),
}

/// Places the receivers of a setup in the sections of a mesh with this medium: those of each section.
///
/// # Errors
/// [`Error::Outside`].
pub(super) fn place(
    setup: &Setup,
    mesh: &Mesh,
    code: &[SectionUnit],
    medium: &Projected,
) -> Result<Vec<Vec<Placed>>, Error> {
    let mut placed: Vec<Vec<Placed>> = code.iter().map(|_| Vec::new()).collect();
    for (number, receiver) in setup.receivers.iter().enumerate() {
        let place = Place::find(mesh, code, receiver.position, || format!("the receiver `{}`", receiver.name))?;
        let of_section = &code[place.section];
        let series =
            if setup.has_series() { series(setup, mesh, of_section, medium, &place) } else { (Vec::new(), 1.0) };
        let medium = medium.at(place.element, &place.basis);
        placed[place.section].push(Placed { number, place, medium, series });
    }
    Ok(placed)
}

fn series(
    setup: &Setup,
    mesh: &Mesh,
    (section, unit): &SectionUnit,
    medium: &Projected,
    place: &Place,
) -> (Vec<f64>, f64) {
    let evolution = Evolution::new(setup, unit, mesh, section.map, medium, place.element);
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
    let mut inventory = Inventory::new(setup.layout(), placed.len());
    if let Some(first) = placed.first() {
        let part = Part::Mesh;
        inventory.written_ints(part, "receiver_elements", 1, |i, v| v[0] = placed[i].place.number as i32);
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
pub(super) fn of_step(setup: &Setup) -> usize {
    let terms = if setup.has_series() { setup.order + 1 } else { 1 };
    terms * setup.law.state.len()
}

/// The receivers of a section on a device.
pub(super) struct Receivers {
    /// Their numbers among all receivers.
    pub(super) numbers: Vec<usize>,
    /// The place of each, and the medium there at time 0.
    places: Vec<(Place, Vec<f64>)>,
    pub(super) buffers: Buffers,
}

impl Receivers {
    /// `None` if there are none.
    pub(super) fn new(device: &Device, setup: &Setup, placed: &[Placed]) -> Result<Option<Self>, Error> {
        let numbers: Vec<usize> = placed.iter().map(|receiver| receiver.number).collect();
        let is_empty = numbers.is_empty();
        let places = placed.iter().map(|receiver| (receiver.place.clone(), receiver.medium.clone())).collect();
        let new = || Ok(Self { numbers, places, buffers: inventory(setup, placed).allocate(device)? });
        (!is_empty).then(new).transpose()
    }

    /// The medium at a receiver of this number among all, as the scheme has it in the element at a time; `None` if it is not among these.
    ///
    /// # Errors
    /// Those of a medium that depends on time, [`Error::Medium`] and [`Error::MediumOutside`].
    pub(super) fn medium_at(
        &self,
        number: usize,
        (setup, unit): (&Setup, &'static Unit),
        mesh: &Mesh,
        time: f64,
    ) -> Option<Result<Vec<f64>, Error>> {
        let (place, at_start) = &self.places[self.numbers.iter().position(|&of| of == number)?];
        Some(match setup.changing_medium() {
            None => Ok(at_start.clone()),
            Some(_) => {
                projected::at_time(setup, mesh, (place.element, &unit.reference().operators), &place.basis, time)
            }
        })
    }
}
