//! Shared objects loaded from memory, so that exactly the checked bytes run.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use super::error::Error;
use super::temporary::TemporaryFolder;

/// A loaded shared object.
pub(super) struct Library {
    // Dropped first: see `load_unnamed`.
    symbols: libloading::Library,
    _file: Option<File>,
}

impl Library {
    /// Loads a shared object from its bytes: through a file without a name or, where the system has none, through
    /// one in a folder that only the user can access.
    ///
    /// # Safety
    /// The code in the bytes, including its initialisers, may run here.
    ///
    /// # Errors
    /// [`Error::Load`] with the loader's message.
    pub unsafe fn load(bytes: &[u8]) -> Result<Self, Error> {
        #[cfg(target_os = "linux")]
        // SAFETY: guaranteed by the caller.
        if let Ok(library) = unsafe { Self::load_unnamed(bytes) } {
            return Ok(library);
        }
        let folder = TemporaryFolder::new()?;
        let path = folder.write("unit.so", bytes)?;
        // SAFETY: guaranteed by the caller.
        Ok(Self { symbols: unsafe { open(&path) }?, _file: None })
    }

    /// Like [`load`](Self::load), from a file in memory that is sealed against changes before it is loaded.
    #[cfg(target_os = "linux")]
    unsafe fn load_unnamed(bytes: &[u8]) -> Result<Self, Error> {
        use std::os::fd::AsRawFd as _;

        use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

        let seals = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
        let write = || -> std::io::Result<File> {
            let mut file = File::from(memfd_create("rankine", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
            file.write_all(bytes)?;
            fcntl_add_seals(&file, seals)?;
            Ok(file)
        };
        let file = write().map_err(Error::io("cannot make a file in memory"))?;
        let path = format!("/proc/self/fd/{}", file.as_raw_fd());
        // The loader treats two objects with the same path as one. So the descriptor stays open while the object is loaded, and its
        // number is not given to another file.
        // SAFETY: guaranteed by the caller.
        Ok(Self { symbols: unsafe { open(Path::new(&path)) }?, _file: Some(file) })
    }

    /// The address of a symbol; `None` where there is none.
    ///
    /// # Safety
    /// The symbol has this type.
    pub unsafe fn get<T: Copy>(&self, name: &str) -> Option<T> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.symbols.get::<T>(name) }.ok().map(|symbol| *symbol)
    }
}

/// Opens a shared object and finds all symbols that it needs at once: one that is missing is an error here, and later would end the
/// process.
///
/// # Safety
/// The file's code may run here.
unsafe fn open(path: &Path) -> Result<libloading::Library, Error> {
    #[cfg(unix)]
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    #[cfg(unix)]
    // SAFETY: guaranteed by the caller.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into);
    #[cfg(not(unix))]
    // SAFETY: guaranteed by the caller.
    let library = unsafe { libloading::Library::new(path) };
    library.map_err(|error| {
        // The loader's own message is the cause.
        let message = std::error::Error::source(&error).unwrap_or(&error).to_string();
        // The name of a file in memory is meaningless to users.
        Error::Load { message: message.trim_start_matches(&*format!("{}: ", path.display())).to_owned() }
    })
}
