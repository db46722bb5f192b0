//! Shocks that run along a strip of triangles, against solutions in one dimension.

use dg_runtime::case::Case;
use dg_runtime::solver::Solver;
use templates::reference::{Operators, Shape};
use tests::reference_1d::Reference;
use tests::riemann::{Primitive, Riemann};
use tests::{case, mean_difference, root, solution};

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

/// How far the density is from a function of x, in the mean over the mesh by quadrature.
fn density_difference(solver: &Solver, expected: impl Fn(f64) -> f64) -> f64 {
    let (mesh, order) = (solver.mesh(), solver.setup().order);
    let tables = Operators::new(Shape::Triangle, order).unwrap();
    let coefficients = solver.coefficients().unwrap();
    let (mut difference, mut area) = (0.0, 0.0);
    for (element, own) in coefficients.chunks(coefficients.len() / mesh.element_count()).enumerate() {
        let determinant = mesh.geometry(element).determinant;
        for ((point, weight), phi) in tables.fine_points.iter().zip(&tables.fine_weights).zip(&tables.basis_at_fine) {
            let density: f64 = own.iter().zip(phi).map(|(u, phi)| u * phi).sum();
            let [x, _] = mesh.position(element, point);
            difference += determinant * weight * (density - expected(x)).abs();
            area += determinant * weight;
        }
    }
    difference / area
}

/// A case that comes with Rankine, with parts of its text replaced.
fn example(name: &str, changes: &[(&str, &str)]) -> Case {
    let text = std::fs::read_to_string(root().join("equations/cases").join(name)).unwrap();
    case(&changes.iter().fold(text, |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    }))
}

#[test]
fn sods_problem_is_sharper_with_cubics_on_half_the_cells() {
    let left = Primitive { rho: 1.0, v: 0.0, p: 1.0 };
    let right = Primitive { rho: 0.125, v: 0.0, p: 0.1 };
    let exact = Riemann::new(left, right, 1.4);
    let error = |changes: &[(&str, &str)]| {
        density_difference(&solution(&example("sod.toml", changes)), |x| exact.at((x - 0.5) / 0.2).rho)
    };
    let linear = error(&[]);
    let cubic = error(&[
        ("order = 1", "order = 3"),
        ("\"heun\"", "\"ssp_rk3\""),
        ("\"barth_jespersen\"", "\"filter\"\nindicator = \"decay\""),
        ("cells = [400, 4]", "cells = [200, 2]"),
    ]);
    println!("p = 1: {linear:.2e}; p = 3 on half the cells: {cubic:.2e}");
    assert!(linear <= 0.004 && cubic < linear, "{linear}, {cubic}");
}

/// The short waves behind the shock need degrees, not only cells. With the same limiter as the cubics, lines on 400
/// cells are closer still: cubics pay where the solution is smooth.
#[test]
fn waves_behind_a_shock_are_closer_with_cubics_than_with_barth_and_jespersens_lines_on_twice_the_cells() {
    let reference = Reference::shu_osher(2500);
    let error = |changes: &[(&str, &str)]| {
        density_difference(&solution(&example("shu_osher.toml", changes)), |x| reference.at(x).rho)
    };
    let cubic = error(&[]);
    let linear = error(&[
        ("order = 3", "order = 1"),
        ("cells = [200, 4]", "cells = [400, 4]"),
        ("\"rusanov\"", "\"hllc\""),
        ("method = \"moment\"\nvariables = \"characteristic\"\nindicator = \"decay\"", "method = \"barth_jespersen\""),
    ]);
    println!("p = 3 on 200 cells: {cubic:.2e}; p = 1 on 400: {linear:.2e}");
    assert!(cubic < linear, "{cubic}, {linear}");
}
