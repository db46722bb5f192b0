use std::ops::Bound;

use crate::algebra::{self, Rational};
use crate::check::laws::{BURGERS, EULER, MHD, SHALLOW_WATER, changed, euler};
use crate::check::testing::law;
use crate::check::tests::{found, has_one_mistake, method, passes};
use crate::check::{Method, SEED, Severity};
use crate::derive::{Points, Setting, waves};
use crate::ir::{Role, Warning};

/// The eigenvalues among which the extreme ones of a law always are.
fn extreme(name: &str, text: &str) -> Vec<usize> {
    let source = law(name, text);
    let id = source.law.only(&Role::Eigenvalues).unwrap();
    algebra::session("tests", || {
        let mut points = Points::new(&source.law, SEED);
        let points: Vec<_> = (0..8).filter_map(|_| points.admissible()).collect();
        let texts: Vec<String> = (0..source.law.state.fields.len()).map(|i| i.to_string()).collect();
        waves::extreme(&source.law, id, &points, &texts)
    })
    .unwrap()
}

#[test]
#[ignore = "long"]
fn slow_waves_between_fast_ones_drop_out_for_every_state() {
    // Fast waves and cleaning are left, though the slow speed is the root of a maximum; the Alfvén speed is below the
    // fast one because no component of the field along a unit normal is longer than the field.
    assert_eq!(extreme("mhd", MHD), [0, 6, 7, 8]);
    let clamped = MHD.replace("- 4.0 * a2 * bn * bn).sqrt()", "- 4.0 * a2 * bn * bn).max(0.0).sqrt()");
    assert_ne!(clamped, MHD);
    assert_eq!(extreme("mhd", &clamped), [0, 6, 7, 8]);
}

#[test]
#[ignore = "long"]
fn waves_whose_order_depends_on_the_state_all_stay() {
    let order = |values: &str| {
        extreme(
            "order",
            &format!(
                "params a = 2.0; state u, v, w;
             fn flux(q: State, p: Params) -> [State; 2] {{ [q, q] }}
             fn eigenvalues(q: State, n: Normal, p: Params) -> [f64; 3] {{ {values} }}"
            ),
        )
    };
    // Neither speed is always the larger: not of two roots, nor of two variables, nor where a parameter may be negative.
    assert_eq!(order("[(q.u).sqrt(), (q.v).sqrt(), -(q.v).sqrt()]"), [0, 1, 2]);
    assert_eq!(order("[q.u, q.u.max(q.v), q.v]"), [0, 1, 2]);
    assert_eq!(order("[q.u - p.a, q.u, q.u + p.a]"), [0, 1, 2]);
    assert_eq!(order("[if q.u > 0.0 { q.v } else { -q.v }, 0.0, q.v]"), [0, 1, 2]);
    // Of three that are ordered the middle one drops out, be they far apart or not.
    assert_eq!(order("[q.u.min(q.v), q.u, q.u.max(q.v)]"), [0, 2]);
    assert_eq!(order("[-q.u.abs(), q.u, q.u.abs()]"), [0, 2]);
    assert_eq!(order("[-(q.u * q.u + 1.0).sqrt(), q.u, (q.u * q.u + 1.0).sqrt()]"), [0, 2]);
    assert_eq!(order("[-(q.u * q.u - 1.0).sqrt(), q.u, (q.u * q.u - 1.0).sqrt()]"), [0, 1, 2]);
    assert_eq!(order("[0.0, q.u * q.u - 2.0 * q.u * q.v + 2.0 * q.v * q.v, 3.0 * (q.u * q.u + q.v * q.v)]"), [0, 2]);
    assert_eq!(order("[0.0, q.u * q.u - 3.0 * q.u * q.v + 2.0 * q.v * q.v, 9.0 * (q.u * q.u + q.v * q.v)]"), [0, 1, 2]);
}

#[test]
fn a_missing_gamma_in_the_speed_of_sound_is_found() {
    let source =
        euler("(gas.gamma * pressure(u, gas) / u.rho).sqrt();\n    [", "(pressure(u, gas) / u.rho).sqrt();\n    [");
    let message = "`vn - c` is not an eigenvalue of the flux Jacobian: `c` is sqrt(pressure(u, gas) / u.rho), \
                   the Jacobian has sqrt(gas.gamma * pressure(u, gas) / u.rho)";
    has_one_mistake(&source, "vn - c", message);
}

