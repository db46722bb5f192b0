//! Periods: pairs of boundaries joined by a translation or a rotation.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;

use super::connect::{PERIOD_TOLERANCE, along, turn};
use super::error::place;
use super::{BoundaryFace, FaceCorners, MAX_DIM, Mesh, MeshError, Neighbour};

fn refuse(first: &str, second: &str, problem: String) -> MeshError {
    MeshError::Periodic { pair: format!("boundaries `{first}` and `{second}`"), problem }
}

impl Mesh {
    /// Joins pairs of boundaries whose faces differ by a translation or a rotation. Opposite faces are those that the mesh file declares, if it
    /// does; otherwise a translation or else a rotation is found from the vertices.
    ///
    /// # Errors
    ///
    /// [`MeshError::UnknownBoundary`]; [`MeshError::Periodic`] where faces have no counterpart.
    pub fn with_periods<S: AsRef<str>>(self, periods: &[(S, S)]) -> Result<Self, MeshError> {
        if periods.is_empty() {
            return Ok(self);
        }
        let mut pairs = Vec::new();
        for (first, second) in periods {
            pairs.append(&mut self.opposite_faces(first.as_ref(), second.as_ref())?);
        }
        let curved = self.curved.clone();
        let mut draft = self.into_draft();
        draft.periodic_faces.append(&mut pairs);
        let mesh = Self { curved, ..Self::new(draft)? };
        mesh.check_sides()?;
        let left = |second: &str| mesh.boundaries.iter().any(|boundary| boundary.name == second);
        match periods.iter().find(|(_, second)| left(second.as_ref())) {
            Some((first, second)) => {
                let (first, second) = (first.as_ref(), second.as_ref());
                Err(refuse(first, second, format!("some faces of `{second}` have none opposite")))
            }
            None => Ok(mesh),
        }
    }

    /// Pairs every face of the boundary `first` with its translate in `second`.
    fn opposite_faces(&self, first: &str, second: &str) -> Result<Vec<[FaceCorners; 2]>, MeshError> {
        let refuse = |problem| refuse(first, second, problem);
        let sides = [self.boundary(first)?, self.boundary(second)?];
        if let Some(pairs) = self.offered_pairs(sides) {
            return Ok(pairs);
        }
        if sides[0] == sides[1] {
            let problem = "they are the same, and no $Periodic of a file says which of their faces lie opposite";
            return Err(refuse(problem.to_owned()));
        }
        let [ours, theirs] = sides.map(|boundary| self.boundary_vertices(boundary));
        if ours.len() != theirs.len() {
            return Err(refuse(format!("they have {} and {} vertices", ours.len(), theirs.len())));
        }
        let sides = Sides::new(self, sides, [&ours, &theirs]);
        let shift = sides.opposite([1.0, 0.0]);
        shift.or_else(|missing| sides.turned(&ours, &theirs).ok_or(missing)).map_err(
            |Missing { element, position, target }| {
                let (here, there) = (place(&position), place(&target));
                refuse(format!("`{second}` has no vertex at {there} opposite {here} of element {element}"))
            },
        )
    }

    /// The pairs of opposite faces declared by the file, if they cover exactly these boundaries.
    fn offered_pairs(&self, sides: [usize; 2]) -> Option<Vec<[FaceCorners; 2]>> {
        let between = |pair: &[u32; 2]| {
            let found = pair.map(|slot| self.slot_boundary(slot));
            found == sides.map(Some) || found == [Some(sides[1]), Some(sides[0])]
        };
        let pairs: Vec<[u32; 2]> = self.offered_periods.iter().copied().filter(between).collect();
        let covered: HashSet<u32> = pairs.iter().flatten().copied().collect();
        let wanted = self.boundary_faces.iter().filter(|face| sides.contains(&usize::from(face.boundary))).count();
        let all = covered.len() == wanted && covered.len() == 2 * pairs.len();
        all.then(|| pairs.into_iter().map(|[slot, behind]| self.corresponding_corners(slot, behind)).collect())
    }

    /// The boundary that the file declares periodic with all faces of this one; a case may accept the offer. Of several, one that differs by
    /// a translation, if there is such.
    pub fn offered_period(&self, boundary: usize) -> Option<&str> {
        let others = self.offered_periods.iter().filter_map(|pair| match pair.map(|slot| self.slot_boundary(slot)) {
            [Some(one), Some(other)] if one == boundary => Some((pair, other)),
            [Some(other), Some(one)] if one == boundary => Some((pair, other)),
            _ => None,
        });
        let (_, other) = others.min_by_key(|([slot, behind], _)| self.turn_between(*slot, *behind).is_some())?;
        self.offered_pairs([boundary, other]).map(|_| self.boundaries[other].name.as_str())
    }

