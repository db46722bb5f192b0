//! Shallow water: dams that break above water and above dry ground, a lake at rest, water that swings in a bowl, and a current on rough ground
//! that turns.

use dg_runtime::solver::Solver;
use templates::reference::{Operators, Shape};
use tests::{example, solution, solver};

/// Stoker's solution has a rarefaction and a bore: the mean error falls with the size of cells, but for the width of the bore.
#[test]
#[ignore = "long"]
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
#[ignore = "long"]
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

/// A lake over an uneven bottom around an island with cliffs, whose top is uneven and dry, on a mesh that is not aligned with it.
fn lake(order: usize, film: f64, swell: f64) -> dg_runtime::case::Case {
    tests::case(&format!(
        r#"
        law = "shallow_water"
        order = {order}
        parameters.dry = 1e-5
        mesh = {{ generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [8, 8] }}
        boundaries = {{ left = "wall", right = "wall", bottom = "wall", top = "wall" }}
        medium.formulas.b = "bottom_height"
        initial.formulas = {{ h = "max({swell}*exp(-9*((x - 0.7)^2 + y^2)) - bottom_height, {film:?})", h_v1 = 0, h_v2 = 0 }}
        flux.numerical = "hllc"
        limiter.positivity = true
        time.final = 2.0
        [formulas]
        bottom_height = "if(max(abs(x), abs(y)) < 0.5, 0.3 - 0.2*(x + 0.5*y)^2 - 0.3*abs(x), 0.2*sin(3*x)*cos(2*y) - 0.5)""#
    ))
}

/// In all a wet bottom of any form, jumps between elements and cliffs do nothing, nor does the dry top of an island.
#[test]
fn a_lake_around_a_dry_island_stays_at_rest_to_rounding() {
    for order in tests::sample(0..=4) {
        let case = lake(order, 1e-14, 0.0);
        let (before, after) = (solver(&case).coefficients().unwrap(), solution(&case).coefficients().unwrap());
        let change = before.iter().zip(&after).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        println!("p = {order}: {change:.1e}");
        assert!(change < 1e-12, "p = {order}: {change}");
    }
}

/// The bottom is projected as the depth is, so that the surface is level on elements of all kinds; also where it is projected anew for
/// every stage, because its formula has the time.
#[test]
#[ignore = "long"]
fn water_stays_at_rest_on_elements_of_all_kinds() {
    let bottom = "0.1*sin(2*pi*x)*cos(2*pi*y)";
    let (once, anew) = ("", " + 0*t");
    let quadrilaterals = "jitter = 0.2, elements = \"quadrilaterals\"";
    let bent = "degree = 3, curvature = 0.05, elements = \"quadrilaterals\"";
    for (mesh, when) in [
        ("jitter = 0.2", once),
        (quadrilaterals, once),
        (quadrilaterals, anew),
        ("jitter = 0.2, layers = 3", once),
        ("degree = 2, curvature = 0.05", once),
        ("degree = 2, curvature = 0.05", anew),
        (bent, once),
        (bent, anew),
    ] {
        let case = tests::case(&format!(
            r#"
            law = "shallow_water"
            order = 2
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 1], cells = [6, 6], {mesh} }}
            boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
            medium.formulas.b = "{bottom}{when}"
            initial.formulas = {{ h = "1 - ({bottom})", h_v1 = 0, h_v2 = 0 }}
            flux.numerical = "hllc"
            time.final = 0.2"#
        ));
        let (before, after) = (solver(&case).coefficients().unwrap(), solution(&case).coefficients().unwrap());
        let change = before.iter().zip(&after).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
        println!("{mesh}{when}: {change:.1e}");
        assert!(change < 1e-13, "{mesh}{when}: {change}");
    }
}

/// A swell that breaks over the island: everything stays finite, nothing becomes negative, and no water is lost.
#[test]
fn a_swell_over_an_island_leaves_no_negative_depth() {
    for order in tests::sample(0..=4) {
        let case = lake(order, 1e-8, 0.5);
        let mut solver = solver(&case);
        let (water, mut crossed) = (solver.integrals().unwrap()[0], 0.0_f64);
        let dry = solver.mesh().element_count() / 2 + 8;
        loop {
            let clock = solver.advance(2.0, 20).unwrap_or_else(|error| panic!("p = {order}: {error}"));
            let (least, now) = (least_depth(&solver), solver.integrals().unwrap()[0]);
            assert!(least > 0.0 && (now / water - 1.0).abs() < 1e-12, "p = {order}: {least}, {now} at {}", clock.time);
            crossed = crossed.max(tests::means(&solver)[dry]);
            if clock.time == 2.0 {
                break;
            }
        }
        // The middle of the island was flooded.
        assert!(crossed > 1e-3, "p = {order}: {crossed}");
    }
}

/// Thacker's plane surface in a paraboloid, over half a period, in which the shore runs to the other side of the bowl.
///
/// The depth has a kink at the shore and the limiter acts there, so that no degree makes the order higher than 2 in the mean; convergence
/// is faster than linear, as S. Vater, N. Beisiegel & J. Behrens find (Int. J. Numer. Meth. Fluids 91 (2019) 395-418).
#[test]
fn water_swings_in_a_bowl_as_thackers_solution_says() {
    for order in tests::sample(0..=2) {
        let [coarse, fine] = [8, 16].map(|cells| {
            let (order, mesh) = (format!("order={order}"), format!("mesh.cells=[{cells}, {cells}]"));
            let mut case = example("bowl.toml", &[&order, &mesh]);
            let until = 0.5 * case.time.until.unwrap();
            case.time.until = Some(until);
            let mut solver = solver(&case);
            let water = solver.integrals().unwrap()[0];
            while solver.advance(until, 20).unwrap_or_else(|error| panic!("{order}: {error}")).time < until {
                assert!(least_depth(&solver) > 0.0);
            }
            assert!((solver.integrals().unwrap()[0] / water - 1.0).abs() < 1e-12);
            solver.errors().unwrap().l1
        });
        let rates: Vec<f64> = coarse.iter().zip(&fine).map(|(coarse, fine)| (coarse / fine).log2()).collect();
        println!("p = {order}: {coarse:?} {fine:?}, rates {rates:.2?}");
        if order == 0 {
            assert!(fine[0] < coarse[0], "{coarse:?} {fine:?}");
        } else {
            assert!(rates.iter().all(|rate| (1.0..2.2).contains(rate)), "p = {order}: {rates:?}");
        }
    }
}
