//! Uniform refinement.

use std::ops::Range;

use super::bend::Laplace;
use super::curve::Bodies;
use super::error::place;
use super::geometry::Geometry;
use super::map::ElementMap;
use super::{BoundaryFace, Draft, Elements, MAX_DIM, Mesh, MeshError, NamedFace, most_elements};
use crate::law::Shape;
use crate::system::available_memory;

/// Memory per element, in bytes, at most, while a mesh is generated or refined, connected and renumbered:
/// measured at two million triangles.
const BYTES_PER_ELEMENT: f64 = 130.0;

/// Children of an element of any shape in the plane.
const CHILDREN: usize = 4;

/// The number of centres of an element at which children meet.
fn centres_of(shape: Shape) -> usize {
    let is_centre = |&i: &usize| i >= shape.corners() + shape.faces();
    usize::from(shape.children().iter().copied().flatten().any(is_centre))
}

/// Makes sure, before anything is built, that a mesh of so many elements can be refined so many times.
///
/// # Errors
///
/// [`MeshError::TooLarge`] if it had too many elements, [`MeshError::TooMuchMemory`] if they did not fit into
/// the machine.
pub fn check_size(shape: Shape, coarse: f64, refinements: usize) -> Result<(), MeshError> {
    let exponent = i32::try_from(refinements).unwrap_or(i32::MAX);
    let (count, limit) = (coarse * (shape.children().len() as f64).powi(exponent), most_elements(shape));
    if count > limit as f64 {
        return Err(MeshError::TooLarge { count, limit });
    }
    check_memory(count, available_memory())
}

/// Makes sure that a mesh of so many elements can be built with so many free bytes.
pub(super) fn check_memory(count: f64, free: Option<usize>) -> Result<(), MeshError> {
    let needed = (BYTES_PER_ELEMENT * count) as usize;
    match free {
        Some(free) if needed > free => Err(MeshError::TooMuchMemory { count, needed, free }),
        _ => Ok(()),
    }
}

/// If the curve leaves a child less than this fraction of its share of the parent, the whole mesh is bent.
const LEAST_SHARE: f64 = 0.9;

impl Mesh {
    /// Cuts every element into children of half the size, four in the plane; the children of element `e` are
    /// `4 e` to `4 e + 3`. New vertices of a boundary lie on its curve; boundaries and periods stay. Inner vertices
    /// move if a curve comes close to them. Elements with curved sides are cut as they are.
    ///
    /// # Errors
    ///
    /// [`MeshError::Folded`] if a curve leaves no room for elements behind their straight faces.
    pub fn refined(&self) -> Result<Self, MeshError> {
        let mut vertices = self.vertices.clone();
        let middles = self.middles(&mut vertices);
        let centres = self.centres(&mut vertices);

        let of_element = |shape: Shape, element: usize| {
            let middles = &middles[self.elements.range(element, Shape::faces)];
            let vertex = move |&i: &usize| match i.checked_sub(shape.corners()) {
                None => self.corners(element)[i],
                Some(face) if face < middles.len() => middles[face],
                Some(_) => (centres + self.elements.offset(element, centres_of)) as u32,
            };
            shape.children().iter().flat_map(move |child| child.iter().map(vertex))
        };
        let of_shape = |(shape, elements): (Shape, Range<usize>)| {
            elements.flat_map(|element| of_element(shape, element)).collect::<Vec<_>>()
        };
        let mut children = Shape::ALL.map(|_| Vec::new());
        for (shape, elements) in self.elements.by_shape() {
            children[shape as usize] = of_shape((shape, elements));
        }
        let elements = Elements::mixed(&children);
        let vertices = if self.has_curved_sides() { vertices } else { self.bend(&middles, &elements, &vertices) };
        let halves = |slot: u32| {
            let ([from, to], middle) = (self.slot_corners(slot), middles[slot as usize]);
            [[from, middle], [middle, to]]
        };
        let named = self.boundary_faces.iter().flat_map(|face| {
            let slot = self.elements.slot(face.element as usize, face.face.into()) as u32;
            halves(slot).map(|corners| NamedFace { corners, boundary: face.boundary })
        });
        let opposite = |[slot, behind]: [u32; 2]| {
            let ([a, b], [c, d]) = (halves(slot), halves(behind));
            [[a, [d[1], d[0]]], [b, [c[1], c[0]]]]
        };
        let children = Self::new(Draft {
            named_faces: named.collect(),
            periodic_faces: self.periodic_pairs().flat_map(opposite).collect(),
            offered_periods: self.offered_periods.iter().copied().flat_map(opposite).collect(),
            vertices,
            elements,
            boundaries: self.boundaries.clone(),
            element_tags: Vec::new(),
            groups: self.groups.of_children(CHILDREN),
        })
        .map_err(|error| match error {
            MeshError::Inverted { element, .. } | MeshError::Degenerate { element, .. } => {
                self.folded(element as usize / CHILDREN, error)
            }
            error => error,
        })?;
        if !self.has_curved_sides() {
            return Ok(children);
        }
        let children = children.with_nodes(self.degree(), &self.nodes_of_children());
        children.check_maps()?;
        Ok(children)
    }

