//! The discontinuous Galerkin method in time: a recipe of kernel launches that reads like the method.
//!
//! [`Solver::advance`] takes steps, each
//!
//! ```text
//! time_step, reduce   the longest stable step, before the first
//! advance_clock       Δt, so that the target is hit exactly
//! stage × s           u ← a uⁿ + b u + d Δt R(u) + e g; every n steps the last bounds the next step
//! reduce, advance_clock   t ← t + Δt, the longest step that is stable, or within the tolerance, Δt
//! ```
//!
//! Time and step size stay on the device; the host reads them when it wants to know, not to go on. So a cycle of steps,
//! after which every register has its old role, is the same launches whenever it is taken: it is recorded once.

mod added;
mod bench;
mod benchmark_mesh;
mod ceilings;
mod change;
mod choose;
mod condition;
mod domain;
mod entering;
mod error;
mod examine;
mod footprint;
mod given;
mod growth;
mod inadmissible;
mod integrator;
mod layout;
mod limiter;
mod limiting;
mod means;
mod not_finite;
mod parameters;
mod patches;
mod plan;
mod pointwise;
mod precision;
mod reduce;
mod schedule;
mod setup;
mod step;
mod step_limit;
mod tolerance;

pub use crate::law::Schedule;
pub use bench::Seconds;
pub use benchmark_mesh::{admissible_function, benchmark_mesh};
pub use ceilings::{Ceiling, Ceilings, Floor, bytes};
pub use change::Change;
pub use choose::{Trial, Trials};
pub use condition::{Choice, Condition};
pub use entering::Entering;
pub use error::Error;
pub use footprint::Footprint;
pub use given::Given;
pub use growth::Growth;
pub use inadmissible::Inadmissible;
pub(crate) use inadmissible::{Bottleneck, SMALL_CFL};
pub use integrator::{Estimate, Integrator, Stage};
pub use limiter::{Indicator, Limiter, Method, Variables};
pub use plan::{Plan, first_step};
pub use pointwise::Pointwise;
pub use precision::Precision;
pub use schedule::{ELEMENTS_FILL_CUDA, PATCHES, Variant};
pub use setup::Setup;
pub use step_limit::{StepLimit, Wave};
pub use tolerance::Tolerance;

use std::sync::Arc;

use crate::device::{Arg, Buffer, Device, Kernel, Module, Number, Recording, args};
use crate::law::protocol::CLOCK_NUMBERS;
use crate::law::{Law, Unit};
use crate::mesh::Mesh;

use added::Added;
use domain::Domain;
use layout::{pack, padded, unpack};
use limiting::Limiting;
use reduce::{Operation, Reduction};

/// Where a computation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time.
    pub time: f64,
    /// Length of the last step.
    pub dt: f64,
    /// Steps taken.
    pub steps: u64,
    /// Steps rejected, because they led out of the admissible set or their error was too large.
    pub rejected: u64,
    /// The longest step that is stable, or within the tolerance, as last computed.
    pub stable_dt: f64,
    /// With a tolerance, the errors of the last step and of the one before, over what is tolerated; 0 where there was none.
    pub errors: [f64; 2],
}

/// Errors against the exact solution, for every component.
#[derive(Clone, Debug, PartialEq)]
pub struct Norms {
    /// ∫ |e| dx.
    pub l1: Vec<f64>,
    /// (∫ e² dx)^½.
    pub l2: Vec<f64>,
    /// max |e| over the quadrature points.
    pub max: Vec<f64>,
}

/// Values at the Lagrange nodes of every element.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Nodes per element.
    pub nodes: usize,
    /// Names of the fields: the components of the state and the law's outputs.
    pub fields: Vec<&'static str>,
    /// `[element][node][field]`.
    pub values: Vec<f64>,
}

impl Samples {
    /// The values of the field of this name, `[element][node]`, where there is such a field.
    pub fn field(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.fields.iter().position(|field| *field == name)?;
        Some(self.values.iter().skip(index).step_by(self.fields.len()).copied().collect())
    }
}

