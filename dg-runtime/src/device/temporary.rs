//! Folders for a compiler's input and output: removed when dropped or, if the process was killed, by the next process.
//!
//! Each holds a file locked by its process, so that the folder is abandoned if the lock can be taken: unlike process
//! numbers, locks work across containers, too.

use std::fs::{DirEntry, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::Error;

const PREFIX: &str = "rankine-";
const LOCK: &str = "lock";

/// A folder that only the user can access, removed when it is dropped.
pub(crate) struct TemporaryFolder {
    folder: TempDir,
    _lock: File,
}

impl TemporaryFolder {
    /// A new folder in the system's place for temporary files.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn new() -> Result<Self, Error> {
        Self::within(&std::env::temp_dir()).map_err(Error::io("cannot create a temporary folder (`TMPDIR` says where)"))
    }

    fn within(above: &Path) -> std::io::Result<Self> {
        remove_abandoned(above);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(above)?;
        let lock = File::create_new(folder.path().join(LOCK))?;
        // On a file system without locks, no other process can take this one either.
        let _ = lock.lock();
        Ok(Self { folder, _lock: lock })
    }

    /// The path of a file in it.
    pub fn join(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file into it, and returns its path.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, name: &str, content: &[u8]) -> Result<PathBuf, Error> {
        let path = self.join(name);
        let context = format!("cannot write {} (`TMPDIR` says where)", path.display());
        std::fs::write(&path, content).map_err(Error::io(context))?;
        Ok(path)
    }
}

/// Removes folders of killed processes. Those that cannot be removed stay, which is harmless.
fn remove_abandoned(above: &Path) {
    for entry in std::fs::read_dir(above).into_iter().flatten().filter_map(Result::ok) {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) && is_abandoned(&entry) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(folder: &DirEntry) -> bool {
    let user = rustix::process::geteuid().as_raw();
    // Nobody else can have put files into a folder that we own.
    let is_ours = folder.metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == user);
    let lock = File::open(folder.path().join(LOCK)).ok().filter(|lock| is_ours && lock.try_lock().is_ok());
    // A process about to lock its file has written nothing else yet, and waits for us.
    lock.is_some() && std::fs::read_dir(folder.path()).is_ok_and(|entries| entries.count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_process_leaves_is_removed_by_the_next_and_nothing_else() {
        let above = tempfile::tempdir().unwrap();
        let names = || {
            let mut names: Vec<_> =
                std::fs::read_dir(&above).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        std::fs::create_dir(above.path().join("rankine-notes")).unwrap();
        std::fs::write(above.path().join("rankine-notes/mine.txt"), "").unwrap();
        std::fs::create_dir(above.path().join("rankine-new")).unwrap();
        std::fs::write(above.path().join("rankine-new/lock"), "").unwrap();
        let others = names();

        let living = TemporaryFolder::within(above.path()).unwrap();
        living.write("unit.c", b"x").unwrap();
        // Like after a kill: nothing is removed, and the lock is free.
        let TemporaryFolder { folder, _lock } = TemporaryFolder::within(above.path()).unwrap();
        let killed = folder.keep();
        std::fs::write(killed.join("unit.c"), "x").unwrap();
        drop(_lock);
        assert_eq!(names().len(), others.len() + 2);

        drop(TemporaryFolder::within(above.path()).unwrap());
        assert!(!killed.exists() && living.join("unit.c").is_file());
        drop(living);
        assert_eq!(names(), others);
    }
}
