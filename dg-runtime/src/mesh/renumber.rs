//! Elements in the order of a space-filling curve, so that neighbours are close in memory.

use rayon::prelude::*;

use super::{BoundaryFace, MAX_DIM, Mesh, Neighbour};

/// Bits of a coordinate on the curve.
const BITS: u32 = 16;

/// The place of a cell of a grid with 2^[`BITS`] cells a side along the Hilbert curve (J. Skilling: Programming the
/// Hilbert curve, AIP Conf. Proc. 707, 2004).
fn hilbert(mut x: [u32; MAX_DIM]) -> u64 {
    for bit in (1..BITS).rev() {
        let (flag, below) = (1 << bit, (1 << bit) - 1);
        for i in 0..MAX_DIM {
            if x[i] & flag != 0 {
                x[0] ^= below;
            } else {
                let exchange = (x[0] ^ x[i]) & below;
                x[0] ^= exchange;
                x[i] ^= exchange;
            }
        }
    }
    for i in 1..MAX_DIM {
        x[i] ^= x[i - 1];
    }
    let flip = (1..BITS).filter(|bit| x[MAX_DIM - 1] >> bit & 1 != 0).fold(0, |flip, bit| flip ^ ((1 << bit) - 1));
    let coordinates = x.map(|coordinate| coordinate ^ flip);
    let bits = (0..BITS).rev().flat_map(|bit| coordinates.map(|coordinate| coordinate >> bit & 1));
    bits.fold(0, |place, bit| place << 1 | u64::from(bit))
}

impl Mesh {
    /// The same mesh with its elements along a Hilbert curve, and its vertices in the order in which the elements
    /// meet them; vertices without an element are dropped.
    pub fn renumbered(&self) -> Self {
        let order = self.hilbert_order();
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        let (elements, vertices) = self.renumber_vertices(&order);

        let moved = |face: &BoundaryFace| BoundaryFace { element: place[face.element as usize], ..*face };
        let mut boundary_faces: Vec<BoundaryFace> = self.boundary_faces.iter().map(moved).collect();
        boundary_faces.sort_unstable();
        let faces = self.shape.faces();
        let old = order.iter().flat_map(|&old| &self.neighbours[old as usize * faces..][..faces]);
        let mut neighbours: Vec<Neighbour> = old
            .map(|&neighbour| match neighbour {
                Neighbour::Element { element, face } => Neighbour::Element { element: place[element as usize], face },
                Neighbour::Boundary(_) => neighbour,
            })
            .collect();
        for (index, face) in boundary_faces.iter().enumerate() {
            neighbours[face.element as usize * faces + usize::from(face.face)] = Neighbour::Boundary(index as u32);
        }
        let slot = |slot: u32| place[slot as usize / faces] * faces as u32 + slot % faces as u32;
        let offered_periods = self.offered_periods.iter().map(|pair| pair.map(slot)).collect();
        let (shape, dim, boundaries) = (self.shape, self.dim, self.boundaries.clone());
        Self { shape, dim, vertices, elements, neighbours, boundary_faces, boundaries, offered_periods }
    }

    /// The elements in the order of their centres along the curve.
    fn hilbert_order(&self) -> Vec<u32> {
        let [low, high] = self.bounds();
        let extent = (0..self.dim).map(|d| high[d] - low[d]).fold(f64::MIN_POSITIVE, f64::max);
        let cell = |element: u32| {
            let corners = self.corners(element as usize);
            let centre = |d: usize| corners.iter().map(|&v| self.vertex(v)[d]).sum::<f64>() / corners.len() as f64;
            let cells = f64::from(1 << BITS);
            // The cast saturates; a centre is inside the bounds but for rounding.
            std::array::from_fn(|d| (((centre(d) - low[d]) / extent * cells) as u32).min((1 << BITS) - 1))
        };
        let mut keys: Vec<(u64, u32)> =
            (0..self.element_count() as u32).into_par_iter().map(|element| (hilbert(cell(element)), element)).collect();
        keys.par_sort_unstable();
        keys.into_iter().map(|(_, element)| element).collect()
    }

