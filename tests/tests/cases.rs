//! The case files that come with Rankine, and those in its documentation.

use std::path::Path;

use dg_runtime::case::{Case, Initial};
use tests::root;

/// The blocks of TOML in `docs/cases.md`.
fn documented() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/cases.md")).unwrap();
    text.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn every_case_fits_its_law_and_its_mesh() {
    let mut cases = 0;
    for entry in std::fs::read_dir(root().join("equations/cases")).unwrap() {
        let path = entry.unwrap().path();
        let case = Case::read(&path, equations::LAWS).unwrap();
        case.setup(&case.build_mesh().unwrap()).unwrap();
        // What has no exact solution to be held to has shocks.
        let limited = std::fs::read_to_string(&path).unwrap().contains("[limiter]");
        assert!(case.exact.is_some() || limited, "{}", path.display());
        cases += 1;
    }
    assert!(cases >= 4);
}

#[test]
fn the_documented_case_is_one() {
    let blocks = documented();
    let case = Case::parse(&blocks[0], Path::new("case.toml"), equations::LAWS).unwrap();
    case.setup(&case.build_mesh().unwrap()).unwrap();

    let (before, _) = blocks[0].split_once("[initial]").unwrap();
    let (_, after) = blocks[0].split_once("[time]").unwrap();
    let with_formulas = format!("{before}{}[time]{after}", blocks[1]);
    let case = Case::parse(&with_formulas, Path::new("case.toml"), equations::LAWS).unwrap();
    assert!(matches!(case.initial, Initial::Formulas(_)));
}

#[test]
fn the_documented_states_and_conditions_are_some() {
    let blocks = documented();
    let start = r#"
        law = "euler"
        order = 1
        mesh = { generator = "rectangle", lower = [0, -0.5], upper = [2, 0.5], cells = [20, 20] }
        boundaries.right = "outflow"
        boundaries.bottom = "slip_wall"
        boundaries.top = "slip_wall"
        time.final = 1
        initial.state = "moving"
        exact.state = "moving"
    "#;
    let text = format!("{start}{}{}", blocks[2], blocks[3]);
    let case = Case::parse(&text, Path::new("case.toml"), equations::LAWS).unwrap_or_else(|error| panic!("{error}"));
    case.setup(&case.build_mesh().unwrap()).unwrap();
    assert!(matches!(case.initial, Initial::Formulas(_)) && case.exact.is_some());
}

#[test]
fn the_documented_pictures_are_some() {
    let blocks = documented();
    let (before, _) = blocks[0].split_once("[output]").unwrap();
    let pictures = blocks.iter().find(|block| block.contains("[output.picture]")).unwrap();
    let path = root().join("equations/cases/case.toml");
    let case = Case::parse(&format!("{before}{pictures}"), &path, equations::LAWS).unwrap();
    let names: Vec<_> = case.output.pictures.iter().map(|picture| picture.name.as_str()).collect();
    assert_eq!(names, ["rho", "rho_schlieren", "jet"]);
}
