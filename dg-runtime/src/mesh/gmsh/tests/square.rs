//! Changes of one small file: mistakes, periods, and what is read over.

use super::*;

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

/// The error for the square after some replacements.
fn error_after(changes: &[(&str, &str)]) -> MeshError {
    let file = changes.iter().fold(SQUARE.to_owned(), |file, (from, to)| {
        assert_eq!(file.matches(from).count(), 1, "{from:?}");
        file.replace(from, to)
    });
    parse(file.as_bytes()).expect_err("the square should be broken")
}

/// Like [`error_after`], inside the error of the line `wanted`.
fn error_at_line(wanted: usize, changes: &[(&str, &str)]) -> MeshError {
    match error_after(changes) {
        MeshError::Line { line, source } if line == wanted => *source,
        other => panic!("not an error at line {wanted}: {other}"),
    }
}

#[test]
fn each_wrong_mesh_has_its_error_with_the_element() {
    assert_sound(&parse(SQUARE.as_bytes()).unwrap(), [0.0; 2]);
    let seventh = |element: &str| [("s\n6\n", "s\n7\n".to_owned()), ("$EndE", format!("{element}\n$EndE"))];
    let with_seventh = |line: usize, element: &str| {
        let changes = seventh(element);
        error_at_line(line, &[(changes[0].0, &changes[0].1), (changes[1].0, &changes[1].1)])
    };

    use MeshError::*;
    let error = error_at_line(24, &[("1 1 3 4", "1 1 3 9")]);
    assert!(matches!(error, MissingVertex { element: 6, vertex: 9 }), "{error}");
    let error = error_at_line(24, &[("1 1 3 4", "1 1 4 3")]);
    assert!(matches!(error, Inverted { element: 6, area, .. } if area == -0.5), "{error}");
    let error = error_at_line(24, &[("4 0 1 0", "4 0.5 0.5 0")]);
    assert!(matches!(error, Degenerate { element: 6, .. }), "{error}");
    let error = error_at_line(24, &[("1 1 3 4", "1 3 3 4")]);
    assert!(matches!(error, RepeatedVertex { element: 6, .. }), "{error}");
    let error = error_at_line(23, &[("4 1 2 1 4 4 1\n", ""), ("s\n6\n", "s\n5\n")]);
    assert!(matches!(error, UnnamedFace { element: 6, count: 1, .. }), "{error}");
    let error = error_at_line(21, &[("3 1 2 2 3", "3 1 2 8 3")]);
    assert!(matches!(error, DanglingTag { element: 3, .. }), "{error}");
    let error = error_at_line(21, &[("3 1 2 2 3 3 4", "3 1 2 2 3 3 5")]);
    assert!(matches!(error, DanglingTag { element: 3, .. }), "{error}");
    let error = with_seventh(25, "7 2 2 0 1 1 5 3");
    assert!(matches!(error, OverusedFace { first: 5, second: 6, third: 7, .. }), "{error}");
    let error = with_seventh(25, "7 2 2 0 1 2 1 5");
    assert!(matches!(error, Inverted { element: 7, .. }), "{error}");
    let error = with_seventh(25, "7 2 2 0 1 1 2 5");
    assert!(matches!(error, Overlap { first: 5, second: 7, .. }), "{error}");
    let error = with_seventh(23, "7 1 2 1 5 1 3");
    assert!(matches!(error, InnerFace { first: 5, second: 6, .. }), "{error}");
    let changes = seventh("7 1 2 1 5 2 4");
    let error = error_after(&[(changes[0].0, &changes[0].1), (changes[1].0, &changes[1].1)]);
    assert!(matches!(error, StrayFace { .. }), "{error}");
    let error = with_seventh(23, "7 1 2 2 5 1 2");
    assert!(matches!(&error, TwoBoundaries { element: 5, first, second } if first == "wall" && second == "lid"));
    let error = error_at_line(24, &[("6 2 2 0 1 1 3 4", "6 9 2 0 1 1 3 4 1 3 4")]);
    assert!(matches!(error, SeveralDegrees { element: 6, degree: 2, other: 5, of_other: 1 }), "{error}");
    let error = error_at_line(13, &[("3 1 1 0", "3 1 1 0.1")]);
    assert!(matches!(error, NotPlane { vertex: 3, .. }), "{error}");
    let error = error_at_line(13, &[("3 1 1 0", "3 1 nan 0")]);
    assert!(matches!(error, NotFinite { vertex: 3 }), "{error}");
    let error = error_at_line(14, &[("3 1 1 0", "4 1 1 0")]);
    assert!(matches!(error, DuplicateVertex { vertex: 4, .. }), "{error}");
    for unsupported in [
        error_after(&[("2.2 0", "3 0")]),
        error_after(&[("0 8", "0 4")]),
        error_at_line(24, &[("6 2 2 0 1 1 3 4", "6 20 2 0 1 1 2 3 4 5 5 5 5 5 5")]),
        error_at_line(24, &[("6 2 2 0 1 1 3 4", "6 4 2 0 1 1 2 3 4")]),
    ] {
        assert!(matches!(unsupported, Unsupported { .. }), "{unsupported}");
    }
    let error = error_after(&[("5 2 2 0 1 1 2 3\n6 2 2 0 1 1 3 4\n", ""), ("s\n6\n", "s\n4\n")]);
    assert!(matches!(error, NoElements), "{error}");
    let error = error_after(&[("4 0 1 0", "4 zero 1 0")]);
    assert!(matches!(&error, Syntax { found, place, .. } if found == "zero" && place == "line 14"), "{error}");
    assert!(matches!(parse(b"solid cube\n").unwrap_err(), Syntax { .. }));
    for empty in ["", "\n"] {
        let error = parse(empty.as_bytes()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the file is empty; save the mesh again, as version 4.1 or 2.2 (gmsh -2 -format msh41)"
        );
    }
}

