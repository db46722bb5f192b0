//! Checkpoints: the state of a run, from which it resumes bit for bit.
//!
//! # Format, version 1
//!
//! All numbers little endian; a text is its length in bytes (u32) and its UTF-8.
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `RANKINE\0` |
//! | u32 | version |
//! | u64 | length of the whole file in bytes |
//! | text, text, u32, u8, 32 | law, shapes (joined by ` and `), order, bytes of a real (8 or 4), blake3 hash of the mesh |
//! | f64, u64, f64 | time, step, size of the last time step |
//! | u32, then so often text, u8, value | metadata: key, kind (0 f64, 1 u64, 2 text, 3 u64 and so many f64), value |
//! | u64, then so many reals | coefficients |
//! | 32 | blake3 hash of all bytes before |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Error, atomic};
use crate::law::Shape;

mod format;

/// The identity of a run: it may resume only from a checkpoint that is equal in all of this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Name of the law.
    pub law: String,
    /// The shapes of the elements.
    pub shapes: Vec<Shape>,
    /// Polynomial degree.
    pub order: usize,
    /// Hash of the mesh.
    pub mesh: [u8; 32],
}

/// The names of shapes, as a text.
pub fn names(shapes: &[Shape]) -> String {
    shapes.iter().map(|shape| shape.name()).collect::<Vec<_>>().join(" and ")
}

/// The coefficients of the state, `[component][basis function]` of one element behind the other.
#[derive(Clone, Debug, PartialEq)]
pub enum Coefficients {
    /// In double precision.
    Double(Vec<f64>),
    /// In single precision.
    Single(Vec<f32>),
}

/// A value of a checkpoint's metadata.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Real(f64),
    /// A count.
    Integer(u64),
    /// A text.
    Text(String),
    /// Real numbers.
    Reals(Vec<f64>),
}

/// The state of a run between two steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The identity of its run.
    pub identity: Identity,
    /// Time.
    pub time: f64,
    /// Number of steps so far.
    pub step: u64,
    /// Size of the last time step.
    pub time_step: f64,
    /// Further data of the time loop, by key.
    pub metadata: BTreeMap<String, Value>,
    /// The state.
    pub coefficients: Coefficients,
}

impl Checkpoint {
    /// Writes the file atomically.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        atomic::write_durably(path, |file| format::write(self, file))
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be read; [`Error::Content`] if it is no checkpoint, of another version of the
    /// format, truncated or corrupt.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(Error::system("read", path))?;
        format::read(&bytes).map_err(|reason| Error::content(path, reason))
    }

    /// Writes the checkpoint into a folder under the name of its step. Afterwards all others there are removed except
    /// the previous one, which stays in case the disk damages the new one.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if a file cannot be written or removed.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, Error> {
        let path = folder.join(format!("{PREFIX}{:012}{SUFFIX}", self.step));
        self.write(&path)?;
        tidy(folder, self.step)?;
        Ok(path)
    }

    /// Checks that a run of this identity and precision may resume from this checkpoint, which was read from `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Content`], which names all differences.
    pub fn require(&self, path: &Path, run: &Identity, double: bool) -> Result<(), Error> {
        let mut differences = Vec::new();
        let mut compare = |what: &str, found: String, wanted: String| {
            if found != wanted {
                differences.push(format!("its {what} is {found}, this run's is {wanted}"));
            }
        };
        let precision = |double| if double { "double" } else { "single" }.to_string();
        let found = &self.identity;
        compare("law", format!("`{}`", found.law), format!("`{}`", run.law));
        compare("shape", names(&found.shapes), names(&run.shapes));
        compare("order", found.order.to_string(), run.order.to_string());
        compare("precision", precision(matches!(self.coefficients, Coefficients::Double(_))), precision(double));
        compare("mesh", hex(&found.mesh), hex(&run.mesh));
        if differences.is_empty() {
            return Ok(());
        }
        let remedy = "`initial.from` in the case starts from its state";
        Err(Error::content(path, format!("{}; {remedy}", differences.join("; "))))
    }
}

/// The newest usable checkpoint of a folder.
#[derive(Debug)]
pub struct Latest {
    /// Its file.
    pub path: PathBuf,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// The errors of newer ones.
    pub skipped: Vec<Error>,
}

/// Finds the newest readable checkpoint that [`Checkpoint::save`] left in a folder; `None` if there is no checkpoint
/// or no folder.
///
/// # Errors
///
/// The newest one's error if there are checkpoints but none can be read.
pub fn latest(folder: &Path) -> Result<Option<Latest>, Error> {
    let mut skipped = Vec::new();
    for (_, path) in list(folder)? {
        match Checkpoint::read(&path) {
            Ok(checkpoint) => return Ok(Some(Latest { path, checkpoint, skipped })),
            Err(error) => skipped.push(error),
        }
    }
    skipped.into_iter().next().map_or(Ok(None), Err)
}

/// Removes all checkpoints of a folder except that of `step` and the previous one.
///
/// # Errors
///
/// [`Error::System`] if the folder cannot be read or a file cannot be removed.
pub fn tidy(folder: &Path, step: u64) -> Result<(), Error> {
    let others = list(folder)?.into_iter().filter(|(other, _)| *other != step);
    let (before, abandoned): (Vec<_>, Vec<_>) = others.partition(|(other, _)| *other < step);
    remove(abandoned.iter().chain(before.iter().skip(1)))
}

/// Removes all checkpoints of a folder, the newest last: while one is left, it tells how far the run came.
///
/// # Errors
///
/// [`Error::System`] if the folder cannot be read or a file cannot be removed.
pub fn remove_all(folder: &Path) -> Result<(), Error> {
    remove(list(folder)?.iter().rev())
}

fn remove<'c>(checkpoints: impl Iterator<Item = &'c (u64, PathBuf)>) -> Result<(), Error> {
    for (_, path) in checkpoints {
        std::fs::remove_file(path).map_err(Error::system("remove", path))?;
    }
    Ok(())
}

/// Whether this is the name of a checkpoint.
pub fn is_name(name: &str) -> bool {
    step_of(name).is_some()
}

fn step_of(name: &str) -> Option<u64> {
    name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?.parse().ok()
}

/// The folder of checkpoints in a run's directory.
pub const FOLDER: &str = "checkpoints";

const PREFIX: &str = "checkpoint_";
const SUFFIX: &str = ".rankine";

/// The checkpoints of a folder with their steps, the newest first.
fn list(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Error> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::system("read the folder", folder)(error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Error::system("read the folder", folder))?;
        let name = entry.file_name();
        let step = name.to_str().and_then(step_of);
        found.extend(step.map(|step| (step, entry.path())));
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    Ok(found)
}

/// The first bytes of a hash, which suffice to distinguish two.
fn hex(hash: &[u8; 32]) -> String {
    hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
