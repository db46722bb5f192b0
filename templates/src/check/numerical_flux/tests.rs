use crate::check::laws::{BURGERS, euler};
use crate::check::numerical_flux;
use crate::check::testing::law;
use crate::check::tests::{alone, has_one_mistake};

#[test]
fn an_inconsistent_star_state_is_found() {
    let source = euler("(sm - vn) * n.x) - u.rho_v1)", "(sm + vn) * n.x) - u.rho_v1)");
    let found = alone(&source, numerical_flux::check);
    assert!(found.iter().any(|(_, at, message)| *at == "hllc" && message.starts_with("`hllc` is not consistent")));
}

#[test]
fn a_flux_that_does_not_conserve_is_found() {
    let upwind = "#[numerical_flux] fn inner(l: State, r: State, n: Normal) -> State {
        State { u: 0.5 * l.u * l.u * (n.x + n.y) }
    }";
    let source = law("burgers", &format!("{BURGERS}{upwind}"));
    has_one_mistake(&source, "inner", "`inner` does not conserve `u`");
}
