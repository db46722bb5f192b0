//! Media that depend on time.

use std::path::Path;

use dg_runtime::case::{Case, MeshOrigin};
use tests::solution;

use crate::ader_curved::{MESHES, of_degree};

fn case(text: &str) -> Case {
    Case::parse(text, Path::new("case.toml"), equations::LAWS).unwrap_or_else(|error| panic!("{error}"))
}

/// A hump in LeVeque's swirl, which turns back after half of this period, so that the hump is where it was at the end of it.
fn swirl(order: usize, refine: usize, integrator: &str, period: f64) -> Case {
    let cells = 40_usize.div_ceil(order + 1);
    case(&format!(
        r#"
        law = "transport"
        order = {order}
        flux.numerical = "upwind"
        medium.formulas = {{ v1 = "sin(pi*x)^2 * sin(2*pi*y) * turn", v2 = "-sin(pi*y)^2 * sin(2*pi*x) * turn" }}
        formulas = {{ turn = "cos(pi * t / {period})", hump = "exp(-((x - 0.6)^2 + (y - 0.45)^2) / 0.04)" }}
        initial.formulas.u = "hump"
        exact.formulas.u = "hump"
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}], jitter = 0.1, refine = {refine} }}
        boundaries = {{ left = "absorbing", right = "absorbing", bottom = "absorbing", top = "absorbing" }}
        time = {{ final = {period}, integrator = "{integrator}" }}"#
    ))
}

/// The error of a case, and the rate at which it falls when the mesh is refined.
fn rate(case: impl Fn(usize) -> Case) -> (f64, f64) {
    let [coarse, fine] = [0, 1].map(|refine| solution(&case(refine)).errors().unwrap().l2[0]);
    (fine, (coarse / fine).log2())
}

/// Castro, Behrens & Pelties (2013), test 3.
#[test]
#[ignore = "long"]
fn a_swirl_that_turns_back_is_undone_with_full_order() {
    for (integrator, orders) in [("rk4", 1..=4), ("ader", 1..=6)] {
        for order in tests::sample(orders) {
            let (error, rate) = rate(|refine| swirl(order, refine, integrator, 0.5));
            println!("{integrator}, p = {order}: error {error:.3e}, rate {rate:.2}");
            assert!((rate - (order + 1) as f64).abs() < 0.35, "{integrator}, p = {order}: {error}, {rate:.2}");
        }
    }
}

/// The same on quadrilaterals below triangles: faces between the shapes have the values of both sides at all times.
#[test]
#[ignore = "long"]
fn a_swirl_on_both_shapes_is_undone_with_full_order() {
    for (integrator, order, jitter) in [("rk4", 1, 0.1), ("rk4", 2, 0.1), ("rk4", 3, 0.1), ("ader", 2, 0.0)] {
        let (error, rate) = rate(|refine| {
            let mut case = swirl(order, refine, integrator, 0.5);
            let MeshOrigin::Rectangle(rectangle) = &mut case.mesh.origin else { unreachable!() };
            (rectangle.layers, rectangle.jitter) = (rectangle.cells[1] / 2, jitter);
            case
        });
        println!("{integrator}, p = {order}: error {error:.3e}, rate {rate:.2}");
        assert!((rate - (order + 1) as f64).abs() < 0.35, "{integrator}, p = {order}: {error}, {rate:.2}");
    }
}

/// A hump that turns with a flow around the origin, from rest and ever faster.
fn gaining(mesh: &str, order: usize, refine: usize, integrator: &str) -> Case {
    let cells = 48_usize.div_ceil(order + 1);
    case(&format!(
        r#"
        law = "transport"
        order = {order}
        flux.numerical = "upwind"
        medium.formulas = {{ v1 = "-faster * y", v2 = "faster * x" }}
        initial.formulas.u = "exp(-((x - 0.15)^2 + y^2) / 0.04)"
        exact.formulas.u = "hump"
        mesh = {{ generator = "rectangle", {mesh}, lower = [-1, -1], upper = [1, 1], cells = [{cells}, {cells}], refine = {refine} }}
        boundaries = {{ left.state.u = 0, right.state.u = 0, bottom.state.u = 0, top.state.u = 0 }}
        time = {{ final = 0.5, integrator = "{integrator}" }}
        [formulas]
        angle = "8 * t^2"
        faster = "16 * t"
        hump = "exp(-((x - 0.15*cos(angle))^2 + (y - 0.15*sin(angle))^2) / 0.04)"
        "#
    ))
}

