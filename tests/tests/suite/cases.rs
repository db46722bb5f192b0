//! The case files that come with Rankine, and those in its documentation.

use std::path::Path;

use dg_runtime::case::{Case, Initial};
use dg_runtime::law::{Arguments, Role};
use tests::{example, root, solver};

/// The blocks of TOML in `docs/cases.md`.
fn documented() -> Vec<String> {
    let text = std::fs::read_to_string(root().join("docs/cases.md")).unwrap();
    text.split("```toml\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn every_case_fits_its_law_and_its_mesh() {
    let mut cases = 0;
    let folders =
        ["equations/cases", "docs/time-to-solution"].map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    for entry in folders.into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let case = Case::read(&path, equations::LAWS).unwrap();
        case.setup(&case.build_mesh().unwrap()).unwrap();
        cases += 1;
    }
    assert!(cases >= 4);
}

fn starting_with<'a>(blocks: &'a [String], head: &str) -> &'a str {
    blocks.iter().find(|block| block.starts_with(head)).unwrap()
}

#[test]
#[ignore = "long"]
fn the_documented_case_is_one() {
    let blocks = documented();
    let case = Case::parse(&blocks[0], Path::new("case.toml"), equations::LAWS).unwrap();
    let mut solver = solver(&case);
    // Beyond the peak of its point source.
    while solver.clock().unwrap().time < 1.2 {
        solver.advance(1.2, solver.most_steps().min(100)).unwrap();
    }

    let (before, _) = blocks[0].split_once("[initial]").unwrap();
    let (_, after) = blocks[0].split_once("[time]").unwrap();
    let with_formulas = format!("{before}{}[time]{after}", starting_with(&blocks, "[initial.formulas]"));
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
    let rest = ["[formulas]", "[boundaries.left]"].map(|head| starting_with(&blocks, head)).concat();
    let text = format!("{start}{rest}");
    let case = Case::parse(&text, Path::new("case.toml"), equations::LAWS).unwrap_or_else(|error| panic!("{error}"));
    case.setup(&case.build_mesh().unwrap()).unwrap();
    assert!(matches!(case.initial, Initial::Formulas(_)) && case.exact.is_some());
}

#[test]
fn the_documented_measurements_are_some() {
    let blocks = documented();
    let (before, rest) = blocks[0].split_once("[measure.forces.inner]").unwrap();
    let (_, after) = rest.split_once("[output]").unwrap();
    let measurements = starting_with(&blocks, "[measure]");
    let text = format!("{before}{measurements}[output]{after}");
    let case = Case::parse(&text, Path::new("case.toml"), equations::LAWS).unwrap_or_else(|error| panic!("{error}"));
    case.setup(&case.build_mesh().unwrap()).unwrap();
    let names: Vec<String> = case.measure.unwrap().files.iter().map(|rows| rows.file()).collect();
    assert_eq!(
        names,
        ["forces_body.csv", "flux_leaving.csv", "region_all.csv", "plane_near.csv", "line_wake.csv", "wall_body.csv"]
    );
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

/// The ghost state on a boundary of a case of the Euler equations at rest, and its flux in x and y.
fn ghost(case: &Case, boundary: &str, position: [f64; 2], time: f64) -> ([f64; 4], [f64; 8]) {
    let (mut ghost, mut flux) = ([f64::NAN; 4], [f64::NAN; 8]);
    let (parameters, state) = (&case.parameters, &[1.4, 0.2, -0.3, 2.5]);
    let at = Arguments { parameters, state, right: &[], normal: &[0.0, -1.0], position: &position, time };
    case.boundaries[boundary].ghost(&at, &mut ghost);
    let function = case.law.with_role(Role::Flux).next().unwrap().host.unwrap();
    function(&Arguments { state: &ghost, ..at }, &mut flux);
    (ghost, flux)
}

/// The state of gas with γ = 1.4 of this density, velocity and pressure.
fn conserved(rho: f64, v1: f64, v2: f64, p: f64) -> [f64; 4] {
    [rho, rho * v1, rho * v2, p / 0.4 + 0.5 * rho * (v1 * v1 + v2 * v2)]
}

#[track_caller]
fn assert_near(found: [f64; 4], expected: [f64; 4]) {
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs()),
        "{found:?} instead of {expected:?}"
    );
}

#[test]
fn the_shock_of_the_double_mach_reflection_is_the_published_one() {
    // Woodward & Colella: density 8, speed 8.25, pressure 116.5 behind; 1/6 + (1 + 20 t)/√3 along the top, y = 1.
    let case = example("double_mach.toml", &[]);
    let angle = std::f64::consts::PI / 6.0;
    let behind = conserved(8.0, 8.25 * angle.cos(), -8.25 * angle.sin(), 116.5);
    let ahead = conserved(1.4, 0.0, 0.0, 1.0);
    for t in [0.0, 0.13, 0.2] {
        let front = 1.0 / 6.0 + (1.0 + 20.0 * t) / 3.0_f64.sqrt();
        assert_near(ghost(&case, "top", [front - 1e-12, 1.0], t).0, behind);
        assert_near(ghost(&case, "top", [front + 1e-12, 1.0], t).0, ahead);
    }
    // The shock starts at the beginning of the wall.
    assert_near(ghost(&case, "bottom", [0.166, 0.0], 0.1).0, behind);
    assert_near(ghost(&case, "bottom", [0.167, 0.0], 0.1).0, [1.4, 0.2, 0.3, 2.5]);
    let Initial::Formulas(initial) = &case.initial else { panic!() };
    let mut start = [0.0; 4];
    let position = &[1.0 / 6.0 + 0.5 / 3.0_f64.sqrt() - 1e-12, 0.5];
    initial.value(
        &Arguments { parameters: &case.parameters, state: &[], right: &[], normal: &[], position, time: 0.0 },
        &mut start,
    );
    assert_near(start, behind);
}

#[test]
fn the_shocks_of_four_gases_run_as_their_states_say() {
    let case = example("riemann_2d.toml", &[]);
    let left = |y: f64| ghost(&case, "left", [0.0, y], 0.3);
    let ((below, f), (above, g)) = (left(0.1), left(0.9));
    let speeds = [0, 2, 3].map(|i| (g[4 + i] - f[4 + i]) / (above[i] - below[i]));
    assert!(speeds.iter().all(|speed| (speed - speeds[0]).abs() < 1e-3), "{speeds:?}");
    let front = 0.5 + 0.3 * speeds[0];
    assert_eq!((left(front - 1e-12).0, left(front + 1e-12).0), (below, above));
    let mirrored = ghost(&case, "bottom", [0.9, 0.0], 0.3).0;
    assert_eq!((mirrored[1], mirrored[2]), (above[2], above[1]));
}

#[test]
fn what_comes_into_shu_and_oshers_problem_and_the_channel_is_the_published_flow() {
    let flow = ghost(&example("shu_osher.toml", &[]), "left", [-5.0, 0.1], 1.0).0;
    assert_near(flow, conserved(27.0 / 7.0, 4.0 / 9.0 * 35.0_f64.sqrt(), 0.0, 31.0 / 3.0));
    assert_near(ghost(&example("forward_step.toml", &[]), "inflow", [0.0, 0.1], 1.0).0, conserved(1.4, 3.0, 0.0, 1.0));
}