#[test]
fn a_wrong_sign_in_a_momentum_flux_is_found() {
    let source = euler("rho_v2: u.rho_v2 * v2 + p", "rho_v2: u.rho_v2 * v2 - p");
    let message = "`u.rho_v2 * v2 - p` does not fit the declared eigenvalues: \
                   with `u.rho_v2 * v2 + p` the flux Jacobian has them";
    has_one_mistake(&source, "u.rho_v2 * v2 - p", message);
}

#[test]
fn a_root_of_gravity_times_depth_without_gravity_under_it_is_found() {
    let source = changed("shallow_water", SHALLOW_WATER, "(p.g * u.h).sqrt()", "p.g * u.h.sqrt()");
    let message = "`vn - c` is not an eigenvalue of the flux Jacobian: `c` is p.g * sqrt(u.h), \
                   the Jacobian has sqrt(p.g * u.h)";
    has_one_mistake(&source, "vn - c", message);
}

#[test]
#[ignore = "long"]
fn too_few_eigenvalues_are_found() {
    let text = EULER.replace("[f64; 4]", "[f64; 3]").replace("vn, vn, vn + c]", "vn, vn + c]");
    let source = law("euler", &text);
    has_one_mistake(&source, "eigenvalues", "`eigenvalues` returns 3 eigenvalues, but the state has 4 components");
}

#[test]
#[ignore = "long"]
fn a_wrong_multiplicity_is_found() {
    let source = euler("[vn - c, vn, vn, vn + c]", "[vn - c, vn, vn + c, vn + c]");
    let message = "`vn + c` is an eigenvalue of the flux Jacobian, but not as often as it is declared";
    has_one_mistake(&source, "vn + c", message);
}

#[test]
fn missing_eigenvalues_are_asked_for() {
    let text = BURGERS.replace("fn eigenvalues", "fn speeds");
    let source = law("burgers", &text);
    let found = found(&source);
    assert!(found[0].2.contains("`pub fn eigenvalues(u: State, n: Normal) -> [f64; 1] { … }`"), "{found:?}");
}

#[test]
fn signs_of_the_state_do_not_hide_the_fastest_wave() {
    // At positive u the first two eigenvalues are equal, at negative u the third lies between them.
    let text = "state u, v, w;
        fn flux(q: State) -> [State; 2] {
            [State { u: 0.5 * q.u * q.u, v: q.u.abs() * q.v, w: q.u }, State { u: 0.0, v: 0.0, w: 0.0 }]
        }
        fn eigenvalues(q: State, n: Normal) -> [f64; 3] {
            [q.u * n.x, q.u.abs() * n.x, 0.0]
        }";
    for (name, text) in [("abs", text.to_string()), ("root", text.replace("q.u.abs()", "(q.u * q.u).sqrt()"))] {
        let (report, derived) = passes(name, &text);
        assert_eq!(method(&report, "eigenvalues of the flux Jacobian"), Some(Method::Branches(2)));
        assert_eq!(derived.extreme, [0, 1, 2]);
    }
}

#[test]
fn roots_of_quotients_decide_nothing() {
    // The sign of b, which comes out of the root of a / b, does not matter: a root has the sign that is asked for.
    let source = law("quotient", "state a, b; fn flux(u: State) -> [State; 2] { [u, u] }");
    let holds_elsewhere = algebra::session("tests", || {
        let mut points = Points::new(&source.law, SEED);
        let (mut setting, inputs) = Setting::symbolic(&source.law, &points.any()).unwrap();
        let (a, b) = (&inputs.left[0], &inputs.left[1]);
        let square = setting.tower.mul(b, b).unwrap();
        let quotient =
            setting.tower.div(&setting.tower.add(&square, &setting.tower.mul(a, a).unwrap()).unwrap(), &square);
        let root = setting.tower.sqrt(&quotient.unwrap()).unwrap();
        let free = !setting.tower.branched() && root.is_positive();
        setting.tower.sqrt(&square).unwrap();
        let mut negated = points.any();
        negated.left = vec![Rational::from(1), Rational::from(if b.is_negative() { 1 } else { -1 })];
        free && setting.tower.branched() && !setting.holds_at(&negated)
    });
    assert!(holds_elsewhere.unwrap());
}

