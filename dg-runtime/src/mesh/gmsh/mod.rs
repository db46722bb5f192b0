//! Gmsh's files: MSH 2.2 and 4.1, ASCII and binary.
//!
//! The reader takes from a file: triangles and quadrilaterals, all of one degree from 1 to 4; physical groups of surfaces, which become groups of elements; the names of
//! physical groups of curves, which become boundaries; and `$Periodic`, as an offer: it declares opposite faces, and
//! [`Mesh::with_periods`] joins them. Only faces without a name are joined at once, because no condition can refer to them. A
//! surface whose elements all run clockwise is turned over.
//!
//! As in Gmsh, the reader accepts text between sections and before the first one, a byte-order mark, quotes in names,
//! nodes with parameters, elements repeated once for each of their physical groups, and repeated nodes.
//! If something cannot be used, the error says what to change in Gmsh and, in a text file, names the line.
//!
//! The format is that of the Gmsh reference manual, sections "MSH file format" and "MSH file format version 2
//! (Legacy)". The reader is our own because the one crate for it, mshio 0.4, reads neither version 2.2 nor the
//! sections `$PhysicalNames` and `$Periodic`, without which a boundary has no name, and has had no release since 2020.

mod assemble;
mod msh2;
mod msh4;
mod scan;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod write;

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;

use rayon::prelude::*;

use self::scan::Scanner;
use super::error::Subject;
use super::{MAX_DEGREE, Mesh, MeshError};
use crate::law::Shape;
use crate::system::{available_memory, open_regular};

/// The format must be declared within this many bytes, before the rest is read.
const HEAD: u64 = 1 << 20;

/// Memory for reading, in bytes for each byte of the file, including the file itself.
const BYTES_PER_BYTE: usize = 4;

/// Reads and connects a mesh.
///
/// # Errors
///
/// [`MeshError::Read`] if the file is not regular or cannot be read, or [`MeshError::File`] with the defect in it.
pub fn read(path: &Path) -> Result<Mesh, MeshError> {
    let refuse = |source| MeshError::Read { path: path.to_owned(), source };
    let unfit = |source| MeshError::File { path: path.to_owned(), source: Box::new(source) };
    let (file, size) = open_regular(path).map_err(refuse)?;
    let mut file = file.take(size);
    let mut bytes = Vec::new();
    if size > HEAD {
        (&mut file).take(HEAD).read_to_end(&mut bytes).map_err(refuse)?;
        Scanner::new(&bytes).map_err(unfit)?;
        check_memory(size, available_memory()).map_err(unfit)?;
    }
    file.read_to_end(&mut bytes).map_err(refuse)?;
    parse(&bytes).map_err(unfit)
}

/// Makes sure that a file of so many bytes can be read with so many free bytes.
fn check_memory(size: u64, free: Option<usize>) -> Result<(), MeshError> {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let needed = size.saturating_mul(BYTES_PER_BYTE);
    match free {
        Some(free) if needed > free => Err(MeshError::FileTooLarge { size, needed, free }),
        _ => Ok(()),
    }
}

/// The mesh in the content of a file.
///
/// # Errors
///
/// The defect in the content; for a line of text inside [`MeshError::Line`].
pub fn parse(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut scanner = Scanner::new(bytes)?;
    let mut records = Records::default();
    let read = match scanner.version.as_str() {
        "2.2" => msh2::read(&mut scanner, &mut records),
        "4.1" => msh4::read(&mut scanner, &mut records),
        version => {
            let what = format!("the file has MSH version {version}");
            let remedy = "save it as version 4.1 or 2.2 (gmsh -save -format msh41, or Mesh.MshFileVersion)".to_owned();
            return Err(MeshError::Unsupported { what, remedy });
        }
    };
    let at_line = |offset: usize, error: MeshError| match scanner.line(offset) {
        Some(line) => MeshError::Line { line, source: Box::new(error) },
        None => error,
    };
    match read {
        // These errors contain their place.
        Err(error @ (MeshError::Syntax { .. } | MeshError::Truncated { .. })) => Err(error),
        Err(error) => Err(at_line(scanner.offset(), error)),
        Ok(()) => {
            records.join_copies();
            records.elements.sort_by_key(|element| element.shape);
            assemble::mesh(&records).map_err(|error| match records.offset(&error) {
                Some(offset) => at_line(offset, error),
                None => error,
            })
        }
    }
}

/// The content of a file, in its own numbers.
#[derive(Default)]
struct Records {
    /// Names of physical groups by dimension and number.
    names: HashMap<(i64, i64), String>,
    nodes: Vec<Node>,
    lines: Vec<Line>,
    elements: Vec<Element>,
    /// The nodes of elements with curved sides behind those of their corners.
    inner: Vec<u64>,
    /// Lists of physical groups to which elements belong.
    groups: Vec<Vec<i64>>,
    /// For every pair of periodic curves, the pairs of corresponding nodes.
    periods: Vec<Vec<[u64; 2]>>,
}

/// The nodes of an element's corners, by their numbers; an element of few corners leaves the last unused.
type Nodes = [u64; 4];

/// The most nodes of an element.
const MOST_NODES: usize = (MAX_DEGREE + 1) * (MAX_DEGREE + 1);

/// A node, and its place in the file.
struct Node {
    tag: u64,
    offset: usize,
    position: [f64; 3],
}

/// An element on a curve, and its place in the file.
struct Line {
    tag: u64,
    offset: usize,
    nodes: [u64; 2],
    /// Index into [`Records::groups`].
    groups: usize,
}

