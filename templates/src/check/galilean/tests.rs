use crate::check::laws::{ADVECTION, EULER, MHD, SHALLOW_WATER};
use crate::check::testing::{Source, law};
use crate::check::tests::{alone, proofs};
use crate::check::{Checker, Severity, galilean, symmetry};
use crate::ir::{Span, Vectors};

/// A law that declares this momentum.
fn declared(mut source: Source, momentum: (usize, usize)) -> Source {
    source.law.galilean = Some(Vectors { pairs: vec![momentum], span: Span(1) });
    source
}

/// Looks for symmetries.
fn find(checker: &mut Checker) {
    let vectors = symmetry::vectors(checker);
    galilean::check(checker, vectors.as_ref().map_or(&[], |(pairs, _)| pairs));
    symmetry::find(checker, vectors);
}

/// The mistakes that the rules on symmetry find.
fn mistakes(source: &Source) -> Vec<String> {
    let found = alone(source, find).into_iter();
    found.filter(|(severity, ..)| *severity == Severity::Error).map(|(.., message)| message).collect()
}

#[test]
fn mass_and_energy_are_found_and_the_declaration_is_offered() {
    for (name, text, frame) in [
        (
            "euler",
            EULER,
            Some(
                "(`rho_v1`, `rho_v2`) is the momentum of the mass `rho` and the energy `rho_e`; `#[symmetry(galilean = (rho_v1, rho_v2))]`",
            ),
        ),
        (
            "sea",
            SHALLOW_WATER,
            Some("(`hu`, `hv`) is the momentum of the mass `h`; `#[symmetry(galilean = (hu, hv))]`"),
        ),
        // Without a source, the induction equation is the same only where the magnetic field has no divergence.
        ("mhd", MHD, None),
        ("advection", ADVECTION, None),
    ] {
        let found = proofs(&law(name, text), find);
        let statement =
            found.iter().find_map(|statement| statement.strip_prefix("the flux is the same for moving observers, if "));
        match frame {
            Some(frame) => assert!(statement.is_some_and(|statement| statement.starts_with(frame)), "{found:?}"),
            None => assert_eq!(statement, None, "{name}"),
        }
    }
}

#[test]
fn what_differs_between_directions_is_said_once() {
    let text = EULER.replacen("rho_e: v1 * (u.rho_e + p)", "rho_e: v1 * u.rho_e + p", 1);
    assert_ne!(text, EULER);
    let mut source = declared(law("euler", &text), (1, 2));
    source.law.rotation = Some(Vectors { pairs: vec![(1, 2)], span: Span(2) });
    let found = mistakes(&source);
    assert!(matches!(&found[..], [message] if message.contains("not the same in all directions")), "{found:?}");
}

#[test]
#[ignore = "long"]
fn a_declared_frame_is_one_of_the_flux_and_of_numerical_fluxes() {
    assert_eq!(mistakes(&declared(law("euler", EULER), (1, 2))), [""; 0]);
    assert_eq!(mistakes(&declared(law("sea", SHALLOW_WATER), (1, 2))), [""; 0]);
    let wrong = "the flux is not the same for moving observers, if (`rho_v2`, `rho_v1`) is the momentum";
    assert_eq!(mistakes(&declared(law("euler", EULER), (2, 1))), [wrong]);
    // The energy behind the contact is that of the normal velocity alone: still the same in all directions.
    let message = "`hllc` is not the same for observers who move along the face, as the flux is";
    let text =
        EULER.replace("(sm - vn) * (sm +", "(sm - vn) * (sm + 0.01 * (u.rho_v1 * u.rho_v1 + u.rho_v2 * u.rho_v2) +");
    assert_ne!(text, EULER);
    assert_eq!(mistakes(&declared(law("euler", &text), (1, 2))), [message]);
}

#[test]
fn a_declared_mirror_is_one_of_the_flux_and_of_walls() {
    let mirrored = |text: &str| {
        let mut source = law("sea", text);
        source.law.reflection = Some(Vectors { pairs: vec![(1, 2)], span: Span(1) });
        mistakes(&source)
    };
    // Gravity that is larger along x: the same in both mirrors, not in all directions.
    let tilted = SHALLOW_WATER.replacen("u.hu * u.hu / u.h + q", "u.hu * u.hu / u.h + 2.0 * q", 1);
    assert_ne!(tilted, SHALLOW_WATER);
    assert_eq!(mirrored(&tilted), [""; 0]);
    let skew = SHALLOW_WATER.replacen("State { h: u.hu,", "State { h: u.hu + 0.5 * u.hv,", 1);
    assert_ne!(skew, SHALLOW_WATER);
    assert_eq!(mirrored(&skew), ["the flux is not the same in a mirror, if (`hu`, `hv`) are mirrored"]);
}
