//! Patches of elements, and the links of their faces.
//!
//! A patch is a fixed number of consecutively numbered elements of a section. A face between two elements of a patch is computed once, in
//! the patch; a face on its rim is computed by both patches, and each reads a record with the other side's trace or a boundary's
//! ghost states. Faces that a period joins in different directions are on rims, even of one patch: each side's frame is its own.
//! Records are ordered by the patches that read them; the other side of the face writes them.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use crate::mesh::{Mesh, Neighbour, Section};

/// A link of a face whose neighbour is in the same patch.
pub(super) const INNER: i32 = -1;

/// Steps of the largest number of records that kernels have room for, so that they serve for more meshes than one: on CUDA, where
/// records are in scarce shared memory, and on a CPU, where nothing touches room that a patch does not use.
const CUDA_ROOM: usize = 8;
const HOST_ROOM: usize = 32;

/// The faces of the patches of all sections of a mesh, as the kernels see them.
#[derive(Debug)]
pub(super) struct Patches {
    /// Those of each section.
    pub(super) sections: Vec<SectionPatches>,
    /// For every record, in the order of the rims: the link of the face that reads it.
    pub(super) rim_links: Vec<i32>,
    /// For every boundary face its record.
    pub(super) boundary_records: Vec<i32>,
    /// For every record cosine and sine of the angle by which the vectors of what it holds are turned into the frame of the face that
    /// reads it; empty where no period turns any.
    pub(super) turns: Vec<f64>,
}

/// The faces of the patches of a section.
#[derive(Debug)]
pub(super) struct SectionPatches {
    /// The numbers of the section's elements.
    pub(super) elements: Range<usize>,
    /// Faces of an element.
    faces_of_element: usize,
    /// Elements of a patch.
    size: usize,
    /// The numbers of the first face, in the section, and of the first record, in the mesh, of every patch, followed by those behind
    /// the last.
    pub(super) starts: Vec<[i32; 2]>,
    /// For every face of every patch, the inner faces first: the place of its first side among the sides of the patch's elements, face by
    /// face, plus 2^16 times that of its second side or, on the rim, the number of places plus the number of its record in the patch.
    pub(super) faces: Vec<i32>,
    /// `[element][face]`: the record to which the face's trace is written; -1 where the neighbour is in the same patch; or
    /// -2 - boundary face.
    pub(super) links: Vec<i32>,
    /// The largest number of faces on the rim of a patch.
    rim: usize,
}

/// An element and the number of its face.
pub(super) type Side = (usize, usize);

/// See [`Mesh::turns`].
type Turns = BTreeMap<u32, [f64; 2]>;

impl SectionPatches {
    /// The elements of a patch.
    fn patch(&self, patch: usize) -> Range<usize> {
        let start = self.elements.start + patch * self.size;
        start..(start + self.size).min(self.elements.end)
    }

    /// The number of patches.
    pub(super) fn patch_count(&self) -> usize {
        self.elements.len().div_ceil(self.size)
    }

    /// The place, among the sides of a patch, of the side behind a face, if it is in the same patch and direction.
    fn inner(&self, mesh: &Mesh, turns: &Turns, patch: usize, (element, face): Side) -> Option<usize> {
        let elements = self.patch(patch);
        let is_turned = || !turns.is_empty() && turns.contains_key(&(mesh.elements().slot(element, face) as u32));
        match mesh.neighbour(element, face) {
            Neighbour::Element { element, face } if elements.contains(&(element as usize)) && !is_turned() => {
                Some(usize::from(face) * self.size + element as usize - elements.start)
            }
            _ => None,
        }
    }

    fn sides(&self, patch: usize) -> impl Iterator<Item = Side> {
        let faces = self.faces_of_element;
        self.patch(patch).flat_map(move |element| (0..faces).map(move |face| (element, face)))
    }

    /// The faces of a patch as the list has them, with the number of those on its rim.
    fn list(&self, mesh: &Mesh, turns: &Turns, patch: usize) -> (Vec<i32>, usize) {
        let (mut list, mut rim) = (Vec::new(), Vec::new());
        let start = self.patch(patch).start;
        for side in self.sides(patch) {
            let own = side.1 * self.size + side.0 - start;
            match self.inner(mesh, turns, patch, side) {
                Some(other) if own < other => list.push((own | other << 16) as i32),
                Some(_) => {}
                None => rim.push((own | (self.faces_of_element * self.size + rim.len()) << 16) as i32),
            }
        }
        let on_rim = rim.len();
        list.append(&mut rim);
        (list, on_rim)
    }

