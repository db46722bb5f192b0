//! The layout of element data in blocks, and the alignment of buffers.

/// Element data are padded to a multiple of so many elements: whole blocks, and whole patches of the largest size. Launches may be
/// split there.
pub const ELEMENT_BLOCK: usize = 128;

/// Buffers are aligned, and padded, to multiples of this many bytes: a block of doubles.
pub const ALIGNMENT: usize = 256;
