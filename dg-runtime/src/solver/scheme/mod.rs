//! The scheme: the launches of a step, made from programs, domains and a state. Each stands for one on every section of the mesh.
//!
//! ```text
//! time_step, reduce         the longest stable step, before the first
//! advance_clock             Δt, so that the target is hit exactly
//! receive                   uⁿ at the receivers, if there are any
//! advance_averages, average uⁿ in averages in time, if there are any
//! predict                   ADER: u ← the mean over the step of uⁿ inside each element, and around point sources p stages instead; where
//!                           the medium depends on time predict_series, and before each stage evaluate_series
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

mod at_points;
mod averages;
mod limiting;
mod outside;
mod section;

pub(super) use outside::InitialBounds;
pub(super) use section::OnSection;

use crate::device::{Buffers, Device, Launch, args};
use crate::law::protocol::*;
use crate::law::reference::quadrature::gauss_legendre;
use crate::mesh::Mesh;

use super::inventory::Part;
use super::places::SectionUnit;
use super::reduce::{Columns, Operation, Reduction, most_columns};
use super::state::{REGISTERS, State};
use super::{Additive, Error, Section, Setup, Stage};

/// A cycle has at least this many steps: a replay costs about as much as a few launches.
const SHORT_CYCLE: u64 = 12;
/// Recording a longer cycle than this would cost more than it saves.
pub(super) const LONG_CYCLE: u64 = 1000;

