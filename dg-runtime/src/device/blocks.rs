//! How what lies in memory per element is laid out in blocks, and buffers are aligned.

use crate::law::protocol::BLOCK_BITS_CUDA;

/// What lies in memory per element is filled up to a multiple of so many elements, which whole blocks make up.
pub const ELEMENT_BLOCK: usize = 1 << BLOCK_BITS_CUDA;

/// Buffers begin at multiples of this many bytes and are filled up to one: a block of doubles.
pub const ALIGNMENT: usize = 256;
