//! ADER on elements whose maps are not affine: curved triangles, curved and general quadrilaterals, and meshes of all of them.

use dg_runtime::case::Case;
use dg_runtime::law::Shape;
use dg_runtime::solver::{Integrator, Solver};
use tests::{bits, march, solution};

use crate::ader::{parsed, text};
use crate::media::turning_on;

/// Kinds of meshes; curved sides have the degree that is left open.
pub(crate) const MESHES: [&str; 4] = [
    "degree = DEGREE, curvature = 0.05",
    "elements = \"quadrilaterals\", degree = DEGREE, curvature = 0.05",
    "elements = \"quadrilaterals\", jitter = 0.2",
    "layers = 2, degree = DEGREE, curvature = 0.05",
];

/// A mesh with sides of this degree.
pub(crate) fn of_degree(mesh: &str, degree: usize) -> String {
    mesh.replace("DEGREE", &degree.to_string())
}

/// A case of the tests of ADER on another mesh.
fn bent(text: &str, mesh: &str, degree: usize) -> String {
    text.replace("jitter = 0.1", &of_degree(mesh, degree))
}

/// Sound between walls, from a state by this formula for the pressure.
fn sound(mesh: &str, order: usize, pressure: &str, boundary: &str) -> String {
    let text = text("room", "standing", boundary, order, 0);
    let initial = format!("initial.formulas = {{ p = \"{pressure}\", v1 = 0.3, v2 = -0.2 }}");
    bent(&text.replace("initial.function = \"standing\"", &initial), mesh, 2)
}

fn case(text: &str) -> Case {
    parsed(text).unwrap_or_else(|error| panic!("{error}"))
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Checks that halving the elements divides the error of these cases by about 2^(p + 1), or more.
fn assert_of_full_order(what: &str, order: usize, case: impl Fn(usize) -> Case) {
    let [coarse, fine] = [1, 2].map(|refine| solution(&case(refine)).errors().unwrap().l2[0]);
    let rate = (coarse / fine).log2();
    println!("{what}, p = {order}: {coarse:.3e} {fine:.3e}, rate {rate:.2}");
    assert!(rate > order as f64 + 0.85, "{what}, p = {order}: {coarse:e} {fine:e}, rate {rate:.2}");
}

/// Where metric terms vary alone; with a source by a matrix; and with sources that change with position and time.
#[test]
#[ignore = "long"]
fn curved_elements_keep_the_order() {
    for mesh in MESHES {
        for (law, wave, boundary, orders) in [
            ("room", "standing", "\"wall\"", &[1, 2, 3, 4][..]),
            ("maxwell_tm", "cavity", "\"conductor\"", &[3]),
            ("sound", "manufactured", "{ state = \"manufactured\" }", &[2]),
        ] {
            for order in tests::sample(orders.iter().copied()) {
                assert_of_full_order(&format!("{wave}, {mesh}"), order, |refine| {
                    case(&bent(&text(law, wave, boundary, order, refine), mesh, order.clamp(2, 4)))
                });
            }
        }
    }
}

/// With short steps errors in time are nothing beside those in space, which both methods have in common.
#[test]
#[ignore = "long"]
fn by_short_steps_errors_are_those_of_runge_and_kutta() {
    for mesh in MESHES {
        let errors = ["ader", "rk4"].map(|integrator| {
            let text = bent(&text("room", "standing", "\"wall\"", 3, 0), mesh, 3);
            let text = text.replace("integrator = \"ader\"", &format!("cfl = 0.05\nintegrator = \"{integrator}\""));
            solution(&case(&text)).errors().unwrap().l2[0]
        });
        println!("{mesh}: {errors:?}");
        assert!((errors[0] / errors[1] - 1.0).abs() < 0.01, "{mesh}: {errors:?}");
    }
}

#[test]
#[ignore = "long"]
fn what_is_uniform_stays_uniform_and_walls_keep_what_is_there() {
    for mesh in tests::sample(MESHES) {
        let periodic = sound(mesh, 2, "1.3", "{ periodic = \"right\" }")
            .replace("right = { periodic = \"right\" }\n", "")
            .replace("bottom = { periodic = \"right\" }\n", "bottom = { periodic = \"top\" }\n")
            .replace("top = { periodic = \"right\" }\n", "");
        let mut uniform = tests::solver(&case(&periodic));
        let before = uniform.coefficients().unwrap();
        uniform.advance(f64::INFINITY, 100).unwrap();
        let change = largest_difference(&before, &uniform.coefficients().unwrap());

        let mut closed = tests::solver(&case(&sound(mesh, 2, "1 + sin(7*x + y) * cos(4*y)", "\"wall\"")));
        let mass = |solver: &Solver| solver.integrals().unwrap()[0];
        let (before, at_start) = (mass(&closed), bits(&closed));
        closed.advance(f64::INFINITY, 100).unwrap();
        let leak = (mass(&closed) / before - 1.0).abs();
        println!("{mesh}: uniform to {change:.1e}, conserved to {leak:.1e}");
        assert!(change < 1e-13 && leak < 1e-13, "{mesh}: {change:e}, {leak:e}");
        assert!(bits(&closed) != at_start, "{mesh}: nothing moved");
    }
}

/// A run gives the same bits again, and a thread or several for an element agree.
#[test]
#[ignore = "long"]
fn runs_repeat_and_schedules_agree() {
    for mesh in MESHES {
        for (law, wave, boundary) in
            [("room", "standing", "\"wall\""), ("sound", "manufactured", "{ state = \"manufactured\" }")]
        {
            let by = |schedule: &str| {
                let mut case = case(&bent(&text(law, wave, boundary, 3, 0), mesh, 3));
                case.schedule = Some(schedule.parse().unwrap());
                march(&case, 20).0
            };
            let [one, again, other] = ["element/32", "element/32", "component/64"].map(by);
            assert!(bits(&one) == bits(&again), "{law}, {mesh}");
            let difference = largest_difference(&one.coefficients().unwrap(), &other.coefficients().unwrap());
            assert!(difference < 1e-12, "{law}, {mesh}: {difference:e}");
        }
    }
}

/// A medium that varies within elements: its fluxes are projected.
#[test]
#[ignore = "long"]
fn media_that_vary_within_elements_keep_the_order() {
    for mesh in MESHES {
        for order in tests::sample(1..=4) {
            let mesh = of_degree(mesh, order.clamp(2, 4));
            assert_of_full_order(&mesh, order, |refine| turning_on(&mesh, order, refine, "ader"));
        }
    }
}

/// The means around a point source are those of the residual, which sees the neighbours.
#[test]
#[ignore = "long"]
fn point_sources_keep_the_order_in_time() {
    let source =
        "point_sources.a = { position = [0.41, 0.52], amplitude = { p = 2.0, v1 = 1.0 }, rate = \"sin(4*t + 0.3)\" }\n";
    let waves = text("sound", "manufactured", "{ state = \"manufactured\" }", 2, 0);
    for mesh in MESHES {
        let rate = tests::rate_in_time(|part| {
            let cfl = part * Integrator::Ader.default_cfl(Shape::Triangle, 2);
            let waves = waves.replace("\"ader\"", &format!("\"ader\"\ncfl = {cfl:?}"));
            case(&bent(&format!("{source}{waves}"), mesh, 2))
        });
        println!("{mesh}: rate {rate:.2}");
        assert!((rate - 3.0).abs() < 0.3, "{mesh}: {rate}");
    }
}
