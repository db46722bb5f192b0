//! Right laws pass without a word; the mistakes that the rules are for are found where they are.

use super::laws::*;
use super::testing::{Source, law};
use super::*;
use crate::algebra::Rational;
use crate::derive::{Characteristic, FarField, Parameters, Setting, formulas, is_defined, text, waves};
use crate::ir::{ExprKind, Function, Role};

/// Analyses a law that must have nothing wrong.
fn passes(name: &str, text: &str) -> (Report, Derived) {
    let source = law(name, text);
    let (report, derived) = analyse(&source.law);
    for proof in &report.proofs {
        println!("{}: {:?}", proof.statement, proof.method);
    }
    assert_eq!(report.diagnostics, [], "{name}");
    (report, derived)
}

/// How a statement was proved.
fn method(report: &Report, statement: &str) -> Option<Method> {
    report.proofs.iter().find(|proof| proof.statement.contains(statement)).map(|proof| proof.method)
}

/// The diagnostics of a law: severity, text at the span, message.
fn found(source: &Source) -> Vec<(Severity, &str, String)> {
    let (report, _) = analyse(&source.law);
    println!("{:#?}", report.diagnostics);
    report.diagnostics.into_iter().map(|d| (d.severity, source.at(d.span), d.message)).collect()
}

/// Asserts that a law has one mistake, at a text, with a message that begins so.
fn has_one_mistake(source: &Source, at: &str, message: &str) {
    let found = found(source);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].0, found[0].1), (Severity::Error, at));
    assert!(found[0].2.starts_with(message), "{}", found[0].2);
}

#[test]
fn euler_is_right() {
    let (report, derived) = passes("euler", EULER);
    assert_eq!(method(&report, "eigenvalues of the flux Jacobian"), Some(Method::Symbolic));
    // Subsonic and supersonic, to the left and to the right.
    assert_eq!(method(&report, "`hllc` is consistent"), Some(Method::Branches(4)));
    assert_eq!(method(&report, "`supersonic_vortex` satisfies"), Some(Method::Symbolic));
    assert_eq!((derived.linear, derived.extreme), (false, vec![0, 3]));
    assert_eq!(derived.jacobian[0][1][1], "(-gamma * rho_v1 + 3 * rho_v1) / rho");
    assert!(derived.eigenvalues[0].ends_with("- sqrt(gas.gamma * pressure(u, gas) / u.rho)"));
}

#[test]
fn advection_is_right_and_linear() {
    let (report, derived) = passes("advection", ADVECTION);
    assert_eq!(method(&report, "`gaussian` satisfies"), Some(Method::Symbolic));
    assert_eq!((derived.linear, derived.extreme), (true, vec![0]));
    assert_eq!(derived.wave_speed, "|p.ax * n.x + p.ay * n.y|");
}

#[test]
fn burgers_is_right() {
    let (report, derived) = passes("burgers", BURGERS);
    assert!(!derived.linear);
    assert_eq!(method(&report, "`parabola` satisfies"), Some(Method::Symbolic));
    // Newton's method ends in rounding error, and is too deep for exact arithmetic.
    assert_eq!(method(&report, "`steepening_sine` satisfies"), Some(Method::FloatingPoint(32)));
}

#[test]
fn shallow_water_is_right() {
    let (_, derived) = passes("shallow_water", SHALLOW_WATER);
    assert_eq!(derived.extreme, [0, 2]);
}

