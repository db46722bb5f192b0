//! Media: data that vary in space, which the flux, its waves and both sides of a face see.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::solver::Solver;
use std::path::Path;
use tests::solution;

fn parsed(text: &str) -> Result<Case, String> {
    Case::parse(text, Path::new("case.toml"), equations::LAWS).map_err(|error| error.to_string())
}

fn case(text: &str) -> Case {
    parsed(text).unwrap_or_else(|error| panic!("{error}"))
}

/// A Gaussian that turns with a flow, on meshes with about as many unknowns at every order.
fn turning(order: usize, refine: usize, integrator: &str) -> Case {
    let cells = 24_usize.div_ceil(order + 1).max(4);
    case(&format!(
        r#"
        law = "transport"
        order = {order}
        flux.numerical = "upwind"
        initial.function = "turning"
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [{cells}, {cells}], refine = {refine} }}
        boundaries = {{ left.state = "turning", right.state = "turning", bottom.state = "turning", top.state = "turning" }}
        time = {{ final = 0.25, integrator = "{integrator}" }}"#
    ))
}

/// Castro, Behrens & Pelties (2013), test 2, by both kinds of integrators.
#[test]
fn transport_by_a_turning_flow_is_of_full_order() {
    // Orders of time that are not below those of space.
    for (integrator, orders) in [("ader", 1..=5), ("carpenter_kennedy", 2..=3)] {
        for order in orders {
            let [coarse, fine] =
                [0, 1].map(|refine| solution(&turning(order, refine, integrator)).errors().unwrap().l2[0]);
            let rate = (coarse / fine).log2();
            println!("{integrator}, p = {order}: errors {coarse:.3e} {fine:.3e}, rate {rate:.2}");
            assert!((rate - (order + 1) as f64).abs() < 0.25, "{integrator}, p = {order}: {coarse} {fine}, {rate:.2}");
        }
    }
}

/// A pulse of sound that meets a jump of the medium at x = 0.
fn pulse(more: &str) -> Case {
    case(&format!(
        r#"
        law = "acoustics"
        order = 3
        flux.numerical = "godunov"
        initial.function = "transmission"
        mesh = {{ generator = "rectangle", lower = [-2, 0], upper = [2, 0.25], cells = [64, 4] }}
        boundaries = {{ left.state = "transmission", right.state = "transmission", bottom.periodic = "top" }}
        {more}"#
    ))
}

/// The mean of a component in every element, times its area, and the element's centroid.
fn parts(solver: &Solver, component: usize) -> Vec<(f64, f64)> {
    let (coefficients, mesh) = (solver.coefficients().unwrap(), solver.mesh());
    let unit = solver.unit();
    let (fields, components) = (unit.basis, solver.setup().law.state.len());
    let of_element = |e: usize| {
        // The first basis function is the constant √2: the reference triangle has the area ½.
        let mean = 2.0_f64.sqrt() * coefficients[(e * components + component) * fields];
        (mesh.centroid(e)[0], mean * mesh.geometry(e).measure(mesh.shape))
    };
    (0..mesh.element_count()).map(of_element).collect()
}

#[test]
fn a_jump_of_the_medium_reflects_and_transmits_as_the_impedances_say() {
    let (rho, bulk) = ([1.0_f64, 4.0], [1.0_f64, 1.0]);
    let [z1, z2] = [0, 1].map(|i| (rho[i] * bulk[i]).sqrt());
    let [c1, c2] = [0, 1].map(|i| (bulk[i] / rho[i]).sqrt());
    for time in [r#"time.final = 2.0"#, r#"time = { final = 2.0, integrator = "ader" }"#] {
        let solver = solution(&pulse(time));
        let parts = parts(&solver, 0);
        // The integral of the incident pulse over the time, times the height of the channel.
        let incident = 0.25 * 0.2 * std::f64::consts::PI.sqrt();
        let pressure = |i: usize, right: bool| {
            let side = parts.iter().filter(|(x, _)| (*x > 0.0) == right);
            bulk[i] * side.map(|(_, part)| part).sum::<f64>() / incident
        };
        let (reflected, transmitted) = (pressure(0, false) / c1, pressure(1, true) / c2);
        println!("reflected {reflected:.6}, transmitted {transmitted:.6}");
        assert!((reflected - (z2 - z1) / (z2 + z1)).abs() < 1e-3, "{reflected}");
        assert!((transmitted - 2.0 * z2 / (z2 + z1)).abs() < 1e-3, "{transmitted}");
    }
}