/// The square with a period of these pairs of nodes.
fn with_period(square: &str, pairs: &str) -> Result<Mesh, MeshError> {
    let section = format!("$EndElements\n$Periodic\n1\n1 2 4\n{pairs}\n$EndPeriodic\n");
    parse(square.replace("$EndElements\n", &section).as_bytes())
}

#[test]
fn a_period_that_nobody_takes_up_changes_nothing() {
    let plain = parse(SQUARE.as_bytes()).unwrap();
    // Nodes that do not exist, faces inside the mesh, a reflection, and sides that overlap.
    for pairs in ["2\n2 1\n8 4", "2\n2 3\n3 1", "2\n2 4\n3 3", "2\n2 4\n3 1", "2\n2 1\n3 4", "2\n2 2\n3 3", "0"] {
        let mesh = with_period(SQUARE, pairs).unwrap();
        assert_eq!((mesh.hash(), mesh.periodic_pairs().count()), (plain.hash(), 0), "{pairs}");
    }
}

#[test]
fn sides_without_a_name_are_joined_as_the_file_says() {
    let changes = [("2 1 2 1 2 2 3", "2 1 2 0 2 2 3"), ("4 1 2 1 4 4 1", "4 1 2 0 4 4 1")];
    let square = changes.iter().fold(SQUARE.to_owned(), |file, (from, to)| file.replace(from, to));
    assert!(parse(square.as_bytes()).unwrap_err().to_string().starts_with("line "));
    let mesh = with_period(&square, "2\n2 1\n3 4").unwrap();
    assert_sound(&mesh, [1.0, 0.0]);
    assert_eq!((names_of(&mesh), mesh.periodic_pairs().count()), (vec!["wall", "lid"], 1));
    let MeshError::Line { source, .. } = with_period(&square, "2\n2 4\n3 1").unwrap_err() else { panic!() };
    assert!(matches!(*source, MeshError::UnnamedFace { .. }), "{source}");

    // The bottom is rotated onto the left side, which must be as long.
    let square = square.replace("1 1 2 1 1 1 2", "1 1 2 0 1 1 2").replace("2 1 2 0 2", "2 1 2 1 2");
    let mesh = with_period(&square, "2\n1 1\n2 4").unwrap();
    assert_eq!((names_of(&mesh), mesh.turns().len()), (vec!["wall", "lid"], 2));
    let error = with_period(&square.replace("2 1 0 0", "2 1.5 0 0"), "2\n1 1\n2 4").unwrap_err().to_string();
    assert!(error.contains("differ in length") && error.contains("named physical groups"), "{error}");
}

