//! Shared objects that are loaded from memory, so that what runs is what was checked.

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
    /// Loads the shared object that these bytes are: from a file without a name, or where the system has no such thing, from
    /// one in a folder that nobody else can look into.
    ///
    /// # Safety
    /// The bytes are code that may run here, and whose initialisers may.
    ///
    /// # Errors
    /// [`Error::Load`] with what the loader says.
    pub unsafe fn load(bytes: &[u8]) -> Result<Self, Error> {
        #[cfg(target_os = "linux")]
        // SAFETY: the caller's.
        if let Ok(library) = unsafe { Self::load_unnamed(bytes) } {
            return Ok(library);
        }
        let folder = TemporaryFolder::new()?;
        let path = folder.write("unit.so", bytes)?;
        // SAFETY: the caller's.
        Ok(Self { symbols: unsafe { open(&path) }?, _file: None })
    }

    /// As [`load`](Self::load), from a file in memory which is closed to every change before it is loaded.
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
        // The loader takes two objects of one path for the same. So the descriptor stays open, and its number is not given to
        // another file, as long as the object is loaded.
        // SAFETY: the caller's.
        Ok(Self { symbols: unsafe { open(Path::new(&path)) }?, _file: Some(file) })
    }

    /// The address of a symbol; `None` where there is none.
    ///
    /// # Safety
    /// It is of this type.
    pub unsafe fn get<T: Copy>(&self, name: &str) -> Option<T> {
        // SAFETY: the caller's.
        unsafe { self.symbols.get::<T>(name) }.ok().map(|symbol| *symbol)
    }
}

/// # Safety
/// The file's code may run here.
unsafe fn open(path: &Path) -> Result<libloading::Library, Error> {
    // SAFETY: the caller's.
    unsafe { libloading::Library::new(path) }.map_err(|error| {
        // The loader's own words are the cause.
        let message = std::error::Error::source(&error).unwrap_or(&error).to_string();
        // The name of a file in memory says nothing to anybody.
        Error::Load { message: message.trim_start_matches(&*format!("{}: ", path.display())).to_owned() }
    })
}
