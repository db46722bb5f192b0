//! Sums, minima and maxima over all elements, in a fixed order.

use crate::device::{Arg, Buffer, Device, Kernel, Module};

use super::{Error, Precision};

/// What [`Reduction`] computes. The values are those of the kernel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Sum = 0,
    Min = 1,
    Max = 2,
}

/// By how much one launch shortens a column: `REDUCTION` of the kernel.
const FACTOR: usize = 64;

/// Reduces columns of one number per element to one number each, left at the start of `result`.
pub(super) struct Reduction {
    kernel: Kernel,
    rows: usize,
    stride: usize,
    /// One number per element and column.
    pub(super) values: Buffer,
    /// Two buffers for partial results, used in turns.
    partial: [Buffer; 2],
}

impl Reduction {
    pub(super) fn new(
        device: &Device,
        module: &Module,
        precision: Precision,
        rows: usize,
        stride: usize,
        columns: usize,
    ) -> Result<Self, Error> {
        let partials = rows.div_ceil(FACTOR) * columns;
        Ok(Self {
            kernel: module.kernel("reduce")?,
            rows,
            stride,
            values: precision.allocate(device, stride * columns)?,
            partial: [precision.allocate(device, partials)?, precision.allocate(device, partials)?],
        })
    }

    /// Number of elements between the starts of two columns of `values`.
    pub(super) fn stride(&self) -> i64 {
        self.stride as i64
    }

    /// Reduces the first `columns` columns of `values`; the buffer holds one number per column.
    pub(super) fn launch(&self, device: &Device, columns: usize, operation: Operation) -> Result<&Buffer, Error> {
        let (mut rows, mut stride) = (self.rows, self.stride);
        let (mut from, mut turn) = (&self.values, 0);
        loop {
            let partials = rows.div_ceil(FACTOR);
            let to = &self.partial[turn];
            let args = [
                Arg::Buffer(from),
                Arg::Buffer(to),
                Arg::Int(rows as i64),
                Arg::Int(stride as i64),
                Arg::Int(partials as i64),
                Arg::Int(partials as i64),
                Arg::Int(operation as i64),
            ];
            device.launch(&self.kernel, partials * columns, &args)?;
            if partials == 1 {
                return Ok(to);
            }
            (rows, stride, from, turn) = (partials, partials, to, 1 - turn);
        }
    }
}
