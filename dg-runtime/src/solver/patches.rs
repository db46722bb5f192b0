//! Patches of elements, and the links of their faces.
//!
//! A patch is a fixed number of consecutively numbered elements. A face between two elements of a patch is computed once, in
//! the patch; a face on its rim is computed by both patches, and each reads a record with the other side's trace or a boundary's
//! ghost states. Records are ordered by the patches that read them; the other side of the face writes them.

use rayon::prelude::*;

use crate::mesh::{Mesh, Neighbour};

/// A link of a face whose neighbour is in the same patch.
pub(super) const INNER: i32 = -1;

/// Steps of the largest number of records that kernels have room for, so that they serve for more meshes than one: on CUDA, where
/// records are in scarce shared memory, and on a CPU, where nothing touches room that a patch does not use.
const CUDA_ROOM: usize = 8;
const HOST_ROOM: usize = 32;

/// The faces of all patches of a mesh, as the kernels see them.
#[derive(Debug)]
pub(super) struct Patches {
    /// The numbers of the first face and of the first record of every patch, followed by the total numbers.
    pub(super) starts: Vec<[i32; 2]>,
    /// For every face of every patch, the inner faces first: the place of its first side among the sides of the patch's elements, face by
    /// face, plus 2^16 times that of its second side or, on the rim, the number of places plus the number of its record in the patch.
    pub(super) faces: Vec<i32>,
    /// For every record, in the order of the rims: the link of the face that reads it.
    pub(super) rim_links: Vec<i32>,
    /// `[element][face]`: the record to which the face's trace is written; -1 where the neighbour is in the same patch; or
    /// -2 - boundary face.
    pub(super) links: Vec<i32>,
    /// For every boundary face its record.
    pub(super) boundary_records: Vec<i32>,
    /// The largest number of faces on the rim of a patch.
    rim: usize,
    /// Elements of a patch.
    pub(super) size: usize,
}

impl Patches {
    /// Divides a mesh into patches of `size` elements.
    pub(super) fn new(mesh: &Mesh, size: usize) -> Self {
        let (n, faces) = (mesh.element_count(), mesh.shape.faces());
        let patches = n.div_ceil(size);
        let elements = |patch: usize| patch * size..((patch + 1) * size).min(n);
        // The number of the neighbour behind a face within its patch, if it is in the same patch.
        let inner = |patch: usize, element: usize, face: usize| match mesh.neighbour(element, face) {
            Neighbour::Element { element, face } if element as usize / size == patch => {
                Some(usize::from(face) * size + element as usize % size)
            }
            _ => None,
        };
        let count = |patch: usize| {
            let sides = elements(patch).flat_map(|element| (0..faces).map(move |face| (element, face)));
            let rim = sides.filter(|&(element, face)| inner(patch, element, face).is_none()).count();
            [(elements(patch).len() * faces + rim) / 2, rim]
        };
        let counts: Vec<[usize; 2]> = (0..patches).into_par_iter().map(count).collect();
        let mut starts = vec![[0; 2]];
        starts.extend(counts.iter().scan([0, 0], |[face, record], [faces, rim]| {
            (*face, *record) = (*face + *faces as i32, *record + *rim as i32);
            Some([*face, *record])
        }));
        let records = starts[patches][1] as usize;

        // First the record that each side on a rim reads, then the record that it writes.
        let mut read = vec![INNER; n * faces];
        read.par_chunks_mut(size * faces).enumerate().for_each(|(patch, read)| {
            let mut next = starts[patch][1];
            for (i, element) in elements(patch).enumerate() {
                for face in 0..faces {
                    if inner(patch, element, face).is_none() {
                        read[i * faces + face] = next;
                        next += 1;
                    }
                }
            }
        });
        let link = |element: usize, face: usize| match mesh.neighbour(element, face) {
            _ if read[element * faces + face] == INNER => INNER,
            Neighbour::Element { element, face } => read[element as usize * faces + usize::from(face)],
            Neighbour::Boundary(face) => -2 - face as i32,
        };
        let links: Vec<i32> = (0..n * faces).into_par_iter().map(|side| link(side / faces, side % faces)).collect();
        let boundary_record =
            |face: &crate::mesh::BoundaryFace| read[face.element as usize * faces + usize::from(face.face)];
        let boundary_records = mesh.boundary_faces().iter().map(boundary_record).collect();

        let of_patch = |patch: usize| {
            let (mut list, mut rim) = (Vec::with_capacity(counts[patch][0]), Vec::with_capacity(counts[patch][1]));
            for element in elements(patch) {
                for face in 0..faces {
                    let own = face * size + element % size;
                    match inner(patch, element, face) {
                        Some(other) if own < other => list.push((own | other << 16) as i32),
                        Some(_) => {}
                        None => rim.push((own | (faces * size + rim.len()) << 16) as i32),
                    }
                }
            }
            list.append(&mut rim);
            list
        };
        let lists: Vec<Vec<i32>> = (0..patches).into_par_iter().map(of_patch).collect();
        let mut rim_links = Vec::with_capacity(records);
        let sides = (0..n * faces).filter(|&side| read[side] != INNER);
        rim_links.extend(sides.map(|side| links[side]));
        let rim = counts.iter().map(|[_, rim]| *rim).max().unwrap_or(0);
        Self { starts, faces: lists.concat(), rim_links, links, boundary_records, rim, size }
    }

