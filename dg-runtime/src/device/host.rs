//! The CPU: the system's C compiler, vector lanes, and all cores through rayon.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io::ErrorKind;
use std::ops::Range;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use rayon::prelude::*;

use super::blocks::{ALIGNMENT, LAUNCH_BLOCK};
use super::cache::Cache;
use super::error::Error;
use super::library::Library;
use super::options::{self, Options};
use super::temporary::TemporaryFolder;

/// No `-ffast-math`: NaN and infinity keep their meaning, and sums their order. `-fno-math-errno` and
/// `-fno-trapping-math` let roots and selections become vector instructions; `-O3` multiplies the compile
/// time of unrolled text. Warnings about generated code help nobody.
const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O2",
    "-ftree-vectorize",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-shared",
    "-w",
];

/// Flags that select this machine's instructions; the first set that a compiler accepts is used.
const NATIVE: &[&[&str]] =
    &[&["-march=native", "-mprefer-vector-width=512"], &["-march=native"], &["-mcpu=native"], &[]];

/// The extension of a compiled unit.
pub(super) const EXTENSION: &str = "so";

/// A launch with fewer items stays on the calling thread: waking others takes longer.
const SERIAL: usize = 256;

/// Parts of a launch per thread, so that the last part to finish is short.
const PARTS: usize = 4;

/// Bytes copied by a thread at once: one thread alone does not saturate the memory.
const COPIED: usize = 1 << 20;

type Function = unsafe extern "C" fn(*const u64, i64, i64);

pub(super) struct Host {
    compiler: Compiler,
}

impl Host {
    pub fn open() -> Result<Self, Error> {
        let candidates = match std::env::var("CC") {
            Ok(command) if !command.trim().is_empty() => vec![command],
            _ => ["cc", "gcc", "clang"].map(String::from).to_vec(),
        };
        Self::with_compiler(&candidates)
    }

    /// Uses the first of these commands that is a working C compiler.
    pub fn with_compiler(candidates: &[String]) -> Result<Self, Error> {
        Ok(Self { compiler: Compiler::find(candidates)? })
    }

    pub fn name(&self) -> String {
        let threads = rayon::current_num_threads();
        format!("CPU, {threads} thread{}, {}", if threads == 1 { "" } else { "s" }, self.compiler.name)
    }

    /// Bytes of a vector, whose lanes are the elements of a block in memory. Were blocks longer, as cache lines are, each line would be
    /// read and written in parts: on an AMD EPYC with vectors of 32 bytes steps took 1.25 to 1.45 times as long.
    pub fn vector_bytes(&self) -> usize {
        self.compiler.vector_bytes()
    }

    /// The compiler's input.
    pub fn text(&self, source: &str, options: &Options) -> String {
        format!("#define VECTOR_BYTES {}\n", self.vector_bytes()) + &options::text(source, options)
    }

    pub fn compile(&self, cache: &Cache, source: &str, options: &Options) -> Result<Module, Error> {
        let text = self.text(source, options);
        let identity = self.identity();
        let identity = identity.each_ref().map(|part| &**part);
        // SAFETY: our own compilation wrote the bytes; a unit has no initialisers.
        let load = |bytes: &[u8]| Ok(Module { library: Arc::new(unsafe { Library::load(bytes) }?) });
        cache.unit(&text, &identity, EXTENSION, || self.compiler.compile(&text), load)
    }

    /// Compiler, flags and architecture.
    pub fn identity(&self) -> [String; 4] {
        let Compiler { command, flags, macros, .. } = &self.compiler;
        ["host".into(), command.join(" "), flags.join(" "), macros.clone()]
    }

    pub fn launch(&self, launch: &Launch) {
        let Launch { kernel, items, arguments } = launch;
        let n = items.len();
        let blocks = n.div_ceil(kernel.block);
        let parts = if n <= SERIAL { 1 } else { blocks.min(rayon::current_num_threads() * PARTS) };
        let part = blocks.div_ceil(parts.max(1)) * kernel.block;
        let work = |k: usize| {
            let [begin, end] = [k, k + 1].map(|k| items.start + (k * part).min(n));
            // SAFETY: generated code, called with all its arguments, on memory that they keep alive.
            unsafe { (kernel.function)(arguments.as_ptr(), begin as i64, end as i64) };
        };
        if parts == 1 { work(0) } else { (0..parts).into_par_iter().for_each(work) }
    }
}

pub(super) struct Module {
    library: Arc<Library>,
}

