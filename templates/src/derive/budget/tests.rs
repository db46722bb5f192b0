//! Laws on which exact arithmetic would not end: they are checked all the same, with an amount of work that is the same everywhere.

use super::*;
use crate::check::testing::law;
use crate::check::{Report, analyse};
use dg_contract::Method;

/// Checks a right law.
fn report(name: &str, text: &str) -> Report {
    let (report, _) = analyse(&law(name, text).law);
    println!("{name}: {} units of work", report.work);
    assert_eq!(report.diagnostics, [], "{name}");
    assert!(report.work < LAW, "{name} took {} units", report.work);
    report
}

fn method(report: &Report, statement: &str) -> Method {
    report.proofs.iter().find(|proof| proof.statement.contains(statement)).unwrap().method
}

/// Shallow water with the speed of its waves by Heron's iteration: each step doubles the digits of a rational number.
#[test]
fn an_iteration_over_rational_numbers_is_tried_in_floating_point() {
    let steps: String = (0..24).map(|i| format!("let r{} = 0.5 * (r{i} + a / r{i});", i + 1)).collect();
    let text = format!(
        "state h, hu, hv;
        fn root(a: f64) -> f64 {{ let r0 = 1.0 + a; {steps} r24 }}
        fn flux(u: State) -> [State; 2] {{
            let p = 0.5 * u.h * u.h;
            [
                State {{ h: u.hu, hu: u.hu * u.hu / u.h + p, hv: u.hv * u.hu / u.h }},
                State {{ h: u.hv, hu: u.hu * u.hv / u.h, hv: u.hv * u.hv / u.h + p }},
            ]
        }}
        fn eigenvalues(u: State, n: Normal) -> [f64; 3] {{
            let vn = (u.hu * n.x + u.hv * n.y) / u.h;
            let c = root(u.h);
            [vn - c, vn, vn + c]
        }}
        #[admissible] fn wet(u: State) -> [f64; 1] {{ [u.h] }}"
    );
    let report = report("heron", &text);
    assert!(matches!(method(&report, "eigenvalues of the flux Jacobian"), Method::FloatingPoint(_)));
}

/// A relativistic gas (Martí & Müller, Living Rev. Relativ. 6 (2003) 7), whose pressure is found by Newton's method: each step nests
/// a root in the ones before.
#[test]
fn a_relativistic_gas_is_tried_in_floating_point() {
    let steps: String = (0..8).map(|i| format!("let p{} = step(u, p{i}, gas);", i + 1)).collect();
    let text = format!(
        "#[accept(parameter_range)]
        params gamma = 1.5;
        state d, s1, s2, e;
        fn step(u: State, p: f64, gas: Params) -> f64 {{
            let h = u.e + p;
            let v2 = (u.s1 * u.s1 + u.s2 * u.s2) / (h * h);
            let w = 1.0 / (1.0 - v2).sqrt();
            let inner = (u.e - u.d * w + p * (1.0 - w * w)) / (u.d * w);
            let c2 = gas.gamma * (gas.gamma - 1.0) * inner / (1.0 + gas.gamma * inner);
            p - ((gas.gamma - 1.0) * u.d / w * inner - p) / (v2 * c2 - 1.0)
        }}
        fn pressure(u: State, gas: Params) -> f64 {{ let p0 = (gas.gamma - 1.0) * u.e; {steps} p8 }}
        fn flux(u: State, gas: Params) -> [State; 2] {{
            let p = pressure(u, gas);
            let v1 = u.s1 / (u.e + p);
            let v2 = u.s2 / (u.e + p);
            [
                State {{ d: u.d * v1, s1: u.s1 * v1 + p, s2: u.s2 * v1, e: u.s1 }},
                State {{ d: u.d * v2, s1: u.s1 * v2, s2: u.s2 * v2 + p, e: u.s2 }},
            ]
        }}
        fn eigenvalues(u: State, n: Normal, gas: Params) -> [f64; 4] {{
            let p = pressure(u, gas);
            let v1 = u.s1 / (u.e + p);
            let v2 = u.s2 / (u.e + p);
            let vn = v1 * n.x + v2 * n.y;
            let vv = v1 * v1 + v2 * v2;
            let rho = u.d * (1.0 - vv).sqrt();
            let c2 = gas.gamma * p / (rho + gas.gamma / (gas.gamma - 1.0) * p);
            let root = (c2 * (1.0 - vv) * (1.0 - vv * c2 - vn * vn * (1.0 - c2))).sqrt();
            let mean = vn * (1.0 - c2);
            [(mean - root) / (1.0 - vv * c2), vn, vn, (mean + root) / (1.0 - vv * c2)]
        }}
        #[admissible] fn physical(u: State) -> [f64; 2] {{
            [u.d, u.e - (u.d * u.d + u.s1 * u.s1 + u.s2 * u.s2).sqrt()]
        }}"
    );
    let report = report("relativistic", &text);
    assert!(matches!(method(&report, "eigenvalues of the flux Jacobian"), Method::FloatingPoint(_)));
}

