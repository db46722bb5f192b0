//! From a file's numbers to a draft.

use std::collections::HashMap;

use rayon::prelude::*;

use super::{Element, Line, Node, Records};
use crate::law::Shape;
use crate::mesh::connect::{FaceUses, have_one_turn};
use crate::mesh::error::place;
use crate::mesh::{Boundary, Draft, Elements, FaceCorners, Groups, Mesh, MeshError, NamedFace};

/// The largest distance of a vertex from the plane, as a fraction of the mesh's extent.
const PLANE_TOLERANCE: f64 = 1e-9;

/// Finds the index of a node by its number.
struct Tags(Vec<(u64, u32)>);

impl Tags {
    /// A node may occur twice, but with one position only.
    fn new(nodes: &[Node]) -> Result<Self, MeshError> {
        let mut sorted: Vec<(u64, u32)> = nodes.iter().map(|node| node.tag).zip(0..).collect();
        sorted.par_sort_unstable();
        let position = |index: u32| nodes[index as usize].position;
        let differ = |pair: &&[(u64, u32)]| pair[0].0 == pair[1].0 && position(pair[0].1) != position(pair[1].1);
        if let Some(pair) = sorted.windows(2).find(differ) {
            let [first, second] = [pair[0], pair[1]].map(|(_, index)| place(&position(index)));
            return Err(MeshError::DuplicateVertex { vertex: pair[0].0, first, second });
        }
        sorted.dedup_by_key(|entry| entry.0);
        Ok(Self(sorted))
    }

    fn index(&self, tag: u64) -> Option<usize> {
        // Most files number nodes without gaps.
        let guess = tag.checked_sub(self.0.first()?.0).and_then(|offset| self.0.get(usize::try_from(offset).ok()?));
        let found = guess.filter(|guess| guess.0 == tag);
        let entry = found.or_else(|| Some(&self.0[self.0.binary_search_by_key(&tag, |entry| entry.0).ok()?]));
        entry.map(|entry| entry.1 as usize)
    }
}

/// Vertices are numbered in the order in which elements refer to them; nodes without an element are dropped.
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
            let finite = records.nodes.iter().map(|node| node.position[d]).filter(|x| x.is_finite());
            let [low, high] = finite.fold([f64::MAX, f64::MIN], |[low, high], x| [low.min(x), high.max(x)]);
            high - low
        };
        Ok(Self {
            records,
            tags: Tags::new(&records.nodes)?,
            numbers: vec![u32::MAX; count],
            positions: Vec::with_capacity(2 * count),
            plane: f64::NAN,
            tolerance: PLANE_TOLERANCE * extent(0).max(extent(1)),
        })
    }

    fn node(&self, element: u64, tag: u64) -> Result<usize, MeshError> {
        self.tags.index(tag).ok_or(MeshError::MissingVertex { element, vertex: tag })
    }

    /// The index of an element's node, and its position in the plane of the first vertex.
    fn in_plane(&self, element: u64, tag: u64) -> Result<(usize, [f64; 2]), MeshError> {
        let node = self.node(element, tag)?;
        let [x, y, z] = self.records.nodes[node].position;
        if ![x, y, z].iter().all(|x| x.is_finite()) {
            return Err(MeshError::NotFinite { vertex: tag });
        }
        if (z - self.plane).abs() > self.tolerance {
            return Err(MeshError::NotPlane { vertex: tag, z, plane: self.plane });
        }
        Ok((node, [x, y]))
    }

    /// The vertex of an element's node.
    fn add(&mut self, element: u64, tag: u64) -> Result<u32, MeshError> {
        if self.positions.is_empty() {
            self.plane = self.records.nodes[self.node(element, tag)?].position[2];
        }
        let (node, position) = self.in_plane(element, tag)?;
        if self.numbers[node] == u32::MAX {
            self.numbers[node] = (self.positions.len() / 2) as u32;
            self.positions.extend(position);
        }
        Ok(self.numbers[node])
    }

    /// Twice the signed area of a polygon, by the triangles between its first corner and its sides.
    fn doubled_area(&self, corners: &[u32]) -> f64 {
        let from_first = |corner: u32| {
            let position = |vertex: u32, d: usize| self.positions[2 * vertex as usize + d];
            [0, 1].map(|d| position(corner, d) - position(corners[0], d))
        };
        let triangle = |side: &[u32]| {
            let [b, c] = [from_first(side[0]), from_first(side[1])];
            b[0] * c[1] - b[1] * c[0]
        };
        corners[1..].windows(2).map(triangle).sum()
    }
}