#[derive(Clone)]
pub(super) struct Kernel {
    function: Function,
    pub arguments: usize,
    /// Launches may begin at multiples of so many items.
    pub block: usize,
    /// Keeps the code loaded.
    _library: Arc<Library>,
}

/// A kernel with its arguments, of which pointers must be valid when it runs.
pub(super) struct Launch {
    kernel: Kernel,
    items: Range<usize>,
    arguments: Box<[u64]>,
}

impl Kernel {
    /// Makes a launch of the kernel, with at least its arguments.
    pub fn launch(&self, items: Range<usize>, words: &[u64]) -> Launch {
        Launch { kernel: self.clone(), items, arguments: words[..self.arguments].into() }
    }
}

impl Module {
    pub fn kernel(&self, name: &str) -> Result<Kernel, Error> {
        let missing = || Error::NoKernel(name.to_owned());
        // SAFETY: the macros KERNEL, KERNEL_SCALAR and KERNEL_PATCH give the symbols these types.
        let (function, arguments, patch) = unsafe {
            let function = self.library.get::<Function>(&format!("kernel_{name}")).ok_or_else(missing)?;
            let arguments = *self.library.get::<*const i64>(&format!("kernel_{name}_arguments")).ok_or_else(missing)?;
            (
                function,
                arguments as usize,
                self.library.get::<*const i64>(&format!("kernel_{name}_patch_size")).map(|size| *size),
            )
        };
        let block = patch.map_or(LAUNCH_BLOCK, |size| size as usize);
        Ok(Kernel { function, arguments, block, _library: self.library.clone() })
    }

    pub fn set_parameter(&mut self, name: &str, value: f64) -> Result<(), Error> {
        // SAFETY: the macro PARAMETER gives the symbol this type.
        let set = unsafe { self.library.get::<unsafe extern "C" fn(f64)>(&format!("LANES_set_{name}")) };
        // SAFETY: generated code that sets its own variable.
        unsafe { set.ok_or_else(|| Error::NoParameter(name.to_owned()))?(value) };
        Ok(())
    }
}

/// Memory that kernels write through shared references; not `Sync`, so that no two threads access it at the same time.
pub(super) struct Memory {
    pub pointer: *mut u8,
    layout: Layout,
}

// SAFETY: the memory is owned, and moving its owner to another thread moves nothing else.
unsafe impl Send for Memory {}

impl Memory {
    /// Zeroed memory, or `None` where there is not enough.
    pub fn allocate(size: usize) -> Option<Self> {
        let layout = Layout::from_size_align(size.max(ALIGNMENT), ALIGNMENT).ok()?;
        // SAFETY: the layout's size is not zero.
        let pointer = unsafe { alloc_zeroed(layout) };
        (!pointer.is_null()).then_some(Self { pointer, layout })
    }

    /// Copies data to this offset, in bytes.
    pub fn write(&self, offset: usize, data: &[u8]) {
        assert!(data.len() <= self.layout.size().saturating_sub(offset));
        // SAFETY: it fits, and no other thread sees the memory.
        unsafe { self.pointer.add(offset).copy_from_nonoverlapping(data.as_ptr(), data.len()) }
    }

    /// Copies what is at this offset, in bytes, to `data`.
    pub fn read(&self, offset: usize, data: &mut [u8]) {
        assert!(data.len() <= self.layout.size().saturating_sub(offset));
        // SAFETY: it fits, and no other thread sees the memory.
        unsafe { self.pointer.add(offset).copy_to_nonoverlapping(data.as_mut_ptr(), data.len()) }
    }

    /// Copies the beginning of another memory to the beginning.
    pub fn copy(&self, from: &Self, size: usize) {
        assert!(size <= self.layout.size() && size <= from.layout.size());
        if self.pointer == from.pointer {
            return;
        }
        // SAFETY: both are that long, they are distinct, and no other thread sees them.
        let (to, from) = unsafe {
            (std::slice::from_raw_parts_mut(self.pointer, size), std::slice::from_raw_parts(from.pointer, size))
        };
        to.par_chunks_mut(COPIED).zip(from.par_chunks(COPIED)).for_each(|(to, from)| to.copy_from_slice(from));
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout in `allocate`.
        unsafe { dealloc(self.pointer, self.layout) }
    }
}

/// A working C compiler.
#[derive(Debug)]
struct Compiler {
    /// For messages: `gcc 12.2`.
    name: String,
    /// The program and its own arguments, as in `ccache gcc`.
    command: Vec<String>,
    flags: Vec<String>,
    /// All its predefined macros, which identify its version, the architecture and every extension in use.
    macros: String,
}

