use crate::check::laws::{EULER, euler};
use crate::check::testing::law;
use crate::check::tests::{accepts, found, has_one_mistake, passes, report_of};
use crate::check::{Severity, boundary};
use crate::ir::Warning;

#[test]
fn a_wall_that_lets_mass_through_is_found() {
    let source = euler("rho_v1: u.rho_v1 - 2.0 * m * n.x", "rho_v1: u.rho_v1 - m * n.x");
    has_one_mistake(&source, "rho", "`slip_wall` lets `rho` pass, which it declares impermeable");
}

#[test]
#[ignore = "long"]
fn a_wall_is_not_blamed_for_a_flux_that_is_warned_of() {
    // The energy behind the contact is wrong at jumps alone, by Rusanov's flux and HLL nothing passes.
    let walled = EULER.replace("impermeable = rho", "impermeable = rho_e");
    passes("euler", &walled);
    let from = "(sm + p / (u.rho * (s - vn)))";
    assert!(walled.contains(from));
    let wrong = law("euler", &walled.replace(from, "(sm + p / (u.rho * (s - sm)))"));
    let found = found(&wrong);
    assert!(matches!(&found[..], [(Severity::Warning(Warning::SlowSignals), "hllc", _)]), "{found:?}");
}

#[test]
#[ignore = "long"]
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
#[ignore = "long"]
fn a_proved_wall_may_turn_round_more_than_enters() {
    // The velocity is reversed as a whole: I - ∂g/∂u has rank 2, where 1 characteristic enters.
    let wall = "fn sticky_wall(u: State) -> State {
        State { rho: u.rho, rho_v1: -u.rho_v1, rho_v2: -u.rho_v2, rho_e: u.rho_e }
    }";
    passes("euler", &format!("{EULER}#[boundary(impermeable = rho)] {wall}"));
    let undeclared = law("euler", &format!("{EULER}#[boundary] {wall}"));
    let found = found(&undeclared);
    assert!(matches!(&found[..], [(Severity::Error, "sticky_wall", _)]), "{found:?}");
    let report = report_of(&undeclared, boundary::check);
    assert!(report.diagnostics[0].notes[1].ends_with("`#[boundary(impermeable = [rho, rho_e])]`"), "{report:#?}");
}

#[test]
fn a_wall_that_does_not_say_so_is_offered_to() {
    let silent = EULER.replace("#[boundary(impermeable = rho)]", "#[boundary]");
    assert_ne!(silent, EULER);
    let copy = "#[boundary] fn copy(u: State) -> State { u }";
    let proofs = accepts(&law("euler", &format!("{silent}{copy}")), boundary::check);
    let offers: Vec<_> = proofs.iter().filter(|proof| proof.contains("#[boundary(impermeable")).collect();
    assert!(
        matches!(&offers[..], [offer] if offer.starts_with("`slip_wall` lets no `rho`, `rho_e` pass")),
        "{proofs:#?}"
    );
}
