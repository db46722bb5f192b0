use crate::check::Severity;
use crate::check::laws::{ADVECTION, SHALLOW_WATER};
use crate::check::testing::law;
use crate::check::tests::{alone, found, passes, report_of};
use crate::ir::Warning;

/// The messages about shallow water with a further function.
fn said(function: &str) -> Vec<(Severity, String)> {
    let source = law("sea", &format!("{SHALLOW_WATER}{function}"));
    found(&source).into_iter().map(|(severity, _, message)| (severity, message)).collect()
}

#[test]
#[ignore = "long"]
fn an_initial_state_that_is_inadmissible_near_the_origin_is_warned_of() {
    for (initial, message) in [
        ("if x.x < 0.0 { 2.0 } else { 0.0 }", "`start` gives states that are inadmissible"),
        ("-1.0 - x.x * x.x", "`start` gives an admissible state at none of the places that were tried"),
        ("(-1.0 - x.x * x.x).sqrt()", "`start` gives an admissible state at none of the places that were tried"),
    ] {
        let state = format!("State {{ h: {initial}, hu: 0.0, hv: 0.0 }}");
        let found = said(&format!("#[initial] fn start(x: Point) -> State {{ {state} }}"));
        assert_eq!(found, [(Severity::Warning(Warning::InadmissibleState), message.to_string())], "{initial}");
    }
}

#[test]
#[ignore = "long"]
fn an_initial_state_may_be_meant_for_a_part_of_the_plane() {
    let overflows = "1.0 + (8000.0 * x.x).exp()";
    for initial in
        ["if x.x < 6.0 { 2.0 } else { 0.0 }", "x.x.sqrt()", "1.0 / (x.x * x.x + x.y * x.y) - 0.125", overflows]
    {
        let state = format!("State {{ h: {initial}, hu: 0.0, hv: 0.0 }}");
        assert_eq!(said(&format!("#[initial] fn start(x: Point) -> State {{ {state} }}")), [], "{initial}");
    }
}

#[test]
fn an_exact_state_that_is_inadmissible_everywhere_gives_one_message() {
    let found = said("#[exact] fn still(x: Point) -> State { State { h: -1.0, hu: 0.0, hv: 0.0 } }");
    let message = "`still` gives an admissible state at none of the places that were tried";
    assert_eq!(found, [(Severity::Warning(Warning::InadmissibleState), message.to_string())]);
}

#[test]
fn inadmissible_ghost_states_are_warned_of() {
    let found = said("#[boundary] fn outside(u: State) -> State { State { h: 2.0 - u.h, hu: 0.0, hv: 0.0 } }");
    let message = "`outside` has inadmissible ghost states of admissible states";
    assert_eq!(found, [(Severity::Warning(Warning::InadmissibleState), message.to_string())]);
}

#[test]
#[ignore = "long"]
fn ghost_states_are_tried_at_places_and_times() {
    // Tides of half the depth may be deeper than the sea for half of the time.
    for (depth, wrong) in [
        ("1.0 + 2.0 * (10.0 * t).sin()", true),
        ("0.25 + x.x", true),
        ("u.h * (1.0 - 2.0 * t)", true),
        ("1.0 + 0.5 * (10.0 * t + x.x).sin()", false),
        ("0.5 * u.h + 0.125 + x.y * x.y", false),
        // Meant for a part of the plane.
        ("(x.x - 0.5).sqrt()", false),
    ] {
        let state = format!("State {{ h: {depth}, hu: u.hu, hv: u.hv }}");
        let found = ghosts(&format!("#[boundary] fn tide(u: State, x: Point, t: f64) -> State {{ {state} }}"));
        let message = "`tide` has inadmissible ghost states of admissible states";
        let wanted = Some((Severity::Warning(Warning::InadmissibleState), message.to_owned())).filter(|_| wrong);
        assert_eq!(found, Vec::from_iter(wanted), "{depth}");
    }
    // Growth that only some places have.
    let found = ghosts(
        "#[boundary] fn spring(u: State, x: Point) -> State {
            State { h: u.h, hu: (if x.x < 0.5 { 0.0 } else { 3.0 }) * u.hu, hv: u.hv }
        }",
    );
    assert!(matches!(&found[..], [(Severity::Warning(Warning::GrowingGhost), _)]), "{found:?}");
}

#[test]
fn ghost_states_that_grow_slowly_are_warned_of() {
    for (hu, grows) in [
        ("1.05 * u.hu", true),
        ("1.0001 * u.hu", true),
        ("-1.01 * u.hu", true),
        ("u.hu + 0.01", true),
        ("u.hu + (if u.hu < 0.0 { -100.0 } else { 100.0 })", true),
        // Mirrors, far fields at once or little by little, and what turns by an angle that is no part of a turn.
        ("-u.hu", false),
        ("2.0 - u.hu", false),
        ("3.0", false),
        ("u.hu + 0.1 * (3.0 - u.hu)", false),
        ("u.hu + 0.001 * (1000.0 - u.hu)", false),
        ("0.8 * u.hu - 0.6 * u.hv", false),
    ] {
        let hv = if hu.contains("hv") { "0.6 * u.hu + 0.8 * u.hv" } else { "u.hv" };
        let found =
            ghosts(&format!("#[boundary] fn port(u: State) -> State {{ State {{ h: u.h, hu: {hu}, hv: {hv} }} }}"));
        let message =
            "ghost states of `port` grow without bound when they are repeated: the boundary adds to what arrives";
        let wanted = Some((Severity::Warning(Warning::GrowingGhost), message.to_owned())).filter(|_| grows);
        assert_eq!(found, Vec::from_iter(wanted), "{hu}");
    }
}

/// What this rule alone says about shallow water with a further function.
fn ghosts(function: &str) -> Vec<(Severity, String)> {
    let source = law("sea", &format!("{SHALLOW_WATER}{function}"));
    alone(&source, super::check).into_iter().map(|(severity, _, message)| (severity, message)).collect()
}

#[test]
#[ignore = "long"]
fn ghost_states_that_grow_are_warned_of() {
    let mirror = |factor: &str| {
        format!(
            "#[boundary] fn mirror(u: State, n: Normal) -> State {{
                let m = {factor} * (u.hu * n.x + u.hv * n.y);
                State {{ h: u.h, hu: u.hu - m * n.x, hv: u.hv - m * n.y }}
            }}"
        )
    };
    assert_eq!(said(&mirror("2.0")), []);
    assert_eq!(said(&mirror("1.0")), []);
    for factor in ["3.0", "-1.0"] {
        let found = said(&mirror(factor));
        let begin = "ghost states of `mirror` grow without bound";
        assert!(
            matches!(&found[..], [(Severity::Warning(Warning::GrowingGhost), message)] if message.starts_with(begin)),
            "{found:?}"
        );
    }
    // What comes in grows with time and place, but not with what is inside.
    let inlet = "#[boundary] fn inlet(x: Point, t: f64) -> State { State { u: (x.x + t).exp() } }";
    passes("advection", &format!("{ADVECTION}{inlet}"));
}

#[test]
fn the_quantity_of_an_inadmissible_state_is_named() {
    let source =
        law("sea", &format!("{SHALLOW_WATER}#[initial] fn dry() -> State {{ State {{ h: 0.0, hu: 0.0, hv: 0.0 }} }}"));
    let report = report_of(&source, super::check);
    let notes: Vec<_> = report.diagnostics.into_iter().flat_map(|diagnostic| diagnostic.notes).collect();
    assert!(notes.iter().any(|note| note.ends_with("and `u.h` is 0, not positive")), "{notes:?}");
}