#[test]
fn every_function_of_reals_can_be_in_a_flux() {
    for (flux, derivative, jacobian) in [
        ("q.u.sqrt()", "0.5 / q.u.sqrt()", "sqrt(u) / (2 * u)"),
        ("q.u.powf(1.7)", "1.7 * q.u.powf(0.7)", "17 * (u)^(17/10) / (10 * u)"),
        ("q.u.exp()", "q.u.exp()", "exp(u)"),
        ("q.u.ln()", "1.0 / q.u", "1 / u"),
        ("q.u.sin()", "q.u.cos()", "cos(u)"),
        ("q.u.tanh()", "1.0 - q.u.tanh() * q.u.tanh()", "4 * exp(2 * u) / (exp(2 * u)^2 + 2 * exp(2 * u) + 1)"),
        ("q.u.atan2(2.0)", "2.0 / (4.0 + q.u * q.u)", "2 / (u^2 + 4)"),
        (
            "(q.u * q.u.sin()).exp()",
            "(q.u.sin() + q.u * q.u.cos()) * (q.u * q.u.sin()).exp()",
            "u * cos(u) * exp(u * sin(u)) + sin(u) * exp(u * sin(u))",
        ),
    ] {
        let text = format!(
            "state u;
            fn flux(q: State) -> [State; 2] {{ [State {{ u: {flux} }}, State {{ u: 0.0 }}] }}
            fn eigenvalues(q: State, n: Normal) -> [f64; 1] {{ [({derivative}) * n.x] }}
            #[admissible] fn positive(q: State) -> [f64; 1] {{ [q.u] }}"
        );
        let (_, derived) = passes("functions", &text);
        assert_eq!(derived.jacobian[0][0][0], jacobian, "{flux}");
    }
}

#[test]
fn nine_equations_are_checked() {
    // With waves in nine variables and their roots, expressions stay small enough for exact arithmetic alone.
    for (name, text, how, extreme) in [
        ("mhd", MHD, Method::RationalStates(8), vec![0, 6, 7, 8]),
        ("elastic", ELASTIC, Method::Symbolic, vec![0, 1, 6, 8]),
    ] {
        let (report, derived) = passes(name, text);
        assert_eq!(method(&report, "eigenvalues of the flux Jacobian"), Some(how), "{name}");
        assert_eq!((derived.linear, derived.extreme), (name == "elastic", extreme), "{name}");
    }
}

/// The eigenvalues among which the extreme ones of a law always are.
fn extreme(name: &str, text: &str) -> Vec<usize> {
    let source = law(name, text);
    let id = source.law.only(&Role::Eigenvalues).unwrap();
    algebra::session(|| {
        let mut points = Points::new(&source.law, SEED);
        let points: Vec<_> = (0..8).filter_map(|_| points.admissible()).collect();
        let texts: Vec<String> = (0..source.law.state.fields.len()).map(|i| i.to_string()).collect();
        waves::extreme(&source.law, id, &points, &texts)
    })
    .unwrap()
}

#[test]
fn slow_waves_between_fast_ones_drop_out_for_every_state() {
    // Fast waves and cleaning are left, though the slow speed is the root of a maximum; the Alfvén speed is below the
    // fast one because no component of the field along a unit normal is longer than the field.
    assert_eq!(extreme("mhd", MHD), [0, 6, 7, 8]);
    let clamped = MHD.replace("- 4.0 * a2 * bn * bn).sqrt()", "- 4.0 * a2 * bn * bn).max(0.0).sqrt()");
    assert_ne!(clamped, MHD);
    assert_eq!(extreme("mhd", &clamped), [0, 6, 7, 8]);
}

#[test]
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
fn a_wall_that_lets_mass_through_is_found() {
    let source = euler("rho_v1: u.rho_v1 - 2.0 * m * n.x", "rho_v1: u.rho_v1 - m * n.x");
    has_one_mistake(&source, "rho", "`slip_wall` lets `rho` pass, which it declares impermeable");
}

#[test]
fn an_inconsistent_star_state_is_found() {
    let source = euler("(sm - vn) * n.x) - u.rho_v1)", "(sm + vn) * n.x) - u.rho_v1)");
    let found = found(&source);
    assert!(found.iter().any(|(_, at, message)| *at == "hllc" && message.starts_with("`hllc` is not consistent")));
}

#[test]
fn a_wrong_exact_solution_is_found() {
    let source = euler("let p = rho.powf(gas.gamma) / gas.gamma;", "let p = rho.powf(gas.gamma);");
    let message = "`supersonic_vortex` is no solution of the law: its `rho_v1` does not satisfy the equation";
    has_one_mistake(&source, "supersonic_vortex", message);
}

/// A law with a source, and solutions that are made up: of all functions of the language, and by branches.
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

/// Of ∂u/∂t + ∂u²/∂x = S the function x t + 1 is a solution with S = x + 2 (x t + 1) t.
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

