//! Files that appear whole or not at all.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::Error;

/// Writes the file at `path` through `content`, replacing any earlier one.
///
/// The bytes go to a temporary file `.NAME.*.tmp` in the same folder, which is then renamed to `path` atomically. After an error
/// the file at `path` is unchanged and no temporary file is left; a killed process may leave one, which
/// [`remove_leftovers`] removes.
///
/// # Errors
///
/// [`Error::System`] if the folder is missing or not writable, the disk is full, or `content` fails.
pub fn write(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Error> {
    try_write(path, false, content).map_err(Error::system("write", path))
}

/// Like [`write()`], for files that must survive a power failure: the bytes reach the disk before the name
/// does, which takes a while.
///
/// # Errors
///
/// Those of [`write()`].
pub fn write_durably(path: &Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Error> {
    try_write(path, true, content).map_err(Error::system("write", path))
}

fn try_write(
    path: &Path,
    durably: bool,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let name = path.file_name().ok_or_else(|| std::io::Error::other("the path does not end in a file name"))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Without this, the message about a missing folder, the usual mistake, would name the temporary file.
    std::fs::metadata(folder)?;
    let prefix = format!(".{}.", name.to_string_lossy());
    let mut temporary = tempfile::Builder::new();
    temporary.prefix(&prefix).rand_bytes(RANDOM).suffix(SUFFIX);
    // Temporary files are private by default; this one gets the permissions of an ordinary file, subject to the umask.
    #[cfg(unix)]
    temporary.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    // Errors of the temporary file would name it, so its kind is taken here and the file itself is written below.
    let file = temporary.tempfile_in(folder).map_err(|error| std::io::Error::from(error.kind()))?;

    let mut writer = BufWriter::with_capacity(1 << 20, file.as_file());
    content(&mut writer)?;
    let written = writer.into_inner().map_err(std::io::IntoInnerError::into_error)?;
    if durably {
        written.sync_all()?;
    }
    file.persist(path).map_err(|error| error.error)?;
    // The folder is synchronised too, so that the new name reaches the disk; only on Unix a folder can be opened like a file.
    if durably && cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Number of random letters in the names of temporary files, and the end of these names.
const RANDOM: usize = 6;
const SUFFIX: &str = ".tmp";

/// Removes temporary files of killed processes from a folder, if `ours` holds for the names of their targets. No other process may
/// be writing such files there.
///
/// # Errors
///
/// [`Error::System`] if the folder cannot be read or a file cannot be removed.
pub fn remove_leftovers(folder: &Path, ours: impl Fn(&str) -> bool) -> Result<(), Error> {
    for entry in std::fs::read_dir(folder).map_err(Error::system("read the folder", folder))? {
        let entry = entry.map_err(Error::system("read the folder", folder))?;
        if entry.file_name().to_str().and_then(target_of).is_some_and(&ours) {
            std::fs::remove_file(entry.path()).map_err(Error::system("remove", &entry.path()))?;
        }
    }
    Ok(())
}

/// The name of the target of a temporary file.
fn target_of(temporary: &str) -> Option<&str> {
    let (name, random) = temporary.strip_prefix('.')?.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    (random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn content_replaces_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        for text in ["first, longer", "second"] {
            write(&path, |w| w.write_all(text.as_bytes())).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        assert_eq!(entries(folder.path()), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_an_ordinary_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write(&ours, |_| Ok(())).unwrap();
        std::fs::write(&plain, "").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn failure_midway_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.vtu");
        std::fs::write(&path, "old").unwrap();
        let error = write(&path, |w| {
            // More than any buffer holds, so that the temporary file is not empty at the failure.
            w.write_all(&vec![b'x'; 5 << 20])?;
            Err(std::io::Error::from_raw_os_error(28))
        })
        .unwrap_err();
        let message = error.to_string();
        assert!(
            message.starts_with("cannot write ") && message.contains("x.vtu: No space left on device"),
            "{message}"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(entries(folder.path()), ["x.vtu"]);
    }

    #[test]
    fn leftovers_are_removed_by_the_name_that_they_would_have_got() {
        let folder = tempfile::tempdir().unwrap();
        // As after a kill: the library makes the name.
        let left = tempfile::Builder::new().prefix(".a.b.csv.").rand_bytes(RANDOM).suffix(SUFFIX).tempfile_in(&folder);
        left.unwrap().keep().unwrap();
        let others = [".a.b.csv.tmp", ".c.csv.abcdef.tmp", "a.b.csv", "a.b.csv.abcdef.tmp"];
        for other in others {
            std::fs::write(folder.path().join(other), "").unwrap();
        }
        remove_leftovers(folder.path(), |name| name == "a.b.csv").unwrap();
        assert_eq!(entries(folder.path()), others);
    }

    #[test]
    fn missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing/x.vtu");
        let message = write(&path, |_| Ok(())).unwrap_err().to_string();
        assert!(message.contains("missing/x.vtu: No such file or directory"), "{message}");
        assert!(!message.contains(".x.vtu."), "{message}");
        assert_eq!(entries(folder.path()), [""; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn read_only_folder_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o555)).unwrap();
        if std::fs::write(folder.path().join("probe"), "").is_ok() {
            eprintln!("skipped: this user may write into a read-only folder");
            return;
        }
        let message = write(&folder.path().join("x.vtu"), |_| Ok(())).unwrap_err().to_string();
        assert!(message.contains("x.vtu: permission denied; write to a directory of your own"), "{message}");
        assert_eq!(entries(folder.path()), [""; 0]);
    }

    #[test]
    fn target_that_cannot_be_replaced_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        std::fs::create_dir(&path).unwrap();
        write(&path, |_| Ok(())).unwrap_err();
        assert_eq!(entries(folder.path()), ["taken"]);
        assert_eq!(entries(&path), [""; 0]);
    }
}
