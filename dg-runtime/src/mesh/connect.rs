//! From a draft to a mesh: finds the two elements of every face and refuses invalid meshes.

use std::collections::HashMap;

use rayon::prelude::*;

use super::error::place;
use super::geometry::Geometry;
use super::{
    Boundary, BoundaryFace, Elements, FaceCorners, Groups, MAX_DIM, MAX_FACE_CORNERS, Mesh, MeshError, Neighbour,
    most_elements,
};

/// An element whose doubled area is below this fraction of its longest side squared is degenerate.
const DEGENERATE: f64 = 1e-12;

/// Two sides of a period may differ by this fraction of a face's length.
pub(super) const PERIOD_TOLERANCE: f64 = 1e-6;

/// The cosines and sines of the angles by which pairs of a period differ may differ by this.
const TURN_TOLERANCE: f64 = 10.0 * PERIOD_TOLERANCE;

/// From the first corner of a face to its last one.
pub(super) fn along<'a>(corners: FaceCorners, vertex: impl Fn(u32) -> &'a [f64]) -> [f64; MAX_DIM] {
    let [from, to] = [corners[0], corners[MAX_FACE_CORNERS - 1]].map(vertex);
    std::array::from_fn(|d| to[d] - from[d])
}

fn length(along: [f64; MAX_DIM]) -> f64 {
    along.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Cosine and sine of the angle by which the direction `from` is turned to become `to`.
fn turn_between([a, b]: [f64; MAX_DIM], [c, d]: [f64; MAX_DIM]) -> [f64; 2] {
    let (cosine, sine) = (a * c + b * d, a * d - b * c);
    let size = cosine.hypot(sine);
    [cosine / size, sine / size]
}

/// Cosine and sine of the angle by which one of two faces of a period is turned to become the other; `None` if they differ by a translation.
pub(super) fn turn(from: [f64; MAX_DIM], to: [f64; MAX_DIM]) -> Option<[f64; 2]> {
    // The larger length, so that both faces agree.
    let tolerance = PERIOD_TOLERANCE * length(from).max(length(to));
    let is_translation = from.iter().zip(to).all(|(a, b)| (a - b).abs() <= tolerance);
    (!is_translation).then(|| turn_between(from, to))
}

/// Whether the pairs of a period that meet at a vertex and the one opposite it differ by the same rotation: a side is no other one turned if it
/// bends in another way.
pub(super) fn have_one_turn<'a>(pairs: &[[FaceCorners; 2]], vertex: impl Fn(u32) -> &'a [f64]) -> bool {
    let mut turns: HashMap<[u32; 2], [f64; 2]> = HashMap::new();
    pairs.iter().all(|[first, second]| {
        let [from, to] = [first, second].map(|corners| along(*corners, &vertex));
        first.iter().zip(second).all(|(&one, &other)| {
            let turn = if one < other { turn_between(from, to) } else { turn_between(to, from) };
            let known = turns.entry([one.min(other), one.max(other)]).or_insert(turn);
            known.iter().zip(turn).all(|(a, b)| (a - b).abs() <= TURN_TOLERANCE)
        })
    })
}

/// The description of a mesh by a file or a generator.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Positions of the vertices, `[vertex][dim]`.
    pub vertices: Vec<f64>,
    /// The elements.
    pub elements: Elements,
    /// Boundaries; those without faces are dropped.
    pub boundaries: Vec<Boundary>,
    /// The faces of the boundaries, in any order and direction.
    pub named_faces: Vec<NamedFace>,
    /// Pairs of faces to be joined, with corresponding corners. They lose their names.
    pub periodic_faces: Vec<[FaceCorners; 2]>,
    /// Pairs of opposite faces declared by a file, with corresponding corners. Those without a name are joined; the others
    /// remain boundary faces until [`Mesh::with_periods`] joins them.
    pub offered_periods: Vec<[FaceCorners; 2]>,
    /// The elements' numbers in messages; empty for their indices.
    pub element_tags: Vec<u64>,
    /// The groups in which the elements are.
    pub groups: Groups,
}

/// A face and the boundary it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct NamedFace {
    /// Its vertices.
    pub corners: FaceCorners,
    /// Index into [`Draft::boundaries`].
    pub boundary: u16,
}

/// One element's use of a face. A slot is the face's number among those of all elements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FaceUse {
    key: FaceCorners,
    slot: u32,
}

/// The uses of all faces, sorted by face.
pub(super) struct FaceUses(Vec<FaceUse>);

fn key(mut corners: FaceCorners) -> FaceCorners {
    corners.sort_unstable();
    corners
}

