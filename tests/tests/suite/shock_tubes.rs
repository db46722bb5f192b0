//! Shocks that run along a strip, against solutions in one dimension.

use dg_runtime::case::Case;
use dg_runtime::solver::Solver;
use templates::reference::Operators;
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
#[ignore = "long"]
fn sods_problem_on_triangles_converges_to_the_exact_solution() {
    let left = Primitive { rho: 1.0, v: 0.0, p: 1.0 };
    let right = Primitive { rho: 0.125, v: 0.0, p: 0.1 };
    let exact = Riemann::new(left, right, 1.4);
    let errors = ["rusanov", "hll", "hllc", "roe"].map(|flux| {
        let error = |cells| mean_difference(&solution(&sod(flux, cells)), |x| exact.at((x - 0.5) / 0.2).rho);
        let [coarse, fine] = [error(100), error(400)];
        println!("{flux}: {coarse:.2e}, {fine:.2e}");
        // First order where it is smooth; contacts are smeared over the root of the cells' size.
        assert!((2.0..4.0).contains(&(coarse / fine)), "{flux}: {coarse}, {fine}");
        fine
    });
    // The more waves a flux resolves, the less it smears.
    assert!(errors.is_sorted_by(|a, b| a > b), "{errors:?}");
}

/// Lax's problem with a limiter on so many cells: the mean error of the density, and its least value at the points of
/// a quadrature. P. D. Lax, Comm. Pure Appl. Math. 7 (1954) 159–193.
fn lax(elements: &str, order: usize, limiter: &str, cells: usize) -> (f64, f64) {
    let left = Primitive { rho: 0.445, v: 0.698, p: 3.528 };
    let right = Primitive { rho: 0.5, v: 0.0, p: 0.571 };
    let exact = Riemann::new(left, right, 1.4);
    let found = solution(&case(&format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {}], cells = [{cells}, 2], {elements} }}
        boundaries = {{ left = {{ state = "gases" }}, right = {{ state = "gases" }}, bottom = {{ periodic = "top" }} }}
        initial.state = "gases"
        states.gases.rho = "if(x < 0.5, 0.445, 0.5)"
        states.gases.v1 = "if(x < 0.5, 0.698, 0)"
        states.gases.v2 = "0"
        states.gases.p = "if(x < 0.5, 3.528, 0.571)"
        time = {{ final = 0.13, integrator = "ssp_rk3" }}
        flux.numerical = "hllc"
        limiter = {limiter}
        "#,
        2.0 / cells as f64
    )));
    let mut least = f64::INFINITY;
    at_points(&found, |_, _, rho| least = least.min(rho));
    (density_difference(&found, |x| exact.at((x - 0.5) / 0.13).rho), least)
}

/// Triangles of all kinds.
const TRIANGLES: &str = "jitter = 0.2";

/// The documents' recommendation for strong shocks.
const RECOMMENDED: &str = r#"{ method = "moment", variables = "characteristic" }"#;