#[test]
fn an_unused_parameter_is_found() {
    let source = euler("params gamma = 1.4;", "params gamma = 1.4, viscosity = 0.1;");
    has_one_mistake(&source, "viscosity", "the parameter `viscosity` is never used: remove it, or use it in a formula");
}

#[test]
fn a_parameter_that_only_an_idle_helper_reads_is_unused() {
    let text = EULER.replace("params gamma = 1.4;", "params gamma = 1.4, viscosity = 0.1;");
    let source = law("euler", &format!("{text}fn stress(gas: Params) -> f64 {{ gas.viscosity }}"));
    has_one_mistake(&source, "viscosity", "the parameter `viscosity` is never used");
}

#[test]
fn a_proof_by_branches_says_that_it_holds_in_no_others() {
    let text = |n| Method::Branches(n).to_string();
    assert!(text(1).starts_with("by algebra, but only for states that take the one way"));
    assert!(text(4).starts_with("by algebra, but only for states that take one of the 4 ways"));
}

#[test]
fn a_divisor_that_may_vanish_is_found() {
    let source = euler("[f64; 2] {\n    [u.rho, pressure(u, gas)]", "[f64; 1] {\n    [pressure(u, gas)]");
    let message = "`u.rho` can be zero, and is divided by: return `u.rho` from `admissible` as well, \
                   so that such states are refused";
    has_one_mistake(&source, "u.rho", message);
}

#[test]
fn a_root_that_may_be_imaginary_is_found() {
    let source = changed("shallow_water", SHALLOW_WATER, "    [u.h]", "    [u.h * u.h]");
    let message = "`p.g * u.h` can be negative, and its root is taken: return `p.g * u.h` from `admissible` as well";
    has_one_mistake(&source, "p.g * u.h", message);
}

#[test]
fn too_few_eigenvalues_are_found() {
    let text = EULER.replace("[f64; 4]", "[f64; 3]").replace("vn, vn, vn + c]", "vn, vn + c]");
    let source = law("euler", &text);
    has_one_mistake(&source, "eigenvalues", "`eigenvalues` returns 3 eigenvalues, but the state has 4 components");
}

#[test]
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
fn a_flux_that_does_not_conserve_is_found() {
    let upwind = "#[numerical_flux] fn inner(l: State, r: State, n: Normal) -> State {
        State { u: 0.5 * l.u * l.u * (n.x + n.y) }
    }";
    let source = law("burgers", &format!("{BURGERS}{upwind}"));
    has_one_mistake(&source, "inner", "`inner` does not conserve `u`");
}

#[test]
fn a_boundary_that_imposes_what_no_flow_takes_is_found() {
    // At all states, and at some of them.
    for (rho, rho_v1) in [("1.0", "1.0"), ("if in { 1.0 } else { u.rho }", "if in { 1.0 } else { u.rho_v1 }")] {
        let state = format!("State {{ rho: {rho}, rho_v1: {rho_v1}, rho_v2: u.rho_v2, rho_e: u.rho_e }}");
        let inlet =
            format!("#[boundary] fn inlet(u: State) -> State {{ {} }}", state.replace("if in", "if u.rho_v1 < 0.0"));
        let source = law("euler", &format!("{EULER}{inlet}"));
        has_one_mistake(&source, "inlet", "`inlet` imposes 2 data, but 0 or 1 or 3 or 4 characteristics can enter");
    }
}