impl FaceUses {
    pub(super) fn new(draft: &Draft) -> Self {
        let mut uses: Vec<FaceUse> = (0..draft.elements.slots() as u32)
            .into_par_iter()
            .map(|slot| FaceUse { key: key(draft.slot_corners(slot)), slot })
            .collect();
        uses.par_sort_unstable();
        Self(uses)
    }

    fn groups(&self) -> impl Iterator<Item = &[FaceUse]> {
        self.0.chunk_by(|a, b| a.key == b.key)
    }

    fn of(&self, corners: FaceCorners) -> &[FaceUse] {
        let key = key(corners);
        let start = self.0.partition_point(|other| other.key < key);
        let count = self.0[start..].iter().take_while(|other| other.key == key).count();
        &self.0[start..start + count]
    }

    /// The faces with one element, as slots.
    pub(super) fn open(&self) -> impl Iterator<Item = u32> {
        self.groups().filter(|group| group.len() == 1).map(|group| group[0].slot)
    }

    /// Whether a face has one element only.
    pub(super) fn is_open(&self, corners: FaceCorners) -> bool {
        self.of(corners).len() == 1
    }
}

impl Draft {
    /// The vertices of a face, in its element's direction.
    pub(super) fn slot_corners(&self, slot: u32) -> FaceCorners {
        let (element, face) = self.elements.side(slot as usize);
        self.elements.face_corners(element, face)
    }

    fn vertex(&self, vertex: u32) -> &[f64] {
        let dim = self.elements.dim();
        &self.vertices[vertex as usize * dim..][..dim]
    }

    /// The number, in messages, of the element of a slot.
    pub(super) fn slot_tag(&self, slot: u32) -> u64 {
        self.tag(self.elements.side(slot as usize).0)
    }

    fn tag(&self, element: usize) -> u64 {
        self.element_tags.get(element).copied().unwrap_or(element as u64)
    }

    fn ends(&self, corners: FaceCorners) -> [String; 2] {
        [corners[0], corners[MAX_FACE_CORNERS - 1]].map(|vertex| place(self.vertex(vertex)))
    }

    /// Every element refers to vertices that exist, and has a positive area.
    fn check_elements(&self) -> Result<(), MeshError> {
        let (dim, count) = (self.elements.dim(), self.elements.count());
        let limit = self.elements.by_shape().map(|(shape, _)| most_elements(shape)).min().unwrap_or(0);
        if count == 0 {
            return Err(MeshError::NoElements);
        }
        if count > limit {
            return Err(MeshError::TooLarge { count: count as f64, limit });
        }
        if let Some(i) = self.vertices.iter().position(|x| !x.is_finite()) {
            return Err(MeshError::NotFinite { vertex: (i / dim) as u64 });
        }
        let vertices = (self.vertices.len() / dim) as u64;
        let check = |element: usize| {
            let (shape, corners) = (self.elements.shape(element), self.elements.corners(element));
            if let Some(&vertex) = corners.iter().find(|&&vertex| u64::from(vertex) >= vertices) {
                return Some(MeshError::MissingVertex { element: self.tag(element), vertex: vertex.into() });
            }
            let geometry = Geometry::new(shape, |corner| self.vertex(corners[corner]));
            let longest = geometry.face_lengths.iter().fold(0.0, |a: f64, &b| a.max(b));
            let area = geometry.measure(shape);
            let at = |vertex: u32| place(self.vertex(vertex));
            let (element, place) = (self.tag(element), at(corners[0]));
            let repeated = (1..corners.len()).find_map(|i| corners[..i].contains(&corners[i]).then_some(corners[i]));
            if let Some(vertex) = repeated {
                return Some(MeshError::RepeatedVertex { element, place, vertex: at(vertex) });
            }
            let squared = longest * longest;
            if longest > 0.0 && !squared.is_normal() {
                return Some(MeshError::Extreme { element, place, length: longest });
            }
            // NaN, from coinciding corners, is in no range.
            if !(DEGENERATE..).contains(&(geometry.determinant.abs() / squared)) {
                let crossed = geometry.least_determinant(shape) < -DEGENERATE * squared;
                let remedy = if crossed {
                    "its sides cross: write its corners in their order around it"
                } else {
                    "remove it or move its vertices apart"
                };
                return Some(MeshError::Degenerate { element, place, area, remedy });
            }
            if area < 0.0 {
                return Some(MeshError::Inverted { element, place, area });
            }
            (geometry.least_determinant(shape) < DEGENERATE * squared)
                .then_some(MeshError::NotConvex { element, place })
        };
        (0..count).into_par_iter().find_map_first(check).map_or(Ok(()), Err)
    }

