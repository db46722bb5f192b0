//! Files as Gmsh writes them, whole and broken.

mod square;

use super::write::{FORMATS, write};
use super::{check_memory, parse};
use crate::law::Shape;
use crate::mesh::generate::{QuarterAnnulus, Rectangle};
use crate::mesh::tests::{area, assert_sound};
use crate::mesh::{Curve, Mesh, MeshError, Neighbour};

fn names_of(mesh: &Mesh) -> Vec<&str> {
    mesh.boundaries.iter().map(|boundary| boundary.name.as_str()).collect()
}

/// Asserts equality except for the numbers of vertices and declared curves.
fn assert_same(read: &Mesh, written: &Mesh) {
    assert_eq!(read.neighbours, written.neighbours);
    assert_eq!(read.boundary_faces, written.boundary_faces);
    assert_eq!(names_of(read), names_of(written));
    for element in 0..written.element_count() {
        for (&here, &there) in read.corners(element).iter().zip(written.corners(element)) {
            assert_eq!(read.vertex(here), written.vertex(there));
        }
    }
}

#[test]
fn every_format_gives_the_mesh_that_was_written() {
    for (shape, format) in Shape::ALL.into_iter().flat_map(|shape| FORMATS.map(|format| (shape, format))) {
        let annulus = QuarterAnnulus { shape, ..QuarterAnnulus::default() }.mesh().unwrap();
        assert_same(&parse(&write(&annulus, format, false)).unwrap(), &annulus);
        for periodic in [[false, false], [true, false], [true, true]] {
            let options = Rectangle { shape, jitter: 0.2, cells: [5, 4], periodic, ..Rectangle::default() };
            let mesh = options.mesh().unwrap();
            // The sides of these periods have no names.
            let read = parse(&write(&mesh, format, false)).unwrap_or_else(|error| panic!("{format:?}: {error}"));
            assert_same(&read, &mesh);
            assert_sound(&read, [1.0, 1.0]);
        }
    }
}

