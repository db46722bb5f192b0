//! Limiters on smooth solutions.

use tests::{case, solution};

/// L2 errors on a mesh and its refinement, and their rate.
fn rate(problem: &str, order: usize, limiter: &str) -> ([f64; 2], f64) {
    let errors = [0, 1].map(|refine| {
        let (law, initial, flux, half, cells, jitter, until) = match problem {
            "gaussian" => ("advection", "gaussian", "upwind", 0.5, [0, 48, 24, 16, 12, 20][order], 0.0, 0.05),
            _ => ("euler", "isentropic_vortex", "hllc", 10.0, [0, 40, 40, 20, 20, 20][order], 0.1, 1.0),
        };
        let cfl = [0.0, 0.5, 0.29, 0.2, 0.1, 0.05][order];
        let case = case(&format!(
            r#"
            law = "{law}"
            order = {order}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial = {{ function = "{initial}" }}
            time = {{ final = {until}, cfl = {cfl:?} }}
            flux.numerical = "{flux}"
            {limiter}
            [mesh]
            generator = "rectangle"
            lower = [-{half}, -{half}]
            upper = [{half}, {half}]
            cells = [{cells}, {cells}]
            jitter = {jitter:?}
            refine = {refine}
            "#
        ));
        solution(&case).errors().unwrap().l2[0]
    });
    (errors, (errors[0] / errors[1]).log2())
}

#[test]
fn explore() {
    let which = std::env::var("WHICH").unwrap();
    let (problem, order) = which.split_once(' ').unwrap();
    let order = order.parse().unwrap();
    let mut all = vec!["".to_owned()];
    for method in dg_runtime::solver::Method::ALL.into_iter().filter(|m| m.suits(order)) {
        for indicator in [", indicator = \"jumps\"", ", indicator = \"decay\"", ""] {
            all.push(format!("limiter = {{ method = \"{method}\"{indicator} }}"));
        }
    }
    for limiter in all {
        let ([a, b], rate) = rate(problem, order, &limiter);
        println!("{which} {limiter}: {a:.3e} {b:.3e} rate {rate:.2}");
    }
}
