//! The cache of compiled units on disk.
//!
//! The key of a binary is a hash of everything it depends on: the text, and the back end's
//! compiler, flags and architecture. An entry ends with a checksum of itself and its name, and appears by an atomic rename, so that
//! a damaged entry is rebuilt and processes may share the cache. The place is `RANKINE_CACHE` or the user's cache folder
//! (`~/.cache/rankine`); it may be deleted at any time. With every new entry, the least recently used ones are
//! deleted until the rest is below a gibibyte.
//!
//! A binary is code that runs with all the rights of the user. So the cache is a `PrivateFolder`: files that somebody else could have
//! written are not used. If an entry cannot be kept, for this reason or on a full disk, there is only a warning.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, Once};

use etcetera::BaseStrategy;

use super::error::Error;
use crate::notice::notice;
use crate::private_folder::{PrivateFolder, Refused};

/// Bytes of the checksum that ends every entry.
const CHECKSUM: usize = blake3::OUT_LEN;

/// Hexadecimal digits of a key.
const KEY: usize = 32;

/// Total size of the entries in bytes; the newest one may be larger.
const CAPACITY: u64 = 1 << 30;

/// The extensions of entries; other files in a cache folder are never deleted.
const EXTENSIONS: [&str; 4] = ["so", "cubin", "c", "json"];

/// Compiled units on disk, and measurements of them.
#[derive(Debug)]
pub(crate) struct Cache {
    /// The folder, which is made with the first entry.
    path: PathBuf,
    capacity: u64,
    /// Entries that could not be written, by name.
    unkept: Mutex<HashMap<String, Vec<u8>>>,
}

impl Cache {
    /// The user's cache. Nothing is written before the first entry.
    pub fn open() -> Self {
        let in_home = || Some(etcetera::choose_base_strategy().ok()?.cache_dir().join("rankine"));
        let path = place(std::env::var_os("RANKINE_CACHE")).or_else(in_home);
        Self::at(path.unwrap_or_default())
    }

    /// The cache in a folder.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), capacity: CAPACITY, unkept: Mutex::default() }
    }

    /// The unit that `load` makes of a binary of the text: of the cached one if it loads, else of the one that `build`
    /// makes. `identity` is everything else that the binary depends on; `extension` is the kind of file.
    ///
    /// # Errors
    /// Those of `build`, with a rejected text kept in the cache; those of `load`, for a new binary.
    pub fn unit<T>(
        &self,
        text: &str,
        identity: &[&str],
        extension: &str,
        build: impl FnOnce() -> Result<Vec<u8>, Error>,
        load: impl Fn(&[u8]) -> Result<T, Error>,
    ) -> Result<T, Error> {
        // An entry that does not load is rebuilt and replaced.
        if let Some(unit) = self.find(text, identity, extension).and_then(|bytes| load(&bytes).ok()) {
            return Ok(unit);
        }
        let bytes = build().map_err(|error| match error {
            Error::Rejected { compiler, log, kept: None } => {
                let kept = self.keep_text(&entry(text, identity, "c"), text);
                Error::Rejected { compiler, log, kept }
            }
            error => error,
        })?;
        let unit = load(&bytes)?;
        self.keep(text, identity, extension, &bytes);
        Ok(unit)
    }

    /// The entry of a text and an identity, if it is there and whole.
    pub fn find(&self, text: &str, identity: &[&str], extension: &str) -> Option<Vec<u8>> {
        let name = entry(text, identity, extension);
        let kept = match PrivateFolder::open(&self.path) {
            Ok(folder) => folder.and_then(|folder| {
                let bytes = without_checksum(&name, folder.read(&name)?)?;
                folder.mark_used(&name);
                Some(bytes)
            }),
            Err(refused) => {
                self.warn(&refused);
                None
            }
        };
        kept.or_else(|| self.unkept.lock().ok()?.get(&name).cloned())
    }

    /// Whether there is a whole entry of a text and an identity; nothing is written.
    pub fn has(&self, text: &str, identity: &[&str], extension: &str) -> bool {
        let name = entry(text, identity, extension);
        let folder = PrivateFolder::open(&self.path).ok().flatten();
        folder.is_some_and(|folder| folder.read(&name).is_some_and(|bytes| without_checksum(&name, bytes).is_some()))
    }

    /// Keeps bytes for a text and an identity: on disk, or else in memory, with a warning.
    pub fn keep(&self, text: &str, identity: &[&str], extension: &str, bytes: &[u8]) {
        let name = entry(text, identity, extension);
        if let Err(refused) = self.write(&name, &[bytes, &checksum(&name, bytes)]) {
            self.warn(&refused);
            if let Ok(mut unkept) = self.unkept.lock() {
                unkept.insert(name, bytes.to_vec());
            }
        }
    }

    /// Keeps a text for users to read, in the file that is returned.
    fn keep_text(&self, name: &str, text: &str) -> Option<PathBuf> {
        self.write(name, &[text.as_bytes()]).ok().map(|()| self.path.join(name))
    }

    fn write(&self, name: &str, parts: &[&[u8]]) -> Result<(), Refused> {
        let folder = PrivateFolder::make(&self.path)?;
        folder.write(name, parts)?;
        self.shrink(&folder, name);
        Ok(())
    }

    /// Warns once per process that there is no cache, and why.
    fn warn(&self, refused: &Refused) {
        static WARNING: Once = Once::new();
        WARNING.call_once(|| notice(format_args!("warning: {}", self.warning(refused))));
    }

    fn warning(&self, refused: &Refused) -> String {
        let place = if self.path.as_os_str().is_empty() {
            "there is no home directory for the cache of compiled kernels".to_owned()
        } else {
            format!("the cache of compiled kernels in {} is not used: {refused}", self.path.display())
        };
        format!("{place}; kernels are compiled anew every time (`RANKINE_CACHE` names another folder)")
    }

    /// Deletes the least recently used entries, but never `new`, until the rest fits.
    ///
    /// Other processes may do the same at the same time: a loaded entry stays loaded, and a missing one
    /// is built anew.
    fn shrink(&self, folder: &PrivateFolder, new: &str) {
        let mut entries = folder.entries();
        entries.retain(|entry| is_entry(&entry.name));
        entries.sort_unstable_by_key(|entry| (entry.name != new, Reverse(entry.used)));
        let mut total = 0;
        for entry in entries {
            total += entry.bytes;
            if total > self.capacity && entry.name != new {
                folder.remove(&entry.name);
            }
        }
    }
}

