//! Averages in time, which the device gathers in every step.

use crate::law::protocol::{AVERAGES_DURATION, AVERAGES_NUMBERS};
use crate::solver::scheme::OnSection;
use crate::solver::state::{MEANS, SQUARES};
use crate::solver::{Error, Solver};

/// Averages in time at the Lagrange nodes of every element.
#[derive(Clone, Debug, PartialEq)]
pub struct Averages {
    /// The time that they cover; 0 before they begin.
    pub duration: f64,
    /// `[node][quantity]` of one element behind the other: the means; the values themselves before averages begin.
    pub means: Vec<f64>,
    /// Likewise the integrals in time of the squares of the differences from the means: the variances times the duration.
    pub squares: Vec<f64>,
}

impl Averages {
    /// The variances, in the order of the means; 0 before averages begin.
    pub fn variances(&self) -> Vec<f64> {
        self.squares.iter().map(|&squares| variance(squares, self.duration)).collect()
    }
}

/// The variance from the integral of squares; 0 before averages begin.
pub(super) fn variance(squares: f64, duration: f64) -> f64 {
    if duration > 0.0 { squares / duration } else { 0.0 }
}

impl Solver {
    /// The averages up to the time of the solution; `None` where the setup has none.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn averages(&self) -> Result<Option<Averages>, Error> {
        if self.setup().measured.averaged.is_none() {
            return Ok(None);
        }
        let (scheme, duration) = (self.scheme(), self.renew_averages()?);
        let read = |name: &str| -> Result<Vec<f64>, Error> {
            let of_section = |section: OnSection<'_>| {
                section.averages().map(|transfer| transfer.read(self.device(), section.buffer(name)))
            };
            Ok(scheme.on_sections().filter_map(of_section).collect::<Result<Vec<_>, _>>()?.concat())
        };
        Ok(Some(Averages { duration, means: read(MEANS)?, squares: read(SQUARES)? }))
    }

    /// Brings the averages up to the time of the solution, and says which time they cover.
    pub(super) fn renew_averages(&self) -> Result<f64, Error> {
        let scheme = self.scheme();
        scheme.run(scheme.average(scheme.state.current)?)?;
        let mut clock = [0.0; AVERAGES_NUMBERS];
        scheme.device.download(&scheme.state.buffers["average_clock"], &mut clock)?;
        Ok(clock[AVERAGES_DURATION])
    }

    /// Continues averages at the time of the solution, as when resuming from a checkpoint.
    ///
    /// # Errors
    /// Errors of the device.
    ///
    /// # Panics
    /// If they are of another setup or mesh.
    pub fn set_averages(&mut self, averages: &Averages) -> Result<(), Error> {
        for (name, values) in [(MEANS, &averages.means), (SQUARES, &averages.squares)] {
            let mut rest = &values[..];
            for section in self.scheme().on_sections() {
                let Some(transfer) = section.averages() else { return Ok(()) };
                let (own, behind) = rest.split_at(transfer.items * transfer.fields);
                transfer.write(self.device(), section.buffer(name), |element, v| {
                    v.copy_from_slice(&own[element * transfer.fields..][..transfer.fields]);
                })?;
                rest = behind;
            }
            assert!(rest.is_empty(), "averages of every element");
        }
        self.scheme().start_averages(self.clock()?.time, averages.duration)
    }
}