    /// The neighbours of the faces inside the mesh.
    fn connect_inside(&self, uses: &FaceUses) -> Result<Vec<Option<Neighbour>>, MeshError> {
        let mut neighbours = vec![None; self.elements.slots()];
        for group in uses.groups() {
            let [first, second, rest @ ..] = group else { continue };
            let corners = self.slot_corners(first.slot);
            let (first_tag, second_tag) = (self.slot_tag(first.slot), self.slot_tag(second.slot));
            if let Some(third) = rest.first() {
                let ([from, to], third) = (self.ends(corners), self.slot_tag(third.slot));
                return Err(MeshError::OverusedFace { from, to, first: first_tag, second: second_tag, third });
            }
            if corners == self.slot_corners(second.slot) {
                let [from, to] = self.ends(corners);
                return Err(MeshError::Overlap { first: first_tag, second: second_tag, from, to });
            }
            self.join(&mut neighbours, first.slot, second.slot);
        }
        Ok(neighbours)
    }

    fn join(&self, neighbours: &mut [Option<Neighbour>], first: u32, second: u32) {
        let behind = |slot: u32| {
            let (element, face) = self.elements.side(slot as usize);
            Some(Neighbour::Element { element: element as u32, face: face as u8 })
        };
        neighbours[first as usize] = behind(second);
        neighbours[second as usize] = behind(first);
    }

    /// Joins the two faces of every periodic pair.
    fn connect_periods(&self, uses: &FaceUses, neighbours: &mut [Option<Neighbour>]) -> Result<(), MeshError> {
        for &[first, second] in &self.periodic_faces {
            let refuse = |problem: String| Err(self.no_period([first, second], problem));
            let ([one], [other]) = (uses.of(first), uses.of(second)) else {
                return refuse("one of them is not on the boundary of the mesh".to_owned());
            };
            let tags = format!("of elements {} and {}", self.slot_tag(one.slot), self.slot_tag(other.slot));
            if one == other || neighbours[one.slot as usize].is_some() || neighbours[other.slot as usize].is_some() {
                return refuse(format!("a face {tags} is in another pair already"));
            }
            if !self.is_opposite([first, second], [one.slot, other.slot]) {
                return refuse(format!("the faces {tags} have the mesh on the same side"));
            }
            if !self.is_congruent(first, second) {
                return refuse(format!("the faces {tags} differ in length"));
            }
            self.join(neighbours, one.slot, other.slot);
        }
        Ok(())
    }

    /// Joins the offered pairs of faces without names, and returns the named ones, as slots.
    fn connect_offers(
        &self,
        uses: &FaceUses,
        neighbours: &mut [Option<Neighbour>],
    ) -> Result<Vec<[u32; 2]>, MeshError> {
        let mut left = Vec::new();
        for &pair in &self.offered_periods {
            let ([one], [other]) = (uses.of(pair[0]), uses.of(pair[1])) else { continue };
            let slots = [one.slot.min(other.slot), one.slot.max(other.slot)];
            if one == other || !self.is_opposite(pair, [one.slot, other.slot]) {
                continue;
            }
            match (slots.map(|slot| neighbours[slot as usize]), self.is_congruent(pair[0], pair[1])) {
                ([None, None], true) => self.join(neighbours, slots[0], slots[1]),
                ([None, None], false) => {
                    let problem = "they differ in length, and have no name for another condition: mesh what repeats as a \
                                   whole, or put their curves into named physical groups";
                    return Err(self.no_period(pair, problem.to_owned()));
                }
                ([Some(Neighbour::Boundary(_)), Some(Neighbour::Boundary(_))], true) => left.push(slots),
                _ => {}
            }
        }
        left.sort_unstable();
        left.dedup();
        Ok(left)
    }

    fn no_period(&self, [first, second]: [FaceCorners; 2], problem: String) -> MeshError {
        let ([a, b], [c, d]) = (self.ends(first), self.ends(second));
        MeshError::Periodic { pair: format!("the faces {a}–{b} and {c}–{d}"), problem }
    }

    /// Whether the elements of two faces lie on opposite sides; they then run through the corresponding corners in opposite
    /// directions.
    fn is_opposite(&self, pair: [FaceCorners; 2], slots: [u32; 2]) -> bool {
        (self.slot_corners(slots[0]) == pair[0]) != (self.slot_corners(slots[1]) == pair[1])
    }

    /// Whether two faces differ by a rotation and a translation.
    fn is_congruent(&self, first: FaceCorners, second: FaceCorners) -> bool {
        let [first, second] = [first, second].map(|corners| length(self.along(corners)));
        (first - second).abs() <= PERIOD_TOLERANCE * first
    }

    /// From the first corner of a face to its last one.
    fn along(&self, corners: FaceCorners) -> [f64; MAX_DIM] {
        along(corners, |vertex| self.vertex(vertex))
    }

