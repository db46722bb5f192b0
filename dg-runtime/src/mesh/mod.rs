//! Meshes: elements, their neighbours, the boundary, and the curved bodies behind it.
//!
//! A [`Draft`] is the description by a file or a generator; [`Mesh::new`] checks and connects it, and all later code may
//! rely on these invariants:
//!
//! * Elements have positive area, and corners that run counter-clockwise; those of one shape have consecutive numbers.
//! * Every face has exactly one [`Neighbour`]: the element behind it, also across periodic boundaries, or a
//!   boundary face. The two elements of a face run through it in opposite directions.
//! * Every boundary has a name of its own and at least one face.
//!
//! # Files
//!
//! [`gmsh::read`] reads Gmsh's files, [`generate`] makes meshes without a file.

mod along;
mod bend;
mod bisect;
mod cells;
mod connect;
mod curve;
mod curved;
mod elements;
mod error;
pub mod generate;
mod geometry;
pub mod gmsh;
mod groups;
mod hash;
mod locate;
mod map;
mod matrix;
mod periodic;
mod quality;
mod refine;
mod renumber;
mod sections;
mod size;
mod spline;
mod vertices;

pub use crate::law::{MAX_DIM, MAX_FACE_CORNERS, MAX_FACES};
pub use cells::Cells;
pub use connect::{Draft, NamedFace};
pub use curve::Curve;
pub use elements::{Elements, FaceCorners};
pub use error::MeshError;
pub use geometry::Geometry;
pub use groups::Groups;
pub(crate) use locate::{Boxed, boxes};
pub(crate) use map::depth;
pub use map::{ElementMap, MAX_DEGREE};
pub(crate) use matrix::inverse;
pub use quality::{Extreme, Quality, Survey, shape_measure};
pub use refine::check_size;
pub use sections::Section;
pub use size::Smallest;
pub use vertices::Stars;

use crate::law::Shape;
use curved::Curved;

/// A connected mesh. Its fields change together only, so that they stay consistent.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Number of space dimensions.
    pub dim: usize,
    vertices: Vec<f64>,
    elements: Elements,
    neighbours: Vec<Neighbour>,
    boundary_faces: Vec<BoundaryFace>,
    boundaries: Vec<Boundary>,
    /// Pairs of opposite boundary faces declared by the file, as [slots](Elements::slot).
    offered_periods: Vec<[u32; 2]>,
    groups: Groups,
    /// The maps of elements with curved sides, if the mesh has such.
    curved: Option<Curved>,
    /// Of every element the degree of the solution there, if it has one of its own; empty where none has.
    orders: Vec<Option<u8>>,
}

/// The other side of a face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbour {
    /// Another element, possibly displaced by a period.
    Element {
        /// The element.
        element: u32,
        /// The face's number there.
        face: u8,
    },
    /// The boundary, as an index into [`Mesh::boundary_faces`].
    Boundary(u32),
}

/// A face on a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BoundaryFace {
    /// Index into [`Mesh::boundaries`].
    pub boundary: u16,
    /// The element that has the face.
    pub element: u32,
    /// The face's number there.
    pub face: u8,
}

/// A named part of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// The name used by conditions.
    pub name: String,
    /// The curve that the faces approximate; `None` for a straight body.
    pub curve: Option<Curve>,
}

/// The largest number of elements of a shape whose faces can be numbered in 32 bits with a sign.
pub fn most_elements(shape: Shape) -> usize {
    i32::MAX as usize / shape.faces()
}

impl Mesh {
    /// Positions of the vertices, `[vertex][dim]`.
    pub fn vertices(&self) -> &[f64] {
        &self.vertices
    }

    /// The elements, by their vertices.
    pub fn elements(&self) -> &Elements {
        &self.elements
    }

    /// All faces on a boundary, sorted by boundary, element and face.
    pub fn boundary_faces(&self) -> &[BoundaryFace] {
        &self.boundary_faces
    }

    /// The boundaries, each with at least one face.
    pub fn boundaries(&self) -> &[Boundary] {
        &self.boundaries
    }

    /// The groups in which the elements are.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The degree of the solution in an element, if it has one of its own.
    pub fn order(&self, element: usize) -> Option<usize> {
        self.orders.get(element).copied().flatten().map(usize::from)
    }

