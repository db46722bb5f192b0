//! The scheme: the launches of a step, made from a program, a domain and a state.
//!
//! ```text
//! time_step, reduce         the longest stable step, before the first
//! advance_clock             Δt, so that the target is hit exactly
//! receive                   uⁿ at the receivers, if there are any
//! advance_averages, average uⁿ in averages in time, if there are any
//! predict                   ADER: u ← the mean over the step of uⁿ inside each element; where the medium depends on time
//!                           predict_series, and before each stage evaluate_series
//! renew_medium              the medium at the time of the stage, if it depends on time; after a stage records, too
//! stage × s                 u ← a uⁿ + b u + d Δt R(u) + e g; every n steps the last bounds the next step
//! add_point_sources, records after each stage, if there are any: in few elements
//! solve_source              after each stage of an additive method, which computes Δt R(u) alone: the implicit half
//! reduce, advance_clock     t ← t + Δt, the longest step that is stable, or within the tolerance, Δt
//! ```
//!
//! The launches of a step never change; they read the clock, which is on the device. A step with an inadmissible stage is rejected
//! there: its start replaces its result, and the next step tries half its length. A step with too large an error is rejected too,
//! and the next one is as long as that error allows. The registers change their roles in any case.

use std::ops::Range;

mod limiting;

pub(super) use limiting::InitialBounds;

use crate::device::{Arg, Buffer, Kernel, Launch, args};
use crate::law::Item;
use crate::law::protocol::*;
use crate::law::reference::quadrature::gauss_legendre;

use super::domain::Domain;
use super::program::Program;
use super::projected::Projected;
use super::reduce::{Columns, Operation};
use super::state::{EXPLICIT, IMPLICIT, REGISTERS, State};
use super::{Clock, Error, ImplicitStage, Setup, Stage, inadmissible};

/// A cycle has at least this many steps: a replay costs about as much as a few launches.
const SHORT_CYCLE: u64 = 12;
/// Recording a longer cycle than this would cost more than it saves.
pub(super) const LONG_CYCLE: u64 = 1000;

/// Everything that the launches of a step need.
#[derive(Clone, Copy)]
pub(super) struct Scheme<'a> {
    pub(super) setup: &'a Setup,
    pub(super) program: &'a Program,
    pub(super) domain: &'a Domain,
    pub(super) state: &'a State,
}

/// The tasks of the clock between two steps.
#[derive(Clone, Copy, Default)]
pub(super) struct AdvanceClock {
    /// A step ends.
    pub(super) end: bool,
    /// There are new bounds on the next step.
    pub(super) renew: bool,
    /// A step begins.
    pub(super) begin: bool,
}

impl<'a> Scheme<'a> {
    /// Launches a kernel on all elements. Arguments that `args` does not name are buffers of state and domain.
    pub(super) fn on_elements(self, kernel: &'a Kernel, args: &[(&'static str, Arg<'a>)]) -> Result<Launch<'a>, Error> {
        let others = [&self.state.buffers, &self.domain.buffers];
        Ok(self.program.device.prepare(kernel, 0..self.domain.elements(), args, &others)?)
    }

    /// Runs launches in order.
    pub(super) fn run<'l>(self, launches: impl IntoIterator<Item = Launch<'l>>) -> Result<(), Error> {
        for launch in launches {
            self.program.device.run(&launch)?;
        }
        Ok(())
    }

    /// Reduces the first columns, with one number for every element, to one number each.
    pub(super) fn reduce(self, columns: usize, operation: Operation) -> Result<Vec<f64>, Error> {
        let numbers = &self.state.columns;
        self.run(numbers.launches(self.program, columns, operation)?)?;
        self.program.read(numbers.result(), columns)
    }

    /// Makes sure that every kernel of a cycle gets all its arguments, by preparing all launches.
    ///
    /// # Errors
    /// [`device::Error::Argument`](crate::device::Error::Argument).
    pub(super) fn check(self) -> Result<(), Error> {
        self.first_bound()?;
        self.records(self.state.current)?;
        self.limit_once(InitialBounds::Solution)?;
        for start in 0..REGISTERS {
            self.advance_clock(AdvanceClock { begin: true, ..AdvanceClock::default() }, [start; 2])?;
            self.receive(start)?;
            self.average(start)?;
            for renew in [false, true] {
                let end = self.register_after(start);
                self.step(start, renew)?;
                self.advance_clock(AdvanceClock { end: true, renew, begin: true }, [start, end])?;
            }
        }
        Ok(())
    }

