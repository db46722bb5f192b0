//! Turns of the checks of one user: one at a time in all threads and processes, first come, first served.
//!
//! Who waits holds a ticket: a file with a number, which its owner locks. The lock of a file ends with its owner, however
//! that ends, so a waiter sleeps on the lock of the ticket before its own and takes away the tickets of the dead (a queue
//! lock: T. S. Craig, Technical Report 93-02-02, University of Washington, 1993). The first in the queue takes the lock of
//! the file `algebra.lock`, which names the check that runs.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How long to wait for a turn before saying so.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often a lock is tried before then.
const INTERVAL: Duration = Duration::from_millis(10);

/// The folder of this user for files of the checks.
pub fn folder() -> PathBuf {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.map_or_else(without_home, |home| home.join(".cache/rankine"))
}

/// The file whose lock a check holds while it runs.
pub fn path(folder: &Path) -> PathBuf {
    folder.join("algebra.lock")
}

/// The turn of this thread; dropping it begins the next one's.
#[derive(Debug)]
pub struct Turn {
    // In this order: the lock ends before the ticket.
    lock: File,
    _ticket: Ticket,
}

impl Turn {
    /// Waits for the turn of a check of the law of this name, and says on standard error for what, if that takes long.
    ///
    /// # Errors
    /// When the files of the queue cannot be used.
    pub fn wait(folder: &Path, law: &str) -> std::io::Result<Self> {
        let path = path(folder);
        let mut lock = open(&path)?;
        let ticket = Ticket::draw(folder)?;
        let mut patience = Patience { path: &path, since: Instant::now(), said: false };
        while let Some(before) = ticket.before()? {
            // Its owner may remove it at any time.
            if let Some(file) = unless_removed(File::open(&before))? {
                patience.lock(&file)?;
                unless_removed(std::fs::remove_file(&before))?;
            }
        }
        patience.lock(&lock)?;
        let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
        lock.set_len(0)?;
        write!(lock, "{} {seconds} {law}", std::process::id())?;
        Ok(Self { lock, _ticket: ticket })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Nothing depends on it: the lock ends with the file.
        let _ = self.lock.set_len(0);
    }
}

/// A place in the queue.
#[derive(Debug)]
struct Ticket {
    number: u64,
    path: PathBuf,
    /// Keeps the ticket locked.
    _file: File,
}

impl Ticket {
    /// The last place in the queue.
    fn draw(folder: &Path) -> std::io::Result<Self> {
        let queue = folder.join("algebra.queue");
        // Held for as long as it takes to make a file: only one ticket gets a number.
        let counter = open(&queue.join("counter"))?;
        counter.lock()?;
        let number = numbers(&queue)?.max().unwrap_or(0) + 1;
        let path = queue.join(number.to_string());
        let file = open(&path)?;
        file.lock()?;
        Ok(Self { number, path, _file: file })
    }

    /// The ticket that is served before this one, if there is one.
    fn before(&self) -> std::io::Result<Option<PathBuf>> {
        let queue = self.path.parent().unwrap_or(&self.path);
        let number = numbers(queue)?.filter(|number| *number < self.number).max();
        Ok(number.map(|number| queue.join(number.to_string())))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        // The next in the queue does it otherwise.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Nothing where the file is missing.
fn unless_removed<T>(result: std::io::Result<T>) -> std::io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// The numbers of the tickets in the queue.
fn numbers(queue: &Path) -> std::io::Result<impl Iterator<Item = u64>> {
    let entries = std::fs::read_dir(queue)?;
    Ok(entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()))
}

/// A wait, which is announced once.
struct Patience<'a> {
    path: &'a Path,
    since: Instant,
    said: bool,
}

impl Patience<'_> {
    /// Waits for the lock of a file.
    fn lock(&mut self, file: &File) -> std::io::Result<()> {
        while !self.said {
            match file.try_lock() {
                Ok(()) => return Ok(()),
                Err(TryLockError::Error(source)) => return Err(source),
                Err(TryLockError::WouldBlock) if self.since.elapsed() < PATIENCE => std::thread::sleep(INTERVAL),
                Err(TryLockError::WouldBlock) => {
                    // If the message cannot be written, it waits all the same.
                    let _ = writeln!(std::io::stderr(), "rankine: {}", waiting(self.path));
                    self.said = true;
                }
            }
        }
        file.lock()
    }
}

/// What a waiter says: who holds the lock, and since when.
fn waiting(path: &Path) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    let mut parts = text.splitn(3, ' ');
    let holder = read.is_ok().then(|| Some((parts.next()?, parts.next()?.parse::<u64>().ok()?, parts.next()?)));
    let Some(Some((process, since, law))) = holder else {
        return format!("waiting for another check of a law to finish (its lock is {})", path.display());
    };
    let elapsed = (SystemTime::UNIX_EPOCH + Duration::from_secs(since)).elapsed().unwrap_or_default().as_secs();
    format!(
        "waiting for another check of a law to finish: process {process} has checked `{law}` for {elapsed} s \
         (its lock is {})",
        path.display()
    )
}

/// The folder of a user without a home: one for each, where all users may write.
fn without_home() -> PathBuf {
    std::env::temp_dir().join(format!("rankine-{}", user()))
}

/// The effective user's number.
fn user() -> u32 {
    // SAFETY: it has no preconditions and cannot fail.
    unsafe { libc::geteuid() }
}

/// Opens a lock file, and creates it if it is missing. A symbolic link in its place is refused. For a user without a
/// home, so is a folder that belongs to another user, who could hold the lock for ever.
fn open(path: &Path) -> std::io::Result<File> {
    let folder = path.parent().unwrap_or(path);
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    if folder.starts_with(without_home()) && std::fs::symlink_metadata(without_home())?.uid() != user() {
        return Err(std::io::Error::other("the folder belongs to another user; set `HOME` to one of yours"));
    }
    File::options().create(true).truncate(false).write(true).custom_flags(libc::O_NOFOLLOW).open(path)
}

#[cfg(test)]
mod tests;