    fn slot_boundary(&self, slot: u32) -> Option<usize> {
        match self.neighbours[slot as usize] {
            Neighbour::Boundary(face) => Some(self.boundary_faces[face as usize].boundary.into()),
            Neighbour::Element { .. } => None,
        }
    }

    /// The corresponding corners of two opposite faces; their elements run through them in opposite directions.
    pub(super) fn corresponding_corners(&self, slot: u32, behind: u32) -> [FaceCorners; 2] {
        let mut opposite = self.slot_corners(behind);
        opposite.reverse();
        [self.slot_corners(slot), opposite]
    }

    /// The vertices of a boundary, each once.
    fn boundary_vertices(&self, boundary: usize) -> Vec<u32> {
        let faces = self.boundary_faces.iter().filter(|face| usize::from(face.boundary) == boundary);
        let mut vertices: Vec<u32> =
            faces.flat_map(|face| self.face_corners(face.element as usize, face.face.into())).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    fn centre(&self, vertices: &[u32]) -> [f64; MAX_DIM] {
        let sum = |d: usize| vertices.iter().map(|&vertex| self.vertex(vertex)[d]).sum::<f64>();
        std::array::from_fn(|d| sum(d) / vertices.len() as f64)
    }

    /// The vertices of the face with this number among those of all elements, in its element's direction.
    pub(super) fn slot_corners(&self, slot: u32) -> FaceCorners {
        let (element, face) = self.elements.side(slot as usize);
        self.face_corners(element, face)
    }

    /// The slot of the same face in the element behind it, `None` on a boundary.
    pub(super) fn slot_behind(&self, slot: u32) -> Option<u32> {
        match self.neighbours[slot as usize] {
            Neighbour::Element { element, face } => Some(self.elements.slot(element as usize, face.into()) as u32),
            Neighbour::Boundary(_) => None,
        }
    }

    /// Whether the element behind a face touches it with other vertices.
    pub(super) fn is_periodic(&self, slot: u32) -> bool {
        let mut ours = self.slot_corners(slot);
        ours.reverse();
        self.slot_behind(slot).is_some_and(|behind| self.slot_corners(behind) != ours)
    }

    /// Cosine and sine of the angle by which vectors at the second of two opposite faces are to be turned; `None` if they differ by a
    /// translation.
    fn turn_between(&self, slot: u32, behind: u32) -> Option<[f64; 2]> {
        let ends = self.corresponding_corners(slot, behind);
        let [here, there] = ends.map(|corners| along(corners, |vertex| self.vertex(vertex)));
        turn(there, here)
    }

    /// The faces joined to ones in another direction, as slots, each with cosine and sine of the angle by which vectors behind it are to be
    /// turned.
    pub(crate) fn turns(&self) -> BTreeMap<u32, [f64; 2]> {
        let slots = 0..self.neighbours.len() as u32;
        let of_slot = |slot: u32| {
            let behind = self.slot_behind(slot).filter(|_| self.is_periodic(slot))?;
            Some((slot, self.turn_between(slot, behind)?))
        };
        slots.into_par_iter().filter_map(of_slot).collect()
    }

    /// Number of pairs of faces joined by periods.
    pub fn periodic_face_count(&self) -> usize {
        self.periodic_pairs().count()
    }

    /// The faces joined by periods, as pairs of slots.
    pub(super) fn periodic_pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..self.neighbours.len() as u32).filter_map(|slot| {
            let behind = self.slot_behind(slot)?;
            (slot < behind && self.is_periodic(slot)).then_some([slot, behind])
        })
    }
}

/// Two boundaries of which one may be the other in another place.
struct Sides<'a> {
    mesh: &'a Mesh,
    first: usize,
    /// The middles of the vertices of both.
    centres: [[f64; MAX_DIM]; 2],
    finder: Finder<'a>,
    /// The faces of the second one, in the direction opposite to that of their elements.
    faces: HashSet<FaceCorners>,
}

/// A vertex that has none opposite.
struct Missing {
    element: usize,
    position: [f64; MAX_DIM],
    target: [f64; MAX_DIM],
}

