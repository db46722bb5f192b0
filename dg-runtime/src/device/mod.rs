//! Devices that run kernels: a CPU or a CUDA device behind one interface.
//!
//! A unit is one text in the language of `templates/kernels/lanes.h`, the same for both. Each of its kernels takes one
//! struct of eight-byte fields. Their names, kinds, directions and sizes come with the unit ([`law::Kernel`]), and a launch
//! gives each by its name: an argument that is missing, unknown, of another kind or too small is an error, and so is one that the
//! kernel writes if its buffer is constant, or if another argument lies in the same memory.
//!
//! ```c
//! typedef struct {
//!     const scalar *u; /* in: [1] per element */
//!     scalar *out;     /* out: [1] per element */
//!     double factor;   /* in */
//! } ScaleArguments;
//! KERNEL(scale, ScaleArguments) { store(a->out + at(e, 0, 1), R(a->factor) * load(a->u + at(e, 0, 1))); }
//! ```
//!
//! Element data lie in blocks of `Device::block` elements, `[block][field][lane]`, padded to a
//! multiple of `ELEMENT_BLOCK`, because a CPU always computes whole groups of lanes.
//!
//! On CUDA, launches, copies and replays are queued in order in one stream; allocations, uploads, downloads and measurements wait
//! for it, and report earlier errors of kernels.

mod arguments;
mod blocks;
mod buffers;
mod cache;
mod cuda;
mod error;
mod host;
mod launch;
mod library;
mod options;
mod temporary;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Once;
use std::time::Instant;

use bytemuck::Pod;

use arguments::MAX_ARGUMENTS;
pub use arguments::Misuse;
pub(crate) use arguments::{Arg, args};
use blocks::ALIGNMENT;
pub use blocks::ELEMENT_BLOCK;
pub(crate) use blocks::LAUNCH_BLOCK;
pub(crate) use buffers::{Buffers, Named};
use cache::Cache;
pub(crate) use cuda::Resources;
pub use cuda::{nvrtc_accepts, nvrtc_for, nvrtc_version};
pub use error::Error;
pub(crate) use launch::Launch;
pub use options::Options;

use crate::law;
use crate::notice::notice;
use crate::system;

/// The extension of a file with findings about a device.
const FINDINGS: &str = "json";

/// Which device to use, as in `--device`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The first usable CUDA device, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// A CUDA device, by its number or the first.
    Cuda(Option<usize>),
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "auto" => Ok(Self::Auto),
            "cpu" => Ok(Self::Cpu),
            "cuda" => Ok(Self::Cuda(None)),
            _ => {
                let number = text.strip_prefix("cuda:").and_then(|number| number.parse().ok());
                number.map(|number| Self::Cuda(Some(number))).ok_or_else(|| Error::Choice(text.to_owned()))
            }
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Cpu => f.write_str("cpu"),
            Self::Cuda(None) => f.write_str("cuda"),
            Self::Cuda(Some(number)) => write!(f, "cuda:{number}"),
        }
    }
}

/// A device that runs kernels.
pub struct Device {
    backend: Backend,
    cache: Cache,
}

enum Backend {
    Host(host::Host),
    Cuda(cuda::Cuda),
}

/// Zeroed when allocated; kernels and copies write it through shared references, one thread at a time.
pub(crate) struct Buffer {
    memory: Memory,
    bytes: usize,
    number: Number,
    /// Whether no kernel may write it.
    is_constant: bool,
}

/// A part of a buffer, or all of it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    buffer: &'a Buffer,
    /// Where it begins and how long it is, in numbers.
    first: usize,
    numbers: usize,
}

impl<'a> From<&'a Buffer> for View<'a> {
    fn from(buffer: &'a Buffer) -> Self {
        Self { buffer, first: 0, numbers: buffer.numbers() }
    }
}

/// The number type of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// Numbers of 32 bits.
    Single,
    /// Numbers of 64 bits.
    Double,
    /// Integers of 32 bits.
    Int,
}

impl Number {
    /// Bytes of one number.
    pub fn bytes(self) -> usize {
        match self {
            Self::Single | Self::Int => 4,
            Self::Double => 8,
        }
    }
}