/// Two sides of two faces each: a rotation maps the corners of each face, but bends the side in its middle.
#[test]
fn a_rotation_that_bends_a_side_is_none() {
    let file = |middle: &str| {
        format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"wall\"\n1 2 \"one\"\n1 3 \"other\"\n$EndPhysicalNames\n\
             $Nodes\n6\n1 0 0 0\n2 {middle} 0\n3 2 0 0\n4 2 2 0\n5 0 2 0\n6 0 1 0\n$EndNodes\n$Elements\n10\n\
             1 1 2 2 2 1 2\n2 1 2 2 2 2 3\n3 1 2 3 3 1 6\n4 1 2 3 3 6 5\n5 1 2 1 1 3 4\n6 1 2 1 1 4 5\n\
             7 2 2 0 1 1 2 6\n8 2 2 0 1 2 3 4\n9 2 2 0 1 2 4 6\n10 2 2 0 1 4 5 6\n$EndElements\n\
             $Periodic\n1\n1 2 3\nAffine 0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1\n3\n1 1\n2 6\n3 5\n$EndPeriodic\n"
        )
    };
    let straight = parse(file("1 0").as_bytes()).unwrap();
    assert_eq!(straight.offered_period(1), Some("other"));
    assert_eq!(straight.with_periods(&[("one", "other")]).unwrap().turns().len(), 4);
    // As long as before, to first order in the length of the bend and within the tolerance of lengths.
    let bent = parse(file("1 4e-4").as_bytes()).unwrap();
    assert_eq!(bent.offered_period(1), None);
    let error = bent.with_periods(&[("one", "other")]).unwrap_err().to_string();
    assert!(error.contains("has no vertex at"), "{error}");

    let nameless = |middle: &str| {
        let lines = ["1 1 2 2 2", "2 1 2 2 2", "3 1 2 3 3", "4 1 2 3 3"];
        lines.iter().fold(file(middle), |file, line| file.replace(line, &format!("{} 0 {}", &line[..5], &line[8..])))
    };
    assert_eq!(parse(nameless("1 0").as_bytes()).unwrap().periodic_face_count(), 2);
    let MeshError::Line { source, .. } = parse(nameless("1 4e-4").as_bytes()).unwrap_err() else { panic!() };
    assert!(matches!(*source, MeshError::UnpairedFace { count: 4, .. }), "{source}");
}

