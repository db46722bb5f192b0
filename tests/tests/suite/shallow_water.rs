//! Shallow water: dams that break above water and above dry ground, and a current on rough ground that turns.

use dg_runtime::solver::Solver;
use templates::reference::{Operators, Shape};
use tests::{example, solution, solver};

/// Stoker's solution has a rarefaction and a bore: the mean error falls with the size of cells, but for the width of the bore.
#[test]
fn a_dam_break_converges_to_stokers_solution() {
    let errors = ["rusanov", "hll", "hllc"].map(|flux| {
        let flux = format!("flux.numerical={flux}");
        let error =
            |mesh| solution(&example("dam_break.toml", &[mesh, "mesh.upper=[10, 0.4]", &flux])).errors().unwrap().l1[0];
        let [coarse, fine] = ["mesh.cells=[50, 2]", "mesh.cells=[200, 2]"].map(error);
        println!("{flux}: {coarse:.2e}, {fine:.2e}");
        assert!((3.0..5.0).contains(&(coarse / fine)), "{flux}: {coarse}, {fine}");
        fine
    });
    // A bore is as sharp by two waves as by three.
    assert!(errors[1] < errors[0] && errors[2] < 1.1 * errors[1], "{errors:?}");
}

/// The least depth at the points at which the scheme evaluates the law.
fn least_depth(solver: &Solver) -> f64 {
    let tables = Operators::new(Shape::Triangle, solver.setup().order).unwrap();
    let coefficients = solver.coefficients().unwrap();
    let size = coefficients.len() / solver.mesh().element_count();
    let points: Vec<_> = tables.basis_at_volume.iter().chain(tables.basis_at_face.iter().flatten()).collect();
    let depth = |own: &[f64], phi: &[f64]| own.iter().zip(phi).map(|(h, phi)| h * phi).sum::<f64>();
    let depths = coefficients.chunks(size).flat_map(|own| points.iter().map(move |phi| depth(own, phi)));
    depths.fold(f64::INFINITY, f64::min)
}

#[test]
fn a_dam_break_above_dry_ground_converges_to_ritters_solution_and_depths_stay_positive() {
    for flux in ["hll", "hllc"] {
        let error = |mesh| {
            let flux = format!("flux.numerical={flux}");
            let case = example("dry_dam_break.toml", &[mesh, "mesh.upper=[10, 0.4]", &flux]);
            let mut solver = solver(&case);
            let water = solver.integrals().unwrap()[0];
            let until = case.time.until.unwrap();
            loop {
                let clock = solver.advance(until, 10).unwrap_or_else(|error| panic!("{error}"));
                let (least, now) = (least_depth(&solver), solver.integrals().unwrap()[0]);
                assert!(least > 0.0, "{flux}: {least} at {}", clock.time);
                assert!((now / water - 1.0).abs() < 1e-12, "{flux}: {now} of {water} at {}", clock.time);
                if clock.time == until {
                    break solver.errors().unwrap().l1[0];
                }
            }
        };
        let [coarse, fine] = ["mesh.cells=[25, 1]", "mesh.cells=[100, 2]"].map(error);
        println!("{flux}: {coarse:.2e}, {fine:.2e}");
        assert!(coarse / fine > 3.0, "{flux}: {coarse}, {fine}");
    }
}

/// Friction and the ground's turning alone, in which nothing varies in space: the error is that of the integrator, of order 4.
#[test]
fn a_current_slows_and_turns_as_friction_and_the_ground_make_it() {
    let error = |size: f64| {
        let case = tests::case(&format!(
            r#"
            law = "shallow_water"
            order = 0
            parameters = {{ g = 1.0, f = 2.0, friction = 1.0 }}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [{size}, {size}], cells = [2, 2] }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            initial.function = "inertial_current"
            time = {{ final = 1.0, cfl = 0.25, integrator = "rk4" }}
            "#
        ));
        let solver = solution(&case);
        (solver.errors().unwrap().max[1], solver.clock().unwrap().steps as f64)
    };
    let [(coarse, few), (fine, many)] = [2.0, 1.0].map(error);
    // The rate of the source bounds steps beside the waves, so that there are not twice as many.
    let rate = (coarse / fine).ln() / (many / few).ln();
    println!("{coarse:.2e}, {fine:.2e}, rate {rate:.2}");
    assert!((3.7..4.3).contains(&rate), "{coarse}, {fine}, {rate}");
}
