//! A solution on a device: the registers of the stages, the clock, and the quantities gathered over the elements. It
//! knows neither the law nor the mesh.

use crate::device::{Buffer, Buffers, Device};
use crate::law::protocol::*;
use crate::law::{Role, Unit};
use crate::mesh::Mesh;

use super::inventory::{Inventory, Part};
use super::patches::Patches;
use super::reduce::Reduction;
use super::transfer::Transfer;
use super::{Error, Setup, measured};

/// Registers of a step: uⁿ, and two for the results of stages in turn.
pub(super) const REGISTERS: usize = 3;

/// The residuals of the explicit halves of stages, for an additive method.
pub(super) const EXPLICIT: [&str; 4] = ["explicit_1", "explicit_2", "explicit_3", "explicit_4"];
/// The changes by the implicit halves but the last.
pub(super) const IMPLICIT: [&str; 3] = ["implicit_1", "implicit_2", "implicit_3"];

/// A solution on a device.
pub(super) struct State {
    /// Coefficients `u`, and `records`: traces at faces between patches, and ghost states.
    pub(super) registers: [Buffers; REGISTERS],
    /// Which register holds the solution.
    pub(super) current: usize,
    /// Which register holds the solution before the last step.
    pub(super) previous: usize,
    /// The clock, g, and the buffers of limiters and tolerances.
    pub(super) buffers: Buffers,
    /// Bounds on the next step: one number for every element.
    pub(super) bounds: Reduction,
    /// Integrals, errors and the like: several numbers for every element.
    pub(super) columns: Reduction,
    /// The indicator's numbers, whose maximum over all elements it needs.
    pub(super) squares: Option<Reduction>,
    /// Sizes of the components, to which tolerances are relative.
    pub(super) sizes: Vec<f64>,
}

/// The declared buffers of a state.
pub(super) struct Inventories {
    register: Inventory<'static>,
    others: Inventory<'static>,
    bounds: Inventory<'static>,
    columns: Inventory<'static>,
    squares: Option<Inventory<'static>>,
}

impl Inventories {
    pub(super) fn new(setup: &Setup, unit: &Unit, mesh: &Mesh, patches: &Patches) -> Self {
        let (n, components, law) = (mesh.element_count(), setup.law.state.len(), setup.law);
        let empty = || Inventory::new(setup.precision, n);
        let coefficients = Transfer::coefficients(setup, unit, n).fields;

        let mut register = empty();
        register.reals_of_elements(Part::Registers, "u", coefficients, true);
        // Buffers must not be empty, even on a mesh of one patch without boundaries.
        let records = patches.records().max(1) * unit.traces / mesh.shape.faces();
        register.reals(Part::Registers, "records", records);

        let mut others = empty();
        let keeps_g = setup.stages().iter().any(|stage| stage.keep_g);
        others.reals_of_elements(Part::Registers, "g", coefficients, keeps_g);
        others.reals_of_elements(Part::Registers, "balance", coefficients, setup.well_balanced.is_some());
        if setup.predicts_series() {
            others.reals_of_elements(Part::Registers, "series", setup.order * coefficients, setup.order > 0);
        }
        if setup.integrator.has_implicit_source() {
            for name in EXPLICIT.into_iter().chain(IMPLICIT) {
                others.reals_of_elements(Part::Registers, name, coefficients, true);
            }
        }
        others.doubles(Part::Reductions, "clock", CLOCK_NUMBERS);
        // Weight of the error in each component, with a tolerance.
        others.reals(Part::Reductions, "weights", components);
        let indicator = setup.limiter.and_then(|limiter| limiter.indicator);
        if let Some(limiter) = setup.limiter {
            let part = Part::Limiting;
            // 1 for every troubled element.
            others.reals_of_elements(part, "troubled", 1, indicator.is_some());
            // The linear parts of all derivatives.
            others.reals_of_elements(part, "moments", components * unit.moments, limiter.needs_moments());
            // The least values, before a step, of the law's quantities with a minimum principle.
            let bounded = law.with_role(Role::MinimumPrinciple).map(|function| function.results).sum();
            others.reals_of_elements(part, "least", bounded, limiter.needs_bounds(law));
        }

        measured::inventory(&mut others, setup, unit, n);

        let reduction = |part, columns| Reduction::inventory(part, setup.precision, n, columns);
        Self {
            register,
            others,
            bounds: reduction(Part::Reductions, 1),
            // Up to three norms of the error of every component.
            columns: reduction(Part::Reductions, 3 * components),
            squares: indicator.map(|_| reduction(Part::Limiting, 1)),
        }
    }

    /// Bytes of all buffers of a part.
    pub(super) fn bytes(&self, part: Part) -> usize {
        let Self { register, others, bounds, columns, squares } = self;
        let once = [others, bounds, columns].into_iter().chain(squares);
        REGISTERS * register.bytes(part) + once.map(|inventory| inventory.bytes(part)).sum::<usize>()
    }
}

impl State {
    /// The zero solution at time 0.
    pub(super) fn new(device: &Device, inventories: &Inventories, components: usize) -> Result<Self, Error> {
        let Inventories { register, others, bounds, columns, squares } = inventories;
        let register = || register.allocate(device);
        let reduction = |inventory: &Inventory<'_>| Reduction::new(device, inventory);
        Ok(Self {
            registers: [register()?, register()?, register()?],
            current: 0,
            previous: 1,
            buffers: others.allocate(device)?,
            bounds: reduction(bounds)?,
            columns: reduction(columns)?,
            squares: squares.as_ref().map(reduction).transpose()?,
            sizes: vec![0.0; components],
        })
    }

    /// The coefficients of the solution.
    pub(super) fn solution(&self) -> &Buffer {
        &self.registers[self.current]["u"]
    }

    /// The coefficients of the solution before the last step.
    pub(super) fn before(&self) -> &Buffer {
        &self.registers[self.previous]["u"]
    }

    /// The numbers of the clock, in the kernels' layout.
    pub(super) fn clock(&self, device: &Device) -> Result<[f64; CLOCK_NUMBERS], Error> {
        let mut numbers = [0.0; CLOCK_NUMBERS];
        device.download(&self.buffers["clock"], &mut numbers)?;
        Ok(numbers)
    }

    /// Sets the numbers of the clock, in the kernels' layout.
    pub(super) fn set_clock(&self, device: &Device, numbers: &[f64; CLOCK_NUMBERS]) -> Result<(), Error> {
        Ok(device.upload(&self.buffers["clock"], numbers)?)
    }
}