    /// The number of records of a patch for which kernels are compiled.
    pub(super) fn room(&self, on_cuda: bool) -> usize {
        self.rim.max(1).next_multiple_of(if on_cuda { CUDA_ROOM } else { HOST_ROOM })
    }

    /// Number of records.
    pub(super) fn records(&self) -> usize {
        self.rim_links.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::Rectangle;

    #[test]
    fn every_side_of_a_face_is_computed_once_and_every_record_is_written_by_the_other_side() {
        for (periodic, cells) in [([true, false], [7, 9]), ([true, true], [2, 1]), ([false, false], [1, 1])] {
            let mesh = Rectangle { cells, jitter: 0.0, periodic, ..Rectangle::default() }.mesh().unwrap();
            for size in [4, 32] {
                let (patches, faces) = (Patches::new(&mesh, size), 3);
                let mut computed = vec![0; mesh.element_count() * faces];
                let mut written = vec![0; patches.records()];
                for (patch, pair) in patches.starts.windows(2).enumerate() {
                    let rim = pair[1][1] - pair[0][1];
                    assert!(rim as usize <= patches.rim);
                    let place = |number: usize| (patch * size + number % size, number / size);
                    for i in pair[0][0]..pair[1][0] {
                        let both = patches.faces[i as usize] as usize;
                        let (own, other) = (place(both & 0xffff), both >> 16);
                        computed[own.0 * faces + own.1] += 1;
                        let neighbour = mesh.neighbour(own.0, own.1);
                        if other < faces * size {
                            let other = place(other);
                            computed[other.0 * faces + other.1] += 1;
                            assert_eq!(neighbour, Neighbour::Element { element: other.0 as u32, face: other.1 as u8 });
                            assert_eq!(patches.links[own.0 * faces + own.1], INNER);
                            continue;
                        }
                        let record = pair[0][1] + (other - faces * size) as i32;
                        assert_eq!(
                            i - (pair[1][0] - rim),
                            record - pair[0][1],
                            "records lie in the order of the faces"
                        );
                        let link = patches.links[own.0 * faces + own.1];
                        assert_eq!(patches.rim_links[record as usize], link);
                        match neighbour {
                            Neighbour::Element { element, face } => {
                                assert_eq!(patches.links[element as usize * faces + usize::from(face)], record);
                                written[link as usize] += 1;
                            }
                            Neighbour::Boundary(face) => {
                                assert_eq!((link, patches.boundary_records[face as usize]), (-2 - face as i32, record));
                                written[record as usize] += 1;
                            }
                        }
                    }
                }
                assert!(computed.iter().all(|&times| times == 1) && written.iter().all(|&times| times == 1));
            }
        }
    }
}
