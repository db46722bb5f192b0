//! A solution on a device: the registers of the stages, the clock, and the quantities gathered over the elements. It
//! knows neither the law nor the mesh.

use crate::device::{Buffer, Buffers, Device};
use crate::law::Role;
use crate::law::geometry::Map;
use crate::law::protocol::*;
use crate::law::reference::derivatives_between_sections;

use super::inventory::{Inventory, Part};
use super::patches::SectionPatches;
use super::plan::{Plan, SectionPlan};
use super::reduce::Reduction;
use super::rows::Rows;
use super::transfer::Transfer;
use super::{Error, Method, Setup, additive};

/// Registers of a step: uⁿ, and two for the results of stages in turn.
pub(super) const REGISTERS: usize = 3;

/// The residuals of the explicit halves of stages, for an additive method.
pub(super) const EXPLICIT: [&str; additive::MOST] =
    ["explicit_1", "explicit_2", "explicit_3", "explicit_4", "explicit_5", "explicit_6"];
/// The changes by the source that later halves read.
pub(super) const IMPLICIT: [&str; additive::MOST] =
    ["implicit_1", "implicit_2", "implicit_3", "implicit_4", "implicit_5", "implicit_6"];

/// The means of averages in time.
pub(super) const MEANS: &str = "averaged_means";
/// The integrals in time of the squares of the differences from the means.
pub(super) const SQUARES: &str = "averaged_squares";

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
    /// What those of the elements of each warp amount to: on CUDA the last stage of a step leaves that, too.
    pub(super) warp_bounds: Reduction,
    /// The indicator's numbers, whose maximum over all elements it needs.
    pub(super) squares: Option<Reduction>,
    /// Whether the registers exceed the host's caches.
    pub(super) past_caches: bool,
    /// Sizes of the components, to which tolerances are relative.
    pub(super) sizes: Vec<f64>,
}

/// The declared buffers of a state.
pub(super) struct Inventories {
    register: Inventory<'static>,
    others: Inventory<'static>,
    bounds: Inventory<'static>,
    warp_bounds: Inventory<'static>,
    squares: Option<Inventory<'static>>,
    rows: Rows,
    warp_rows: Rows,
}

