//! Averages in time, which the device gathers in every step.

use crate::device::{Launch, args};
use crate::law::Unit;
use crate::solver::inventory::{Inventory, Part};
use crate::solver::scheme::Scheme;
use crate::solver::transfer::Transfer;
use crate::solver::{Error, Setup, Solver};

/// Numbers of `average_clock`.
const CLOCK: usize = 5;

/// Averages in time at the Lagrange nodes of every element.
#[derive(Clone, Debug, PartialEq)]
pub struct Averages {
    /// The time that they cover; 0 before they begin.
    pub duration: f64,
    /// `[element][node][quantity]`: the means; the values themselves before averages begin.
    pub means: Vec<f64>,
    /// Likewise the integrals in time of the squares of the differences from the means: the variances times the duration.
    pub squares: Vec<f64>,
}

impl Averages {
    /// The variances, in the order of the means; 0 before averages begin.
    pub fn variances(&self) -> Vec<f64> {
        let of = |squares: &f64| if self.duration > 0.0 { squares / self.duration } else { 0.0 };
        self.squares.iter().map(of).collect()
    }
}

/// The numbers of a kind for every element, if the setup has averages.
fn transfer(setup: &Setup, unit: &Unit, elements: usize) -> Option<Transfer> {
    let (quantities, _) = setup.measured.averaged.as_ref()?;
    let fields = quantities.names.len() * unit.reference().operators.sample_points.len();
    Some(Transfer { precision: setup.precision, items: elements, fields })
}

const VALUES: &str = "averaged_values";
const MEANS: &str = "averaged_means";
const SQUARES: &str = "averaged_squares";

/// Declares the buffers of averages, if the setup has any.
pub(in crate::solver) fn inventory(inventory: &mut Inventory<'_>, setup: &Setup, unit: &Unit, elements: usize) {
    let Some(transfer) = transfer(setup, unit, elements) else { return };
    inventory.doubles(Part::Reductions, "average_clock", CLOCK);
    for name in [VALUES, MEANS, SQUARES] {
        inventory.reals_of_elements(Part::Reductions, name, transfer.fields, true);
    }
}

impl<'a> Scheme<'a> {
    /// Averages the solution of a register, where a step begins: up to the time of the clock.
    pub(in crate::solver) fn average(self, register: usize) -> Result<Vec<Launch<'a>>, Error> {
        let (Some([advance, average]), Some((_, from))) =
            (&self.program.kernels.average, &self.setup.measured.averaged)
        else {
            return Ok(Vec::new());
        };
        let buffers = &self.state.buffers;
        let args = args! { from: *from };
        let clock = self.program.device.prepare(advance, 0..1, &args, &[buffers])?;
        let args = args! { u: &self.state.registers[register]["u"], numbers: buffers[MEANS].numbers() };
        Ok(vec![clock, self.on_elements(average, &args)?])
    }
}

impl Solver {
    /// The averages up to the time of the solution; `None` where the setup has none.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn averages(&self) -> Result<Option<Averages>, Error> {
        let Some(transfer) = transfer(&self.setup, self.unit(), self.mesh().element_count()) else { return Ok(None) };
        let scheme = self.scheme();
        scheme.run(scheme.average(self.state.current)?)?;
        let mut clock = [0.0; CLOCK];
        self.device().download(&self.state.buffers["average_clock"], &mut clock)?;
        let read = |name: &str| transfer.read(self.device(), &self.state.buffers[name]);
        Ok(Some(Averages { duration: clock[1], means: read(MEANS)?, squares: read(SQUARES)? }))
    }

    /// Continues averages at the time of the solution, as when resuming from a checkpoint.
    ///
    /// # Errors
    /// Errors of the device.
    ///
    /// # Panics
    /// If they are of another setup or mesh.
    pub fn set_averages(&mut self, averages: &Averages) -> Result<(), Error> {
        let Some(transfer) = transfer(&self.setup, self.unit(), self.mesh().element_count()) else { return Ok(()) };
        for (name, values) in [(MEANS, &averages.means), (SQUARES, &averages.squares)] {
            assert_eq!(values.len(), transfer.items * transfer.fields, "averages of every element");
            transfer.write(self.device(), &self.state.buffers[name], |element, v| {
                v.copy_from_slice(&values[element * transfer.fields..][..transfer.fields]);
            })?;
        }
        self.start_averages(averages.duration)
    }

    /// Lets averages that cover this time go on from the solution as it is.
    pub(in crate::solver) fn start_averages(&mut self, duration: f64) -> Result<(), Error> {
        if self.setup.measured.averaged.is_none() {
            return Ok(());
        }
        let scheme = self.scheme();
        let clock = [scheme.clock()?.time, duration, 0.0, 0.0, 0.0];
        self.device().upload(&self.state.buffers["average_clock"], &clock)?;
        // Without time in between it only takes the values.
        scheme.run(scheme.average(self.state.current)?)
    }
}
