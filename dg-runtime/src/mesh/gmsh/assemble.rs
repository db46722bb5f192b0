//! From a file's numbers to a draft.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Line, Records, Triangle};
use crate::law::Shape;
use crate::mesh::connect::FaceUses;
use crate::mesh::{Boundary, Draft, MeshError, NamedFace};

/// How far a vertex may be off the plane, as a fraction of the mesh's extent.
const PLANE_TOLERANCE: f64 = 1e-9;

/// Finds the index of a number in a list.
struct Tags(Vec<(u64, u32)>);

impl Tags {
    fn new(tags: &[u64]) -> Result<Self, MeshError> {
        let mut sorted: Vec<(u64, u32)> = tags.iter().copied().zip(0..).collect();
        sorted.par_sort_unstable();
        match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(MeshError::DuplicateVertex { vertex: pair[0].0 }),
            None => Ok(Self(sorted)),
        }
    }

    fn index(&self, tag: u64) -> Option<usize> {
        // Most files count without gaps.
        let guess = tag.checked_sub(self.0.first()?.0).and_then(|offset| self.0.get(usize::try_from(offset).ok()?));
        let found = guess.filter(|guess| guess.0 == tag);
        let entry = found.or_else(|| Some(&self.0[self.0.binary_search_by_key(&tag, |entry| entry.0).ok()?]));
        entry.map(|entry| entry.1 as usize)
    }
}

/// Vertices are numbered in the order in which triangles name them; nodes that none names are dropped.
struct Vertices<'a> {
    records: &'a Records,
    tags: Tags,
    /// The vertex of each node, or `u32::MAX`.
    numbers: Vec<u32>,
    positions: Vec<f64>,
    plane: f64,
    tolerance: f64,
}

impl<'a> Vertices<'a> {
    fn new(records: &'a Records) -> Result<Self, MeshError> {
        let (count, limit) = (records.nodes.len(), u32::MAX as usize);
        if count >= limit {
            return Err(MeshError::TooLarge { count: count as f64, limit });
        }
        let extent = |d: usize| {
            let [low, high] =
                records.nodes.iter().fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x[d]), high.max(x[d])]);
            high - low
        };
        Ok(Self {
            records,
            tags: Tags::new(&records.node_tags)?,
            numbers: vec![u32::MAX; count],
            positions: Vec::with_capacity(2 * count),
            plane: f64::NAN,
            tolerance: PLANE_TOLERANCE * extent(0).max(extent(1)),
        })
    }

    fn node(&self, element: u64, tag: u64) -> Result<usize, MeshError> {
        self.tags.index(tag).ok_or(MeshError::MissingVertex { element, vertex: tag })
    }

    /// The vertex of a triangle's node.
    fn add(&mut self, element: u64, tag: u64) -> Result<u32, MeshError> {
        let node = self.node(element, tag)?;
        if self.numbers[node] == u32::MAX {
            let [x, y, z] = self.records.nodes[node];
            if ![x, y, z].iter().all(|x| x.is_finite()) {
                return Err(MeshError::NotFinite { vertex: tag });
            }
            self.plane = if self.positions.is_empty() { z } else { self.plane };
            if (z - self.plane).abs() > self.tolerance {
                return Err(MeshError::NotPlane { vertex: tag, z, plane: self.plane });
            }
            self.numbers[node] = (self.positions.len() / 2) as u32;
            self.positions.extend([x, y]);
        }
        Ok(self.numbers[node])
    }

    /// Twice the signed area.
    fn doubled_area(&self, corners: &[u32]) -> f64 {
        let [a, b, c]: [[f64; 2]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|d| self.positions[2 * corners[i] as usize + d]));
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    }
}

/// The draft of the mesh that a file describes.
pub(super) fn draft(records: &Records) -> Result<Draft, MeshError> {
    if records.triangles.is_empty() {
        return Err(MeshError::NoElements);
    }
    let mut vertices = Vertices::new(records)?;
    let mut elements = Vec::with_capacity(3 * records.triangles.len());
    for triangle in &records.triangles {
        for &node in &triangle.nodes {
            elements.push(vertices.add(triangle.tag, node)?);
        }
    }
    turn_surfaces(&records.triangles, &mut elements, &vertices);
    let (boundaries, named_faces) = boundaries(records, &vertices)?;
    let mut draft = Draft {
        shape: Shape::Triangle,
        elements,
        boundaries,
        named_faces,
        periodic_faces: Vec::new(),
        element_tags: records.triangles.iter().map(|triangle| triangle.tag).collect(),
        vertices: Vec::new(),
    };
    draft.periodic_faces = periodic_faces(&records.periods, &vertices, &draft)?;
    draft.vertices = vertices.positions;
    Ok(draft)
}

