//! The layout of element data in blocks, and the alignment of buffers.

/// Element data are padded to a multiple of so many elements: whole blocks, and whole patches of the largest size, of four blocks of 32 or 28.
pub const ELEMENT_BLOCK: usize = 896;

/// Launches of kernels that do not work on patches may begin at a multiple of so many elements: whole blocks of threads, and of lanes.
pub const LAUNCH_BLOCK: usize = 128;

/// Buffers are aligned, and padded, to multiples of this many bytes: a block of doubles.
pub const ALIGNMENT: usize = 256;