/// A square with a smaller one in its lower left corner: three quadrilaterals, of which 13 is none of a parallelogram, in two regions.
/// In version 4.1 all three run clockwise, since the surfaces look down.
#[test]
fn quadrilaterals_of_a_file_written_by_hand_are_read() {
    let names = "$PhysicalNames\n4\n1 1 \"wall\"\n1 2 \"lid\"\n2 3 \"fluid\"\n2 4 \"corner\"\n$EndPhysicalNames\n";
    let nodes = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 2.0], [2.0, 2.0]];
    let lines = [(1, [1, 2]), (1, [2, 3]), (2, [3, 7]), (1, [7, 6]), (1, [6, 4]), (1, [4, 1])];
    let quadrilaterals = [(4, [1, 2, 5, 4]), (3, [2, 3, 7, 5]), (3, [4, 5, 7, 6])];

    let mut old = format!("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{names}$Nodes\n7\n");
    for (node, [x, y]) in (1..).zip(nodes) {
        old += &format!("{node} {x} {y} 0\n");
    }
    old += "$EndNodes\n$Elements\n9\n";
    for (tag, (group, [a, b])) in (1..).zip(lines) {
        old += &format!("{tag} 1 2 {group} {group} {a} {b}\n");
    }
    for (tag, (group, [a, b, c, d])) in (11..).zip(quadrilaterals) {
        old += &format!("{tag} 3 2 {group} {group} {a} {b} {c} {d}\n");
    }
    old += "$EndElements\n";

    let mut new = format!(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{names}$Entities\n0 2 2 0\n1 0 0 0 2 2 0 1 1 0\n2 2 0 0 2 2 0 1 2 0\n\
         3 0 0 0 2 2 0 1 3 0\n4 0 0 0 1 1 0 1 4 0\n$EndEntities\n$Nodes\n1 7 1 7\n2 3 0 7\n1\n2\n3\n4\n5\n6\n7\n"
    );
    for [x, y] in nodes {
        new += &format!("{x} {y} 0\n");
    }
    new += "$EndNodes\n$Elements\n9 9 1 13\n";
    for (tag, (group, [a, b])) in (1..).zip(lines) {
        new += &format!("1 {group} 1 1\n{tag} {a} {b}\n");
    }
    for (tag, (group, [a, b, c, d])) in (11..).zip(quadrilaterals) {
        new += &format!("2 {group} 3 1\n{tag} {d} {c} {b} {a}\n");
    }
    new += "$EndElements\n";

    for file in [&old, &new] {
        let mesh = parse(file.as_bytes()).unwrap();
        assert_sound(&mesh, [0.0; 2]);
        assert_eq!((mesh.shape(0), mesh.element_count(), mesh.face_count()), (Shape::Quadrilateral, 3, 9));
        assert_eq!([0, 1, 2].map(|element| mesh.geometry(element).measure(mesh.shape(element))), [1.0, 1.5, 1.5]);
        assert_eq!((names_of(&mesh), mesh.boundary_face_counts()), (vec!["wall", "lid"], vec![5, 1]));
        assert_eq!([0, 1, 2].map(|element| mesh.groups().of(element)[0].as_str()), ["corner", "fluid", "fluid"]);
        assert!(!mesh.is_affine());
        assert_sound(&mesh.refined().unwrap().renumbered(), [0.0; 2]);
    }

    let error = |from: &str, to: &str| {
        let error = parse(old.replace(from, to).as_bytes()).expect_err(to);
        std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source())
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(": ")
    };
    // One that is not convex, one that crosses itself, one with a vertex twice, and one that is larger than the squares of its sides can be.
    for (from, to, message) in [
        (
            "5 1 1 0",
            "5 0.4 0.4 0",
            "line 29: element 11 at (0, 0) is a quadrilateral with a corner of 180 degrees or more; move its vertices",
        ),
        (
            "11 3 2 4 4 1 2 5 4",
            "11 3 2 4 4 1 2 4 5",
            "line 29: element 11 at (0, 0) is degenerate (area 0e0); its sides cross: write its corners in their order",
        ),
        (
            "11 3 2 4 4 1 2 5 4",
            "11 3 2 4 4 1 2 2 4",
            "line 29: element 11 at (0, 0) has the vertex at (1, 0) twice; remove the element, or write it with as many corners",
        ),
        ("7 2 2 0", "7 2e200 2e200 0", "has sides of length 2.8"),
        ("13 3 2 3 3 4 5 7 6", "13 3 2 3 3 6 7 5 4", "line 31: element 13 at (0, 2) is inverted"),
        // In an element's line: a node too few, and one too many.
        (
            "11 3 2 4 4 1 2 5 4",
            "11 3 2 4 4 1 2 5",
            "expected 4 nodes of element 11 at the end of its line in $Elements at line 29, found `11 3 2 4 4 1 2 5`",
        ),
        (
            "11 3 2 4 4 1 2 5 4",
            "11 3 2 4 4 1 2 5 4 4",
            "expected 4 nodes of element 11 at the end of its line in $Elements at line 29",
        ),
        ("12 3 2 3 3 2 3 7 5", "12 16 2 3 3 2 3 7 5 1 1 1 1", "line 30: element 12 is without nodes inside"),
    ] {
        let found = error(from, to);
        assert!(found.contains(message), "{found}");
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
        let mesh = parse(file).unwrap();
        assert_sound(&mesh, [2.0, 1.0]);
        assert_eq!(mesh.boundary("left").map(|left| mesh.offered_period(left)).unwrap(), Some("right"));
        assert_eq!(mesh.boundary("top").map(|top| mesh.offered_period(top)).unwrap(), None);
        assert_eq!(mesh.periodic_pairs().count(), 0);

        let mut mesh = mesh.with_periods(&[("left", "right")]).unwrap();
        assert_sound(&mesh, [2.0, 1.0]);
        assert!((area(&mesh) - exact).abs() < 1e-13);
        assert_eq!(names_of(&mesh), ["bottom", "top", "body"]);
        assert_eq!(mesh.boundary_face_counts()[2], 8);
        // The period covers the whole side, whose length is 1.
        let length = |[slot, _]: [u32; 2]| mesh.geometry(slot as usize / 3).face_lengths[slot as usize % 3];
        assert!((mesh.periodic_pairs().map(length).sum::<f64>() - 1.0).abs() < 1e-14);
        mesh.set_curve("body", Some(Curve::Circle { centre: [1.0, 0.5], radius: 0.25 })).unwrap();
        assert_sound(&mesh.refined().unwrap().renumbered(), [2.0, 1.0]);
    }
}

