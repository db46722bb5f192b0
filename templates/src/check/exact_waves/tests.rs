use crate::check::Severity;
use crate::check::laws::{BURGERS, EULER, SHALLOW_WATER, changed};
use crate::check::numerical_flux;
use crate::check::testing::law;
use crate::check::tests::{accepts, alone, has_one_mistake};

/// HLLC that claims to be exact.
fn hllc(claim: &str) -> String {
    let claiming = EULER.replace("#[numerical_flux]", &format!("#[numerical_flux(exact = {claim})]"));
    assert_ne!(claiming, EULER);
    claiming
}

#[test]
fn hllc_is_exact_at_contacts() {
    let proofs = accepts(&law("euler", &hllc("contact")), numerical_flux::check);
    assert!(proofs.iter().any(|proof| proof == "`hllc` is exact at isolated contacts"), "{proofs:#?}");
}

#[test]
fn hllc_with_speeds_of_both_sides_is_not_exact_at_shocks() {
    // It would be with the speeds of Roe's mean.
    let source = law("euler", &hllc("shock"));
    let found = alone(&source, numerical_flux::check);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].0, found[0].1), (Severity::Error, "hllc"));
    assert!(found[0].2.starts_with("`hllc` is not exact at isolated shocks"), "{}", found[0].2);
}

#[test]
fn rusanov_is_exact_at_neither() {
    for claim in ["shock", "contact"] {
        let rusanov = format!(
            "{BURGERS}
            #[numerical_flux(exact = {claim})] fn lax(l: State, r: State, n: Normal) -> State {{
                let s = n.x + n.y;
                let c = (s * l.u).abs().max((s * r.u).abs());
                State {{ u: 0.25 * s * (l.u * l.u + r.u * r.u) - 0.5 * c * (r.u - l.u) }}
            }}
            #[numerical_flux(exact = shock)] fn osher(l: State, r: State, n: Normal) -> State {{
                let s = n.x + n.y;
                let behind = if 0.0 < s {{ l.u }} else {{ r.u }};
                let ahead = if 0.0 < s {{ r.u }} else {{ l.u }};
                let forward = behind.max(0.0);
                let backward = ahead.min(0.0);
                State {{ u: 0.5 * s * (forward * forward).max(backward * backward) }}
            }}"
        );
        let source = law("burgers", &rusanov);
        let found = alone(&source, numerical_flux::check);
        assert_eq!(found.len(), 1, "{claim}: {found:#?}");
        // Burgers' equation has no contact, so that nothing can be said.
        let expected =
            if claim == "shock" { "`lax` is not exact at isolated shocks" } else { "it could not be decided" };
        assert!(found[0].1 == "lax" && found[0].2.starts_with(expected), "{found:#?}");
    }
}

#[test]
fn a_false_claim_of_a_flux_that_damps_too_little_is_one_mistake() {
    let claiming = SHALLOW_WATER.replace("#[numerical_flux]", "#[numerical_flux(exact = shock)]");
    let source = changed("sea", &claiming, "let s = 0.5 * speed", "let s = 0.3 * speed");
    has_one_mistake(&source, "rusanov", "`rusanov` is not exact at isolated shocks");
}
