use crate::check::laws::{BURGERS, EULER, changed, euler};
use crate::check::testing::{Source, law};
use crate::check::{Diagnostic, Severity, analyse};
use crate::ir::{Span, Vectors};

/// The only message about a law.
fn only(source: &Source) -> Diagnostic {
    let (report, _) = analyse(&source.law);
    assert_eq!(report.diagnostics.len(), 1, "{:#?}", report.diagnostics);
    let diagnostic = report.diagnostics[0].clone();
    assert_eq!(diagnostic.severity, Severity::Error);
    diagnostic
}

#[test]
fn what_does_not_fit_a_doubtful_flux_is_a_note() {
    // The momentum is carried along twice, which no small change of the eigenvalues explains.
    let source = euler(
        "rho_v1: u.rho_v1 * v1 + p, rho_v2: u.rho_v2 * v1",
        "rho_v1: 2.0 * u.rho_v1 * v1 + p, rho_v2: u.rho_v2 * v1",
    );
    let message = only(&source);
    assert!(message.message.contains("is not an eigenvalue of the flux Jacobian"), "{message:?}");
    let note = message.notes.last().unwrap();
    assert!(note.ends_with("not fit the flux either, so that the flux may be what is wrong"), "{note}");
    assert!(note.contains("`supersonic_vortex`") && note.contains("`isentropic_vortex`"), "{note}");
}

#[test]
fn what_does_not_fit_a_doubtful_product_is_a_note() {
    // The share is carried against the flow, and its eigenvalue found less often than declared.
    let source = law(
        "carried",
        "state a, share;
        fn flux(u: State) -> [State; 2] { [State { a: u.a, share: 0.0 }, State { a: 0.0, share: 0.0 }] }
        #[nonconservative] fn carried(u: State, change: State, n: Normal) -> State { State { a: 0.0, share: -change.share * n.x } }
        fn eigenvalues(u: State, n: Normal) -> [f64; 2] { let v = n.x; [v, v] }
        #[exact] fn spot(x: Point, t: f64) -> State { State { a: 1.0, share: (x.x - t).sin() } }",
    );
    let message = only(&source);
    assert!(message.message.contains("not as often as it is declared"), "{message:?}");
    assert_eq!(
        message.notes.last().unwrap(),
        "`spot` does not fit the flux and `carried` either, so that one of these may be what is wrong"
    );
}

#[test]
fn fluxes_that_fail_alike_are_one_message() {
    let upwind = |name: &str| {
        format!(
            "#[numerical_flux] fn {name}(l: State, r: State, n: Normal) -> State {{
                State {{ u: half_sum(l.u, r.u) * (n.x + n.y) }}
            }}"
        )
    };
    let helper = "fn half_sum(a: f64, b: f64) -> f64 { 0.3 * (a * a + b * b) }";
    let source = law("burgers", &format!("{BURGERS}{helper}{}{}", upwind("one"), upwind("two")));
    let message = only(&source);
    assert!(message.message.starts_with("`one` is not consistent"), "{message:?}");
    assert_eq!(message.notes.last().unwrap(), "`two` fails alike, so that the mistake may be in `half_sum`");
}

#[test]
fn a_flux_that_is_neither_consistent_nor_conservative_is_one_message() {
    let source = changed("euler", EULER, "rho: f.rho + s * (rho - u.rho),", "rho: f.rho + s * rho,");
    assert!(only(&source).message.contains("`hllc` is not consistent"));
}

/// Burgers' equation with a flux of Osher and Solomon's kind, in which one operator is another one.
#[test]
fn a_quotient_for_a_product_is_one_message() {
    let with = |damping: &str| {
        format!(
            "{BURGERS}
            fn damping(u: f64, change: f64, n: Normal) -> f64 {{ {damping} }}
            #[numerical_flux] fn osher(l: State, r: State, n: Normal) -> State {{
                let jump = r.u - l.u;
                let sum = damping(l.u + 0.2 * jump, jump, n) + damping(l.u + 0.8 * jump, jump, n);
                State {{ u: 0.25 * (n.x + n.y) * (l.u * l.u + r.u * r.u) - 0.25 * sum }}
            }}"
        )
    };
    // It is undefined between equal states, where alone it could be consistent.
    only(&law("burgers", &with("(u * (n.x + n.y)).abs() / change")));
    let message = only(&law("burgers", &with("((u / n.x).abs() + u * n.y) * change")));
    assert!(message.message.contains("can be zero, and is divided by"), "{message:?}");
    let note = message.notes.last().unwrap();
    assert!(note.starts_with("where it is defined, `osher` "), "{note}");
}

/// A gas that says that its momentum is a vector, with a kinetic energy, and further terms of a flux.
fn gas(kinetic: &str, extra: &str) -> Source {
    let mut source = law(
        "gas",
        &format!(
            "params g = 1.4;
            state d, m1, m2, e;
            fn pressure(u: State, gas: Params) -> f64 {{ (gas.g - 1.0) * (u.e - {kinetic}) }}
            fn flux(u: State, gas: Params) -> [State; 2] {{
                let p = pressure(u, gas);
                let (v1, v2) = (u.m1 / u.d, u.m2 / u.d);
                [
                    State {{ d: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1, e: (u.e + p) * v1 }},
                    State {{ d: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p{extra}, e: (u.e + p) * v2 }},
                ]
            }}
            fn eigenvalues(u: State, n: Normal, gas: Params) -> [f64; 4] {{
                let v = (u.m1 * n.x + u.m2 * n.y) / u.d;
                let a = (gas.g * pressure(u, gas) / u.d).sqrt();
                [v - a, v, v, v + a]
            }}
            #[admissible] fn positive(u: State, gas: Params) -> [f64; 2] {{ [u.d, pressure(u, gas)] }}"
        ),
    );
    source.law.rotation = Some(Vectors { pairs: vec![(1, 2)], span: Span(1) });
    source
}

#[test]
fn a_flux_that_is_not_the_same_in_all_directions_has_other_eigenvalues() {
    let message = only(&gas("0.5 * (u.m1 * u.m1 + u.m2 * u.m2) / u.d", " + 0.001 * p"));
    assert!(message.message.starts_with("the flux is not the same in all directions"), "{message:?}");
}

#[test]
fn a_wrong_pressure_makes_conditions_wrong_too() {
    let message = only(&gas("0.5 * (u.m1 * u.m1 + u.m2 * u.m2) * u.d", ""));
    assert!(message.message.contains("is not an eigenvalue of the flux Jacobian"), "{message:?}");
}

#[test]
fn a_quantity_that_is_undefined_somewhere_is_one_message() {
    let source = law(
        "carried",
        "state a, b;
        fn flux(u: State) -> [State; 2] { [u, u] }
        fn eigenvalues(u: State, n: Normal) -> [f64; 2] { let v = n.x + n.y; [v, v] }
        #[minimum_principle] fn share(u: State) -> [f64; 1] { [u.a / u.b] }",
    );
    assert!(only(&source).message.starts_with("`u.b` can be zero, and is divided by"));
}
