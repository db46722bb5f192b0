//! Steps in time: launches that never change, and the clock on the device that they go by.
//!
//! A step that leads out of the admissible set is rejected on the device: its result is replaced by what it began with,
//! and the next step tries half its length; so is one of too large an error, after which the next one is as long as that error
//! allows. So the registers change their roles as always, whatever becomes of a step.

use crate::device::{Buffer, args};
use crate::law::protocol::*;

use super::reduce::{Columns, Operation};
use super::{Clock, Error, REGISTERS, Solver, Stage};

/// A cycle has at least so many steps: a replay costs about as much as a few launches.
const SHORT_CYCLE: u64 = 12;
/// With a cycle longer than this, recording would cost more than it saves.
const LONG_CYCLE: u64 = 1000;

/// What the clock has to do between two steps.
#[derive(Clone, Copy, Default)]
pub(super) struct AdvanceClock {
    /// A step is to be ended.
    pub(super) end: bool,
    /// The elements have bounded the next step anew.
    pub(super) renew: bool,
    /// A step is to be begun.
    pub(super) begin: bool,
}

impl Solver {
    /// Tries `steps` steps, of which it takes those that are not rejected, towards the time `target`, which is hit exactly, and
    /// says where that led.
    ///
    /// # Errors
    /// [`Error::Inadmissible`] once the solution makes no sense; it is kept as it was before the step that led there.
    pub fn advance(&mut self, target: f64, steps: u64) -> Result<Clock, Error> {
        let clock = self.clock()?;
        let mut numbers = self.clock_numbers()?;
        numbers[CLOCK_TARGET] = target;
        numbers[CLOCK_CFL] = self.setup.cfl;
        self.device.upload(&self.clock, &numbers)?;
        if clock.stable_dt == 0.0 {
            // No step has left a bound for the next.
            self.time_step(self.current, &self.bounds.values)?;
            self.advance_clock(AdvanceClock { renew: true, ..AdvanceClock::default() }, [self.current; 2])?;
        }
        // Whether a step gets a new size depends on its index among all attempts, not on how they are split over calls.
        let tried = clock.steps + clock.rejected;
        let (mut step, end) = (tried, tried + steps);
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
    pub(super) fn take_cycle(&mut self, count: u64) -> Result<(), Error> {
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
        self.advance_clock(AdvanceClock { begin: true, ..AdvanceClock::default() }, [from; 2])?;
        for step in first + 1..=first + count {
            let renew = step % self.setup.step_every == 0;
            let next = self.runge_kutta_step(register, renew, true)?;
            self.advance_clock(AdvanceClock { end: true, renew, begin: step < first + count }, [register, next])?;
            register = next;
        }
        Ok(register)
    }

    /// Reduces the elements' bounds on the next step to few: to the smallest of their longest stable steps, or, after a step with a
    /// tolerance, to sums of their shares of its squared error.
    pub(super) fn shorten_bounds(&self, after_step: bool) -> Result<Columns<'_>, Error> {
        let has_error = after_step && self.setup.tolerance.is_some();
        self.bounds.shorten(&self.device, if has_error { Operation::Sum } else { Operation::Min })
    }

    /// Advances the clock from one step, which led from one register to another, to the next.
    pub(super) fn advance_clock(&self, what: AdvanceClock, [start, end]: [usize; 2]) -> Result<(), Error> {
        let bounds = if what.renew { self.shorten_bounds(what.end)? } else { self.bounds.whole() };
        let [start, end] = [start, end].map(|register| &self.registers[register]);
        let args = args! {
            clock: &self.clock,
            bounds: bounds.buffer,
            u_start: &start.coefficients,
            records_start: &start.records,
            u_end: &end.coefficients,
            records_end: &end.records,
            coefficients: start.coefficients.bytes() / self.setup.precision.bytes(),
            records: start.records.bytes() / self.setup.precision.bytes(),
            rows: if what.renew { bounds.rows } else { 1 },
            end: what.end,
            renew: what.renew,
            begin: what.begin,
        };
        Ok(self.device.launch(&self.kernels.advance_clock, 1, &args)?)
    }

    /// Finds the longest stable step of every element of the solution in a register, NaN where the solution is inadmissible.
    pub(super) fn time_step(&self, register: usize, longest: &Buffer) -> Result<(), Error> {
        let args = args! {
            u: &self.registers[register].coefficients,
            clock: &self.clock,
            longest: longest,
            ..self.domain.surroundings(),
            ..self.bounding()
        };
        Ok(self.device.launch(&self.kernels.time_step, self.mesh.element_count(), &args)?)
    }

    /// Makes sure that the solution makes sense as it is now, not only as it was when Δt was last renewed.
    ///
    /// # Errors
    /// [`Error::Inadmissible`], and the device's own.
    pub fn check(&self) -> Result<(), Error> {
        let clock = self.clock()?;
        // NaN is no step.
        if self.stable_step()? > 0.0 { Ok(()) } else { Err(self.inadmissible(clock)?) }
    }

    /// The longest step that waves of the solution as it is allow, whatever was rejected before; NaN where the solution is
    /// inadmissible.
    ///
    /// # Errors
    /// The device's own.
    pub(crate) fn stable_step(&self) -> Result<f64, Error> {
        self.time_step(self.current, &self.columns.values)?;
        Ok(self.setup.cfl * self.reduce(1, Operation::Min)?[0])
    }