impl<'a> Sides<'a> {
    fn new(mesh: &'a Mesh, [first, second]: [usize; 2], vertices: [&[u32]; 2]) -> Self {
        let of_second = mesh.boundary_faces.iter().filter(|face| usize::from(face.boundary) == second);
        let reversed = |face: &BoundaryFace| {
            let mut corners = mesh.face_corners(face.element as usize, face.face.into());
            corners.reverse();
            corners
        };
        let faces = of_second.map(reversed).collect();
        Self {
            mesh,
            first,
            centres: vertices.map(|vertices| mesh.centre(vertices)),
            finder: Finder::new(mesh, vertices[1]),
            faces,
        }
    }

    fn position(&self, vertex: u32) -> [f64; MAX_DIM] {
        std::array::from_fn(|d| self.mesh.vertex(vertex)[d])
    }

    /// Pairs every face of the first boundary with the one in which it is when turned by this angle and moved from middle to middle.
    fn opposite(&self, [cosine, sine]: [f64; 2]) -> Result<Vec<[FaceCorners; 2]>, Missing> {
        let mesh = self.mesh;
        let [from, to] = self.centres;
        let pair = |face: &BoundaryFace| {
            let (element, number) = (face.element as usize, usize::from(face.face));
            let tolerance = PERIOD_TOLERANCE * mesh.geometry(element).face_lengths[number];
            let corners = mesh.face_corners(element, number);
            let mut opposite = corners;
            for vertex in &mut opposite {
                let position = self.position(*vertex);
                let [x, y] = [0, 1].map(|d| position[d] - from[d]);
                let target = [to[0] + cosine * x - sine * y, to[1] + sine * x + cosine * y];
                *vertex = self.finder.find(target, tolerance).ok_or(Missing { element, position, target })?;
            }
            Ok([corners, opposite])
        };
        mesh.boundary_faces.iter().filter(|face| usize::from(face.boundary) == self.first).map(pair).collect()
    }

    /// The pairs of faces for the first angle that turns the first boundary into the second: one by which the vertex farthest from the middle
    /// becomes one as far.
    fn turned(&self, ours: &[u32], theirs: &[u32]) -> Option<Vec<[FaceCorners; 2]>> {
        let from_middle = |side: usize, vertex: u32| {
            let position = self.position(vertex);
            [0, 1].map(|d| position[d] - self.centres[side][d])
        };
        let distance = |side: usize, vertex: u32| from_middle(side, vertex).iter().map(|x| x * x).sum::<f64>().sqrt();
        let farthest = *ours.iter().max_by(|&&a, &&b| distance(0, a).total_cmp(&distance(0, b)))?;
        let far = distance(0, farthest);
        let as_far = theirs.iter().filter(|&&vertex| (distance(1, vertex) - far).abs() <= PERIOD_TOLERANCE * far);
        as_far
            .filter_map(|&vertex| turn(from_middle(0, farthest), from_middle(1, vertex)))
            .filter_map(|turn| self.opposite(turn).ok())
            .find(|pairs| pairs.iter().all(|[_, opposite]| self.faces.contains(opposite)))
    }
}

/// Finds vertices by position, along the axis on which they spread most.
struct Finder<'a> {
    mesh: &'a Mesh,
    axis: usize,
    sorted: Vec<u32>,
}

impl<'a> Finder<'a> {
    fn new(mesh: &'a Mesh, vertices: &[u32]) -> Self {
        let spread = |d: usize| {
            let ends = vertices.iter().map(|&vertex| mesh.vertex(vertex)[d]);
            ends.clone().fold(f64::MIN, f64::max) - ends.fold(f64::MAX, f64::min)
        };
        let axis = (1..mesh.dim).fold(0, |widest, d| if spread(d) > spread(widest) { d } else { widest });
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable_by(|&a, &b| mesh.vertex(a)[axis].total_cmp(&mesh.vertex(b)[axis]));
        Self { mesh, axis, sorted }
    }

    /// The first vertex that differs from `target` by at most `tolerance` in every coordinate.
    fn find(&self, target: [f64; MAX_DIM], tolerance: f64) -> Option<u32> {
        let along = |vertex: u32| self.mesh.vertex(vertex)[self.axis];
        let start = self.sorted.partition_point(|&vertex| along(vertex) < target[self.axis] - tolerance);
        let window = self.sorted[start..].iter().take_while(|&&vertex| along(vertex) <= target[self.axis] + tolerance);
        let close = |vertex: u32| {
            self.mesh.vertex(vertex).iter().zip(target).all(|(&x, wanted)| (x - wanted).abs() <= tolerance)
        };
        window.copied().find(|&vertex| close(vertex))
    }
}

