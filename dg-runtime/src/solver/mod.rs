//! The discontinuous Galerkin method in time.
//!
//! A `Program` is a law compiled for a device and knows no mesh, a `Domain` is a section of a mesh on the device, with elements of one shape
//! and one kind of maps, and knows no solution, a `State` is a solution there and knows neither. A `Scheme` makes the launches of a step
//! from these, and a [`Solver`] owns them all.
//!
//! A [`Setup`] (`setup/`) declares what a case gives; a `Plan` says what a solver of it needs on a mesh, of which program, domain and state
//! are made. No module imports what imports it: what looks at a solution, such as a `diagnosis`, imports the scheme, and [`Error`], which
//! all may return, carries data alone.
//!
//! Time and step size stay on the device; the host reads them only to report them. So a cycle of steps, after which every register has
//! its old role, always consists of the same launches: it is recorded once and replayed.

mod added;
mod additive;
mod bench;
mod benchmark_mesh;
mod ceilings;
mod change;
mod choose;
mod clock;
mod component_sizes;
mod diagnosis;
mod domain;
mod entering;
mod error;
mod examine;
mod first_step;
mod footprint;
mod geometry;
mod growth;
mod inadmissible;
mod integrator;
mod inventory;
mod layout;
mod legendre;
mod lifting;
mod limiter;
mod linear;
mod measure;
mod measured;
mod memory;
mod not_finite;
mod options;
mod parameters;
mod patches;
mod places;
mod plan;
mod point_sources;
mod pointwise;
mod precision;
mod program;
mod projected;
mod received;
mod receivers;
mod reduce;
mod rows;
mod scheme;
mod section;
mod series;
mod setup;
mod signals;
mod source;
mod stage;
mod state;
mod step_limit;
#[cfg(test)]
mod tests;
mod transfer;
mod viscous;

pub use crate::law::Schedule;
pub use additive::{Additive, ImplicitStage};
pub(crate) use bench::Seconds;
pub(crate) use benchmark_mesh::{admissible_function, benchmark_mesh};
pub use ceilings::Elements;
pub(crate) use ceilings::{Ceiling, Ceilings, bytes};
pub use change::Change;
pub(crate) use choose::Trials;
pub use clock::Clock;
pub(crate) use diagnosis::{Bottleneck, SMALL_CFL};
pub use entering::Entering;
pub use error::Error;
pub(crate) use first_step::{first_step, is_stiff, with_fewest_stages};
pub use footprint::Footprint;
pub use growth::Growth;
pub use inadmissible::Inadmissible;
pub use integrator::{Estimate, Integrator};
pub use legendre::LegendreStages;
pub use limiter::{Indicator, Limiter, Method, Variables};
pub use measure::{Norms, Samples};
pub(crate) use measured::require_faces;
pub use measured::{Averages, Extreme, FacePoint, Faces, Flux, FluxAtPoints, Points, Range, Region, Wall};
pub(crate) use memory::require as require_memory;
pub(crate) use places::require_points;
pub(crate) use plan::{Plan, SectionPlan};
pub use pointwise::Pointwise;
pub use precision::Precision;
pub use received::Received;
pub use setup::{
    Choice, Condition, Given, Measured, Medium, MediumOrigin, PATCHES, PointSource, Quantities, Rate, Receiver, Setup,
    Tolerance, Variant, ViscousScheme, exists,
};
pub(crate) use setup::{ELEMENTS_FILL_CUDA, reason_against, require_no_tolerance};
pub use signals::Signals;
pub use stage::Stage;
pub use step_limit::{Diffusion, StepLimit, Wave};

use std::sync::Arc;

use crate::device::{Buffers, Device, Recording, Resources};
use crate::law::protocol::{CLOCK_CFL, CLOCK_TARGET};
use crate::law::{Arguments, Function, Unit};
use crate::mesh::Mesh;
use crate::scheme::RECEIVER_STEPS;

use domain::allocate_rim;
use scheme::{InitialBounds, LONG_CYCLE, OnSection, Scheme, cycle};
use section::Section;
use state::{Inventories, REGISTERS, State};
use transfer::Transfer;

/// A computation on a device.
pub struct Solver {
    setup: Setup,
    device: Arc<Device>,
    mesh: Mesh,
    /// The sections of the mesh, with the programs for them.
    sections: Vec<Section>,
    /// The boundary and the links of records on the device.
    rim: Buffers,
    state: State,
    footprint: Footprint,
    /// A recorded cycle of steps for each register that may hold the solution at its beginning.
    cycles: [Recording; REGISTERS],
}

