use crate::check::laws::*;
use crate::check::tests::{method, passes};
use crate::derive::Derived;
use dg_contract::Method;

/// A scalar law with this flux in x and in y, and their derivatives.
fn scalar(flux: [&str; 2], derivative: [&str; 2], admissible: &str) -> String {
    let ([f, g], [df, dg]) = (flux, derivative);
    format!(
        "params a = 0.25; state u;
        fn flux(q: State, p: Params) -> [State; 2] {{ let a = p.a; let u = q.u; [State {{ u: {f} }}, State {{ u: {g} }}] }}
        fn eigenvalues(q: State, n: Normal, p: Params) -> [f64; 1] {{
            let a = p.a;
            let u = q.u;
            [({df}) * n.x + ({dg}) * n.y]
        }}
        {admissible}"
    )
}

fn needs_more_than_ends(derived: &Derived) -> bool {
    assert_eq!(derived.between.is_some(), derived.wave_speed.contains("between"));
    derived.between.is_some()
}

#[test]
fn scalar_laws_that_are_neither_convex_nor_concave_are_bounded_between_states() {
    let positive = "#[admissible] fn positive(q: State) -> [f64; 1] { [q.u] }";
    for (flux, derivative, admissible, needs) in [
        (["a * u * u", "0.0"], ["2.0 * a * u", "0.0"], "", false),
        (["u * (1.0 - u)", "a * u"], ["1.0 - 2.0 * u", "a"], "", false),
        (["u.sqrt()", "a * u"], ["0.5 / u.sqrt()", "a"], positive, false),
        (["u.powf(1.7)", "a * u"], ["1.7 * u.powf(0.7)", "a"], positive, false),
        (["u.exp()", "2.0 * u.exp() + a * u"], ["u.exp()", "2.0 * u.exp() + a"], "", false),
        (["a * u * u * u", "0.0"], ["3.0 * a * u * u", "0.0"], "", true),
        (["a * u * u", "u * u * u"], ["2.0 * a * u", "3.0 * u * u"], "", true),
        (["a * u.sin()", "u.cos()"], ["a * u.cos()", "-u.sin()"], "", true),
        (
            ["u * u / (u * u + a * (1.0 - u) * (1.0 - u))", "0.0"],
            ["2.0 * a * u * (1.0 - u) / (u * u + a * (1.0 - u) * (1.0 - u)).powi(2)", "0.0"],
            "",
            true,
        ),
    ] {
        let (report, derived) = passes("scalar", &scalar(flux, derivative, admissible));
        assert_eq!(needs_more_than_ends(&derived), needs, "{flux:?}");
        let proved = method(&report, "convex or concave along every normal");
        assert_eq!(proved, (!needs).then_some(Method::Symbolic), "{flux:?}");
    }
}

#[test]
#[ignore = "long"]
fn fields_of_systems_are_named_that_are_neither_nonlinear_nor_degenerate() {
    for (name, text) in [("euler", EULER), ("shallow_water", SHALLOW_WATER)] {
        let (report, derived) = passes(name, text);
        assert!(!needs_more_than_ends(&derived), "{name}");
        assert!(method(&report, "each field is genuinely nonlinear or linearly degenerate").is_some(), "{name}");
    }
    // An elastic bar that hardens in tension and in compression (R. J. LeVeque, Finite Volume Methods for Hyperbolic
    // Problems, Cambridge 2002, section 16.4, has one that softens).
    let bar = "state strain, momentum;
        fn flux(q: State) -> [State; 2] {
            let e = q.strain;
            [State { strain: -q.momentum, momentum: -(e + e * e * e) }, State { strain: 0.0, momentum: 0.0 }]
        }
        fn eigenvalues(q: State, n: Normal) -> [f64; 2] {
            let c = (1.0 + 3.0 * q.strain * q.strain).sqrt() * n.x;
            [-c, c]
        }";
    let (report, derived) = passes("bar", bar);
    assert!(needs_more_than_ends(&derived));
    let proof = report.proofs.iter().find(|proof| proof.statement.contains("neither genuinely nonlinear")).unwrap();
    assert!(proof.statement.contains(&derived.eigenvalues[0]) && proof.statement.contains(&derived.eigenvalues[1]));
}

#[test]
fn magnetic_waves_keep_the_speeds_of_both_sides() {
    let (_, derived) = passes("mhd", MHD);
    assert!(!needs_more_than_ends(&derived));
}
