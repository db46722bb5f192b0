//! Buffers by their names in kernels, and their parts for the sections of a mesh.

use std::ops::{Index, Range};

use super::{Buffer, View};
use crate::law::Item;

/// Buffers by their names in kernels, and the numbers of items that determine their sizes.
#[derive(Default)]
pub(crate) struct Buffers {
    named: Vec<(&'static str, Buffer)>,
    /// The parts of a buffer for the sections of a mesh; none if all have the same.
    parts: Vec<(&'static str, Vec<Range<usize>>)>,
    counts: Vec<(Item, usize)>,
}

impl Buffers {
    /// Adds a buffer.
    pub fn insert(&mut self, name: &'static str, buffer: Buffer) {
        self.named.push((name, buffer));
    }

    /// Adds a buffer of which each section of a mesh has a part.
    pub fn insert_parts(&mut self, name: &'static str, buffer: Buffer, parts: Vec<Range<usize>>) {
        self.insert(name, buffer);
        self.parts.push((name, parts));
    }

    /// The buffers, or their parts, of a section.
    pub fn of(&self, section: usize) -> Named<'_> {
        Named { buffers: self, section }
    }

    /// Sets the number of some items.
    pub fn count(&mut self, item: Item, count: usize) {
        self.counts.push((item, count));
    }

    /// The buffer of this name, if any.
    pub fn get(&self, name: &str) -> Option<&Buffer> {
        self.named.iter().find(|(known, _)| *known == name).map(|(_, buffer)| buffer)
    }

    /// The number of some items, if known.
    pub fn count_of(&self, item: Item) -> Option<usize> {
        self.counts.iter().find(|(known, _)| *known == item).map(|(_, count)| *count)
    }
}

impl Index<&str> for Buffers {
    type Output = Buffer;

    /// The buffer of this name.
    ///
    /// # Panics
    /// If there is none: the names are fixed in this program's text.
    fn index(&self, name: &str) -> &Buffer {
        self.get(name).unwrap_or_else(|| panic!("no buffer `{name}`"))
    }
}

/// The buffers of a section of a mesh, by their names.
#[derive(Clone, Copy)]
pub(crate) struct Named<'a> {
    buffers: &'a Buffers,
    section: usize,
}

impl<'a> Named<'a> {
    /// The buffer of this name or the section's part of it, if any.
    pub fn get(self, name: &str) -> Option<View<'a>> {
        let buffer = self.buffers.get(name)?;
        let parts = self.buffers.parts.iter().find(|(known, _)| *known == name);
        let part = parts.and_then(|(_, parts)| parts.get(self.section));
        Some(part.map_or_else(|| buffer.into(), |part| buffer.part(part.clone())))
    }

    /// The same.
    ///
    /// # Panics
    /// If there is none: the names are fixed in this program's text.
    pub fn view(self, name: &str) -> View<'a> {
        self.get(name).unwrap_or_else(|| panic!("no buffer `{name}`"))
    }

    /// The number of some items, if known.
    pub fn count_of(self, item: Item) -> Option<usize> {
        self.buffers.count_of(item)
    }
}

impl<'a> From<&'a Buffers> for Named<'a> {
    /// Whole buffers, where they have no parts.
    fn from(buffers: &'a Buffers) -> Self {
        buffers.of(0)
    }
}