/// The mesh that a file describes.
pub(super) fn mesh(records: &Records) -> Result<Mesh, MeshError> {
    let Content { draft, nodes, bends_sides } = content(records)?;
    let mesh = Mesh::new(draft).map_err(|error| match error {
        MeshError::UnnamedFace { element, from, to, count } if bends_sides => {
            MeshError::UnpairedFace { element, from, to, count }
        }
        error => error,
    })?;
    if nodes.is_empty() {
        return Ok(mesh);
    }
    let mesh = mesh.with_nodes(records.elements[0].degree, &nodes);
    let tag = |element: u64| records.elements[element as usize].tag;
    mesh.check_maps().and_then(|()| mesh.check_sides()).map_err(|error| match error {
        MeshError::TurnedOver { element, place } => MeshError::TurnedOver { element: tag(element), place },
        MeshError::OpenSide { first, second, from, to, apart } => {
            MeshError::OpenSide { first: tag(first), second: tag(second), from, to, apart }
        }
        error => error,
    })?;
    Ok(mesh)
}

/// What a file contains.
struct Content {
    draft: Draft,
    /// The nodes of elements with curved sides, `[element][node]` in the order of [`Shape::lattice`].
    nodes: Vec<[f64; 2]>,
    /// Whether a period is left out because it bends a side.
    bends_sides: bool,
}

fn content(records: &Records) -> Result<Content, MeshError> {
    let degree = degree(records)?;
    let mut vertices = Vertices::new(records)?;
    let mut by_shape = Shape::ALL.map(|_| Vec::new());
    for element in &records.elements {
        for &node in element.corners() {
            by_shape[element.shape as usize].push(vertices.add(element.tag, node)?);
        }
    }
    let mut elements = Elements::mixed(&by_shape);
    let clockwise = clockwise_surfaces(&records.elements, &elements, &vertices);
    for (number, element) in records.elements.iter().enumerate() {
        if clockwise[&element.surface] {
            elements.corners_mut(number)[1..].reverse();
        }
    }
    let nodes = if degree > 1 { nodes(degree, records, &vertices, &clockwise)? } else { Vec::new() };
    let (boundaries, named_faces) = boundaries(records, &vertices)?;
    let mut draft = Draft {
        elements,
        boundaries,
        named_faces,
        periodic_faces: Vec::new(),
        offered_periods: Vec::new(),
        element_tags: records.elements.iter().map(|element| element.tag).collect(),
        groups: groups(records),
        vertices: Vec::new(),
    };
    let mut periods = opposite_faces(&records.periods, &vertices, &draft);
    let all = periods.len();
    let position = |vertex: u32| &vertices.positions[2 * vertex as usize..][..2];
    periods.retain(|of_period| have_one_turn(of_period, position));
    let bends_sides = periods.len() < all;
    draft.offered_periods = periods.concat();
    draft.vertices = vertices.positions;
    Ok(Content { draft, nodes, bends_sides })
}

/// The nodes of elements, in the order of [`Shape::lattice`].
fn nodes(
    degree: usize,
    records: &Records,
    vertices: &Vertices<'_>,
    clockwise: &HashMap<i64, bool>,
) -> Result<Vec<[f64; 2]>, MeshError> {
    let places = |shape: Shape| {
        let (lattice, of_file) = (shape.lattice(degree), nodes_of_gmsh(shape, degree));
        let place = |[i, j]: [usize; 2]| of_file.iter().position(|&node| node == [i, j]).unwrap_or_default();
        let order: Vec<usize> = lattice.iter().map(|&node| place(node)).collect();
        // Where corners are taken in the other order, both directions change places.
        let turned: Vec<usize> = lattice.iter().map(|&[i, j]| place([j, i])).collect();
        [order, turned]
    };
    let places = Shape::ALL.map(places);
    let mut nodes = Vec::new();
    for element in &records.elements {
        let [order, turned] = &places[element.shape as usize];
        let inner = &records.inner[element.inner..][..order.len() - element.shape.corners()];
        let tags: Vec<u64> = element.corners().iter().chain(inner).copied().collect();
        for &number in if clockwise[&element.surface] { turned } else { order } {
            nodes.push(vertices.in_plane(element.tag, tags[number])?.1);
        }
    }
    Ok(nodes)
}

