use crate::check::testing::law;
use crate::check::tests::{has_one_mistake, method, passes};
use crate::check::{Method, Severity, laws::BURGERS};

/// Shallow water along x and y that jumps, by a formula.
fn water(solution: &str) -> String {
    format!(
        "state h, hu, hv;
        fn flux(u: State) -> [State; 2] {{
            let p = 0.5 * u.h * u.h;
            [
                State {{ h: u.hu, hu: u.hu * u.hu / u.h + p, hv: u.hu * u.hv / u.h }},
                State {{ h: u.hv, hu: u.hu * u.hv / u.h, hv: u.hv * u.hv / u.h + p }},
            ]
        }}
        fn eigenvalues(u: State, n: Normal) -> [f64; 3] {{
            let vn = (u.hu * n.x + u.hv * n.y) / u.h;
            let c = u.h.sqrt();
            [vn - c, vn, vn + c]
        }}
        #[admissible] fn wet(u: State) -> [f64; 1] {{ [u.h] }}
        #[exact] fn bore(x: Point, t: f64) -> State {{ {solution} }}"
    )
}

/// A bore of depth 3 into water of depth 1 at rest: s² = ½ 3 (3 + 1) / 1 = 6, and the water behind moves with ⅔ s; along (0.6, 0.8).
const BORE: &str = "
    let six = 6.0;
    let s = six.sqrt();
    if 0.6 * x.x + 0.8 * x.y < s * t {
        State { h: 3.0, hu: 0.6 * 2.0 * s, hv: 0.8 * 2.0 * s }
    } else {
        State { h: 1.0, hu: 0.0, hv: 0.0 }
    }";

const STATEMENT: &str = "`bore` conserves where it jumps: [F·n] = s [u]";

#[test]
fn a_bore_conserves_mass_and_momentum() {
    let (report, _) = passes("water", &water(BORE));
    assert!(matches!(method(&report, STATEMENT), Some(Method::FloatingPoint(n)) if n >= 2), "{:?}", report.proofs);
}

#[test]
fn a_jump_with_another_speed_or_state_is_no_solution() {
    for (from, to) in [
        ("< s * t", "< 1.01 * s * t"),
        ("< s * t", "< 0.0 - s * t"),
        ("0.6 * x.x + 0.8 * x.y", "0.8 * x.x + 0.6 * x.y"),
        ("h: 3.0", "h: 2.9"),
        ("hv: 0.8 * 2.0 * s", "hv: 0.6 * 2.0 * s"),
    ] {
        assert!(BORE.contains(from), "{from}");
        let source = law("water", &water(&BORE.replacen(from, to, 1)));
        has_one_mistake(&source, "bore", "`bore` is no solution of the law: where it jumps, it does not conserve");
    }
}

#[test]
fn a_jump_into_which_too_few_waves_run_is_no_solution() {
    // Between the same states, with the deep water ahead, the bore conserves as well; but water does not fall so, it spreads.
    let fallen = BORE.replacen("< s * t", "> s * t", 1);
    let source = law("water", &water(&fallen));
    has_one_mistake(&source, "bore", "`bore` keeps an expansion: where it jumps, a wave spreads instead");
    // Along with the law's one wave: a contact is no expansion.
    let step = "state u;
        fn flux(u: State) -> [State; 2] { [State { u: u.u }, State { u: 0.0 }] }
        fn eigenvalues(_: State, n: Normal) -> [f64; 1] { [n.x] }
        #[exact] fn step(x: Point, t: f64) -> State { State { u: if x.x < t { 1.0 } else { 2.0 } } }";
    passes("transport", step);
}

/// A shock of thin films, through which all waves pass to one side: it is the limit of other dissipation than viscosity, such as surface
/// tension (A. L. Bertozzi, A. Münch & M. Shearer, Physica D 134 (1999) 431–464).
#[test]
fn an_undercompressive_shock_is_a_solution() {
    // With F = u² − u³ between l and r the speed is l + r − l² − l r − r², here 0.27, and those of waves are 0.12 and 0.17.
    let film = |l: f64, r: f64, speed: f64| {
        format!(
            "state u;
            fn flux(u: State) -> [State; 2] {{ [State {{ u: u.u * u.u - u.u * u.u * u.u }}, State {{ u: 0.0 }}] }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 1] {{ [(2.0 * u.u - 3.0 * u.u * u.u) * n.x] }}
            #[exact] fn front(x: Point, t: f64) -> State {{ State {{ u: if x.x < {speed:?} * t {{ {l:?} }} else {{ {r:?} }} }} }}"
        )
    };
    let (report, _) = passes("film", &film(0.6, 0.1, 0.27));
    assert!(method(&report, "`front` conserves where it jumps: [F·n] = s [u]").is_some(), "{:?}", report.proofs);
}

#[test]
fn a_circle_of_fluid_that_is_carried_along_conserves() {
    // A contact with a curved front: the water outside stands in no other relation than pressure and velocity.
    let spot = "
        let y = x.y - t;
        let v = if x.x * x.x + y * y < 0.5 { 2.0 } else { 1.0 };
        State { h: 1.0, hu: 0.0, hv: v }";
    let source = law("water", &water(spot));
    // It is none: the tangential velocity may jump, but not the normal one.
    has_one_mistake(&source, "bore", "`bore` is no solution of the law: where it jumps, it does not conserve");
    let layers = "State { h: 1.0, hu: 0.3, hv: if x.x - 0.3 * t < 0.1 { 2.0 } else { 1.0 } }";
    let (report, _) = passes("water", &water(layers));
    assert!(method(&report, STATEMENT).is_some());
}

#[test]
fn a_rarefaction_without_jumps_has_none() {
    let fan = "#[exact] fn fan(x: Point, t: f64) -> State {
        let xi = (x.x + x.y) / (2.0 * (1.0 + t));
        State { u: if xi < -0.5 { -0.5 } else if xi > 0.5 { 0.5 } else { xi } }
    }";
    let (report, _) = passes("burgers", &format!("{BURGERS}{fan}"));
    assert!(report.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error));
    assert_eq!(method(&report, "`fan` conserves"), None);
}
