//! A folder whose files only the user of this process can have written, or can change.
//!
//! Owner and permissions decide. Both are read from the opened file, never by name, and
//! everything inside the folder is reached through the opened folder. So nothing can replace a file after its
//! check, and the folders above do not matter: whoever can change those can only lead to another folder of the user
//! that nobody else can write.

use std::fs::{DirBuilder, File, Metadata};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;
use std::time::SystemTime;

use rustix::fs::{AtFlags, Dir, Mode, OFlags, open, openat, renameat, unlinkat};

/// The permissions for others than the owner to write.
const OTHERS_WRITE: u32 = 0o022;

/// A folder that belongs to the effective user of this process and that nobody else can write.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    folder: File,
}

/// Why a folder is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// The system refuses access.
    #[error("{0}")]
    System(#[from] std::io::Error),
    /// It belongs to somebody else.
    #[error("it belongs to user {owner}, and this process runs as user {user}")]
    Owner {
        /// The owner's number.
        owner: u32,
        /// The effective user's.
        user: u32,
    },
    /// Others can write it.
    #[error("others than its owner can write it (mode {mode:04o}); look what lies in it, then `chmod go-w` it")]
    Writable {
        /// Its permissions.
        mode: u32,
    },
}

/// A file of the folder.
pub(crate) struct Entry {
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// When it was written, or last [used](PrivateFolder::mark_used).
    pub used: SystemTime,
}

impl PrivateFolder {
    /// The folder with this path; `None` where there is none.
    pub fn open(path: &Path) -> Result<Option<Self>, Refused> {
        match open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(folder) => Ok(Some(Self::checked(folder)?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Refused::System(error.into())),
        }
    }

    /// The folder with this path; a missing one, and missing ones above it, are made for their owner alone.
    pub fn make(path: &Path) -> Result<Self, Refused> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        Self::open(path)?.ok_or_else(|| std::io::Error::from(ErrorKind::NotFound).into())
    }

    fn checked(folder: OwnedFd) -> Result<Self, Refused> {
        let folder = File::from(folder);
        check(&folder.metadata()?)?;
        Ok(Self { folder })
    }

    /// The content of a file; `None` if it is missing or somebody else could have written it.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open_file(name)?.read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Marks a file as the last used one. Failure is harmless.
    pub fn mark_used(&self, name: &str) {
        let _ = self.open_file(name).map(|file| file.set_modified(SystemTime::now()));
    }

    fn open_file(&self, name: &str) -> Option<File> {
        // A link could lead anywhere, and opening a fifo could block for ever.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(openat(&self.folder, name, flags, Mode::empty()).ok()?);
        let metadata = file.metadata().ok()?;
        (metadata.is_file() && check(&metadata).is_ok()).then_some(file)
    }

    /// Writes a file atomically, replacing any of the same name.
    pub fn write(&self, name: &str, parts: &[&[u8]]) -> std::io::Result<()> {
        let temporary = format!(".{:016x}.tmp", fastrand::u64(..));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(openat(&self.folder, &*temporary, flags, Mode::RUSR | Mode::WUSR)?);
        let written = parts.iter().try_for_each(|part| file.write_all(part));
        let named = written.and_then(|()| Ok(renameat(&self.folder, &*temporary, &self.folder, name)?));
        if named.is_err() {
            let _ = unlinkat(&self.folder, &*temporary, AtFlags::empty());
        }
        named
    }

    /// Removes a file. Failure, or a faster process, is ignored.
    pub fn remove(&self, name: &str) {
        let _ = unlinkat(&self.folder, name, AtFlags::empty());
    }

    /// The files in the folder.
    pub fn entries(&self) -> Vec<Entry> {
        let names = Dir::read_from(&self.folder).into_iter().flatten().filter_map(|entry| {
            let entry = entry.ok()?;
            Some(entry.file_name().to_str().ok()?.to_owned())
        });
        let entry = |name: String| {
            let metadata = self.open_file(&name)?.metadata().ok()?;
            Some(Entry { bytes: metadata.len(), used: metadata.modified().ok()?, name })
        };
        names.filter_map(entry).collect()
    }
}

