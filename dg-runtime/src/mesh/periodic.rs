//! Periods: pairs of boundaries joined by a translation.

use std::collections::HashSet;

use super::connect::PERIOD_TOLERANCE;
use super::error::place;
use super::{FaceCorners, MAX_DIM, Mesh, MeshError, Neighbour};

/// Why boundaries that differ by a rotation are no pair, and what would do.
const TURNED: &str = "one is the other turned or reflected, and vectors would turn with it; mesh what repeats as a whole or, where the \
                      solution is symmetric, give both a wall's condition";

fn refuse(first: &str, second: &str, problem: String) -> MeshError {
    MeshError::Periodic { pair: format!("boundaries `{first}` and `{second}`"), problem }
}

impl Mesh {
    /// Joins pairs of boundaries whose faces differ by a translation. Opposite faces are those that the mesh file declares, if it
    /// does; otherwise the translation is found from the vertices.
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
        let [from, to] = [&ours, &theirs].map(|vertices| self.centre(vertices));
        let shift: [f64; MAX_DIM] = std::array::from_fn(|d| to[d] - from[d]);
        let finder = Finder::new(self, &theirs);

        let mut pairs = Vec::new();
        for face in self.boundary_faces.iter().filter(|face| usize::from(face.boundary) == sides[0]) {
            let (element, number) = (face.element as usize, usize::from(face.face));
            let tolerance = PERIOD_TOLERANCE * self.geometry(element).face_lengths[number];
            let corners = self.face_corners(element, number);
            let mut opposite = corners;
            for vertex in &mut opposite {
                let position = self.vertex(*vertex);
                let target: [f64; MAX_DIM] = std::array::from_fn(|d| position[d] + shift[d]);
                *vertex = finder.find(target, tolerance).ok_or_else(|| {
                    if self.are_turned(&ours, &theirs) {
                        return refuse(TURNED.to_owned());
                    }
                    let (here, there) = (place(position), place(&target));
                    refuse(format!("`{second}` has no vertex at {there} opposite {here} of element {element}"))
                })?;
            }
            pairs.push([corners, opposite]);
        }
        Ok(pairs)
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

    /// The boundary that the file declares periodic with all faces of this one; a case may accept the offer.
    pub fn offered_period(&self, boundary: usize) -> Option<&str> {
        let mut others =
            self.offered_periods.iter().filter_map(|pair| match pair.map(|slot| self.slot_boundary(slot)) {
                [Some(one), Some(other)] if one == boundary => Some(other),
                [Some(other), Some(one)] if one == boundary => Some(other),
                _ => None,
            });
        let other = others.next()?;
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

    /// Whether two boundaries may differ by a rotation or a reflection: their vertices are as far from their centres.
    fn are_turned(&self, ours: &[u32], theirs: &[u32]) -> bool {
        let [ours, theirs] = [ours, theirs].map(|vertices| {
            let centre = self.centre(vertices);
            let distance = |&vertex: &u32| {
                let along = self.vertex(vertex).iter().zip(centre).map(|(x, of_centre)| (x - of_centre).powi(2));
                along.sum::<f64>().sqrt()
            };
            let mut distances: Vec<f64> = vertices.iter().map(distance).collect();
            distances.sort_unstable_by(f64::total_cmp);
            distances
        });
        let farthest = ours.last().copied().unwrap_or(0.0);
        ours.iter().zip(&theirs).all(|(a, b)| (a - b).abs() <= PERIOD_TOLERANCE * farthest)
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

        let square = Rectangle { cells: [3, 3], ..Rectangle::default() }.mesh().unwrap();
        assert!(problem(square.with_periods(&[("left", "top")])).contains("one is the other turned"));
        // A quarter of a ring turned by a right angle is the next one.
        let quarter = QuarterAnnulus { cells: [3, 4], ..QuarterAnnulus::default() }.mesh().unwrap();
        let message = problem(quarter.with_periods(&[("inflow", "outflow")]));
        assert!(message.contains("turned") && message.contains("mesh what repeats as a whole"), "{message}");
        let disc = Disc::default().mesh().unwrap();
        assert!(problem(disc.with_periods(&[("rim", "rim")])).contains("the same"));
    }
}
