use crate::check::laws::{ADVECTION, BURGERS, euler};
use crate::check::testing::{Source, law};
use crate::check::tests::{found, has_one_mistake, method, passes};
use crate::check::{Method, Severity, analyse};
use crate::derive::text;
use crate::ir::{ExprKind, Function, Role};

#[test]
fn a_wrong_exact_solution_is_found() {
    let source = euler("let p = rho.powf(gas.gamma) / gas.gamma;", "let p = rho.powf(gas.gamma);");
    let message = "`supersonic_vortex` is no solution of the law: its `rho_v1` does not satisfy the equation";
    has_one_mistake(&source, "supersonic_vortex", message);
}

#[test]
fn small_spots_are_tried() {
    let disc = |inside: &str| {
        format!(
            "state u;
            fn flux(u: State) -> [State; 2] {{ [State {{ u: u.u }}, State {{ u: 0.0 }}] }}
            fn eigenvalues(_: State, n: Normal) -> [f64; 1] {{ [n.x] }}
            #[exact] fn disc(x: Point, t: f64) -> State {{
                let (dx, dy) = (x.x - t - 0.5, x.y - 0.25);
                State {{ u: if dx * dx + dy * dy < 0.02 {{ {inside} }} else {{ 0.0 }} }}
            }}"
        )
    };
    passes("transport", &disc("1.0 + dy"));
    has_one_mistake(&law("transport", &disc("1.0 + x.x")), "disc", "`disc` is no solution of the law");
}

/// A law with a source, and manufactured solutions: with all functions of the language, and with branches.
const MADE_UP: &str = "
params a = 2.0;
state u, v;

fn flux(q: State, p: Params) -> [State; 2] {
    let [square, product] = [0.5 * q.u * q.u, p.a * q.u * q.v];
    [State { u: square, v: product }, State { u: 2.0 * square, v: 2.0 * product }]
}

fn eigenvalues(q: State, n: Normal, p: Params) -> [f64; 2] {
    let along = (n.x + 2.0 * n.y) * q.u;
    [along, p.a * along]
}

#[source]
fn reaction(q: State, x: Point, t: f64) -> State {
    State { u: x.x * q.v, v: t - q.u }
}

#[exact(manufactured)]
fn smooth(x: Point, t: f64, p: Params) -> State {
    let phase = 0.5 * (x.x - p.a * t);
    let wave = phase.sin() * phase.cos() + phase.tan() + (x.y * t).tanh() + (0.1 * phase).exp();
    let r = (1.0 + x.x * x.x + x.y * x.y).sqrt();
    State { u: wave / r + r.ln(), v: r.powf(phase) + r.powi(3) + r.powi(-2) - x.y.atan2(r) }
}

#[exact(manufactured)]
fn kinked(x: Point, t: f64) -> State {
    let ridge = (x.x - t).abs().min(x.y * t).max(-2.0);
    State { u: if x.x * x.y > t && x.y >= 0.5 || x.y < t { ridge * ridge } else { x.x }, v: 2.0 - ridge }
}
";

#[test]
#[ignore = "long"]
fn manufactured_solutions_solve_the_law_with_the_source_that_is_derived() {
    let (report, _) = passes("made_up", MADE_UP);
    for name in ["smooth", "kinked"] {
        let statement = format!("`{name}` satisfies the law with the source that is derived for it");
        assert!(method(&report, &statement).is_some(), "{:#?}", report.proofs);
    }
}

#[test]
fn a_source_of_another_solution_is_refuted() {
    let mut source = law("made_up", MADE_UP);
    let derived = |function: &Function| matches!(function.role, Role::ManufacturedSource { .. });
    let [smooth, kinked]: [usize; 2] = (0..source.law.functions.len())
        .filter(|&i| derived(&source.law.functions[i]))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let (a, b) = (source.law.functions[smooth].role.clone(), source.law.functions[kinked].role.clone());
    (source.law.functions[smooth].role, source.law.functions[kinked].role) = (b, a);
    let found = found(&source);
    let refuted = |name: &str| {
        let message = format!("`{name}` is no solution of the law: ");
        found
            .iter()
            .any(|(severity, at, said)| *severity == Severity::Error && *at == name && said.starts_with(&message))
    };
    assert!(refuted("smooth") && refuted("kinked"), "{found:#?}");
}

/// The function x t + 1 solves ∂u/∂t + ∂u²/∂x = S with S = x + 2 (x t + 1) t.
#[test]
fn a_derived_source_reads_like_one_by_hand() {
    let source = law(
        "ramp",
        "state u;
         fn flux(q: State) -> [State; 2] { [State { u: q.u.powi(2) }, State { u: 0.0 }] }
         #[exact(manufactured)]
         fn ramp(x: Point, t: f64) -> State { let height = x.x * t + 1.0; State { u: height } }",
    );
    let derived = source.law.functions.last().unwrap();
    let ExprKind::State(values) = &derived.expr(derived.body.value).kind else { panic!("{derived:?}") };
    assert_eq!(text::inlined(&source.law, derived, values[0]), "x.x + 2.0 * (x.x * t + 1.0) * t");
}

