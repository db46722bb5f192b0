//! Sums, minima and maxima over all elements, in a fixed order.

use std::ops::Range;

use crate::device::{Buffer, Buffers, Device, Launch, View, args};
use crate::law::protocol::{REDUCE_MAX, REDUCE_MIN, REDUCE_SUM, REDUCTION};
use crate::mesh::MAX_FACES;

use super::Error;
use super::inventory::{Inventory, Part};
use super::layout::Layout;
use super::program::Program;
use super::rows::Rows;

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

/// Columns with one number for every element, each to be reduced to one number. The elements of each section of a mesh begin with
/// a new block of memory.
pub(super) struct Reduction {
    rows: Rows,
    buffers: Buffers,
}

/// The most columns that a look at a solution needs: three norms of the error of every component, or a number for every face.
pub(super) fn most_columns(components: usize) -> usize {
    MAX_FACES.max(3 * components)
}

/// Columns during their reduction.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    /// The buffer; the first column begins at its start.
    pub(super) buffer: View<'a>,
    /// Length of each column.
    pub(super) rows: usize,
    stride: usize,
    /// Which of the buffers for partial results is free.
    next: usize,
}

impl Reduction {
    /// Buffers for `columns` columns with one number for every element.
    pub(super) fn inventory(part: Part, layout: Layout, rows: &Rows, columns: usize) -> Inventory<'static> {
        let mut inventory = Inventory::new(layout, 0);
        for partial in PARTIAL {
            inventory.reals(part, partial, rows.partials().sum::<usize>() * columns);
        }
        // A section's part begins at its first row, and is as long.
        let last = rows.of_sections().last().map_or(0, |last| last.start);
        inventory.reals(part, "values", rows.stride() * columns + last);
        inventory
    }

    /// Allocates the buffers of an [inventory](Self::inventory).
    pub(super) fn new(device: &Device, rows: &Rows, inventory: &Inventory<'_>) -> Result<Self, Error> {
        Ok(Self { rows: rows.clone(), buffers: inventory.allocate(device)? })
    }

    /// The numbers of every element and column.
    pub(super) fn values(&self) -> &Buffer {
        &self.buffers["values"]
    }

    /// The numbers of the elements of a section, from its first row on.
    pub(super) fn of(&self, section: usize) -> View<'_> {
        self.values().part(self.rows.first(section)..usize::MAX)
    }

    /// The numbers of the elements of a section in a column.
    pub(super) fn column(&self, section: usize, column: usize) -> View<'_> {
        let rows = &self.rows.of_sections()[section];
        let first = column * self.stride() + self.rows.first(section);
        self.values().part(first..first + rows.len())
    }

    /// Distance between the starts of two columns of [`values`](Self::values).
    pub(super) fn stride(&self) -> usize {
        self.rows.stride()
    }

    /// Which rows belong to which elements.
    pub(super) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The columns before their reduction; where there are several sections those of the first.
    pub(super) fn whole(&self) -> Columns<'_> {
        let rows = self.rows.of_sections().first().map_or(0, Range::len);
        Columns { buffer: self.values().into(), rows, stride: self.stride(), next: 0 }
    }

    /// The columns of partial results with so many rows, after columns that left the buffer `next` free.
    fn partials(&self, rows: usize, next: usize) -> Columns<'_> {
        Columns { buffer: (&self.buffers[PARTIAL[next]]).into(), rows, stride: rows, next: 1 - next }
    }

    /// The columns to begin with: as kernels write them or, where there are several sections, after a pass over each.
    fn first(&self) -> Columns<'_> {
        if self.rows.of_sections().len() == 1 { self.whole() } else { self.partials(self.rows.partials().sum(), 0) }
    }

    /// The passes over each section that lead to the [first](Self::first) columns.
    fn passes<'a>(
        &'a self,
        program: &'a Program,
        columns: usize,
        operation: Operation,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let all = self.first();
        if self.rows.of_sections().len() == 1 {
            return Ok(Vec::new());
        }
        let mut next = 0;
        let of_section = |(section, (rows, partials)): (usize, (&Range<usize>, usize))| {
            let from = Columns { buffer: self.of(section), rows: rows.len(), stride: self.stride(), next: 0 };
            let buffer = self.buffers[PARTIAL[0]].part(next..usize::MAX);
            next += partials;
            reduction(program, &from, &Columns { buffer, rows: partials, ..all }, columns, operation)
        };
        self.rows.of_sections().iter().zip(self.rows.partials()).enumerate().map(of_section).collect()
    }

    /// Launches that reduce the first `columns` columns to one number each, at the beginning of
    /// [`result`](Self::result).
    pub(super) fn launches<'a>(
        &'a self,
        program: &'a Program,
        columns: usize,
        operation: Operation,
    ) -> Result<Vec<Launch<'a>>, Error> {
        let (mut launches, mut column) = (self.passes(program, columns, operation)?, self.first());
        while launches.is_empty() || column.rows > 1 {
            launches.push(reduction(program, &column, &self.after(&column), columns, operation)?);
            column = self.after(&column);
        }
        Ok(launches)
    }

    /// The buffer in which [`launches`](Self::launches) leave one number for each column.
    pub(super) fn result(&self) -> View<'_> {
        let mut column = self.first();
        if self.rows.of_sections().len() == 1 {
            column = self.after(&column);
        }
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
        let (mut launches, mut column) = (self.passes(program, 1, operation)?, self.first());
        let few = if program.device.is_cuda() { FEW_CUDA } else { FEW_HOST };
        while column.rows > few {
            launches.push(reduction(program, &column, &self.after(&column), 1, operation)?);
            column = self.after(&column);
        }
        Ok((launches, column))
    }

    /// The columns after one launch.
    fn after(&self, from: &Columns<'_>) -> Columns<'_> {
        self.partials(from.rows.div_ceil(REDUCTION), from.next)
    }
}

/// One launch of the reduction.
fn reduction<'a>(
    program: &'a Program,
    from: &Columns<'a>,
    to: &Columns<'a>,
    columns: usize,
    operation: Operation,
) -> Result<Launch<'a>, Error> {
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
