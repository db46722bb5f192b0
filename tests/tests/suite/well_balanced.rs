//! A well-balanced scheme keeps the steady solution that a case names to rounding, and resolves small waves in it.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::conservation_law;
use dg_runtime::law::Law;
use dg_runtime::solver::Solver;

/// Gas in a field of gravity, of the same temperature at all heights when it rests.
#[conservation_law(dim = 2, orders = 0..=3)]
mod atmosphere {
    #[parameters]
    pub struct Air {
        #[default(1.4)]
        #[range(1.1..=2.0)]
        pub gamma: f64,
        /// Gravity.
        #[default(1.0)]
        #[range(0.0..=2.0)]
        pub g: f64,
        /// The height of a ripple in the pressure.
        #[default(0.0)]
        #[range(0.0..=0.1)]
        pub ripple: f64,
    }

    #[state]
    pub struct State {
        pub rho: f64,
        pub m1: f64,
        pub m2: f64,
        pub e: f64,
    }

    fn pressure(u: State, air: Air) -> f64 {
        (air.gamma - 1.0) * (u.e - 0.5 * (u.m1 * u.m1 + u.m2 * u.m2) / u.rho)
    }

    pub fn flux(u: State, air: Air) -> [State; 2] {
        let p = pressure(u, air);
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        [
            State { rho: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1, e: v1 * (u.e + p) },
            State { rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p, e: v2 * (u.e + p) },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal, air: Air) -> [f64; 4] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        let c = (air.gamma * pressure(u, air) / u.rho).sqrt();
        [vn - c, vn, vn, vn + c]
    }

    #[admissible]
    pub fn admissible(u: State, air: Air) -> [f64; 2] {
        [u.rho, pressure(u, air)]
    }

    #[source]
    pub fn gravity(u: State, air: Air) -> State {
        State { rho: 0.0, m1: 0.0, m2: -air.g * u.rho, e: -air.g * u.m2 }
    }

    #[boundary]
    pub fn ground(u: State, n: Normal) -> State {
        let m = 2.0 * (u.m1 * n.x + u.m2 * n.y);
        State { m1: u.m1 - m * n.x, m2: u.m2 - m * n.y, ..u }
    }

    #[exact]
    pub fn rest(x: Point, air: Air) -> State {
        let rho = (-air.g * x.y).exp();
        State { rho, m1: 0.0, m2: 0.0, e: rho / (air.gamma - 1.0) }
    }

    #[initial]
    pub fn rippled(x: Point, air: Air) -> State {
        let u = rest(x, air);
        let (dx, dy) = (x.x - 0.5, x.y - 0.5);
        State { e: u.e * (1.0 + air.ripple * (-40.0 * (dx * dx + dy * dy)).exp()), ..u }
    }
}

const LAWS: &[&Law] = &[&atmosphere::LAW];

fn parsed(text: &str) -> Result<Case, String> {
    Case::parse(text, Path::new("case.toml"), &[LAWS, equations::LAWS].concat()).map_err(|error| error.to_string())
}

/// A solver of air over the ground, between periodic sides, with these top-level keys, and time keys.
fn air(order: usize, keys: &str, time: &str) -> Solver {
    tests::solver(&parsed(&text(order, keys, time)).unwrap_or_else(|error| panic!("{error}")))
}

fn text(order: usize, keys: &str, time: &str) -> String {
    format!(
        r#"
        law = "atmosphere"
        order = {order}
        initial.function = "rippled"
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = 0.1 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = "ground", top = "ground" }}
        {keys}
        time = {{ final = 0.5{time} }}"#
    )
}

const BALANCED: &str = "well_balanced = \"rest\"";

/// The largest difference of two solutions' coefficients.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
}

#[test]
fn a_steady_solution_stays_to_rounding_for_a_thousand_steps() {
    for order in 0..=3 {
        let after = |keys: &str, steps| {
            let mut solver = air(order, keys, "");
            let before = solver.coefficients().unwrap();
            solver.advance(f64::INFINITY, steps).unwrap();
            difference(&solver.coefficients().unwrap(), &before)
        };
        let (kept, lost) = (after(BALANCED, 1000), after("", 100));
        println!("p = {order}: {kept:.1e} in 1000 steps, {lost:.1e} in 100 without");
        assert!(kept < 1e-13, "p = {order}: {kept}");
        // The error in space, which falls with the order.
        assert!(lost > 1e-9, "p = {order}: {lost}");
    }
}