/// The folder named by an environment variable; an empty one counts as unset.
fn place(variable: Option<OsString>) -> Option<PathBuf> {
    variable.filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// The name of an entry.
fn entry(text: &str, identity: &[&str], extension: &str) -> String {
    format!("{}.{extension}", key(text, identity))
}

fn key(text: &str, identity: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in identity.iter().chain([&text]) {
        hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..KEY].to_owned()
}

/// Whether a file has the name of a [`Cache`] entry.
fn is_entry(name: &str) -> bool {
    name.split_once('.').is_some_and(|(stem, extension)| {
        stem.len() == KEY && stem.bytes().all(|byte| byte.is_ascii_hexdigit()) && EXTENSIONS.contains(&extension)
    })
}

/// The checksum at the end of an entry: it includes the name, so that no entry passes for another.
fn checksum(name: &str, bytes: &[u8]) -> [u8; CHECKSUM] {
    *blake3::Hasher::new().update(name.as_bytes()).update(bytes).finalize().as_bytes()
}

/// The content of an entry, if it is whole.
fn without_checksum(name: &str, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let end = bytes.split_off(bytes.len().checked_sub(CHECKSUM)?);
    (checksum(name, &bytes)[..] == end).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::path::Path;

    use super::*;

    const TEXT: &str = "some text";

    /// An empty cache, with its folder.
    fn cache() -> (Cache, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        (Cache::at(folder.path()), folder)
    }

    /// The cached bytes of a text, or else these, and whether they were new.
    fn get(cache: &Cache, text: &str, bytes: &[u8]) -> (Vec<u8>, bool) {
        let built = std::cell::Cell::new(false);
        let build = || {
            built.set(true);
            Ok(bytes.to_vec())
        };
        (cache.unit(text, &["a"], "so", build, |bytes| Ok(bytes.to_vec())).unwrap(), built.get())
    }

    fn path_of(cache: &Cache, text: &str) -> PathBuf {
        cache.path.join(entry(text, &["a"], "so"))
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    }

    #[test]
    fn an_entry_is_built_once() {
        let (cache, folder) = cache();
        assert_eq!(get(&cache, TEXT, &[1, 2, 3]), (vec![1, 2, 3], true));
        assert_eq!(get(&cache, TEXT, &[4]), (vec![1, 2, 3], false));
        assert_eq!(files(folder.path()), [path_of(&cache, TEXT)]);
    }

    #[test]
    fn the_folder_is_made_when_there_is_something_to_keep() {
        let (_, above) = cache();
        let cache = Cache::at(above.path().join("some/cache"));
        assert!(cache.find(TEXT, &["a"], "so").is_none());
        assert_eq!(files(above.path()).len(), 0);
        get(&cache, TEXT, &[1]);
        assert_eq!(std::fs::metadata(&cache.path).unwrap().permissions().mode() & 0o777, 0o700);
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
        let (cache, _folder) = cache();
        get(&cache, TEXT, &[7; 100]);
        let path = path_of(&cache, TEXT);
        let whole = std::fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        flipped[50] ^= 1;
        for damaged in [&flipped[..], &whole[..90], &whole[..10], &[]] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(get(&cache, TEXT, &[7; 100]), (vec![7; 100], true));
            assert!(std::fs::read(&path).unwrap() == whole);
        }
    }

    #[test]
    fn an_entry_does_not_pass_for_another() {
        let (cache, _folder) = cache();
        get(&cache, "one text", &[1]);
        std::fs::rename(path_of(&cache, "one text"), path_of(&cache, TEXT)).unwrap();
        assert_eq!(get(&cache, TEXT, &[2]), (vec![2], true));
    }

    #[test]
    fn an_entry_that_does_not_load_is_made_anew() {
        let (cache, _folder) = cache();
        get(&cache, TEXT, &[1]);
        let load = |bytes: &[u8]| if bytes == [2] { Ok(()) } else { Err(Error::NoKernel("all".into())) };
        cache.unit(TEXT, &["a"], "so", || Ok(vec![2]), load).unwrap();
        assert_eq!(get(&cache, TEXT, &[3]), (vec![2], false));
        // A new binary that does not load is an error, and is not kept.
        let error = cache.unit("another text", &["a"], "so", || Ok(vec![4]), load);
        assert!(error.is_err() && get(&cache, "another text", &[5]).1);
    }

    #[test]
    fn a_failed_build_leaves_no_entry_and_a_rejected_text_is_kept() {
        let (cache, folder) = cache();
        let rejected = || Err(Error::Rejected { compiler: "cc".into(), log: "no".into(), kept: None });
        let Err(Error::Rejected { kept: Some(kept), .. }) = cache.unit(TEXT, &[], "so", rejected, |_| Ok(())) else {
            panic!("the text was not rejected or not kept")
        };
        assert_eq!(std::fs::read_to_string(&kept).unwrap(), TEXT);
        assert_eq!(files(folder.path()), [kept]);
    }

    #[test]
    fn the_entries_unused_for_longest_make_room_for_new_ones() {
        let (mut cache, folder) = cache();
        cache.capacity = 5 * 132;
        let other = folder.path().join("algebra.lock");
        std::fs::write(&other, vec![0; 1000]).unwrap();
        let keep = |text: &str| {
            get(&cache, text, &[0; 100]);
            path_of(&cache, text)
        };
        let old = |path: &Path, seconds: u64| {
            let time = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
            std::fs::File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
        };
        let paths: Vec<_> = ["0", "1", "2", "3", "4"].map(keep).into();
        for (age, path) in paths.iter().rev().enumerate() {
            old(path, 100 * (age as u64 + 1));
        }
        assert!(paths.iter().all(|path| path.is_file()), "all five fit");
        assert_eq!(keep("0"), paths[0], "the oldest is used again");
        let new = keep("5");
        let there: Vec<bool> = paths.iter().map(|path| path.is_file()).collect();
        assert_eq!(there, [true, false, true, true, true]);
        assert!(new.is_file() && other.is_file());
    }

    #[test]
    fn an_entry_larger_than_the_cache_is_kept_for_now() {
        let (mut cache, _folder) = cache();
        cache.capacity = 10;
        get(&cache, "0", &[0; 100]);
        get(&cache, "1", &[0; 100]);
        assert!(!path_of(&cache, "0").is_file() && path_of(&cache, "1").is_file());
    }

    #[test]
    fn what_cannot_be_kept_on_disk_is_kept_as_long_as_the_cache_lives() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache::at(file.path().join("cache"));
        assert_eq!(get(&cache, TEXT, &[1, 2]), (vec![1, 2], true));
        assert_eq!(get(&cache, TEXT, &[3]), (vec![1, 2], false));
    }

    #[test]
    fn a_folder_that_others_can_write_is_neither_read_nor_written_and_the_warning_has_a_remedy() {
        let (cache, folder) = cache();
        get(&cache, TEXT, &[1]);
        let set_mode = |mode| std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        set_mode(0o777);
        assert_eq!(get(&cache, TEXT, &[2]), (vec![2], true));
        assert_eq!(get(&cache, "another text", &[3]), (vec![3], true));
        assert_eq!(files(folder.path()).len(), 1);
        let warning = cache.warning(&PrivateFolder::open(folder.path()).unwrap_err());
        for part in [&folder.path().display().to_string(), "mode 0777", "`chmod go-w`", "`RANKINE_CACHE`"] {
            assert!(warning.contains(part), "{warning}");
        }
        set_mode(0o700);
        assert_eq!(get(&Cache::at(folder.path()), TEXT, &[4]), (vec![1], false));
    }

    #[test]
    fn an_empty_variable_names_no_folder() {
        assert_eq!(place(Some("".into())), None);
        assert_eq!(place(None), None);
        assert_eq!(place(Some("a/b".into())), Some(PathBuf::from("a/b")));
    }
}