impl Solver {
    /// Compiles the law for the setup and uploads the mesh. The solution is zero until it is projected or set, or the steady state of a
    /// well-balanced scheme.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::Integrator`], [`Error::NoCondition`], [`Error::TooManyElements`], [`Error::TooManyCoefficients`], [`Error::Memory`],
    /// [`Error::Schedule`], [`Error::Outside`], a mesh that the limiter cannot use, and errors of the device.
    pub fn new(device: impl Into<Arc<Device>>, mesh: Mesh, setup: Setup) -> Result<Self, Error> {
        let device = device.into();
        let plan = Plan::new(&device, &mesh, &setup)?;
        Self::planned(device, mesh, setup, &plan)
    }

    /// The same, as planned.
    fn planned(device: Arc<Device>, mesh: Mesh, setup: Setup, plan: &Plan) -> Result<Self, Error> {
        let footprint = memory::require(&device, &mesh, &setup, plan)?;
        let new = |number| Section::new(&device, &mesh, plan, number);
        let sections: Vec<Section> = (0..plan.sections.len()).map(new).collect::<Result<_, _>>()?;
        let rim = allocate_rim(&device, &mesh, &setup, plan)?;
        let state = State::new(&device, &Inventories::new(&setup, plan), setup.law.state.len())?;
        let cycles = Default::default();
        let setup = Setup { shape: sections[0].setup.shape, map: sections[0].setup.map, ..setup };
        let mut solver = Self { setup, device, mesh, sections, rim, state, footprint, cycles };
        solver.scheme().check()?;
        solver.check_measured()?;
        if let Some(steady) = solver.setup.well_balanced {
            solver.balance(steady)?;
        }
        Ok(solver)
    }

    /// Computes the residual of a steady state, which every stage subtracts from its own.
    fn balance(&mut self, steady: &'static Function) -> Result<(), Error> {
        let parameters = self.setup.parameters.clone();
        self.project_values(0.0, |position, state| {
            let at = Arguments { parameters: &parameters, state: &[], right: &[], normal: &[], position, time: 0.0 };
            Given::Function(steady).value(&at, state);
        })?;
        self.scheme().find_balance()?;
        self.set_clock(Clock::default())
    }