    /// Takes `count` steps from the register `from`, numbered from `first`; returns the register of the result.
    pub(super) fn take_steps(self, from: usize, first: u64, count: u64) -> Result<usize, Error> {
        let mut register = from;
        self.run(self.advance_clock(AdvanceClock { begin: true, ..AdvanceClock::default() }, [from; 2])?)?;
        for step in first + 1..=first + count {
            let renew = step % self.setup.step_every == 0;
            let next = self.register_after(register);
            self.run(self.receive(register)?)?;
            self.run(self.average(register)?)?;
            self.run(self.step(register, renew)?)?;
            let advance = AdvanceClock { end: true, renew, begin: step < first + count };
            self.run(self.advance_clock(advance, [register, next])?)?;
            register = next;
        }
        Ok(register)
    }

    /// The register after a step. Three steps lead back to the first register, two to the start of the third.
    pub(super) fn register_after(self, start: usize) -> usize {
        let integrator = self.setup.integrator;
        // Implicit halves of stages replace each other's results.
        // So do the solutions of a series, and the results of stages from these.
        let results = match () {
            () if integrator.has_implicit_source() => 1,
            () if integrator.has_predictor() => 2,
            () => integrator.stages().len(),
        };
        (start + 2 - results % 2) % REGISTERS
    }

