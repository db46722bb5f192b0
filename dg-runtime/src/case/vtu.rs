//! Reading how files for ParaView are written: `vtu` of `[output]`.

use super::document::{Mistake, Value};
use crate::io::vtu::Encoding;

/// How files for ParaView are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vtu {
    /// How numbers are.
    pub encoding: Encoding,
    /// Whether components of a vector, by their names, are written as one.
    pub vectors: bool,
}

impl Default for Vtu {
    fn default() -> Self {
        Self { encoding: Encoding::default(), vectors: true }
    }
}

/// Whether there are such files, and what they are like.
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
