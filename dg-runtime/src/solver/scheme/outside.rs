//! The launches outside a cycle of steps: those that begin a computation, and those that look at a solution.

use crate::device::{Buffer, ELEMENT_BLOCK, Launch, args};

use super::super::Error;
use super::super::program::present;
use super::super::reduce::Reduction;
use super::super::transfer::Transfer;
use super::section::OnSection;

/// Where the limiter's lower bounds on initial data come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum InitialBounds {
    /// From the solution, which is within bounds already.
    Solution,
    /// From the data of which the solution is the projection: a kernel has found them before.
    Data,
}

impl<'a> OnSection<'a> {
    /// Projects the initial state at a time, and finds the limiter's bounds on it if they come from there.
    pub(in super::super) fn project(self, time: f64, bounds: InitialBounds) -> Result<Vec<Launch<'a>>, Error> {
        let kernel = present(&self.program.kernels.project, "project")?;
        let project = self.on_elements(kernel, &args! { u: self.solution(), time: time })?;
        let least = if bounds == InitialBounds::Data { self.least_of_initial(time)? } else { None };
        Ok([project].into_iter().chain(least).collect())
    }

    /// The same for values at the points of the projection in the first elements.
    pub(in super::super) fn project_values(
        self,
        elements: usize,
        values: &'a Buffer,
        bounds: InitialBounds,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let kernel = &self.program.kernels.project_values;
        let project = self.on(kernel, 0..elements, &args! { u: self.solution(), values: values })?;
        let least = if bounds == InitialBounds::Data { self.least_of_values(elements, values)? } else { None };
        Ok([project].into_iter().chain(least).collect())
    }

    /// Leaves the integral of every component over every element in columns; `determinants` are the elements' det J.
    pub(in super::super) fn integrate(
        self,
        determinants: &'a Buffer,
        columns: &'a Reduction,
    ) -> Result<Launch<'a>, Error> {
        let args = args! {
            u: self.solution(),
            determinants: determinants,
            integrals: columns.of(self.number),
            stride: columns.stride(),
        };
        self.on_elements(&self.program.kernels.integrate, &args)
    }

    /// Leaves in columns the integrals of the errors of every component and of their squares, and the largest errors.
    pub(in super::super) fn errors(self, time: f64, columns: &'a Reduction) -> Result<Launch<'a>, Error> {
        let errors = columns.of(self.number);
        let args = args! { u: self.solution(), errors: errors, time: time, stride: columns.stride() };
        self.on_elements(present(&self.program.kernels.errors, "errors")?, &args)
    }

    /// Leaves in columns the largest coefficients of the last step's change, and those of the solution.
    pub(in super::super) fn change(self, columns: &'a Reduction) -> Result<Launch<'a>, Error> {
        let maxima = columns.of(self.number);
        let args = args! { u: self.solution(), v: self.before(), maxima: maxima, stride: columns.stride() };
        self.on_elements(&self.program.kernels.change, &args)
    }

    /// Leaves in columns the number of waves that enter an element through each of its faces.
    pub(in super::super) fn entering(self, columns: &'a Reduction) -> Result<Launch<'a>, Error> {
        let counts = columns.of(self.number);
        let args = args! { u: self.solution(), counts: counts, stride: columns.stride() };
        self.on_elements(&self.program.kernels.entering, &args)
    }

    /// Components and outputs at the Lagrange nodes of the first elements.
    pub(in super::super) fn sample(self, elements: usize, samples: &'a Buffer, time: f64) -> Result<Launch<'a>, Error> {
        let args = args! { u: self.solution(), samples: samples, time: time };
        self.on(&self.program.kernels.sample, 0..elements, &args)
    }

    /// The states of a register at which the scheme evaluates the law, in the block of elements that begins with this one.
    pub(in super::super) fn examine(
        self,
        register: usize,
        first: usize,
        states: &'a Buffer,
    ) -> Result<Launch<'a>, Error> {
        let args = args! { u: self.u(register), states: states, first: first };
        self.on(&self.program.kernels.examine, 0..ELEMENT_BLOCK, &args)
    }

    /// Makes sure that these kernels get all their arguments, by preparing all launches. Buffers that launches alone need are as long as for
    /// one block of elements.
    ///
    /// # Errors
    /// [`device::Error::Argument`](crate::device::Error::Argument).
    pub(super) fn check_outside(self, columns: &Reduction) -> Result<(), Error> {
        let Self { setup, program, domain, .. } = self;
        let elements = domain.elements().min(ELEMENT_BLOCK);
        let values = Transfer::initial_values(setup, program.unit, elements).allocate(&program.device)?;
        let samples = Transfer::samples(setup, program.unit, elements).allocate(&program.device)?;
        let states = Transfer::examined(setup, program.unit).allocate(&program.device)?;
        if setup.initial.is_some() {
            self.project(0.0, InitialBounds::Data)?;
        }
        if setup.exact.is_some() {
            self.errors(0.0, columns)?;
        }
        self.project_values(elements, &values, InitialBounds::Data)?;
        self.integrate(&domain.buffers["determinants"], columns)?;
        self.change(columns)?;
        self.entering(columns)?;
        self.sample(elements, &samples, 0.0)?;
        self.examine(0, 0, &states)?;
        self.time_step(0, columns.of(self.number), 0.0)?;
        Ok(())
    }
}
