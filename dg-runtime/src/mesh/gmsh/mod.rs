//! Gmsh's files: MSH 2.2 and 4.1, ASCII and binary.
//!
//! What is taken from a file: the triangles; the names of physical groups of curves, which become boundaries; and
//! `$Periodic`, whose curves are joined and keep no name. (Gmsh writes that section in version 2.2 only for curves
//! that it saves: give both sides a name there.) A surface whose triangles all run clockwise is turned over.
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
use std::path::Path;

use self::scan::Scanner;
use super::{Mesh, MeshError};

/// Reads and connects a mesh.
///
/// # Errors
///
/// [`MeshError::Read`], or [`MeshError::File`] with what is wrong in the file.
pub fn read(path: &Path) -> Result<Mesh, MeshError> {
    let bytes = std::fs::read(path).map_err(|source| MeshError::Read { path: path.to_owned(), source })?;
    parse(&bytes).map_err(|source| MeshError::File { path: path.to_owned(), source: Box::new(source) })
}

/// The mesh in the contents of a file.
fn parse(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mut scanner = Scanner::new(bytes)?;
    let mut records = Records::default();
    match scanner.version.as_str() {
        "2.2" => msh2::read(&mut scanner, &mut records)?,
        "4.1" => msh4::read(&mut scanner, &mut records)?,
        version => {
            let what = format!("the file has MSH version {version}");
            let remedy = "save it as version 4.1 or 2.2 (gmsh -save -format msh41, or Mesh.MshFileVersion)".to_owned();
            return Err(MeshError::Unsupported { what, remedy });
        }
    }
    Mesh::new(assemble::draft(&records)?)
}

/// What a file says, in its own numbers.
#[derive(Default)]
struct Records {
    /// Names of physical groups by dimension and number.
    names: HashMap<(i64, i64), String>,
    node_tags: Vec<u64>,
    nodes: Vec<[f64; 3]>,
    lines: Vec<Line>,
    triangles: Vec<Triangle>,
    /// For every pair of periodic curves, which node corresponds to which.
    periods: Vec<Vec<[u64; 2]>>,
}

/// An element on a curve, once for each of its physical groups.
struct Line {
    tag: u64,
    nodes: [u64; 2],
    group: i64,
}

/// An element on a surface.
struct Triangle {
    tag: u64,
    nodes: [u64; 3],
    /// The surface in Gmsh's model, whose triangles run one way round.
    surface: i64,
}

/// The types of elements that can be used, or skipped.
enum Kind {
    Point,
    Line,
    Triangle,
}

impl Kind {
    /// The meaning of an element type's number.
    fn new(number: i64, element: u64) -> Result<Self, MeshError> {
        let (what, remedy) = match number {
            15 => return Ok(Self::Point),
            1 => return Ok(Self::Line),
            2 => return Ok(Self::Triangle),
            3 => ("a quadrilateral", "mesh with triangles only, without Recombine"),
            4..=7 => ("three-dimensional", "only plane meshes of triangles can be used: save the surface alone"),
            8..=14 | 16.. => ("of higher order or special", "set Mesh.ElementOrder = 1 and declare curves in the case"),
            _ => ("of no known kind", "write the file again"),
        };
        let what = format!("element {element} is {what} (Gmsh's type {number})");
        Err(MeshError::Unsupported { what, remedy: remedy.to_owned() })
    }

    fn nodes(&self) -> usize {
        match self {
            Self::Point => 1,
            Self::Line => 2,
            Self::Triangle => 3,
        }
    }
}

impl Records {
    fn add(&mut self, kind: &Kind, tag: u64, nodes: [u64; 3], entity: i64, groups: &[i64]) {
        match kind {
            Kind::Point => {}
            Kind::Line => {
                self.lines.extend(groups.iter().map(|&group| Line { tag, nodes: [nodes[0], nodes[1]], group }));
            }
            Kind::Triangle => self.triangles.push(Triangle { tag, nodes, surface: entity }),
        }
    }

    /// `$PhysicalNames`, which is text in every file.
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
