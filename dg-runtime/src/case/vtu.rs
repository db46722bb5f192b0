//! Reads the formats of files for ParaView: `vtu` and `vtkhdf` of `[output]`.

use super::document::{Mistake, Section, Value};
use crate::io::vtu::Encoding;

/// The format of files for ParaView.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vtu {
    /// The encoding of numbers.
    pub encoding: Encoding,
    /// Whether components of a vector, recognized by their names, are written as one field.
    pub vectors: bool,
}

impl Default for Vtu {
    fn default() -> Self {
        Self { encoding: Encoding::default(), vectors: true }
    }
}

/// The format, or `None` without such files.
pub(super) fn vtu(value: &Value<'_>) -> Result<Option<Vtu>, Mistake> {
    if !value.is_section() {
        return Ok(value.truth()?.then(Vtu::default));
    }
    let section = value.section()?;
    section.allow(&["compressed", "precision", "vectors"])?;
    Ok(Some(Vtu { encoding: encoding(&section)?, vectors: truth(&section, "vectors")? }))
}

/// The encoding of numbers in a file with all times, or `None` without it.
pub(super) fn vtkhdf(value: &Value<'_>) -> Result<Option<Encoding>, Mistake> {
    if !value.is_section() {
        return Ok(value.truth()?.then(Encoding::default));
    }
    let section = value.section()?;
    section.allow(&["compressed", "precision"])?;
    encoding(&section).map(Some)
}

fn encoding(section: &Section<'_>) -> Result<Encoding, Mistake> {
    let precision = section.get("precision").map_or(Ok(0), |value| value.choice("precision", &["double", "single"]))?;
    Ok(Encoding { compressed: truth(section, "compressed")?, single: precision == 1 })
}

fn truth(section: &Section<'_>, key: &str) -> Result<bool, Mistake> {
    section.get(key).map_or(Ok(true), |value| value.truth())
}