#[test]
#[ignore = "long"]
fn a_flow_that_turns_ever_faster_is_of_full_order() {
    let on = |integrator, mesh, orders| tests::sample(orders).into_iter().map(move |order| (integrator, mesh, order));
    let all = on("ader", "elements = \"triangles\"", 3..=4)
        .chain(on("carpenter_kennedy", "elements = \"triangles\"", 3..=3))
        .chain(on("ader", "elements = \"quadrilaterals\"", 3..=3));
    for (integrator, mesh, order) in all {
        let (error, rate) = rate(|refine| gaining(mesh, order, refine, integrator));
        println!("{integrator}, {mesh}, p = {order}: error {error:.3e}, rate {rate:.2}");
        assert!((rate - (order + 1) as f64).abs() < 0.35, "{integrator}, {mesh}, p = {order}: {error}, {rate:.2}");
    }
}

/// Errors in time are small beside those in space, which both methods have in common.
#[test]
#[ignore = "long"]
fn on_elements_of_every_kind_errors_are_those_of_runge_and_kutta() {
    for (mesh, order) in MESHES.into_iter().flat_map(|mesh| tests::sample(2..=4).into_iter().map(move |p| (mesh, p))) {
        let mesh = of_degree(mesh, order);
        let [ader, other] = ["ader", "carpenter_kennedy"]
            .map(|integrator| solution(&gaining(&mesh, order, 1, integrator)).errors().unwrap().l2[0]);
        println!("{mesh}, p = {order}: {ader:.3e}, by `carpenter_kennedy` {other:.3e}");
        assert!((ader / other - 1.0).abs() < 0.05, "{mesh}, p = {order}: {ader}, {other}");
    }
}

/// The solution at a time of a case in which a flow that grows with time carries a wave through the unit square.
fn wave(medium: &str, integrator: &str, mesh: &str, end: f64) -> Vec<f64> {
    let text = format!(
        r#"
        law = "transport"
        order = 2
        flux.numerical = "upwind"
        medium = {{ {medium} }}
        initial.formulas.u = "sin(2*pi*x) * cos(2*pi*y)"
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4], {mesh} }}
        boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
        time = {{ final = {end}, integrator = "{integrator}" }}"#
    );
    solution(&case(&text)).coefficients().unwrap()
}

/// A function of the law, and formulas for the same flow; and a flow that does not change, but whose formulas have the time in them.
#[test]
#[ignore = "long"]
fn all_ways_to_give_a_medium_that_changes_agree() {
    let largest = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // One step where lengths of steps differ: with a mean they come from normals of whole faces.
    let of_every_kind = MESHES.map(|mesh| ("ader", of_degree(mesh, 2), 0.003));
    let affine = ["carpenter_kennedy", "ader"].map(|integrator| (integrator, "jitter = 0".to_owned(), 0.1));
    for (integrator, mesh, end) in affine.into_iter().chain(of_every_kind) {
        let wave = |medium: &str| wave(medium, integrator, &mesh, end);
        let swirl = r#"formulas = { v1 = "sin(pi*x)^2 * sin(2*pi*y) * cos(pi*t/1.5)", v2 = "-sin(pi*y)^2 * sin(2*pi*x) * cos(pi*t/1.5)" }"#;
        let [function, formulas] = ["function = \"swirl\"", swirl].map(wave);
        assert!(largest(&function, &formulas) < 1e-12, "{integrator}, {mesh}");
        let [constant, in_words] =
            ["formulas = { v1 = \"2 + y\", v2 = 1 }", "formulas = { v1 = \"2 + y + 0*t\", v2 = 1 }"].map(wave);
        // A mean over the step, and stages at points of Gauss; the series of both end with the same power.
        let difference = largest(&constant, &in_words);
        assert!(difference < 1e-12, "{integrator}, {mesh}: {difference}");
        assert!(largest(&function, &constant) > end);
    }
}

#[test]
fn a_medium_that_leaves_its_range_stops_the_run_there() {
    let text = r#"
        law = "acoustics"
        order = 1
        medium.formulas = { rho = "1 - 4*t*x", bulk = 1 }
        initial.formulas = { e = "x", m1 = 0, m2 = 0 }
        mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [4, 4] }
        boundaries = { left = "absorbing", right = "absorbing", bottom.periodic = "top" }
        time.final = 1"#;
    let case = case(text);
    let mut solver = tests::solver(&case);
    case.project(&mut solver).unwrap();
    let error = loop {
        match solver.advance(1.0, 10) {
            Ok(clock) => assert!(clock.time < 0.26, "{clock:?}"),
            Err(error) => break error.to_string(),
        }
    };
    println!("{error}");
    assert!(
        error.contains("the medium's `rho` is") && error.contains("t = 0.25") && error.contains("above 0"),
        "{error}"
    );
}

