//! The mesh of a run's checkpoints, in a file beside them: the vertices and elements, for a run on another mesh that
//! starts from one of the checkpoints.
//!
//! # Format, version 2
//!
//! All numbers little endian.
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | `RANKMESH` |
//! | u32 | version |
//! | 32 | hash of the mesh, as in checkpoints |
//! | u32 | number of space dimensions |
//! | u64, then so many f64 | positions of the vertices, `[vertex][dim]` |
//! | for each shape u64, then so many u32 | vertices of the elements, `[element][corner]` |
//! | u32 | degree of the elements' sides |
//! | u64, then so many f64 | coefficients of the elements' maps, `[element][term][dim]`; none if sides are straight |
//! | u64, then so many u8 | degree of the solution in each element, 255 for that of the run; none if all have that |
//! | 32 | blake3 hash of all bytes before |

use std::path::Path;

use super::{Error, atomic};
use crate::law::Shape;
use crate::mesh::{Cells, Elements};

/// Its name in the folder of checkpoints.
pub const NAME: &str = "mesh.rankine";

const MAGIC: &[u8; 8] = b"RANKMESH";
const VERSION: u32 = 2;
const HASH_BYTES: usize = 32;

/// Stands for the degree of the run's solution.
const OF_RUN: u8 = u8::MAX;

/// The elements of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Hash of the mesh.
    pub mesh: [u8; HASH_BYTES],
    /// Its elements.
    pub cells: Cells,
}

impl Grid {
    /// Writes the file atomically.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let bytes = self.bytes();
        atomic::write_durably(path, |file| {
            file.write_all(&bytes)?;
            file.write_all(blake3::hash(&bytes).as_bytes())
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`Error::System`] if it cannot be read; [`Error::Content`] if it is no such file, of another version, or damaged.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).map_err(Error::system("read", path))?;
        let whole = bytes.split_last_chunk::<HASH_BYTES>().filter(|(content, hash)| blake3::hash(content) == **hash);
        let grid = whole.and_then(|(content, _)| Self::decode(content));
        grid.ok_or_else(|| Error::content(path, "it is no whole mesh of checkpoints that this program can read"))
    }

    fn bytes(&self) -> Vec<u8> {
        let Self { mesh, cells: Cells { dim, vertices, elements, degree, terms, orders } } = self;
        let mut bytes = Vec::with_capacity(128 + 8 * (vertices.len() + terms.len()) + 4 * elements.vertices().len());
        let reals = |bytes: &mut Vec<u8>, numbers: &[f64]| {
            bytes.extend((numbers.len() as u64).to_le_bytes());
            bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        };
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(mesh);
        bytes.extend((*dim as u32).to_le_bytes());
        reals(&mut bytes, vertices);
        let mut rest = elements.vertices();
        for (shape, count) in Shape::ALL.into_iter().zip(elements.counts()) {
            let (own, others) = rest.split_at(count * shape.corners());
            bytes.extend((own.len() as u64).to_le_bytes());
            bytes.extend(own.iter().flat_map(|vertex| vertex.to_le_bytes()));
            rest = others;
        }
        bytes.extend((*degree as u32).to_le_bytes());
        reals(&mut bytes, terms);
        bytes.extend((orders.len() as u64).to_le_bytes());
        bytes.extend(orders.iter().map(|order| order.unwrap_or(OF_RUN)));
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk()?;
        let (version, rest) = rest.split_first_chunk()?;
        if magic != MAGIC || u32::from_le_bytes(*version) != VERSION {
            return None;
        }
        let reals = |numbers: &[[u8; 8]]| numbers.iter().copied().map(f64::from_le_bytes).collect();
        let (mesh, rest) = rest.split_first_chunk()?;
        let (dim, rest) = rest.split_first_chunk()?;
        let (vertices, mut rest) = numbers(rest)?;
        let mut of_shapes = Shape::ALL.map(|_| Vec::new());
        for (shape, of_shape) in Shape::ALL.into_iter().zip(&mut of_shapes) {
            let (own, others) = numbers(rest)?;
            *of_shape = own.iter().copied().map(u32::from_le_bytes).collect();
            rest = others;
            if of_shape.len() % shape.corners() != 0 {
                return None;
            }
        }
        let (degree, rest) = rest.split_first_chunk()?;
        let (terms, rest) = numbers(rest)?;
        let (orders, rest) = numbers(rest)?;
        let cells = Cells {
            dim: u32::from_le_bytes(*dim) as usize,
            vertices: reals(vertices),
            elements: Elements::mixed(&of_shapes),
            degree: u32::from_le_bytes(*degree) as usize,
            terms: reals(terms),
            orders: orders.iter().map(|&[order]| (order != OF_RUN).then_some(order)).collect(),
        };
        (rest.is_empty() && cells.are_sound()).then_some(Self { mesh: *mesh, cells })
    }
}

/// The list of `N`-byte numbers whose count is in the first eight bytes, and the remaining bytes.
fn numbers<const N: usize>(bytes: &[u8]) -> Option<(&[[u8; N]], &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(N)?;
    let (numbers, rest) = rest.split_at_checked(length)?;
    Some((numbers.as_chunks().0, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle and a quadrilateral with curved sides, and with degrees of their own.
    fn sample() -> Grid {
        let vertices = vec![0.0, -0.0, 1.0 / 3.0, f64::MAX, 5e-324, 2.0, 7.0, 8.0];
        let elements = Elements::mixed(&[vec![0, 1, 2], vec![2, 1, 0, 3]]);
        let terms = (0..2 * (6 + 9)).map(f64::from).collect();
        let cells = Cells { dim: 2, vertices, elements, degree: 2, terms, orders: vec![None, Some(3)] };
        Grid { mesh: [7; HASH_BYTES], cells }
    }

    fn changed(change: impl FnOnce(&mut Cells)) -> Grid {
        let mut grid = sample();
        change(&mut grid.cells);
        grid
    }

    #[test]
    fn a_grid_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        let straight = |cells: &mut Cells| (cells.degree, cells.terms, cells.orders) = (1, Vec::new(), Vec::new());
        for grid in [sample(), changed(straight)] {
            grid.write(&path).unwrap();
            assert_eq!(Grid::read(&path).unwrap(), grid);
        }
    }

    #[test]
    fn every_damage_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        sample().write(&path).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let refused = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            assert!(Grid::read(&path).unwrap_err().to_string().contains("no whole mesh"));
        };
        (0..whole.len()).for_each(|end| refused(&whole[..end]));
        for byte in 0..whole.len() {
            let mut changed = whole.clone();
            changed[byte] ^= 4;
            refused(&changed);
        }
        // Complete, but with an invalid vertex, or with lists of other lengths.
        for grid in [
            changed(|cells| cells.vertices.truncate(6)),
            changed(|cells| cells.terms.push(0.0)),
            changed(|cells| cells.degree = 5),
            changed(|cells| cells.orders.push(None)),
            changed(|cells| cells.dim = 0),
        ] {
            grid.write(&path).unwrap();
            refused(&std::fs::read(&path).unwrap());
        }
    }
}
