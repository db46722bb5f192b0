//! The launches on a section of a mesh.

use std::ops::Range;

use crate::device::{Arg, Buffers, Kernel, Launch, Named, View, args};
use crate::law::Item;

use super::super::domain::Domain;
use super::super::point_sources::PointSources;
use super::super::program::Program;
use super::super::receivers::Receivers;
use super::super::section::Section;
use super::super::state::{EXPLICIT, IMPLICIT, State};
use super::super::{Additive, Error, ImplicitStage, Setup, Stage, additive};

/// Everything that launches on a section need.
#[derive(Clone, Copy)]
pub(in super::super) struct OnSection<'a> {
    /// Its number.
    pub(in super::super) number: usize,
    /// The setup, with its shape and map.
    pub(in super::super) setup: &'a Setup,
    pub(in super::super) program: &'a Program,
    pub(in super::super) domain: &'a Domain,
    pub(in super::super) receivers: Option<&'a Receivers>,
    pub(in super::super) point_sources: &'a PointSources,
    rim: &'a Buffers,
    state: &'a State,
}

impl<'a> OnSection<'a> {
    pub(super) fn new((number, section): (usize, &'a Section), rim: &'a Buffers, state: &'a State) -> Self {
        let Section { setup, program, domain, receivers, point_sources } = section;
        Self { number, setup, program, domain, receivers: receivers.as_ref(), point_sources, rim, state }
    }

    /// The coefficients of a register.
    pub(in super::super) fn u(self, register: usize) -> View<'a> {
        self.register(register, "u")
    }