/// See `fixtures/square.geo`.
#[test]
fn files_as_users_have_them_are_read() {
    let files: [&[u8]; 4] = [
        include_bytes!("fixtures/square-2.2-text.msh"),
        include_bytes!("fixtures/square-2.2-binary.msh"),
        include_bytes!("fixtures/square-4.1-text.msh"),
        include_bytes!("fixtures/square-4.1-binary.msh"),
    ];
    for file in files {
        let mesh = parse(file).unwrap();
        assert_sound(&mesh, [0.0; 2]);
        assert_eq!((mesh.element_count(), mesh.boundary_face_counts()), (5, vec![1, 1, 2, 1]));
        assert!((area(&mesh) - 1.0).abs() < 1e-14);
        assert_eq!(names_of(&mesh), ["bottom", "right", "the \"upper\" lid", "left"]);
        // The surface is in two groups.
        assert!((0..5).all(|element| mesh.groups().of(element) == ["everything", "fluid"]));
        // The left side is offered a translation and a rotation.
        assert_eq!(
            [0, 1, 2, 3].map(|boundary| mesh.offered_period(boundary)),
            [Some("left"), Some("left"), None, Some("right")]
        );
        let refined = mesh.refined().unwrap().renumbered();
        for mesh in [mesh.clone(), refined] {
            let (translated, turned) =
                (mesh.clone().with_periods(&[("left", "right")]), mesh.with_periods(&[("left", "bottom")]));
            let translated = translated.unwrap();
            assert_sound(&translated, [1.0, 0.0]);
            assert!(translated.turns().is_empty());
            // Vectors at the left are turned by a right angle where they come to the bottom, and back.
            let turns = turned.unwrap().turns();
            assert!(turns.values().all(|[cosine, sine]| cosine.abs() < 1e-15 && (sine.abs() - 1.0).abs() < 1e-15));
            assert!(!turns.is_empty() && turns.values().map(|[_, sine]| sine).sum::<f64>().abs() < 1e-15);
        }
    }
}

/// See `fixtures/quadrilaterals.geo`.
#[test]
fn quadrilaterals_that_gmsh_wrote_are_read() {
    let files: [&[u8]; 4] = [
        include_bytes!("fixtures/quadrilaterals-2.2-text.msh"),
        include_bytes!("fixtures/quadrilaterals-2.2-binary.msh"),
        include_bytes!("fixtures/quadrilaterals-4.1-text.msh"),
        include_bytes!("fixtures/quadrilaterals-4.1-binary.msh"),
    ];
    for file in files {
        let mesh = parse(file).unwrap();
        assert_sound(&mesh, [0.0; 2]);
        assert_eq!((mesh.shape(0), mesh.element_count(), mesh.is_affine()), (Shape::Quadrilateral, 4, false));
        assert!((area(&mesh) - 2.0).abs() < 1e-11);
        assert_eq!((names_of(&mesh), mesh.boundary_face_counts()), (vec!["left", "right", "wall"], vec![1, 1, 8]));
        let in_group = |name: &str| (0..4).filter(|&element| mesh.groups().of(element) == [name]).count();
        assert_eq!(["copper", "iron"].map(in_group), [3, 1]);
        assert_eq!([0, 1, 2].map(|boundary| mesh.offered_period(boundary)), [Some("right"), Some("left"), None]);
        let refined = mesh.refined().unwrap().renumbered();
        assert_sound(&refined.with_periods(&[("left", "right")]).unwrap(), [2.0, 0.0]);
    }
}