#[test]
fn a_law_without_admissible_states_is_warned_of() {
    let source = changed("shallow_water", SHALLOW_WATER, "    [u.h]", "    [-u.h * u.h]");
    let found = found(&source);
    assert_eq!(found.len(), 1);
    assert!(found[0].2.starts_with("nothing could be checked"));
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
    let holds_elsewhere = algebra::session(|| {
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
    // What else is declared is for the other flux.
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
fn an_output_that_admissible_states_leave_undefined_is_found() {
    let output = "#[output] fn heat(u: State, gas: Params) -> f64 { (pressure(u, gas) - 1.0).ln() }";
    let source = law("euler", &format!("{EULER}{output}"));
    let message = "`pressure(u, gas) - 1.0` can be zero or negative, and its logarithm or power is taken";
    has_one_mistake(&source, "pressure(u, gas) - 1.0", message);
}

#[test]
fn positions_at_which_a_boundary_is_undefined_are_not_the_state_s() {
    let inlet = "#[boundary] fn inlet(u: State, x: Point, t: f64) -> State {
        State { u: 1.0 / x.x + (1.0 - 64.0 * t * t).sqrt() }
    }";
    passes("advection", &format!("{ADVECTION}{inlet}"));
}

#[test]
fn a_boundary_that_is_defined_nowhere_is_warned_of() {
    let inlet = "#[boundary] fn inlet(u: State, x: Point) -> State { State { u: (-1.0 - x.x * x.x).sqrt() } }";
    let source = law("advection", &format!("{ADVECTION}{inlet}"));
    let message = "it could not be decided whether `inlet` is defined at all admissible states";
    assert!(found(&source).contains(&(Severity::Warning, "inlet", message.to_string())));
}

/// Whether it is proved that a formula of `q.h`, which is positive, and `q.m`, which may be anything, is defined.
fn is_proved_defined(formula: &str) -> bool {
    let source = law(
        "formula",
        &format!(
            "params g = 9.81;
             state h, m;
             #[admissible] fn wet(q: State) -> [f64; 1] {{ [q.h] }}
             #[output] fn formula(q: State, p: Params) -> f64 {{ {formula} }}"
        ),
    );
    let id = source.law.only(&Role::Output).unwrap();
    let proved = || {
        let mut points = Points::new(&source.law, SEED);
        let points: Vec<_> = (0..POINTS).filter_map(|_| points.admissible()).collect();
        points.iter().any(|point| is_defined(&source.law, id, point, Parameters::OfSign) == Ok(true))
    };
    algebra::session(proved).unwrap()
}

#[test]
fn definedness_is_proved_from_what_is_positive() {
    for formula in [
        "q.m / q.h",
        "(p.g * q.h).sqrt() / q.h.powi(3)",
        "1.0 / (1.0 + q.m * q.m)",
        "(q.m * q.m + q.h).ln()",
        "1.0 / (q.h + q.m.abs())",
        "1.0 / q.h.max(q.m)",
        "1.0 / (if q.m < 0.0 { q.h } else { 2.0 * q.h + 1.0 })",
        "q.h.powf(0.3).powi(-2)",
        "1.0 / ((q.m * q.m + q.h).sqrt() - q.m)",
        "(q.m * q.m - 2.0 * q.m * q.h + 2.0 * q.h * q.h).sqrt()",
    ] {
        assert!(is_proved_defined(formula), "{formula}");
    }
}

#[test]
fn definedness_is_not_proved_where_it_fails_somewhere() {
    for formula in [
        "1.0 / q.m",
        "1.0 / (q.m * q.m)",
        "q.m.powi(-2)",
        "1.0 / (q.h - 3.0)",
        "(q.h - 0.001).sqrt()",
        "1.0 / (q.m * q.m + 0.0 * q.h)",
        "1.0 / (q.h + q.m)",
        "1.0 / q.h.min(q.m)",
        "1.0 / (if q.m < 7.5 { q.h } else { q.h - 1234.5 })",
        "(q.m * q.m).ln()",
        "1.0 / (q.m * q.m).sqrt()",
        "1.0 / ((q.m * q.m).sqrt() - q.m)",
        "(q.m * q.m - 3.0 * q.m * q.h + 2.0 * q.h * q.h).sqrt()",
        "1.0 / (q.m * q.m - 2.0 * q.m * q.h + q.h * q.h)",
        "q.m.tan()",
    ] {
        assert!(!is_proved_defined(formula), "{formula}");
    }
}

#[test]
fn bindings_of_an_inner_block_guard_too() {
    let text = SHALLOW_WATER.replace("    [u.h]", "    { let depth = u.h; [depth] }");
    assert_ne!(text, SHALLOW_WATER);
    passes("shallow_water", &text);
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

/// What is found of characteristic variables, each function as lines; and how it is proved.
fn characteristic_variables(name: &str, text: &str) -> (Result<Vec<Vec<String>>, String>, Option<Method>) {
    let source = law(name, text);
    let start = std::time::Instant::now();
    let (report, derived) = analyse(&source.law);
    println!("{name}: {:?}", start.elapsed());
    let lines = |function: &Function| {
        let lines = formulas(&source.law, function).into_iter().map(|(name, value)| format!("{name} = {value}"));
        lines.collect::<Vec<_>>()
    };
    let found = match derived.characteristic {
        Characteristic::None(reason) => Err(reason),
        Characteristic::Derived(maps) => {
            Ok(maps.iter().flat_map(|maps| [lines(&maps.to), lines(&maps.from)]).collect())
        }
    };
    println!("{found:#?}");
    (found, method(&report, "the characteristic variables diagonalise the flux Jacobian"))
}

#[test]
fn characteristic_variables_diagonalise() {
    for (name, text) in [
        ("advection", ADVECTION),
        ("burgers", BURGERS),
        ("shallow_water", SHALLOW_WATER),
        ("euler", EULER),
        ("elastic", ELASTIC),
    ] {
        let (found, method) = characteristic_variables(name, text);
        assert!(found.is_ok_and(|functions| functions.len() == 4), "{name}");
        assert_eq!(method, Some(Method::Symbolic), "{name}");
    }
}

#[test]
fn characteristic_variables_of_euler_read_as_in_textbooks() {
    let functions = characteristic_variables("euler", EULER).0.unwrap();
    assert_eq!(
        functions[1],
        [
            "vn = u.rho_v1 / u.rho",
            "c = sqrt(gas.gamma * pressure(u, gas) / u.rho)",
            "v2 = u.rho_v2 / u.rho",
            "v.rho = w[0] + w[1] + w[3]",
            "v.rho_v1 = vn * (w[0] + w[1] + w[3]) + c * (w[3] - w[0])",
            "v.rho_v2 = v2 * (w[0] + w[1] + w[3]) + w[2]",
            "v.rho_e = 0.5 * (vn * vn + v2 * v2) * (w[0] + w[1] + w[3]) + vn * c * (w[3] - w[0]) + v2 * w[2] \
             + 1.0 / (gas.gamma - 1.0) * c * c * (w[0] + w[3])",
        ]
    );
}

#[test]
fn characteristic_variables_need_no_names() {
    let named = "let vn = (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho;
    let c = (gas.gamma * pressure(u, gas) / u.rho).sqrt();
    [vn - c, vn, vn, vn + c]";
    assert!(EULER.contains(named));
    let vn = "(u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho";
    let c = "(gas.gamma * pressure(u, gas) / u.rho).sqrt()";
    let text = EULER.replace(named, &format!("[{vn} - {c}, {vn}, {vn}, {vn} + {c}]"));
    let text = text.replace("let v1 = u.rho_v1 / u.rho;", "let (v1, v2) = velocity(u);");
    let text = text.replace("let v2 = u.rho_v2 / u.rho;", "");
    let velocity = "fn velocity(u: State) -> (f64, f64) { (u.rho_v1 / u.rho, u.rho_v2 / u.rho) }";
    let text = text.replacen("fn flux", &format!("{velocity} fn flux"), 1);
    let (found, method) = characteristic_variables("nameless", &text);
    assert!(found.is_ok_and(|functions| functions[0][0] == "v1 = velocity(u)[0]"));
    assert_eq!(method, Some(Method::Symbolic));
}

#[test]
fn what_cannot_be_diagonalised_has_no_characteristic_variables() {
    // Jordan blocks: two equal eigenvalues with one eigenvector.
    let text = "state u, v;
        fn flux(q: State) -> [State; 2] { [State { u: q.u + q.v, v: q.v }, State { u: q.v, v: 0.0 }] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [n.x, n.x] }";
    let (found, method) = characteristic_variables("defective", text);
    let reason = "the flux Jacobian in x cannot be diagonalised: it has 1 eigenvector for an eigenvalue that is 2-fold";
    assert_eq!((found, method), (Err(reason.into()), None));
}

#[test]
fn waves_can_be_told_apart_where_the_flux_can_be_diagonalised() {
    for (name, text) in [("shallow_water", SHALLOW_WATER), ("elastic", ELASTIC), ("mhd", MHD)] {
        let (_, derived) = analyse(&law(name, text).law);
        let FarField::Derived { samples, .. } = derived.far_field else { panic!("{name}: {:?}", derived.far_field) };
        assert!(samples.len() >= 4, "{name}: {} samples", samples.len());
    }
    let text = "state u, v;
        fn flux(q: State) -> [State; 2] { [State { u: q.u + q.v, v: q.v }, State { u: q.v, v: 0.0 }] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [n.x, n.x] }";
    let (_, derived) = analyse(&law("defective", text).law);
    assert!(
        matches!(derived.far_field, FarField::None(reason) if reason == "the flux Jacobian cannot be diagonalised")
    );
}

#[test]
fn eigenvectors_that_vanish_somewhere_are_no_characteristic_variables() {
    // Where u = 0, the Jacobian in x has one eigenvector alone.
    let text = "state u, v;
        fn flux(q: State) -> [State; 2] { [State { u: 0.5 * q.u * q.u, v: q.u }, State { u: 0.0, v: 0.0 }] }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] { [q.u * n.x, 0.0] }";
    let (found, _) = characteristic_variables("degenerate", text);
    assert!(found.is_err_and(|reason| reason.contains("a division by zero at u = 0")));
}

#[test]
fn eigenvectors_that_are_too_large_are_given_up() {
    let (found, _) = characteristic_variables("mhd", MHD);
    assert_eq!(found, Err("the eigenvectors of the flux Jacobian met expressions that are too large".into()));
}

/// Burgers' equation with the mean of both fluxes, in one branch.
fn central(other: &str) -> Source {
    let flux = format!(
        "#[numerical_flux] fn central(l: State, r: State, n: Normal) -> State {{
            if {other} }} else {{ State {{ u: 0.25 * (l.u * l.u + r.u * r.u) * (n.x + n.y) }} }}
        }}"
    );
    law("burgers", &format!("{BURGERS}{flux}"))
}