#[test]
fn what_surrounds_the_sections_is_skipped() {
    let plain = parse(SQUARE.as_bytes()).unwrap().hash();
    let comments = "// a square\n$Comments\nof $two\n$EndComments\n\n";
    for file in [
        format!("\u{feff}{SQUARE}"),
        format!("{comments}{SQUARE}"),
        format!("\u{feff}{comments}{SQUARE}the end\n"),
        SQUARE.replace("$EndNodes\n", "$EndNodes of five\n// and now elements\n$Comments\n$EndComments\n"),
        SQUARE.replace("$EndNodes\n", "$EndNodes\n$NodeData\n1\n\"speed\"\n$EndNodeData\n"),
        SQUARE.replace('\n', "\r\n"),
        // Node 5 belongs to no triangle.
        SQUARE.replace("5 0.9 0.2 0", "5 inf 0.2 0"),
        SQUARE.replace("5 0.9 0.2 0", "4 0 1 0"),
    ] {
        assert_eq!(parse(file.as_bytes()).map(|mesh| mesh.hash()).unwrap(), plain, "{file}");
    }
    // Lines are counted from the beginning of the file.
    let error = parse(format!("{comments}{}", SQUARE.replace("4 0 1 0", "4 zero 1 0")).as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), "expected a real number in $Nodes at line 19, found `zero`");
    for (file, message) in [
        (
            "// nothing\n$Comments\n$EndComments\n",
            "expected $MeshFormat of a Gmsh file in the beginning at line 1, found `//`",
        ),
        ("\n$Nodes\n0\n$EndNodes\n", "expected $MeshFormat of a Gmsh file in $Nodes at line 2, found `$Nodes`"),
        ("$NOD\n0\n$ENDNOD\n", "MSH version 1"),
    ] {
        let error = parse(file.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let wide: Vec<u8> = std::iter::once(0xfeff).chain(SQUARE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert!(parse(&wide).unwrap_err().to_string().contains("UTF-16"));
}

#[test]
fn what_has_two_names_is_said_to() {
    let file = String::from_utf8(include_bytes!("../fixtures/square-4.1-text.msh").to_vec()).unwrap();
    // The lid's curve is in the group of the left side, too.
    let both = file.replace("3 0 1 0 1 1 0 1 3 2 3 -4", "3 0 1 0 1 1 0 2 3 4 2 3 -4");
    assert_ne!(file, both);
    let MeshError::Line { source, .. } = parse(both.as_bytes()).unwrap_err() else { panic!() };
    assert!(source.to_string().contains("take its curve out of one of the two physical groups"), "{source}");
    // Several groups, one of them with a name.
    let named = file.replace("3 0 1 0 1 1 0 1 3 2 3 -4", "3 0 1 0 1 1 0 3 3 8 9 2 3 -4");
    assert_eq!(parse(named.as_bytes()).map(|mesh| mesh.hash()).unwrap(), parse(file.as_bytes()).unwrap().hash());
}

/// Each file would take gigabytes if all its counts were multiplied, or minutes if all pairs were compared.
#[test]
fn sizes_do_not_multiply() {
    let many = 20_000;
    let entities: String = (1..=many).map(|group| format!("{group} ")).collect();
    let names: String = (1..=many).map(|group| format!("1 {group} \"side {group}\"\n")).collect();
    let lines: String = (1..=many).map(|tag| format!("{tag} 1 2\n")).collect();
    let file = format!(
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n{many}\n{names}$EndPhysicalNames\n\
         $Entities\n0 1 1 0\n1 0 0 0 0 0 0 {many} {entities} 0\n1 0 0 0 0 0 0 0 0\n$EndEntities\n\
         $Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n\
         $Elements\n2 {} 1 {}\n1 1 1 {many}\n{lines}2 1 2 1\n{} 1 2 3\n$EndElements\n",
        many + 1,
        many + 1,
        many + 1,
    );
    let MeshError::Line { source, .. } = parse(file.as_bytes()).unwrap_err() else { panic!() };
    assert!(matches!(*source, MeshError::TwoBoundaries { .. }), "{source}");
}

#[test]
fn an_entity_that_is_not_listed_is_refused() {
    let mesh = Rectangle { cells: [1, 1], ..Rectangle::default() }.mesh().unwrap();
    let file = String::from_utf8(write(&mesh, FORMATS[3], false)).unwrap();
    let error = parse(file.replace("1 2 1 1 2 ", "1 9 1 1 2 ").as_bytes()).unwrap_err();
    let MeshError::Line { source, .. } = error else { panic!("{error}") };
    assert!(matches!(*source, MeshError::DanglingTag { element: 2, .. }), "{source}");
}

#[test]
fn errors_name_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("square.msh");
    let missing = super::super::read(&path).unwrap_err();
    assert!(missing.to_string().contains("square.msh"));
    std::fs::write(&path, &SQUARE[..150]).unwrap();
    let cut = super::super::read(&path).unwrap_err();
    assert!(cut.to_string().contains("square.msh"));
    let reason = std::error::Error::source(&cut).unwrap().to_string();
    assert!(reason.contains("ends inside $Nodes, at line 16"), "{reason}");
}

#[cfg(unix)]
#[test]
fn what_may_have_no_end_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let pipe = directory.path().join("pipe.msh");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (path, kind) in
        [(pipe.as_path(), "pipe"), (std::path::Path::new("/dev/zero"), "device"), (directory.path(), "directory")]
    {
        let error = super::super::read(path).unwrap_err();
        assert!(error.to_string().contains("cannot read mesh file"), "{error}");
        let reason = std::error::Error::source(&error).unwrap().to_string();
        assert_eq!(reason, format!("it is a {kind}, not a regular file"));
    }

    // A terabyte of zeros, and one that begins like a mesh.
    for (beginning, message) in [("", "expected $MeshFormat"), (&SQUARE[..35], "memory")] {
        let path = directory.path().join("sparse.msh");
        std::fs::write(&path, beginning).unwrap();
        std::fs::File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
        let error = super::super::read(&path).unwrap_err();
        let reason = std::error::Error::source(&error).unwrap().to_string();
        assert!(reason.contains(message), "{reason}");
    }
    assert!(check_memory(1000, Some(3999)).is_err() && check_memory(1000, Some(4000)).is_ok());
    assert!(check_memory(u64::MAX, Some(1 << 40)).is_err() && check_memory(u64::MAX, None).is_ok());
}
