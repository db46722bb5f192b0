//! On meshes that resolve a smooth solution, an indicator switches the limiter off: errors equal those without a limiter, and converge
//! with order p + 1 too.

use dg_runtime::law::Shape;
use dg_runtime::solver::{Indicator, Method};
use tests::{case, solution};

/// The largest factor by which the error on the finer mesh may grow.
const GROWTH: f64 = 1.05;
/// The largest loss of the rate.
const LOSS: f64 = 0.3;

/// A smooth problem on a mesh of squares, cut in two for triangles.
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
fn error(problem: &Problem, shape: Shape, order: usize, cells: usize, limiter: &str) -> f64 {
    let Problem { law, exact, numerical_flux, half_width, until } = problem;
    let case = case(&format!(
        r#"
        law = "{law}"
        order = {order}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial = {{ function = "{exact}" }}
        time = {{ final = {until}, cfl = 0.25, integrator = "ssp_rk43" }}
        flux.numerical = "{numerical_flux}"
        {limiter}
        [mesh]
        generator = "rectangle"
        lower = [-{half_width}, -{half_width}]
        upper = [{half_width}, {half_width}]
        cells = [{cells}, {cells}]
        elements = "{}s"
        "#,
        shape.name()
    ));
    solution(&case).errors().unwrap().l2[0]
}

/// Compares errors with those of the scheme alone on two meshes.
fn assert_order_stays(problem: &Problem, shape: Shape, order: usize, cells: [usize; 2], methods: &[Method]) {
    let rate = |errors: [f64; 2]| (errors[0] / errors[1]).ln() / (cells[1] as f64 / cells[0] as f64).ln();
    let without = cells.map(|cells| error(problem, shape, order, cells, ""));
    for method in methods {
        for indicator in Indicator::ALL.map(Indicator::name) {
            let limiter = format!("limiter = {{ method = \"{method}\", indicator = \"{indicator}\" }}");
            let with = cells.map(|cells| error(problem, shape, order, cells, &limiter));
            let (kept, free) = (rate(with), rate(without));
            let what = format!(
                "{}, {shape:?}, p = {order}, {method}, {indicator}: {:.3e}, rate {kept:.2}; without {:.3e}, rate {free:.2}",
                problem.exact, with[1], without[1]
            );
            println!("{what}");
            assert!(kept > free - LOSS && with[1] <= GROWTH * without[1], "{what}");
        }
    }
}

#[test]
#[ignore = "long"]
fn of_a_gaussian() {
    for (order, cells) in tests::sample([(1, [48, 72]), (2, [48, 72]), (3, [40, 60]), (4, [36, 48]), (5, [30, 40])]) {
        assert_order_stays(&GAUSSIAN, Shape::Triangle, order, cells, &[Method::Moment, Method::Filter]);
    }
}

#[test]
#[ignore = "long"]
fn of_a_vortex() {
    assert_order_stays(&VORTEX, Shape::Triangle, 1, [30, 40], &Method::ALL);
    for (order, cells) in tests::sample([(2, [30, 40]), (3, [24, 30]), (4, [24, 30]), (5, [18, 24])]) {
        assert_order_stays(&VORTEX, Shape::Triangle, order, cells, &[Method::Moment, Method::Filter]);
    }
    assert_order_stays(&VORTEX, Shape::Quadrilateral, 1, [30, 40], &Method::ALL);
    for (order, cells) in tests::sample([(2, [36, 48]), (3, [24, 32]), (4, [18, 24])]) {
        assert_order_stays(&VORTEX, Shape::Quadrilateral, order, cells, &[Method::Moment, Method::Filter]);
    }
}
