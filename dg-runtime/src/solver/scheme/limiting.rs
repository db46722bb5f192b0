//! The launches that limit the result of a stage.

use crate::device::{Launch, args};

use super::super::Error;
use super::super::program::{IndicatorKernels, LimitingKernels};
use super::super::reduce::Operation;
use super::Scheme;

/// Where the limiter's lower bounds on initial data come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum InitialBounds {
    /// From the solution, which is within bounds already.
    Solution,
    /// From the data of which the solution is the projection: a kernel has found them before.
    Data,
}

impl<'a> Scheme<'a> {
    /// Limits the current solution like initial data, without a step.
    pub(in super::super) fn limit_once(self, bounds: InitialBounds) -> Result<Vec<Launch<'a>>, Error> {
        let Some(kernels) = &self.program.kernels.limiting else { return Ok(Vec::new()) };
        let current = self.state.current;
        let mut launches = self.find_largest_square(kernels, current)?;
        launches.extend(self.indicate(current)?);
        if bounds == InitialBounds::Solution {
            launches.extend(self.find_bounds(kernels, current)?);
        }
        launches.extend(self.limit(kernels, [current; 2], 0.0, false)?);
        Ok(launches)
    }

    /// Gathers the limiter's data of a register before a step from there.
    pub(in super::super) fn begin_limiting(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        match &self.program.kernels.limiting {
            // With an indicator, bounds are found later, only in troubled elements.
            Some(kernels) if kernels.indicator.is_some() => self.find_largest_square(kernels, register),
            Some(kernels) => Ok(self.find_bounds(kernels, register)?.into_iter().collect()),
            None => Ok(Vec::new()),
        }
    }

    /// Finds the largest square of a mean, to which the indicator compares the modes, if there is one.
    fn find_largest_square(self, kernels: &'a LimitingKernels, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        let (Some(IndicatorKernels { squares, .. }), Some(reduction)) = (&kernels.indicator, &self.state.squares)
        else {
            return Ok(Vec::new());
        };
        let args = args! { u: &self.state.registers[register]["u"], squares: reduction.values() };
        let mut launches = vec![self.on_elements(squares, &args)?];
        launches.extend(reduction.launches(self.program, 1, Operation::Max)?);
        Ok(launches)
    }

    /// Finds the troubled elements of a register, if there is an indicator.
    pub(in super::super) fn indicate(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let indicator = self.program.kernels.limiting.as_ref().and_then(|kernels| kernels.indicator.as_ref());
        let (Some(IndicatorKernels { indicate, .. }), Some(squares)) = (indicator, &self.state.squares) else {
            return Ok(None);
        };
        let args = args! { u: &self.state.registers[register]["u"], largest: squares.result() };
        self.on_elements(indicate, &args).map(Some)
    }

    /// Limits the result of a stage in register `to`; the step starts from register `start`, the result belongs to `c` steps later.
    pub(in super::super) fn limit_stage(self, [start, to]: [usize; 2], c: f64) -> Result<Vec<Launch<'a>>, Error> {
        let Some(kernels) = &self.program.kernels.limiting else { return Ok(Vec::new()) };
        let mut launches = Vec::new();
        if let Some(indicate) = self.indicate(to)? {
            launches.push(indicate);
            launches.extend(self.find_bounds(kernels, start)?);
        }
        launches.extend(self.limit(kernels, [start, to], c, true)?);
        Ok(launches)
    }

    /// Limits a register, once troubled elements and lower bounds are known.
    fn limit(
        self,
        kernels: &'a LimitingKernels,
        [start, to]: [usize; 2],
        c: f64,
        in_step: bool,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let [before, after] = [start, to].map(|register| &self.state.registers[register]);
        let mut launches = Vec::new();
        if let Some(moments) = &kernels.moments {
            let (u, valence) = (&after["u"], self.domain.valence);
            launches.push(match valence {
                // Those of neighbours are enough.
                0 => self.on_elements(moments, &args! { u: u })?,
                _ => self.on_elements(moments, &args! { u: u, valence: valence })?,
            });
        }
        let args = args! {
            u: &after["u"],
            records: &after["records"],
            before: &before["u"],
            valence: self.domain.valence,
            bounds: self.state.bounds.values(),
            elements: self.domain.elements(),
            c: c,
            in_step: in_step,
        };
        launches.push(self.on_elements(&kernels.limit, &args)?);
        Ok(launches)
    }

    /// Finds the limiter's lower bounds, if it has any.
    fn find_bounds(self, kernels: &'a LimitingKernels, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let bounds = |kernel| self.on_elements(kernel, &args! { u: &self.state.registers[register]["u"] });
        kernels.least.as_ref().map(bounds).transpose()
    }

    /// Where the bounds on a projection come from: for a scalar law, whose range they keep, from the data.
    pub(in super::super) fn bounds_of_projection(self) -> InitialBounds {
        let has_bounds = self.program.kernels.limiting.as_ref().is_some_and(|kernels| kernels.least.is_some());
        let is_scalar = self.setup.law.state.len() == 1;
        if has_bounds && is_scalar { InitialBounds::Data } else { InitialBounds::Solution }
    }
}