/// A row of cells, of which each is a surface of its own, in groups of two kinds; groups without a name are called by their number.
#[test]
fn elements_stay_in_their_groups_when_a_mesh_is_refined_and_renumbered() {
    const COPY: &str = "3 2 2 9 0 1 3 4\n";
    let cell = |i: usize| {
        let (group, tag) = (if i < 3 { 1 } else { 7 }, 3 + 2 * i);
        let [a, b, c, d] = [2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1].map(|node| node + 1);
        // The first element is in another group, too.
        let more = if i == 0 { COPY } else { "" };
        format!("{tag} 2 2 {group} {i} {a} {b} {c}\n{more}{} 2 2 {group} {i} {a} {c} {d}\n", tag + 1)
    };
    let line = |from: usize, to: usize| format!("1 1 2 5 5 {} {}\n", from + 1, to + 1);
    let sides = (0..6).flat_map(|i| [line(2 * i, 2 * i + 2), line(2 * i + 1, 2 * i + 3)]);
    let lines = sides.chain([line(0, 1), line(12, 13)]).collect::<String>();
    let nodes = (0..14).map(|i| format!("{} {} {} 0\n", i + 1, i / 2, i % 2)).collect::<String>();
    let file = format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 5 \"rim\"\n2 1 \"steel\"\n2 9 \"first\"\n$EndPhysicalNames\n\
         $Nodes\n14\n{nodes}$EndNodes\n$Elements\n27\n{lines}{}$EndElements\n",
        (0..6).map(cell).collect::<String>()
    );
    let mesh = parse(file.as_bytes()).unwrap();
    assert_eq!(mesh.groups().names(), ["7", "first", "steel"]);
    assert_eq!(mesh.groups().counts(), (vec![("7", 6), ("first", 1), ("steel", 6)], 0));
    // The copy may come anywhere.
    let late =
        parse(file.replace(COPY, "").replace("$EndElements", &format!("{COPY}$EndElements")).as_bytes()).unwrap();
    assert_eq!((late.hash(), late.groups().counts()), (mesh.hash(), mesh.groups().counts()));
    let lonely = parse(file.replace("2 2 7 ", "2 2 0 ").as_bytes()).unwrap();
    assert_eq!(lonely.groups().counts(), (vec![("first", 1), ("steel", 6)], 6));
    for mesh in [mesh.refined().unwrap().renumbered(), mesh.renumbered(), mesh] {
        for element in 0..mesh.element_count() {
            let [x, y] = [0, 1].map(|d| mesh.centroid(element)[d]);
            let groups = mesh.groups().of(element);
            assert_eq!(groups.contains(&"steel".to_owned()), x < 3.0);
            assert_eq!(groups.contains(&"7".to_owned()), x > 3.0);
            assert_eq!(groups.contains(&"first".to_owned()), x < 1.0 && y < x);
            assert_eq!(mesh.groups_at(&[x, y]), groups);
        }
    }
}

/// All four sides are in one physical group: only the file can tell which faces are opposite.
#[test]
fn a_boundary_can_be_periodic_with_itself_where_the_file_says_how() {
    let file = String::from_utf8(include_bytes!("fixtures/square-2.2-text.msh").to_vec()).unwrap();
    let file = file.replace("1 2 \"right\"", "1 2 \"sides\"").replace("1 4 \"left\"", "1 4 \"sides\"");
    let mesh = parse(file.as_bytes()).unwrap();
    assert_eq!(mesh.boundary_face_counts(), [1, 2, 2]);
    assert_eq!(mesh.offered_period(1), Some("sides"));
    let joined = mesh.with_periods(&[("sides", "sides")]).unwrap();
    assert_sound(&joined, [1.0, 0.0]);
    assert_eq!(names_of(&joined), ["bottom", "the \"upper\" lid"]);
}

