//! What a device can do at best, measured on it: the two ceilings of its roofline.

use crate::compile::Options;
use crate::device::{Arg, Device};
use crate::law::{KernelCost, Unit};

use super::layout::padded;
use super::{Error, Precision};

/// The ceilings of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Bytes that a copy reads and writes in a second.
    pub bytes_per_second: f64,
    /// Flops in a second of independent multiply-adds.
    pub flops_per_second: f64,
}

/// Measurements of each ceiling, of which the best counts.
const TRIALS: usize = 7;

/// Flops of a multiply-add times `PEAK_CHAINS` times `PEAK_LINKS` of the kernel `peak`.
const FLOPS_OF_ROUND: usize = 2 * 16 * 8;
const ROUNDS: usize = 256;

impl Limits {
    /// Measures the ceilings; any unit of a law will do.
    ///
    /// # Errors
    /// The device's own.
    pub fn measure(device: &Device, unit: &Unit, precision: Precision) -> Result<Self, Error> {
        let bytes = if device.is_cuda() { 1 << 30 } else { 1 << 28 };
        let (from, to) = (device.allocate(bytes)?, device.allocate(bytes)?);
        let copy = shortest(device, || Ok(device.copy(&from, &to)?))?;

        let elements = padded(if device.is_cuda() { 1 << 20 } else { 1 << 14 });
        let defines = [("PRECISION", precision.c_type()), ("PEAK", "1")];
        let defines = defines.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let kernel = device.compile(unit.source, &Options { defines, ..Options::default() })?.kernel("peak")?;
        let sums = precision.allocate(device, elements)?;
        let args = [Arg::Buffer(&sums), Arg::Real(0.5), Arg::Real(0.5), Arg::Int(ROUNDS as i64)];
        let peak = shortest(device, || Ok(device.launch(&kernel, elements, &args)?))?;
        Ok(Self {
            bytes_per_second: (2 * bytes) as f64 / copy,
            flops_per_second: (FLOPS_OF_ROUND * ROUNDS * elements) as f64 / peak,
        })
    }

    /// Seconds in which no kernel of this cost can be faster.
    pub fn floor(&self, cost: &KernelCost, elements: usize, precision: Precision) -> f64 {
        let traffic = (bytes(cost, precision) * elements) as f64 / self.bytes_per_second;
        traffic.max((cost.flops * elements) as f64 / self.flops_per_second)
    }
}

/// Least traffic of a kernel for one element.
pub fn bytes(cost: &KernelCost, precision: Precision) -> usize {
    cost.reals * precision.bytes() + cost.integers * size_of::<u32>()
}

/// The shortest time of several, after one that is not looked at.
fn shortest(device: &Device, work: impl Fn() -> Result<(), Error>) -> Result<f64, Error> {
    work()?;
    device.synchronize()?;
    (0..TRIALS).try_fold(f64::INFINITY, |shortest, _| Ok(shortest.min(device.time(&work)?)))
}