    /// The boundary of every open face: `(boundary, slot)`, sorted, each slot once.
    fn name_faces(&self, uses: &FaceUses, neighbours: &[Option<Neighbour>]) -> Result<Vec<(u16, u32)>, MeshError> {
        let name = |boundary: u16| self.boundaries[usize::from(boundary)].name.clone();
        let mut named = Vec::with_capacity(self.named_faces.len());
        for face in &self.named_faces {
            match uses.of(face.corners) {
                [open] if neighbours[open.slot as usize].is_none() => named.push((open.slot, face.boundary)),
                [_periodic] => {}
                [first, second, ..] => {
                    let (first, second) = (self.slot_tag(first.slot), self.slot_tag(second.slot));
                    return Err(MeshError::InnerFace { boundary: name(face.boundary), first, second });
                }
                [] => {
                    let [from, to] = self.ends(face.corners);
                    return Err(MeshError::StrayFace { boundary: name(face.boundary), from, to });
                }
            }
        }
        named.sort_unstable();
        named.dedup();
        if let Some(twice) = named.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (element, first, second) = (self.slot_tag(twice[0].0), name(twice[0].1), name(twice[1].1));
            return Err(MeshError::TwoBoundaries { element, first, second });
        }
        let mut faces: Vec<(u16, u32)> = named.into_iter().map(|(slot, boundary)| (boundary, slot)).collect();
        faces.sort_unstable();
        Ok(faces)
    }
}

impl Mesh {
    /// Checks and connects a draft. `named_faces` and `periodic_faces` must refer to vertices and boundaries of
    /// the draft; everything else is checked.
    ///
    /// # Errors
    ///
    /// The first violated invariant of a mesh, with the element and the remedy.
    pub fn new(mut draft: Draft) -> Result<Self, MeshError> {
        draft.check_elements()?;
        let uses = FaceUses::new(&draft);
        let mut neighbours = draft.connect_inside(&uses)?;
        draft.connect_periods(&uses, &mut neighbours)?;
        let mut faces = draft.name_faces(&uses, &neighbours)?;
        drop_empty_boundaries(&mut draft.boundaries, &mut faces);

        for (index, &(_, slot)) in faces.iter().enumerate() {
            neighbours[slot as usize] = Some(Neighbour::Boundary(index as u32));
        }
        let offered_periods = draft.connect_offers(&uses, &mut neighbours)?;
        if let Some(slot) = neighbours.iter().position(Option::is_none) {
            let [from, to] = draft.ends(draft.slot_corners(slot as u32));
            let count = neighbours.iter().filter(|neighbour| neighbour.is_none()).count();
            return Err(MeshError::UnnamedFace { element: draft.slot_tag(slot as u32), from, to, count });
        }
        let boundary_face = |&(boundary, slot): &(u16, u32)| {
            let (element, face) = draft.elements.side(slot as usize);
            BoundaryFace { boundary, element: element as u32, face: face as u8 }
        };
        let mesh = Self {
            dim: draft.elements.dim(),
            neighbours: neighbours.into_iter().flatten().collect(),
            boundary_faces: faces.iter().map(boundary_face).collect(),
            vertices: draft.vertices,
            elements: draft.elements,
            boundaries: draft.boundaries,
            offered_periods,
            groups: draft.groups,
            curved: None,
            orders: Vec::new(),
        };
        mesh.check_curves()?;
        Ok(mesh)
    }

    /// Turns the mesh back into a draft.
    pub(super) fn into_draft(self) -> Draft {
        let named = |face: &BoundaryFace| NamedFace {
            corners: self.face_corners(face.element as usize, face.face.into()),
            boundary: face.boundary,
        };
        let pair = |[slot, behind]: [u32; 2]| self.corresponding_corners(slot, behind);
        Draft {
            named_faces: self.boundary_faces.iter().map(named).collect(),
            periodic_faces: self.periodic_pairs().map(pair).collect(),
            offered_periods: self.offered_periods.iter().copied().map(pair).collect(),
            vertices: self.vertices,
            elements: self.elements,
            boundaries: self.boundaries,
            element_tags: Vec::new(),
            groups: self.groups,
        }
    }
}

fn drop_empty_boundaries(boundaries: &mut Vec<Boundary>, faces: &mut [(u16, u32)]) {
    let mut used = vec![false; boundaries.len()];
    faces.iter().for_each(|&(boundary, _)| used[usize::from(boundary)] = true);
    let index: Vec<u16> =
        used.iter().scan(0, |next, &used| Some(std::mem::replace(next, *next + u16::from(used)))).collect();
    faces.iter_mut().for_each(|(boundary, _)| *boundary = index[usize::from(*boundary)]);
    let mut keep = used.into_iter();
    boundaries.retain(|_| keep.next() == Some(true));
}
