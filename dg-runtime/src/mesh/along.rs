//! The boundary as curves along which faces follow each other.

use std::collections::{HashMap, HashSet};

use super::Mesh;
use crate::law::reference::quadrature::gauss_legendre;

/// Points of the quadrature of arc lengths; that of a side of degree 4 is then exact to rounding unless it is bent strongly.
const ARC_POINTS: usize = 12;

impl Mesh {
    /// The faces of boundaries of these names, as numbers among the boundary faces.
    pub fn faces_of_boundaries(&self, boundaries: &[String]) -> Vec<usize> {
        let is_named = |number: &usize| {
            let boundary = usize::from(self.boundary_faces()[*number].boundary);
            boundaries.contains(&self.boundaries()[boundary].name)
        };
        (0..self.boundary_faces().len()).filter(is_named).collect()
    }

    /// The faces of boundaries of these names, as numbers among the [boundary faces](Self::boundary_faces), curve by curve: each begins where
    /// the one before it ends, with the domain on the left. A closed curve begins at its vertex with the largest first coordinate.
    pub fn along(&self, boundaries: &[String]) -> Vec<Vec<usize>> {
        let corners = |number: usize| {
            let face = self.boundary_faces()[number];
            self.face_corners(face.element as usize, face.face.into())
        };
        let faces = self.faces_of_boundaries(boundaries);
        // Where bodies touch, several faces leave a vertex: then each curve takes the first that is free.
        let mut leaving: HashMap<u32, Vec<usize>> = HashMap::new();
        faces.iter().rev().for_each(|&face| leaving.entry(corners(face)[0]).or_default().push(face));
        let arriving: HashSet<u32> = faces.iter().map(|&face| corners(face)[1]).collect();
        let mut rest = faces.clone();
        let first = |face: usize| self.vertex(corners(face)[0])[0];
        rest.sort_by(|a, b| first(*b).total_cmp(&first(*a)));
        let (inner, mut starts): (Vec<usize>, Vec<usize>) =
            rest.into_iter().partition(|face| arriving.contains(&corners(*face)[0]));
        starts.extend(inner);
        let (mut used, mut curves) = (HashSet::new(), Vec::new());
        for start in starts {
            let (mut curve, mut next) = (Vec::new(), Some(start));
            while let Some(face) = next.filter(|face| used.insert(*face)) {
                curve.push(face);
                let followers = leaving.get(&corners(face)[1]).map_or(&[][..], Vec::as_slice);
                next = followers.iter().rev().copied().find(|follower| !used.contains(follower));
            }
            if !curve.is_empty() {
                curves.push(curve);
            }
        }
        curves
    }

    /// The length of a face of an element from its beginning to the parameter s in [0, 1].
    pub fn arc_length(&self, element: usize, face: usize, s: f64) -> f64 {
        if !self.has_curved_sides() {
            return s * self.geometry(element).face_lengths[face];
        }
        let (map, (points, weights)) = (self.map_of(element), gauss_legendre(ARC_POINTS));
        points.iter().zip(weights).map(|(point, weight)| s * weight * map.face_normal(face, s * point).1).sum()
    }
}

#[cfg(test)]
mod tests {
    use crate::law::Shape;
    use crate::mesh::generate::{Block, Disc, Domain, Rectangle};

    #[test]
    fn a_closed_curve_begins_on_the_right_and_an_open_one_at_its_end() {
        let cells = [2, 16];
        let cylinder = Block {
            shape: Shape::Triangle,
            cells,
            layers: 0,
            grading: 1.0,
            domain: Domain::Cylinder { radii: [0.5, 2.0] },
        };
        let mesh = cylinder.mesh().unwrap();
        let [inner] = &mesh.along(&["inner".to_owned()])[..] else { panic!("one curve") };
        assert_eq!(inner.len(), 16);
        let begins = |number: usize| {
            let face = mesh.boundary_faces()[number];
            mesh.face_position(face.element as usize, face.face.into(), 0.0)
        };
        assert_eq!(begins(inner[0]), [0.5, 0.0]);
        // Clockwise: the domain is outside.
        assert!(begins(inner[4])[1] < -0.49 && begins(inner[12])[1] > 0.49);
        assert_eq!(mesh.along(&["inner".to_owned(), "outer".to_owned()]).len(), 2);

        let mesh = Rectangle { cells: [3, 2], ..Rectangle::default() }.mesh().unwrap();
        let [curve] = &mesh.along(&["bottom".to_owned(), "right".to_owned()])[..] else { panic!("one curve") };
        let begins = |number: usize| {
            let face = mesh.boundary_faces()[number];
            mesh.face_position(face.element as usize, face.face.into(), 0.0)
        };
        assert_eq!((curve.len(), begins(curve[0]), begins(curve[3])), (5, [0.0, 0.0], [1.0, 0.0]));
        assert!(mesh.along(&["inside".to_owned()]).is_empty());
    }

    #[test]
    fn lengths_of_curved_faces_are_those_of_the_circle() {
        let disc = Disc { centre: [0.0; 2], radius: 2.0, rings: 2, ..Disc::default() }.mesh().unwrap();
        let mesh = disc.with_degree(4).unwrap();
        let lengths =
            mesh.boundary_faces().iter().map(|face| mesh.arc_length(face.element as usize, face.face.into(), 1.0));
        let length: f64 = lengths.sum();
        // Sides of degree 4 between nodes on the circle.
        assert!((length - 4.0 * std::f64::consts::PI).abs() < 1e-5, "{length}");
    }
}
