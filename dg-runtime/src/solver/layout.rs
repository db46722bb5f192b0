//! The layout of numbers of elements in memory: blocks of elements, `[block][field][lane]`.

use rayon::prelude::*;

use crate::device::{Device, ELEMENT_BLOCK};

use super::Precision;

/// On a CPU, groups of lanes read past the end of a list.
pub const LANES: usize = 16;

/// How the numbers of elements lie in a device's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    pub precision: Precision,
    /// Elements of a block on CUDA; on a CPU a block is a vector.
    pub cuda_block: usize,
}

impl Layout {
    /// Elements of a block in a device's memory.
    pub fn block(self, device: &Device) -> usize {
        device.block(self.precision.bytes(), self.cuda_block)
    }
}

/// The number of elements, rounded up to full blocks.
pub fn padded(elements: usize) -> usize {
    elements.next_multiple_of(ELEMENT_BLOCK)
}

/// The offset of field `i` of `fields` of an element, in blocks of `block` elements.
pub fn offset(block: usize, element: usize, i: usize, fields: usize) -> usize {
    (element / block * fields + i) * block + element % block
}

/// Lays out `fields` numbers per element; `write` gives those of one element. The last blocks are filled up with
/// copies of the last element, so that their unused lanes compute something harmless.
pub fn pack<T: Copy + Default + Send + Sync>(
    block: usize,
    elements: usize,
    fields: usize,
    write: impl Fn(usize, &mut [T]) + Sync,
) -> Vec<T> {
    let mut packed = vec![T::default(); padded(elements) * fields];
    packed.par_chunks_mut(block * fields).enumerate().for_each(|(number, chunk)| {
        let mut values = vec![T::default(); fields];
        for lane in 0..block {
            write((number * block + lane).min(elements - 1), &mut values);
            for (i, value) in values.iter().enumerate() {
                chunk[i * block + lane] = *value;
            }
        }
    });
    packed
}

/// The inverse of [`pack`]: `[element][field]`.
pub fn unpack<T: Copy + Default + Send + Sync>(block: usize, elements: usize, fields: usize, packed: &[T]) -> Vec<T> {
    let mut values = vec![T::default(); elements * fields];
    values.par_chunks_mut(fields).enumerate().for_each(|(element, chunk)| {
        for (i, value) in chunk.iter_mut().enumerate() {
            *value = packed[offset(block, element, i, fields)];
        }
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_undoes_pack_and_padding_repeats_the_last_element() {
        for block in [8, 16, 32] {
            let packed: Vec<usize> = pack(block, 37, 3, |e, v| v.copy_from_slice(&[3 * e, 3 * e + 1, 3 * e + 2]));
            assert_eq!(unpack(block, 37, 3, &packed), (0..111).collect::<Vec<_>>());
            assert_eq!(packed[offset(block, 63, 1, 3)], 36 * 3 + 1);
        }
    }
}
