//! The two ceilings of a device's roofline, measured on it.

use std::fmt;

use serde_json::{Value, json};

use crate::device::{Device, Number, Options, args};
use crate::law::geometry::Map;
use crate::law::protocol::{PEAK_CHAINS, PEAK_LINKS};
use crate::law::{Cost, KeptMedium, Law, Unit};
use crate::scheme;

use super::layout::padded;
use super::{Error, Integrator, Precision};

/// The ceilings of a device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ceilings {
    /// Bytes read and written per second by a copy.
    pub(crate) bytes_per_second: f64,
    /// Flops per second of independent multiply-adds.
    pub(crate) flops_per_second: f64,
}

/// The least time in which a device can do some work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Floor {
    /// This time.
    pub(crate) seconds: f64,
    /// The ceiling that sets it.
    pub(crate) ceiling: Ceiling,
}

/// What bounds the speed of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ceiling {
    /// Moving numbers to and from memory.
    Bytes,
    /// Arithmetic.
    Flops,
}

impl fmt::Display for Ceiling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "bytes",
            Self::Flops => "flops",
        })
    }
}

/// The key of the ceilings in the cache: they depend on the device, not on a law.
const KEPT: &str = "limits";

/// Measurements of each ceiling; the best counts.
const TRIALS: usize = 7;

/// Flops of the multiply-adds in one round of the kernel `peak`.
const FLOPS_OF_ROUND: usize = 2 * PEAK_CHAINS * PEAK_LINKS;
const ROUNDS: usize = 256;

impl Ceilings {
    /// The ceilings measured last on a device of this kind, if they were kept.
    pub(crate) fn kept(device: &Device, precision: Precision) -> Option<Self> {
        let kept: Value = serde_json::from_slice(&device.kept(KEPT, &[precision.c_type()])?).ok()?;
        let rate = |key: &str| kept[key].as_f64().filter(|rate| rate.is_finite() && *rate > 0.0);
        Some(Self { bytes_per_second: rate("bytes_per_second")?, flops_per_second: rate("flops_per_second")? })
    }

    /// Measures the ceilings and keeps them beside the compiled kernels.
    ///
    /// # Errors
    /// Errors of the device.
    pub(crate) fn measure(device: &Device, precision: Precision) -> Result<Self, Error> {
        let bytes = if device.is_cuda() { 1 << 30 } else { 1 << 28 };
        let (from, to) = (device.allocate(Number::Double, bytes / 8)?, device.allocate(Number::Double, bytes / 8)?);
        let copy = shortest(device, || Ok(device.copy(&from, &to)?))?;

        let elements = padded(if device.is_cuda() { 1 << 20 } else { 1 << 14 });
        let peak = scheme::peak();
        let defines = vec![("PRECISION".to_owned(), precision.c_type().to_owned())];
        let kernel =
            device.compile(peak.text, peak.kernels, &Options { defines, ..Options::default() })?.kernel("peak")?;
        let sums = precision.allocate(device, elements)?;
        let args = args! { sum: &sums, factor: 0.5, summand: 0.5, rounds: ROUNDS };
        let peak = shortest(device, || Ok(device.launch(&kernel, elements, &args)?))?;
        let ceilings = Self {
            bytes_per_second: (2 * bytes) as f64 / copy,
            flops_per_second: (FLOPS_OF_ROUND * ROUNDS * elements) as f64 / peak,
        };
        device.keep(KEPT, &[precision.c_type()], ceilings.as_json().to_string().as_bytes());
        Ok(ceilings)
    }

    /// As JSON.
    pub(crate) fn as_json(&self) -> Value {
        json!({ "bytes_per_second": self.bytes_per_second, "flops_per_second": self.flops_per_second })
    }

    /// The least time of a kernel of this cost.
    pub(crate) fn floor(&self, cost: &Cost, elements: usize, precision: Precision) -> Floor {
        let bytes = (bytes(cost, precision) * elements) as f64 / self.bytes_per_second;
        let flops = (cost.flops * elements) as f64 / self.flops_per_second;
        let ceiling = if bytes < flops { Ceiling::Flops } else { Ceiling::Bytes };
        Floor { seconds: bytes.max(flops), ceiling }
    }

    /// The least time of a step on such elements: of its predictor, if there is one, of its stages, and of finding the minimum
    /// of all bounds on the next step; `None` if a kernel is not counted.
    pub(crate) fn floor_of_step(
        &self,
        elements: &Elements,
        law: &Law,
        integrator: Integrator,
        precision: Precision,
    ) -> Option<Floor> {
        let of = |name: &str| Some(self.floor(&elements.cost(name, law)?, elements.count, precision));
        let stage = of("stage")?;
        let stages = integrator.stages().len() as f64 * stage.seconds;
        let predict = if integrator.has_predictor() { of("predict")?.seconds } else { 0.0 };
        Some(Floor { seconds: predict + stages + of("reduce")?.seconds, ..stage })
    }
}

/// The elements of a section, as its kernels' costs depend on them.
#[derive(Clone, Debug)]
pub struct Elements {
    /// Their code.
    pub unit: &'static Unit,
    /// How it keeps the medium.
    pub medium: KeptMedium,
    /// The kind of their maps.
    pub map: Map,
    /// Their number.
    pub count: usize,
}

impl Elements {
    /// Work and traffic of a kernel for one of them; `None` if it is not counted.
    pub(crate) fn cost(&self, kernel: &str, law: &Law) -> Option<Cost> {
        self.unit.cost(kernel, &self.medium, self.map, law.state.len())
    }
}

/// Least traffic of a kernel for one element.
pub(crate) fn bytes(cost: &Cost, precision: Precision) -> usize {
    cost.reals * precision.bytes() + cost.integers * size_of::<u32>()
}

/// The shortest of several times, after a warm-up.
fn shortest(device: &Device, work: impl Fn() -> Result<(), Error>) -> Result<f64, Error> {
    work()?;
    device.synchronize()?;
    (0..TRIALS).try_fold(f64::INFINITY, |shortest, _| Ok(shortest.min(device.time(&work)?)))
}
