use crate::check::laws::BURGERS;
use crate::check::testing::law;
use crate::check::tests::{accepts, last_flux, report_of};
use crate::check::trials::Trials;
use crate::check::{Checker, Severity, continuity, numerical_flux};
use crate::ir::Warning;

#[test]
#[ignore = "long"]
fn formulas_of_both_branches_agree_where_a_condition_changes() {
    // Two equations that do not see each other; the second one's flux is Godunov's for the convex flux u²/2.
    let godunov = |fan: &str, shock: &str| {
        format!(
            "state a, u;
            fn flux(q: State) -> [State; 2] {{ [State {{ a: 4.0 * q.a, u: 0.5 * q.u * q.u }}, State {{ a: 0.0, u: 0.0 }}] }}
            fn eigenvalues(q: State, n: Normal) -> [f64; 2] {{ [4.0 * n.x, q.u * n.x] }}
            fn forward(l: f64, r: f64) -> f64 {{
                if l < r {{
                    if 0.0 < l {{ 0.5 * l * l }} else if r < 0.0 {{ 0.5 * r * r }} else {{ {fan} }}
                }} else if {shock} {{ 0.5 * l * l }} else {{ 0.5 * r * r }}
            }}
            #[numerical_flux] fn godunov(l: State, r: State, n: Normal) -> State {{
                let a = if 0.0 < n.x {{ 4.0 * l.a }} else {{ 4.0 * r.a }};
                let u = if 0.0 < n.x {{ forward(l.u, r.u) }} else {{ forward(r.u, l.u) }};
                State {{ a: a * n.x, u: u * n.x }}
            }}"
        )
    };
    let right = godunov("0.0", "0.0 < l + r");
    let proofs = accepts(&law("two", &right), numerical_flux::check);
    assert!(proofs.iter().any(|proof| proof.starts_with("`godunov` does not jump")), "{proofs:#?}");
    for (wrong, place) in [
        (godunov("0.125 * (l + r) * (l + r) + 0.1", "0.0 < l + r"), "`0.0 < l`"),
        (godunov("0.0", "0.0 < l"), "`0.0 < l`"),
    ] {
        let source = law("two", &wrong);
        let rule = |checker: &mut Checker| {
            continuity::check(checker, last_flux(checker.law), &[], &Trials::new(checker.law));
        };
        let diagnostics = report_of(&source, rule).diagnostics;
        assert_eq!(diagnostics.len(), 1, "{diagnostics:#?}");
        assert_eq!(diagnostics[0].severity, Severity::Warning(Warning::DiscontinuousFlux));
        assert!(diagnostics[0].notes[1].contains(place), "{diagnostics:#?}");
        assert!(diagnostics[0].message.starts_with("`godunov` jumps where a condition changes"), "{diagnostics:#?}");
    }
}

#[test]
fn an_exact_flux_may_claim_rarefactions() {
    let godunov = |fan: &str| {
        format!(
            "{BURGERS}
            #[numerical_flux(exact = shock, rarefaction)] fn godunov(l: State, r: State, n: Normal) -> State {{
                let s = n.x + n.y;
                let behind = if 0.0 < s {{ l.u }} else {{ r.u }};
                let ahead = if 0.0 < s {{ r.u }} else {{ l.u }};
                let forward = behind.max(0.0);
                let backward = ahead.min(0.0);
                State {{ u: {fan} }}
            }}"
        )
    };
    let right = "0.5 * s * (forward * forward).max(backward * backward)";
    assert_eq!(report_of(&law("burgers", &godunov(right)), numerical_flux::check).diagnostics, []);
    // Murman's and Roe's flux is wrong in fans that spread to both sides only.
    let roe = "0.25 * s * (l.u * l.u + r.u * r.u) - 0.25 * (s * (l.u + r.u)).abs() * (r.u - l.u)";
    let found = report_of(&law("burgers", &godunov(roe)), numerical_flux::check).diagnostics;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].message.starts_with("`godunov` is not exact at isolated rarefactions"), "{found:#?}");
}
