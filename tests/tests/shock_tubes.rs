//! Shocks that run along a strip of triangles, against solutions in one dimension.

use dg_runtime::case::Case;
use tests::riemann::{Primitive, Riemann};
use tests::{case, mean_difference, solution};

/// Sod's problem with so many cells along x.
fn sod(numerical_flux: &str, cells: usize) -> Case {
    case(&format!(
        r#"
        law = "euler"
        order = 0
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {}], cells = [{cells}, 4], jitter = 0.2 }}
        boundaries = {{ left = "outflow", right = "outflow", bottom = {{ periodic = "top" }} }}
        initial.formulas.rho = "if(x < 0.5, 1, 0.125)"
        initial.formulas.rho_v1 = "0"
        initial.formulas.rho_v2 = "0"
        initial.formulas.rho_e = "if(x < 0.5, 1, 0.1)/(gamma - 1)"
        time = {{ final = 0.2, integrator = "heun" }}
        flux.numerical = "{numerical_flux}"
        "#,
        4.0 / cells as f64
    ))
}

#[test]
fn sods_problem_on_triangles_converges_to_the_exact_solution() {
    let left = Primitive { rho: 1.0, v: 0.0, p: 1.0 };
    let right = Primitive { rho: 0.125, v: 0.0, p: 0.1 };
    let exact = Riemann::new(left, right, 1.4);
    let errors = ["rusanov", "hll", "hllc", "roe"].map(|flux| {
        let error = |cells| mean_difference(&solution(&sod(flux, cells)), |x| exact.at((x - 0.5) / 0.2).rho);
        let [coarse, fine] = [error(100), error(400)];
        println!("{flux}: {coarse:.2e}, {fine:.2e}");
        // Of first order where it is smooth; contacts are smeared over the root of the cells' size.
        assert!((2.0..4.0).contains(&(coarse / fine)), "{flux}: {coarse}, {fine}");
        fine
    });
    // The more waves a flux knows, the less it smears.
    assert!(errors.is_sorted_by(|a, b| a > b), "{errors:?}");
}
