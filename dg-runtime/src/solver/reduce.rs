//! Sums, minima and maxima over all elements, in a fixed order.

use crate::device::{Buffer, Device, Kernel, Module, args};
use crate::law::protocol::{REDUCE_MAX, REDUCE_MIN, REDUCE_SUM, REDUCTION};

use super::{Error, Precision};

/// What [`Reduction`] computes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Sum = REDUCE_SUM as isize,
    Min = REDUCE_MIN as isize,
    Max = REDUCE_MAX as isize,
}

/// So many numbers are few enough for one block of threads.
const FEW: usize = 16 << 10;

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
        let partials = rows.div_ceil(REDUCTION) * columns;
        Ok(Self {
            kernel: module.kernel("reduce")?,
            rows,
            stride,
            values: precision.allocate(device, stride * columns)?,
            partial: [precision.allocate(device, partials)?, precision.allocate(device, partials)?],
        })
    }

    /// How many numbers the buffers hold.
    pub(super) fn numbers(rows: usize, stride: usize, columns: usize) -> usize {
        (stride + 2 * rows.div_ceil(REDUCTION)) * columns
    }

    pub(super) fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        let Self { kernel: _, rows: _, stride: _, values, partial } = self;
        partial.iter().chain([values])
    }

    /// Number of elements between the starts of two columns of `values`.
    pub(super) fn stride(&self) -> i64 {
        self.stride as i64
    }

    /// Reduces the first `columns` columns of `values`; the buffer holds one number per column.
    pub(super) fn launch(&self, device: &Device, columns: usize, operation: Operation) -> Result<&Buffer, Error> {
        let mut column = self.pass(device, &self.whole(), columns, operation)?;
        while column.rows > 1 {
            column = self.pass(device, &column, columns, operation)?;
        }
        Ok(column.buffer)
    }

    /// Where [`Reduction::launch`] leaves its result.
    pub(super) fn result(&self) -> &Buffer {
        let passes = std::iter::successors(Some(self.rows.div_ceil(REDUCTION)), |&rows| {
            (rows > 1).then(|| rows.div_ceil(REDUCTION))
        });
        &self.partial[(passes.count() + 1) % 2]
    }

    /// Reduces the first column of `values` to few numbers.
    pub(super) fn shorten(&self, device: &Device, operation: Operation) -> Result<Columns<'_>, Error> {
        let mut column = self.whole();
        while column.rows > FEW {
            column = self.pass(device, &column, 1, operation)?;
        }
        Ok(column)
    }

    pub(super) fn whole(&self) -> Columns<'_> {
        Columns { buffer: &self.values, rows: self.rows, stride: self.stride, next: 0 }
    }

    /// One launch.
    fn pass(&self, device: &Device, from: &Columns<'_>, columns: usize, by: Operation) -> Result<Columns<'_>, Error> {
        let partials = from.rows.div_ceil(REDUCTION);
        let to = &self.partial[from.next];
        let args = args! {
            values: from.buffer,
            partial: to,
            rows: from.rows,
            stride: from.stride,
            partials: partials,
            partial_stride: partials,
            operation: by as i64,
        };
        device.launch(&self.kernel, partials * columns, &args)?;
        Ok(Columns { buffer: to, rows: partials, stride: partials, next: 1 - from.next })
    }
}

/// Columns on their way to one number each.
pub(super) struct Columns<'a> {
    /// The columns, of which the first begins with the buffer.
    pub(super) buffer: &'a Buffer,
    /// Numbers of each.
    pub(super) rows: usize,
    stride: usize,
    /// Which of the buffers for partial results is free.
    next: usize,
}