    /// All stages of one step: uⁿ stays in its register, the stages write to the other two in turns. The last one bounds
    /// the next step where `renew`; every one is limited where `limit`.
    pub(super) fn runge_kutta_step(&self, start: usize, renew: bool, limit: bool) -> Result<usize, Error> {
        let others = [(start + 1) % REGISTERS, (start + 2) % REGISTERS];
        let mut from = start;
        let stages = self.setup.integrator.stages();
        if limit {
            self.begin_limiting(start)?;
        }
        for (i, stage) in stages.iter().enumerate() {
            let to = others[i % 2];
            let c_next = stages.get(i + 1).map_or(1.0, |next| next.c);
            self.stage(stage, c_next, renew && i + 1 == stages.len(), [start, from, to])?;
            if limit {
                self.limit_stage([start, to], c_next, true)?;
            }
            from = to;
        }
        Ok(from)
    }

    /// One stage of a step from register `start`, from register `from` to register `to`, `c_next` steps after the start.
    pub(super) fn stage(
        &self,
        stage: &Stage,
        c_next: f64,
        bound_next: bool,
        [start, from, to]: [usize; 3],
    ) -> Result<(), Error> {
        let [from, start, to] = [from, start, to].map(|register| &self.registers[register]);
        let args = args! {
            u: &from.coefficients,
            u_start: &start.coefficients,
            g: &self.g,
            u_next: &to.coefficients,
            records: &from.records,
            records_next: &to.records,
            clock: &self.clock,
            inverse_jacobian: &self.domain.inverse_jacobian,
            normals: &self.domain.normals,
            map: &self.domain.map,
            patches: &self.domain.patches,
            faces: &self.domain.faces,
            face_geometry: &self.domain.face_geometry,
            rim_links: &self.domain.rim_links,
            determinants: &self.domain.determinants,
            weights: &self.weights,
            bounds: &self.bounds.values,
            a: stage.a,
            b: stage.b,
            c: stage.c,
            d: stage.d,
            e: stage.e,
            alpha: stage.alpha,
            c_next: c_next,
            keep_g: stage.keep_g,
            bound_next: bound_next,
            ..self.domain.links(),
            ..self.bounding()
        };
        Ok(self.device.launch(&self.kernels.stage, self.mesh.element_count(), &args)?)
    }

    /// Where the computation stands.
    ///
    /// # Errors
    /// [`Error::Inadmissible`] where the last step size could not be found because the solution makes no sense.
    pub fn clock(&self) -> Result<Clock, Error> {
        let numbers = self.clock_numbers()?;
        let clock = Clock {
            time: numbers[CLOCK_TIME],
            dt: numbers[CLOCK_DT],
            steps: numbers[CLOCK_STEPS] as u64,
            rejected: numbers[CLOCK_REJECTED] as u64,
            stable_dt: numbers[CLOCK_STABLE_DT],
            errors: [numbers[CLOCK_ERROR], numbers[CLOCK_ERROR_BEFORE]],
        };
        match numbers[CLOCK_FAILED] as usize {
            FAILED_INADMISSIBLE if numbers[CLOCK_HALVINGS] > 0.0 => Err(self.given_up(clock)?),
            FAILED_INADMISSIBLE => Err(self.inadmissible(clock)?),
            FAILED_COLLAPSED => Err(self.collapsed(clock, clock.stable_dt)?),
            FAILED_INEXACT => {
                let limited = self.setup.limiter.is_some();
                Err(Error::Inexact { time: clock.time, step: clock.steps, dt: clock.stable_dt, limited })
            }
            _ => Ok(clock),
        }
    }

    /// The clock, as the kernels lay it out.
    pub(super) fn clock_numbers(&self) -> Result<[f64; CLOCK_NUMBERS], Error> {
        let mut numbers = [0.0; CLOCK_NUMBERS];
        self.device.download(&self.clock, &mut numbers)?;
        Ok(numbers)
    }

    /// Sets the clock, as after a checkpoint.
    ///
    /// # Errors
    /// The device's own.
    pub fn set_clock(&mut self, clock: Clock) -> Result<(), Error> {
        let mut numbers = [0.0; CLOCK_NUMBERS];
        numbers[CLOCK_TIME] = clock.time;
        numbers[CLOCK_DT] = clock.dt;
        numbers[CLOCK_STEPS] = clock.steps as f64;
        numbers[CLOCK_STABLE_DT] = clock.stable_dt;
        numbers[CLOCK_TARGET] = clock.time;
        numbers[CLOCK_CFL] = self.setup.cfl;
        numbers[CLOCK_REJECTED] = clock.rejected as f64;
        [numbers[CLOCK_ERROR], numbers[CLOCK_ERROR_BEFORE]] = clock.errors;
        self.device.upload(&self.clock, &numbers)?;
        // Ghost states may depend on the time.
        self.keep_records()
    }
}

/// The least number of steps, but at least [`SHORT_CYCLE`], after which both the registers have their old roles and a
/// new step size is due, where one serves for `every` steps.
pub(super) fn cycle(every: u64) -> u64 {
    let registers = REGISTERS as u64;
    let least = if every.is_multiple_of(registers) { every } else { registers.saturating_mul(every) };
    least.saturating_mul(SHORT_CYCLE.div_ceil(least))
}