enum Memory {
    Host(host::Memory),
    Cuda(cuda::Memory),
}

/// A compiled unit.
pub(crate) struct Module {
    loaded: LoadedModule,
    /// The declarations of its kernels.
    kernels: &'static [law::Kernel],
    /// Its precision.
    real: Number,
}

enum LoadedModule {
    Host(host::Module),
    Cuda(cuda::Module),
}

/// A kernel of a [`Module`], which it keeps loaded.
pub(crate) struct Kernel {
    name: String,
    arguments: &'static [law::Argument],
    real: Number,
    resources: Option<Resources>,
    function: Function,
}

enum Function {
    Host(host::Kernel),
    Cuda(cuda::Kernel),
}

/// Recorded launches of [`Device::repeat`], which need not be prepared a second time; empty at first.
#[derive(Default)]
pub(crate) struct Recording(Option<Recorded>);

enum Recorded {
    Host(Vec<host::Launch>),
    Cuda(cuda::Graph),
}

impl Device {
    /// Opens a device. If there is a GPU with a driver that [`Choice::Auto`] cannot use, a line on standard error says so.
    ///
    /// # Errors
    /// No usable CUDA device where one is asked for, or no C compiler for the CPU: each with the remedy.
    pub fn open(choice: Choice) -> Result<Self, Error> {
        let backend = match choice {
            Choice::Cpu => Backend::Host(host::Host::open()?),
            Choice::Cuda(number) => Backend::Cuda(cuda::Cuda::open(number.unwrap_or(0))?),
            Choice::Auto => match cuda::Cuda::open(0) {
                Ok(cuda) => Backend::Cuda(cuda),
                Err(reason) => {
                    static WARNED: Once = Once::new();
                    if let Some(warning) = fallback_warning(&reason) {
                        WARNED.call_once(|| notice(warning));
                    }
                    Backend::Host(host::Host::open()?)
                }
            },
        };
        Ok(Self { backend, cache: Cache::open() })
    }

    /// The names of the usable CUDA devices.
    ///
    /// # Errors
    /// Why there is none: no driver, no compiler (libnvrtc), no device; and the remedy.
    pub fn probe() -> Result<Vec<String>, Error> {
        cuda::devices()
    }

    /// The device's name, for messages: `NVIDIA H200 (cuda:0)`, `CPU, 2 threads, gcc 12.2`.
    pub fn name(&self) -> String {
        match &self.backend {
            Backend::Host(host) => host.name(),
            Backend::Cuda(cuda) => cuda.name(),
        }
    }

    /// Whether it is a CUDA device.
    pub fn is_cuda(&self) -> bool {
        matches!(self.backend, Backend::Cuda(_))
    }

    /// Elements of a block in memory, for numbers of so many bytes, where blocks on CUDA have so many.
    pub(crate) fn block(&self, number: usize, on_cuda: usize) -> usize {
        match &self.backend {
            Backend::Host(host) => host.vector_bytes() / number,
            Backend::Cuda(_) => on_cuda,
        }
    }

    /// Whether it has tensor instructions in double precision.
    pub(crate) fn has_double_tensors(&self) -> bool {
        match &self.backend {
            Backend::Host(_) => false,
            Backend::Cuda(cuda) => cuda.has_double_tensors(),
        }
    }

    /// Findings about this device and a text that an earlier [`keep`](Self::keep) stored, if they are there and whole.
    pub(crate) fn kept(&self, text: &str, what: &[&str]) -> Option<Vec<u8>> {
        let identity = self.identity(what);
        let identity: Vec<_> = identity.iter().map(|part| &**part).collect();
        self.cache.find(text, &identity, FINDINGS)
    }

    /// Stores findings about this device and a text beside the compiled unit; warns if it cannot.
    pub(crate) fn keep(&self, text: &str, what: &[&str], found: &[u8]) {
        let identity = self.identity(what);
        let identity: Vec<_> = identity.iter().map(|part| &**part).collect();
        self.cache.keep(text, &identity, FINDINGS, found);
    }

