//! A hash of a mesh, which identifies it.

use super::{Mesh, Neighbour};

impl Mesh {
    /// A hash of everything in the mesh that affects a solution: vertices, elements and their maps, neighbours, the names and curves of the
    /// boundaries, groups of elements, and their degrees.
    pub fn hash(&self) -> [u8; 32] {
        let neighbour = |neighbour: &Neighbour| match *neighbour {
            Neighbour::Element { element, face } => [element, face.into()],
            Neighbour::Boundary(face) => [face, u32::MAX],
        };
        let neighbours: Vec<_> = self.neighbours.iter().map(neighbour).collect();
        let faces: Vec<_> =
            self.boundary_faces.iter().map(|face| [face.boundary.into(), face.element, face.face.into()]).collect();
        let shapes: Vec<_> = self.elements.by_shape().collect();
        // `Debug` quotes text and writes floating-point numbers exactly.
        let degree = self.degree();
        let orders = if self.orders.is_empty() { String::new() } else { format!(" {:?}", self.orders) };
        let meaning = format!("{shapes:?} {:?} {:?} {degree}{orders}", self.boundaries, self.groups.sets);
        let terms = self.curved.as_ref().map_or(&[][..], |curved| &curved.terms);

        let mut hasher = blake3::Hasher::new();
        for part in [
            bytemuck::cast_slice(&self.vertices),
            bytemuck::cast_slice(self.elements.vertices()),
            bytemuck::cast_slice(terms),
            bytemuck::cast_slice(&self.groups.of_elements),
            bytemuck::cast_slice::<[u32; 2], u8>(&neighbours),
            bytemuck::cast_slice::<[u32; 3], u8>(&faces),
            meaning.as_bytes(),
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part);
        }
        *hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use crate::mesh::generate::{Disc, Rectangle};
    use crate::mesh::{Curve, Groups, Mesh};

    #[test]
    fn every_meaning_of_a_mesh_distinguishes_it() {
        let square = Rectangle { cells: [3, 3], ..Rectangle::default() };
        let renamed = |names: [&str; 4]| {
            let mut mesh = square.mesh().unwrap();
            for (boundary, name) in mesh.boundaries.iter_mut().zip(names) {
                name.clone_into(&mut boundary.name);
            }
            mesh
        };
        let mut curved = Disc::default().mesh().unwrap();
        curved.set_curve("rim", Some(Curve::Spline)).unwrap();
        let mut grouped = square.mesh().unwrap();
        grouped.groups = Groups { sets: vec![vec!["steel".to_owned()]], of_elements: vec![0; 18] };
        let meshes = [
            square.mesh().unwrap(),
            Rectangle { upper: [1.0, 1.5], ..square.clone() }.mesh().unwrap(),
            Rectangle { periodic: [true, false], ..square.clone() }.mesh().unwrap(),
            Rectangle { periodic: [true, true], ..square.clone() }.mesh().unwrap(),
            renamed(["right", "left", "bottom", "top"]),
            Disc::default().mesh().unwrap(),
            curved,
            grouped,
        ];
        let hashes: BTreeSet<_> = meshes.iter().map(Mesh::hash).collect();
        assert_eq!(hashes.len(), meshes.len());
        assert_eq!(meshes[0].hash(), renamed(["left", "right", "bottom", "top"]).hash());
    }
}
