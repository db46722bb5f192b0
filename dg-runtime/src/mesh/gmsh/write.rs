//! Writes files like Gmsh, for tests.

use crate::law::Shape;
use crate::mesh::Mesh;

/// The format of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    version: &'static str,
    encoding: Encoding,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Encoding {
    Text,
    Little,
    Big,
}

pub(super) const FORMATS: [Format; 6] = [
    Format { version: "2.2", encoding: Encoding::Text },
    Format { version: "2.2", encoding: Encoding::Little },
    Format { version: "2.2", encoding: Encoding::Big },
    Format { version: "4.1", encoding: Encoding::Text },
    Format { version: "4.1", encoding: Encoding::Little },
    Format { version: "4.1", encoding: Encoding::Big },
];

struct Writer {
    format: Format,
    bytes: Vec<u8>,
}

impl Writer {
    fn text(&mut self, text: &str) {
        self.bytes.extend(text.as_bytes());
    }

    fn number<const N: usize>(&mut self, text: &str, mut little: [u8; N]) {
        match self.format.encoding {
            Encoding::Text => self.text(&format!("{text} ")),
            Encoding::Little => self.bytes.extend(little),
            Encoding::Big => {
                little.reverse();
                self.bytes.extend(little);
            }
        }
    }

    fn ints(&mut self, numbers: &[i32]) {
        numbers.iter().for_each(|number| self.number(&number.to_string(), number.to_le_bytes()));
    }

    fn sizes(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|number| self.number(&number.to_string(), number.to_le_bytes()));
    }

    fn reals(&mut self, numbers: &[f64]) {
        numbers.iter().for_each(|number| self.number(&format!("{number:?}"), number.to_le_bytes()));
    }

    fn line_end(&mut self) {
        if self.format.encoding == Encoding::Text {
            self.text("\n");
        }
    }
}

/// Node and element numbers have gaps, as in Gmsh.
fn node_tag(vertex: u32) -> u64 {
    10 + 3 * u64::from(vertex)
}

/// Gmsh's number of a shape.
fn number(shape: Shape) -> i32 {
    match shape {
        Shape::Triangle => 2,
        Shape::Quadrilateral => 3,
    }
}

/// The corresponding nodes of every period, by the period's direction.
fn periods(mesh: &Mesh) -> Vec<Vec<[u64; 2]>> {
    let mut periods = vec![Vec::new(); 2];
    for [slot, behind] in mesh.periodic_pairs() {
        let (here, there) = (mesh.slot_corners(slot), mesh.slot_corners(behind));
        let along_x = (mesh.vertex(here[0])[0] - mesh.vertex(there[1])[0]).abs() > 1e-9;
        let pairs = [[here[0], there[1]], [here[1], there[0]]];
        periods[usize::from(along_x)].extend(pairs.map(|pair| pair.map(node_tag)));
    }
    periods.retain(|period| !period.is_empty());
    periods
}

/// Writes a mesh like Gmsh: each boundary on a curve of its own, numbered from 1, and all elements on surface 7,
/// `clockwise` if its normal points down.
pub(super) fn write(mesh: &Mesh, format: Format, clockwise: bool) -> Vec<u8> {
    let mut out = Writer { format, bytes: Vec::new() };
    let binary = format.encoding != Encoding::Text;
    out.text(&format!("$MeshFormat\n{} {} 8\n", format.version, u8::from(binary)));
    if binary {
        out.ints(&[1]);
        out.text("\n");
    }
    out.text("$EndMeshFormat\n$Comments\nnot \"read\"\n$EndComments\n$PhysicalNames\n");
    out.text(&format!("{}\n", mesh.boundaries.len() + 1));
    for (i, boundary) in mesh.boundaries.iter().enumerate() {
        out.text(&format!("1 {} \"{}\"\n", i + 1, boundary.name));
    }
    out.text("2 7 \"the fluid\"\n$EndPhysicalNames\n");
    let corners = |element: usize| {
        let mut corners: Vec<u64> = mesh.corners(element).iter().copied().map(node_tag).collect();
        if clockwise {
            corners[1..].reverse();
        }
        corners
    };
    let elements: Vec<Vec<u64>> = (0..mesh.element_count()).map(corners).collect();
    let lines: Vec<(i32, [u64; 2])> = mesh
        .boundary_faces
        .iter()
        .map(|face| {
            let corners = mesh.face_corners(face.element as usize, usize::from(face.face));
            (i32::from(face.boundary) + 1, corners.map(node_tag))
        })
        .collect();
    match format.version {
        "2.2" => write_2(&mut out, mesh, &lines, &elements),
        _ => write_4(&mut out, mesh, &lines, &elements),
    }
    out.bytes
}