#[test]
fn a_surface_that_looks_down_is_turned() {
    for (shape, format) in Shape::ALL.into_iter().flat_map(|shape| FORMATS.map(|format| (shape, format))) {
        let mesh = QuarterAnnulus { shape, ..QuarterAnnulus::default() }.mesh().unwrap();
        let read = parse(&write(&mesh, format, true)).unwrap();
        assert_sound(&read, [0.0; 2]);
        assert_eq!(read.boundary_face_counts(), mesh.boundary_face_counts());
        assert_eq!(read.geometry(5).determinant, mesh.geometry(5).determinant);
    }
}

/// A quarter of a ring: see `fixtures/bend.geo`.
#[test]
fn elements_with_curved_sides_are_read() {
    let files: [(&[u8], Shape, usize); 7] = [
        (include_bytes!("fixtures/bend-triangles-2.msh"), Shape::Triangle, 2),
        (include_bytes!("fixtures/bend-triangles-2-binary.msh"), Shape::Triangle, 2),
        (include_bytes!("fixtures/bend-triangles-3.msh"), Shape::Triangle, 3),
        (include_bytes!("fixtures/bend-triangles-4.msh"), Shape::Triangle, 4),
        (include_bytes!("fixtures/bend-quadrilaterals-2.msh"), Shape::Quadrilateral, 2),
        (include_bytes!("fixtures/bend-quadrilaterals-3.msh"), Shape::Quadrilateral, 3),
        (include_bytes!("fixtures/bend-quadrilaterals-4.msh"), Shape::Quadrilateral, 4),
    ];
    for (bytes, shape, degree) in files {
        let mesh = parse(bytes).unwrap_or_else(|error| panic!("{shape:?} of degree {degree}: {error}"));
        assert_bend(&mesh, shape, degree);
        // Two uniform refinements leave every side what it is.
        assert_bend(&mesh.refined().unwrap().refined().unwrap().renumbered(), shape, degree);
        // Seen from below, where all elements run clockwise.
        if let Ok(text) = str::from_utf8(bytes) {
            let (before, rest) = text.split_once("$Nodes\n").unwrap();
            let (nodes, after) = rest.split_once("$EndNodes").unwrap();
            let mirrored = |line: &str| match line.split(' ').collect::<Vec<_>>()[..] {
                [x, y, z] => format!("{y} {x} {z}\n"),
                _ => format!("{line}\n"),
            };
            let nodes: String = nodes.lines().map(mirrored).collect();
            let text = format!("{before}$Nodes\n{nodes}$EndNodes{after}");
            assert_bend(&parse(text.as_bytes()).unwrap(), shape, degree);
        }
    }
    let error = |bytes: &[u8]| match parse(bytes).unwrap_err() {
        MeshError::Line { source, .. } => source.to_string(),
        error => error.to_string(),
    };
    let refused = error(include_bytes!("fixtures/bend-serendipity.msh"));
    assert!(refused.contains("without nodes inside") && refused.contains("SecondOrderIncomplete = 0"), "{refused}");
    // The middle of a side of the inner circle, moved far into its element.
    let text = include_str!("fixtures/bend-quadrilaterals-2.msh");
    let node = text.lines().find(|line| line.starts_with("0.25881904")).unwrap();
    let refused = error(text.replace(node, "0.4 1.6 0").as_bytes());
    assert!(refused.contains("folded by its curved sides"), "{refused}");
    // One of the two elements beside a side gets another node in its middle.
    let refused = error(TWO_SQUARES.replace("1.0 0.5 0", "1.15 0.5 0").as_bytes());
    assert!(
        refused.contains("elements 7 and 8") && refused.contains("from (1, 0) to (1, 1), 1.5e-1 of its"),
        "{refused}"
    );
    assert!(parse(TWO_SQUARES.as_bytes()).is_ok());
}