    /// One step: uⁿ stays in the register `start`, the predictor, if there is one, and the stages write to the other two in turns, and
    /// each stage's result is limited. With `renew` the last stage bounds the next step.
    pub(super) fn step(self, start: usize, renew: bool) -> Result<Vec<Launch<'a>>, Error> {
        if self.setup.integrator.has_implicit_source() {
            return self.additive_step(start, renew);
        }
        if self.setup.predicts_series() {
            return self.step_by_series(start, renew);
        }
        let mut launches = self.renew_medium(0.0)?;
        launches.extend(self.begin_limiting(start)?);
        launches.extend(self.predict(start)?);
        let integrator = self.setup.integrator;
        if integrator.has_predictor() {
            let [mean, _] = Self::others(start);
            launches.extend(self.add_point_sources(&integrator.stages()[0], &self.state.registers[mean]["u"], true)?);
            launches.extend(self.records_of_point_sources(mean, 0.0)?);
        }
        for (stage, registers, c_next, is_last) in self.stages_from(start) {
            launches.push(self.stage(stage, c_next, renew && is_last, registers)?);
            launches.extend(self.add_point_sources(stage, &self.state.registers[registers[2]]["u"], false)?);
            if !integrator.has_predictor() {
                launches.extend(self.records_of_point_sources(registers[2], c_next)?);
            }
            launches.extend(self.end_stage([start, registers[2]], c_next)?);
        }
        Ok(launches)
    }

    /// One step of ADER in a medium that depends on time: the solution inside elements as a series in time, and stages from it.
    fn step_by_series(self, start: usize, renew: bool) -> Result<Vec<Launch<'a>>, Error> {
        let Some([predict, evaluate]) = &self.program.kernels.series else { unreachable!("the setup has a series") };
        let [then, to] = Self::others(start);
        let (stages, last) = (self.setup.stages(), self.setup.stages().len() - 1);
        let times = gauss_legendre(self.setup.order + 1).0;
        let mut launches = Vec::new();
        for (i, c) in times.iter().enumerate() {
            launches.extend(self.renew_medium_in_elements("media", *c, [i, times.len()])?);
        }
        let [u, u_then] = [start, then].map(|register| &self.state.registers[register]["u"]);
        launches.push(self.on_elements(predict, &args! { u: u })?);
        for (i, stage) in stages.iter().enumerate() {
            launches.push(self.on_elements(evaluate, &args! { u: u, u_then: u_then, c: stage.c })?);
            launches.extend(self.add_point_sources(stage, u_then, true)?);
            launches.extend(self.renew_medium(stage.c)?);
            launches.push(self.records_of(then, stage.c, 0..self.domain.elements())?);
            launches.push(self.stage(stage, 1.0, renew && i == last, [start, then, to])?);
            launches.extend(self.add_point_sources(stage, &self.state.registers[to]["u"], false)?);
        }
        launches.extend(self.renew_medium(1.0)?);
        Ok(launches)
    }

    /// What follows a stage of a step from the register `start`: the medium and its ghost states are those of `c_next`, `c_next` steps after
    /// the start, and the result in register `to` is limited.
    pub(super) fn end_stage(self, [start, to]: [usize; 2], c_next: f64) -> Result<Vec<Launch<'a>>, Error> {
        let mut launches = self.renew_medium(c_next)?;
        launches.extend(self.limit_stage([start, to], c_next)?);
        if !launches.is_empty() && self.program.kernels.renew_medium.is_some() {
            launches.push(self.records_of(to, c_next, 0..self.domain.elements())?);
        }
        Ok(launches)
    }

    /// Renews a medium that depends on time, for the time `c` steps after the start of the step.
    pub(super) fn renew_medium(self, c: f64) -> Result<Vec<Launch<'a>>, Error> {
        let Some([_, at_faces]) = &self.program.kernels.renew_medium else { return Ok(Vec::new()) };
        let Domain { buffers, .. } = self.domain;
        let faces = buffers.count_of(Item::Face).unwrap_or_default();
        let of_faces = self.program.device.prepare(at_faces, 0..faces, &[], &[buffers])?;
        let of_elements = self.renew_medium_in_elements("medium", c, [0, 1])?;
        Ok(of_elements.into_iter().chain([of_faces]).collect())
    }

    /// The same in elements alone, in a buffer with the medium at several times: at time `number` of `count`.
    fn renew_medium_in_elements(
        self,
        buffer: &str,
        c: f64,
        [number, count]: [usize; 2],
    ) -> Result<Option<Launch<'a>>, Error> {
        let Some([kernel, _]) = &self.program.kernels.renew_medium else { return Ok(None) };
        let args = args! { medium: &self.domain.buffers[buffer], c: c, time: number, times: count };
        self.on_elements(kernel, &args).map(Some)
    }

    /// One step of an additive method: the explicit half of each stage computes a residual, the implicit half the state of the stage.
    fn additive_step(self, start: usize, renew: bool) -> Result<Vec<Launch<'a>>, Error> {
        let [to, _] = Self::others(start);
        let integrator = self.setup.integrator;
        let (halves, last) =
            (integrator.stages().iter().zip(integrator.implicit_stages()), integrator.stages().len() - 1);
        let mut launches = self.renew_medium(0.0)?;
        for (i, (explicit, implicit)) in halves.enumerate() {
            let from = if i == 0 { start } else { to };
            // It writes no records.
            let into = [&self.state.buffers[EXPLICIT[i]], &self.state.registers[to]["records"]];
            launches.push(self.stage_into(explicit, implicit.c, renew && i == last, [start, from], into)?);
            launches.extend(self.add_point_sources(explicit, into[0], false)?);
            launches.extend(self.renew_medium(implicit.c)?);
            launches.push(self.solve_source(implicit, i, [start, to])?);
        }
        Ok(launches)
    }

    /// The implicit half of stage `i`.
    fn solve_source(self, half: &ImplicitStage, i: usize, [start, to]: [usize; 2]) -> Result<Launch<'a>, Error> {
        let Some(kernel) = &self.program.kernels.solve_source else { unreachable!("the method is additive") };
        let [start, to] = [start, to].map(|register| &self.state.registers[register]);
        let change = IMPLICIT.get(i);
        let args = args! {
            u_start: &start["u"],
            u_next: &to["u"],
            records: &to["records"],
            change: &self.state.buffers[change.copied().unwrap_or(IMPLICIT[0])],
            a_1: half.a[0],
            a_2: half.a[1],
            a_3: half.a[2],
            a_4: half.a[3],
            b_1: half.b[0],
            b_2: half.b[1],
            b_3: half.b[2],
            gamma: half.gamma,
            c: half.c,
            keep_change: change.is_some(),
            elements: self.domain.elements(),
        };
        self.on_elements(kernel, &args)
    }

    /// The stages of a step from the register `start`, without bounds and without limiting.
    pub(super) fn bare_stages(self, start: usize) -> Result<Vec<Launch<'a>>, Error> {
        let stages = self.stages_from(start);
        stages.map(|(stage, registers, c_next, _)| self.stage(stage, c_next, false, registers)).collect()
    }

    /// The registers that the predictor and the stages of a step from the register `start` write to in turns.
    fn others(start: usize) -> [usize; 2] {
        [(start + 1) % REGISTERS, (start + 2) % REGISTERS]
    }

    /// The predictor of a step from the register `start`, if the integrator has one.
    pub(super) fn predict(self, start: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(kernel) = &self.program.kernels.predict else { return Ok(None) };
        let [from, to] = [start, Self::others(start)[0]].map(|register| &self.state.registers[register]);
        self.on_elements(kernel, &args! { u: &from["u"], u_mean: &to["u"], records: &to["records"] }).map(Some)
    }

    /// The stages of a step from the register `start`: each with its registers `[start, from, to]`, the time of the next stage in steps
    /// after the start, and whether it is the last.
    pub(super) fn stages_from(self, start: usize) -> impl Iterator<Item = (&'static Stage, [usize; 3], f64, bool)> {
        let others = Self::others(start);
        let stages = self.setup.stages();
        let predicted = usize::from(self.setup.predicts_mean());
        stages.iter().enumerate().map(move |(i, stage)| {
            let next = stages.get(i + 1);
            let i = i + predicted;
            let from = if i == 0 { start } else { others[(i - 1) % 2] };
            (stage, [start, from, others[i % 2]], next.map_or(1.0, |next| next.c), next.is_none())
        })
    }

    /// One stage of a step from register `start`: from register `from` to register `to`; the next stage is `c_next` steps after the start.
    pub(super) fn stage(
        self,
        stage: &Stage,
        c_next: f64,
        bound_next: bool,
        [start, from, to]: [usize; 3],
    ) -> Result<Launch<'a>, Error> {
        let to = &self.state.registers[to];
        self.stage_into(stage, c_next, bound_next, [start, from], [&to["u"], &to["records"]])
    }

    /// The same with buffers for the result and its records.
    fn stage_into(
        self,
        stage: &Stage,
        c_next: f64,
        bound_next: bool,
        [start, from]: [usize; 2],
        [u_next, records_next]: [&'a Buffer; 2],
    ) -> Result<Launch<'a>, Error> {
        let [from, start] = [from, start].map(|register| &self.state.registers[register]);
        let args = args! {
            u: &from["u"],
            u_start: &start["u"],
            u_next: u_next,
            records: &from["records"],
            records_next: records_next,
            room: self.setup.room(&self.domain.mesh),
            source_share: self.setup.source_share(),
            bounds: self.state.bounds.values(),
            a: stage.a,
            b: stage.b,
            c: stage.c,
            d: stage.d,
            e: stage.e,
            alpha: stage.alpha,
            c_next: c_next,
            keep_g: stage.keep_g,
            bound_next: bound_next,
        };
        self.on_elements(&self.program.kernels.stage, &args)
    }

    /// Copies the residual of the solution to where stages subtract it; nothing must have been copied there before. The clock is left with a
    /// step of length 1.
    pub(super) fn find_balance(self) -> Result<(), Error> {
        let Self { program, state, .. } = self;
        let mut numbers = state.clock(&program.device)?;
        numbers[CLOCK_DT] = 1.0;
        state.set_clock(&program.device, &numbers)?;
        let [to, _] = Self::others(state.current);
        self.run([self.stage(&Stage::RESIDUAL, 0.0, false, [state.current, state.current, to])?])?;
        Ok(program.device.copy(&state.registers[to]["u"], &state.buffers["balance"])?)
    }

    /// Advances the clock between two steps; the last one led from register `start` to `end`.
    pub(super) fn advance_clock(self, what: AdvanceClock, [start, end]: [usize; 2]) -> Result<Vec<Launch<'a>>, Error> {
        let Self { program, state, .. } = self;
        let (mut launches, bounds) =
            if what.renew { self.shorten_bounds(what.end)? } else { (Vec::new(), state.bounds.whole()) };
        let [start, end] = [start, end].map(|register| &state.registers[register]);
        let args = args! {
            clock: &state.buffers["clock"],
            bounds: bounds.buffer,
            u_start: &start["u"],
            records_start: &start["records"],
            u_end: &end["u"],
            records_end: &end["records"],
            coefficients: start["u"].numbers(),
            records: start["records"].numbers(),
            rows: if what.renew { bounds.rows } else { 1 },
            end: what.end,
            renew: what.renew,
            begin: what.begin,
        };
        launches.push(program.device.prepare(&program.kernels.advance_clock, 0..1, &args, &[])?);
        Ok(launches)
    }

    /// Launches that reduce the elements' bounds on the next step to a few numbers: to minima of their longest stable steps or, after a
    /// step with a tolerance, to sums of their shares of its squared error.
    pub(super) fn shorten_bounds(self, after_step: bool) -> Result<(Vec<Launch<'a>>, Columns<'a>), Error> {
        let has_error = after_step && self.setup.tolerance.is_some();
        self.state.bounds.shorten(self.program, if has_error { Operation::Sum } else { Operation::Min })
    }

    /// Bounds the first step, from the solution alone.
    pub(super) fn first_bound(self) -> Result<Vec<Launch<'a>>, Error> {
        let current = self.state.current;
        let mut launches = vec![self.time_step(current, self.state.bounds.values())?];
        launches.extend(self.advance_clock(AdvanceClock { renew: true, ..AdvanceClock::default() }, [current; 2])?);
        Ok(launches)
    }

    /// Finds the longest stable step of every element of the solution in a register, NaN where the solution is inadmissible.
    pub(super) fn time_step(self, register: usize, longest: &'a Buffer) -> Result<Launch<'a>, Error> {
        self.time_step_with(register, longest, self.setup.source_share())
    }

    /// The same with another share of the source.
    fn time_step_with(self, register: usize, longest: &'a Buffer, source_share: f64) -> Result<Launch<'a>, Error> {
        let args = args! {
            u: &self.state.registers[register]["u"],
            longest: longest,
            room: self.setup.room(&self.domain.mesh),
            source_share: source_share,
        };
        self.on_elements(&self.program.kernels.time_step, &args)
    }

    /// Computes the records of a solution that is not the result of a stage, at the time of the clock.
    pub(super) fn records(self, register: usize) -> Result<Launch<'a>, Error> {
        self.records_of(register, 0.0, 0..self.domain.elements())
    }

    /// Computes the records of these elements, for the time `c` steps after the start of the step.
    pub(super) fn records_of(self, register: usize, c: f64, elements: Range<usize>) -> Result<Launch<'a>, Error> {
        let register = &self.state.registers[register];
        let args = args! { u: &register["u"], records: &register["records"], c: c };
        let others = [&self.state.buffers, &self.domain.buffers];
        Ok(self.program.device.prepare(&self.program.kernels.records, elements, &args, &others)?)
    }

    /// The longest step that waves and source of the current solution allow, regardless of earlier rejections; NaN where the solution is
    /// inadmissible.
    pub(super) fn stable_step(self) -> Result<f64, Error> {
        self.stable_step_with(self.setup.source_share())
    }

    /// The longest step that its waves alone allow.
    pub(super) fn stable_step_of_waves(self) -> Result<f64, Error> {
        self.stable_step_with(0.0)
    }

    fn stable_step_with(self, source_share: f64) -> Result<f64, Error> {
        let columns = &self.state.columns;
        self.run([self.time_step_with(self.state.current, columns.values(), source_share)?])?;
        Ok(self.setup.cfl * self.reduce(1, Operation::Min)?[0])
    }

    /// Makes sure that a medium that depends on time makes sense at the time of the clock and in the step from there.
    fn check_medium(self, clock: Clock) -> Result<(), Error> {
        let Self { setup, program, domain, .. } = self;
        let Some(medium) = setup.changing_medium() else { return Ok(()) };
        let step = if clock.stable_dt.is_finite() { 2.0 * clock.stable_dt } else { 0.0 };
        [0.0, 0.5, 1.0].into_iter().try_for_each(|c| {
            let time = clock.time + c * step;
            Projected::new(setup.law, &setup.parameters, Some(medium), &domain.mesh, program.unit, time).map(drop)
        })
    }

    /// The clock of the computation.
    ///
    /// # Errors
    /// [`Error::Inadmissible`], [`Error::Collapsed`] or [`Error::Inexact`] where no next step size was found.
    pub(super) fn clock(self) -> Result<Clock, Error> {
        let numbers = self.state.clock(&self.program.device)?;
        let clock = Clock::from(&numbers);
        if numbers[CLOCK_FAILED] != 0.0 {
            self.check_medium(clock)?;
        }
        match numbers[CLOCK_FAILED] as usize {
            FAILED_INADMISSIBLE if numbers[CLOCK_HALVINGS] > 0.0 => Err(inadmissible::given_up(self, clock)?),
            FAILED_INADMISSIBLE => Err(inadmissible::inadmissible(self, clock)?),
            FAILED_COLLAPSED => Err(inadmissible::collapsed(self, clock, clock.stable_dt)?),
            FAILED_INEXACT => {
                let limited = self.setup.limiter.is_some();
                Err(Error::Inexact { time: clock.time, step: clock.steps, dt: clock.stable_dt, limited })
            }
            _ => Ok(clock),
        }
    }
}

/// The least number of steps, but at least [`SHORT_CYCLE`], after which both the registers have their old roles and a
/// new step size is due, where a size serves for `every` steps.
pub(super) fn cycle(every: u64) -> u64 {
    let registers = REGISTERS as u64;
    let least = if every.is_multiple_of(registers) { every } else { registers.saturating_mul(every) };
    least.saturating_mul(SHORT_CYCLE.div_ceil(least))
}
