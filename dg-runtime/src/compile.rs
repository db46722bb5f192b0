//! Source and options in, binary out: what is defined before a unit's text, and the cache on disk.
//!
//! Before the text stand `#define`s: `BLOCK_SIZE`, then those of [`Options::defines`], among them `PRECISION`
//! (`double` or `float`). Both back ends compile the result as it stands, so that a text which a compiler rejects can
//! be kept and compiled by hand.
//!
//! A binary lies in the cache under the hash of everything it depends on: the text and what the back end says of its
//! compiler, flags and architecture. It ends with a checksum of itself and appears by an atomic rename, so that a
//! damaged entry is rebuilt and processes may share the cache. The place is `RANKINE_CACHE` or the user's cache folder
//! (`~/.cache/rankine`); it may be deleted at any time. With every new entry, those that were not used for longest are
//! deleted until the rest is below a gibibyte. What cannot be kept, on a full disk for instance, is worth a warning and no more.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use etcetera::BaseStrategy;

use crate::device::Error;
pub use crate::device::cuda::{nvrtc_for, nvrtc_version};
use crate::notice::notice;

/// Bytes of the checksum that ends every entry.
const CHECKSUM: usize = blake3::OUT_LEN;

/// Hexadecimal digits of a key.
const KEY: usize = 32;

/// Bytes that the entries may take together; the newest one may be larger.
const CAPACITY: u64 = 1 << 30;

/// What entries end with; the rest of a cache folder is not for deletion.
const EXTENSIONS: [&str; 4] = ["so", "cubin", "c", "json"];

/// What is chosen at run time about a unit's code.
#[derive(Clone, Debug)]
pub struct Options {
    /// Names and values of `#define`s before the text.
    pub defines: Vec<(String, String)>,
    /// Threads of a block on CUDA; the host ignores it.
    pub block_size: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { defines: Vec::new(), block_size: 128 }
    }
}

/// The text that a compiler gets to see.
pub(crate) fn text(source: &str, options: &Options) -> String {
    let mut text = format!("#define BLOCK_SIZE {}\n", options.block_size);
    for (name, value) in &options.defines {
        let _ = writeln!(text, "#define {name} {value}");
    }
    text + source
}

/// Compiled units on disk, and what was measured of them.
#[derive(Debug)]
pub(crate) struct Cache {
    directory: PathBuf,
    capacity: u64,
    /// Of the entries that cannot be kept, the first is worth a warning.
    warning: Once,
    /// Keeps the folder that stands in for an unwritable one; it is deleted in the end.
    _temporary: Option<tempfile::TempDir>,
}

/// A compiled unit.
pub(crate) struct Binary {
    /// The file, which ends with a checksum that no loader minds; none where it could not be kept.
    pub path: Option<PathBuf>,
    /// Its content without the checksum.
    pub bytes: Vec<u8>,
}

impl Cache {
    /// The user's cache; where that cannot be written, a temporary folder, with a warning.
    pub fn open() -> Result<Self, Error> {
        let directory = match std::env::var_os("RANKINE_CACHE") {
            Some(path) => Ok(PathBuf::from(path)),
            None => etcetera::choose_base_strategy().map(|strategy| strategy.cache_dir().join("rankine")),
        };
        match directory {
            Ok(directory) => Self::at(&directory),
            Err(error) => Self::temporary(&format!("no home directory for the cache of compiled kernels: {error}")),
        }
    }

    /// The cache in a folder, created where missing; where it cannot be written, a temporary one, with a warning.
    pub fn at(directory: &Path) -> Result<Self, Error> {
        let writable = std::fs::create_dir_all(directory).and_then(|()| tempfile::tempfile_in(directory));
        match writable {
            Ok(_) => {
                Ok(Self { directory: directory.to_owned(), capacity: CAPACITY, warning: Once::new(), _temporary: None })
            }
            Err(error) => Self::temporary(&format!(
                "cannot write the cache of compiled kernels in {}: {error}",
                directory.display()
            )),
        }
    }

    fn temporary(reason: &str) -> Result<Self, Error> {
        notice(format_args!(
            "warning: {reason}; kernels are compiled anew every time (`RANKINE_CACHE` names another folder)"
        ));
        Self::scratch()
    }

    /// A cache that nobody shares and that is deleted in the end.
    pub fn scratch() -> Result<Self, Error> {
        let folder = temporary_folder()?;
        let directory = folder.path().to_owned();
        Ok(Self { directory, capacity: CAPACITY, warning: Once::new(), _temporary: Some(folder) })
    }

