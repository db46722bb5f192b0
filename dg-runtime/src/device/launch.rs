//! Launches: a kernel with its items and arguments, which are found by name and checked before the kernel runs.

use std::marker::PhantomData;
use std::ops::Range;

use super::arguments::{Arg, MAX_ARGUMENTS, resolve};
use super::buffers::Named;
use super::{Backend, Buffer, Device, Error, Function, Kernel, cuda, host};

/// A kernel that is ready to run with its arguments.
pub(crate) struct Launch<'a> {
    kernel: &'a Kernel,
    items: Range<usize>,
    words: [u64; MAX_ARGUMENTS],
    /// Neither it nor the launch before it needs what the other one writes.
    is_beside: bool,
    /// The words point to buffers.
    buffers: PhantomData<&'a Buffer>,
}

impl Launch<'_> {
    /// The same, which may run together with the launch before it, because neither needs what the other one writes.
    pub(crate) fn beside_the_one_before(self) -> Self {
        Self { is_beside: true, ..self }
    }

    /// The same as a launch of the host, which does not keep the buffers alive.
    pub(super) fn on_host(&self) -> Result<host::Launch, Error> {
        let Function::Host(kernel) = &self.kernel.function else { return Err(Error::OtherDevice("kernel")) };
        Ok(kernel.launch(self.items.clone(), &self.words))
    }

    fn on_cuda(&self) -> Result<(&cuda::Kernel, Range<usize>, &[u64]), Error> {
        let Function::Cuda(kernel) = &self.kernel.function else { return Err(Error::OtherDevice("kernel")) };
        Ok((kernel, self.items.clone(), &self.words))
    }
}

impl Device {
    /// Prepares a kernel to run on these items, of which the first begins a block of the kernel, with arguments by name as
    /// [`args`](super::args) makes them. Each other argument, and the numbers of items, come from the first of `others` that has
    /// one of that name.
    ///
    /// # Errors
    /// [`Error::Argument`]: one is missing, unknown, of another kind or too small, or must not be written. [`Error::Range`]. A buffer of
    /// another device.
    pub(crate) fn prepare<'a>(
        &self,
        kernel: &'a Kernel,
        items: Range<usize>,
        args: &[(&'static str, Arg<'a>)],
        others: &[Named<'a>],
    ) -> Result<Launch<'a>, Error> {
        let block = match &kernel.function {
            Function::Host(kernel) => kernel.block,
            Function::Cuda(kernel) => kernel.block(),
        };
        if !items.start.is_multiple_of(block) {
            return Err(Error::Range { kernel: kernel.name.clone(), first: items.start, block });
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
        Ok(Launch { kernel, items, words, is_beside: false, buffers: PhantomData })
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

    /// Runs launches for a recording, those beside each other at once.
    ///
    /// # Errors
    /// A kernel of another device.
    pub(super) fn run_on_cuda(&self, cuda: &cuda::Cuda, launches: &[Launch<'_>]) -> Result<(), Error> {
        // A launch starts early while one before it ends, not while several do.
        let mut may_start_early = true;
        for group in launches.chunk_by(|_, next| next.is_beside) {
            let there = group.iter().filter(|launch| !launch.items.is_empty());
            let there: Vec<_> = there.map(Launch::on_cuda).collect::<Result<_, _>>()?;
            match &*there {
                [(kernel, items, words)] if may_start_early => cuda.launch(kernel, items.clone(), words)?,
                several => cuda.launch_at_once(several)?,
            }
            may_start_early = there.len() <= 1;
        }
        Ok(())
    }

    /// Prepares a kernel and runs it on the items from 0 to `n`.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare) and [`run`](Self::run).
    pub(crate) fn launch(&self, kernel: &Kernel, n: usize, args: &[(&'static str, Arg<'_>)]) -> Result<(), Error> {
        self.run(&self.prepare(kernel, 0..n, args, &[])?)
    }
}
