//! The launches at points of the mesh: around point sources, and at receivers.

use std::ops::Range;

use crate::device::{Buffers, Launch, View, args};

use super::super::{Error, Stage};
use super::section::OnSection;

impl<'a> OnSection<'a> {
    /// Adds the point sources to the result of a stage, or where `power` is not 0 to that of the predictor: see
    /// `templates/kernels/point_sources.cu`.
    pub(super) fn add_point_sources(
        self,
        stage: &Stage,
        u_next: View<'a>,
        power: usize,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let Some(kernel) = &self.program.kernels.add_point_sources else { return Ok(Vec::new()) };
        let launch = |(buffers, count): &'a (Buffers, usize)| {
            let args = args! {
                u_next: u_next,
                rate_numbers: self.point_sources.rate_numbers,
                c: stage.c,
                weight: if power > 0 { 1.0 } else { stage.d + stage.e },
                keep_g: stage.keep_g && power == 0,
                power: power,
            };
            self.on_items(kernel, *count, buffers, &args)
        };
        self.point_sources.layers.iter().map(launch).collect()
    }

    /// Computes the records of a register again around the elements with point sources, for the time `c` steps after the start of the step,
    /// or after the predictor.
    pub(super) fn records_of_point_sources(self, register: usize, c: f64) -> Result<Vec<Launch<'a>>, Error> {
        self.point_sources.blocks.iter().map(|block| self.records_of(register, c, block.clone())).collect()
    }

    /// Mean `n` over a step from the register `start` around point sources, from the next mean.
    pub(super) fn mean_around_sources(self, n: usize, registers: [usize; 3]) -> Result<Vec<Launch<'a>>, Error> {
        let of = |elements: &Range<usize>| self.stage_of(elements.clone(), &Stage::mean(n), 1.0, false, registers);
        self.point_sources.around[n].iter().map(of).collect()
    }

    /// The records of mean `n` in a register around point sources.
    pub(super) fn records_around_sources(self, register: usize, n: usize) -> Result<Vec<Launch<'a>>, Error> {
        let of = |elements: &Range<usize>| self.records_of(register, n as f64, elements.clone());
        self.point_sources.around[n].iter().map(of).collect()
    }

    /// Keeps the solution of a register at the receivers, for the step that begins there.
    pub(in super::super) fn receive(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let (Some(kernel), Some(receivers)) = (&self.program.kernels.receive, self.receivers) else { return Ok(None) };
        let args = args! { u: self.u(register) };
        self.on_items(kernel, receivers.numbers.len(), &receivers.buffers, &args).map(Some)
    }
}