    /// The binary of a text, built where the cache has none that is whole. `identity` is all else that the binary
    /// depends on; `extension` names the kind of file.
    ///
    /// # Errors
    /// Those of `build`, a rejected text being kept in the cache.
    pub fn binary(
        &self,
        text: &str,
        identity: &[&str],
        extension: &str,
        build: impl FnOnce() -> Result<Vec<u8>, Error>,
    ) -> Result<Binary, Error> {
        if let Some(binary) = self.find(text, identity, extension) {
            return Ok(binary);
        }
        let bytes = build().map_err(|error| match error {
            Error::Rejected { compiler, log, kept: None } => {
                let kept = self.entry(text, identity, "c");
                let kept = write(&kept, &[text.as_bytes()]).is_ok().then_some(kept);
                Error::Rejected { compiler, log, kept }
            }
            error => error,
        })?;
        let path = self.keep(text, identity, extension, &bytes);
        Ok(Binary { path, bytes })
    }

    /// What was kept for a text and an identity, if it is there and whole.
    pub fn find(&self, text: &str, identity: &[&str], extension: &str) -> Option<Binary> {
        let path = self.entry(text, identity, extension);
        let bytes = read(&path)?;
        mark_used(&path);
        Some(Binary { path: Some(path), bytes })
    }

    /// Keeps bytes for a text and an identity, in the file that is returned; where that cannot be written, with a warning.
    pub fn keep(&self, text: &str, identity: &[&str], extension: &str, bytes: &[u8]) -> Option<PathBuf> {
        let path = self.entry(text, identity, extension);
        match write(&path, &[bytes, blake3::hash(bytes).as_bytes()]) {
            Ok(()) => {
                self.shrink(&path);
                Some(path)
            }
            Err(error) => {
                self.warning.call_once(|| {
                    notice(format_args!(
                        "warning: cannot keep compiled kernels in {}: {error}; they are compiled anew every time \
                         (`RANKINE_CACHE` names another folder)",
                        self.directory.display()
                    ));
                });
                None
            }
        }
    }

    fn entry(&self, text: &str, identity: &[&str], extension: &str) -> PathBuf {
        self.directory.join(format!("{}.{extension}", key(text, identity)))
    }

    /// Deletes the entries that were not used for longest, but never `new`, until the rest fits.
    ///
    /// Other processes may do the same at the same time: a file that is gone is none to delete, one that was loaded stays
    /// with whoever loaded it, and one that is missed is built anew.
    fn shrink(&self, new: &Path) {
        let Ok(folder) = std::fs::read_dir(&self.directory) else { return };
        let mut entries: Vec<_> = folder
            .filter_map(|entry| {
                let path = entry.ok()?.path();
                let metadata = path.metadata().ok()?;
                let is_entry = is_entry(&path) && path != new;
                is_entry.then_some((metadata.modified().ok()?, metadata.len(), path))
            })
            .collect();
        entries.sort_unstable_by(|a, b| b.cmp(a));
        let mut total = new.metadata().map_or(0, |metadata| metadata.len());
        for (_, bytes, path) in entries {
            total += bytes;
            if total > self.capacity {
                // Another process may have been faster.
                let _ = std::fs::remove_file(path);
            }
        }
    }
}

/// A folder that is deleted when it is dropped.
pub fn temporary_folder() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(Error::io("cannot create a temporary folder (`TMPDIR` says where)"))
}

fn key(text: &str, identity: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in identity.iter().chain([&text]) {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..KEY].to_owned()
}

/// Whether a file is named like what a [`Cache`] writes.
fn is_entry(path: &Path) -> bool {
    let part = |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).unwrap_or_default().to_owned();
    let (stem, extension) = (part(path.file_stem()), part(path.extension()));
    stem.len() == KEY && stem.bytes().all(|byte| byte.is_ascii_hexdigit()) && EXTENSIONS.contains(&&*extension)
}

/// Makes an entry the last used one. In a cache that cannot be written it stays what it was, which harms nobody.
fn mark_used(path: &Path) {
    let file = std::fs::File::options().append(true).open(path);
    let _ = file.and_then(|file| file.set_modified(std::time::SystemTime::now()));
}

/// The content of an entry, if it is there and whole.
fn read(path: &Path) -> Option<Vec<u8>> {
    let mut bytes = std::fs::read(path).ok()?;
    let checksum = bytes.split_off(bytes.len().checked_sub(CHECKSUM)?);
    (blake3::hash(&bytes).as_bytes()[..] == checksum).then_some(bytes)
}