#[cfg(test)]
mod tests {
    use crate::mesh::generate::{Disc, QuarterAnnulus, Rectangle};
    use crate::mesh::{Mesh, MeshError};

    fn problem(result: Result<Mesh, MeshError>) -> String {
        match result {
            Err(MeshError::Periodic { pair, problem }) => format!("{pair}: {problem}"),
            other => panic!("not a period's error: {other:?}"),
        }
    }

    #[test]
    fn sides_that_do_not_fit_are_refused() {
        let mesh = Rectangle { cells: [2, 3], ..Rectangle::default() }.mesh().unwrap();
        assert!(problem(mesh.clone().with_periods(&[("left", "top")])).contains("4 and 3 vertices"));
        assert!(problem(mesh.clone().with_periods(&[("left", "left")])).contains("the same"));
        assert!(matches!(mesh.clone().with_periods(&[("left", "rigth")]), Err(MeshError::UnknownBoundary { .. })));

        // Vertex 1 of the right side moves up a little.
        let mut moved = mesh.clone();
        moved.vertices[2 * 5 + 1] += 0.01;
        let message = problem(moved.with_periods(&[("left", "right")]));
        assert!(message.contains("`right` has no vertex at (1,") && message.contains("of element"), "{message}");

        let disc = Disc::default().mesh().unwrap();
        assert!(problem(disc.with_periods(&[("rim", "rim")])).contains("the same"));

        // A reflection is no rotation, and the middle of a side that bends is elsewhere.
        let graded = Rectangle { cells: [3, 3], grading: [1.0, 1.5], ..Rectangle::default() }.mesh().unwrap();
        assert!(problem(graded.with_periods(&[("left", "top")])).contains("`top` has no vertex at"));
        let mut bent = QuarterAnnulus { cells: [2, 4], ..QuarterAnnulus::default() }.mesh().unwrap();
        for vertex in 0..bent.vertices.len() / 2 {
            let [x, y] = [0, 1].map(|d| bent.vertices[2 * vertex + d]);
            if x.min(y).abs() < 1e-12 {
                // Sides bend to the same side of the mesh.
                let radius = x.hypot(y);
                let moved = 0.03 * (radius - 1.0) * (1.384 - radius);
                bent.vertices[2 * vertex..][..2].copy_from_slice(&if x < y { [moved, y] } else { [x, moved] });
            }
        }
        assert!(problem(bent.with_periods(&[("inflow", "outflow")])).contains("has no vertex at"));
    }

    /// Neighbours turned by the angles that are found touch.
    #[test]
    fn sides_in_different_directions_are_joined_by_a_rotation() {
        let square = Rectangle { cells: [3, 3], ..Rectangle::default() }.mesh().unwrap();
        let quarter = QuarterAnnulus { cells: [3, 4], ..QuarterAnnulus::default() }.mesh().unwrap();
        for (mesh, pair, faces) in [(square, ("left", "top"), 3), (quarter, ("inflow", "outflow"), 3)] {
            for shift in [0.0, 3.0] {
                let mut mesh = mesh.clone();
                mesh.vertices.iter_mut().for_each(|x| *x += shift);
                mesh.boundaries.iter_mut().for_each(|boundary| boundary.curve = None);
                assert!(mesh.turns().is_empty());
                let joined = mesh.with_periods(&[pair]).unwrap();
                for (mesh, faces) in [(joined.renumbered(), faces), (joined.refined().unwrap(), 2 * faces)] {
                    let turns = mesh.turns();
                    assert_eq!((mesh.periodic_face_count(), turns.len()), (faces, 2 * faces));
                    for (&slot, &[cosine, sine]) in &turns {
                        let behind = mesh.slot_behind(slot).unwrap();
                        assert_eq!(turns[&behind], [cosine, -sine]);
                        let normal = |slot: u32| {
                            let (element, face) = mesh.elements.side(slot as usize);
                            mesh.geometry(element).normals[face]
                        };
                        let ([x, y], [a, b]) = (normal(slot), normal(behind));
                        assert!((cosine * a - sine * b + x).hypot(sine * a + cosine * b + y) < 1e-14);
                    }
                }
            }
        }
    }
}