    /// The first side of a face of the list of a patch, and the second one if it is in the same patch.
    pub(super) fn sides_in(&self, patch: usize, both: i32) -> (Side, Option<Side>) {
        let start = self.patch(patch).start;
        let side = |number: usize| (start + number % self.size, number / self.size);
        let [own, other] = [both & 0xffff, both >> 16].map(|number| number as usize);
        (side(own), (other < self.faces_of_element * self.size).then(|| side(other)))
    }

    /// The sides of a face of the list of a patch; there is no second one on a boundary.
    pub(super) fn sides_of(&self, mesh: &Mesh, patch: usize, both: i32) -> (Side, Option<Side>) {
        let (first, _) = self.sides_in(patch, both);
        let second = match mesh.neighbour(first.0, first.1) {
            Neighbour::Element { element, face } => Some((element as usize, usize::from(face))),
            Neighbour::Boundary(_) => None,
        };
        (first, second)
    }

    /// The number of records of a patch for which kernels are compiled.
    pub(super) fn room(&self, on_cuda: bool) -> usize {
        self.rim.max(1).next_multiple_of(if on_cuda { CUDA_ROOM } else { HOST_ROOM })
    }
}

impl Patches {
    /// Divides the sections of a mesh into patches of these sizes, one for each section.
    pub(super) fn new(mesh: &Mesh, sections: &[Section], sizes: &[usize]) -> Self {
        let turned = mesh.turns();
        let mut first_record = 0;
        let mut of_section = |(section, &size): (&Section, &usize)| {
            let mut patches = SectionPatches {
                elements: section.elements.clone(),
                faces_of_element: section.shape.faces(),
                size,
                starts: vec![[0, first_record]],
                faces: Vec::new(),
                links: Vec::new(),
                rim: 0,
            };
            let of_patch = |patch: usize| patches.list(mesh, &turned, patch);
            let lists: Vec<(Vec<i32>, usize)> = (0..patches.patch_count()).into_par_iter().map(of_patch).collect();
            let mut first_face = 0;
            for (list, rim) in &lists {
                first_face += list.len() as i32;
                first_record += *rim as i32;
                patches.starts.push([first_face, first_record]);
            }
            patches.rim = lists.iter().map(|(_, rim)| *rim).max().unwrap_or(0);
            patches.faces = lists.into_iter().flat_map(|(list, _)| list).collect();
            patches
        };
        let mut sections: Vec<SectionPatches> = sections.iter().zip(sizes).map(&mut of_section).collect();

        // First the record that each side on a rim reads, then the record that it writes.
        let mut read = vec![INNER; mesh.elements().slots()];
        for section in &sections {
            for (patch, start) in section.starts[..section.patch_count()].iter().enumerate() {
                let on_rim = section.sides(patch).filter(|&side| section.inner(mesh, &turned, patch, side).is_none());
                for ((element, face), record) in on_rim.zip(start[1]..) {
                    read[mesh.elements().slot(element, face)] = record;
                }
            }
        }
        let read_by = |(element, face): Side| read[mesh.elements().slot(element, face)];
        let link = |(element, face): Side| match mesh.neighbour(element, face) {
            _ if read_by((element, face)) == INNER => INNER,
            Neighbour::Element { element, face } => read_by((element as usize, face.into())),
            Neighbour::Boundary(face) => -2 - face as i32,
        };
        for section in &mut sections {
            let faces = section.faces_of_element;
            let of_element = |element: usize| (0..faces).map(move |face| link((element, face)));
            section.links = section.elements.clone().into_par_iter().flat_map_iter(of_element).collect();
        }
        let boundary_record = |face: &crate::mesh::BoundaryFace| read_by((face.element as usize, face.face.into()));
        let boundary_records = mesh.boundary_faces().iter().map(boundary_record).collect();
        let links = sections.iter().flat_map(|section| &section.links);
        let rim_links: Vec<i32> = links.copied().filter(|link| *link != INNER).collect();
        let mut turns = if turned.is_empty() { Vec::new() } else { [1.0, 0.0].repeat(rim_links.len()) };
        for (&slot, turn) in &turned {
            turns[2 * read[slot as usize] as usize..][..2].copy_from_slice(turn);
        }
        Self { sections, rim_links, boundary_records, turns }
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
        let turned =
            Rectangle { cells: [4, 4], ..Rectangle::default() }.mesh().unwrap().with_periods(&[("left", "top")]);
        let meshes = [
            ([true, false], [7, 9], 0),
            ([true, true], [2, 1], 0),
            ([false, false], [1, 1], 0),
            ([true, false], [7, 9], 4),
        ];
        let meshes = meshes
            .map(|(periodic, cells, layers)| Rectangle { cells, periodic, layers, ..Rectangle::default() }.mesh());
        for mesh in meshes.into_iter().chain([turned]) {
            let mesh = mesh.unwrap();
            let turned = mesh.turns();
            for size in [4, 32] {
                let sections = mesh.sections();
                let patches = Patches::new(&mesh, &sections, &vec![size; sections.len()]);
                let (slot, slots) =
                    (|(element, face): Side| mesh.elements().slot(element, face), mesh.elements().slots());
                let links: Vec<i32> = patches.sections.iter().flat_map(|section| section.links.clone()).collect();
                let mut computed = vec![0; slots];
                let mut written = vec![0; patches.records()];
                for section in &patches.sections {
                    for (patch, pair) in section.starts.windows(2).enumerate() {
                        let rim = pair[1][1] - pair[0][1];
                        assert!(rim as usize <= section.rim);
                        for i in pair[0][0]..pair[1][0] {
                            let both = section.faces[i as usize];
                            let (own, other) = section.sides_in(patch, both);
                            computed[slot(own)] += 1;
                            let neighbour = mesh.neighbour(own.0, own.1);
                            let link = links[slot(own)];
                            let turn = turned.get(&(slot(own) as u32)).copied();
                            if let Some(other) = other {
                                assert_eq!(turn, None);
                                computed[slot(other)] += 1;
                                let [element, face] = [other.0 as u32, other.1 as u32];
                                assert_eq!(neighbour, Neighbour::Element { element, face: face as u8 });
                                assert_eq!(link, INNER);
                                continue;
                            }
                            let of_rim = (both >> 16) - (section.faces_of_element * size) as i32;
                            let record = pair[0][1] + of_rim;
                            assert_eq!(i - (pair[1][0] - rim), of_rim, "records lie in the order of the faces");
                            assert_eq!(patches.rim_links[record as usize], link);
                            let stored = patches.turns.get(2 * record as usize..2 * record as usize + 2);
                            assert_eq!(stored.unwrap_or(&[1.0, 0.0]), turn.unwrap_or([1.0, 0.0]));
                            match neighbour {
                                Neighbour::Element { element, face } => {
                                    assert_eq!(links[slot((element as usize, face.into()))], record);
                                    written[link as usize] += 1;
                                }
                                Neighbour::Boundary(face) => {
                                    let there = patches.boundary_records[face as usize];
                                    assert_eq!((link, there), (-2 - face as i32, record));
                                    written[record as usize] += 1;
                                }
                            }
                        }
                    }
                }
                assert!(computed.iter().all(|&times| times == 1) && written.iter().all(|&times| times == 1));
            }
        }
    }

    /// The most faces on a rim are what shared memory has room for, in all patches.
    #[test]
    fn no_patch_has_a_much_longer_rim_than_others() {
        let rectangle = Rectangle { cells: [200; 2], periodic: [true; 2], jitter: 0.2, ..Rectangle::default() };
        let mesh = rectangle.mesh().unwrap().renumbered();
        for size in [32, 64] {
            let patches = Patches::new(&mesh, &mesh.sections(), &[size]);
            let starts = &patches.sections[0].starts;
            let mut rims: Vec<i32> = starts.windows(2).map(|pair| pair[1][1] - pair[0][1]).collect();
            rims.sort_unstable();
            let (median, longest) = (rims[rims.len() / 2], rims[rims.len() - 1]);
            assert!(2 * longest < 5 * median, "{size}: {longest} and {median}");
        }
    }
}
