//! Sums, minima and maxima over all elements, in a fixed order.

use crate::device::{Buffer, Buffers, Device, Launch, args};
use crate::law::protocol::{REDUCE_MAX, REDUCE_MIN, REDUCE_SUM, REDUCTION};

use super::inventory::{Inventory, Part};
use super::layout::padded;
use super::program::Program;
use super::{Error, Precision};

/// The operation of a [`Reduction`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Sum = REDUCE_SUM as isize,
    Min = REDUCE_MIN as isize,
    Max = REDUCE_MAX as isize,
}

/// As many numbers as the clock's kernel reduces itself: on CUDA by a block of threads, on a CPU by a single one.
const FEW_CUDA: usize = 32 << 10;
const FEW_HOST: usize = 4 << 10;

/// The buffers for partial results, used in turns.
const PARTIAL: [&str; 2] = ["partial_0", "partial_1"];

/// Columns with one number for every element, each to be reduced to one number.
pub(super) struct Reduction {
    elements: usize,
    buffers: Buffers,
}

/// Columns during their reduction.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    /// The buffer; the first column begins at its start.
    pub(super) buffer: &'a Buffer,
    /// Length of each column.
    pub(super) rows: usize,
    stride: usize,
    /// Which of the buffers for partial results is free.
    next: usize,
}

impl Reduction {
    /// Buffers for `columns` columns with one number for every element.
    pub(super) fn inventory(part: Part, precision: Precision, elements: usize, columns: usize) -> Inventory<'static> {
        let mut inventory = Inventory::new(precision, elements);
        for partial in PARTIAL {
            inventory.reals(part, partial, elements.div_ceil(REDUCTION) * columns);
        }
        inventory.reals_of_elements(part, "values", columns, true);
        inventory
    }

    /// Allocates the buffers of an [inventory](Self::inventory).
    pub(super) fn new(device: &Device, inventory: &Inventory<'_>) -> Result<Self, Error> {
        Ok(Self { elements: inventory.elements(), buffers: inventory.allocate(device)? })
    }

    /// The numbers of every element and column.
    pub(super) fn values(&self) -> &Buffer {
        &self.buffers["values"]
    }

    /// Distance between the starts of two columns of [`values`](Self::values).
    pub(super) fn stride(&self) -> usize {
        padded(self.elements)
    }

    /// The columns as kernels write them.
    pub(super) fn whole(&self) -> Columns<'_> {
        Columns { buffer: self.values(), rows: self.elements, stride: self.stride(), next: 0 }
    }

    /// Launches that reduce the first `columns` columns to one number each, at the beginning of
    /// [`result`](Self::result).
    pub(super) fn launches<'a>(
        &'a self,
        program: &'a Program,
        columns: usize,
        operation: Operation,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let mut launches = Vec::new();
        let mut column = self.whole();
        while launches.is_empty() || column.rows > 1 {
            launches.push(self.pass(program, &column, columns, operation)?);
            column = self.after(&column);
        }
        Ok(launches)
    }

    /// The buffer in which [`launches`](Self::launches) leave one number for each column.
    pub(super) fn result(&self) -> &Buffer {
        let mut column = self.after(&self.whole());
        while column.rows > 1 {
            column = self.after(&column);
        }
        column.buffer
    }

    /// Launches that reduce the first column to a few numbers, and the column of these numbers.
    pub(super) fn shorten<'a>(
        &'a self,
        program: &'a Program,
        operation: Operation,
    ) -> Result<(Vec<Launch<'a>>, Columns<'a>), Error> {
        let mut launches = Vec::new();
        let mut column = self.whole();
        let few = if program.device.is_cuda() { FEW_CUDA } else { FEW_HOST };
        while column.rows > few {
            launches.push(self.pass(program, &column, 1, operation)?);
            column = self.after(&column);
        }
        Ok((launches, column))
    }

    /// The columns after one launch.
    fn after(&self, from: &Columns<'_>) -> Columns<'_> {
        let rows = from.rows.div_ceil(REDUCTION);
        Columns { buffer: &self.buffers[PARTIAL[from.next]], rows, stride: rows, next: 1 - from.next }
    }

    /// One launch of the reduction.
    fn pass<'a>(
        &'a self,
        program: &'a Program,
        from: &Columns<'a>,
        columns: usize,
        operation: Operation,
    ) -> Result<Launch<'a>, Error> {
        let to = self.after(from);
        let args = args! {
            values: from.buffer,
            partial: to.buffer,
            rows: from.rows,
            stride: from.stride,
            partials: to.rows,
            partial_stride: to.stride,
            operation: operation as i64,
        };
        Ok(program.device.prepare(&program.kernels.reduce, 0..to.rows * columns, &args, &[])?)
    }
}
