//! The mesh of a run's checkpoints, in a file beside them: the vertices and elements, for a run on another mesh that
//! starts from one of the checkpoints.
//!
//! # Format, version 1
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
//! | u64, then so many u32 | vertices of the elements, `[element][corner]` |
//! | 32 | blake3 hash of all bytes before |

use std::path::Path;

use super::{Error, atomic};

/// Its name in the folder of checkpoints.
pub const NAME: &str = "mesh.rankine";

const MAGIC: &[u8; 8] = b"RANKMESH";
const VERSION: u32 = 1;
const HASH_BYTES: usize = 32;

/// The vertices and elements of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// Hash of the mesh.
    pub mesh: [u8; HASH_BYTES],
    /// Number of space dimensions.
    pub dim: usize,
    /// Positions of the vertices, `[vertex][dim]`.
    pub vertices: Vec<f64>,
    /// The vertices of the elements, `[element][corner]`, all of them valid indices.
    pub elements: Vec<u32>,
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
        let Self { mesh, dim, vertices, elements } = self;
        let mut bytes = Vec::with_capacity(128 + 8 * vertices.len() + 4 * elements.len());
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(mesh);
        bytes.extend((*dim as u32).to_le_bytes());
        bytes.extend((vertices.len() as u64).to_le_bytes());
        bytes.extend(vertices.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend((elements.len() as u64).to_le_bytes());
        bytes.extend(elements.iter().flat_map(|vertex| vertex.to_le_bytes()));
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let (magic, rest) = bytes.split_first_chunk()?;
        let (version, rest) = rest.split_first_chunk()?;
        if magic != MAGIC || u32::from_le_bytes(*version) != VERSION {
            return None;
        }
        let (mesh, rest) = rest.split_first_chunk()?;
        let (dim, rest) = rest.split_first_chunk()?;
        let dim = u32::from_le_bytes(*dim) as usize;
        let (vertices, rest) = numbers(rest)?;
        let (elements, rest) = numbers(rest)?;
        let (vertices, elements): (Vec<_>, Vec<_>) = (
            vertices.iter().copied().map(f64::from_le_bytes).collect(),
            elements.iter().copied().map(u32::from_le_bytes).collect(),
        );
        let count = vertices.len().checked_div(dim)?;
        let inside = elements.iter().all(|&vertex| (vertex as usize) < count);
        (rest.is_empty() && inside).then_some(Self { mesh: *mesh, dim, vertices, elements })
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

    fn sample() -> Grid {
        let vertices = vec![0.0, -0.0, 1.0 / 3.0, f64::MAX, 5e-324, 2.0];
        Grid { mesh: [7; HASH_BYTES], dim: 2, vertices, elements: vec![0, 1, 2, 2, 1, 0] }
    }

    #[test]
    fn a_grid_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(NAME);
        sample().write(&path).unwrap();
        assert_eq!(Grid::read(&path).unwrap(), sample());
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
        // Complete, but with an invalid vertex.
        Grid { elements: vec![3], ..sample() }.write(&path).unwrap();
        refused(&std::fs::read(&path).unwrap());
    }
}