    /// Everything about the device that affects its speed, and `what`.
    fn identity(&self, what: &[&str]) -> Vec<String> {
        let own = match &self.backend {
            Backend::Host(host) => host.identity().to_vec(),
            Backend::Cuda(cuda) => cuda.identity().to_vec(),
        };
        // Two GPUs of one kind differ only in their number.
        let name = self.name().split(" (cuda:").next().unwrap_or_default().to_owned();
        own.into_iter().chain([name]).chain(what.iter().map(|part| (*part).to_owned())).collect()
    }

    /// Compiles a unit with these declared kernels, or takes it from the cache.
    ///
    /// It is not public, because the text may contain any C code.
    ///
    /// # Errors
    /// The compiler rejects the text; a file cannot be written or loaded.
    pub(crate) fn compile(
        &self,
        source: &str,
        kernels: &'static [law::Kernel],
        options: &Options,
    ) -> Result<Module, Error> {
        let loaded = match &self.backend {
            Backend::Host(host) => LoadedModule::Host(host.compile(&self.cache, source, options)?),
            Backend::Cuda(cuda) => LoadedModule::Cuda(cuda.compile(&self.cache, source, options)?),
        };
        let is_single = options.defines.iter().any(|(name, value)| name == "PRECISION" && value == "float");
        Ok(Module { loaded, kernels, real: if is_single { Number::Single } else { Number::Double } })
    }

    /// Whether the cache has a unit; nothing is written.
    pub(crate) fn has_compiled(&self, source: &str, options: &Options) -> bool {
        let has = |text: &str, identity: &[String], extension| {
            let identity: Vec<_> = identity.iter().map(|part| &**part).collect();
            self.cache.has(text, &identity, extension)
        };
        match &self.backend {
            Backend::Host(host) => has(&host.text(source, options), &host.identity(), host::EXTENSION),
            Backend::Cuda(cuda) => has(&options::text(source, options), &cuda.identity(), cuda::EXTENSION),
        }
    }

    /// Memory for so many numbers, all zero.
    ///
    /// # Errors
    /// Not enough memory.
    pub(crate) fn allocate(&self, number: Number, count: usize) -> Result<Buffer, Error> {
        let bytes = count.saturating_mul(number.bytes());
        let exhausted = || Error::Memory { device: self.name(), asked: bytes, free: self.free_memory() };
        if !self.is_cuda() {
            // The system grants more than it has; CUDA refuses.
            self.require(bytes)?;
        }
        let size = bytes.max(1).checked_next_multiple_of(ALIGNMENT).ok_or_else(exhausted)?;
        let memory = match &self.backend {
            Backend::Host(_) => Memory::Host(host::Memory::allocate(size).ok_or_else(exhausted)?),
            Backend::Cuda(cuda) => Memory::Cuda(cuda.allocate(size)?.ok_or_else(exhausted)?),
        };
        Ok(Buffer { memory, bytes, number, is_constant: false })
    }

