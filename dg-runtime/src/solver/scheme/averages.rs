//! The launches that average the solution in time.

use crate::device::{Launch, args};
use crate::law::protocol::{AVERAGES_DURATION, AVERAGES_NUMBERS, AVERAGES_TIME};

use super::super::Error;
use super::super::transfer::Transfer;
use super::{OnSection, Scheme};

impl<'a> OnSection<'a> {
    fn average(self, register: usize) -> Result<Option<Launch<'a>>, Error> {
        let Some(kernels) = &self.program.kernels.averages else { return Ok(None) };
        let args = args! { u: self.u(register), numbers: self.averages().map_or(0, Transfer::numbers) };
        self.on_elements(&kernels.average, &args).map(Some)
    }

    /// The numbers of averages of a kind in the section, if there are any.
    pub(in super::super) fn averages(self) -> Option<Transfer> {
        Transfer::averages(self.setup, self.program.unit, self.domain.elements())
    }
}

impl<'a> Scheme<'a> {
    /// Averages the solution of a register, where a step begins: up to the time of the clock.
    pub(in super::super) fn average(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        let (Some(kernels), Some((_, from))) =
            (&self.sections[0].program.kernels.averages, &self.setup.measured.averaged)
        else {
            return Ok(Vec::new());
        };
        let others = [(&self.state.buffers).into()];
        let mut launches = vec![self.device.prepare(&kernels.advance, 0..1, &args! { from: *from }, &others)?];
        launches.extend(self.all(|section| section.average(register))?);
        Ok(launches)
    }

    /// Lets averages that cover a duration go on from the solution as it is, at its time.
    pub(in super::super) fn start_averages(self, time: f64, duration: f64) -> Result<(), Error> {
        if self.setup.measured.averaged.is_none() {
            return Ok(());
        }
        let mut clock = [0.0; AVERAGES_NUMBERS];
        (clock[AVERAGES_TIME], clock[AVERAGES_DURATION]) = (time, duration);
        self.device.upload(&self.state.buffers["average_clock"], &clock)?;
        // Without time in between it only takes the values.
        self.run(self.average(self.state.current)?)
    }
}