#[test]
fn a_branch_that_no_state_takes_is_warned_of() {
    let message = "no state that was tried takes this branch, so that nothing is known of `central` there";
    let expected = [(Severity::Warning, "State { u: 1.0 }", message.to_string())];
    assert_eq!(found(&central("l.u > 1000.0 { State { u: 1.0 }")), expected);
}

#[test]
fn a_branch_that_few_states_take_is_tried() {
    // Both near 24, the largest of components that are mostly below 3.
    let source = central("l.u > 22.0 && r.u > 22.0 { State { u: l.u * r.u * (n.x + n.y) }");
    let large = |u: &[Rational]| u[0].to_f64() > 22.0;
    let hit = algebra::session(|| {
        let mut points = Points::new(&source.law, SEED + 1);
        let mut pairs = (0..24).filter_map(|_| points.admissible());
        pairs.any(|pair| large(&pair.left) && large(&pair.right))
    });
    assert!(!hit.unwrap(), "the branch is not a rare one");
    has_one_mistake(&source, "central", "`central` is not consistent");
}

#[test]
fn samples_take_both_branches_of_every_if() {
    let source = law("euler", EULER);
    let (_, derived) = analyse(&source.law);
    let hllc = source.law.only(&Role::NumericalFlux).unwrap();
    let name = &source.law.function(hllc).name;
    let numbers = |values: &[f64]| values.iter().map(|&value| algebra::rational(value).unwrap()).collect::<Vec<_>>();
    let taken = algebra::session(|| {
        let ways = derived.samples.iter().filter(|sample| sample.function == *name).flat_map(|sample| {
            let point = Point {
                parameters: numbers(&sample.parameters),
                left: numbers(&sample.state),
                right: numbers(&sample.right),
                normal: numbers(&sample.normal),
                position: numbers(&sample.position),
                time: Rational::from(0),
            };
            let (mut setting, inputs) = Setting::approximate(&source.law, &point);
            setting.call(hllc, &inputs).unwrap();
            setting.tower.taken
        });
        ways.collect::<std::collections::BTreeSet<_>>()
    });
    // Subsonic or not, to the left and to the right, and the sign of the contact's speed.
    let taken = taken.unwrap();
    println!("{taken:?}");
    assert!(!taken.is_empty() && taken.iter().all(|&(place, holds)| taken.contains(&(place, !holds))), "{taken:?}");
}