/// A ripple of a millionth of the pressure: at low order its waves are far below the errors of a scheme that is not well balanced.
#[test]
fn a_small_wave_in_a_steady_solution_is_resolved() {
    // Means of the density's change.
    let change = |order: usize, keys: &str| {
        let means = |ripple: &str| {
            let mut solver = air(order, &format!("{keys}\n        parameters.ripple = {ripple}"), "");
            while solver.advance(0.15, 10).unwrap().time < 0.15 {}
            tests::means(&solver)
        };
        let rest = tests::means(&air(order, keys, ""));
        means("1e-6").iter().zip(rest).map(|(u, rest)| u - rest).collect::<Vec<_>>()
    };
    let size = |change: &[f64]| change.iter().map(|u| u.abs()).sum::<f64>();
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>();
    let fine = change(3, BALANCED);
    let (balanced, not) = (change(2, BALANCED), change(1, ""));
    let [with, without] = [&balanced, &not].map(|coarse| apart(coarse, &fine) / size(&fine));
    println!("off by {with:.3} of the wave, without balance by {without:.3}");
    assert!(with < 0.05, "{with}");
    assert!(without > 1.0, "{without}");
}

/// Other methods, limiters of positivity and single precision keep the solution, too.
#[test]
fn every_explicit_method_keeps_a_steady_solution() {
    let kept = |keys: &str, time: &str| {
        let mut solver = air(2, &format!("{BALANCED}\n{keys}"), time);
        let before = solver.coefficients().unwrap();
        solver.advance(f64::INFINITY, 50).unwrap();
        difference(&solver.coefficients().unwrap(), &before)
    };
    for integrator in ["heun", "ssp_rk3", "ssp_rk43", "rk4", "niegemann_diehl_busch"] {
        let largest = kept("", &format!(", integrator = \"{integrator}\""));
        // Stages of `niegemann_diehl_busch` have weights up to 79, which rounding errors are multiplied by.
        assert!(largest < 1e-12, "{integrator}: {largest}");
    }
    assert!(kept("limiter.positivity = true", "") < 1e-13);
    let single = kept("precision = \"single\"", "");
    assert!(single < 2e-5, "{single}");
}

#[test]
fn balance_and_proof_are_told() {
    assert_eq!(atmosphere::LAW.algebra.steady, ["rest"]);
    let statement = "`rest` is steady: flux and source balance in it";
    assert!(atmosphere::LAW.proofs.iter().any(|proof| proof.statement == statement), "{:?}", atmosphere::LAW.proofs);
}

#[test]
fn what_cannot_be_balanced_is_refused() {
    let refused = |keys: &str, time: &str| match parsed(&text(1, keys, time)) {
        Ok(_) => panic!("accepted: {keys}"),
        Err(error) => error,
    };
    for (keys, time, remedy) in [
        ("well_balanced = \"rst\"", "", "did you mean `rest`?"),
        ("well_balanced = \"rippled\"", "", "unknown steady solution of atmosphere `rippled`"),
        ("well_balanced = true", "", "is to be a string"),
        (BALANCED, ", integrator = \"ars_443\"", "take `carpenter_kennedy`"),
        ("well_balanced = \"rest\"\nlimiter.method = \"moment\"", "", "leave it out, or `well_balanced`"),
    ] {
        let error = refused(keys, time);
        assert!(error.contains(remedy), "{keys}: {error}");
    }
    let none = "law = \"burgers\"\norder = 1\nwell_balanced = \"rest\"\ninitial.state.u = 1\ntime.final = 1\n\
                mesh = { generator = \"disc\", radius = 1, rings = 2 }\nboundaries.rim.state.u = 1\n";
    let error = parsed(none).unwrap_err();
    assert!(error.contains("an `#[exact]` function of position alone"), "{error}");
}
