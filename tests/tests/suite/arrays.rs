//! Arrays among the components: the same law as with a name for each.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::law::Law;
use tests::{euler, solution};

/// A vortex between walls, in the variables that both laws have.
fn case(law: &'static Law) -> Case {
    let text = r#"
        law = "euler"
        order = 2
        mesh = { generator = "rectangle", lower = [-5, -5], upper = [5, 5], cells = [8, 8], jitter = 0.2 }
        boundaries = { left = { periodic = "right" }, bottom = "slip_wall", top = "slip_wall" }
        flux.numerical = "hll"
        initial.formulas = { rho = "1 + 0.2 * exp(-x^2 - y^2)", v1 = "1 - y * exp(-x^2 - y^2)", v2 = "x * exp(-x^2 - y^2)", p = "1" }
        time.final = 0.5"#;
    Case::parse(text, Path::new("case.toml"), &[law]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "long"]
fn momentum_as_an_array_gives_the_same_solution() {
    let [plain, array] = [&equations::euler::LAW, &euler::LAW].map(|law| {
        let solver = solution(&case(law));
        (solver.clock().unwrap().steps, solver.coefficients().unwrap())
    });
    assert_eq!(plain.0, array.0);
    let scale = plain.1.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
    let difference = plain.1.iter().zip(&array.1).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
    println!("{} steps, difference {difference:.1e} of {scale:.1e}", plain.0);
    assert!(difference < 1e-12 * scale, "{difference}");
}

#[test]
fn an_element_has_a_name_of_its_own() {
    let names = |law: &Law| law.state.iter().map(|variable| variable.name).collect::<Vec<_>>();
    assert_eq!(names(&euler::LAW), ["rho", "rho_v1", "rho_v2", "rho_e"]);
    assert_eq!(euler::LAW.algebra.jacobian[0][0], equations::euler::LAW.algebra.jacobian[0][0]);
}

#[test]
fn defaults_of_arrays_are_those_of_rust() {
    let defaults: Vec<_> =
        tests::tracers::LAW.parameters.iter().map(|parameter| (parameter.name, parameter.default)).collect();
    let tests::tracers::Decay { rates, weights } = tests::tracers::Decay::default();
    let names = ["rates1", "rates2", "rates3", "weights1", "weights2", "weights3"];
    let values = rates.into_iter().chain(weights).map(Some);
    assert_eq!(defaults, names.into_iter().zip(values).collect::<Vec<_>>());
    assert_eq!(rates, [1.0, 0.5, 0.0]);
}