impl Compiler {
    fn find(candidates: &[String]) -> Result<Self, Error> {
        let mut tried = Vec::new();
        for candidate in candidates {
            match Self::probe(candidate) {
                Ok(compiler) => return Ok(compiler),
                Err(reason) => tried.push(format!("`{candidate}` ({reason})")),
            }
        }
        Err(Error::NoCompiler(tried.join(", ")))
    }

    fn probe(candidate: &str) -> Result<Self, String> {
        let command: Vec<String> = candidate.split_whitespace().map(String::from).collect();
        let mut reason = String::from("an empty command");
        for native in NATIVE {
            let flags: Vec<String> = FLAGS.iter().chain(*native).map(|flag| flag.to_string()).collect();
            let output = run(&command, &flags, &["-dM", "-E", "-x", "c", "-"]).map_err(|error| error.to_string())?;
            let macros = String::from_utf8_lossy(&output.stdout).into_owned();
            if output.status.success() && macros.starts_with("#define ") {
                return Ok(Self { name: name(&macros), command, flags, macros });
            }
            reason = match first_lines(&output.stderr, 1) {
                silence if silence.is_empty() => format!("no answer to -dM -E, {}", output.status),
                said => said,
            };
        }
        Err(reason)
    }

    /// Bytes of the longest vector that the flags allow.
    fn vector_bytes(&self) -> usize {
        let has = |name: &str| self.macros.lines().any(|line| line == format!("#define {name} 1"));
        match () {
            () if has("__AVX512F__") => 64,
            () if has("__AVX__") => 32,
            () => 16,
        }
    }

    /// Compiles a text to the bytes of a shared object.
    fn compile(&self, text: &str) -> Result<Vec<u8>, Error> {
        let folder = TemporaryFolder::new()?;
        let (source, object) = (folder.write("unit.c", text.as_bytes())?, folder.join("unit.so"));
        let (from, to) = (source.to_string_lossy(), object.to_string_lossy());
        let output = run(&self.command, &self.flags, &["-o", &to, &from, "-lm"])
            .map_err(Error::io(format!("cannot run `{}`", self.command.join(" "))))?;
        if let Some(status) = stopped(&output) {
            return Err(Error::Stopped { compiler: self.name.clone(), status });
        }
        if !output.status.success() {
            let log = first_lines(&output.stderr, 20);
            return Err(Error::Rejected { compiler: self.name.clone(), log, kept: None });
        }
        match std::fs::read(&object) {
            Ok(bytes) if !bytes.is_empty() => Ok(bytes),
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(Error::io(format!("cannot read {}", object.display()))(error))
            }
            _ => Err(Error::NoCode { command: self.command.join(" ") }),
        }
    }
}

fn run(command: &[String], flags: &[String], arguments: &[&str]) -> std::io::Result<Output> {
    let Some((program, own)) = command.split_first() else {
        return Err(std::io::Error::new(ErrorKind::NotFound, "an empty command"));
    };
    Command::new(program).args(own).args(flags).args(arguments).env("LC_ALL", "C").stdin(Stdio::null()).output()
}

/// The signal that ended a compiler or a program started by it, if any.
fn stopped(output: &Output) -> Option<String> {
    if output.status.code().is_none() {
        return Some(output.status.to_string());
    }
    // As in the messages of gcc's and clang's drivers.
    let said = String::from_utf8_lossy(&output.stderr);
    let is_of_signal =
        |line: &&str| line.contains(" signal terminated program ") || line.contains("command failed due to signal");
    said.lines().find(is_of_signal).filter(|_| !output.status.success()).map(str::to_owned)
}

fn first_lines(text: &[u8], count: usize) -> String {
    String::from_utf8_lossy(text).lines().take(count).collect::<Vec<_>>().join("\n")
}

/// A compiler's name and version from its predefined macros.
fn name(macros: &str) -> String {
    let value = |name: &str| {
        let define = format!("#define {name} ");
        macros.lines().find_map(|line| line.strip_prefix(&define)).map(str::trim)
    };
    let version = |major, minor| Some(format!("{}.{}", value(major)?, value(minor)?));
    let clang = version("__clang_major__", "__clang_minor__").map(|version| format!("clang {version}"));
    let gcc = version("__GNUC__", "__GNUC_MINOR__").map(|version| format!("gcc {version}"));
    clang.or(gcc).unwrap_or("an unknown C compiler".into())
}
