//! Folders for what a compiler reads and writes: removed at their end, or by the next process where this one is killed.
//!
//! Each holds a file that its process has locked, so that an abandoned one is known by a lock that can be taken: unlike the number
//! of a process, that holds between containers, too.

use std::fs::{DirEntry, File};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::Error;

const PREFIX: &str = "rankine-";
const LOCK: &str = "lock";

/// A folder that nobody else can look into, and that is removed when it is dropped.
pub(crate) struct TemporaryFolder {
    folder: TempDir,
    _lock: File,
}

impl TemporaryFolder {
    /// A new one, where the system has such folders.
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
        // Where the file system knows no locks, no other process can take this one either.
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

/// Removes what killed processes have left. What cannot be removed stays, which harms nobody.
fn remove_abandoned(above: &Path) {
    for entry in std::fs::read_dir(above).into_iter().flatten().filter_map(Result::ok) {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX)) && is_abandoned(&entry) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

fn is_abandoned(folder: &DirEntry) -> bool {
    let user = rustix::process::geteuid().as_raw();
    // Nobody else can have put anything into a folder that is ours.
    let is_ours = folder.metadata().is_ok_and(|metadata| metadata.is_dir() && metadata.uid() == user);
    let lock = File::open(folder.path().join(LOCK)).ok().filter(|lock| is_ours && lock.try_lock().is_ok());
    // A process that is just about to lock its own has written nothing else yet, and will wait for us.
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
        // As after a kill: nothing is removed, and the lock is free.
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
