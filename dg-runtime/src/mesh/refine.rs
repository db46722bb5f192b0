//! Uniform refinement.

use super::curve::Bodies;
use super::{Draft, Mesh, MeshError, NamedFace, Neighbour, most_elements};
use crate::law::Shape;
use crate::system::available_memory;

/// Bytes of memory that an element takes at most while a mesh is generated or refined, connected and renumbered:
/// measured at two million triangles.
const BYTES_PER_ELEMENT: f64 = 130.0;

/// Makes sure, before anything is built, that a mesh of so many elements can be refined so often.
///
/// # Errors
///
/// [`MeshError::TooLarge`] where it would have too many elements, [`MeshError::TooMuchMemory`] where they would not fit into
/// the machine.
pub fn check_size(shape: Shape, coarse: f64, refinements: usize) -> Result<(), MeshError> {
    let exponent = i32::try_from(refinements).unwrap_or(i32::MAX);
    let (count, limit) = (coarse * (shape.children().len() as f64).powi(exponent), most_elements(shape));
    if count > limit as f64 {
        return Err(MeshError::TooLarge { count, limit });
    }
    check_memory(count, available_memory())
}

/// Makes sure that a mesh of so many elements can be built where so many bytes are free.
pub(super) fn check_memory(count: f64, free: Option<usize>) -> Result<(), MeshError> {
    let needed = (BYTES_PER_ELEMENT * count) as usize;
    match free {
        Some(free) if needed > free => Err(MeshError::TooMuchMemory { count, needed, free }),
        _ => Ok(()),
    }
}

impl Mesh {
    /// Cuts every element into children of half the size, a triangle into four; the children of element `e` are
    /// `4 e` to `4 e + 3`. New vertices of a boundary lie on its curve; boundaries and periods stay.
    ///
    /// # Errors
    ///
    /// Elements at a curve that is coarse beyond measure may turn over: [`MeshError::Inverted`].
    pub fn refined(&self) -> Result<Self, MeshError> {
        let bodies = Bodies::new(self);
        let mut vertices = self.vertices.clone();
        let middles = self.middles(&bodies, &mut vertices);
        let (corners, faces) = (self.shape.corners(), self.shape.faces());

        let mut elements = Vec::with_capacity(self.elements.len() * self.shape.children().len());
        for element in 0..self.element_count() {
            let middles = &middles[element * faces..][..faces];
            for child in self.shape.children() {
                let vertex = |&i: &usize| if i < corners { self.corners(element)[i] } else { middles[i - corners] };
                elements.extend(child.iter().map(vertex));
            }
        }
        let halves = |slot: u32| {
            let ([from, to], middle) = (self.slot_corners(slot), middles[slot as usize]);
            [[from, middle], [middle, to]]
        };
        let named = self.boundary_faces.iter().flat_map(|face| {
            let slot = face.element * faces as u32 + u32::from(face.face);
            halves(slot).map(|corners| NamedFace { corners, boundary: face.boundary })
        });
        let opposite = |[slot, behind]: [u32; 2]| {
            let ([a, b], [c, d]) = (halves(slot), halves(behind));
            [[a, [d[1], d[0]]], [b, [c[1], c[0]]]]
        };
        Self::new(Draft {
            shape: self.shape,
            named_faces: named.collect(),
            periodic_faces: self.periodic_pairs().flat_map(opposite).collect(),
            offered_periods: self.offered_periods.iter().copied().flat_map(opposite).collect(),
            vertices,
            elements,
            boundaries: self.boundaries.clone(),
            element_tags: Vec::new(),
        })
    }

    /// Adds the middles of all faces to `vertices`; returns their numbers, `[element][face]`.
    fn middles(&self, bodies: &Bodies<'_>, vertices: &mut Vec<f64>) -> Vec<u32> {
        let mut middles: Vec<u32> = Vec::with_capacity(self.neighbours.len());
        for slot in 0..self.neighbours.len() as u32 {
            let shared = self.slot_behind(slot).filter(|&behind| behind < slot && !self.is_periodic(slot));
            middles.push(match shared {
                Some(behind) => middles[behind as usize],
                None => {
                    let (element, face) = (slot as usize / self.shape.faces(), slot as usize % self.shape.faces());
                    let middle = match self.neighbours[slot as usize] {
                        Neighbour::Boundary(face) => bodies.middle(face as usize),
                        Neighbour::Element { .. } => self.face_position(element, face, 0.5),
                    };
                    vertices.extend(middle);
                    (vertices.len() / self.dim - 1) as u32
                }
            });
        }
        middles
    }
}

