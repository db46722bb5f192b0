//! Files as Gmsh writes them, whole and broken.

use super::parse;
use crate::mesh::generate::{QuarterAnnulus, Rectangle};
use crate::mesh::tests::{area, assert_sound};
use crate::mesh::{Curve, Mesh, MeshError};

/// How a file is written.
#[derive(Clone, Copy, Debug)]
struct Format {
    version: &'static str,
    encoding: Encoding,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Encoding {
    Text,
    Little,
    Big,
}

const FORMATS: [Format; 6] = [
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

/// Node and element numbers with gaps, as Gmsh may have them.
fn node_tag(vertex: u32) -> u64 {
    10 + 3 * u64::from(vertex)
}

/// The corresponding nodes of every period, by the direction of the period.
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

/// Writes a mesh as Gmsh would: each boundary on a curve of its own, numbered from 1, and all triangles on surface 7,
/// `clockwise` if its normal looks down.
fn write(mesh: &Mesh, format: Format, clockwise: bool) -> Vec<u8> {
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
    let order = if clockwise { [0, 2, 1] } else { [0, 1, 2] };
    let triangles: Vec<[u64; 3]> =
        (0..mesh.element_count()).map(|element| order.map(|corner| node_tag(mesh.corners(element)[corner]))).collect();
    let lines: Vec<(i32, [u64; 2])> = mesh
        .boundary_faces
        .iter()
        .map(|face| {
            let corners = mesh.face_corners(face.element as usize, usize::from(face.face));
            (i32::from(face.boundary) + 1, corners.map(node_tag))
        })
        .collect();
    match format.version {
        "2.2" => write_2(&mut out, mesh, &lines, &triangles),
        _ => write_4(&mut out, mesh, &lines, &triangles),
    }
    out.bytes
}

fn write_2(out: &mut Writer, mesh: &Mesh, lines: &[(i32, [u64; 2])], triangles: &[[u64; 3]]) {
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
    let total = 1 + lines.len() + triangles.len();
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
    triangles.iter().for_each(|nodes| element(out, 2, [7, 7], nodes));
    out.text("\n$EndElements\n");
}

fn write_4(out: &mut Writer, mesh: &Mesh, lines: &[(i32, [u64; 2])], triangles: &[[u64; 3]]) {
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

    // The first node on a curve with its parameter, the others on the surface.
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
    let total = (lines.len() + triangles.len()) as u64;
    out.sizes(&[lines.len() as u64 + 1, total, 1, total]);
    let mut tag = 0;
    for (curve, nodes) in lines {
        tag += 1;
        out.ints(&[1, *curve, 1]);
        out.sizes(&[1, tag]);
        out.sizes(nodes);
        out.line_end();
    }
    out.ints(&[2, 7, 2]);
    out.sizes(&[triangles.len() as u64]);
    for nodes in triangles {
        tag += 1;
        out.sizes(&[tag]);
        out.sizes(nodes);
        out.line_end();
    }
    out.text("\n$EndElements\n");
}

/// Equal but for the numbers of vertices and declared curves.
fn assert_same(read: &Mesh, written: &Mesh) {
    assert_eq!(read.neighbours, written.neighbours);
    assert_eq!(read.boundary_faces, written.boundary_faces);
    let names = |mesh: &Mesh| mesh.boundaries.iter().map(|boundary| boundary.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(read), names(written));
    for element in 0..written.element_count() {
        for (&here, &there) in read.corners(element).iter().zip(written.corners(element)) {
            assert_eq!(read.vertex(here), written.vertex(there));
        }
    }
}

#[test]
fn every_format_gives_the_mesh_that_was_written() {
    let annulus = QuarterAnnulus::default().mesh().unwrap();
    let jittered = Rectangle { jitter: 0.2, cells: [5, 4], ..Rectangle::default() };
    for format in FORMATS {
        assert_same(&parse(&write(&annulus, format, false)).unwrap(), &annulus);
        for periodic in [[false, false], [true, false], [true, true]] {
            let mesh = Rectangle { periodic, ..jittered.clone() }.mesh().unwrap();
            let read = parse(&write(&mesh, format, false)).unwrap_or_else(|error| panic!("{format:?}: {error}"));
            assert_same(&read, &mesh);
            assert_sound(&read, [1.0, 1.0]);
        }
    }
}

/// See `fixtures/channel.geo`.
#[test]
fn files_that_gmsh_wrote_are_read() {
    let files: [&[u8]; 4] = [
        include_bytes!("fixtures/channel-2.2-text.msh"),
        include_bytes!("fixtures/channel-2.2-binary.msh"),
        include_bytes!("fixtures/channel-4.1-text.msh"),
        include_bytes!("fixtures/channel-4.1-binary.msh"),
    ];
    // A channel without a regular octagon.
    let exact = 2.0 - 4.0 * 0.25_f64.powi(2) * std::f64::consts::FRAC_PI_4.sin();
    for file in files {
        let mut mesh = parse(file).unwrap();
        assert_sound(&mesh, [2.0, 1.0]);
        assert!((area(&mesh) - exact).abs() < 1e-13);
        let names: Vec<&str> = mesh.boundaries.iter().map(|boundary| boundary.name.as_str()).collect();
        assert_eq!(names, ["bottom", "top", "body"]);
        assert_eq!(mesh.boundary_face_counts()[2], 8);
        // The period is all of the side, which has length 1.
        let length = |[slot, _]: [u32; 2]| mesh.geometry(slot as usize / 3).face_lengths[slot as usize % 3];
        assert!((mesh.periodic_pairs().map(length).sum::<f64>() - 1.0).abs() < 1e-14);
        mesh.set_curve("body", Curve::Circle { centre: [1.0, 0.5], radius: 0.25 }).unwrap();
        assert_sound(&mesh.refined().unwrap().renumbered(), [2.0, 1.0]);
    }
}

#[test]
fn a_surface_that_looks_down_is_turned() {
    let mesh = QuarterAnnulus::default().mesh().unwrap();
    for format in FORMATS {
        let read = parse(&write(&mesh, format, true)).unwrap();
        assert_sound(&read, [0.0; 2]);
        assert_eq!(read.boundary_face_counts(), mesh.boundary_face_counts());
        assert_eq!(read.geometry(5).determinant, mesh.geometry(5).determinant);
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let whole = Rectangle { cells: [2, 1], periodic: [true, false], ..Rectangle::default() }.mesh().unwrap();
    for format in FORMATS {
        let bytes = write(&whole, format, false);
        let bytes = bytes.trim_ascii_end();
        assert!(parse(bytes).is_ok());
        for end in 0..bytes.len() {
            assert!(parse(&bytes[..end]).is_err(), "{format:?} with {end} of {} bytes", bytes.len());
        }
    }
}

#[test]
fn no_broken_byte_makes_the_reader_panic() {
    let whole = Rectangle { cells: [2, 1], periodic: [true, false], ..Rectangle::default() }.mesh().unwrap();
    for format in FORMATS {
        let mut bytes = write(&whole, format, false);
        for i in 0..bytes.len() {
            let byte = bytes[i];
            for broken in [0, 0x7f, 0xff, b'-', b'9', b' '] {
                bytes[i] = broken;
                // Some bytes do not matter; whatever is accepted must be a mesh.
                if let Ok(mesh) = parse(&bytes) {
                    assert!((0..mesh.element_count()).all(|element| mesh.geometry(element).determinant > 0.0));
                }
            }
            bytes[i] = byte;
        }
    }
}

/// A square of two triangles, 5 and 6.
const SQUARE: &str = r#"$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "wall"
1 2 "lid"
$EndPhysicalNames
$Nodes
5
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
5 0.9 0.2 0
$EndNodes
$Elements
6
1 1 2 1 1 1 2
2 1 2 1 2 2 3
3 1 2 2 3 3 4
4 1 2 1 4 4 1
5 2 2 0 1 1 2 3
6 2 2 0 1 1 3 4
$EndElements
"#;

/// The error of the square after some text is replaced.
fn error_after(changes: &[(&str, &str)]) -> MeshError {
    let file = changes.iter().fold(SQUARE.to_owned(), |file, (from, to)| {
        assert_eq!(file.matches(from).count(), 1, "{from:?}");
        file.replace(from, to)
    });
    parse(file.as_bytes()).expect_err("the square should be broken")
}

#[test]
fn each_wrong_mesh_has_its_error_with_the_element() {
    assert_sound(&parse(SQUARE.as_bytes()).unwrap(), [0.0; 2]);
    let seventh = |element: &str| [("s\n6\n", "s\n7\n".to_owned()), ("$EndE", format!("{element}\n$EndE"))];
    let with_seventh = |element: &str| {
        let changes = seventh(element);
        error_after(&[(changes[0].0, &changes[0].1), (changes[1].0, &changes[1].1)])
    };

    use MeshError::*;
    let error = error_after(&[("1 1 3 4", "1 1 3 9")]);
    assert!(matches!(error, MissingVertex { element: 6, vertex: 9 }), "{error}");
    let error = error_after(&[("1 1 3 4", "1 1 4 3")]);
    assert!(matches!(error, Inverted { element: 6, area, .. } if area == -0.5), "{error}");
    let error = error_after(&[("4 0 1 0", "4 0.5 0.5 0")]);
    assert!(matches!(error, Degenerate { element: 6, .. }), "{error}");
    let error = error_after(&[("1 1 3 4", "1 3 3 4")]);
    assert!(matches!(error, Degenerate { element: 6, .. }), "{error}");
    let error = error_after(&[("4 1 2 1 4 4 1\n", ""), ("s\n6\n", "s\n5\n")]);
    assert!(matches!(error, UnnamedFace { element: 6, count: 1, .. }), "{error}");
    let error = error_after(&[("3 1 2 2 3", "3 1 2 8 3")]);
    assert!(matches!(error, DanglingTag { element: 3, .. }), "{error}");
    let error = error_after(&[("3 1 2 2 3 3 4", "3 1 2 2 3 3 5")]);
    assert!(matches!(error, DanglingTag { element: 3, .. }), "{error}");
    let error = with_seventh("7 2 2 0 1 1 5 3");
    assert!(matches!(error, OverusedFace { first: 5, second: 6, third: 7, .. }), "{error}");
    let error = with_seventh("7 2 2 0 1 2 1 5");
    assert!(matches!(error, Inverted { element: 7, .. }), "{error}");
    let error = with_seventh("7 2 2 0 1 1 2 5");
    assert!(matches!(error, Overlap { first: 5, second: 7, .. }), "{error}");
    let error = with_seventh("7 1 2 1 5 1 3");
    assert!(matches!(error, InnerFace { first: 5, second: 6, .. }), "{error}");
    let error = with_seventh("7 1 2 1 5 2 4");
    assert!(matches!(error, StrayFace { .. }), "{error}");
    let error = with_seventh("7 1 2 2 5 1 2");
    assert!(matches!(&error, TwoBoundaries { element: 5, first, second } if first == "wall" && second == "lid"));
    let error = error_after(&[("3 1 1 0", "3 1 1 0.1")]);
    assert!(matches!(error, NotPlane { vertex: 3, .. }), "{error}");
    let error = error_after(&[("3 1 1 0", "3 1 nan 0")]);
    assert!(matches!(error, NotFinite { vertex: 3 }), "{error}");
    let error = error_after(&[("3 1 1 0", "4 1 1 0")]);
    assert!(matches!(error, DuplicateVertex { vertex: 4 }), "{error}");
    for unsupported in [
        error_after(&[("2.2 0", "3 0")]),
        error_after(&[("0 8", "0 4")]),
        error_after(&[("6 2 2 0 1 1 3 4", "6 3 2 0 1 1 2 3 4")]),
        error_after(&[("6 2 2 0 1 1 3 4", "6 9 2 0 1 1 2 3 4 5 5")]),
        error_after(&[("6 2 2 0 1 1 3 4", "6 4 2 0 1 1 2 3 4")]),
    ] {
        assert!(matches!(unsupported, Unsupported { .. }), "{unsupported}");
    }
    let error = error_after(&[("5 2 2 0 1 1 2 3\n6 2 2 0 1 1 3 4\n", ""), ("s\n6\n", "s\n4\n")]);
    assert!(matches!(error, NoElements), "{error}");
    let error = error_after(&[("4 0 1 0", "4 zero 1 0")]);
    assert!(matches!(&error, Syntax { found, .. } if found == "zero"), "{error}");
    assert!(matches!(parse(b"solid cube\n").unwrap_err(), Syntax { .. }));
}

#[test]
fn periods_that_do_not_fit_are_refused() {
    let period = |pairs: &str| {
        error_after(&[("$EndElements\n", &format!("$EndElements\n$Periodic\n1\n1 2 4\n2\n{pairs}\n$EndPeriodic\n"))])
    };
    let problem = |error: MeshError| match error {
        MeshError::Periodic { problem, .. } => problem,
        other => panic!("not a period's error: {other}"),
    };
    assert!(problem(period("2 1 8 4")).contains("node 8, which does not exist"));
    assert!(problem(period("2 3 3 1")).contains("no face on the boundary"));
    // The right side turned by a quarter, and upside down.
    assert!(problem(period("2 4 3 3")).contains("elements 5 and 6 differ by more than a translation"));
    assert!(problem(period("2 4 3 1")).contains("same side"));
}

#[test]
fn an_entity_that_is_not_listed_is_refused() {
    let mesh = Rectangle { cells: [1, 1], ..Rectangle::default() }.mesh().unwrap();
    let file = String::from_utf8(write(&mesh, FORMATS[3], false)).unwrap();
    let error = parse(file.replace("1 2 1 1 2 ", "1 9 1 1 2 ").as_bytes()).unwrap_err();
    assert!(matches!(error, MeshError::DanglingTag { element: 2, .. }), "{error}");
}

#[test]
fn errors_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("square.msh");
    let missing = super::read(&path).unwrap_err();
    assert!(missing.to_string().contains("square.msh"));
    std::fs::write(&path, &SQUARE[..150]).unwrap();
    let cut = super::read(&path).unwrap_err();
    assert!(cut.to_string().contains("square.msh"));
    let reason = std::error::Error::source(&cut).unwrap().to_string();
    assert!(reason.contains("ends inside $Nodes, at byte 150"), "{reason}");
}
