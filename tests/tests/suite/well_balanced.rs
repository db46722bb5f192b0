//! A well-balanced scheme keeps the steady solution that a case names to rounding, and resolves small waves in it.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::solver::Solver;

fn parsed(text: &str) -> Result<Case, String> {
    Case::parse(text, Path::new("case.toml"), equations::LAWS).map_err(|error| error.to_string())
}

/// A solver of air over the ground, between periodic sides, with these initial data, top-level keys, and time keys.
fn air(order: usize, initial: &str, keys: &str, time: &str) -> Solver {
    tests::solver(&parsed(&text(order, initial, keys, time)).unwrap_or_else(|error| panic!("{error}")))
}

fn text(order: usize, initial: &str, keys: &str, time: &str) -> String {
    format!(
        r#"
        law = "euler_gravity"
        order = {order}
        {initial}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = 0.1 }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = "slip_wall", top = "slip_wall" }}
        {keys}
        time = {{ final = 0.5{time} }}"#
    )
}

const BALANCED: &str = "well_balanced = \"isothermal\"";

const AT_REST: &str = "initial.function = \"isothermal\"";

/// Gas at rest with this ripple in its pressure.
fn rippled(ripple: &str) -> String {
    format!(
        r#"initial.formulas = {{ rho = "exp(-y)", v1 = 0, v2 = 0, p = "exp(-y)*(1 + {ripple}*exp(-40*((x - 0.5)^2 + (y - 0.5)^2)))" }}"#
    )
}

/// The largest difference of two solutions' coefficients.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |largest, (a, b)| largest.max((a - b).abs()))
}

#[test]
fn a_steady_solution_stays_to_rounding_for_a_thousand_steps() {
    for order in tests::sample(0..=3) {
        let after = |keys: &str, steps| {
            let mut solver = air(order, AT_REST, keys, "");
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
#[ignore = "long"]
fn a_small_wave_in_a_steady_solution_is_resolved() {
    // Means of the density's change.
    let change = |order: usize, keys: &str| {
        let means = |ripple: &str| {
            let mut solver = air(order, &rippled(ripple), keys, "");
            while solver.advance(0.15, 10).unwrap().time < 0.15 {}
            tests::means(&solver)
        };
        let rest = tests::means(&air(order, AT_REST, keys, ""));
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
#[ignore = "long"]
fn every_explicit_method_keeps_a_steady_solution() {
    let kept = |keys: &str, time: &str| {
        let mut solver = air(2, AT_REST, &format!("{BALANCED}\n{keys}"), time);
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
    assert_eq!(equations::euler_gravity::LAW.algebra.steady, ["isothermal", "isentropic"]);
    let statement = "`isothermal` is steady: flux and source balance in it";
    assert!(
        equations::euler_gravity::LAW.proofs.iter().any(|proof| proof.statement == statement),
        "{:?}",
        equations::euler_gravity::LAW.proofs
    );
}

#[test]
fn what_cannot_be_balanced_is_refused() {
    let refused = |keys: &str, time: &str| match parsed(&text(1, AT_REST, keys, time)) {
        Ok(_) => panic!("accepted: {keys}"),
        Err(error) => error,
    };
    for (keys, time, remedy) in [
        ("well_balanced = \"isotermal\"", "", "did you mean `isothermal`?"),
        ("well_balanced = \"pressure\"", "", "unknown steady solution of euler_gravity `pressure`"),
        ("well_balanced = true", "", "is to be a string"),
        (BALANCED, ", integrator = \"ars_443\"", "take `carpenter_kennedy`"),
        ("well_balanced = \"isothermal\"\nlimiter.method = \"moment\"", "", "leave it out, or `well_balanced`"),
    ] {
        let error = refused(keys, time);
        assert!(error.contains(remedy), "{keys}: {error}");
    }
    let other = "law = \"two_layer_shallow_water\"\norder = 1\nwell_balanced = \"rest\"\nmedium.formulas.b = 0\ntime.final = 1\n\
                 initial.formulas = { h1 = 1, q1x = 0, q1y = 0, h2 = 1, q2x = 0, q2y = 0 }\n\
                 mesh = { generator = \"disc\", radius = 1, rings = 2 }\nboundaries.rim = \"wall\"\n";
    let error = parsed(other).unwrap_err();
    assert!(error.contains("in the medium `hills`, and [medium] gives another one"), "{error}");
    let none = "law = \"burgers\"\norder = 1\nwell_balanced = \"rest\"\ninitial.state.u = 1\ntime.final = 1\n\
                mesh = { generator = \"disc\", radius = 1, rings = 2 }\nboundaries.rim.state.u = 1\n";
    let error = parsed(none).unwrap_err();
    assert!(error.contains("an `#[exact]` function of position alone"), "{error}");
}
