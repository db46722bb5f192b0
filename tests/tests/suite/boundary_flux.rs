//! Viscous fluxes that boundaries impose.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::conservation_law;
use dg_runtime::law::Law;
use tests::{solution, solver};

use super::viscous::{SHAPES, box_of_gas_with, diffusion};

/// Two quantities, each of which spreads where the other does, at a rate that depends on the state.
#[conservation_law(dim = 2, orders = 1..=3)]
mod pair {
    #[state]
    pub struct State {
        pub a: f64,
        pub b: f64,
    }

    pub fn flux(_: State) -> [State; 2] {
        [State { a: 0.0, b: 0.0 }; 2]
    }

    pub fn eigenvalues(_: State, _: Normal) -> [f64; 2] {
        [0.0, 0.0]
    }

    #[viscous_flux]
    pub fn spread(u: State, gradient: [State; 2]) -> [State; 2] {
        gradient.map(|slope| State { a: u.b * slope.a + 0.3 * slope.b, b: 0.3 * slope.a + slope.b })
    }

    #[admissible]
    pub fn definite(u: State) -> [f64; 1] {
        [u.b - 0.09]
    }

    #[exact(manufactured)]
    pub fn waves(x: Point, t: f64) -> State {
        State { a: (2.0 * x.x + t).sin() * x.y.cos(), b: 1.0 + 0.2 * (x.x - x.y + 2.0 * t).cos() }
    }

    #[boundary]
    pub fn wall(u: State) -> State {
        u
    }

    /// What the waves take through a wall.
    #[boundary_flux(wall)]
    pub fn through(n: Normal, x: Point, t: f64) -> State {
        let (u, along, angle) = (waves(x, t), 2.0 * x.x + t, x.x - x.y + 2.0 * t);
        let a = 2.0 * along.cos() * x.y.cos() * n.x - along.sin() * x.y.sin() * n.y;
        let b = 0.2 * angle.sin() * (n.y - n.x);
        State { a: u.b * a + 0.3 * b, b: 0.3 * a + b }
    }
}

/// The L2 error of the first component at the end.
fn error(law: &'static Law, order: usize, mesh: &str) -> f64 {
    let text = format!(
        r#"
        law = "pair"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], {mesh} }}
        boundaries = {{ left = "wall", right = "wall", bottom = "wall", top = {{ state = "waves" }} }}
        initial.function = "waves"
        time.final = 0.02
        "#
    );
    let case = Case::parse(&text, Path::new("case.toml"), &[law]).unwrap_or_else(|error| panic!("{error}"));
    solution(&case).errors().unwrap().l2[0]
}

#[test]
#[ignore = "long"]
fn solutions_with_imposed_fluxes_keep_the_order() {
    let meshes = [(1, "jitter = 0.2"), (2, "degree = 2, curvature = 0.05"), (3, "jitter = 0.1")];
    for (shape, (order, kind)) in SHAPES.into_iter().flat_map(|shape| meshes.map(|mesh| (shape, mesh))) {
        let of = |cells: usize| {
            error(&pair::LAW, order, &format!(r#"elements = "{shape}", cells = [{cells}, {cells}], {kind}"#))
        };
        let (coarse, fine) = (of(4), of(8));
        let rate = (coarse / fine).log2();
        println!("{shape}, p = {order}, {kind}: {coarse:.2e}, {fine:.2e}, rate {rate:.2}");
        assert!(rate > order as f64 + 0.75, "{shape}, p = {order}, {kind}: {coarse:e}, {fine:e}, rate {rate}");
    }
}

/// Between a cold wall and a heated one the temperature is linear: ν ∂u/∂x is what enters.
#[test]
fn heat_that_only_passes_through_stays_as_it_is() {
    let boundaries = r#"left = "cold", right = { if = "y < 2", then = "heated", else = "cold" },
        bottom = "insulated", top = "insulated""#;
    let rest = r#"
        parameters = { v1 = 0, v2 = 0, nu = 0.5, heat = 3 }
        initial.formulas.u = "6*x"
        exact.formulas.u = "6*x"
        time.final = 0.05
    "#;
    for shape in SHAPES {
        let mesh = format!(r#"elements = "{shape}", cells = [4, 4], jitter = 0.2"#);
        let error = solution(&diffusion(1, &mesh, boundaries, rest)).errors().unwrap().l2[0];
        assert!(error < 1e-11, "{shape}: {error:e}");
    }
}

/// A gas in a closed box gains the heat that enters through one wall and a part of another, and nothing else.
#[test]
#[ignore = "long"]
fn a_gas_gains_what_enters_through_its_walls() {
    let bottom = r#"{ if = "x < 0.8", then = "heated_wall", else = "adiabatic_wall" }"#;
    let case = box_of_gas_with(r#"elements = "quadrilaterals""#, r#""heated_wall""#, bottom);
    let (before, after) = (solver(&case).integrals().unwrap(), solution(&case).integrals().unwrap());
    // `wall_heat` through the length of the walls, for the time of the run.
    let entered = 0.01 * (2.0 + 0.8) * 0.1;
    assert!((after[0] / before[0] - 1.0).abs() < 1e-13, "{before:?} {after:?}");
    assert!((after[3] - before[3] - entered).abs() < 1e-13 * before[3], "{before:?} {after:?}");
}
