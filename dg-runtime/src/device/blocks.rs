//! How what lies in memory per element is laid out in blocks, and buffers are aligned.

/// What lies in memory per element is filled up to a multiple of so many elements, which whole blocks and the largest patches make
/// up; launches are cut there.
pub const ELEMENT_BLOCK: usize = 128;

/// Buffers begin at multiples of this many bytes and are filled up to one: a block of doubles.
pub const ALIGNMENT: usize = 256;
