//! The launches that limit the result of a stage.

use crate::device::{Buffer, Launch, args};

use super::super::Error;
use super::super::program::{BoundKernels, IndicatorKernels, LimitingKernels};
use super::super::reduce::{Operation, Reduction};
use super::outside::InitialBounds;
use super::{OnSection, Scheme};

impl<'a> Scheme<'a> {
    /// Limits the current solution like initial data, without a step.
    pub(in super::super) fn limit_once(self, bounds: InitialBounds) -> Result<Vec<Launch<'a>>, Error> {
        let current = self.state.current;
        let mut launches = self.find_largest_square(current)?;
        launches.extend(self.indicate(current)?);
        if bounds == InitialBounds::Solution {
            launches.extend(self.find_bounds(current)?);
        }
        launches.extend(self.limit([current; 2], 0.0, false)?);
        Ok(launches)
    }

    /// Gathers the limiter's data of a register before a step from there.
    pub(in super::super) fn begin_limiting(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        // With an indicator, bounds are found later, only in troubled elements.
        if self.state.squares.is_some() { self.find_largest_square(register) } else { self.find_bounds(register) }
    }

    /// Finds the largest square of a mean, to which the indicator compares the modes, if there is one.
    fn find_largest_square(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        let Some(reduction) = &self.state.squares else { return Ok(Vec::new()) };
        let mut launches = self.all(|section| section.squares(reduction, register))?;
        launches.extend(reduction.launches(&self.sections[0].program, 1, Operation::Max)?);
        Ok(launches)
    }

    /// Finds the troubled elements of a register, if there is an indicator.
    pub(in super::super) fn indicate(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        let Some(squares) = &self.state.squares else { return Ok(Vec::new()) };
        self.all(|section| section.indicate(squares, register))
    }

    /// Limits the result of a stage in register `to`; the step starts from register `start`, the result belongs to `c` steps later.
    pub(in super::super) fn limit_stage(self, [start, to]: [usize; 2], c: f64) -> Result<Vec<Launch<'a>>, Error> {
        let mut launches = self.indicate(to)?;
        if !launches.is_empty() {
            launches.extend(self.find_bounds(start)?);
        }
        launches.extend(self.limit([start, to], c, true)?);
        Ok(launches)
    }

    /// Limits a register, once troubled elements and lower bounds are known.
    fn limit(self, [start, to]: [usize; 2], c: f64, in_step: bool) -> Result<Vec<Launch<'a>>, Error> {
        let mut launches = self.all(|section| section.means(to))?;
        launches.extend(self.all(|section| section.moments(to))?);
        launches.extend(self.all(|section| section.limit([start, to], c, in_step))?);
        Ok(launches)
    }

    /// Finds the limiter's lower bounds, if it has any.
    fn find_bounds(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        self.all(|section| section.least(register))
    }

    /// Where the bounds on a projection come from: for a scalar law, whose range they keep, from the data.
    pub(in super::super) fn bounds_of_projection(self) -> InitialBounds {
        let law = self.setup.law;
        let has_bounds = self.setup.limiter.is_some_and(|limiter| limiter.needs_bounds(law));
        if has_bounds && law.state.len() == 1 { InitialBounds::Data } else { InitialBounds::Solution }
    }
}

impl<'a> OnSection<'a> {
    fn limiting(self) -> Option<&'a LimitingKernels> {
        self.program.kernels.limiting.as_ref()
    }

    fn indicator(self) -> Option<&'a IndicatorKernels> {
        self.limiting()?.indicator.as_ref()
    }

    fn bounding(self) -> Option<&'a BoundKernels> {
        self.limiting()?.least.as_ref()
    }

    fn squares(self, reduction: &'a Reduction, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(IndicatorKernels { squares, .. }) = self.indicator() else { return Ok(None) };
        let args = args! { u: self.u(register), squares: reduction.of(self.number) };
        self.on_elements(squares, &args).map(Some)
    }

    fn indicate(self, squares: &'a Reduction, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(IndicatorKernels { indicate, .. }) = self.indicator() else { return Ok(None) };
        self.on_elements(indicate, &args! { u: self.u(register), largest: squares.result() }).map(Some)
    }

    /// Gathers the means of a register, if limiters of other sections read any.
    fn means(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(means) = self.limiting().and_then(|kernels| kernels.means.as_ref()) else { return Ok(None) };
        self.on_elements(means, &args! { u: self.u(register) }).map(Some)
    }

    /// Gathers the derivatives of a register, if the limiter reads any.
    fn moments(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(moments) = self.limiting().and_then(|kernels| kernels.moments.as_ref()) else { return Ok(None) };
        let args = args! { u: self.u(register), valence: self.domain.valence, troubled: self.of_all("troubled") };
        self.on_elements(moments, &args).map(Some)
    }

    fn limit(self, [start, to]: [usize; 2], c: f64, in_step: bool) -> Result<Option<Launch<'a>>, Error> {
        let Some(kernels) = self.limiting() else { return Ok(None) };
        let args = args! {
            u: self.u(to),
            records: self.records(to),
            before: self.u(start),
            valence: self.domain.valence,
            least: self.of_all("least"),
            means: self.of_all("means"),
            derivatives: self.of_all("derivatives"),
            first: self.first_row(),
            bounds: self.bounds(),
            elements: self.domain.elements(),
            c: c,
            in_step: in_step,
        };
        self.on_elements(&kernels.limit, &args).map(Some)
    }

    fn least(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(BoundKernels { of_solution, .. }) = self.bounding() else { return Ok(None) };
        let args = args! { u: self.u(register), troubled: self.of_all("troubled"), first: self.first_row() };
        self.on_elements(of_solution, &args).map(Some)
    }

    /// Finds the limiter's lower bounds, if it has any, on the initial state at a time.
    pub(super) fn least_of_initial(self, time: f64) -> Result<Option<Launch<'a>>, Error> {
        let Some(BoundKernels { of_initial: Some(kernel), .. }) = self.bounding() else { return Ok(None) };
        self.on_elements(kernel, &args! { time: time }).map(Some)
    }

    /// The same on values at the points of the projection in the first elements.
    pub(super) fn least_of_values(self, elements: usize, values: &'a Buffer) -> Result<Option<Launch<'a>>, Error> {
        let Some(BoundKernels { of_values: Some(of_values), .. }) = self.bounding() else { return Ok(None) };
        self.on(of_values, 0..elements, &args! { values: values }).map(Some)
    }
}