/// Where Gmsh's nodes of an element lie, in units of 1/degree: the corners, those inside of each side in turn, and then those of an
/// element in the middle, in the same order (reference manual, section "High-order elements").
fn nodes_of_gmsh(shape: Shape, degree: usize) -> Vec<[usize; 2]> {
    let (corners, mut lattice, mut origin, mut side) = (shape.reference_corners(), Vec::new(), 0, degree);
    loop {
        let at = |corner: usize| [0, 1].map(|d| origin + side * corners[corner][d] as usize);
        if side == 0 {
            lattice.push([origin; 2]);
            return lattice;
        }
        lattice.extend((0..corners.len()).map(at));
        for face in 0..shape.faces() {
            let (from, to) = (at(face), at((face + 1) % shape.faces()));
            lattice.extend((1..side).map(|k| [0, 1].map(|d| (from[d] * (side - k) + to[d] * k) / side)));
        }
        let shrinks = if shape.is_product() { 2 } else { 3 };
        if side < shrinks {
            return lattice;
        }
        (origin, side) = (origin + 1, side - shrinks);
    }
}

/// The degree that the sides of all elements have.
fn degree(records: &Records) -> Result<usize, MeshError> {
    let first = records.elements.first().ok_or(MeshError::NoElements)?;
    match records.elements.iter().find(|element| element.degree != first.degree) {
        None => Ok(first.degree),
        Some(odd) => Err(MeshError::SeveralDegrees {
            element: odd.tag,
            degree: odd.degree,
            other: first.tag,
            of_other: first.degree,
        }),
    }
}

/// The elements of a surface run clockwise if the surface's own normal points down, which is common and no mistake:
/// such a surface is turned over as a whole. Single clockwise elements are refused by the check of elements.
fn clockwise_surfaces(records: &[Element], elements: &Elements, vertices: &Vertices<'_>) -> HashMap<i64, bool> {
    let mut clockwise: HashMap<i64, bool> = HashMap::new();
    for (number, element) in records.iter().enumerate() {
        *clockwise.entry(element.surface).or_insert(true) &= vertices.doubled_area(elements.corners(number)) < 0.0;
    }
    clockwise
}

/// Groups of elements are the physical groups of surfaces; one without a name is called by its number.
fn groups(records: &Records) -> Groups {
    let name = |group: &i64| records.names.get(&(2, *group)).cloned().unwrap_or_else(|| group.to_string());
    let names = |list: usize| {
        let mut names: Vec<String> = records.groups[list].iter().map(name).collect();
        names.sort_unstable();
        names.dedup();
        names
    };
    Groups::new(records.elements.iter().map(|element| element.groups), names)
}

