//! The compiler's input: a unit's text, preceded by the choices at run time.
//!
//! The text is preceded by `#define`s: `BLOCK_SIZE`, then those of [`Options::defines`], among them `PRECISION`
//! (`double` or `float`). Both back ends compile exactly this text, so that a rejected one can
//! be kept and compiled by hand.

use std::fmt::Write as _;

/// Choices at run time for a unit's code.
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

/// The compiler's input.
pub(super) fn text(source: &str, options: &Options) -> String {
    let mut text = format!("#define BLOCK_SIZE {}\n", options.block_size);
    for (name, value) in &options.defines {
        let _ = writeln!(text, "#define {name} {value}");
    }
    text + source
}
