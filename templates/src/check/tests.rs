//! Right laws pass without a message. The mistakes that each rule finds are tested beside it.

use super::laws::*;
use super::testing::{Source, law};
use super::*;

/// Analyses a law that must have nothing wrong.
pub(super) fn passes(name: &str, text: &str) -> (Report, Derived) {
    let source = law(name, text);
    let (report, derived) = analyse(&source.law);
    for proof in &report.proofs {
        println!("{}: {:?}", proof.statement, proof.method);
    }
    assert_eq!(report.diagnostics, [], "{name}");
    (report, derived)
}

/// How a statement was proved.
pub(super) fn method(report: &Report, statement: &str) -> Option<Method> {
    report.proofs.iter().find(|proof| proof.statement.contains(statement)).map(|proof| proof.method)
}

/// The diagnostics of a law: severity, text at the span, message.
pub(super) fn found(source: &Source) -> Vec<(Severity, &str, String)> {
    let (report, _) = analyse(&source.law);
    println!("{:#?}", report.diagnostics);
    report.diagnostics.into_iter().map(|d| (d.severity, source.at(d.span), d.message)).collect()
}

/// What one rule reports about a law.
pub(super) fn report_of(source: &Source, rule: impl Fn(&mut Checker) + Sync) -> Report {
    let report = algebra::session("tests", || {
        budget::restart();
        let mut checker = Checker::new(&source.law);
        rule(&mut checker);
        checker.report
    });
    report.unwrap()
}

/// The diagnostics of one rule about a law: severity, text at the span, message.
pub(super) fn alone(source: &Source, rule: impl Fn(&mut Checker) + Sync) -> Vec<(Severity, &str, String)> {
    let report = report_of(source, rule);
    println!("{:#?}", report.diagnostics);
    report.diagnostics.into_iter().map(|d| (d.severity, source.at(d.span), d.message)).collect()
}

/// The statements that one rule proves about a law.
pub(super) fn proofs(source: &Source, rule: impl Fn(&mut Checker) + Sync) -> Vec<String> {
    report_of(source, rule).proofs.into_iter().map(|proof| proof.statement).collect()
}

/// Asserts that one rule says nothing against a law; the statements that it proves.
pub(super) fn accepts(source: &Source, rule: impl Fn(&mut Checker) + Sync) -> Vec<String> {
    let report = report_of(source, rule);
    assert_eq!(report.diagnostics, []);
    report.proofs.into_iter().map(|proof| proof.statement).collect()
}

/// The last numerical flux of a law.
pub(super) fn last_flux(law: &Law) -> FunctionId {
    law.with_role(|role| matches!(role, Role::NumericalFlux(_))).last().unwrap()
}

/// Asserts that a law has one mistake, at a text, with a message that begins so.
pub(super) fn has_one_mistake(source: &Source, at: &str, message: &str) {
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
#[ignore = "long"]
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
#[ignore = "long"]
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