/// Writes a file so that it appears whole or not at all.
fn write(path: &Path, parts: &[&[u8]]) -> std::io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    // Errors would name the temporary file otherwise.
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(|error| std::io::Error::from(error.kind()))?;
    for part in parts {
        file.as_file_mut().write_all(part)?;
    }
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "some text";

    fn files(folder: &Path) -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn an_entry_is_built_once() {
        let cache = Cache::scratch().unwrap();
        let built = cache.binary(TEXT, &["a"], "so", || Ok(vec![1, 2, 3])).unwrap();
        let found = cache.binary(TEXT, &["a"], "so", || panic!("built twice")).unwrap();
        assert_eq!((built.path, built.bytes), (found.path, found.bytes));
    }

    #[test]
    fn text_and_every_part_of_the_identity_distinguish_entries() {
        let keys = [
            key("t", &["a", "b"]),
            key("u", &["a", "b"]),
            key("t", &["a", "c"]),
            key("t", &["ab", ""]),
            key("bt", &["a", ""]),
        ];
        let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
        assert_eq!(distinct.len(), keys.len());
    }

    #[test]
    fn a_damaged_entry_is_built_anew() {
        let cache = Cache::scratch().unwrap();
        let path = cache.binary(TEXT, &[], "so", || Ok(vec![7; 100])).unwrap().path.unwrap();
        let whole = std::fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[50] ^= 1;
        for damaged in [&flipped[..], &whole[..90], &whole[..10], &[]] {
            std::fs::write(&path, damaged).unwrap();
            let mut built = false;
            let binary = cache.binary(TEXT, &[], "so", || {
                built = true;
                Ok(vec![7; 100])
            });
            assert_eq!(binary.unwrap().bytes, [7; 100]);
            assert!(built && std::fs::read(&path).unwrap() == whole);
        }
    }

    #[test]
    fn a_failed_build_leaves_no_entry_and_a_rejected_text_is_kept() {
        let cache = Cache::scratch().unwrap();
        let rejected = || Err(Error::Rejected { compiler: "cc".into(), log: "no".into(), kept: None });
        let Err(Error::Rejected { kept: Some(kept), .. }) = cache.binary(TEXT, &[], "so", rejected) else {
            panic!("the text was not rejected or not kept")
        };
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), TEXT);
        assert_eq!(files(&cache.directory), [kept]);
    }

    #[test]
    fn the_entries_unused_for_longest_make_room_for_new_ones() {
        let cache = Cache { capacity: 5 * 132, ..Cache::scratch().unwrap() };
        let other = cache.directory.join("algebra.lock");
        std::fs::write(&other, vec![0; 1000]).unwrap();
        let entry = |text: &str| cache.binary(text, &[], "so", || Ok(vec![0; 100])).unwrap().path.unwrap();
        let old = |path: &Path, seconds: u64| {
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
            std::fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
        };
        let paths: Vec<_> = ["0", "1", "2", "3", "4"].map(entry).into();
        for (age, path) in paths.iter().rev().enumerate() {
            old(path, 100 * (age as u64 + 1));
        }
        assert!(paths.iter().all(|path| path.is_file()), "all five fit");
        assert_eq!(entry("0"), paths[0], "the oldest is used again");
        let new = entry("5");
        let there: Vec<bool> = paths.iter().map(|path| path.is_file()).collect();
        assert_eq!(there, [true, false, true, true, true]);
        assert!(new.is_file() && other.is_file());
    }

    #[test]
    fn an_entry_larger_than_the_cache_is_kept_for_now() {
        let cache = Cache { capacity: 10, ..Cache::scratch().unwrap() };
        let entry = |text: &str| cache.binary(text, &[], "so", || Ok(vec![0; 100])).unwrap().path.unwrap();
        let (first, second) = (entry("0"), entry("1"));
        assert!(!first.is_file() && second.is_file());
    }

    #[test]
    fn a_cache_that_cannot_be_written_gives_way_to_a_temporary_one() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::at(&file.path().join("cache")).unwrap();
        assert!(!cache.directory.starts_with(file.path()));
        assert!(cache.binary(TEXT, &[], "so", || Ok(vec![1])).unwrap().path.is_some());
    }

    #[test]
    fn what_cannot_be_kept_is_there_all_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(&folder.path().join("cache")).unwrap();
        // As where a disk has become full, or the folder is deleted by someone else: nobody is kept from that by permissions.
        std::fs::remove_dir(&cache.directory).unwrap();
        for _ in 0..2 {
            let binary = cache.binary(TEXT, &[], "so", || Ok(vec![1, 2])).unwrap();
            assert_eq!((binary.path, binary.bytes), (None, vec![1, 2]));
        }
    }
}