fn write_2(out: &mut Writer, mesh: &Mesh, lines: &[(i32, [u64; 2])], elements: &[Vec<u64>]) {
    let periods = periods(mesh);
    if !periods.is_empty() {
        out.text(&format!("$Periodic\n{}\n", periods.len()));
        for (i, period) in periods.iter().enumerate() {
            let affine = if i == 0 { "Affine 1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1\n" } else { "" };
            out.text(&format!("1 2 4\n{affine}{}\n", period.len()));
            period.iter().for_each(|[from, to]| out.text(&format!("{from} {to}\n")));
        }
        out.text("$EndPeriodic\n");
    }
    out.text(&format!("$Nodes\n{}\n", mesh.vertices.len() / 2));
    for vertex in 0..(mesh.vertices.len() / 2) as u32 {
        out.ints(&[node_tag(vertex) as i32]);
        out.reals(&[mesh.vertex(vertex)[0], mesh.vertex(vertex)[1], 0.0]);
        out.line_end();
    }
    let total = 1 + lines.len() + elements.len();
    out.text(&format!("\n$EndNodes\n$Elements\n{total}\n"));
    let mut tag = 0;
    let mut element = |out: &mut Writer, kind: i32, tags: [i32; 2], nodes: &[u64]| {
        tag += 1;
        match out.format.encoding {
            Encoding::Text => out.ints(&[tag, kind, 2]),
            _ => out.ints(&[kind, 1, 2, tag]),
        }
        out.ints(&tags);
        nodes.iter().for_each(|&node| out.ints(&[node as i32]));
        out.line_end();
    };
    element(out, 15, [0, 1], &[node_tag(0)]);
    lines.iter().for_each(|(group, nodes)| element(out, 1, [*group, *group], nodes));
    for (shape, range) in mesh.elements.by_shape() {
        elements[range].iter().for_each(|nodes| element(out, number(shape), [7, 7], nodes));
    }
    out.text("\n$EndElements\n");
}

fn write_4(out: &mut Writer, mesh: &Mesh, lines: &[(i32, [u64; 2])], elements: &[Vec<u64>]) {
    let boundaries = mesh.boundaries.len() as i32;
    out.text("$Entities\n");
    out.sizes(&[1, boundaries as u64, 1, 0]);
    out.ints(&[1]);
    out.reals(&[0.0; 3]);
    out.sizes(&[0]);
    out.line_end();
    for curve in 1..=boundaries {
        out.ints(&[curve]);
        out.reals(&[0.0; 6]);
        out.sizes(&[1]);
        out.ints(&[curve]);
        out.sizes(&[2]);
        out.ints(&[1, -1]);
        out.line_end();
    }
    out.ints(&[7]);
    out.reals(&[0.0; 6]);
    out.sizes(&[1]);
    out.ints(&[7]);
    out.sizes(&[0]);
    out.text("\n$EndEntities\n");

    let periods = periods(mesh);
    if !periods.is_empty() {
        out.text("$Periodic\n");
        out.sizes(&[periods.len() as u64]);
        for period in &periods {
            out.ints(&[1, 2, 4]);
            out.sizes(&[1]);
            out.reals(&[1.0]);
            out.sizes(&[period.len() as u64]);
            period.iter().for_each(|pair| out.sizes(pair));
        }
        out.text("\n$EndPeriodic\n");
    }

    // The first node lies on a curve, with its parameter, the others on the surface.
    let count = (mesh.vertices.len() / 2) as u64;
    out.text("$Nodes\n");
    out.sizes(&[2, count, node_tag(0), node_tag(count as u32 - 1)]);
    for (dimension, parametric, range) in [(1, 1, 0..1), (2, 0, 1..count as u32)] {
        out.ints(&[dimension, 7, parametric]);
        out.sizes(&[range.len() as u64]);
        range.clone().for_each(|vertex| out.sizes(&[node_tag(vertex)]));
        for vertex in range {
            out.reals(&[mesh.vertex(vertex)[0], mesh.vertex(vertex)[1], 0.0]);
            out.reals(if parametric == 1 { &[0.5] } else { &[] });
            out.line_end();
        }
    }
    out.text("\n$EndNodes\n$Elements\n");
    let total = (lines.len() + elements.len()) as u64;
    let shapes = mesh.elements.by_shape().count() as u64;
    out.sizes(&[lines.len() as u64 + shapes, total, 1, total]);
    let mut tag = 0;
    for (curve, nodes) in lines {
        tag += 1;
        out.ints(&[1, *curve, 1]);
        out.sizes(&[1, tag]);
        out.sizes(nodes);
        out.line_end();
    }
    for (shape, range) in mesh.elements.by_shape() {
        out.ints(&[2, 7, number(shape)]);
        out.sizes(&[range.len() as u64]);
        for nodes in &elements[range] {
            tag += 1;
            out.sizes(&[tag]);
            out.sizes(nodes);
            out.line_end();
        }
    }
    out.text("\n$EndElements\n");
}