/// Everything that the launches of a step need.
#[derive(Clone, Copy)]
pub(super) struct Scheme<'a> {
    pub(super) setup: &'a Setup,
    pub(super) device: &'a Device,
    pub(super) mesh: &'a Mesh,
    /// The sections of the mesh, with their programs.
    pub(super) sections: &'a [Section],
    /// The boundary and the links of records.
    pub(super) rim: &'a Buffers,
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
    /// The scheme on each section.
    pub(super) fn on_sections(self) -> impl Iterator<Item = OnSection<'a>> {
        (0..self.sections.len()).map(move |number| self.on_section(number))
    }

    /// The scheme on the section of this number.
    pub(super) fn on_section(self, number: usize) -> OnSection<'a> {
        OnSection::new((number, &self.sections[number]), self.rim, self.state)
    }

    /// The scheme on the section of an element, and the element's number there.
    pub(super) fn on_element(self, element: usize) -> (OnSection<'a>, usize) {
        let is_there = |section: &Section| section.domain.section.elements.contains(&element);
        let section = self.on_section(self.sections.iter().position(is_there).unwrap_or(0));
        (section, element - section.domain.section.elements.start)
    }

    /// The sections with the code for them.
    pub(super) fn code(self) -> Vec<SectionUnit> {
        self.sections.iter().map(Section::code).collect()
    }

    /// A launch on each section, none of which needs what another one writes.
    pub(super) fn each(
        self,
        launch: impl Fn(OnSection<'a>) -> Result<Launch<'a>, Error>,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let beside = |(i, launch): (usize, Launch<'a>)| if i == 0 { launch } else { launch.beside_the_one_before() };
        let launches: Vec<_> = self.on_sections().map(launch).collect::<Result<_, _>>()?;
        Ok(launches.into_iter().enumerate().map(beside).collect())
    }

    /// As many launches on each section as there are.
    pub(super) fn all<L: IntoIterator<Item = Launch<'a>>>(
        self,
        launches: impl Fn(OnSection<'a>) -> Result<L, Error>,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let of_sections: Vec<L> = self.on_sections().map(launches).collect::<Result<_, _>>()?;
        Ok(of_sections.into_iter().flatten().collect())
    }

    /// Runs launches in order.
    pub(super) fn run<'l>(self, launches: impl IntoIterator<Item = Launch<'l>>) -> Result<(), Error> {
        for launch in launches {
            self.device.run(&launch)?;
        }
        Ok(())
    }

    /// Memory for `count` columns with one number for every element. Only who looks at a solution needs it, so that it is allocated for that
    /// time.
    pub(super) fn new_columns(self, count: usize) -> Result<Reduction, Error> {
        let rows = self.state.bounds.rows();
        let inventory = Reduction::inventory(Part::Transfers, self.setup.layout(), rows, count);
        Reduction::new(self.device, rows, &inventory)
    }

    /// Reduces the first `count` columns to one number each.
    pub(super) fn reduce(self, columns: &Reduction, count: usize, operation: Operation) -> Result<Vec<f64>, Error> {
        let program = &self.sections[0].program;
        self.run(columns.launches(program, count, operation)?)?;
        program.read(columns.result(), count)
    }

    /// The numbers of the first `count` columns, `[column][element]`.
    pub(super) fn read(self, columns: &Reduction, count: usize) -> Result<Vec<Vec<f64>>, Error> {
        let values = self.setup.precision.read(self.device, columns.values(), count * columns.stride())?;
        Ok(values.chunks_exact(columns.stride()).map(|column| columns.rows().of_elements(column)).collect())
    }

    /// Makes sure that every kernel gets all its arguments, by preparing all launches, but those of what is [measured](super::Measured).
    ///
    /// # Errors
    /// [`device::Error::Argument`](crate::device::Error::Argument).
    pub(super) fn check(self) -> Result<(), Error> {
        self.first_bound()?;
        self.records(self.state.current)?;
        self.limit_once(InitialBounds::Solution)?;
        for start in 0..REGISTERS {
            self.advance_clock(AdvanceClock { begin: true, ..AdvanceClock::default() }, [start; 2])?;
            self.all(|section| section.receive(start))?;
            self.average(start)?;
            for renew in [false, true] {
                let end = self.register_after(start);
                self.step(start, renew)?;
                self.advance_clock(AdvanceClock { end: true, renew, begin: true }, [start, end])?;
            }
        }
        let most = most_columns(self.setup.law.state.len());
        let columns = self.new_columns(most)?;
        columns.launches(&self.sections[0].program, most, Operation::Sum)?;
        self.on_sections().try_for_each(|section| section.check_outside(&columns))
    }

    /// `count` steps from the register `from`, numbered from `first`, and the register of the result.
    pub(super) fn steps(self, from: usize, first: u64, count: u64) -> Result<(Vec<Launch<'a>>, usize), Error> {
        let mut register = from;
        let begin = AdvanceClock { begin: true, ..AdvanceClock::default() };
        let mut launches = self.advance_clock(begin, [from; 2])?;
        for step in first + 1..=first + count {
            let renew = step % self.setup.step_every() == 0;
            let next = self.register_after(register);
            launches.extend(self.all(|section| section.receive(register))?);
            launches.extend(self.average(register)?);
            launches.extend(self.step(register, renew)?);
            let advance = AdvanceClock { end: true, renew, begin: step < first + count };
            launches.extend(self.advance_clock(advance, [register, next])?);
            register = next;
        }
        Ok((launches, register))
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
        if let Some(method) = self.setup.integrator.additive() {
            return self.additive_step(method, start, renew);
        }
        if self.setup.predicts_series() {
            return self.step_by_series(start, renew);
        }
        let mut launches = self.renew_medium(0.0)?;
        launches.extend(self.begin_limiting(start)?);
        launches.extend(self.predict(start)?);
        let integrator = self.setup.integrator;
        for (stage, registers, c_next, is_last) in self.stages_from(start) {
            launches.extend(self.each(|section| section.stage(stage, c_next, renew && is_last, registers))?);
            launches.extend(self.all(|section| section.add_point_sources(stage, section.u(registers[2]), 0))?);
            if !integrator.has_predictor() {
                launches.extend(self.all(|section| section.records_of_point_sources(registers[2], c_next))?);
            }
            launches.extend(self.end_stage([start, registers[2]], c_next)?);
        }
        Ok(launches)
    }

    /// One step of ADER in a medium that depends on time: the solution inside elements as a series in time, and stages from it.
    fn step_by_series(self, start: usize, renew: bool) -> Result<Vec<Launch<'a>>, Error> {
        let [then, to] = Self::others(start);
        let (stages, last) = (self.setup.stages(), self.setup.stages().len() - 1);
        let times = gauss_legendre(self.setup.order + 1).0;
        let mut launches = Vec::new();
        for (i, c) in times.iter().enumerate() {
            launches.extend(self.all(|section| section.renew_medium_in_elements("media", *c, [i, times.len()]))?);
        }
        launches.extend(self.all(|section| section.predict_series(start))?);
        for (i, stage) in stages.iter().enumerate() {
            launches.extend(self.all(|section| section.evaluate_series([start, then], stage.c))?);
            launches.extend(self.all(|section| section.add_point_sources(stage, section.u(then), 1))?);
            launches.extend(self.renew_medium(stage.c)?);
            launches.extend(self.records_of(then, stage.c)?);
            launches.extend(self.each(|section| section.stage(stage, 1.0, renew && i == last, [start, then, to]))?);
            launches.extend(self.all(|section| section.add_point_sources(stage, section.u(to), 0))?);
        }
        launches.extend(self.renew_medium(1.0)?);
        Ok(launches)
    }

    /// What follows a stage of a step from the register `start`: the medium and its ghost states are those of `c_next`, `c_next` steps after
    /// the start, and the result in register `to` is limited.
    pub(super) fn end_stage(self, [start, to]: [usize; 2], c_next: f64) -> Result<Vec<Launch<'a>>, Error> {
        let mut launches = self.renew_medium(c_next)?;
        launches.extend(self.limit_stage([start, to], c_next)?);
        if !launches.is_empty() && self.setup.changing_medium().is_some() {
            launches.extend(self.records_of(to, c_next)?);
        }
        Ok(launches)
    }

    /// Renews a medium that depends on time, for the time `c` steps after the start of the step.
    pub(super) fn renew_medium(self, c: f64) -> Result<Vec<Launch<'a>>, Error> {
        self.all(|section| section.renew_medium(c))
    }

    /// The predictor of a step from the register `start`, if the integrator has one: the mean over the step by Taylor's series inside each
    /// element. That does not see how the solution jumps between elements, much around point sources: there the series is that of the
    /// residual, mean by mean from the last on (`templates/kernels/boundary_mean.cu`), each of some more elements than the next one.
    pub(super) fn predict(self, start: usize) -> Result<Vec<Launch<'a>>, Error> {
        let [mean, other] = Self::others(start);
        let order = self.setup.order;
        let inside = || self.all(|section| section.predict([start, mean]));
        if !self.setup.predicts_mean() || self.setup.point_sources.is_empty() || order == 0 {
            return inside();
        }
        let register = |n: usize| [mean, other][n % 2];
        // The solution at the start stands for the last one.
        let mut from = start;
        let mut launches = self.all(|section| section.records_around_sources(start, order))?;
        for n in (0..order).rev() {
            if n == 0 {
                launches.extend(inside()?);
            }
            let to = register(n);
            launches.extend(self.all(|section| section.mean_around_sources(n, [start, from, to]))?);
            launches.extend(self.all(|section| section.add_point_sources(&Stage::mean(n), section.u(to), n + 1))?);
            launches.extend(self.all(|section| section.records_around_sources(to, n))?);
            from = to;
        }
        Ok(launches)
    }

    /// One step of an additive method: the explicit half of each stage computes a residual, the implicit half the state of the stage.
    fn additive_step(self, method: &Additive, start: usize, renew: bool) -> Result<Vec<Launch<'a>>, Error> {
        let [to, unused] = Self::others(start);
        let (stages, last) = (self.setup.integrator.stages(), method.halves.len() - 1);
        let mut launches = self.renew_medium(0.0)?;
        if let Some(gamma) = method.at_start {
            launches.extend(self.each(|section| section.find_source(gamma, [start, to]))?);
        }
        for (i, (explicit, implicit)) in stages.iter().zip(method.halves).enumerate() {
            let from = if i == 0 { start } else { to };
            let (half, bound_next) = ((i, explicit, implicit.c), renew && i == last);
            launches.extend(self.each(|section| section.explicit_half(half, bound_next, [start, from, unused]))?);
            launches.extend(self.all(|section| section.add_point_sources(explicit, section.explicit(i), 0))?);
            launches.extend(self.renew_medium(implicit.c)?);
            launches.extend(self.each(|section| section.implicit_half(method, i, [start, to]))?);
        }
        Ok(launches)
    }

    /// The stages of a step from the register `start`, without bounds and without limiting.
    pub(super) fn bare_stages(self, start: usize) -> Result<Vec<Launch<'a>>, Error> {
        let mut launches = Vec::new();
        for (stage, registers, c_next, _) in self.stages_from(start) {
            launches.extend(self.each(|section| section.stage(stage, c_next, false, registers))?);
        }
        Ok(launches)
    }

    /// The registers that the predictor and the stages of a step from the register `start` write to in turns.
    fn others(start: usize) -> [usize; 2] {
        [(start + 1) % REGISTERS, (start + 2) % REGISTERS]
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

    /// Copies the residual of the solution to where stages subtract it; nothing must have been copied there before. The clock is left with a
    /// step of length 1.
    pub(super) fn find_balance(self) -> Result<(), Error> {
        let Self { device, state, .. } = self;
        let mut numbers = state.clock(device)?;
        numbers[CLOCK_DT] = 1.0;
        state.set_clock(device, &numbers)?;
        let [to, _] = Self::others(state.current);
        let registers = [state.current, state.current, to];
        self.run(self.each(|section| section.stage(&Stage::RESIDUAL, 0.0, false, registers))?)?;
        Ok(device.copy(&state.registers[to]["u"], &state.buffers["balance"])?)
    }

    /// Computes the records of the current solution at the time of the clock, as a step would have left them: to the bit, so that a run
    /// resumes to the same bits. A stage of length zero changes no coefficient and writes the records of its result; where something else
    /// writes them last in a step, that has done it here before.
    pub(super) fn renew_records(self) -> Result<(), Error> {
        let Self { setup, device, state, .. } = self;
        let current = state.current;
        self.run(self.records(current)?)?;
        let integrator = setup.integrator;
        let stage_is_last = setup.limiter.is_none() && setup.changing_medium().is_none();
        if integrator.has_implicit_source() || integrator.has_predictor() || !stage_is_last {
            return Ok(());
        }
        let numbers = state.clock(device)?;
        let mut standing = numbers;
        standing[CLOCK_DT] = 0.0;
        state.set_clock(device, &standing)?;
        let [to, _] = Self::others(current);
        self.run(self.each(|section| section.stage(&Stage::RESIDUAL, 0.0, false, [current, current, to]))?)?;
        device.copy(&state.registers[to]["records"], &state.registers[current]["records"])?;
        self.run(self.all(|section| section.records_of_point_sources(current, 0.0))?)?;
        state.set_clock(device, &numbers)
    }

    /// Advances the clock between two steps; the last one led from register `start` to `end`.
    pub(super) fn advance_clock(self, what: AdvanceClock, [start, end]: [usize; 2]) -> Result<Vec<Launch<'a>>, Error> {
        let Self { device, state, .. } = self;
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
        // It depends on nothing in which sections differ.
        launches.push(device.prepare(&self.sections[0].program.kernels.advance_clock, 0..1, &args, &[])?);
        Ok(launches)
    }

    /// Launches that reduce the elements' bounds on the next step to a few numbers: to minima of their longest stable steps or, after a
    /// step, to maxima of their Courant numbers in it, or with a tolerance to sums of their shares of its squared error. After a step on
    /// CUDA the stage has begun with that, which a limiter that finds elements inadmissible makes void.
    pub(super) fn shorten_bounds(self, after_step: bool) -> Result<(Vec<Launch<'a>>, Columns<'a>), Error> {
        let operation = match (after_step, self.setup.tolerance) {
            (false, _) => Operation::Min,
            (true, None) => Operation::Max,
            (true, Some(_)) => Operation::Sum,
        };
        let has_begun = after_step && self.device.is_cuda() && self.setup.limiter.is_none();
        let bounds = if has_begun { &self.state.warp_bounds } else { &self.state.bounds };
        bounds.shorten(&self.sections[0].program, operation)
    }

    /// Bounds the first step, from the solution alone.
    pub(super) fn first_bound(self) -> Result<Vec<Launch<'a>>, Error> {
        let current = self.state.current;
        let share = self.setup.first_source_share();
        let mut launches = self.each(|section| section.time_step(current, section.bounds(), share))?;
        launches.extend(self.advance_clock(AdvanceClock { renew: true, ..AdvanceClock::default() }, [current; 2])?);
        Ok(launches)
    }

    /// Computes the records of a solution that is not the result of a stage, at the time of the clock.
    pub(super) fn records(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        self.records_of(register, 0.0)
    }

    /// The same for the time `c` steps after the start of the step.
    fn records_of(self, register: usize, c: f64) -> Result<Vec<Launch<'a>>, Error> {
        self.each(|section| section.records_of(register, c, 0..section.domain.elements()))
    }

    /// Leaves in a column the longest stable step of every element of the solution in a register, NaN where it is inadmissible.
    pub(super) fn find_longest_steps(self, register: usize, column: &Reduction) -> Result<(), Error> {
        self.find_longest_steps_with(register, column, self.setup.source_share())
    }

    /// The same with another share of the source.
    fn find_longest_steps_with(self, register: usize, column: &Reduction, source_share: f64) -> Result<(), Error> {
        self.run(self.each(|section| section.time_step(register, column.of(section.number), source_share))?)
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
        let column = self.new_columns(1)?;
        self.find_longest_steps_with(self.state.current, &column, source_share)?;
        Ok(self.setup.cfl * self.reduce(&column, 1, Operation::Min)?[0])
    }
}

/// The least number of steps, but at least [`SHORT_CYCLE`], after which both the registers have their old roles and a
/// new step size is due, where a size serves for `every` steps.
pub(super) fn cycle(every: u64) -> u64 {
    let registers = REGISTERS as u64;
    let least = if every.is_multiple_of(registers) { every } else { registers.saturating_mul(every) };
    least.saturating_mul(SHORT_CYCLE.div_ceil(least))
}