    /// Copies data to the beginning of a buffer, or of a part of one.
    ///
    /// # Errors
    /// The data do not fit, or the buffer is of another device.
    pub(crate) fn upload<'a, T: Pod>(&self, to: impl Into<View<'a>>, data: &[T]) -> Result<(), Error> {
        let (to, data): (View<'_>, &[u8]) = (to.into(), bytemuck::cast_slice(data));
        to.fits(data.len())?;
        match (&self.backend, &to.buffer.memory) {
            (Backend::Host(_), Memory::Host(memory)) => {
                memory.write(to.offset(), data);
                Ok(())
            }
            (Backend::Cuda(cuda), Memory::Cuda(memory)) => cuda.upload(memory, to.offset(), data),
            _ => Err(Error::OtherDevice("buffer")),
        }
    }

    /// Copies the beginning of a buffer, or of a part of one, to `data`, after all earlier launches.
    ///
    /// # Errors
    /// The buffer is smaller than `data`, or of another device; a kernel failed.
    pub(crate) fn download<'a, T: Pod>(&self, from: impl Into<View<'a>>, data: &mut [T]) -> Result<(), Error> {
        let (from, data): (View<'_>, &mut [u8]) = (from.into(), bytemuck::cast_slice_mut(data));
        from.fits(data.len())?;
        match (&self.backend, &from.buffer.memory) {
            (Backend::Host(_), Memory::Host(memory)) => {
                memory.read(from.offset(), data);
                Ok(())
            }
            (Backend::Cuda(cuda), Memory::Cuda(memory)) => cuda.download(memory, from.offset(), data),
            _ => Err(Error::OtherDevice("buffer")),
        }
    }

    /// Copies a whole buffer to the beginning of another.
    ///
    /// # Errors
    /// `to` is smaller than `from`, or one of them is of another device.
    pub(crate) fn copy(&self, from: &Buffer, to: &Buffer) -> Result<(), Error> {
        View::from(to).fits(from.bytes)?;
        match (&self.backend, &from.memory, &to.memory) {
            (Backend::Host(_), Memory::Host(from_memory), Memory::Host(to_memory)) => {
                to_memory.copy(from_memory, from.bytes);
                Ok(())
            }
            (Backend::Cuda(cuda), Memory::Cuda(from_memory), Memory::Cuda(to_memory)) => {
                cuda.copy(from_memory, to_memory, from.bytes)
            }
            _ => Err(Error::OtherDevice("buffer")),
        }
    }

    /// Runs launches, always the same ones with one recording: the first call records what `launches` prepares, later calls
    /// repeat it without calling `launches`. The owner of the recording keeps its buffers alive.
    ///
    /// # Errors
    /// Those of `launches`; a launch of another device; CUDA cannot record.
    pub(crate) fn repeat<'a, E: From<Error>>(
        &self,
        recording: &mut Recording,
        launches: impl FnOnce() -> Result<Vec<Launch<'a>>, E>,
    ) -> Result<(), E> {
        let recorded = match &mut recording.0 {
            Some(recorded) => recorded,
            empty => empty.insert(self.record(&launches()?)?),
        };
        match (&self.backend, recorded) {
            (Backend::Host(host), Recorded::Host(launches)) => {
                launches.iter().for_each(|launch| host.launch(launch));
                Ok(())
            }
            (Backend::Cuda(cuda), Recorded::Cuda(graph)) => Ok(cuda.replay(graph)?),
            _ => Err(Error::OtherDevice("recording").into()),
        }
    }

    fn record(&self, launches: &[Launch<'_>]) -> Result<Recorded, Error> {
        match &self.backend {
            Backend::Host(_) => launches.iter().map(Launch::on_host).collect::<Result<_, _>>().map(Recorded::Host),
            Backend::Cuda(cuda) => cuda.record(|| self.run_on_cuda(cuda, launches)).map(Recorded::Cuda),
        }
    }

    fn address(&self, view: View<'_>) -> Result<u64, Error> {
        match (&self.backend, &view.buffer.memory) {
            (Backend::Host(_), Memory::Host(memory)) => Ok(memory.pointer as u64 + view.offset() as u64),
            (Backend::Cuda(_), Memory::Cuda(memory)) => Ok(memory.pointer + view.offset() as u64),
            _ => Err(Error::OtherDevice("buffer")),
        }
    }

    /// Waits for all launches.
    ///
    /// # Errors
    /// A kernel failed.
    pub(crate) fn synchronize(&self) -> Result<(), Error> {
        match &self.backend {
            Backend::Host(_) => Ok(()),
            Backend::Cuda(cuda) => cuda.synchronize(),
        }
    }

    /// Seconds that the launches of `work` take on the device.
    ///
    /// # Errors
    /// Those of `work`; a kernel failed.
    pub(crate) fn time<E: From<Error>>(&self, work: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
        match &self.backend {
            Backend::Host(_) => {
                let start = Instant::now();
                work()?;
                Ok(start.elapsed().as_secs_f64())
            }
            Backend::Cuda(cuda) => {
                let start = cuda.event()?;
                work()?;
                Ok(cuda.seconds(&start, &cuda.event()?)?)
            }
        }
    }

    /// Makes sure that so much memory can still be allocated, as far as the system tells.
    ///
    /// # Errors
    /// Not enough memory.
    pub(crate) fn require(&self, bytes: usize) -> Result<(), Error> {
        match self.free_memory() {
            Some(free) if bytes > free => Err(Error::Memory { device: self.name(), asked: bytes, free: Some(free) }),
            _ => Ok(()),
        }
    }

    /// Bytes that may still be allocated, if the system tells.
    pub(crate) fn free_memory(&self) -> Option<usize> {
        match &self.backend {
            Backend::Host(_) => system::available_memory(),
            Backend::Cuda(cuda) => cuda.free_memory(),
        }
    }

    /// Whether so many bytes exceed the caches of the host's processors, as far as the system tells. On a GPU the question does not
    /// arise: no.
    pub(crate) fn is_beyond_caches(&self, bytes: usize) -> bool {
        match &self.backend {
            Backend::Host(_) => system::last_level_caches().is_some_and(|caches| bytes > caches),
            Backend::Cuda(_) => false,
        }
    }
}