impl Inventories {
    pub(super) fn new(setup: &Setup, plan: &Plan) -> Self {
        let (components, law) = (setup.law.state.len(), setup.law);
        let (counts, rows) = (plan.counts(), plan.rows());
        let empty = || Inventory::new(setup.layout(), 0);
        let of_solution = |section: usize| {
            let SectionPlan { section, setup, unit, .. } = &plan.sections[section];
            Transfer::coefficients(setup, unit, section.elements.len()).fields
        };

        let mut register = empty();
        register.reals_of_sections(Part::Registers, "u", &counts, of_solution, true);
        // Buffers must not be empty, even on a mesh of one patch without boundaries. Faces of all elements have as many points.
        let unit = plan.sections[0].unit;
        let records = plan.patches.records().max(1) * unit.traces / unit.shape.faces();
        register.reals(Part::Registers, "records", records);

        let mut others = empty();
        let keeps_g = setup.stages().iter().any(|stage| stage.keep_g);
        let mut of_elements = |part, name, fields: &dyn Fn(usize) -> usize, needed| {
            others.reals_of_sections(part, name, &counts, fields, needed);
        };
        of_elements(Part::Registers, "g", &of_solution, keeps_g);
        of_elements(Part::Registers, "balance", &of_solution, setup.well_balanced.is_some());
        if setup.predicts_series() {
            of_elements(Part::Registers, "series", &|section| setup.order * of_solution(section), setup.order > 0);
        }
        if let Some(method) = setup.integrator.additive() {
            for (names, count) in [(EXPLICIT, method.halves.len()), (IMPLICIT, method.changes())] {
                for (i, name) in names.into_iter().enumerate() {
                    of_elements(Part::Registers, name, &of_solution, i < count);
                }
            }
        }
        let indicator = setup.limiter.and_then(|limiter| limiter.indicator);
        if let Some(limiter) = setup.limiter {
            let part = Part::Limiting;
            // 1 for every troubled element.
            of_elements(part, "troubled", &|_| 1, indicator.is_some());
            // The means, for limiters that read those of neighbours in other sections, or where these are not the first coefficients.
            let is_affine = |section: &SectionPlan| section.setup.map == Map::Affine;
            let has_own_means = plan.sections.len() > 1 || !plan.sections.iter().all(is_affine);
            let means = has_own_means && limiter.method.is_some_and(Method::needs_means);
            of_elements(part, "means", &|_| components, means);
            // The linear parts of all derivatives.
            let moments = |section: usize| components * plan.sections[section].unit.moments;
            of_elements(part, "moments", &moments, limiter.needs_moments());
            // Means of derivatives, which limiters of other sections read.
            let derivatives = components * derivatives_between_sections(law.dim, unit.mesh_order);
            of_elements(part, "derivatives", &|_| derivatives, limiter.needs_moments() && plan.sections.len() > 1);
            // The least values, before a step, of the law's quantities with a minimum principle.
            let bounded: usize = law.with_role(Role::MinimumPrinciple).map(|function| function.results).sum();
            of_elements(part, "least", &|_| bounded, limiter.needs_bounds(law));
        }
        others.doubles(Part::Reductions, "clock", CLOCK_NUMBERS);
        // Weight of the error in each component, with a tolerance.
        others.reals(Part::Reductions, "weights", components);

        if setup.measured.averaged.is_some() {
            let fields = |section: usize| {
                let SectionPlan { section, setup, unit, .. } = &plan.sections[section];
                Transfer::averages(setup, unit, section.elements.len()).map_or(0, |transfer| transfer.fields)
            };
            others.doubles(Part::Reductions, "average_clock", AVERAGES_NUMBERS);
            for name in ["averaged_values", MEANS, SQUARES] {
                others.reals_of_sections(Part::Reductions, name, &counts, fields, true);
            }
        }

        let reduction = |part| Reduction::inventory(part, setup.layout(), &rows, 1);
        let warps =
            |(section, patches): (&SectionPlan, &SectionPatches)| patches.patch_count() * section.schedule.warps();
        let warp_rows = Rows::new(&plan.sections.iter().zip(&plan.patches.sections).map(warps).collect::<Vec<_>>());
        Self {
            register,
            others,
            bounds: reduction(Part::Reductions),
            warp_bounds: Reduction::inventory(Part::Reductions, setup.layout(), &warp_rows, 1),
            squares: indicator.map(|_| reduction(Part::Limiting)),
            rows,
            warp_rows,
        }
    }

    /// Bytes of all buffers of a part.
    pub(super) fn bytes(&self, part: Part) -> usize {
        let Self { register, others, bounds, warp_bounds, squares, .. } = self;
        let once = [others, bounds, warp_bounds].into_iter().chain(squares);
        REGISTERS * register.bytes(part) + once.map(|inventory| inventory.bytes(part)).sum::<usize>()
    }
}

impl State {
    /// The zero solution at time 0.
    pub(super) fn new(device: &Device, inventories: &Inventories, components: usize) -> Result<Self, Error> {
        let Inventories { register, others, bounds, warp_bounds, squares, rows, warp_rows } = inventories;
        let new_register = || register.allocate(device);
        let reduction = |inventory: &Inventory<'_>| Reduction::new(device, rows, inventory);
        Ok(Self {
            registers: [new_register()?, new_register()?, new_register()?],
            current: 0,
            previous: 1,
            buffers: others.allocate(device)?,
            bounds: reduction(bounds)?,
            warp_bounds: Reduction::new(device, warp_rows, warp_bounds)?,
            squares: squares.as_ref().map(reduction).transpose()?,
            past_caches: device.is_beyond_caches(REGISTERS * register.bytes(Part::Registers)),
            sizes: vec![0.0; components],
        })
    }

    /// The coefficients of the solution.
    pub(super) fn solution(&self) -> &Buffer {
        &self.registers[self.current]["u"]
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
