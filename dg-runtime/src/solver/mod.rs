//! The discontinuous Galerkin method in time: a recipe of kernel launches that reads like the method.
//!
//! [`Solver::advance`] takes steps, each
//!
//! ```text
//! time_step, reduce   the longest stable step, before the first
//! turn                Δt, so that the target is hit exactly
//! stage × s           u ← a uⁿ + b u + d Δt R(u) + e g; every n steps the last bounds the next step
//! reduce, turn        t ← t + Δt, the longest stable step, Δt
//! ```
//!
//! Time and step size stay on the device; the host reads them when it wants to know, not to go on. So a cycle of steps,
//! after which every register has its old role, is the same launches whenever it is taken: it is recorded once.

mod bench;
mod choose;
mod domain;
mod integrator;
mod layout;
mod limits;
mod memory;
mod pointwise;
mod precision;
mod reduce;
mod schedule;
mod workload;

pub use bench::Seconds;
pub use choose::{Trial, Trials};
pub use integrator::{Integrator, Stage};
pub use limits::{Limits, bytes};
pub use memory::Memory;
pub use pointwise::Pointwise;
pub use precision::Precision;
pub use schedule::{Schedule, Variant};
pub use workload::{admissible_function, square};

use std::sync::Arc;

use crate::compile::Options;
use crate::device::{self, Arg, Buffer, Device, Kernel, Module, Recording};
use crate::law::{Function, Law, Role, Unit};
use crate::mesh::{Mesh, MeshError};

use domain::Domain;
use layout::{pack, padded, unpack};
use reduce::{Operation, Reduction};

/// Why a solver cannot be set up or go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] device::Error),
    /// The mesh to measure on cannot be made.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// No code was generated for this.
    #[error("`{law}` has no code for order {order} on this mesh's elements; it was generated for orders {known}")]
    NoUnit {
        /// The law.
        law: &'static str,
        /// The order asked for.
        order: usize,
        /// The orders that there are.
        known: String,
    },
    /// A boundary of the mesh has no condition.
    #[error("boundary `{name}` of the mesh has no condition: give it one of {known}")]
    NoCondition {
        /// The boundary.
        name: String,
        /// The law's boundary functions.
        known: String,
    },
    /// Positions of coefficients do not fit the integers of the CPU's lanes.
    #[error(
        "{coefficients} coefficients are too many for single precision on a CPU: at most {} fit; use double",
        i32::MAX
    )]
    TooManyCoefficients {
        /// Number of coefficients.
        coefficients: usize,
    },
    /// The device has too little memory.
    #[error(
        "not enough memory on {device}: a run takes {needed}, and {} are free; take fewer elements, {lower}or another device",
        crate::system::bytes(*.free)
    )]
    Memory {
        /// The device's name.
        device: String,
        /// What is needed.
        needed: Memory,
        /// Bytes free.
        free: usize,
        /// What else would need less, with a comma after each.
        lower: String,
    },
    /// The schedule needs another device or precision.
    #[error(
        "schedule `tensor` needs a CUDA device of compute capability 8.0 and double precision; use `component` or \
         `element`, or leave it out"
    )]
    Schedule,
    /// The text names no schedule.
    #[error(
        "unknown schedule `{0}`: known are `element`, `component` and `tensor`, and with blocks of a multiprocessor, at \
         most {most}, as in `component/4`",
        most = schedule::MOST_BLOCKS
    )]
    UnknownSchedule(String),
    /// Element numbers do not fit the kernels' integers.
    #[error("{elements} elements are too many for one device: at most {most} fit 32-bit indices")]
    TooManyElements {
        /// Number of elements of the mesh.
        elements: usize,
        /// The most that there may be.
        most: usize,
    },
    /// The solution has left the set on which the law makes sense.
    #[error(
        "the solution is inadmissible at t = {time:.9e} (step {step}) in element {element} at {position}: mean state {state}\n{}",
        remedy(*step)
    )]
    Inadmissible {
        /// Time.
        time: f64,
        /// Steps taken.
        step: u64,
        /// The first such element.
        element: usize,
        /// Its centre, as text.
        position: String,
        /// Its mean state, as text.
        state: String,
    },
    /// The stable step has become too small to move time.
    #[error("the time step collapsed to {dt:.3e} at t = {time:.9e} (step {step}): waves became too fast to follow")]
    Collapsed {
        /// Time.
        time: f64,
        /// Steps taken.
        step: u64,
        /// The longest stable step.
        dt: f64,
    },
}

