//! `[receivers]`: points at which the solution is recorded.

use super::document::{Section, Value};
use super::kinds::{Result, file_stem, point};
use crate::solver::Receiver;

/// Points at which the solution is recorded, and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct Receivers {
    /// Time between two records.
    pub every: f64,
    /// The points, with different names.
    pub points: Vec<Receiver>,
}

/// Upper bound on the records of a receiver, to protect the disk.
pub(crate) const MOST_RECORDS: f64 = 1e7;

/// Reads `[receivers]`; the run ends at the time `until`.
pub(super) fn receivers(root: &Section<'_>, until: Option<f64>) -> Result<Option<Receivers>> {
    let Some(section) = root.section("receivers")? else { return Ok(None) };
    section.allow(&["every", "points"])?;
    let value = section.require("every", "the time between two records: every = 0.01")?;
    let every = value.positive()?;
    if until.is_some_and(|until| until / every > MOST_RECORDS) {
        let message =
            format!("more than {MOST_RECORDS:e} records until the final time: let more time pass between them");
        return Err(value.mistake(message));
    }
    let form = "the receivers with their positions: points = { north = [0.0, 0.5] }";
    let points = section.require("points", form)?;
    let all: Vec<Receiver> = points.section()?.entries().map(|value| receiver(&value)).collect::<Result<_>>()?;
    if all.is_empty() {
        return Err(
            points.mistake("`points` has no receiver: give each a name and a position, or leave [receivers] out")
        );
    }
    // On some file systems names that differ in their case alone are the same.
    let folded = |receiver: &Receiver| receiver.name.to_lowercase();
    for (i, receiver) in all.iter().enumerate() {
        if let Some(other) = all[..i].iter().find(|other| folded(other) == folded(receiver)) {
            let message =
                format!("`{}` and `{}` would have the same file: take another name", other.name, receiver.name);
            return Err(points.section()?.get(&receiver.name).unwrap_or(points).name_mistake(message));
        }
    }
    Ok(Some(Receivers { every, points: all }))
}

fn receiver(value: &Value<'_>) -> Result<Receiver> {
    Ok(Receiver { name: file_stem(value, "a receiver")?.to_owned(), position: point(value)? })
}
