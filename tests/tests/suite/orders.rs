//! Elements of several degrees in one mesh: a face between two has the points of the larger degree of the mesh for both.

use tests::{case, solver};

use crate::mixed::{gas, sloshing, square};

/// Degrees of triangles and quadrilaterals.
fn orders([triangles, quadrilaterals]: [usize; 2]) -> String {
    format!("\norders = {{ triangles = {triangles}, quadrilaterals = {quadrilaterals} }}\n")
}

/// A polynomial of the lower degree that is constant along the flow is steady.
#[test]
#[ignore = "long"]
fn a_polynomial_of_the_lower_degree_is_exact() {
    for degrees in [[1, 3], [3, 2]] {
        let lower = degrees[0].min(degrees[1]);
        let steady = format!("{{ u = \"(0.3 + 0.4*x + 0.7*y)^{lower}\" }}");
        let sides = ["left", "right", "bottom", "top"].map(|side| format!("{side} = {{ state = {steady} }}"));
        let periods = r#"left = { periodic = "right" }, bottom = { periodic = "top" }"#;
        let rest = format!(
            r#"
            parameters = {{ v1 = 0.7, v2 = -0.4 }}
            initial = {{ formulas = {steady} }}
            exact = {{ formulas = {steady} }}
            time.final = 1
            "#
        );
        let text =
            square("advection", 0, 6, 0.2).replace(periods, &sides.join(", ")) + rest.as_str() + &*orders(degrees);
        let mut solver = solver(&case(&text));
        solver.advance(f64::INFINITY, 20).unwrap();
        let error = solver.errors().unwrap().max[0];
        assert!(error < 1e-12, "{degrees:?}: {error:e}");
    }
}

#[test]
#[ignore = "long"]
fn a_uniform_flow_stays_uniform_and_what_sloshes_is_kept() {
    for degrees in [[1, 3], [3, 0]] {
        let mut uniform = solver(&case(&(gas(0, 0.2) + &*orders(degrees))));
        let before = uniform.coefficients().unwrap();
        uniform.advance(f64::INFINITY, 50).unwrap();
        let after = uniform.coefficients().unwrap();
        let change = before.iter().zip(&after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(change < 1e-13, "{degrees:?}: {change:e}");

        let mut moving = solver(&case(&(sloshing(0, 0.2) + &*orders(degrees))));
        let before = moving.integrals().unwrap();
        moving.advance(f64::INFINITY, 50).unwrap();
        let after = moving.integrals().unwrap();
        for component in [0, 3] {
            let change = (after[component] / before[component] - 1.0).abs();
            assert!(change < 1e-13, "{degrees:?}, component {component}: {change:e}");
        }
    }
}

/// The L2 error of waves that a flow along no axis carries from shape to shape.
#[test]
#[ignore = "long"]
fn the_order_of_the_lower_degree_is_kept() {
    for (degrees, cells) in [([1, 3], [6, 12]), ([4, 2], [6, 12])] {
        let error = |cells: usize| {
            let text = square("advection", 0, cells, 0.0)
                + r#"
                parameters = { v1 = 0.7, v2 = -0.4 }
                initial = { formulas = { u = "sin(pi*x) + cos(pi*y)" } }
                exact = { formulas = { u = "sin(pi*(x - 0.7*t)) + cos(pi*(y + 0.4*t))" } }
                time = { final = 0.6, cfl = 0.3, integrator = "carpenter_kennedy" }
                "#
                + &*orders(degrees);
            let mut solver = solver(&case(&text));
            solver.advance(0.6, 10_000).unwrap();
            solver.errors().unwrap().l2[0]
        };
        let [coarse, fine] = cells.map(error);
        let rate = (coarse / fine).log2();
        println!("{degrees:?}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        let least = degrees[0].min(degrees[1]) as f64 + 0.7;
        assert!(rate > least, "{degrees:?}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// Groups of constants beside groups of a higher degree in a flow that jumps between them: what it carries is steady where u v is the same
/// everywhere, to rounding.
#[test]
#[ignore = "long"]
fn what_a_flow_carries_through_a_jump_into_elements_of_order_0_is_steady() {
    for degrees in [[0, 2], [2, 0]] {
        let text = square("transport", 0, 6, 0.0)
            + r#"
            flux.numerical = "upwind"
            medium.formulas = { v1 = 0, v2 = "if(y < 4/3, 1, 2)" }
            initial.formulas.u = "if(y < 4/3, 2, 1)"
            exact.formulas.u = "if(y < 4/3, 2, 1)"
            time.final = 1
            "#
            + &*orders(degrees);
        let mut solver = solver(&case(&text));
        solver.advance(f64::INFINITY, 20).unwrap();
        let error = solver.errors().unwrap().max[0];
        assert!(error < 1e-13, "{degrees:?}: {error:e}");
    }
}

/// The same in a flow that gains speed with time: of first order, and without loss.
#[test]
#[ignore = "long"]
fn elements_of_order_0_in_a_medium_that_changes_are_of_first_order_and_conserve() {
    for degrees in tests::sample([[0, 2], [2, 0], [0, 0]]) {
        let error = |cells: usize| {
            let text = square("transport", 0, cells, 0.0)
                + r#"
                flux.numerical = "upwind"
                medium.formulas = { v1 = "0.7 + t", v2 = "-0.4 - t" }
                initial.formulas.u = "sin(pi*x) + cos(pi*y) + 3"
                exact.formulas.u = "sin(pi*(x - 0.7*t - t^2/2)) + cos(pi*(y + 0.4*t + t^2/2)) + 3"
                time.final = 0.3
                "#
                + &*orders(degrees);
            let mut solver = solver(&case(&text));
            let before = solver.integrals().unwrap()[0];
            solver.advance(0.3, 10_000).unwrap();
            let after = solver.integrals().unwrap()[0];
            assert!((after / before - 1.0).abs() < 1e-13, "{degrees:?}: {before}, {after}");
            solver.errors().unwrap().l2[0]
        };
        let [coarse, fine] = [12, 24].map(error);
        let rate = (coarse / fine).log2();
        println!("{degrees:?}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > 0.75, "{degrees:?}: {coarse:e}, {fine:e}, rate {rate}");
    }
}