#[test]
#[ignore = "long"]
fn laxs_problem_is_sharp_without_undershoots_and_cubics_are_sharper_with_as_many_unknowns() {
    let (lines, least) = lax(TRIANGLES, 1, RECOMMENDED, 400);
    println!("p = 1 on 400 cells: {lines:.2e}, density from {least:.3}");
    // Exact: 0.3447, between rarefaction and contact.
    assert!(lines <= 3.0e-3 && least > 0.3, "{lines}, {least}");
    // As many unknowns in a refinement in both directions: six per triangle, and ten.
    let [parabolas, cubics] = [(2, 200), (3, 155)].map(|(order, cells)| {
        let (error, least) = lax(TRIANGLES, order, RECOMMENDED, cells);
        println!("p = {order} on {cells} cells: {error:.2e}, density from {least:.3}");
        assert!(least > 0.3, "p = {order}: {least}");
        error
    });
    let (filtered, _) = lax(TRIANGLES, 2, r#"{ method = "filter", indicator = "decay" }"#, 200);
    println!("filter, p = 2 on 200 cells: {filtered:.2e}");
    assert!(cubics < parabolas && parabolas < 0.9 * filtered, "{parabolas}, {cubics}, {filtered}");
}

/// Four unknowns per square at p = 1, nine, sixteen.
#[test]
#[ignore = "long"]
fn laxs_problem_on_squares_is_sharp_without_undershoots() {
    for (order, cells) in [(1, 400), (2, 200), (3, 150)] {
        let (error, least) = lax(r#"elements = "quadrilaterals""#, order, RECOMMENDED, cells);
        println!("p = {order} on {cells} squares: {error:.2e}, density from {least:.3}");
        assert!(error <= 1e-2 && least > 0.3, "p = {order}: {error}, {least}");
    }
}

/// Quadrilaterals that are no parallelograms, as sharp as those.
#[test]
#[ignore = "long"]
fn laxs_problem_on_skewed_quadrilaterals_is_as_sharp() {
    for (order, limiter) in [
        (1, r#"{ method = "barth_jespersen" }"#),
        (2, RECOMMENDED),
        (2, r#"{ method = "filter", indicator = "decay" }"#),
    ] {
        let [straight, skewed] = ["jitter = 0", "jitter = 0.2"].map(|jitter| {
            let (error, least) = lax(&format!("elements = \"quadrilaterals\", {jitter}"), order, limiter, 150);
            println!("p = {order}, {limiter}, {jitter}: {error:.2e}, density from {least:.3}");
            assert!(least > 0.29, "p = {order}, {limiter}, {jitter}: {least}");
            error
        });
        assert!(skewed < 1.15 * straight, "p = {order}, {limiter}: {straight}, {skewed}");
    }
}

/// Sod's problem on quadrilaterals that are no parallelograms: the states between the waves, and where contact and shock are.
#[test]
#[ignore = "long"]
fn sods_problem_on_skewed_quadrilaterals_has_the_exact_states_and_positions() {
    let left = Primitive { rho: 1.0, v: 0.0, p: 1.0 };
    let right = Primitive { rho: 0.125, v: 0.0, p: 0.1 };
    let exact = Riemann::new(left, right, 1.4);
    let changes = [
        ("cells = [400, 4]", "cells = [200, 2]\nelements = \"quadrilaterals\""),
        ("jitter = 0.2", "jitter = 0.24"),
        ("order = 1", "order = 2"),
        ("\"heun\"", "\"ssp_rk3\""),
        ("\"barth_jespersen\"", "\"moment\"\nvariables = \"characteristic\""),
    ];
    let solver = solution(&example("sod.toml", &changes));
    let between = |from: f64, to: f64| {
        let mut sums = [0.0; 2];
        at_points(&solver, |x, weight, density| {
            if from < x && x < to {
                sums = [sums[0] + weight, sums[1] + weight * density];
            }
        });
        sums[1] / sums[0]
    };
    // Away from the waves; the contact at 0.68549, the shock at 0.85043.
    for (from, to) in [(0.52, 0.65), (0.72, 0.83)] {
        let (found, expected) = (between(from, to), exact.at((0.5 * (from + to) - 0.5) / 0.2).rho);
        println!("density {found:.5}, exact {expected:.5}");
        assert!((found / expected - 1.0).abs() < 2e-3, "{from} to {to}: {found}, exact {expected}");
    }
    // A jump of the density from a to b at x conserves what is between two places on its sides.
    for (from, to, place) in [(0.65, 0.72, 0.68549), (0.80, 0.90, 0.85043)] {
        let [a, b] = [from, to].map(|x| exact.at((x - 0.5) / 0.2).rho);
        let found = from + (to - from) * (between(from, to) - b) / (a - b);
        println!("jump at {found:.5}, exact {place}");
        // Within half a cell.
        assert!((found - place).abs() < 0.5 / 200.0, "{found}, exact {place}");
    }
}

/// The mean difference of the density from a function of x over the mesh, by quadrature.
fn density_difference(solver: &Solver, expected: impl Fn(f64) -> f64) -> f64 {
    let (mut difference, mut area) = (0.0, 0.0);
    at_points(solver, |x, weight, density| {
        difference += weight * (density - expected(x)).abs();
        area += weight;
    });
    difference / area
}

/// Calls `visit` with x, weight and density at the points of a quadrature.
fn at_points(solver: &Solver, mut visit: impl FnMut(f64, f64, f64)) {
    let (mesh, order) = (solver.mesh(), solver.setup().order);
    let tables = Operators::new(solver.mesh().shape(0), order).unwrap();
    let coefficients = solver.coefficients().unwrap();
    for (element, own) in coefficients.chunks(coefficients.len() / mesh.element_count()).enumerate() {
        let determinant = mesh.geometry(element).determinant;
        for ((point, weight), phi) in tables.fine_points.iter().zip(&tables.fine_weights).zip(&tables.basis_at_fine) {
            let density = own.iter().zip(phi).map(|(u, phi)| u * phi).sum();
            let [x, _] = mesh.position(element, point);
            visit(x, determinant * weight, density);
        }
    }
}

#[test]
fn the_formulas_of_sods_problem_are_its_solution() {
    let path = root().join("docs/time-to-solution/sod.toml");
    let settings = ["order=1".to_owned(), "time.final=0.2".to_owned()];
    let solver = solution(&Case::read_with(&path, &settings, equations::LAWS).unwrap());
    let exact = Riemann::new(Primitive { rho: 1.0, v: 0.0, p: 1.0 }, Primitive { rho: 0.125, v: 0.0, p: 0.1 }, 1.4);
    let from_formulas = solver.errors().unwrap().l1[0] / 0.02;
    let from_solution = density_difference(&solver, |x| exact.at((x - 0.5) / 0.2).rho);
    assert!((from_formulas / from_solution - 1.0).abs() < 1e-6, "{from_formulas}, {from_solution}");
}

/// A case that comes with Rankine, with parts of its text replaced.
fn example(name: &str, changes: &[(&str, &str)]) -> Case {
    // Other files are relative to this path.
    let path = root().join("equations/cases").join(name);
    let text = changes.iter().fold(std::fs::read_to_string(&path).unwrap(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    });
    Case::parse(&text, &path, equations::LAWS).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "long"]
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

/// The short waves behind the shock need high degrees, not only cells. With the same limiter as the cubics, linear polynomials on 400
/// cells are closer still: cubics pay where the solution is smooth.
#[test]
#[ignore = "long"]
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
