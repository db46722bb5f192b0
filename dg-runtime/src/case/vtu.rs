//! Reads the format of files for ParaView: `vtu` of `[output]`.

use super::document::{Mistake, Value};
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
    let truth = |key: &str| section.get(key).map_or(Ok(true), |value| value.truth());
    let precision = section.get("precision").map_or(Ok(0), |value| value.choice("precision", &["double", "single"]))?;
    let encoding = Encoding { compressed: truth("compressed")?, single: precision == 1 };
    Ok(Some(Vtu { encoding, vectors: truth("vectors")? }))
}