/// What to do about an inadmissible solution.
fn remedy(step: u64) -> &'static str {
    if step == 0 {
        "the initial state itself makes no sense there, or its polynomial does not: check `[initial]`, or refine the mesh"
    } else {
        "try a smaller `cfl`, a finer mesh or a lower order; discontinuous solutions need a limiter"
    }
}

/// What to solve, and how.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The law.
    pub law: &'static Law,
    /// Polynomial degree.
    pub order: usize,
    /// A value for every parameter of the law, in its order.
    pub parameters: Vec<f64>,
    /// The numerical flux, one of the law's.
    pub numerical_flux: &'static Function,
    /// The condition on every boundary of the mesh, in the mesh's order.
    pub boundaries: Vec<&'static Function>,
    /// Initial data (or an exact solution) to project, where the device does that.
    pub initial: Option<&'static Function>,
    /// The exact solution that errors are taken against.
    pub exact: Option<&'static Function>,
    /// The Runge–Kutta method.
    pub integrator: Integrator,
    /// Courant number: the step is `cfl · min h / (λ (2p + 1))`.
    pub cfl: f64,
    /// Number of steps for which one step size serves, at least 1.
    pub step_every: u64,
    /// The floating-point type.
    pub precision: Precision,
    /// How the work on an element is laid over threads; `None` for what is expected to be fastest.
    pub schedule: Option<Variant>,
}

/// Where a computation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time.
    pub time: f64,
    /// Length of the last step.
    pub dt: f64,
    /// Steps taken.
    pub steps: u64,
    /// The longest stable step, as last computed.
    pub limit: f64,
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
    /// Fields: the components of the state, then the law's outputs.
    pub fields: usize,
    /// `[element][node][field]`.
    pub values: Vec<f64>,
}

/// Numbers in the device's clock, as the kernels lay it out.
const CLOCK: usize = 7;
/// The longest stable step grows at most by this factor from one bound to the next, as the kernels have it.
pub const GROWTH: f64 = 1.1;
/// Why a computation cannot go on, as the kernels number it.
const FAILED_INADMISSIBLE: f64 = 1.0;
const FAILED_COLLAPSED: f64 = 2.0;
/// Solutions that a step works with, uⁿ and the two that its stages alternate between.
const REGISTERS: usize = 3;
/// A cycle has at least so many steps: a replay costs about as much as a few launches.
const SHORT_CYCLE: u64 = 12;
/// With a cycle longer than this, recording would cost more than it saves.
const LONG_CYCLE: u64 = 1000;

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
    longest: Reduction,
    columns: Reduction,
    memory: Memory,
    /// A cycle of steps for each register that the solution may be in at its beginning.
    cycles: [Recording; REGISTERS],
}

/// A solution.
struct Register {
    coefficients: Buffer,
    /// Its values at the points of the faces, where the schedule keeps them.
    traces: Buffer,
}

/// What is to be done between two steps.
#[derive(Clone, Copy, Default)]
struct Turn {
    /// A step is to be ended.
    end: bool,
    /// The elements have bounded the next step anew.
    renew: bool,
    /// A step is to be begun.
    begin: bool,
}

struct Kernels {
    module: Module,
    stage: Kernel,
    /// Where the schedule keeps traces.
    traces: Option<Kernel>,
    turn: Kernel,
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
        let law = setup.law;
        let unit = law.unit(mesh.shape, setup.order).ok_or_else(|| Error::NoUnit {
            law: law.name,
            order: setup.order,
            known: orders(law),
        })?;
        if let Some(boundary) = mesh.boundaries.get(setup.boundaries.len()) {
            let known: Vec<String> = law.with_role(Role::Boundary).map(|f| format!("`{}`", f.name)).collect();
            return Err(Error::NoCondition { name: boundary.name.clone(), known: known.join(", ") });
        }
        let conditions = conditions_in_use(&setup.boundaries);
        let condition_of: Vec<i32> = setup
            .boundaries
            .iter()
            .map(|boundary| conditions.iter().position(|name| *name == boundary.name).map_or(-1, |i| i as i32))
            .collect();

