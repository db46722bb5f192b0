//! An order of elements with neighbours close in memory, and compact patches.

use super::{BoundaryFace, Elements, Mesh, Neighbour, bisect};
use crate::law::Shape;
use crate::law::protocol::CUDA_BLOCK;

impl Mesh {
    /// The mesh renumbered for blocks of 32 elements, which most laws have: see [`Self::renumbered_in`].
    pub fn renumbered(&self) -> Self {
        self.renumbered_in(CUDA_BLOCK)
    }

    /// The same mesh with its elements in an order in which those of a section are consecutive and runs of one, two and four blocks of so many
    /// elements are compact ([`Law::cuda_block`](crate::law::Law::cuda_block)), and its vertices in the order in which the elements refer to
    /// them; vertices without an element are dropped.
    pub fn renumbered_in(&self, block: usize) -> Self {
        let order = bisect::order(self, block);
        let mut place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        let (elements, vertices) = self.renumber_vertices(&order);

        let moved = |face: &BoundaryFace| BoundaryFace { element: place[face.element as usize], ..*face };
        let mut boundary_faces: Vec<BoundaryFace> = self.boundary_faces.iter().map(moved).collect();
        boundary_faces.sort_unstable();
        let slots = |element: u32| self.elements.range(element as usize, Shape::faces);
        let old = order.iter().flat_map(|&old| &self.neighbours[slots(old)]);
        let mut neighbours: Vec<Neighbour> = old
            .map(|&neighbour| match neighbour {
                Neighbour::Element { element, face } => Neighbour::Element { element: place[element as usize], face },
                Neighbour::Boundary(_) => neighbour,
            })
            .collect();
        for (index, face) in boundary_faces.iter().enumerate() {
            neighbours[elements.slot(face.element as usize, face.face.into())] = Neighbour::Boundary(index as u32);
        }
        let slot = |slot: u32| {
            let (element, face) = self.elements.side(slot as usize);
            elements.slot(place[element] as usize, face) as u32
        };
        let offered_periods = self.offered_periods.iter().map(|pair| pair.map(slot)).collect();
        let (dim, boundaries) = (self.dim, self.boundaries.clone());
        let groups = self.groups.reordered(&order);
        let curved = self.curved.as_ref().map(|curved| curved.reordered(&self.elements, &order));
        let orders = if self.orders.is_empty() {
            Vec::new()
        } else {
            order.iter().map(|&old| self.orders[old as usize]).collect()
        };
        Self {
            dim,
            vertices,
            elements,
            neighbours,
            boundary_faces,
            boundaries,
            offered_periods,
            groups,
            curved,
            orders,
        }
    }

    fn renumber_vertices(&self, order: &[u32]) -> (Elements, Vec<f64>) {
        let mut names = vec![u32::MAX; self.vertices.len() / self.dim];
        let mut vertices = Vec::with_capacity(self.vertices.len());
        let mut elements = Vec::with_capacity(self.elements.vertices().len());
        for &vertex in order.iter().flat_map(|&element| self.corners(element as usize)) {
            let name = &mut names[vertex as usize];
            if *name == u32::MAX {
                *name = (vertices.len() / self.dim) as u32;
                vertices.extend_from_slice(self.vertex(vertex));
            }
            elements.push(*name);
        }
        (self.elements.with_vertices(elements), vertices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::generate::{QuarterAnnulus, Rectangle};
    use crate::mesh::tests::assert_sound;

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

    /// The mean number of faces that lead out of runs of elements.
    fn leaving(mesh: &Mesh, run: usize) -> f64 {
        let leaves = |element: usize, face: usize| match mesh.neighbour(element, face) {
            Neighbour::Element { element: behind, .. } => behind as usize / run != element / run,
            Neighbour::Boundary(_) => false,
        };
        let n = mesh.element_count();
        let count = (0..n).map(|element| (0..3).filter(|&face| leaves(element, face)).count()).sum::<usize>();
        count as f64 * run as f64 / n as f64
    }

    #[test]
    fn runs_of_elements_have_short_rims() {
        let rectangle = Rectangle { cells: [64, 64], jitter: 0.2, periodic: [true, true], ..Rectangle::default() };
        let mesh = rectangle.mesh().unwrap();
        // Squares of 16, 32, 64 cells, cut along the diagonals, have 2 sqrt(2) (sqrt(run)) faces around them.
        for (block, blocks) in [(32, 1), (32, 2), (32, 4), (28, 1), (28, 2), (28, 4)] {
            let run = blocks * block;
            let (before, after) = (leaving(&mesh, run), leaving(&mesh.renumbered_in(block), run));
            eprintln!("{run}: {before:.1} {after:.1}, squares {:.1}", 4.0 * (run as f64 / 2.0).sqrt());
            assert!(after < 1.1 * 4.0 * (run as f64 / 2.0).sqrt(), "{run}: {before} {after}");
        }
    }
}
