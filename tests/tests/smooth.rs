//! Where a mesh resolves a smooth solution, an indicator leaves it to the scheme: errors with a limiter are those without, which
//! fall with order p + 1.

use dg_runtime::solver::{Indicator, Method};
use tests::{case, solution};

/// By how much an error may grow. On the next mesh it grows less, so that rates fall by less than 0.08.
const GROWTH: f64 = 1.05;

/// A smooth problem on a mesh of squares cut in two.
struct Problem {
    law: &'static str,
    exact: &'static str,
    numerical_flux: &'static str,
    half_width: f64,
    until: f64,
}

/// A Gaussian that a constant flow carries (Castro et al. 2013, test 1).
const GAUSSIAN: Problem =
    Problem { law: "advection", exact: "gaussian", numerical_flux: "upwind", half_width: 0.5, until: 0.05 };

/// The isentropic vortex (Shu 1998).
const VORTEX: Problem =
    Problem { law: "euler", exact: "isentropic_vortex", numerical_flux: "hllc", half_width: 10.0, until: 0.25 };

/// The L2 error of the first component.
fn error(problem: &Problem, order: usize, cells: usize, limiter: &str) -> f64 {
    let Problem { law, exact, numerical_flux, half_width, until } = problem;
    let case = case(&format!(
        r#"
        law = "{law}"
        order = {order}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial = {{ function = "{exact}" }}
        time = {{ final = {until}, cfl = 0.25 }}
        flux.numerical = "{numerical_flux}"
        {limiter}
        [mesh]
        generator = "rectangle"
        lower = [-{half_width}, -{half_width}]
        upper = [{half_width}, {half_width}]
        cells = [{cells}, {cells}]
        "#
    ));
    solution(&case).errors().unwrap().l2[0]
}

fn assert_errors_stay(problem: &Problem, order: usize, cells: usize, methods: &[Method]) {
    let without = error(problem, order, cells, "");
    for method in methods {
        for indicator in Indicator::ALL.map(Indicator::name) {
            let limiter = format!("limiter = {{ method = \"{method}\", indicator = \"{indicator}\" }}");
            let with = error(problem, order, cells, &limiter);
            let what = format!("{}, p = {order}, {method}, {indicator}", problem.exact);
            println!("{what}: {with:.3e}, without {without:.3e}");
            assert!(with <= GROWTH * without, "{what}: {with:.3e}, without {without:.3e}");
        }
    }
}

#[test]
fn of_a_gaussian() {
    assert_errors_stay(&GAUSSIAN, 1, 96, &[Method::Moment, Method::Filter]);
    assert_errors_stay(&GAUSSIAN, 2, 48, &[Method::Moment, Method::Filter]);
    // The hierarchical limiter of these orders needs finer meshes.
    assert_errors_stay(&GAUSSIAN, 3, 32, &[Method::Filter]);
    assert_errors_stay(&GAUSSIAN, 4, 24, &[Method::Filter]);
    assert_errors_stay(&GAUSSIAN, 5, 40, &[Method::Filter]);
}

#[test]
fn of_a_vortex() {
    assert_errors_stay(&VORTEX, 1, 40, &Method::ALL);
    for (order, cells) in [(2, 40), (3, 30), (4, 30), (5, 24)] {
        assert_errors_stay(&VORTEX, order, cells, &[Method::Moment, Method::Filter]);
    }
}