    /// The scheme of programs, domains and state.
    fn scheme(&self) -> Scheme<'_> {
        let Self { setup, device, mesh, sections, rim, state, .. } = self;
        Scheme { setup, device, mesh, sections, rim, state }
    }

    /// The memory that the solver takes on its device.
    pub fn memory(&self) -> Footprint {
        self.footprint
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Returns the mesh, and frees all memory of the device.
    pub fn into_mesh(self) -> Mesh {
        self.mesh
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The schedule in use on the first [section](Mesh::sections).
    pub fn schedule(&self) -> Variant {
        self.sections[0].program.variant
    }

    /// The schedules in use on the sections, as a text: one if all have the same.
    pub fn schedules(&self) -> String {
        setup::schedule::names(self.sections.iter().map(|section| section.program.variant))
    }

    /// The generated code in use on the first section.
    pub fn unit(&self) -> &'static Unit {
        self.sections[0].program.unit
    }

    /// The generated code in use for an element.
    pub fn unit_of(&self, element: usize) -> &'static Unit {
        self.scheme().on_element(element).0.program.unit
    }

    /// The elements of each section.
    pub fn sections_of_elements(&self) -> Vec<Elements> {
        let of_section = |section: &Section| Elements {
            unit: section.program.unit,
            medium: section.program.medium.clone(),
            map: section.setup.map,
            count: section.domain.elements(),
        };
        self.sections.iter().map(of_section).collect()
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Registers and memory of a kernel's thread, on the first section; `None` where the back end does not know, or there is no such kernel.
    pub(crate) fn resources(&self, kernel: &str) -> Option<Resources> {
        self.sections[0].program.resources(kernel)
    }

    /// Degrees of freedom: elements × components × basis functions.
    pub fn dof(&self) -> usize {
        self.scheme().on_sections().map(Self::of_solution).map(|transfer| transfer.items * transfer.fields).sum()
    }

    /// The transfer of a solution's coefficients on a section.
    fn of_solution(section: OnSection<'_>) -> Transfer {
        Transfer::coefficients(section.setup, section.program.unit, section.domain.elements())
    }

    /// Attempts `steps` steps towards the time `target`, which is hit exactly; steps may be rejected. Returns the clock
    /// afterwards.
    ///
    /// # Errors
    /// [`Error::Inadmissible`] once a step leads to an inadmissible solution; the solution before that step is kept.
    pub fn advance(&mut self, target: f64, steps: u64) -> Result<Clock, Error> {
        let clock = self.clock()?;
        let mut numbers = self.state.clock(&self.device)?;
        numbers[CLOCK_TARGET] = target;
        numbers[CLOCK_CFL] = self.setup.cfl;
        self.state.set_clock(&self.device, &numbers)?;
        if clock.stable_dt == 0.0 {
            // No earlier step has bounded the first.
            self.scheme().run(self.scheme().first_bound()?)?;
        }
        // Whether a step gets a new size depends on its index among all attempts, not on how they are split over calls.
        let tried = clock.steps + clock.rejected;
        let (mut step, end) = (tried, tried + steps);
        let every = self.setup.step_every();
        let cycle = cycle(every);
        while step < end {
            let (into_cycle, left) = (step % every, end - step);
            let taken = if into_cycle == 0 && cycle <= left.min(LONG_CYCLE) {
                self.take_cycle(cycle)?;
                cycle
            } else {
                let to_cycle = if into_cycle == 0 { left } else { left.min(every - into_cycle) };
                let (launches, to) = self.scheme().steps(self.state.current, step, to_cycle)?;
                self.scheme().run(launches)?;
                self.settle(to);
                to_cycle
            };
            step += taken;
        }
        // The last step may have been rejected.
        self.scheme().run(self.scheme().renew_medium(0.0)?)?;
        self.clock()
    }

    /// Takes a cycle of steps, beginning with a new step size.
    fn take_cycle(&mut self, count: u64) -> Result<(), Error> {
        let from = self.state.current;
        let mut recording = std::mem::take(&mut self.cycles[from]);
        let scheme = self.scheme();
        self.device.repeat(&mut recording, || scheme.steps(from, 0, count).map(|(launches, _)| launches))?;
        self.cycles[from] = recording;
        self.settle(from);
        Ok(())
    }

    /// Records that the last step led to the register `to`.
    fn settle(&mut self, to: usize) {
        let scheme = self.scheme();
        let previous = scheme.register_after(scheme.register_after(to));
        (self.state.current, self.state.previous) = (to, previous);
    }

    /// Time, step size and counts of the computation.
    ///
    /// # Errors
    /// [`Error::Inadmissible`] where no step size was found because the solution is inadmissible.
    pub fn clock(&self) -> Result<Clock, Error> {
        diagnosis::clock(self.scheme())
    }

    /// Sets the clock, as when resuming from a checkpoint.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_clock(&mut self, clock: Clock) -> Result<(), Error> {
        self.state.set_clock(&self.device, &clock.numbers(self.setup.cfl))?;
        // Ghost states may depend on the time.
        self.keep_records()
    }

    /// Computes the medium, if it depends on time, and the records of a solution that is not the result of a stage, at the time of the clock.
    fn keep_records(&self) -> Result<(), Error> {
        let scheme = self.scheme();
        scheme.run(scheme.renew_medium(0.0)?)?;
        scheme.renew_records()
    }

    /// Sets the solution to the L2 projection of the setup's initial function, and the clock to `time`.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no initial function.
    pub fn project(&mut self, time: f64) -> Result<(), Error> {
        let scheme = self.scheme();
        let bounds = scheme.bounds_of_projection();
        scheme.run(scheme.all(|section| section.project(time, bounds))?)?;
        self.begin(time, bounds)
    }

    /// Sets the solution to the L2 projection of `field`, which writes the state at a position, and the clock to `time`.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn project_values(&mut self, time: f64, field: impl Fn(&[f64], &mut [f64]) + Sync) -> Result<(), Error> {
        let (scheme, mesh) = (self.scheme(), &self.mesh);
        let (components, bounds) = (self.setup.law.state.len(), scheme.bounds_of_projection());
        for section in scheme.on_sections() {
            let OnSection { setup, program, domain, .. } = section;
            let first = domain.section.elements.start;
            let (points, ..) = program.unit.reference().operators.projection_rule(setup.map);
            let transfer = Transfer::initial_values(setup, program.unit, domain.elements());
            let values = transfer.upload(&self.device, |e, values| {
                for (point, state) in points.iter().zip(values.chunks_exact_mut(components)) {
                    field(&mesh.position(first + e, point)[..mesh.dim], state);
                }
            })?;
            scheme.run(section.project_values(transfer.items, &values, bounds)?)?;
            self.device.synchronize()?;
        }
        self.begin(time, bounds)
    }

    /// Starts from these coefficients, `[component][basis function]` of one element behind the other, at time `time`.
    ///
    /// # Errors
    /// Errors of the device.
    ///
    /// # Panics
    /// If their number is not [`Solver::dof`].
    pub fn start_from(&mut self, time: f64, coefficients: &[f64]) -> Result<(), Error> {
        self.set_coefficients(coefficients)?;
        self.begin(time, InitialBounds::Solution)
    }

    /// Prepares initial data for the first step.
    fn begin(&mut self, time: f64, bounds: InitialBounds) -> Result<(), Error> {
        self.set_clock(Clock { time, ..Clock::default() })?;
        let scheme = self.scheme();
        scheme.run(scheme.limit_once(bounds)?)?;
        scheme.start_averages(time, 0.0)?;
        match self.setup.tolerance {
            Some(tolerance) => self.set_sizes(&component_sizes::sizes(self.scheme(), tolerance)?),
            None => Ok(()),
        }
    }

    /// Copies the solution of a solver with the same law, order, precision, mesh and device, at time 0.
    fn copy_solution(&mut self, other: &Self) -> Result<(), Error> {
        self.device.copy(other.state.solution(), self.state.solution())?;
        self.set_sizes(&other.state.sizes)?;
        self.set_clock(Clock::default())
    }

    /// The coefficients, `[component][basis function]` of one element behind the other.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn coefficients(&self) -> Result<Vec<f64>, Error> {
        let current = self.state.current;
        let read = |section: OnSection<'_>| Self::of_solution(section).read(&self.device, section.u(current));
        let of_sections: Vec<Vec<f64>> = self.scheme().on_sections().map(read).collect::<Result<_, _>>()?;
        Ok(of_sections.concat())
    }

    /// Replaces the coefficients, `[component][basis function]` of one element behind the other.
    ///
    /// # Errors
    /// Errors of the device.
    ///
    /// # Panics
    /// If their number is not [`Solver::dof`].
    pub fn set_coefficients(&mut self, coefficients: &[f64]) -> Result<(), Error> {
        assert_eq!(coefficients.len(), self.dof(), "one coefficient for every degree of freedom");
        let mut rest = coefficients;
        for section in self.scheme().on_sections() {
            let transfer = Self::of_solution(section);
            let (own, behind) = rest.split_at(transfer.items * transfer.fields);
            transfer.write(&self.device, section.u(self.state.current), |e, values| {
                values.copy_from_slice(&own[e * transfer.fields..][..transfer.fields]);
            })?;
            rest = behind;
        }
        self.keep_records()
    }

    /// Forgets how the last step ended, so that what follows is, to the bit, what follows after a restart from the coefficients and the clock.
    /// Only a limiter leaves anything: traces between patches, of the elements in which it acted, which differ by rounding from those that a
    /// stage computes.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn forget_last_step(&self) -> Result<(), Error> {
        if self.setup.limiter.is_some() { self.keep_records() } else { Ok(()) }
    }

    /// Limits the current solution like initial data, without a step.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn limit(&mut self) -> Result<(), Error> {
        let scheme = self.scheme();
        scheme.run(scheme.limit_once(InitialBounds::Solution)?)
    }

    /// The elements found troubled by the indicator in the last stage of the last step, where the limiter could act; for a
    /// solution that no step has made, those found in it. `None` where there is no indicator.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn troubled(&self) -> Result<Option<Vec<bool>>, Error> {
        let (scheme, current) = (self.scheme(), self.state.current);
        let indicate = scheme.indicate(current)?;
        if indicate.is_empty() {
            return Ok(None);
        }
        if self.clock()?.steps == 0 {
            scheme.run(scheme.begin_limiting(current)?)?;
            scheme.run(indicate)?;
        }
        let mut troubled = Vec::with_capacity(self.mesh.element_count());
        for section in scheme.on_sections() {
            let flags = section.program.read(section.buffer("troubled"), section.domain.elements())?;
            troubled.extend(flags.iter().map(|flag| *flag > 0.0));
        }
        Ok(Some(troubled))
    }

    /// The size of every component, to which [tolerances](Tolerance) are relative: that of the data where the computation began.
    pub fn sizes(&self) -> &[f64] {
        &self.state.sizes
    }

    /// Sets the sizes of the components, as when resuming from a checkpoint.
    ///
    /// # Errors
    /// Errors of the device.
    ///
    /// # Panics
    /// If there is not one for every component.
    pub fn set_sizes(&mut self, sizes: &[f64]) -> Result<(), Error> {
        assert_eq!(sizes.len(), self.setup.law.state.len(), "a size for every component");
        self.state.sizes = sizes.to_vec();
        let Some(tolerance) = self.setup.tolerance else { return Ok(()) };
        let weights = component_sizes::weights(tolerance, self.mesh(), sizes);
        self.setup.precision.write(&self.device, &self.state.buffers["weights"], &weights)
    }

    /// Makes sure that the solution is admissible now, not only when Δt was last renewed.
    ///
    /// # Errors
    /// [`Error::Inadmissible`], and errors of the device.
    pub fn check(&self) -> Result<(), Error> {
        let (scheme, clock) = (self.scheme(), self.clock()?);
        // An inadmissible solution has the step NaN.
        if scheme.stable_step()? > 0.0 { Ok(()) } else { Err(diagnosis::inadmissible(scheme, clock)?) }
    }

    /// The integral of every component over the domain.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn integrals(&self) -> Result<Vec<f64>, Error> {
        measure::integrals(self.scheme())
    }

    /// For every component, the least and the largest element mean. Only these numbers leave the device.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn range_of_means(&self) -> Result<Vec<[f64; 2]>, Error> {
        measure::range_of_means(self.scheme())
    }

    /// Errors against the setup's exact solution at the current time.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no exact solution.
    pub fn errors(&self) -> Result<Norms, Error> {
        measure::errors(self.scheme())
    }

    /// The solution and the law's outputs at the Lagrange nodes of every element.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn samples(&self) -> Result<Samples, Error> {
        measure::samples(self.scheme())
    }

    /// What the receivers kept at the starts of the steps from number `from` on, and of the current solution. They keep as many steps as
    /// [`advance`](Self::advance) may take [in between](Self::most_steps).
    ///
    /// # Errors
    /// Errors of the device.
    pub fn received(&self, from: u64) -> Result<Vec<Received>, Error> {
        received::received(self.scheme(), from)
    }

    /// The law's outputs at a receiver, given by its number, for a state there at a time: in the medium that the scheme has in its element.
    ///
    /// # Errors
    /// Those of a medium that depends on time: [`Error::Medium`] and [`Error::MediumOutside`].
    ///
    /// # Panics
    /// If there is no receiver of this number.
    pub fn outputs_at_receiver(&self, receiver: usize, state: &[f64], time: f64) -> Result<Vec<f64>, Error> {
        received::outputs(self.scheme(), receiver, state, time)
    }

    /// The most steps to take before the receivers' data are [taken from the device](Self::received).
    pub fn most_steps(&self) -> u64 {
        if self.setup.receivers.is_empty() { u64::MAX } else { RECEIVER_STEPS as u64 - 1 }
    }

    /// How much the last step changed the solution.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn change(&self) -> Result<Change, Error> {
        change::change(self.scheme(), &change::maxima(self.scheme())?)
    }

    /// The element and the waves that bound a step from the current solution. The actual bound on the next step comes from the last stage
    /// of the previous one: from the waves at the same face points, less than a step earlier.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn step_limit(&self) -> Result<StepLimit, Error> {
        step_limit::step_limit(self.scheme())
    }

    /// The longest step that waves of the current solution allow, regardless of earlier rejections; NaN where the solution is
    /// inadmissible.
    ///
    /// # Errors
    /// Errors of the device.
    pub(crate) fn stable_step(&self) -> Result<f64, Error> {
        self.scheme().stable_step()
    }

    /// How many times as long steps from the current solution would be if the source bounded none; 1 where it does not, because it is
    /// the same at all states or taken implicitly, or because errors determine steps.
    ///
    /// # Errors
    /// Errors of the device.
    pub(crate) fn shortening_by_source(&self) -> Result<f64, Error> {
        let scheme = self.scheme();
        if self.setup.source_share() == 0.0 || self.setup.tolerance.is_some() {
            return Ok(1.0);
        }
        Ok(scheme.stable_step_of_waves()? / scheme.stable_step()?)
    }

    /// The bottleneck of the step, for messages: the element, and the fastest wave there with the least of the quantities that must be
    /// positive.
    ///
    /// # Errors
    /// Errors of the device.
    pub(crate) fn bottleneck(&self) -> Result<Bottleneck, Error> {
        diagnosis::bottleneck(self.scheme())
    }

    /// Boundaries that copy the inner state although waves come in through them. Such waves carry the scheme's errors,
    /// which grow from p = 1 on.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn entering(&self) -> Result<Vec<Entering>, Error> {
        entering::entering(self.scheme())
    }
}