/// Boundaries are the physical groups of curves with elements, in the order of their numbers.
fn boundaries(records: &Records, vertices: &Vertices<'_>) -> Result<(Vec<Boundary>, Vec<NamedFace>), MeshError> {
    let mut used = vec![false; records.groups.len()];
    records.lines.iter().for_each(|line| used[line.groups] = true);
    let lists = || records.groups.iter().zip(&used).filter(|list| *list.1).map(|list| list.0);
    let mut groups: Vec<i64> = lists().flatten().copied().collect();
    groups.sort_unstable();
    groups.dedup();
    let mut boundaries: Vec<Boundary> = Vec::new();
    let (mut by_name, mut by_group) = (HashMap::new(), HashMap::new());
    for group in groups {
        let Some(name) = records.names.get(&(1, group)) else { continue };
        let index = *by_name.entry(name.as_str()).or_insert_with(|| {
            boundaries.push(Boundary { name: name.clone(), curve: None });
            boundaries.len() - 1
        });
        by_group.insert(group, index);
    }
    let limit = usize::from(u16::MAX);
    if boundaries.len() > limit {
        let (what, remedy) =
            (format!("{} boundaries", boundaries.len()), format!("use at most {limit} physical groups"));
        return Err(MeshError::Unsupported { what, remedy });
    }
    // The first boundary of every list, and a second one if any: a face with two is refused when it is connected.
    let named = |groups: &Vec<i64>| {
        let mut indices = groups.iter().filter_map(|group| by_group.get(group).copied());
        let first = indices.next();
        [first, indices.find(|&index| Some(index) != first)]
    };
    let named: Vec<[Option<usize>; 2]> = records.groups.iter().map(named).collect();

    let mut faces = Vec::with_capacity(records.lines.len());
    for line in &records.lines {
        let (list, named) = (&records.groups[line.groups], named[line.groups]);
        let Some(&group) = list.first() else { continue };
        let Some(boundary) = named[0] else {
            return Err(MeshError::DanglingTag {
                element: line.tag,
                what: format!("physical group {group} of curves"),
                problem: "which has no name in $PhysicalNames",
                remedy: format!("name it: Physical Curve(\"name\", {group}) = {{…}};"),
            });
        };
        let corners = face(line, &boundaries[boundary].name, vertices)?;
        faces.extend(named.iter().flatten().map(|&boundary| NamedFace { corners, boundary: boundary as u16 }));
    }
    Ok((boundaries, faces))
}

/// The face on which a line of a boundary lies.
fn face(line: &Line, boundary: &str, vertices: &Vertices<'_>) -> Result<FaceCorners, MeshError> {
    let mut corners = [0; 2];
    for (corner, node) in corners.iter_mut().zip(line.nodes) {
        *corner = vertices.numbers[vertices.node(line.tag, node)?];
        if *corner == u32::MAX {
            return Err(MeshError::DanglingTag {
                element: line.tag,
                what: format!("physical group `{boundary}`"),
                problem: "but lies at no element",
                remedy: "take its curve out of the group, or mesh the surface at it".to_owned(),
            });
        }
    }
    Ok(corners)
}

/// The pairs of opposite boundary faces of every period of `$Periodic`, as far as they are faces of the mesh: it also
/// mentions curves that are not saved.
fn opposite_faces(periods: &[Vec<[u64; 2]>], vertices: &Vertices<'_>, draft: &Draft) -> Vec<Vec<[FaceCorners; 2]>> {
    if periods.is_empty() {
        return Vec::new();
    }
    let vertex = |tag: u64| vertices.tags.index(tag).map(|node| vertices.numbers[node]).filter(|&v| v != u32::MAX);
    // The vertices opposite each vertex, with the number of the period.
    let mut opposite: HashMap<u32, Vec<(usize, u32)>> = HashMap::new();
    for (period, nodes) in periods.iter().enumerate() {
        for [from, to] in nodes {
            if let (Some(from), Some(to)) = (vertex(*from), vertex(*to)) {
                opposite.entry(from).or_default().push((period, to));
            }
        }
    }
    let uses = FaceUses::new(draft);
    let mut pairs = vec![Vec::new(); periods.len()];
    for corners in uses.open().map(|slot| draft.slot_corners(slot)) {
        let [Some(from), Some(to)] = corners.map(|corner| opposite.get(&corner)) else { continue };
        // Both lists are in the order of the periods; the loop runs over the shorter one.
        let (few, many) = if from.len() <= to.len() { (from, to) } else { (to, from) };
        for &(period, one) in few {
            let Ok(found) = many.binary_search_by_key(&period, |entry| entry.0) else { continue };
            let there = if from.len() <= to.len() { [one, many[found].1] } else { [many[found].1, one] };
            if uses.is_open(there) {
                pairs[period].push([corners, there]);
            }
        }
    }
    pairs
}