    /// Moves the new vertices of boundaries onto their curves, and inner vertices too if elements would be squeezed.
    fn bend(&self, middles: &[u32], elements: &Elements, straight: &[f64]) -> Vec<f64> {
        let (bodies, dim) = (Bodies::new(self), self.dim);
        let mut bent = straight.to_vec();
        for (index, face) in self.boundary_faces.iter().enumerate() {
            let middle = middles[self.elements.slot(face.element as usize, face.face.into())] as usize;
            bent[middle * dim..][..dim].copy_from_slice(&bodies.middle(index)[..dim]);
        }
        if !self.is_squeezed(elements, &bent) {
            return bent;
        }
        let mut fixed = vec![false; straight.len() / dim];
        for slot in 0..self.neighbours.len() as u32 {
            if self.slot_behind(slot).is_none() || self.is_periodic(slot) {
                let [from, to] = self.slot_corners(slot);
                for vertex in [from, middles[slot as usize], to] {
                    fixed[vertex as usize] = true;
                }
            }
        }
        let triangles = elements.triangles();
        let laplace = Laplace::new(straight, &triangles, &fixed);
        for d in 0..dim {
            let mut displacement: Vec<f64> = (d..straight.len()).step_by(dim).map(|i| bent[i] - straight[i]).collect();
            laplace.extend(&mut displacement);
            for vertex in (0..fixed.len()).filter(|&vertex| !fixed[vertex]) {
                bent[vertex * dim + d] = straight[vertex * dim + d] + displacement[vertex];
            }
        }
        bent
    }

    /// Whether a curve takes too much from a child of an element at the boundary.
    fn is_squeezed(&self, elements: &Elements, vertices: &[f64]) -> bool {
        let volume = |child: usize| {
            let corners = elements.corners(child);
            Geometry::new(elements.shape(child), |corner| &vertices[corners[corner] as usize * self.dim..][..self.dim])
                .determinant
        };
        self.boundary_faces.iter().map(|face| face.element as usize).any(|parent| {
            let least = LEAST_SHARE * self.geometry(parent).determinant / CHILDREN as f64;
            (0..CHILDREN).any(|child| volume(parent * CHILDREN + child) < least)
        })
    }

    /// The error for an element that became invalid, or its child: the curve next to it is the cause.
    pub(super) fn folded(&self, element: usize, error: MeshError) -> MeshError {
        let parent = self.centroid(element);
        let distance = |face: &BoundaryFace| {
            let [x, y] = self.face_position(face.element as usize, face.face.into(), 0.5);
            (x - parent[0]).hypot(y - parent[1])
        };
        let curved =
            self.boundary_faces.iter().filter(|face| self.boundaries[usize::from(face.boundary)].curve.is_some());
        match curved.min_by(|a, b| distance(a).total_cmp(&distance(b))) {
            Some(face) => MeshError::Folded {
                boundary: self.boundaries[usize::from(face.boundary)].name.clone(),
                place: place(&parent),
            },
            None => error,
        }
    }

    /// Adds the centres of elements to `vertices`, where children meet there; returns the number of the first.
    fn centres(&self, vertices: &mut Vec<f64>) -> usize {
        let first = vertices.len() / self.dim;
        let centre = |element: usize| match self.has_curved_sides() {
            true => self.position(element, &[0.5; MAX_DIM]),
            false => self.centroid(element),
        };
        let elements = (0..self.element_count()).filter(|&element| centres_of(self.shape(element)) > 0);
        vertices.extend(elements.flat_map(centre));
        first
    }