#[cfg(test)]
mod tests {
    use super::check_size;
    use crate::law::Shape;
    use crate::mesh::generate::{Disc, QuarterAnnulus, Rectangle};
    use crate::mesh::tests::{area, assert_sound};
    use crate::mesh::{Curve, Mesh};

    /// Meshes A to D of the supersonic vortex (L. Krivodonova, M. Berger, J. Comput. Phys. 211, 2006).
    #[test]
    fn the_annulus_has_the_published_counts_and_stays_on_its_circles() {
        let mut mesh = QuarterAnnulus::default().mesh().unwrap();
        let exact = std::f64::consts::FRAC_PI_4 * (1.384_f64.powi(2) - 1.0);
        let mut before = f64::INFINITY;
        for counts in [(180, 293), (720, 1126), (2880, 4412), (11520, 17464)] {
            assert_eq!((mesh.element_count(), mesh.face_count()), counts);
            assert_sound(&mesh, [0.0; 2]);
            for face in &mesh.boundary_faces {
                let radius = match mesh.boundaries[usize::from(face.boundary)].curve {
                    Some(Curve::Circle { radius, .. }) => radius,
                    _ => continue,
                };
                for vertex in mesh.face_corners(face.element as usize, face.face.into()) {
                    let position = mesh.vertex(vertex);
                    assert!((position[0].hypot(position[1]) - radius).abs() < 1e-15);
                }
            }
            // Polygons converge to the circle with second order.
            let error = (area(&mesh) - exact).abs();
            assert!(error < before / 3.9, "{error:e} after {before:e}");
            before = error;
            mesh = mesh.refined().unwrap();
        }
        let names: Vec<&str> = mesh.boundaries.iter().map(|boundary| boundary.name.as_str()).collect();
        assert_eq!(names, ["inner", "outer", "outflow", "inflow"]);
        assert_eq!(mesh.boundary_face_counts(), [288, 288, 80, 80]);
    }

    #[test]
    fn a_mesh_beyond_all_numbers_is_refused_before_it_is_built() {
        let refused = |coarse, refinements| check_size(Shape::Triangle, coarse, refinements).unwrap_err().to_string();
        assert!(refused(180.0, 12).contains("3.020e9 elements or vertices are more than the 715827882 that fit"));
        assert!(refused(1.0, usize::MAX).contains("refine it less"));
        assert!(check_size(Shape::Triangle, 180.0, 3).is_ok());
    }

    #[test]
    fn children_fill_their_parent() {
        let options = Rectangle { cells: [5, 4], jitter: 0.2, ..Rectangle::default() };
        for periodic in [[false, false], [true, false], [true, true]] {
            let coarse = Rectangle { periodic, ..options.clone() }.mesh().unwrap();
            let fine = coarse.refined().unwrap();
            assert_sound(&fine, [1.0, 1.0]);
            assert_eq!(fine.face_count(), 2 * coarse.face_count() + 3 * coarse.element_count());
            assert_eq!(fine.boundary_faces.len(), 2 * coarse.boundary_faces.len());
            assert_eq!(fine.boundaries, coarse.boundaries);
            let vertices = |mesh: &Mesh| mesh.vertices.len() / 2;
            // Vertices count on both sides of a period.
            let pairs = coarse.periodic_pairs().count();
            assert_eq!(vertices(&fine), vertices(&coarse) + coarse.face_count() + pairs);
            for element in 0..coarse.element_count() {
                let parent = coarse.geometry(element).determinant;
                for child in 0..4 {
                    assert!((fine.geometry(4 * element + child).determinant - parent / 4.0).abs() < 1e-16);
                }
            }
        }
    }

    #[test]
    fn a_spline_leads_new_vertices_to_the_circle_with_fourth_order() {
        let error = |rings: usize| {
            let mut mesh = Disc { rings, ..Disc::default() }.mesh().unwrap();
            mesh.set_curve("rim", Some(Curve::Spline)).unwrap();
            let fine = mesh.refined().unwrap();
            let rim =
                fine.boundary_faces.iter().flat_map(|face| fine.face_corners(face.element as usize, face.face.into()));
            rim.map(|vertex| (fine.vertex(vertex)[0].hypot(fine.vertex(vertex)[1]) - 1.0).abs()).fold(0.0, f64::max)
        };
        let (coarse, fine) = (error(4), error(8));
        assert!(coarse < 1e-4 && (coarse / fine).log2() > 3.9, "{coarse:e} {fine:e}");
    }
}