/// Two squares of degree 2, which have a node each, at the same place, in the middle of their common side.
const TWO_SQUARES: &str = "$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
1 1 \"rim\"
$EndPhysicalNames
$Nodes
16
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
7 0.5 0 0
8 1.5 0 0
9 0.5 1 0
10 1.5 1 0
11 0 0.5 0
12 2 0.5 0
13 1 0.5 0
14 1.0 0.5 0
15 0.5 0.5 0
16 1.5 0.5 0
$EndNodes
$Elements
8
1 8 2 1 1 1 2 7
2 8 2 1 1 2 3 8
3 8 2 1 1 6 5 10
4 8 2 1 1 5 4 9
5 8 2 1 1 4 1 11
6 8 2 1 1 3 6 12
7 10 2 5 5 1 2 5 4 7 13 9 11 15
8 10 2 5 5 2 3 6 5 8 12 10 14 16
$EndElements
";

/// A ring sector between radii 1 and 2, in sides of 30 degrees of this degree.
fn assert_bend(mesh: &Mesh, shape: Shape, degree: usize) {
    let what = format!("{} elements, {shape:?} of degree {degree}", mesh.element_count());
    assert_eq!((mesh.shape(0), mesh.degree()), (shape, degree), "{what}");
    let exact = 0.75 * std::f64::consts::PI;
    let error = (area(mesh) / exact - 1.0).abs();
    assert!(error < [3e-4, 2e-4, 1e-6][degree - 2], "{what}: {error:e}");
    assert!(mesh.check_maps().is_ok());
    for face in mesh.boundary_faces() {
        let name = mesh.boundaries()[usize::from(face.boundary)].name.as_str();
        for s in [0.0, 0.3, 0.5, 1.0] {
            let [x, y] = mesh.face_position(face.element as usize, face.face.into(), s);
            let off = match name {
                "inner" => x.hypot(y) - 1.0,
                "outer" => x.hypot(y) - 2.0,
                // The mirrored one has them exchanged.
                _ => x.min(y),
            };
            assert!(off.abs() < [4e-3, 2e-4, 2e-5][degree - 2], "{what}, {name}: {off:e}");
        }
    }
    for element in 0..mesh.element_count() {
        for face in 0..shape.faces() {
            let Neighbour::Element { element: other, face: behind } = mesh.neighbour(element, face) else { continue };
            let here = mesh.face_position(element, face, 0.3);
            let there = mesh.face_position(other as usize, behind.into(), 0.7);
            assert!((here[0] - there[0]).hypot(here[1] - there[1]) < 1e-13, "{what}");
        }
    }
}

#[test]
fn triangles_and_quadrilaterals_of_one_file_share_faces() {
    let rectangle = Rectangle { cells: [5, 4], layers: 2, periodic: [true, false], ..Rectangle::default() };
    let mesh = rectangle.mesh().unwrap();
    for format in FORMATS {
        let read = parse(&write(&mesh, format, false)).unwrap();
        assert_eq!(read.elements().counts(), [20, 10], "{format:?}");
        assert_sound(&read, [1.0, 0.0]);
        assert!((area(&read) - 1.0).abs() < 1e-14);
        assert!(read.periodic_face_count() == 0 || read.face_count() == mesh.face_count());
    }
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    for (shape, format) in Shape::ALL.into_iter().flat_map(|shape| FORMATS.map(|format| (shape, format))) {
        let whole = Rectangle { shape, cells: [2, 1], periodic: [true, false], ..Rectangle::default() }.mesh().unwrap();
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
    for (shape, format) in Shape::ALL.into_iter().cycle().zip(FORMATS) {
        let whole = Rectangle { shape, cells: [2, 1], periodic: [true, false], ..Rectangle::default() }.mesh().unwrap();
        let mut bytes = write(&whole, format, false);
        for i in 0..bytes.len() {
            let byte = bytes[i];
            for broken in [0, 0x7f, 0xff, b'-', b'9', b' '] {
                bytes[i] = broken;
                // Some bytes do not matter; but anything accepted must be a valid mesh.
                if let Ok(mesh) = parse(&bytes) {
                    assert!((0..mesh.element_count()).all(|element| mesh.geometry(element).determinant > 0.0));
                }
            }
            bytes[i] = byte;
        }
    }
}
