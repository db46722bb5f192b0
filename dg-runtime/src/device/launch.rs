//! Launches: a kernel with its items and arguments, which are found by name and checked before the kernel runs.

use std::marker::PhantomData;
use std::ops::{Index, Range};

use super::arguments::{Arg, MAX_ARGUMENTS, resolve};
use super::{Backend, Buffer, Device, ELEMENT_BLOCK, Error, Function, Kernel, View, host};
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

/// A kernel that is ready to run with its arguments.
pub(crate) struct Launch<'a> {
    kernel: &'a Kernel,
    items: Range<usize>,
    words: [u64; MAX_ARGUMENTS],
    /// The words point to buffers.
    buffers: PhantomData<&'a Buffer>,
}

impl Launch<'_> {
    /// The same as a launch of the host, which does not keep the buffers alive.
    pub(super) fn on_host(&self) -> Result<host::Launch, Error> {
        let Function::Host(kernel) = &self.kernel.function else { return Err(Error::OtherDevice("kernel")) };
        Ok(kernel.launch(self.items.clone(), &self.words))
    }
}

impl Device {
    /// Prepares a kernel to run on these items, the first of which is a multiple of [`ELEMENT_BLOCK`], with arguments by name as
    /// [`args`](super::args) makes them. Each other argument, and the numbers of items, come from the first of `others` that has
    /// one of that name.
    ///
    /// # Errors
    /// [`Error::Argument`]: one is missing, unknown, of another kind or too small. [`Error::Range`]. A buffer of another device.
    pub(crate) fn prepare<'a>(
        &self,
        kernel: &'a Kernel,
        items: Range<usize>,
        args: &[(&'static str, Arg<'a>)],
        others: &[Named<'a>],
    ) -> Result<Launch<'a>, Error> {
        if !items.start.is_multiple_of(ELEMENT_BLOCK) {
            return Err(Error::Range { kernel: kernel.name.clone(), first: items.start });
        }
        let args = resolve(kernel.arguments, kernel.real, items.end, args, others)
            .map_err(|(argument, misuse)| Error::Argument { kernel: kernel.name.clone(), argument, misuse })?;
        let mut words = [0; MAX_ARGUMENTS];
        for (word, arg) in words.iter_mut().zip(args) {
            *word = match arg {
                Arg::Buffer(view) => self.address(view)?,
                Arg::Real(value) => value.to_bits(),
                Arg::Int(value) => value.cast_unsigned(),
            };
        }
        Ok(Launch { kernel, items, words, buffers: PhantomData })
    }

    /// Runs a launch prepared for this device; on CUDA it is only queued.
    ///
    /// # Errors
    /// A kernel of another device.
    pub(crate) fn run(&self, launch: &Launch<'_>) -> Result<(), Error> {
        let Launch { kernel, items, words, .. } = launch;
        match (&self.backend, &kernel.function) {
            _ if items.is_empty() => Ok(()),
            (Backend::Host(host), Function::Host(_)) => {
                host.launch(&launch.on_host()?);
                Ok(())
            }
            (Backend::Cuda(cuda), Function::Cuda(kernel)) => cuda.launch(kernel, items.clone(), words),
            _ => Err(Error::OtherDevice("kernel")),
        }
    }

    /// Prepares a kernel and runs it on the items from 0 to `n`.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare) and [`run`](Self::run).
    pub(crate) fn launch(&self, kernel: &Kernel, n: usize, args: &[(&'static str, Arg<'_>)]) -> Result<(), Error> {
        self.run(&self.prepare(kernel, 0..n, args, &[])?)
    }
}
