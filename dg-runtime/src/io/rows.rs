//! Comma-separated values that grow row by row.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Error, atomic};

/// A file of comma-separated values under a header, to which a run adds rows.
///
/// Each addition is written at once and whole, so that the file can be plotted during the run; if the disk has room for only
/// a part of it, this part is removed.
#[derive(Debug)]
pub struct Rows {
    path: PathBuf,
}

impl Rows {
    /// Starts a file with a header and these rows, replacing any earlier one.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be written.
    pub fn start(path: PathBuf, header: &str, rows: &[&str]) -> Result<Self, Error> {
        atomic::write(&path, |file| {
            writeln!(file, "{header}")?;
            rows.iter().try_for_each(|row| writeln!(file, "{row}"))
        })?;
        Ok(Self { path })
    }

    /// The content of a file that may grow again; `None` if it is missing.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if the file cannot be read.
    pub fn text(path: &Path) -> Result<Option<String>, Error> {
        match std::fs::read_to_string(path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::system("read", path)(error)),
        }
    }

    /// Adds rows, each with its newline.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if they cannot be written.
    pub fn append(&self, rows: &str) -> Result<(), Error> {
        self.append_whole(rows.as_bytes()).map_err(Error::system("append to", &self.path))
    }

    fn append_whole(&self, rows: &[u8]) -> std::io::Result<()> {
        // Opened each time, because a process may not have a file open for each of many receivers.
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        let end = file.seek(SeekFrom::End(0))?;
        file.write_all(rows).inspect_err(|_| {
            // The first error is reported, whether or not the part can be removed.
            let _ = file.set_len(end);
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The header of a text and the complete rows below it: what a process that was killed left of a row is not among them.
pub fn complete(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    (lines.next().unwrap_or_default(), lines)
}