/// The same flow as parameters of one law and as the medium of another.
#[test]
fn a_uniform_medium_is_as_good_as_parameters() {
    let text = |law: &str, given: &str| {
        format!(
            r#"
            law = "{law}"
            order = 2
            initial.formulas.u = "sin(2 * pi * (x + 2 * y))"
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = 0.1 }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time.final = 0.3
            {given}"#
        )
    };
    for flux in ["rusanov", "upwind"] {
        let flux = format!("flux.numerical = \"{flux}\"\n");
        let of = |law, given: &str| solution(&case(&text(law, &(flux.clone() + given)))).coefficients().unwrap();
        let by_parameters = of("advection", "parameters = { v1 = 0.7, v2 = -1.3 }");
        let by_medium = of("transport", "medium.formulas = { v1 = 0.7, v2 = -1.3 }");
        let difference = by_parameters.iter().zip(&by_medium).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-13, "{difference}");
    }
}

#[test]
fn formulas_and_functions_give_one_medium_and_what_is_carried_is_conserved() {
    let by = |medium: &str| {
        let text = format!(
            r#"
            law = "transport"
            order = 2
            initial.formulas.u = "exp(-20 * (x^2 + y^2))"
            mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [9, 9], jitter = 0.2 }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time = {{ final = 0.2, integrator = "ssp_rk3" }}
            limiter.method = "moment"
            {medium}"#
        );
        let mut solver = tests::solver(&case(&text));
        let before = solver.integrals().unwrap()[0];
        while solver.advance(0.2, 10).unwrap().time < 0.2 {}
        let after = solver.integrals().unwrap()[0];
        assert!((after - before).abs() < 1e-14, "{before} {after}");
        solver.coefficients().unwrap()
    };
    let by_function = by("medium.function = \"rotation\"");
    let by_formulas = by("medium.formulas = { v1 = \"-2 * pi * y\", v2 = \"2 * pi * x\" }");
    let difference = by_function.iter().zip(&by_formulas).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-13, "{difference}");
}

#[test]
fn schedules_agree_on_a_medium_that_jumps_and_one_that_varies() {
    let case_of = |which: usize, schedule: &str| {
        let mut case = if which == 0 { pulse("time.final = 0.3") } else { turning(3, 0, "ssp_rk3") };
        case.schedule = Some(schedule.parse().unwrap());
        case
    };
    for which in [0, 1] {
        let [a, b] = ["element", "component/32"].map(|s| solution(&case_of(which, s)).coefficients().unwrap());
        let difference = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{difference}");
    }
}

#[test]
fn a_medium_that_is_missing_or_wrong_is_refused_with_the_remedy() {
    let text = |law: &str, more: &str| {
        format!(
            r#"
            law = "{law}"
            order = 1
            initial.formulas = {{ u = 1 }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [2, 2] }}
            boundaries = {{ left.periodic = "right", bottom.periodic = "top" }}
            time.final = 0.1
            {more}"#
        )
    };
    for (law, more, said) in [
        ("advection", "medium.function = \"rotation\"", "advection has no medium: leave [medium] out"),
        ("transport", "medium.function = \"turning\"", "function of the medium"),
        ("transport", "medium.formulas = { v1 = 1 }", "a formula for this field of the medium"),
        ("transport", "medium.formulas = { v1 = 1, v2 = \"t\" }", "and the medium does not change"),
        ("transport", "medium.formulas = { v1 = 1, v2 = 0, v3 = 0 }", "unknown key"),
        ("transport", "[medium]", "give a `function` of the law, or `formulas` for the fields"),
        (
            "transport",
            "medium.formulas = { v1 = 1, v2 = 0 }\nexact.function = \"turning\"",
            "`turning` solves transport in the medium `rotation`",
        ),
    ] {
        let error = parsed(&text(law, more)).map(drop).unwrap_err();
        assert!(error.contains(said), "{error}");
    }
    let refused = |case: &Case| {
        let mesh = case.build_mesh().unwrap();
        let setup = case.setup(&mesh).unwrap();
        Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).map(drop).unwrap_err().to_string()
    };
    let error = refused(&case(&text("transport", "medium.formulas = { v1 = \"1 / (x - x)\", v2 = 0 }")));
    assert!(error.contains("the medium's `v1` is inf at [") && error.contains("finite everywhere"), "{error}");
    let error = refused(&pulse("time.final = 1\nmedium.formulas = { rho = \"x\", bulk = 1 }"));
    assert!(error.contains("the medium's `rho` is -") && error.contains("it is to be above 0 everywhere"), "{error}");
}