    /// The same mesh where elements in these groups, or of these shapes by the [plurals](Shape::plural) of their names, have degrees of their
    /// own: in several, the largest.
    pub fn with_orders(self, orders: &[(String, usize)]) -> Self {
        let names = self.groups.names();
        let [of_groups, of_shapes]: [Vec<_>; 2] = [true, false]
            .map(|is_group| orders.iter().filter(|(name, _)| names.contains(&name.as_str()) == is_group).collect());
        let order = |element: usize| {
            let (groups, shape) = (self.groups.of(element), self.shape(element).plural());
            let own = of_groups.iter().filter(|(name, _)| groups.contains(name));
            let own = own.map(|(_, order)| *order).max();
            own.or_else(|| of_shapes.iter().find(|(name, _)| name == shape).map(|(_, order)| *order))
                .map(|order| order as u8)
        };
        let orders: Vec<_> = (0..self.element_count()).map(order).collect();
        Self { orders: if orders.iter().all(Option::is_none) { Vec::new() } else { orders }, ..self }
    }

    /// The shape of an element.
    pub fn shape(&self, element: usize) -> Shape {
        self.elements.shape(element)
    }

    /// Number of elements.
    pub fn element_count(&self) -> usize {
        self.elements.count()
    }

    /// Number of faces, a periodic pair counted once.
    pub fn face_count(&self) -> usize {
        (self.neighbours.len() + self.boundary_faces.len()) / 2
    }

    /// Position of a vertex.
    pub fn vertex(&self, vertex: u32) -> &[f64] {
        &self.vertices[vertex as usize * self.dim..][..self.dim]
    }

    /// The vertices of an element.
    pub fn corners(&self, element: usize) -> &[u32] {
        self.elements.corners(element)
    }

    /// The vertices of a face, in its element's direction.
    pub fn face_corners(&self, element: usize, face: usize) -> FaceCorners {
        self.elements.face_corners(element, face)
    }

    /// The other side of a face.
    pub fn neighbour(&self, element: usize, face: usize) -> Neighbour {
        self.neighbours[self.elements.slot(element, face)]
    }

