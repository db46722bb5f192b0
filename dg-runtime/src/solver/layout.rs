//! How numbers of elements lie in memory: in blocks of elements, `[block][field][lane]`.

use rayon::prelude::*;

use crate::device::ELEMENT_BLOCK as BLOCK;

/// Number of elements with the last block filled up.
pub fn padded(elements: usize) -> usize {
    elements.next_multiple_of(BLOCK)
}

/// Where field `i` of `fields` of an element lies.
pub fn offset(element: usize, i: usize, fields: usize) -> usize {
    (element / BLOCK * fields + i) * BLOCK + element % BLOCK
}

/// Lays out `fields` numbers per element, which `write` gives for one element. The last block is filled up with
/// copies of the last element: lanes without an element of their own compute something harmless.
pub fn pack<T: Copy + Default + Send + Sync>(
    elements: usize,
    fields: usize,
    write: impl Fn(usize, &mut [T]) + Sync,
) -> Vec<T> {
    let mut packed = vec![T::default(); padded(elements) * fields];
    packed.par_chunks_mut(BLOCK * fields).enumerate().for_each(|(block, chunk)| {
        let mut values = vec![T::default(); fields];
        for lane in 0..BLOCK {
            write((block * BLOCK + lane).min(elements - 1), &mut values);
            for (i, value) in values.iter().enumerate() {
                chunk[i * BLOCK + lane] = *value;
            }
        }
    });
    packed
}

/// The inverse of [`pack`]: `[element][field]`.
pub fn unpack<T: Copy + Default + Send + Sync>(elements: usize, fields: usize, packed: &[T]) -> Vec<T> {
    let mut values = vec![T::default(); elements * fields];
    values.par_chunks_mut(fields).enumerate().for_each(|(element, chunk)| {
        for (i, value) in chunk.iter_mut().enumerate() {
            *value = packed[offset(element, i, fields)];
        }
    });
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpack_undoes_pack_and_padding_repeats_the_last_element() {
        let packed: Vec<usize> = pack(37, 3, |e, v| v.copy_from_slice(&[3 * e, 3 * e + 1, 3 * e + 2]));
        assert_eq!(unpack(37, 3, &packed), (0..111).collect::<Vec<_>>());
        assert_eq!(packed[offset(63, 1, 3)], 36 * 3 + 1);
    }
}