/// Whether the effective user owns the file and nobody else can write it. Root always can.
fn check(metadata: &Metadata) -> Result<(), Refused> {
    let (owner, user, mode) = (metadata.uid(), rustix::process::geteuid().as_raw(), metadata.mode() & 0o7777);
    if owner != user {
        Err(Refused::Owner { owner, user })
    } else if mode & OTHERS_WRITE != 0 {
        Err(Refused::Writable { mode })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, chown, symlink};

    use super::*;

    fn set_mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Gives a file away, which only root can do.
    fn give_away(path: &Path) -> bool {
        chown(path, Some(rustix::process::geteuid().as_raw() + 1), None).is_ok()
    }

    #[test]
    fn a_folder_is_made_for_its_owner_alone() {
        let above = tempfile::tempdir().unwrap();
        let path = above.path().join("a/b");
        assert!(PrivateFolder::open(&path).unwrap().is_none());
        PrivateFolder::make(&path).unwrap();
        for made in [&path, &above.path().join("a")] {
            assert_eq!(std::fs::metadata(made).unwrap().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (mode, used) in [(0o700, true), (0o755, true), (0o775, false), (0o707, false), (0o1777, false)] {
            set_mode(folder.path(), mode);
            let opened = PrivateFolder::open(folder.path());
            assert_eq!(matches!(opened, Ok(Some(_))), used, "{mode:o}: {opened:?}");
            assert_eq!(matches!(PrivateFolder::make(folder.path()), Err(Refused::Writable { .. })), !used);
        }
    }

    #[test]
    fn a_folder_of_somebody_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        // Root owns what others do not.
        let path = if give_away(folder.path()) { folder.path() } else { Path::new("/") };
        assert!(matches!(PrivateFolder::open(path), Err(Refused::Owner { .. })));
    }

    #[test]
    fn what_is_written_is_read_and_leaves_nothing_else() {
        let above = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::make(above.path()).unwrap();
        for content in [&b"one"[..], b"two"] {
            folder.write("a", &[content, b"!"]).unwrap();
            assert_eq!(folder.read("a").unwrap(), [content, b"!"].concat());
        }
        let names: Vec<_> = folder.entries().into_iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["a"]);
        folder.remove("a");
        assert!(folder.read("a").is_none() && folder.entries().is_empty());
        // A folder cannot be replaced by a file.
        std::fs::create_dir(above.path().join("b")).unwrap();
        assert!(folder.write("b", &[b"x"]).is_err());
        assert_eq!(std::fs::read_dir(above.path()).unwrap().count(), 1);
    }

    #[test]
    fn files_that_others_may_have_written_are_none_and_can_be_replaced() {
        let above = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::make(above.path()).unwrap();
        let path = |name: &str| above.path().join(name);
        for name in ["target", "writable", "foreign"] {
            folder.write(name, &[b"content"]).unwrap();
        }
        set_mode(&path("writable"), 0o662);
        let given_away = give_away(&path("foreign"));
        symlink(path("target"), path("link")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, path("fifo"), rustix::fs::FileType::Fifo, Mode::RWXU, 0).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        assert!(folder.read("target").is_some());
        assert_eq!(folder.read("foreign").is_none(), given_away);
        for name in ["writable", "link", "fifo"] {
            assert!(folder.read(name).is_none(), "{name}");
            folder.write(name, &[b"new"]).unwrap();
            assert_eq!(folder.read(name).unwrap(), b"new", "{name}");
        }
        assert!(folder.read("folder").is_none() && folder.read("missing").is_none());
        assert_eq!(folder.read("target").unwrap(), b"content", "a link was followed");
    }

    #[test]
    fn what_was_opened_stays_what_is_used_when_its_name_leads_elsewhere() {
        let above = tempfile::tempdir().unwrap();
        let (path, moved) = (above.path().join("cache"), above.path().join("moved"));
        let folder = PrivateFolder::make(&path).unwrap();
        folder.write("a", &[b"ours"]).unwrap();
        std::fs::rename(&path, &moved).unwrap();
        std::fs::create_dir(&path).unwrap();
        std::fs::write(path.join("a"), "theirs").unwrap();
        assert_eq!(folder.read("a").unwrap(), b"ours");
        folder.write("b", &[b"ours"]).unwrap();
        assert!(moved.join("b").is_file() && !path.join("b").exists());
    }
}