impl Buffer {
    /// The same, which no kernel may write.
    pub fn constant(self) -> Self {
        Self { is_constant: true, ..self }
    }

    /// Its size in numbers.
    pub fn numbers(&self) -> usize {
        self.bytes / self.number.bytes()
    }

    /// Its part with these numbers, as far as it has them.
    pub fn part(&self, numbers: Range<usize>) -> View<'_> {
        let end = numbers.end.min(self.numbers());
        let first = numbers.start.min(end);
        View { buffer: self, first, numbers: end - first }
    }
}

impl View<'_> {
    /// Its size in numbers.
    pub fn numbers(self) -> usize {
        self.numbers
    }

    /// The bytes of the buffer before it.
    fn offset(self) -> usize {
        self.first * self.buffer.number.bytes()
    }

    /// Whether both have memory in common.
    fn overlaps(self, other: View<'_>) -> bool {
        let end = |view: View<'_>| view.first + view.numbers;
        std::ptr::eq(self.buffer, other.buffer) && self.first < end(other) && other.first < end(self)
    }

    fn fits(self, copied: usize) -> Result<(), Error> {
        let bytes = self.numbers * self.buffer.number.bytes();
        if copied > bytes { Err(Error::Size { copied, buffer: bytes }) } else { Ok(()) }
    }
}

impl Module {
    /// A kernel by its name; a member of a numbered family, such as `pointwise_formulas_0`, is declared under the family's name.
    ///
    /// # Errors
    /// There is none of this name, or its arguments differ from the declaration.
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let family = name.trim_end_matches(|digit: char| digit.is_ascii_digit()).trim_end_matches('_');
        let declared = |name| self.kernels.iter().find(|kernel| kernel.name == name);
        let declaration = declared(name).or_else(|| declared(family));
        let arguments = declaration.ok_or_else(|| Error::NoKernel(name.to_owned()))?.arguments;
        let (compiled, resources, function) = match &self.loaded {
            LoadedModule::Host(module) => {
                let kernel = module.kernel(name)?;
                (kernel.arguments, None, Function::Host(kernel))
            }
            LoadedModule::Cuda(module) => {
                let kernel = module.kernel(name)?;
                (kernel.arguments, Some(kernel.resources), Function::Cuda(kernel))
            }
        };
        if compiled != arguments.len() || compiled > MAX_ARGUMENTS {
            return Err(Error::Arguments { kernel: name.to_owned(), declared: arguments.len(), compiled });
        }
        Ok(Kernel { name: name.to_owned(), arguments, real: self.real, resources, function })
    }

    /// Sets a PARAMETER of the unit, rounded to the unit's precision; before any of its kernels runs. Every module has
    /// its own parameters, even if several share a unit.
    ///
    /// # Errors
    /// There is none of this name.
    pub(crate) fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Error> {
        match &mut self.loaded {
            LoadedModule::Host(module) => module.set_parameter(name, value),
            LoadedModule::Cuda(module) => module.set_parameter(name, value),
        }
    }
}

impl Kernel {
    /// Registers and memory of its threads, if the back end knows.
    pub fn resources(&self) -> Option<Resources> {
        self.resources
    }
}

/// The warning when the CPU replaces a GPU; nothing where no GPU is expected.
fn fallback_warning(reason: &Error) -> Option<String> {
    match reason {
        Error::NoDriver => None,
        reason => Some(format!("warning: {reason}; computing on the CPU (`--device cpu` says that it is meant)")),
    }
}