#[test]
fn a_wrong_eigenvalue_that_exact_arithmetic_cannot_hold_is_found() {
    let roots: Vec<_> = (2..16).map(|i| format!("(q.u * q.u + {i}.0).sqrt()")).collect();
    let text = format!(
        "state u;
        fn flux(q: State) -> [State; 2] {{ [State {{ u: 0.5 * q.u * q.u }}, State {{ u: 0.0 }}] }}
        fn eigenvalues(q: State, n: Normal) -> [f64; 1] {{
            let a = {};
            let b = a * a;
            let c = b * b;
            [q.u * n.x + c * c]
        }}",
        roots.join(" + ")
    );
    has_one_mistake(&law("large", &text), "q.u * n.x + c * c", "`q.u * n.x + c * c` is not an eigenvalue");
}

#[test]
#[ignore = "long"]
fn a_repair_helps_at_the_state_that_fails() {
    // Most states take the right branch, where every change of the other one appears to help.
    let source = euler(
        "let c = (gas.gamma * pressure(u, gas) / u.rho).sqrt();\n    [",
        "let c = if u.rho_v1 < -1.0 { (pressure(u, gas) / u.rho).sqrt() } else { \
         (gas.gamma * pressure(u, gas) / u.rho).sqrt() };\n    [",
    );
    let found = found(&source);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].2.contains("the Jacobian has sqrt(gas.gamma * pressure(u, gas) / u.rho)"), "{found:?}");
}

#[test]
#[ignore = "long"]
fn a_parameter_that_goes_wrong_far_from_its_default_is_found() {
    let limited = |range| {
        let mut source = euler(
            "(gas.gamma * pressure(u, gas) / u.rho).sqrt();\n    [",
            "(gas.gamma.min(6.2) * pressure(u, gas) / u.rho).sqrt();\n    [",
        );
        source.law.parameters.fields[0].range = range;
        source
    };
    let above_one = limited((Bound::Excluded("1.0".to_owned()), Bound::Unbounded));
    assert!(matches!(&found(&above_one)[..], [(Severity::Error, "vn - c", _)]));
    // Without a range it may be that no gas has such a γ, and the formula is doubted.
    let any = limited((Bound::Unbounded, Bound::Unbounded));
    assert!(matches!(&found(&any)[..], [(Severity::Warning(Warning::UntriedBranch), "6.2", _)]));
    let gas = limited((Bound::Excluded("1.0".to_owned()), Bound::Included("5.0".to_owned())));
    assert!(matches!(&found(&gas)[..], [(Severity::Warning(Warning::UntriedBranch), "6.2", _)]));
}

#[test]
#[ignore = "long"]
fn iterations_that_end_in_rounding_are_numbers() {
    let heron = "fn heron(a: f64, x: f64) -> f64 { 0.5 * (x + a / x) }
        fn four_times(a: f64, x: f64) -> f64 { heron(a, heron(a, heron(a, heron(a, x)))) }
        fn eigenvalues(u: State, n: Normal, p: Params) -> [f64; 3] {
            let gh = p.g * u.h;
            let c = four_times(gh, four_times(gh, 0.5 * (1.0 + gh)));";
    let head = "fn eigenvalues(u: State, n: Normal, p: Params) -> [f64; 3] {";
    assert!(SHALLOW_WATER.contains(head), "{SHALLOW_WATER}");
    let text = SHALLOW_WATER.replace(head, heron).replace("let c = (p.g * u.h).sqrt();", "");
    let (report, _) = passes("heron", &text);
    assert!(matches!(method(&report, "gives the eigenvalues of the flux Jacobian"), Some(Method::FloatingPoint(_))));
    // Too few steps are a mistake.
    let short = text.replace("four_times(gh, four_times(gh, 0.5 * (1.0 + gh)))", "four_times(gh, 0.5 * (1.0 + gh))");
    assert!(found(&law("heron", &short)).iter().any(|(severity, ..)| *severity == Severity::Error));
}
