//! Errors of devices.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::arguments::Misuse;
use crate::system::bytes;

/// An error of a device.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The text names no device.
    #[error("unknown device `{0}`: known are `auto`, `cpu`, `cuda` and `cuda:N`")]
    Choice(String),
    /// No compiler could be run.
    #[error("no working C compiler: tried {0}; install gcc or clang, or name one in the environment variable `CC`")]
    NoCompiler(String),
    /// There is no NVIDIA driver.
    #[error("CUDA is not usable: no NVIDIA driver (libcuda) is installed; get it from nvidia.com/drivers")]
    NoDriver,
    /// CUDA cannot be used here: what is missing, and how to get it.
    #[error("CUDA is not usable: {0}")]
    NoCuda(String),
    /// A compiler rejected a text.
    #[error("{compiler} rejects the generated code{}\n{log}", kept_in(.kept))]
    Rejected {
        /// The compiler, with its version.
        compiler: String,
        /// The first lines of its messages.
        log: String,
        /// The file with the text.
        kept: Option<PathBuf>,
    },
    /// A compiler was stopped.
    #[error("{compiler} was stopped ({status}){}", why_stopped(.status))]
    Stopped {
        /// The compiler, with its version.
        compiler: String,
        /// The system's description.
        status: String,
    },
    /// A file or a program of the system failed.
    #[error("{context}: {error}{}", remedy(.error))]
    Io {
        /// The attempted action, and its file.
        context: String,
        /// The system's error.
        error: std::io::Error,
    },
    /// A compiler reports success but wrote nothing.
    #[error(
        "`{command}` ends without an error but writes no code; name a working C compiler in the environment variable `CC`"
    )]
    NoCode {
        /// The compiler's command.
        command: String,
    },
    /// A compiled unit could not be loaded.
    #[error("cannot load the compiled kernels: {message}")]
    Load {
        /// The loader's message.
        message: String,
    },
    /// A compiled unit lacks a kernel.
    #[error("the generated code has no kernel `{0}`")]
    NoKernel(String),
    /// A compiled unit lacks a parameter.
    #[error("the generated code has no parameter `{0}`")]
    NoParameter(String),
    /// A kernel's number of arguments differs from the declaration.
    #[error("kernel `{kernel}` takes {compiled} arguments, declared are {declared}")]
    Arguments {
        /// The kernel.
        kernel: String,
        /// Declared number.
        declared: usize,
        /// Number in the compiled code.
        compiled: usize,
    },
    /// An argument of a launch does not fit the kernel.
    #[error("kernel `{kernel}`: argument `{argument}` {misuse}")]
    Argument {
        /// The kernel.
        kernel: String,
        /// The argument.
        argument: String,
        /// Its defect.
        misuse: Misuse,
    },
    /// A range of items begins inside a block.
    #[error("kernel `{kernel}`: its items begin with {first}, which is no multiple of {block}")]
    Range {
        /// The kernel.
        kernel: String,
        /// The first item.
        first: usize,
        /// Items of a block, at which launches may begin.
        block: usize,
    },
    /// A CUDA block has an impossible size.
    #[error("a CUDA block has 1 to 1024 threads, not {0}")]
    BlockSize(u32),
    /// Memory, a kernel or a module of one device was used on another.
    #[error("a {0} of another device was given to this one")]
    OtherDevice(&'static str),
    /// Not enough memory.
    #[error(
        "out of memory on {device}: {} asked, {} free; a coarser mesh, a lower order or single precision needs less",
        bytes(*.asked),
        .free.map_or("an unknown amount".into(), bytes)
    )]
    Memory {
        /// The device's name.
        device: String,
        /// Bytes asked for.
        asked: usize,
        /// Bytes free, if the system tells.
        free: Option<usize>,
    },
    /// A copy does not fit.
    #[error("a copy of {copied} bytes does not fit a buffer of {buffer}")]
    Size {
        /// Bytes to be copied.
        copied: usize,
        /// Bytes of the buffer.
        buffer: usize,
    },
    /// The CUDA driver reported an error.
    #[error("CUDA failed to {action}: {message}")]
    Cuda {
        /// The attempted action.
        action: &'static str,
        /// The driver's message.
        message: String,
    },
}

impl Error {
    /// For `map_err`: an error of the system, with the attempted action.
    pub(crate) fn io(context: impl Into<String>) -> impl FnOnce(std::io::Error) -> Self {
        let context = context.into();
        move |error| Self::Io { context, error }
    }
}

/// The remedy for a file that the system refuses.
fn remedy(error: &std::io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::FileTooLarge => "; raise the limit on the size of files (`ulimit -f`)",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "; make room, or name a folder elsewhere",
        _ => "",
    }
}

/// Why a compiler was stopped, from the message of system or compiler, and the remedy.
fn why_stopped(status: &str) -> &'static str {
    // Both use the name of SIGXFSZ.
    if status.contains("SIGXFSZ") || status.contains("File size limit exceeded") {
        "; raise the limit on the size of files (`ulimit -f`)"
    } else if status.contains("SIGINT") {
        ": by an interrupt"
    } else {
        ": by an interrupt, or because the machine has too little memory for it"
    }
}

fn kept_in(kept: &Option<PathBuf>) -> String {
    kept.as_ref().map_or(String::new(), |path| format!(", kept in {}:", path.display()))
}