        let (n, components) = (mesh.element_count(), law.state.len());
        let total = padded(n) * components * unit.basis;
        let variant = Variant::of(&setup, mesh.element_count(), &device)?;
        let schedule = variant.schedule;
        let memory = Memory::new(&setup, schedule, unit, &mesh);
        memory.check(&device, &setup)?;

        let module = device.compile(unit.source, &options(&setup, &conditions, variant))?;
        let kernels = Kernels {
            stage: module.kernel("stage")?,
            traces: schedule.keeps_traces().then(|| module.kernel("traces")).transpose()?,
            turn: module.kernel("turn")?,
            time_step: module.kernel("time_step")?,
            integrate: module.kernel("integrate")?,
            change: module.kernel("change")?,
            sample: module.kernel("sample")?,
            module,
        };
        let domain = Domain::new(&device, setup.precision, &mesh, unit, &condition_of)?;
        let coefficients = || setup.precision.allocate(&device, total);
        let traces = if schedule.keeps_traces() { padded(n) * memory::traces(&setup, unit, &mesh) } else { 1 };
        let register = || {
            let traces = setup.precision.allocate(&device, traces)?;
            Ok::<_, Error>(Register { coefficients: coefficients()?, traces })
        };
        if !device.is_cuda() && setup.precision == Precision::Single && total > i32::MAX as usize {
            return Err(Error::TooManyCoefficients { coefficients: total });
        }
        let registers = [register()?, register()?, register()?];
        let g = if memory::keeps_g(&setup) { coefficients()? } else { setup.precision.allocate(&device, 1)? };
        let clock = device.allocate(CLOCK * size_of::<f64>())?;
        let reduction = |columns| Reduction::new(&device, &kernels.module, setup.precision, n, padded(n), columns);
        let (longest, columns) = (reduction(1)?, reduction(memory::columns(components))?);
        if let Some(tiles) = schedule.uses_tensors().then(|| kernels.module.kernel("tiles")).transpose()? {
            device.launch(&tiles, device::ELEMENT_BLOCK, &[Arg::Int(device::ELEMENT_BLOCK as i64)])?;
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
            longest,
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
        let registers = self.registers.iter().flat_map(|register| [&register.coefficients, &register.traces]);
        let own = registers.chain([&self.g, &self.clock]);
        let reductions = [&self.longest, &self.columns].into_iter().flat_map(Reduction::buffers);
        own.chain(self.domain.buffers()).chain(reductions).map(Buffer::bytes).sum()
    }

    /// What the solver takes on its device.
    pub fn memory(&self) -> Memory {
        self.memory
    }