/// An element on a surface, and its place in the file.
struct Element {
    tag: u64,
    offset: usize,
    shape: Shape,
    /// The degree of its sides.
    degree: usize,
    /// As many as the shape has corners.
    nodes: Nodes,
    /// Where its other nodes begin in [`Records::inner`].
    inner: usize,
    /// The surface in Gmsh's model; all its elements have one orientation.
    surface: i64,
    /// Index into [`Records::groups`].
    groups: usize,
}

impl Element {
    /// The nodes of its corners.
    fn corners(&self) -> &[u64] {
        &self.nodes[..self.shape.corners()]
    }

    /// What it has in common with its copies: version 2.2 lists an element once for each of its physical groups.
    fn key(&self) -> (Nodes, i64) {
        (self.nodes, self.surface)
    }
}

/// The element types that can be used or skipped; lines and elements with the degree of their sides.
enum Kind {
    Point,
    Line(usize),
    Element(Shape, usize),
}

impl Kind {
    /// The meaning of an element type's number.
    fn new(number: i64, element: u64) -> Result<Self, MeshError> {
        let (what, remedy) = match number {
            15 => return Ok(Self::Point),
            1 => return Ok(Self::Line(1)),
            8 => return Ok(Self::Line(2)),
            26 => return Ok(Self::Line(3)),
            27 => return Ok(Self::Line(4)),
            2 => return Ok(Self::Element(Shape::Triangle, 1)),
            9 => return Ok(Self::Element(Shape::Triangle, 2)),
            21 => return Ok(Self::Element(Shape::Triangle, 3)),
            23 => return Ok(Self::Element(Shape::Triangle, 4)),
            3 => return Ok(Self::Element(Shape::Quadrilateral, 1)),
            10 => return Ok(Self::Element(Shape::Quadrilateral, 2)),
            36 => return Ok(Self::Element(Shape::Quadrilateral, 3)),
            37 => return Ok(Self::Element(Shape::Quadrilateral, 4)),
            16 | 20 | 22 | 39 | 40 => ("without nodes inside", "set Mesh.SecondOrderIncomplete = 0"),
            4..=7 | 11..=14 | 17..=19 | 29..=35 => {
                ("three-dimensional", "only plane meshes can be used: save the surface alone")
            }
            24.. => ("of too high an order or special", "set Mesh.ElementOrder to 4 or less"),
            _ => ("of no known kind", "write the file again"),
        };
        let what = format!("element {element} is {what} (Gmsh's type {number})");
        Err(MeshError::Unsupported { what, remedy: remedy.to_owned() })
    }

    fn nodes(&self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line(degree) => degree + 1,
            Self::Element(shape, degree) => shape.polynomials(*degree),
        }
    }
}

impl Records {
    /// Adds an element of an entity, in physical groups that are an index into [`Records::groups`].
    fn add(&mut self, kind: &Kind, tag: u64, offset: usize, nodes: &[u64], entity: i64, groups: usize) {
        let mut ends = Nodes::default();
        ends.iter_mut().zip(nodes).for_each(|(end, node)| *end = *node);
        let (nodes, all) = (ends, nodes);
        match kind {
            Kind::Point => {}
            Kind::Line(_) => self.lines.push(Line { tag, offset, nodes: [nodes[0], nodes[1]], groups }),
            Kind::Element(shape, degree) => {
                let (shape, degree, inner) = (*shape, *degree, self.inner.len());
                self.inner.extend(&all[shape.corners()..]);
                self.elements.push(Element { tag, offset, shape, degree, nodes, inner, surface: entity, groups });
            }
        }
    }

    /// Makes elements that are listed once for each of their physical groups one element in all of these.
    fn join_copies(&mut self) {
        let Self { elements, groups, .. } = self;
        let mut order: Vec<_> = elements.iter().map(Element::key).zip(0..).collect();
        order.par_sort_unstable();
        let mut joined = HashMap::new();
        let mut is_copy = vec![false; elements.len()];
        for same in order.chunk_by(|one, other| one.0 == other.0) {
            let first = same[0].1;
            for &(_, copy) in &same[1..] {
                is_copy[copy] = true;
                let pair = (elements[first].groups, elements[copy].groups);
                if pair.0 != pair.1 {
                    elements[first].groups = *joined.entry(pair).or_insert_with(|| {
                        groups.push([&groups[pair.0][..], &groups[pair.1]].concat());
                        groups.len() - 1
                    });
                }
            }
        }
        let mut is_copy = is_copy.into_iter();
        elements.retain(|_| !is_copy.next().unwrap_or_default());
    }

    /// The place in the file that an error is about.
    fn offset(&self, error: &MeshError) -> Option<usize> {
        match error.subject()? {
            Subject::Vertex(tag) => self.nodes.iter().rfind(|node| node.tag == tag).map(|node| node.offset),
            Subject::Element(tag) => {
                let lines = self.lines.iter().map(|line| (line.tag, line.offset));
                let mut all = self.elements.iter().map(|element| (element.tag, element.offset)).chain(lines);
                all.find(|element| element.0 == tag).map(|element| element.1)
            }
        }
    }

    /// Reads `$PhysicalNames`, which is text in every file.
    fn read_names(&mut self, scanner: &mut Scanner<'_>) -> Result<(), MeshError> {
        let mut text = scanner.as_text();
        for _ in 0..text.count(1)? {
            let (dimension, group) = (text.int()?, text.int()?);
            self.names.insert((dimension, group), text.quoted()?);
        }
        scanner.resume(&text);
        Ok(())
    }
}
