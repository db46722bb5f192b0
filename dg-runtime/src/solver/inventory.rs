//! The buffers of a solver. Each is declared once, with its name, size and initial content; the planned and printed memory, the
//! allocation, and the kernels' arguments by name all come from these declarations. A buffer with an initial content is constant, unless
//! its declaration lets it change: so no launch can write the mesh.

use std::ops::Range;

use crate::device::{Buffer, Buffers, Device, Number};

use super::Error;
use super::layout::{LANES, Layout, offset, pack, padded};

/// The purpose of a buffer: a part of the [footprint](super::Footprint).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Registers,
    Mesh,
    Limiting,
    Reductions,
    Transfers,
}

/// Declarations of buffers that are allocated together, for a mesh of so many elements.
pub(super) struct Inventory<'a> {
    layout: Layout,
    elements: usize,
    list: Vec<Declaration<'a>>,
}

/// A buffer and its name as a kernel argument.
struct Declaration<'a> {
    name: &'static str,
    part: Part,
    number: Number,
    count: usize,
    /// The part of each section of a mesh; none where all have the same buffer.
    parts: Vec<Range<usize>>,
    content: Content<'a>,
    /// Whether kernels may write it, as they may what begins with zeros.
    changes: bool,
}

/// The initial content of a buffer. Lists shorter than their buffer are padded with zeros.
enum Content<'a> {
    Zeros,
    Reals(Values<'a, f64>),
    Ints(Values<'a, i32>),
}

/// Makes the content, with the numbers of elements in blocks of the given size; called only when the buffer is allocated.
type Values<'a, T> = Box<dyn Fn(usize) -> Vec<T> + 'a>;

impl<'a> Inventory<'a> {
    pub(super) fn new(layout: Layout, elements: usize) -> Self {
        Self { layout, elements, list: Vec::new() }
    }

    /// `count` real numbers, zero.
    pub(super) fn reals(&mut self, part: Part, name: &'static str, count: usize) {
        self.declare(part, name, (self.layout.precision.number(), count), Content::Zeros);
    }

    /// `count` 64-bit numbers, zero.
    pub(super) fn doubles(&mut self, part: Part, name: &'static str, count: usize) {
        self.declare(part, name, (Number::Double, count), Content::Zeros);
    }

    /// `count` integers, zero.
    pub(super) fn ints(&mut self, part: Part, name: &'static str, count: usize) {
        self.declare(part, name, (Number::Int, count), Content::Zeros);
    }

    /// `fields` integers for every element, zero.
    pub(super) fn ints_of_elements(&mut self, part: Part, name: &'static str, fields: usize) {
        self.ints(part, name, padded(self.elements) * fields);
    }

    /// `fields` real numbers for every element, zero; a single number where they are not needed.
    pub(super) fn reals_of_elements(&mut self, part: Part, name: &'static str, fields: usize, needed: bool) {
        self.reals(part, name, if needed { padded(self.elements) * fields } else { 1 });
    }

    /// `fields` real numbers for every element of each section of a mesh, of which there are `elements[section]`, zero; a single number
    /// where they are not needed.
    pub(super) fn reals_of_sections(
        &mut self,
        part: Part,
        name: &'static str,
        elements: &[usize],
        fields: impl Fn(usize) -> usize,
        needed: bool,
    ) {
        if !needed {
            return self.reals(part, name, 1);
        }
        let lengths = elements.iter().enumerate().map(|(section, &elements)| padded(elements) * fields(section));
        let mut count = 0;
        let parts = lengths.map(|length| {
            count += length;
            count - length..count
        });
        let parts = parts.collect();
        self.reals(part, name, count);
        self.divide(parts);
    }

    /// A list of real numbers of which each section of a mesh has a part, with so many numbers.
    pub(super) fn list_of_reals_of_sections(
        &mut self,
        part: Part,
        name: &'static str,
        counts: &[usize],
        values: impl Fn() -> Vec<f64> + 'a,
    ) {
        let starts = counts.iter().scan(0, |next, &count| Some(std::mem::replace(next, *next + count)));
        let parts: Vec<_> = starts.zip(counts).map(|(start, count)| start..start + count).collect();
        // Groups of lanes read past the end.
        let count = counts.iter().sum::<usize>() + LANES;
        self.list_of_reals(part, name, count, values);
        self.divide(parts);
    }

    /// `fields` real numbers for every element, given by `write`.
    pub(super) fn written_reals(
        &mut self,
        part: Part,
        name: &'static str,
        fields: usize,
        write: impl Fn(usize, &mut [f64]) + Sync + 'a,
    ) {
        let elements = self.elements;
        let content = Content::Reals(Box::new(move |block| pack(block, elements, fields, &write)));
        self.declare(part, name, (self.layout.precision.number(), padded(elements) * fields), content);
    }

    /// `fields` integers for every element, given by `write`.
    pub(super) fn written_ints(
        &mut self,
        part: Part,
        name: &'static str,
        fields: usize,
        write: impl Fn(usize, &mut [i32]) + Sync + 'a,
    ) {
        let elements = self.elements;
        let content = Content::Ints(Box::new(move |block| pack(block, elements, fields, &write)));
        self.declare(part, name, (Number::Int, padded(elements) * fields), content);
    }

    /// `fields` integers for every element, given by `write`, and `padding` for what fills up the last block.
    pub(super) fn padded_ints(
        &mut self,
        part: Part,
        name: &'static str,
        fields: usize,
        padding: i32,
        write: impl Fn(usize, &mut [i32]) + Sync + 'a,
    ) {
        let elements = self.elements;
        let content = Content::Ints(Box::new(move |block| {
            let mut packed = pack(block, elements, fields, &write);
            for element in elements..padded(elements) {
                for field in 0..fields {
                    packed[offset(block, element, field, fields)] = padding;
                }
            }
            packed
        }));
        self.declare(part, name, (Number::Int, padded(elements) * fields), content);
    }

    /// A list of real numbers.
    pub(super) fn list_of_reals(
        &mut self,
        part: Part,
        name: &'static str,
        count: usize,
        values: impl Fn() -> Vec<f64> + 'a,
    ) {
        let content = Content::Reals(Box::new(move |_| values()));
        self.declare(part, name, (self.layout.precision.number(), count), content);
    }

    /// A list of integers.
    pub(super) fn list_of_ints(
        &mut self,
        part: Part,
        name: &'static str,
        count: usize,
        values: impl Fn() -> Vec<i32> + 'a,
    ) {
        let content = Content::Ints(Box::new(move |_| values()));
        self.declare(part, name, (Number::Int, count), content);
    }

    fn declare(&mut self, part: Part, name: &'static str, (number, count): (Number, usize), content: Content<'a>) {
        let changes = matches!(content, Content::Zeros);
        self.list.push(Declaration { name, part, number, count, parts: Vec::new(), content, changes });
    }

    /// Divides the buffer declared last into these parts for the sections of a mesh.
    fn divide(&mut self, parts: Vec<Range<usize>>) {
        if let Some(last) = self.list.last_mut() {
            last.parts = parts;
        }
    }

    /// Lets kernels write the buffer declared last, although it has an initial content.
    pub(super) fn let_change(&mut self) {
        if let Some(last) = self.list.last_mut() {
            last.changes = true;
        }
    }

    /// Bytes of all buffers of a part.
    pub(super) fn bytes(&self, part: Part) -> usize {
        let of_part = self.list.iter().filter(|declaration| declaration.part == part);
        of_part.map(|declaration| declaration.count * declaration.number.bytes()).sum()
    }

    /// Allocates the buffers with their initial content.
    ///
    /// # Errors
    /// Errors of the device.
    pub(super) fn allocate(&self, device: &Device) -> Result<Buffers, Error> {
        let mut buffers = Buffers::default();
        for declaration in &self.list {
            let buffer = self.allocate_one(device, declaration)?;
            buffers.insert_parts(declaration.name, buffer, declaration.parts.clone());
        }
        Ok(buffers)
    }

    fn allocate_one(&self, device: &Device, declaration: &Declaration<'_>) -> Result<Buffer, Error> {
        let buffer = device.allocate(declaration.number, declaration.count)?;
        let block = self.layout.block(device);
        match &declaration.content {
            Content::Zeros => {}
            Content::Reals(values) => self.layout.precision.write(device, &buffer, &values(block))?,
            Content::Ints(values) => device.upload(&buffer, &values(block))?,
        }
        Ok(if declaration.changes { buffer } else { buffer.constant() })
    }
}