    /// The nodes of the children of elements with curved sides, on the maps of their parents.
    fn nodes_of_children(&self) -> Vec<[f64; MAX_DIM]> {
        let degree = self.degree();
        let within = |shape: Shape| -> Vec<[f64; MAX_DIM]> {
            let middle = |face: usize| shape.face_position(face, 0.5);
            let corners = shape.reference_corners().iter().copied();
            let places: Vec<_> = corners.chain((0..shape.faces()).map(middle)).chain([[0.5; MAX_DIM]]).collect();
            let maps =
                shape.children().iter().map(|child| ElementMap::straight(shape, |corner| &places[child[corner]]));
            let lattice = shape.lattice(degree).into_iter().map(|node| node.map(|i| i as f64 / degree as f64));
            maps.flat_map(|map| lattice.clone().map(move |node| map.position(node))).collect()
        };
        let within = Shape::ALL.map(within);
        let of_element = |element: usize| {
            let (map, within) = (self.map_of(element), &within[self.shape(element) as usize]);
            within.iter().map(move |&place| map.position(place))
        };
        (0..self.element_count()).flat_map(of_element).collect()
    }

    /// Adds the middles of all faces to `vertices`; returns their numbers, `[element][face]`.
    fn middles(&self, vertices: &mut Vec<f64>) -> Vec<u32> {
        let mut middles: Vec<u32> = Vec::with_capacity(self.neighbours.len());
        for slot in 0..self.neighbours.len() as u32 {
            let shared = self.slot_behind(slot).filter(|&behind| behind < slot && !self.is_periodic(slot));
            middles.push(match shared {
                Some(behind) => middles[behind as usize],
                None => {
                    let (element, face) = self.elements.side(slot as usize);
                    vertices.extend(self.face_position(element, face, 0.5));
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
    use crate::mesh::{Boundary, Curve, Draft, Elements, Groups, Mesh, NamedFace};

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
            // On both sides of a period vertices are counted.
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

    /// The ratio of the smallest to the largest area of an element.
    fn evenness(mesh: &Mesh) -> f64 {
        let areas = || (0..mesh.element_count()).map(|element| mesh.geometry(element).determinant);
        areas().fold(f64::INFINITY, f64::min) / areas().fold(0.0, f64::max)
    }

    /// Cells that are thin compared with the distance of the arcs from their chords.
    #[test]
    fn a_mesh_gives_way_to_its_curves() {
        for (cells, times, least) in [([6, 4], 3, 0.4), ([40, 3], 2, 0.3), ([1, 1], 4, 0.03)] {
            let mut mesh = QuarterAnnulus { cells, ..QuarterAnnulus::default() }.mesh().unwrap();
            for _ in 0..times {
                mesh = mesh.refined().unwrap_or_else(|error| panic!("{cells:?}: {error}"));
            }
            assert_sound(&mesh, [0.0; 2]);
            assert!(evenness(&mesh) > least, "{cells:?}: {}", evenness(&mesh));
            let arc = mesh.boundary("inner").unwrap();
            for face in mesh.boundary_faces.iter().filter(|face| usize::from(face.boundary) == arc) {
                let [x, y] = mesh.face_position(face.element as usize, face.face.into(), 0.0);
                assert!((x.hypot(y) - 1.0).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn where_nothing_can_give_way_the_curve_is_named() {
        // A quarter of a circle; its chord is below a straight lid, its arc would be above it.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let boundary = |name: &str, curve| Boundary { name: name.to_owned(), curve };
        let circle = Curve::Circle { centre: [0.0; 2], radius: 1.0 };
        let draft = Draft {
            vertices: vec![-half, half, half, half, half, 0.85, -half, 0.85],
            elements: Elements::new(Shape::Triangle, vec![0, 1, 2, 0, 2, 3]),
            boundaries: vec![boundary("body", Some(circle)), boundary("lid", None)],
            named_faces: [([0, 1], 0), ([1, 2], 1), ([2, 3], 1), ([3, 0], 1)]
                .map(|(corners, boundary)| NamedFace { corners, boundary })
                .into(),
            periodic_faces: Vec::new(),
            offered_periods: Vec::new(),
            element_tags: Vec::new(),
            groups: Groups::default(),
        };
        let mut mesh = Mesh::new(draft).unwrap();
        let error = mesh.refined().unwrap_err().to_string();
        assert!(error.contains("the curve of boundary `body` leaves no room"), "{error}");
        mesh.set_curve("body", None).unwrap();
        assert_sound(&mesh.refined().unwrap(), [0.0; 2]);
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