    fn renumber_vertices(&self, order: &[u32]) -> (Vec<u32>, Vec<f64>) {
        let mut names = vec![u32::MAX; self.vertices.len() / self.dim];
        let mut vertices = Vec::with_capacity(self.vertices.len());
        let mut elements = Vec::with_capacity(self.elements.len());
        for &vertex in order.iter().flat_map(|&element| self.corners(element as usize)) {
            let name = &mut names[vertex as usize];
            if *name == u32::MAX {
                *name = (vertices.len() / self.dim) as u32;
                vertices.extend_from_slice(self.vertex(vertex));
            }
            elements.push(*name);
        }
        (elements, vertices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{QuarterAnnulus, Rectangle};
    use crate::mesh::tests::assert_sound;

    #[test]
    fn the_curve_steps_from_cell_to_cell() {
        // The lower left quarter of a quarter … is an aligned block, which the curve fills in one go.
        let mut cells: Vec<[u32; 2]> = (0..64).flat_map(|x| (0..64).map(move |y| [x, y])).collect();
        cells.sort_by_key(|&cell| hilbert(cell));
        let step = |pair: &[[u32; 2]]| pair[0][0].abs_diff(pair[1][0]) + pair[0][1].abs_diff(pair[1][1]);
        assert!(cells.windows(2).all(|pair| step(pair) == 1));
        assert_eq!(hilbert(cells[4095]) - hilbert(cells[0]), 4095);
    }

    #[test]
    fn the_mesh_stays_the_same_and_neighbours_come_close() {
        let annulus = QuarterAnnulus { cells: [10, 10], ..QuarterAnnulus::default() }.mesh().unwrap();
        let square =
            Rectangle { cells: [64, 64], jitter: 0.2, periodic: [true, false], ..Rectangle::default() }.mesh().unwrap();
        for mesh in [annulus, square] {
            let renumbered = mesh.renumbered();
            assert_sound(&renumbered, [1.0, 1.0]);
            assert_eq!(renumbered.boundary_face_counts(), mesh.boundary_face_counts());
            assert_eq!(renumbered.face_count(), mesh.face_count());
            // The same triangles, with the same corner first, and the same names on their faces.
            let triangles = |mesh: &Mesh| {
                let describe = |element: usize| {
                    let corners = mesh.corners(element).iter().flat_map(|&vertex| mesh.vertex(vertex));
                    let faces = (0..3).map(|face| match mesh.neighbour(element, face) {
                        Neighbour::Element { face, .. } => u16::from(face),
                        Neighbour::Boundary(index) => 10 + mesh.boundary_faces[index as usize].boundary,
                    });
                    (corners.map(|x| x.to_bits()).collect::<Vec<_>>(), faces.collect::<Vec<_>>())
                };
                let mut all: Vec<_> = (0..mesh.element_count()).map(describe).collect();
                all.sort();
                all
            };
            assert_eq!(triangles(&renumbered), triangles(&mesh));
        }
    }

    #[test]
    fn blocks_of_elements_touch_few_others() {
        let mesh = Rectangle { cells: [64, 64], ..Rectangle::default() }.mesh().unwrap();
        let leaving = |mesh: &Mesh| {
            let block = |element: usize| element / 128;
            let leaves = |element: usize, face: usize| match mesh.neighbour(element, face) {
                Neighbour::Element { element: behind, .. } => block(behind as usize) != block(element),
                Neighbour::Boundary(_) => false,
            };
            (0..mesh.element_count()).map(|element| (0..3).filter(|&face| leaves(element, face)).count()).sum::<usize>()
        };
        // Blocks of 8 × 8 cells have 32 outer faces, rows of 64 cells have 128.
        assert!(leaving(&mesh.renumbered()) <= 64 * 32 && leaving(&mesh) > 60 * 128);
    }
}