/// Lanes that share a tile of a table.
const TILE_LANES: usize = 32;
/// Solutions that a step works with, uⁿ and the two that its stages alternate between.
const REGISTERS: usize = 3;
/// A computation on a device.
pub struct Solver {
    device: Arc<Device>,
    setup: Setup,
    variant: Variant,
    unit: &'static Unit,
    mesh: Mesh,
    domain: Domain,
    kernels: Kernels,
    registers: [Register; REGISTERS],
    /// Which register holds the solution.
    current: usize,
    /// Which register holds the solution before the last step.
    previous: usize,
    g: Buffer,
    clock: Buffer,
    limiting: Option<Limiting>,
    /// What an error in each component is multiplied by, where there is a tolerance.
    weights: Buffer,
    /// Sizes of the components.
    sizes: Vec<f64>,
    /// What bounds the next step: one number of every element.
    bounds: Reduction,
    columns: Reduction,
    memory: Footprint,
    /// A cycle of steps for each register that the solution may be in at its beginning.
    cycles: [Recording; REGISTERS],
}

/// A solution.
struct Register {
    coefficients: Buffer,
    /// Its values at the points of the faces between patches, and ghost states.
    records: Buffer,
}

struct Kernels {
    module: Module,
    stage: Kernel,
    records: Kernel,
    advance_clock: Kernel,
    time_step: Kernel,
    integrate: Kernel,
    change: Kernel,
    sample: Kernel,
}

impl Solver {
    /// Compiles the law for the setup and uploads the mesh. The solution is zero until it is projected or set.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::NoCondition`], [`Error::TooManyElements`], [`Error::Memory`], and the device's own.
    pub fn new(device: impl Into<Arc<Device>>, mesh: Mesh, setup: Setup) -> Result<Self, Error> {
        let device = device.into();
        let Plan { unit, code, schedule: variant, memory, options, patches, stars } =
            Plan::new(&device, &mesh, &setup)?;
        let added = Added::new(&setup);
        let condition_of: Vec<i32> =
            setup.boundaries.iter().map(|condition| added.number(condition).map_or(-1, |i| i as i32)).collect();

        let (n, components) = (mesh.element_count(), setup.law.state.len());
        let total = padded(n) * components * unit.basis;
        let schedule = variant.schedule;

        let mut module = device.compile(code.text, code.kernels, &options)?;
        if !setup.literal_parameters {
            parameters::set(&device, &mut module, (setup.law, setup.precision), &setup.parameters)?;
        }
        let kernels = Kernels {
            stage: module.kernel("stage")?,
            records: module.kernel("records")?,
            advance_clock: module.kernel("advance_clock")?,
            time_step: module.kernel("time_step")?,
            integrate: module.kernel("integrate")?,
            change: module.kernel("change")?,
            sample: module.kernel("sample")?,
            module,
        };
        let domain = Domain::new(&device, setup.precision, &mesh, unit, &condition_of, &patches)?;
        let coefficients = || setup.precision.allocate(&device, total);
        let register = || {
            let records = setup.precision.allocate(&device, footprint::records(unit, &mesh, &patches))?;
            Ok::<_, Error>(Register { coefficients: coefficients()?, records })
        };
        if !device.is_cuda() && setup.precision == Precision::Single && total > i32::MAX as usize {
            return Err(Error::TooManyCoefficients { coefficients: total });
        }
        let registers = [register()?, register()?, register()?];
        let g = if footprint::keeps_g(&setup) { coefficients()? } else { setup.precision.allocate(&device, 1)? };
        let limiting = Limiting::new(&device, &kernels.module, &setup, unit, &mesh, stars.as_ref())?;
        let clock = device.allocate(Number::Double, CLOCK_NUMBERS)?;
        let reduction = |columns| Reduction::new(&device, &kernels.module, setup.precision, n, padded(n), columns);
        let (bounds, columns) = (reduction(1)?, reduction(footprint::columns(components))?);
        let weights = setup.precision.allocate(&device, components)?;
        if let Some(tiles) = schedule.uses_tensors().then(|| kernels.module.kernel("tiles")).transpose()? {
            device.launch(&tiles, TILE_LANES, &args! { lanes: TILE_LANES })?;
        }
        let solver = Self {
            device,
            variant,
            unit,
            mesh,
            domain,
            kernels,
            registers,
            current: 0,
            previous: 1,
            g,
            clock,
            limiting,
            weights,
            sizes: vec![0.0; components],
            bounds,
            columns,
            memory,
            cycles: Default::default(),
            setup,
        };
        debug_assert_eq!(memory.kept(), solver.allocated());
        Ok(solver)
    }

