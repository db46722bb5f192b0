//! What a compiler gets to see: a unit's text, and before it what is chosen at run time.
//!
//! Before the text stand `#define`s: `BLOCK_SIZE`, then those of [`Options::defines`], among them `PRECISION`
//! (`double` or `float`). Both back ends compile the result as it stands, so that a text which a compiler rejects can
//! be kept and compiled by hand.

use std::fmt::Write as _;

/// What is chosen at run time about a unit's code.
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

/// The text that a compiler gets to see.
pub(super) fn text(source: &str, options: &Options) -> String {
    let mut text = format!("#define BLOCK_SIZE {}\n", options.block_size);
    for (name, value) in &options.defines {
        let _ = writeln!(text, "#define {name} {value}");
    }
    text + source
}
