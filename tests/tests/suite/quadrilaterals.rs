//! Quadrilaterals: parallelograms with products of Legendre polynomials.

use dg_runtime::case::Case;
use tests::{case, solver};

/// A gas in a square with walls at two sides.
const GAS: &str = r#"
    law = "euler"
    order = 2
    boundaries = { left = { periodic = "right" }, bottom = "slip_wall", top = "slip_wall" }
    initial = { formulas = { rho = "1.2", rho_v1 = "0.7", rho_v2 = "0", rho_e = "2.6" } }
    mesh = { generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1.5], cells = [12, 9] }
    time = { final = 1 }
"#;

/// The L2 error of waves that a flow along no axis carries through squares.
fn error(order: usize, cells: usize) -> f64 {
    let text = format!(
        r#"
        law = "advection"
        order = {order}
        parameters = {{ v1 = 0.7, v2 = -0.4 }}
        mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [1, 1], cells = [{cells}, {cells}] }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial = {{ formulas = {{ u = "sin(2*pi*x) + cos(2*pi*y)" }} }}
        exact = {{ formulas = {{ u = "sin(2*pi*(x - 0.7*t)) + cos(2*pi*(y + 0.4*t))" }} }}
        time = {{ final = 0.3, cfl = 0.3, integrator = "carpenter_kennedy" }}
        "#
    );
    let mut solver = solver(&case(&text));
    solver.advance(0.3, 1_000).unwrap();
    solver.errors().unwrap().l2[0]
}

/// The L2 error of the energy of waves for which a source is made, in a gas.
fn error_of_gas(order: usize, cells: usize) -> f64 {
    let text = format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [0, 0], upper = [2, 2], cells = [{cells}, {cells}] }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial.function = "manufactured_waves"
        exact.function = "manufactured_waves"
        time = {{ final = 0.1, cfl = 0.3, integrator = "carpenter_kennedy" }}
        "#
    );
    let mut solver = solver(&case(&text));
    solver.advance(0.1, 1_000).unwrap();
    solver.errors().unwrap().l2[3]
}

/// Without quadrature, since the flux is linear, and by points.
#[test]
fn errors_fall_with_the_power_of_the_order_plus_one() {
    for order in 1..=5 {
        let cells = if order > 3 { 4 } else { 8 };
        for (what, error) in [("advection", error as fn(usize, usize) -> f64), ("gas", error_of_gas)] {
            let [coarse, fine] = [cells, 2 * cells].map(|cells| error(order, cells));
            let rate = (coarse / fine).log2();
            println!("{what}, p = {order}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
            assert!(rate > order as f64 + 0.7, "{what}, p = {order}: {coarse:e}, {fine:e}, rate {rate}");
        }
    }
}

#[test]
fn a_uniform_flow_stays_uniform_and_what_sloshes_is_kept() {
    for order in [0, 1, 3] {
        let text = GAS.replace("order = 2", &format!("order = {order}"));
        let mut uniform = solver(&case(&text));
        let before = uniform.coefficients().unwrap();
        uniform.advance(f64::INFINITY, 50).unwrap();
        let after = uniform.coefficients().unwrap();
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(change < 1e-13, "p = {order}: {change:e}");

        let mut sloshing =
            solver(&case(&text.replace(r#"rho = "1.2""#, r#"rho = "1 + 0.2*sin(2*pi*x)*cos(pi*y) + 0.1*y""#)));
        let before = sloshing.integrals().unwrap();
        sloshing.advance(f64::INFINITY, 50).unwrap();
        let after = sloshing.integrals().unwrap();
        for component in [0, 3] {
            let change = (after[component] / before[component] - 1.0).abs();
            assert!(change < 1e-13, "p = {order}, component {component}: {change:e}");
        }
    }
}

/// Schedules compute the same, to rounding.
#[test]
fn schedules_agree() {
    let text = GAS.replace(r#"rho = "1.2""#, r#"rho = "1 + 0.2*sin(2*pi*x)*cos(pi*y) + 0.1*y""#);
    let result = |schedule: &str| {
        let mut solver = solver(&case(&format!("schedule = \"{schedule}\"\n{text}")));
        solver.advance(f64::INFINITY, 20).unwrap();
        solver.coefficients().unwrap()
    };
    let reference = result("component/32");
    for schedule in ["element/32", "component/128"] {
        let other = result(schedule);
        let difference = reference.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(difference < 1e-12, "{schedule}: {difference:e}");
    }
}

/// Errors of deal.II's tutorial step-67 for the same degree on the same squares lie between those of less and of more dissipative fluxes:
/// its Lax-Friedrichs flux has the speed ½ √(|v|² + c²).
#[test]
fn errors_are_those_of_another_code() {
    let path = tests::root().join("equations/cases/vortex_on_squares.toml");
    let errors = ["hllc", "rusanov"].map(|flux| {
        let settings = [format!("flux.numerical = '{flux}'")];
        let case = Case::read_with(&path, &settings, equations::LAWS).unwrap();
        let mut solver = solver(&case);
        solver.advance(1.01, 1_000).unwrap();
        let l2 = solver.errors().unwrap().l2;
        [l2[0], l2[1].hypot(l2[2]), l2[3]]
    });
    // Density, momentum and energy at t = 1.01.
    for (c, published) in [1.37e-6, 2.252e-6, 4.153e-6].into_iter().enumerate() {
        let (less, more) = (errors[0][c], errors[1][c]);
        assert!(less < published && published < more && more < 2.5 * less, "{less:e}, {published:e}, {more:e}");
    }
}