/// No state is admissible, which is found in double precision after some hundreds of states.
#[test]
fn an_admissible_set_that_is_empty_takes_little_work() {
    let text = "state u;
        fn flux(q: State) -> [State; 2] { [q, q] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 1] { [n.x + n.y] }
        #[admissible] fn never(q: State) -> [f64; 2] { [q.u, -q.u.exp()] }";
    let (report, _) = analyse(&law("empty", text).law);
    assert!(report.diagnostics.len() == 1 && report.diagnostics[0].message.starts_with("nothing could be checked"));
    assert!(report.work < 10_000, "{} units", report.work);
}

/// No state is admissible, which takes long to tell in more than double precision: a product of twelve components, and iterations of other
/// functions. Nor are the law's own states.
#[test]
fn an_empty_admissible_set_takes_little_work_where_functions_take_much() {
    let names: Vec<_> = (0..12).map(|i| format!("u{i}")).collect();
    let state = |formula: &dyn Fn(&str) -> String| {
        format!(
            "State {{ {} }}",
            names.iter().map(|name| format!("{name}: {}", formula(name))).collect::<Vec<_>>().join(", ")
        )
    };
    let steps: String = (0..200)
        .map(|i| format!("let s{} = (s{i} * s{i} + {i}.0).sqrt() + (0.1 * s{i}.sin()).exp();", i + 1))
        .collect();
    let text = format!(
        "state {};
        fn slow(s0: f64) -> f64 {{ {steps} s200 }}
        fn flux(u: State) -> [State; 2] {{ [{}, {}] }}
        #[wave_speed] fn bound(u: State, n: Normal) -> f64 {{ (slow(u.u0) + 1.0) * n.x.abs() }}
        #[admissible] fn never(u: State) -> [f64; 3] {{ let p = {}; [p - 1.0, 1.0 - p * p, slow(u.u0 + u.u1) - slow(u.u2)] }}
        #[initial] fn start(x: Point) -> State {{ {} }}",
        names.join(", "),
        state(&|name| format!("slow(u.{name}) * u.{name}")),
        state(&|_| "0.0".into()),
        names.iter().map(|name| format!("u.{name}")).collect::<Vec<_>>().join(" * "),
        state(&|_| "1.0 + 0.1 * x.x".into()),
    );
    let (report, _) = analyse(&law("nothing", &text).law);
    assert!(report.diagnostics.len() == 1 && report.diagnostics[0].message.starts_with("nothing could be checked"));
    assert!(report.work < 2_000_000, "{} units", report.work);
}

/// Nine components with one speed, by roots nested in calls that double with each of six levels. All waves but one have the same speed.
#[test]
#[ignore = "long"]
fn nested_roots_of_nine_components_are_tried_in_floating_point() {
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let state = |formula: &dyn Fn(&str) -> String| {
        format!("State {{ {} }}", names.map(|name| format!("{name}: {}", formula(name))).join(", "))
    };
    let squares = names.map(|name| format!("u.{name} * u.{name}")).join(" + ");
    let chain: String = (0..6)
        .map(|i| format!("fn s{}(x: f64) -> f64 {{ (s{i}(x) + s{i}(0.5 * x + {i}.0)).sqrt() }}\n", i + 1))
        .collect();
    let text = format!(
        "state {};
        fn s0(x: f64) -> f64 {{ (1.0 + x).sqrt() }}
        {chain}
        fn speed(u: State) -> f64 {{ s6({squares}) }}
        fn flux(u: State) -> [State; 2] {{ let v = speed(u); [{}, {}] }}
        // The speed grows less than the root of the square of the state.
        #[wave_speed] fn bound(u: State, n: Normal) -> f64 {{ 2.0 * speed(u) * n.x.abs() }}",
        names.join(", "),
        state(&|name| format!("v * u.{name}")),
        state(&|_| "0.0".into()),
    );
    let report = report("nested", &text);
    assert!(matches!(method(&report, "`bound` bounds the eigenvalues"), Method::FloatingPoint(_)));
}