    /// The mesh.
    pub fn mesh(&self) -> &Mesh {
        &self.mesh
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

    /// Takes the traces of a solution that no stage has made.
    fn keep_traces(&self) -> Result<(), Error> {
        let Some(kernel) = &self.kernels.traces else { return Ok(()) };
        let args = [Arg::Buffer(self.solution()), Arg::Buffer(&self.registers[self.current].traces)];
        Ok(self.device.launch(kernel, self.mesh.element_count(), &args)?)
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
        let args = [Arg::Buffer(self.solution()), Arg::Buffer(&self.domain.map), Arg::Real(time)];
        self.device.launch(&kernel, self.mesh.element_count(), &args)?;
        self.keep_traces()?;
        self.set_clock(Clock { time, ..Clock::default() })
    }

    /// Sets the solution to the L2 projection of `field`, which writes the state at a position, and the clock to `time`.
    ///
    /// # Errors
    /// The device's own.
    pub fn project_values(&mut self, time: f64, field: impl Fn(&[f64], &mut [f64]) + Sync) -> Result<(), Error> {
        let (n, components, dim) = (self.mesh.element_count(), self.setup.law.state.len(), self.mesh.dim);
        let points = self.unit.projection_points;
        let values = pack(self.block(), n, points.len() / dim * components, |e, values: &mut [f64]| {
            for (point, state) in points.chunks_exact(dim).zip(values.chunks_exact_mut(components)) {
                field(&self.mesh.position(e, point)[..dim], state);
            }
        });
        let values = self.setup.precision.upload(&self.device, &values)?;
        let kernel = self.kernels.module.kernel("project_values")?;
        let args = [Arg::Buffer(self.solution()), Arg::Buffer(&values)];
        self.device.launch(&kernel, n, &args)?;
        self.device.synchronize()?;
        self.keep_traces()?;
        self.set_clock(Clock { time, ..Clock::default() })
    }

    /// Takes over the solution of a solver of the same law, order, precision, mesh and device, at time 0.
    fn copy_solution(&mut self, other: &Self) -> Result<(), Error> {
        self.device.copy(other.solution(), self.solution())?;
        self.keep_traces()?;
        self.set_clock(Clock::default())
    }

    /// Takes at most `steps` steps towards the time `target`, which is hit exactly, and says where that led.
    ///
    /// # Errors
    /// [`Error::Inadmissible`] once the solution makes no sense; it is kept as it was before the step that led there.
    pub fn advance(&mut self, target: f64, steps: u64) -> Result<Clock, Error> {
        let clock = self.clock()?;
        self.write_clock(clock, target)?;
        if clock.limit == 0.0 {
            // No step has left a bound for the next.
            self.time_step(self.current)?;
            self.turn(Turn { renew: true, ..Turn::default() })?;
        }
        let start = self.current;
        let (mut step, end) = (clock.steps, clock.steps + steps);
        let (every, cycle) = (self.setup.step_every, cycle(self.setup.step_every));
        while step < end {
            let (into_cycle, left) = (step % every, end - step);
            let taken = if into_cycle == 0 && cycle <= left.min(LONG_CYCLE) {
                self.take_cycle(cycle)?;
                cycle
            } else {
                let to_cycle = if into_cycle == 0 { left } else { left.min(every - into_cycle) };
                self.take_steps(step, to_cycle)?;
                to_cycle
            };
            step += taken;
        }
        let (now, failure) = self.read_clock()?;
        if failure == FAILED_INADMISSIBLE {
            // From the step that failed on no stage has written anything.
            let good = (now.steps - clock.steps).saturating_sub(1);
            self.current = (0..good % REGISTERS as u64).fold(start, |register, _| self.register_after(register));
        }
        self.clock()
    }

    /// Takes steps, `first` being the number of the first.
    fn take_steps(&mut self, first: u64, count: u64) -> Result<(), Error> {
        let from = self.current;
        let to = self.launch_steps(from, first, count)?;
        self.settle(to);
        Ok(())
    }

    /// Takes a cycle of steps that begins with a new step size.
    fn take_cycle(&mut self, count: u64) -> Result<(), Error> {
        let from = self.current;
        let mut recording = std::mem::take(&mut self.cycles[from]);
        self.device.repeat(&mut recording, || self.launch_steps(from, 0, count).map(drop))?;
        self.cycles[from] = recording;
        self.settle(from);
        Ok(())
    }

    /// The last step led to the register `to`.
    fn settle(&mut self, to: usize) {
        self.current = to;
        // Three steps lead back to a register, two lead to where the third began.
        self.previous = self.register_after(self.register_after(to));
    }

    /// The register that a step leads to.
    fn register_after(&self, start: usize) -> usize {
        (start + 2 - self.setup.integrator.stages().len() % 2) % REGISTERS
    }

    /// Launches steps from the register `from`; returns the one that they lead to.
    fn launch_steps(&self, from: usize, first: u64, count: u64) -> Result<usize, Error> {
        let mut register = from;
        self.turn(Turn { begin: true, ..Turn::default() })?;
        for step in first + 1..=first + count {
            let renew = step % self.setup.step_every == 0;
            register = self.runge_kutta_step(register, renew)?;
            self.turn(Turn { end: true, renew, begin: step < first + count })?;
        }
        Ok(register)
    }

    /// Turns from one step to the next.
    fn turn(&self, turn: Turn) -> Result<(), Error> {
        let (longest, rows) =
            if turn.renew { self.longest.shorten(&self.device, Operation::Min)? } else { (&self.longest.values, 1) };
        let args = [
            Arg::Buffer(&self.clock),
            Arg::Buffer(longest),
            Arg::Int(rows as i64),
            Arg::Int(i64::from(turn.end)),
            Arg::Int(i64::from(turn.renew)),
            Arg::Int(i64::from(turn.begin)),
        ];
        Ok(self.device.launch(&self.kernels.turn, 1, &args)?)
    }

    /// Finds the longest stable step of every element, NaN where the solution is inadmissible.
    fn time_step(&self, register: usize) -> Result<(), Error> {
        let args = [
            Arg::Buffer(&self.registers[register].coefficients),
            Arg::Buffer(&self.domain.normals),
            Arg::Buffer(&self.domain.neighbours),
            Arg::Buffer(&self.domain.conditions),
            Arg::Buffer(&self.domain.boundary_normals),
            Arg::Buffer(&self.domain.map),
            Arg::Buffer(&self.domain.sizes),
            Arg::Buffer(&self.clock),
            Arg::Buffer(&self.longest.values),
        ];
        Ok(self.device.launch(&self.kernels.time_step, self.mesh.element_count(), &args)?)
    }

    /// Finds the longest stable step of all elements; it is left at the start of the buffer.
    fn longest_step(&self) -> Result<&Buffer, Error> {
        self.time_step(self.current)?;
        self.longest.launch(&self.device, 1, Operation::Min)
    }

    /// Makes sure that the solution makes sense as it is now, not only as it was when Δt was last renewed.
    ///
    /// # Errors
    /// [`Error::Inadmissible`], and the device's own.
    pub fn check(&self) -> Result<(), Error> {
        let clock = self.clock()?;
        let longest = self.longest_step()?;
        let longest = self.setup.precision.read(&self.device, longest, 1)?[0];
        // A limit that is no number is no limit.
        if longest > 0.0 { Ok(()) } else { Err(self.inadmissible(clock)?) }
    }

    /// All stages of one step: uⁿ stays in its register, the stages write to the other two in turns. The last one bounds
    /// the next step where `renew`.
    fn runge_kutta_step(&self, start: usize, renew: bool) -> Result<usize, Error> {
        let others = [(start + 1) % REGISTERS, (start + 2) % REGISTERS];
        let mut from = start;
        let stages = self.setup.integrator.stages();
        for (i, stage) in stages.iter().enumerate() {
            let to = others[i % 2];
            self.stage(stage, renew && i + 1 == stages.len(), [start, from, to])?;
            from = to;
        }
        Ok(from)
    }

    /// One stage of a step from register `start`, from register `from` to register `to`.
    fn stage(&self, stage: &Stage, find_longest: bool, [start, from, to]: [usize; 3]) -> Result<(), Error> {
        let [from, start, to] = [from, start, to].map(|register| &self.registers[register]);
        let args = [
            Arg::Buffer(&from.coefficients),
            Arg::Buffer(&start.coefficients),
            Arg::Buffer(&self.g),
            Arg::Buffer(&to.coefficients),
            Arg::Buffer(&from.traces),
            Arg::Buffer(&to.traces),
            Arg::Buffer(&self.clock),
            Arg::Buffer(&self.domain.inverse_jacobian),
            Arg::Buffer(&self.domain.normals),
            Arg::Buffer(&self.domain.neighbours),
            Arg::Buffer(&self.domain.conditions),
            Arg::Buffer(&self.domain.boundary_normals),
            Arg::Buffer(&self.domain.map),
            Arg::Buffer(&self.domain.sizes),
            Arg::Buffer(&self.longest.values),
            Arg::Real(stage.a),
            Arg::Real(stage.b),
            Arg::Real(stage.c),
            Arg::Real(stage.d),
            Arg::Real(stage.e),
            Arg::Real(stage.alpha),
            Arg::Int(i64::from(stage.keep_g)),
            Arg::Int(i64::from(find_longest)),
        ];
        Ok(self.device.launch(&self.kernels.stage, self.mesh.element_count(), &args)?)
    }

    /// Where the computation stands.
    ///
    /// # Errors
    /// [`Error::Inadmissible`] where the last step size could not be found because the solution makes no sense.
    pub fn clock(&self) -> Result<Clock, Error> {
        let (clock, failure) = self.read_clock()?;
        match failure {
            FAILED_INADMISSIBLE => Err(self.inadmissible(clock)?),
            FAILED_COLLAPSED => Err(Error::Collapsed { time: clock.time, step: clock.steps, dt: clock.limit }),
            _ => Ok(clock),
        }
    }

    /// Where the computation stands, and whether it has failed.
    fn read_clock(&self) -> Result<(Clock, f64), Error> {
        let mut numbers = [0.0; CLOCK];
        self.device.download(&self.clock, &mut numbers)?;
        let [time, dt, steps, limit, failure, ..] = numbers;
        Ok((Clock { time, dt, steps: steps as u64, limit }, failure))
    }

    /// Sets the clock, as after a checkpoint.
    ///
    /// # Errors
    /// The device's own.
    pub fn set_clock(&mut self, clock: Clock) -> Result<(), Error> {
        self.write_clock(clock, clock.time)
    }

    fn write_clock(&self, clock: Clock, target: f64) -> Result<(), Error> {
        let numbers = [clock.time, clock.dt, clock.steps as f64, clock.limit, 0.0, target, self.setup.cfl];
        Ok(self.device.upload(&self.clock, &numbers)?)
    }

    /// The report on the first inadmissible element.
    fn inadmissible(&self, clock: Clock) -> Result<Error, Error> {
        let n = self.mesh.element_count();
        let longest = self.setup.precision.read(&self.device, &self.longest.values, n)?;
        // A limit that is no number is no limit.
        let element = longest.iter().position(|&step| step.is_nan() || step <= 0.0).unwrap_or(0);
        let dim = self.mesh.dim;
        let corners = self.mesh.corners(element);
        let centre: Vec<String> = (0..dim)
            .map(|d| corners.iter().map(|&v| self.mesh.vertex(v)[d]).sum::<f64>() / corners.len() as f64)
            .map(|x| format!("{x:.6}"))
            .collect();
        let components = self.setup.law.state.len();
        self.integrate()?;
        let stride = self.columns.stride() as usize;
        let integrals = self.setup.precision.read(&self.device, &self.columns.values, stride * components)?;
        let volume = self.mesh.geometry(element).measure(self.mesh.shape);
        let state: Vec<String> = (0..components)
            .map(|c| format!("{} = {:.6e}", self.setup.law.state[c].name, integrals[c * stride + element] / volume))
            .collect();
        Ok(Error::Inadmissible {
            time: clock.time,
            step: clock.steps,
            element,
            position: format!("({})", centre.join(", ")),
            state: state.join(", "),
        })
    }

    /// The largest change of a coefficient in the last step.
    ///
    /// # Errors
    /// The device's own.
    pub fn change(&self) -> Result<f64, Error> {
        let args = [
            Arg::Buffer(self.solution()),
            Arg::Buffer(&self.registers[self.previous].coefficients),
            Arg::Buffer(&self.columns.values),
        ];
        self.device.launch(&self.kernels.change, self.mesh.element_count(), &args)?;
        Ok(self.reduce(1, Operation::Max)?[0])
    }

    /// The integral of every component over the domain.
    ///
    /// # Errors
    /// The device's own.
    pub fn integrals(&self) -> Result<Vec<f64>, Error> {
        self.integrate()?;
        self.reduce(self.setup.law.state.len(), Operation::Sum)
    }

    fn integrate(&self) -> Result<(), Error> {
        let args = [
            Arg::Buffer(self.solution()),
            Arg::Buffer(&self.domain.volumes),
            Arg::Buffer(&self.columns.values),
            Arg::Int(self.columns.stride()),
        ];
        Ok(self.device.launch(&self.kernels.integrate, self.mesh.element_count(), &args)?)
    }

    /// Errors against the setup's exact solution at the current time.
    ///
    /// # Errors
    /// The device's own, among them a missing kernel where the setup has no exact solution.
    pub fn errors(&self) -> Result<Norms, Error> {
        let kernel = self.kernels.module.kernel("errors")?;
        let components = self.setup.law.state.len();
        let args = [
            Arg::Buffer(self.solution()),
            Arg::Buffer(&self.domain.map),
            Arg::Buffer(&self.domain.volumes),
            Arg::Buffer(&self.columns.values),
            Arg::Real(self.clock()?.time),
            Arg::Int(self.columns.stride()),
        ];
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
        let n = self.mesh.element_count();
        let law = self.setup.law;
        let nodes = self.unit.sample_points.len() / self.mesh.dim;
        let fields = law.state.len() + law.with_role(Role::Output).count();
        let buffer = self.setup.precision.allocate(&self.device, padded(n) * nodes * fields)?;
        let args = [
            Arg::Buffer(self.solution()),
            Arg::Buffer(&self.domain.map),
            Arg::Buffer(&buffer),
            Arg::Real(self.clock()?.time),
        ];
        self.device.launch(&self.kernels.sample, n, &args)?;
        let packed = self.setup.precision.read(&self.device, &buffer, padded(n) * nodes * fields)?;
        Ok(Samples { nodes, fields, values: unpack(self.block(), n, nodes * fields, &packed) })
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
        self.setup.precision.write(&self.device, &mut self.registers[self.current].coefficients, &packed)?;
        self.keep_traces()
    }
}

/// The least number of steps, but at least [`SHORT_CYCLE`], after which both the registers have their old roles and a
/// new step size is due, where one serves for `every` steps.
fn cycle(every: u64) -> u64 {
    let registers = REGISTERS as u64;
    let least = if every.is_multiple_of(registers) { every } else { registers.saturating_mul(every) };
    least.saturating_mul(SHORT_CYCLE.div_ceil(least))
}

fn orders(law: &Law) -> String {
    let orders: Vec<String> = law.units.iter().map(|unit| unit.order.to_string()).collect();
    orders.join(", ")
}

/// The names of the conditions in use, each once, in a fixed order.
fn conditions_in_use(boundaries: &[&'static Function]) -> Vec<&'static str> {
    let mut names: Vec<&str> = boundaries.iter().map(|boundary| boundary.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// What the generated code leaves open until now.
fn options(setup: &Setup, conditions: &[&str], variant: Variant) -> Options {
    let mut defines = vec![
        ("PRECISION".to_owned(), setup.precision.c_type().to_owned()),
        ("SCHEDULE".to_owned(), variant.schedule.define().to_owned()),
        ("NUMERICAL_FLUX".to_owned(), format!("numerical_flux_{}", setup.numerical_flux.name)),
        (
            "BOUNDARY_CONDITIONS(X)".to_owned(),
            conditions.iter().enumerate().map(|(i, name)| format!("X({i}, {name})")).collect::<Vec<_>>().join(" "),
        ),
    ];
    defines.extend(variant.blocks.map(|blocks| ("MIN_BLOCKS".to_owned(), blocks.to_string())));
    for (parameter, value) in setup.law.parameters.iter().zip(&setup.parameters) {
        defines.push((format!("parameter_{}", parameter.name), format!("R({value:?})")));
    }
    for (name, function) in [("INITIAL", setup.initial), ("EXACT", setup.exact)] {
        if let Some(function) = function {
            let kind = if function.role == Role::Exact { "exact" } else { "initial" };
            defines.push((name.to_owned(), format!("{kind}_{}", function.name)));
        }
    }
    Options { defines, ..Options::default() }
}