    /// The names of the boundaries on which an element has a face, each once.
    pub fn boundaries_of(&self, element: usize) -> Vec<String> {
        let boundary = |face: usize| match self.neighbour(element, face) {
            Neighbour::Element { .. } => None,
            Neighbour::Boundary(face) => Some(usize::from(self.boundary_faces[face as usize].boundary)),
        };
        let mut numbers: Vec<usize> = (0..self.shape(element).faces()).filter_map(boundary).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| self.boundaries[number].name.clone()).collect()
    }

    /// Number of faces of each boundary.
    pub fn boundary_face_counts(&self) -> Vec<usize> {
        let mut counts = vec![0; self.boundaries.len()];
        for face in &self.boundary_faces {
            counts[usize::from(face.boundary)] += 1;
        }
        counts
    }

    /// Index of the boundary with this name.
    ///
    /// # Errors
    ///
    /// [`MeshError::UnknownBoundary`] where there is none.
    pub fn boundary(&self, name: &str) -> Result<usize, MeshError> {
        self.boundaries.iter().position(|boundary| boundary.name == name).ok_or_else(|| {
            let known: Vec<String> = self.boundaries.iter().map(|boundary| format!("`{}`", boundary.name)).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            MeshError::UnknownBoundary { name: name.to_owned(), known }
        })
    }

    /// Smallest and largest coordinates of the vertices and of curved boundaries.
    pub fn bounds(&self) -> [[f64; MAX_DIM]; 2] {
        let mut bounds = [[f64::INFINITY; MAX_DIM], [f64::NEG_INFINITY; MAX_DIM]];
        let mut widen = |position: &[f64]| {
            for (d, &x) in position.iter().enumerate() {
                bounds[0][d] = bounds[0][d].min(x);
                bounds[1][d] = bounds[1][d].max(x);
            }
        };
        self.vertices.chunks_exact(self.dim).for_each(&mut widen);
        if self.has_curved_sides() {
            for position in self.turning_points() {
                widen(&position[..self.dim]);
            }
        }
        bounds
    }

    /// Where a coordinate has a maximum or a minimum inside of a boundary face: at the vertices of parabolas through
    /// three points of it that lie close to each other.
    fn turning_points(&self) -> Vec<[f64; MAX_DIM]> {
        const STEPS: usize = 16;
        let step = 1.0 / STEPS as f64;
        let mut turning = Vec::new();
        for face in &self.boundary_faces {
            let (element, number) = (face.element as usize, usize::from(face.face));
            let (shape, map) = (self.shape(element), self.map_of(element));
            let at = |s: f64| map.position(shape.face_position(number, s));
            let points: Vec<[f64; MAX_DIM]> = (0..=STEPS).map(|i| at(i as f64 * step)).collect();
            for (i, near) in points.windows(3).enumerate() {
                for d in 0..self.dim {
                    let (rise, fall) = (near[1][d] - near[0][d], near[1][d] - near[2][d]);
                    if rise * fall > 0.0 {
                        turning.push(at(step * (i as f64 + 1.0 + 0.5 * (rise - fall) / (rise + fall))));
                    }
                }
            }
        }
        turning
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::generate::{Disc, ForwardStep, QuarterAnnulus, Rectangle};
    use super::*;
    use crate::law::geometry::Map;

    /// A disc ends where its circle does, also between vertices.
    #[test]
    fn bounds_contain_curved_boundaries() {
        for (rings, degree, tolerance) in [(1, 2, 1e-14), (1, 4, 1e-14), (3, 3, 1e-5)] {
            let disc = Disc { rings, ..Disc::default() }.mesh().unwrap();
            let [lower, upper] = disc.with_degree(degree).unwrap().bounds();
            for d in 0..2 {
                assert!(
                    (lower[d] + 1.0).abs() < tolerance && (upper[d] - 1.0).abs() < tolerance,
                    "{lower:?}, {upper:?}"
                );
            }
        }
    }

    /// Total area.
    pub(crate) fn area(mesh: &Mesh) -> f64 {
        (0..mesh.element_count()).map(|element| mesh.geometry(element).measure(mesh.shape(element))).sum()
    }

    /// The invariants of every mesh; a periodic one repeats after `period`.
    pub(crate) fn assert_sound(mesh: &Mesh, period: [f64; 2]) {
        for element in 0..mesh.element_count() {
            let geometry = mesh.geometry(element);
            assert!(geometry.determinant > 0.0);
            for d in 0..mesh.dim {
                let closed: f64 =
                    geometry.normals.iter().zip(geometry.face_lengths).map(|(normal, length)| normal[d] * length).sum();
                let longest = geometry.face_lengths.iter().fold(0.0, |a: f64, &b| a.max(b));
                assert!(closed.abs() < 1e-14 * longest, "element {element} is not closed: {closed:e}");
            }
            for face in 0..mesh.shape(element).faces() {
                assert_face(mesh, element, face, period);
            }
        }
        let ordered = mesh.boundary_faces.is_sorted();
        assert!(ordered && mesh.boundary_face_counts().iter().all(|&count| count > 0));
    }

    fn assert_face(mesh: &Mesh, element: usize, face: usize, period: [f64; 2]) {
        let (behind, behind_face) = match mesh.neighbour(element, face) {
            Neighbour::Boundary(index) => {
                let boundary_face = mesh.boundary_faces[index as usize];
                assert_eq!((boundary_face.element as usize, usize::from(boundary_face.face)), (element, face));
                return;
            }
            Neighbour::Element { element, face } => (element as usize, usize::from(face)),
        };
        let back = Neighbour::Element { element: element as u32, face: face as u8 };
        assert_eq!(mesh.neighbour(behind, behind_face), back);
        let shifts = [0.1, 0.8].map(|s| {
            let (here, there) =
                (mesh.face_position(element, face, s), mesh.face_position(behind, behind_face, 1.0 - s));
            [there[0] - here[0], there[1] - here[1]]
        });
        let slot = mesh.elements.slot(element, face) as u32;
        let allowed: &[[f64; 2]] =
            if mesh.is_periodic(slot) { &[[period[0], 0.0], [0.0, period[1]]] } else { &[[0.0; 2]] };
        let close = |shift: [f64; 2], wanted: [f64; 2]| (0..2).all(|d| (shift[d].abs() - wanted[d]).abs() < 1e-12);
        assert!(allowed.iter().any(|&wanted| shifts.iter().all(|&shift| close(shift, wanted))), "{shifts:?}");
    }

    #[test]
    fn generated_meshes_are_sound_and_have_their_area() {
        let options = Rectangle { lower: [-1.0, 2.0], upper: [3.0, 4.0], cells: [7, 5], ..Rectangle::default() };
        for (jitter, grading) in [(0.0, [1.0; 2]), (0.2, [1.0; 2]), (0.24, [1.3, 0.5])] {
            for periodic in [[false, false], [true, false], [false, true], [true, true]] {
                let mesh = Rectangle { jitter, grading, periodic, ..options.clone() }.mesh().unwrap();
                assert_sound(&mesh, [4.0, 2.0]);
                assert!((area(&mesh) - 8.0).abs() < 1e-13);
                assert_eq!((mesh.element_count(), options.element_count()), (70, 70.0));
                let names: Vec<&str> = mesh.boundaries.iter().map(|boundary| boundary.name.as_str()).collect();
                let [x, y] = periodic.map(|periodic| !periodic);
                let wanted = [("left", x), ("right", x), ("bottom", y), ("top", y)];
                assert_eq!(names, wanted.iter().filter(|side| side.1).map(|side| side.0).collect::<Vec<_>>());
            }
        }
        let options = Disc { centre: [1.0, -2.0], radius: 0.5, rings: 6, ..Disc::default() };
        let disc = options.mesh().unwrap();
        assert_eq!(options.element_count(), 216.0);
        assert_sound(&disc, [0.0; 2]);
        assert_eq!((disc.element_count(), disc.boundary_faces.len()), (216, 36));
        // A regular 36-gon.
        let polygon = 18.0 * 0.25 * (std::f64::consts::TAU / 36.0).sin();
        assert!((area(&disc) - polygon).abs() < 1e-14);

        let options = Disc { shape: Shape::Quadrilateral, rings: 3, ..options };
        let disc = options.mesh().unwrap();
        assert_eq!(options.element_count(), 108.0);
        assert_sound(&disc, [0.0; 2]);
        assert_eq!((disc.element_count(), disc.boundary_faces.len()), (108, 24));
        let polygon = 12.0 * 0.25 * (std::f64::consts::TAU / 24.0).sin();
        assert!((area(&disc) - polygon).abs() < 1e-14);
        // As good at any number of rings: the worst cells are those at the corners of the square.
        for rings in [1, 2, 10] {
            let disc = Disc { rings, ..options.clone() }.mesh().unwrap();
            let worst = (0..disc.element_count()).map(|element| disc.quality(element).shape).fold(1.0, f64::min);
            assert!(worst > 0.6, "{rings} rings: {worst}");
        }
    }

    #[test]
    fn the_channel_with_a_step_has_its_corner_and_its_outline() {
        // Cells that fit the step, cells that do not, and the fewest possible.
        for cells in [[30, 10], [31, 9], [2, 2]] {
            for (shape, jitter) in Shape::ALL.into_iter().flat_map(|shape| [(shape, 0.0), (shape, 0.24)]) {
                let options = ForwardStep { shape, cells, jitter, ..ForwardStep::default() };
                let mesh = options.mesh().unwrap();
                assert_sound(&mesh, [0.0; 2]);
                assert!((area(&mesh) - (3.0 - 2.4 * 0.2)).abs() < 1e-13);
                assert_eq!(mesh.element_count() as f64, options.element_count());
                let names: Vec<&str> = mesh.boundaries.iter().map(|boundary| boundary.name.as_str()).collect();
                assert_eq!(names, ["inflow", "outflow", "wall"]);
                let mut lengths = [0.0; 3];
                for face in &mesh.boundary_faces {
                    let (element, side) = (face.element as usize, usize::from(face.face));
                    let [x, y] = mesh.face_position(element, side, 0.5);
                    let on = |value: f64, line: f64| (value - line).abs() < 1e-14;
                    assert!(match face.boundary {
                        0 => on(x, 0.0),
                        1 => on(x, 3.0) && y > 0.2,
                        _ => on(y, 1.0) || if x < 0.6 { on(y, 0.0) } else { on(y, 0.2) || on(x, 0.6) },
                    });
                    lengths[usize::from(face.boundary)] += mesh.geometry(element).face_lengths[side];
                }
                for (found, length) in lengths.into_iter().zip([1.0, 0.8, 3.0 + 3.0 + 0.2]) {
                    assert!((found - length).abs() < 1e-13, "{lengths:?}");
                }
            }
        }
    }

    /// Quadrilaterals at the bottom, which are bent or not, below triangles.
    #[test]
    fn elements_of_both_shapes_share_faces_and_keep_together() {
        let options =
            Rectangle { cells: [8, 9], layers: 6, jitter: 0.2, periodic: [true, false], ..Rectangle::default() };
        let mesh = options.mesh().unwrap();
        assert_eq!((mesh.elements().counts(), options.element_count()), ([48, 48], 96.0));
        for mesh in [mesh.renumbered(), mesh.refined().unwrap(), mesh.refined().unwrap().renumbered()] {
            assert_sound(&mesh, [1.0, 0.0]);
            assert!((area(&mesh) - 1.0).abs() < 1e-13);
            assert!(
                (0..mesh.element_count())
                    .all(|element| mesh.position(element, &[0.3, 0.3])[1] < 0.67
                        || mesh.shape(element) == Shape::Triangle)
            );
        }
        let annulus = QuarterAnnulus { cells: [6, 12], layers: 2, ..QuarterAnnulus::default() };
        let mesh = annulus.mesh().unwrap().with_degree(3).unwrap();
        let ordered = mesh.renumbered();
        for (element, face) in ordered.elements.sides() {
            assert_face(&ordered, element, face, [0.0; 2]);
        }
        assert!((area(&ordered) - std::f64::consts::PI * (1.384_f64.powi(2) - 1.0) / 4.0).abs() < 1e-7);
        // Those at the arcs are curved, the other triangles affine, the other quadrilaterals no parallelograms.
        let kinds: Vec<_> = ordered.sections().into_iter().map(|of| (of.shape, of.map, of.elements)).collect();
        let [triangle, quadrilateral] = Shape::ALL;
        let [affine, bilinear, curved] = [Map::Affine, Map::Polynomial(1), Map::Polynomial(3)];
        let quadrilaterals = [(quadrilateral, bilinear, 96..108), (quadrilateral, curved, 108..120)];
        assert_eq!(kinds[..2], [(triangle, affine, 0..84), (triangle, curved, 84..96)]);
        assert_eq!(kinds[2..], quadrilaterals);
    }

    #[test]
    fn a_quarter_of_a_million_triangles_are_connected() {
        let mesh = Rectangle { cells: [250, 500], jitter: 0.2, ..Rectangle::default() }.mesh().unwrap().renumbered();
        assert_eq!((mesh.element_count(), mesh.boundary_faces.len()), (250_000, 1500));
        let faces = Shape::Triangle.faces();
        for (slot, neighbour) in mesh.neighbours.iter().enumerate() {
            let (element, face) = (slot / faces, slot % faces);
            let there = match *neighbour {
                Neighbour::Element { element, face } => mesh.neighbours[element as usize * faces + usize::from(face)],
                Neighbour::Boundary(index) => {
                    let BoundaryFace { element, face, .. } = mesh.boundary_faces[index as usize];
                    Neighbour::Element { element, face }
                }
            };
            let here = Neighbour::Element { element: element as u32, face: face as u8 };
            assert_eq!(there, here);
        }
        // Euler's formula for a disc: vertices - faces + elements = 1.
        assert_eq!(mesh.vertices.len() / mesh.dim + mesh.element_count(), mesh.face_count() + 1);
    }

    #[test]
    fn a_period_of_one_cell_connects_an_element_with_itself_or_its_twin() {
        let options = Rectangle { cells: [1, 1], periodic: [true, true], ..Rectangle::default() };
        let mesh = options.mesh().unwrap();
        assert_sound(&mesh, [1.0, 1.0]);
        assert_eq!(mesh.face_count(), 3);
    }

    #[test]
    fn every_cell_of_a_graded_rectangle_is_as_many_times_longer() {
        let options = Rectangle { shape: Shape::Quadrilateral, cells: [5, 4], ..Rectangle::default() };
        let mesh = Rectangle { grading: [1.5, 0.8], ..options.clone() }.mesh().unwrap();
        let size = |i: usize, j: usize, face: usize| mesh.geometry(5 * j + i).face_lengths[face];
        for (i, j) in (0..4).flat_map(|i| (0..3).map(move |j| (i, j))) {
            assert!((size(i + 1, j, 0) / size(i, j, 0) - 1.5).abs() < 1e-13);
            assert!((size(i, j + 1, 1) / size(i, j, 1) - 0.8).abs() < 1e-13);
        }
        // Nearly equal cells are nearly those of equal ones.
        let even = Rectangle { grading: [1.0 + 1e-13; 2], ..options.clone() }.mesh().unwrap();
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12;
        assert!(even.vertices.iter().zip(&options.mesh().unwrap().vertices).all(close));
    }

    #[test]
    fn jitter_is_reproducible_and_makes_the_mesh_unstructured() {
        let options = Rectangle { jitter: 0.2, ..Rectangle::default() };
        let (one, other) = (options.mesh().unwrap(), options.mesh().unwrap());
        assert_eq!((&one.vertices, &one.elements), (&other.vertices, &other.elements));
        let mut valence = vec![0; one.vertices.len() / 2];
        one.elements.vertices().iter().for_each(|&vertex| valence[vertex as usize] += 1);
        assert!(valence.iter().max() >= Some(&7), "all vertices are regular");
        for (vertex, straight) in one.vertices.iter().zip(&Rectangle::default().mesh().unwrap().vertices) {
            assert!((vertex - straight).abs() <= 0.2 / 16.0 + 1e-15);
        }
    }

    #[test]
    fn bad_options_are_refused() {
        let square = Rectangle::default();
        for rectangle in [
            Rectangle { cells: [0, 3], ..square.clone() },
            Rectangle { jitter: 0.25, ..square.clone() },
            Rectangle { jitter: f64::NAN, ..square.clone() },
            Rectangle { grading: [1.0, -1.0], ..square.clone() },
            Rectangle { grading: [1e9, 1.0], ..square.clone() },
            Rectangle { upper: [0.0, 1.0], ..square.clone() },
            Rectangle { upper: [f64::INFINITY, 1.0], ..square.clone() },
        ] {
            assert!(matches!(rectangle.mesh(), Err(MeshError::Options { generator: "rectangle", .. })));
        }
        for (inner, outer) in [(0.0, 1.0), (2.0, 1.0), (1.0, f64::NAN)] {
            let annulus = QuarterAnnulus { inner, outer, ..QuarterAnnulus::default() };
            assert!(matches!(annulus.mesh(), Err(MeshError::Options { .. })));
        }
        for (shape, (radius, rings)) in
            Shape::ALL.into_iter().flat_map(|shape| [(0.0, 1), (1.0, 0), (f64::INFINITY, 1)].map(|of| (shape, of)))
        {
            let disc = Disc { shape, radius, rings, ..Disc::default() };
            assert!(matches!(disc.mesh(), Err(MeshError::Options { .. })));
        }
        let channel = ForwardStep::default();
        for channel in [
            ForwardStep { step: [3.0, 0.2], ..channel.clone() },
            ForwardStep { step: [0.6, f64::NAN], ..channel.clone() },
            ForwardStep { channel: [f64::INFINITY, 1.0], ..channel.clone() },
            ForwardStep { cells: [1, 5], ..channel.clone() },
            ForwardStep { cells: [5, 0], ..channel.clone() },
            ForwardStep { jitter: -0.1, ..channel.clone() },
        ] {
            assert!(matches!(channel.mesh(), Err(MeshError::Options { generator: "forward step", .. })));
        }
    }

    #[test]
    fn meshes_beyond_indices_or_memory_are_refused_before_they_are_built() {
        let cells = Rectangle { cells: [usize::MAX, 3], ..Rectangle::default() };
        assert!(matches!(cells.mesh(), Err(MeshError::TooLarge { .. })));
        for shape in Shape::ALL {
            let disc = Disc { shape, rings: usize::MAX, ..Disc::default() };
            assert!(matches!(disc.mesh(), Err(MeshError::TooLarge { .. })));
        }
        let channel = ForwardStep { cells: [usize::MAX; 2], ..ForwardStep::default() };
        assert!(matches!(channel.mesh(), Err(MeshError::TooLarge { .. })));
        assert_eq!(
            refine::check_memory(6.0 * 8192.0 * 8192.0, Some(16 << 30)).unwrap_err().to_string(),
            "a mesh of 4.027e8 elements takes some 48.8 GiB of memory, and 16.0 GiB are free; \
             take fewer cells or rings, or refine it less"
        );
        refine::check_memory(1e6, Some(16 << 30)).unwrap();
        refine::check_memory(1e9, None).unwrap();
    }

    #[test]
    fn unknown_boundaries_are_named_with_the_known() {
        let error = Disc::default().mesh().unwrap().set_curve("rime", Some(Curve::Spline)).unwrap_err();
        assert_eq!(error.to_string(), "no boundary is called `rime`; there are `rim` (periodic faces keep no name)");
    }
}