/// Burgers' equation with the steepening sine in other units.
fn burgers_in_units(amplitude: &str, error: &str) -> Source {
    let sine = "State { u: newton(newton(newton(newton(u, s, t), s, t), s, t), s, t) }";
    let scaled = format!(
        "State {{ u: {amplitude} * (newton(newton(newton(newton(u, s, t), s, t), s, t), s, t) + {error} * t) }}"
    );
    let text = BURGERS.replace(sine, &scaled);
    // u = a v turns v_t + (v²/2)_s = 0 into u_t + (u²/2)_s / a = 0.
    let text = text.replace("let f = 0.5 * u.u * u.u;", &format!("let f = 0.5 * u.u * u.u / {amplitude};"));
    let text = text.replace("[u.u * (n.x + n.y)]", &format!("[u.u * (n.x + n.y) / {amplitude}]"));
    // The law's other declarations are for the other flux.
    let (start, end) = (text.find("#[numerical_flux]").unwrap(), text.find("fn newton").unwrap());
    law("burgers", &[&text[..start], &text[end..]].concat())
}

#[test]
fn the_unit_of_a_solution_does_not_matter() {
    for amplitude in ["0.000000000001", "1000000000000.0"] {
        let (report, _) = analyse(&burgers_in_units(amplitude, "0.0").law);
        assert_eq!(report.diagnostics, [], "{amplitude}");
        let wrong = burgers_in_units(amplitude, "0.1");
        has_one_mistake(&wrong, "steepening_sine", "`steepening_sine` is no solution of the law");
    }
}

#[test]
fn a_solution_that_goes_wrong_far_away_or_late_is_found() {
    for (condition, wrong) in [("t < 0.2", "1.0 + t"), ("x.x * x.x + x.y * x.y < 1000.0", "t")] {
        let exact = format!(
            "#[exact] fn late(x: Point, t: f64) -> State {{ State {{ u: if {condition} {{ 1.0 }} else {{ {wrong} }} }} }}"
        );
        let source = law("advection", &format!("{ADVECTION}{exact}"));
        has_one_mistake(&source, "late", "`late` is no solution of the law");
    }
}

/// Traffic with two kinds of vehicles, of which the second is missing.
const ONE_KIND: &str = "
state rho, y;
fn flux(u: State) -> [State; 2] {
    [State { rho: u.rho * (1.0 - u.rho), y: u.y * (1.0 - u.rho) }, State { rho: 0.0, y: 0.0 }]
}
fn eigenvalues(u: State, n: Normal) -> [f64; 2] { [(1.0 - 2.0 * u.rho) * n.x, (1.0 - u.rho) * n.x] }
#[admissible] fn road(u: State) -> [f64; 3] { [u.rho, 1.0 - u.rho, u.y] }
#[accept(inadmissible_state)]
#[exact] fn fan(x: Point, t: f64) -> State { State { rho: 0.5 - x.x / (4.0 + 2.0 * t), y: 0.0 } }
";

#[test]
fn a_solution_at_the_edge_of_the_admissible_states_is_tried() {
    let (report, _) = passes("one_kind", ONE_KIND);
    assert!(method(&report, "`fan` satisfies the law").is_some());
    let source = law("one_kind", &ONE_KIND.replace("2.0 * t", "3.0 * t"));
    has_one_mistake(&source, "fan", "`fan` is no solution of the law: its `rho` does not satisfy the equation");
}

#[test]
fn a_branch_that_few_places_take_is_tried() {
    // A rarefaction that starts from a point: none of the first places is in it.
    let fan = |rate: &str| {
        format!(
            "{BURGERS}
            #[exact] fn fan(x: Point, t: f64) -> State {{
                let s = x.x + x.y;
                State {{ u: if s < 0.0 {{ 0.0 }} else if s < 0.25 * t {{ s / ({rate} * t) }} else {{ 0.125 }} }}
            }}"
        )
    };
    let (report, _) = passes("burgers", &fan("2.0"));
    assert_eq!(method(&report, "`fan` satisfies the law"), Some(Method::Branches(3)));
    has_one_mistake(&law("burgers", &fan("3.0")), "fan", "`fan` is no solution of the law");
}

#[test]
fn a_solution_is_tried_inside_a_fan_between_two_constants() {
    let fan = |slope: &str| {
        let fan = format!(
            "#[exact] fn fan(x: Point, t: f64) -> State {{ State {{ u: ({slope} * x.x / (1.0 + t)).max(0.25).min(1.0) }} }}"
        );
        law("burgers", &format!("{BURGERS}{fan}"))
    };
    assert_eq!(found(&fan("1.0")), []);
    for slope in ["0.75", "1.5", "3.5"] {
        let message = "`fan` is no solution of the law: its `u` does not satisfy the equation";
        has_one_mistake(&fan(slope), "fan", message);
    }
}
