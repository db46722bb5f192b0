//! Files as Gmsh writes them, whole and broken.

use super::parse;
use super::write::{FORMATS, write};
use crate::mesh::generate::{QuarterAnnulus, Rectangle};
use crate::mesh::tests::{area, assert_sound};
use crate::mesh::{Curve, Mesh, MeshError};

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
    for empty in ["", "\n"] {
        let error = parse(empty.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file is empty: save the mesh again, as version 4.1 or 2.2 (gmsh -2 -format msh41)"
        );
    }
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
