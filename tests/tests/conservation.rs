//! What a scheme in conservation form keeps, to rounding: constant states, integrals; and equal runs give equal bits.

use dg_runtime::solver::Solver;
use tests::{case, solver};

/// A uniform flow along slip walls in a square of jittered triangles, many enough that all threads have work.
const CHANNEL: &str = r#"
    law = "euler"
    order = 2
    boundaries = { left = { periodic = "right" }, bottom = "slip_wall", top = "slip_wall" }
    initial = { formulas = { rho = "1.2", rho_v1 = "0.7", rho_v2 = "0", rho_e = "2.6" } }
    mesh = { generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [12, 12], jitter = 0.2 }
    time = { final = 1 }
"#;

/// A case with parts of its text replaced.
fn changed(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

/// Flow that the walls reflect and that no symmetry keeps simple.
fn sloshing() -> String {
    changed(CHANNEL, &[(r#"rho = "1.2""#, r#"rho = "1 + 0.2*sin(2*pi*x)*cos(pi*y) + 0.1*y""#)])
}

fn take_steps(solver: &mut Solver, steps: u64) {
    let clock = solver.advance(f64::INFINITY, steps).unwrap();
    assert_eq!(clock.steps, steps);
}

#[test]
fn a_uniform_flow_stays_uniform() {
    let order = |order: &str| changed(CHANNEL, &[("order = 2", &format!("order = {order}"))]);
    let torus =
        [(r#"bottom = "slip_wall", top = "slip_wall""#, r#"bottom = { periodic = "top" }"#), ("\"0\"", "\"0.4\"")];
    for text in [order("1"), order("2"), order("3"), changed(CHANNEL, &torus)] {
        let mut solver = solver(&case(&text));
        let before = solver.coefficients().unwrap();
        take_steps(&mut solver, 100);
        let after = solver.coefficients().unwrap();
        let change = before.iter().zip(after).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("p = {}: a uniform flow changed by {change:.1e} in 100 steps", solver.setup().order);
        assert!(change < 1e-13, "{change:e} in{text}");
    }
}

#[test]
fn walls_keep_mass_energy_and_momentum_along_them() {
    let mut solver = solver(&case(&sloshing()));
    let before = solver.integrals().unwrap();
    take_steps(&mut solver, 1000);
    let after = solver.integrals().unwrap();
    for component in [0, 1, 3] {
        let change = (after[component] / before[component] - 1.0).abs();
        let name = solver.setup().law.state[component].name;
        println!("{name} changed by {change:.1e} in 1000 steps");
        assert!(change < 1e-13, "{name}: {change:e}");
    }
    assert!((after[2] - before[2]).abs() > 1e-6, "nothing moved between the walls");
}

#[test]
fn a_torus_keeps_every_integral() {
    for (law, state) in [("burgers", r#"u = "0.3 + sin(2*pi*x)*cos(2*pi*y)""#), ("advection", r#"u = "exp(-x^2)""#)] {
        let text = format!(
            r#"
            law = "{law}"
            order = 1
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial = {{ formulas = {{ {state} }} }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [12, 12], jitter = 0.2 }}
            time = {{ final = 1 }}
            "#
        );
        let mut solver = solver(&case(&text));
        let before = solver.integrals().unwrap()[0];
        take_steps(&mut solver, 1000);
        let change = (solver.integrals().unwrap()[0] - before).abs();
        println!("{law}: the integral changed by {change:.1e} in 1000 steps");
        assert!(change < 1e-13, "{law}: {change:e}");
    }
}

#[test]
fn equal_runs_give_equal_bits() {
    let run = || {
        let mut solver = solver(&case(&sloshing()));
        take_steps(&mut solver, 200);
        let numbers = [solver.coefficients().unwrap(), solver.integrals().unwrap(), vec![solver.clock().unwrap().time]];
        numbers.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    assert!(run() == run());
}