    /// The coefficients of the solution.
    pub(in super::super) fn solution(self) -> View<'a> {
        self.u(self.state.current)
    }

    /// The coefficients before the last step.
    pub(super) fn before(self) -> View<'a> {
        self.u(self.state.previous)
    }

    /// The records of all sections of a register.
    pub(super) fn records(self, register: usize) -> View<'a> {
        self.register(register, "records")
    }

    fn register(self, register: usize, name: &str) -> View<'a> {
        self.state.registers[register].of(self.number).view(name)
    }

    /// A buffer of the state.
    pub(in super::super) fn buffer(self, name: &str) -> View<'a> {
        self.state.buffers.of(self.number).view(name)
    }

    /// A buffer of the state with the parts of all sections.
    pub(super) fn of_all(self, name: &str) -> View<'a> {
        (&self.state.buffers[name]).into()
    }

    /// The buffers of state, domain and rim.
    fn buffers(self) -> [Named<'a>; 3] {
        [self.state.buffers.of(self.number), (&self.domain.buffers).into(), self.rim.of(self.number)]
    }

    /// The number of its first element among the rows of all sections.
    pub(super) fn first_row(self) -> usize {
        self.state.bounds.rows().first(self.number)
    }

    /// The residual of the explicit half of stage `i`.
    pub(super) fn explicit(self, i: usize) -> View<'a> {
        self.buffer(EXPLICIT[i])
    }

    /// The bounds of the section's elements on the next step.
    pub(super) fn bounds(self) -> View<'a> {
        self.state.bounds.of(self.number)
    }

    /// Launches a kernel on all elements. Arguments that `args` does not name are buffers of state, domain and rim.
    pub(in super::super) fn on_elements(
        self,
        kernel: &'a Kernel,
        args: &[(&'static str, Arg<'a>)],
    ) -> Result<Launch<'a>, Error> {
        self.on(kernel, 0..self.domain.elements(), args)
    }

    /// The same on some elements.
    pub(in super::super) fn on(
        self,
        kernel: &'a Kernel,
        elements: Range<usize>,
        args: &[(&'static str, Arg<'a>)],
    ) -> Result<Launch<'a>, Error> {
        let others = self.buffers();
        Ok(self.program.device.prepare(kernel, elements, args, &others)?)
    }

    /// The same on items that are no elements, whose buffers come first.
    pub(in super::super) fn on_items(
        self,
        kernel: &'a Kernel,
        count: usize,
        of_items: &'a Buffers,
        args: &[(&'static str, Arg<'a>)],
    ) -> Result<Launch<'a>, Error> {
        let [state, domain, rim] = self.buffers();
        Ok(self.program.device.prepare(kernel, 0..count, args, &[of_items.into(), state, domain, rim])?)
    }

    /// Renews a medium that depends on time, for the time `c` steps after the start of the step.
    pub(super) fn renew_medium(self, c: f64) -> Result<Vec<Launch<'a>>, Error> {
        let Some([_, at_faces]) = &self.program.kernels.renew_medium else { return Ok(Vec::new()) };
        let buffers = &self.domain.buffers;
        let faces = buffers.count_of(Item::Face).unwrap_or_default();
        // Faces of other sections, too, have values of this one's sides.
        let args = args! { face_medium: &self.rim["face_medium"] };
        let of_faces = self.program.device.prepare(at_faces, 0..faces, &args, &[buffers.into()])?;
        let of_elements = self.renew_medium_in_elements("medium", c, [0, 1])?;
        Ok(of_elements.into_iter().chain([of_faces]).collect())
    }

    /// The same in elements alone, in a buffer with the medium at several times: at time `number` of `count`.
    pub(super) fn renew_medium_in_elements(
        self,
        buffer: &str,
        c: f64,
        [number, count]: [usize; 2],
    ) -> Result<Option<Launch<'a>>, Error> {
        let Some([kernel, _]) = &self.program.kernels.renew_medium else { return Ok(None) };
        let args = args! { medium: &self.domain.buffers[buffer], c: c, time: number, times: count };
        self.on_elements(kernel, &args).map(Some)
    }

    /// The implicit half of stage `i` of an additive method, for the step from register `start`: its result is in register `to`.
    pub(super) fn implicit_half(self, method: &Additive, i: usize, registers: [usize; 2]) -> Result<Launch<'a>, Error> {
        let change = i + usize::from(method.at_start.is_some());
        self.take_source(&method.halves[i], registers, (change < method.changes()).then_some(change), true)
    }

    /// The change by the source at the start of the step of an additive method. Register `to` becomes that of the start.
    pub(super) fn find_source(self, gamma: f64, registers: [usize; 2]) -> Result<Launch<'a>, Error> {
        let half = ImplicitStage { a: [0.0; additive::MOST], b: [0.0; additive::MOST], gamma, c: 0.0 };
        self.take_source(&half, registers, Some(0), false)
    }

    /// Takes the source implicitly or only finds it; its change is kept as this one, if any.
    fn take_source(
        self,
        half: &ImplicitStage,
        [start, to]: [usize; 2],
        change: Option<usize>,
        implicitly: bool,
    ) -> Result<Launch<'a>, Error> {
        let Some(kernel) = &self.program.kernels.solve_source else { unreachable!("the method is additive") };
        let args = args! {
            u_start: self.u(start),
            u_next: self.u(to),
            records: self.records(to),
            change: self.buffer(IMPLICIT[change.unwrap_or(0)]),
            a_1: half.a[0],
            a_2: half.a[1],
            a_3: half.a[2],
            a_4: half.a[3],
            a_5: half.a[4],
            a_6: half.a[5],
            b_1: half.b[0],
            b_2: half.b[1],
            b_3: half.b[2],
            b_4: half.b[3],
            b_5: half.b[4],
            b_6: half.b[5],
            gamma: half.gamma,
            c: half.c,
            implicitly: implicitly,
            keep_change: change.is_some(),
            elements: self.domain.elements(),
        };
        self.on_elements(kernel, &args)
    }

    /// The predictor of a step from the register `start`, if the integrator has one; its result is in register `to`.
    pub(super) fn predict(self, [start, to]: [usize; 2]) -> Result<Option<Launch<'a>>, Error> {
        let Some(kernel) = &self.program.kernels.predict else { return Ok(None) };
        self.on_elements(kernel, &args! { u: self.u(start), u_mean: self.u(to), records: self.records(to) }).map(Some)
    }

    /// The predictor of a series in time from register `start`, if the integrator has one.
    pub(super) fn predict_series(self, start: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some([predict, _]) = &self.program.kernels.series else { return Ok(None) };
        self.on_elements(predict, &args! { u: self.u(start) }).map(Some)
    }

    /// Evaluates that series, into the register `then`, for the time `c` steps after the start of the step.
    pub(super) fn evaluate_series(self, [start, then]: [usize; 2], c: f64) -> Result<Option<Launch<'a>>, Error> {
        let Some([_, evaluate]) = &self.program.kernels.series else { return Ok(None) };
        self.on_elements(evaluate, &args! { u: self.u(start), u_then: self.u(then), c: c }).map(Some)
    }

    /// The explicit half of stage `i` of an additive method, for the step from register `start`: its residual of register `from`.
    pub(super) fn explicit_half(
        self,
        (i, stage, c_next): (usize, &Stage, f64),
        bound_next: bool,
        [start, from, unused]: [usize; 3],
    ) -> Result<Launch<'a>, Error> {
        // It writes no records.
        let into = [self.explicit(i), self.records(unused)];
        self.stage_into(0..self.domain.elements(), stage, c_next, bound_next, [start, from], into)
    }

    /// One stage of a step from register `start`: from register `from` to register `to`; the next stage is `c_next` steps after the start.
    pub(in super::super) fn stage(
        self,
        stage: &Stage,
        c_next: f64,
        bound_next: bool,
        registers: [usize; 3],
    ) -> Result<Launch<'a>, Error> {
        self.stage_of(0..self.domain.elements(), stage, c_next, bound_next, registers)
    }

    /// The same of some elements.
    pub(in super::super) fn stage_of(
        self,
        elements: Range<usize>,
        stage: &Stage,
        c_next: f64,
        bound_next: bool,
        [start, from, to]: [usize; 3],
    ) -> Result<Launch<'a>, Error> {
        let into = [self.u(to), self.records(to)];
        self.stage_into(elements, stage, c_next, bound_next, [start, from], into)
    }

    /// The same with buffers for the result and its records.
    fn stage_into(
        self,
        elements: Range<usize>,
        stage: &Stage,
        c_next: f64,
        bound_next: bool,
        [start, from]: [usize; 2],
        [u_next, records_next]: [View<'a>; 2],
    ) -> Result<Launch<'a>, Error> {
        let args = args! {
            u: self.u(from),
            u_start: self.u(start),
            u_next: u_next,
            records: self.records(from),
            records_next: records_next,
            passing: self.setup.passing(self.setup.shape),
            source_share: self.setup.source_share(),
            viscous_share: self.setup.viscous_share(),
            bounds: self.bounds(),
            warp_bounds: self.state.warp_bounds.of(self.number),
            past_caches: self.state.past_caches,
            warps: self.program.variant.warps(),
            elements: self.domain.elements(),
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
        self.on(&self.program.kernels.stage, elements, &args)
    }

    /// Finds the longest stable step of every element of the solution in a register, NaN where the solution is inadmissible.
    pub(in super::super) fn time_step(
        self,
        register: usize,
        longest: View<'a>,
        source_share: f64,
    ) -> Result<Launch<'a>, Error> {
        let args = args! {
            u: self.u(register),
            longest: longest,
            passing: self.setup.passing(self.setup.shape),
            source_share: source_share,
            viscous_share: self.setup.viscous_share(),
            first: self.first_row(),
            elements: self.domain.elements(),
        };
        self.on_elements(&self.program.kernels.time_step, &args)
    }

    /// Computes the records of these elements, for the time `c` steps after the start of the step.
    pub(in super::super) fn records_of(
        self,
        register: usize,
        c: f64,
        elements: Range<usize>,
    ) -> Result<Launch<'a>, Error> {
        let args = args! { u: self.u(register), records: self.records(register), c: c };
        self.on(&self.program.kernels.records, elements, &args)
    }
}