/// A wave in a flow that is the same everywhere and gains speed.
fn carried(order: usize, refine: usize, integrator: &str) -> Case {
    let cells = 4 + 20 / (order + 1);
    case(&format!(
        r#"
        law = "transport"
        order = {order}
        flux.numerical = "upwind"
        medium.formulas = {{ v1 = "1 + 4*t", v2 = 0.5 }}
        initial.formulas.u = "sin(2*pi*(x + 2*y))"
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [{cells}, {cells}], jitter = 0.2, refine = {refine} }}
        boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
        receivers = {{ every = 0.0137, points = {{ {} }} }}
        time = {{ final = 0.3, integrator = "{integrator}" }}"#,
        crate::receivers::points()
    ))
}

#[test]
#[ignore = "long"]
fn receivers_in_a_flow_that_changes_are_of_full_order() {
    for (integrator, order) in [("carpenter_kennedy", 2), ("carpenter_kennedy", 3), ("ader", 2), ("ader", 3)] {
        let [coarse, fine] = [0, 1].map(|refine| {
            let case = carried(order, refine, integrator);
            let points = &case.receivers.as_ref().unwrap().points;
            let mut squares = 0.0;
            for (time, values) in crate::receivers::signals(&case, tests::solver(&case), 50) {
                for (point, value) in points.iter().zip(values) {
                    let [x, y] = [point.position[0] - time - 2.0 * time * time, point.position[1] - 0.5 * time];
                    squares += (value - (std::f64::consts::TAU * (x + 2.0 * y)).sin()).powi(2);
                }
            }
            squares.sqrt()
        });
        let rate = (coarse / fine).log2();
        println!("{integrator}, p = {order}: {coarse:.3e} {fine:.3e}, rate {rate:.2}");
        assert!(rate > (order + 1) as f64 - 0.3, "{integrator}, p = {order}: {coarse}, {fine}, {rate:.2}");
    }
}

/// What a point source adds stays, however the flow turns; in a flow that changes in words alone the solution is that in a constant one. That of
/// `ader`, whose series of the flow that changes does not see the jumps around the source, comes near with shorter steps.
#[test]
#[ignore = "long"]
fn point_sources_in_a_flow_that_changes_add_what_they_say() {
    let with = |flow: &str, integrator: &str, cfl: f64| {
        let solver = solution(&case(&format!(
            r#"
            law = "transport"
            order = 2
            flux.numerical = "upwind"
            medium.formulas = {{ {flow} }}
            initial.formulas.u = 0
            mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [8, 8], jitter = 0.1 }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            point_sources.spring = {{ position = [0.11, 0.13], amplitude.u = 2.0, rate = "3*t^2" }}
            time = {{ final = 0.5, integrator = "{integrator}", cfl = {cfl} }}"#
        )));
        (solver.integrals().unwrap()[0], solver.coefficients().unwrap())
    };
    for integrator in ["carpenter_kennedy", "ader"] {
        let (added, turning) = with(r#"v1 = "cos(4*t)", v2 = "sin(4*t) * (1 + sin(pi*x))""#, integrator, 1.0);
        assert!((added - 0.25).abs() < 1e-13, "{integrator}: {added}");
        let largest = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let [(constant, long), (_, short)] = [1.0, 0.5].map(|cfl| {
            let [(_, constant), (_, in_words)] =
                ["v1 = 1", r#"v1 = "1 + 0*t""#].map(|v1| with(&format!("{v1}, v2 = 0.5"), integrator, cfl));
            let difference = largest(&constant, &in_words);
            (constant, difference)
        });
        println!("{integrator}: {long:e} {short:e}");
        assert!(if integrator == "ader" { short < 0.75 * long } else { long < 1e-12 }, "{integrator}: {long}, {short}");
        assert!(largest(&constant, &turning) > 0.1);
    }
}

/// What the parts of a step take is what the step takes, and the medium is one of them where it changes.
#[test]
#[ignore = "long"]
fn a_benchmark_counts_the_renewal_of_the_medium() {
    for (name, integrator, changes) in
        [("swirl.toml", "rk4", true), ("swirl.toml", "ader", true), ("turning.toml", "rk4", false)]
    {
        let path = tests::root().join("equations/cases").join(name);
        let integrator = format!("time.integrator={integrator}");
        let settings = ["--set", &integrator, "--set", "order=1", "--set", "mesh.cells=[6, 6]"];
        let arguments = ["rankine", "bench", path.to_str().unwrap(), "--device", "cpu"].into_iter().chain(settings);
        let arguments: Vec<_> = arguments.map(Into::into).collect();
        let report = dg_runtime::cli::run(&arguments, equations::LAWS).unwrap();
        let kernels = report.json["measurements"][0]["kernels"].as_array().unwrap();
        let seconds = |name: &str| kernels.iter().find(|kernel| kernel["kernel"] == name)?["seconds"].as_f64();
        assert_eq!(
            seconds("medium").is_some_and(|seconds| seconds > 0.0),
            changes,
            "{name}, {integrator}: {kernels:?}"
        );
    }
}