    /// Bytes of all buffers.
    fn allocated(&self) -> usize {
        let registers = self.registers.iter().flat_map(|register| [&register.coefficients, &register.records]);
        let own = registers
            .chain([&self.g, &self.clock, &self.weights])
            .chain(self.limiting.iter().flat_map(Limiting::buffers));
        let reductions = [&self.bounds, &self.columns].into_iter().flat_map(Reduction::buffers);
        own.chain(self.domain.buffers()).chain(reductions).map(Buffer::bytes).sum()
    }

    /// What the solver takes on its device.
    pub fn memory(&self) -> Footprint {
        self.memory
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    /// Gives the mesh back, and all memory of the device.
    pub fn into_mesh(self) -> Mesh {
        self.mesh
    }

    /// The setup.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The schedule in use.
    pub fn schedule(&self) -> Variant {
        self.variant
    }

    /// The generated code in use.
    pub fn unit(&self) -> &'static Unit {
        self.unit
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Numbers that make up the solution: elements × components × basis functions.
    pub fn dof(&self) -> usize {
        self.mesh.element_count() * self.size()
    }

    /// The coefficients of the solution.
    fn solution(&self) -> &Buffer {
        &self.registers[self.current].coefficients
    }

    /// Makes the records of a solution that no stage has made, at the time of the clock.
    fn keep_records(&self) -> Result<(), Error> {
        let register = &self.registers[self.current];
        let args = args! {
            u: &register.coefficients,
            records: &register.records,
            clock: &self.clock,
            ..self.domain.links()
        };
        Ok(self.device.launch(&self.kernels.records, self.mesh.element_count(), &args)?)
    }

    /// What kernels take that bound steps.
    fn bounding(&self) -> Vec<(&'static str, Arg<'_>)> {
        args! { crossings: &self.domain.crossings, room: self.setup.room(&self.mesh) }
    }

    /// Elements of a block in memory.
    fn block(&self) -> usize {
        self.setup.precision.block(&self.device)
    }

    fn size(&self) -> usize {
        self.setup.law.state.len() * self.unit.basis
    }

    /// Sets the solution to the L2 projection of the setup's initial function, and the clock to `time`.
    ///
    /// # Errors
    /// The device's own, among them a missing kernel where the setup has no initial function.
    pub fn project(&mut self, time: f64) -> Result<(), Error> {
        let kernel = self.kernels.module.kernel("project")?;
        let args = args! { u: self.solution(), map: &self.domain.map, time: time };
        self.device.launch(&kernel, self.mesh.element_count(), &args)?;
        self.begin(time)
    }

    /// Makes initial data what a step can begin with.
    fn begin(&mut self, time: f64) -> Result<(), Error> {
        self.set_clock(Clock { time, ..Clock::default() })?;
        self.limit()?;
        self.measure_sizes()
    }

    /// Begins at these coefficients, `[element][component][basis function]`, and the time `time`.
    ///
    /// # Errors
    /// The device's own.
    ///
    /// # Panics
    /// Where there are not [`Solver::dof`] of them.
    pub fn start_from(&mut self, time: f64, coefficients: &[f64]) -> Result<(), Error> {
        self.set_coefficients(coefficients)?;
        self.begin(time)
    }

    /// Sets the solution to the L2 projection of `field`, which writes the state at a position, and the clock to `time`.
    ///
    /// # Errors
    /// The device's own.
    pub fn project_values(&mut self, time: f64, field: impl Fn(&[f64], &mut [f64]) + Sync) -> Result<(), Error> {
        let (n, components, dim) = (self.mesh.element_count(), self.setup.law.state.len(), self.mesh.dim);
        let points = &self.unit.reference().projection_points;
        let values = pack(self.block(), n, points.len() / dim * components, |e, values: &mut [f64]| {
            for (point, state) in points.chunks_exact(dim).zip(values.chunks_exact_mut(components)) {
                field(&self.mesh.position(e, point)[..dim], state);
            }
        });
        let values = self.setup.precision.upload(&self.device, &values)?;
        let kernel = self.kernels.module.kernel("project_values")?;
        let args = args! { u: self.solution(), values: &values };
        self.device.launch(&kernel, n, &args)?;
        self.device.synchronize()?;
        self.begin(time)
    }

    /// Takes over the solution of a solver of the same law, order, precision, mesh and device, at time 0.
    fn copy_solution(&mut self, other: &Self) -> Result<(), Error> {
        self.device.copy(other.solution(), self.solution())?;
        self.set_sizes(&other.sizes)?;
        self.set_clock(Clock::default())
    }

    /// The integral of every component over the domain.
    ///
    /// # Errors
    /// The device's own.
    pub fn integrals(&self) -> Result<Vec<f64>, Error> {
        self.integrate(&self.domain.determinants)?;
        self.reduce(self.setup.law.state.len(), Operation::Sum)
    }

    /// Leaves the integral of every component over every element in columns, where these are the elements' det J.
    fn integrate(&self, determinants: &Buffer) -> Result<(), Error> {
        let args = args! {
            u: self.solution(),
            determinants: determinants,
            integrals: &self.columns.values,
            stride: self.columns.stride(),
        };
        Ok(self.device.launch(&self.kernels.integrate, self.mesh.element_count(), &args)?)
    }

    /// Errors against the setup's exact solution at the current time.
    ///
    /// # Errors
    /// The device's own, among them a missing kernel where the setup has no exact solution.
    pub fn errors(&self) -> Result<Norms, Error> {
        let kernel = self.kernels.module.kernel("errors")?;
        let components = self.setup.law.state.len();
        let args = args! {
            u: self.solution(),
            map: &self.domain.map,
            determinants: &self.domain.determinants,
            errors: &self.columns.values,
            time: self.clock()?.time,
            stride: self.columns.stride(),
        };
        self.device.launch(&kernel, self.mesh.element_count(), &args)?;
        let sums = self.reduce(2 * components, Operation::Sum)?;
        let max = self.reduce(3 * components, Operation::Max)?.split_off(2 * components);
        let (l1, squares) = sums.split_at(components);
        Ok(Norms { l1: l1.to_vec(), l2: squares.iter().map(|s| s.sqrt()).collect(), max })
    }

    fn reduce(&self, columns: usize, operation: Operation) -> Result<Vec<f64>, Error> {
        let result = self.columns.launch(&self.device, columns, operation)?;
        self.setup.precision.read(&self.device, result, columns)
    }

    /// The solution and the law's outputs at the Lagrange nodes of every element.
    ///
    /// # Errors
    /// The device's own.
    pub fn samples(&self) -> Result<Samples, Error> {
        let (n, fields) = (self.mesh.element_count(), self.setup.law.fields());
        let nodes = self.unit.reference().sample_points.len() / self.mesh.dim;
        let numbers = nodes * fields.len();
        let buffer = self.setup.precision.allocate(&self.device, padded(n) * numbers)?;
        let args = args! {
            u: self.solution(),
            map: &self.domain.map,
            samples: &buffer,
            time: self.clock()?.time,
        };
        self.device.launch(&self.kernels.sample, n, &args)?;
        let packed = self.setup.precision.read(&self.device, &buffer, padded(n) * numbers)?;
        Ok(Samples { nodes, fields, values: unpack(self.block(), n, numbers, &packed) })
    }

    /// The coefficients, `[element][component][basis function]`.
    ///
    /// # Errors
    /// The device's own.
    pub fn coefficients(&self) -> Result<Vec<f64>, Error> {
        let (n, size) = (self.mesh.element_count(), self.size());
        let packed = self.setup.precision.read(&self.device, self.solution(), padded(n) * size)?;
        Ok(unpack(self.block(), n, size, &packed))
    }

    /// Replaces the coefficients, `[element][component][basis function]`.
    ///
    /// # Errors
    /// The device's own.
    ///
    /// # Panics
    /// Where there are not [`Solver::dof`] of them.
    pub fn set_coefficients(&mut self, coefficients: &[f64]) -> Result<(), Error> {
        assert_eq!(coefficients.len(), self.dof(), "one coefficient for every degree of freedom");
        let (n, size) = (self.mesh.element_count(), self.size());
        let packed = pack(self.block(), n, size, |e, values: &mut [f64]| {
            values.copy_from_slice(&coefficients[e * size..][..size]);
        });
        self.setup.precision.write(&self.device, self.solution(), &packed)?;
        self.keep_records()
    }
}

fn orders(law: &Law) -> String {
    let orders: Vec<String> = law.units.iter().map(|unit| unit.order.to_string()).collect();
    orders.join(", ")
}
