use crate::check::laws::BURGERS;
use crate::check::testing::law;
use crate::check::tests::{alone, method, passes};
use crate::check::{Method, Severity, numerical_flux};
use crate::ir::Warning;

/// Burgers' equation with a numerical flux of the two states' values and of `s`, the sum of the normal's components.
fn with(body: &str) -> String {
    format!(
        "{BURGERS}\n#[numerical_flux] fn flux_between(l: State, r: State, n: Normal) -> State {{ let s = n.x + n.y; {body} }}"
    )
}

/// Godunov's flux by the least or the greatest flux between the states.
fn godunov(least: &str, greatest: &str) -> String {
    with(&format!(
        "let fl = 0.5 * s * l.u * l.u;
         let fr = 0.5 * s * r.u * r.u;
         let inside = if l.u * r.u < 0.0 {{ 0.0 }} else {{ fl }};
         let least = fl.min(fr).min(inside);
         let greatest = fl.max(fr).max(inside);
         State {{ u: if l.u <= r.u {{ {least} }} else {{ {greatest} }} }}"
    ))
}

#[test]
fn godunov_and_rusanov_are_monotone() {
    let rusanov = "let c = (s * l.u).abs().max((s * r.u).abs()); State { u: 0.25 * s * (l.u * l.u + r.u * r.u) - 0.5 * c * (r.u - l.u) }";
    // That Godunov's is follows from more than the signs that decide its branches.
    for (text, proved) in [(with(rusanov), true), (godunov("least", "greatest"), false)] {
        let (report, _) = passes("burgers", &text);
        let method = method(&report, "`flux_between` is monotone");
        assert!(method.is_some_and(|method| matches!(method, Method::Branches(_)) == proved), "{method:?}");
    }
}

#[test]
fn exchanged_extremes_are_wrong() {
    let source = law("burgers", &godunov("greatest", "least"));
    let found = alone(&source, numerical_flux::check);
    assert!(found.iter().any(|(severity, at, _)| (*severity, *at) == (Severity::Error, "flux_between")), "{found:#?}");
}

#[test]
fn murman_and_roe_keep_expansion_shocks() {
    let source = law(
        "burgers",
        &with(
            "let c = (0.5 * s * (l.u + r.u)).abs(); State { u: 0.25 * s * (l.u * l.u + r.u * r.u) - 0.5 * c * (r.u - l.u) }",
        ),
    );
    let found = alone(&source, numerical_flux::check);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].0, Severity::Warning(Warning::ExpansionShocks));
    assert!(found[0].2.starts_with("`flux_between` keeps expansion shocks"), "{}", found[0].2);
}
