//! A run uses its own values of a law's parameters, and the same compiled code serves every value.

use dg_runtime::case::Case;
use dg_runtime::law::KeptMedium;
use dg_runtime::solver::Solver;
use tests::{case, solver};

/// A gas in a disc whose initial and boundary states depend on its parameter too, limited in characteristic variables.
fn gas(gamma: f64, more: &str) -> Case {
    case(&format!(
        "law = \"euler\"\norder = 1\n{more}\nparameters.gamma = {gamma}
        mesh = {{ generator = \"disc\", radius = 1.0, rings = 6 }}
        initial.formulas = {{ rho = \"1 + exp(-9*(x^2 + y^2))/gamma\", v1 = \"0.3\", v2 = \"0\", p = \"1/gamma\" }}
        boundaries.rim.state = {{ rho = \"1\", v1 = \"0.3\", v2 = \"0\", p = \"1/gamma\" }}
        limiter = {{ method = \"moment\", variables = \"characteristic\" }}
        flux.numerical = \"hllc\"\ntime.final = 1.0"
    ))
}

/// The largest difference of coefficients, over the largest coefficient.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest
}

/// The coefficients some steps later.
fn march(solver: &mut Solver) -> Vec<f64> {
    solver.advance(f64::INFINITY, 5).unwrap();
    solver.coefficients().unwrap()
}

#[test]
fn solvers_with_other_parameters_compute_side_by_side_what_each_computes_alone() {
    let gammas = [1.4, 1.2];
    let alone = gammas.map(|gamma| {
        let mut solver = solver(&gas(gamma, ""));
        [march(&mut solver), march(&mut solver)]
    });
    assert!(difference(&alone[0][0], &alone[1][0]) > 1e-3);
    // Both are built before either begins, and take turns.
    let mut solvers = gammas.map(|gamma| solver(&gas(gamma, "")));
    for turn in 0..2 {
        for (solver, alone) in solvers.iter_mut().zip(&alone) {
            assert!(march(solver) == alone[turn]);
        }
    }
    // In parallel.
    let at_once = std::thread::scope(|scope| {
        let threads = gammas.map(|gamma| scope.spawn(move || march(&mut solver(&gas(gamma, "")))));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(at_once[0] == alone[0][0] && at_once[1] == alone[1][0]);
}

#[test]
#[ignore = "long"]
fn literal_parameters_give_the_same_solution_up_to_rounding() {
    for (precision, rounding) in [("double", 1e-13), ("single", 1e-5)] {
        let [variable, literal] = [false, true].map(|is_literal| {
            let case = gas(1.3, &format!("precision = \"{precision}\"\nliteral_parameters = {is_literal}"));
            let mut solver = solver(&case);
            let unit = solver.unit();
            for (_, options) in solver.setup().options(unit, solver.schedule(), tests::RIM, &KeptMedium::NOTHING) {
                let defined = options.defines.iter().find(|(name, _)| name == "parameter_gamma");
                assert_eq!(defined.map(|(_, value)| &**value), is_literal.then_some("R(1.3)"));
            }
            march(&mut solver)
        });
        let difference = difference(&variable, &literal);
        assert!(difference <= rounding, "{precision}: {difference:e}");
    }
}