/// The triangles of a surface run clockwise if the surface's own normal looks down, which is common and no mistake:
/// a surface all of whose triangles do is turned. Single ones are left for the check of elements to refuse.
fn turn_surfaces(triangles: &[Triangle], elements: &mut [u32], vertices: &Vertices<'_>) {
    let mut clockwise: HashMap<i64, bool> = HashMap::new();
    for (triangle, corners) in triangles.iter().zip(elements.chunks_exact(3)) {
        *clockwise.entry(triangle.surface).or_insert(true) &= vertices.doubled_area(corners) < 0.0;
    }
    for (triangle, corners) in triangles.iter().zip(elements.chunks_exact_mut(3)) {
        if clockwise[&triangle.surface] {
            corners.swap(1, 2);
        }
    }
}

/// Boundaries are the physical groups of curves that have elements, in the order of their numbers.
fn boundaries(records: &Records, vertices: &Vertices<'_>) -> Result<(Vec<Boundary>, Vec<NamedFace>), MeshError> {
    let mut groups: Vec<i64> = records.lines.iter().map(|line| line.group).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut boundaries: Vec<Boundary> = Vec::new();
    let mut index = HashMap::new();
    for &group in &groups {
        let Some(name) = records.names.get(&(1, group)) else { continue };
        let known = boundaries.iter().position(|boundary| boundary.name == *name);
        index.insert(group, known.unwrap_or(boundaries.len()));
        if known.is_none() {
            boundaries.push(Boundary { name: name.clone(), curve: None });
        }
    }
    let limit = usize::from(u16::MAX);
    if boundaries.len() > limit {
        let (what, remedy) =
            (format!("{} boundaries", boundaries.len()), format!("use at most {limit} physical groups"));
        return Err(MeshError::Unsupported { what, remedy });
    }
    let face = |line: &Line| {
        let boundary = index.get(&line.group).ok_or_else(|| MeshError::DanglingTag {
            element: line.tag,
            what: format!("physical group {} of curves", line.group),
            problem: "which has no name in $PhysicalNames",
            remedy: format!("name it: Physical Curve(\"name\", {}) = {{…}};", line.group),
        })?;
        let mut corners = [0; 2];
        for (corner, node) in corners.iter_mut().zip(line.nodes) {
            *corner = match vertices.numbers[vertices.node(line.tag, node)?] {
                u32::MAX => {
                    return Err(MeshError::DanglingTag {
                        element: line.tag,
                        what: format!("physical group `{}`", boundaries[*boundary].name),
                        problem: "but lies at no triangle",
                        remedy: "take its curve out of the group, or mesh the surface at it".to_owned(),
                    });
                }
                vertex => vertex,
            };
        }
        Ok(NamedFace { corners, boundary: *boundary as u16 })
    };
    let faces = records.lines.iter().map(face).collect::<Result<_, _>>()?;
    Ok((boundaries, faces))
}

/// The pairs of faces on curves that the file declares periodic.
fn periodic_faces(
    periods: &[Vec<[u64; 2]>],
    vertices: &Vertices<'_>,
    draft: &Draft,
) -> Result<Vec<[[u32; 2]; 2]>, MeshError> {
    let mut pairs = Vec::new();
    if periods.is_empty() {
        return Ok(pairs);
    }
    let uses = FaceUses::new(draft);
    for period in periods {
        let mut opposite = HashMap::new();
        for nodes in period {
            let mut ends = [0; 2];
            for (end, &tag) in ends.iter_mut().zip(nodes) {
                let problem = format!("$Periodic names node {tag}, which does not exist");
                let refuse = || MeshError::Periodic { pair: "two curves of the file".to_owned(), problem };
                *end = vertices.numbers[vertices.tags.index(tag).ok_or_else(refuse)?];
            }
            opposite.insert(ends[0], ends[1]);
        }
        for slot in uses.open() {
            let corners = draft.slot_corners(slot);
            let [Some(&from), Some(&to)] = corners.map(|vertex| opposite.get(&vertex)) else { continue };
            if !uses.is_open([from, to]) {
                let element = draft.slot_tag(slot);
                let pair = format!("a face of element {element} and the one that $Periodic puts opposite");
                let problem = "the nodes opposite are no face on the boundary".to_owned();
                return Err(MeshError::Periodic { pair, problem });
            }
            pairs.push([corners, [from, to]]);
        }
    }
    Ok(pairs)
}
