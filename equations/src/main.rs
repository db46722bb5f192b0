//! The binary \`rankine\`: the command line over the laws of this crate.

fn main() {}
