use crate::check::Severity;
use crate::check::laws::{BURGERS, EULER, SHALLOW_WATER, changed};
use crate::check::testing::law;
use crate::check::tests::{found, has_one_mistake, method, passes};
use crate::ir::Warning;

/// The Euler equations with the entropy, or what is made of it.
fn with_entropy(formula: &str) -> String {
    format!(
        "{EULER}#[minimum_principle] fn entropy(u: State, gas: Params) -> [f64; 1] {{
            let s = (pressure(u, gas) / u.rho.powf(gas.gamma)).ln(); [{formula}]
        }}"
    )
}

#[test]
#[ignore = "long"]
fn an_entropy_of_the_wrong_sign_is_found() {
    let (report, _) = passes("euler", &with_entropy("s"));
    assert!(method(&report, "at no mean of two states less than at both").is_some());
    let source = law("euler", &with_entropy("-s"));
    has_one_mistake(&source, "entropy", "`entropy` has a quantity that is less at the mean of two states than at both");
}

#[test]
fn a_scalar_and_its_negative_have_minima() {
    passes("burgers", &format!("{BURGERS}#[minimum_principle] fn range(q: State) -> [f64; 2] {{ [q.u, -q.u] }}"));
    let square = format!("{BURGERS}#[minimum_principle] fn range(q: State) -> [f64; 1] {{ [q.u * q.u] }}");
    has_one_mistake(&law("burgers", &square), "range", "`range` has a quantity that is less at the mean");
}

#[test]
fn an_admissible_set_that_is_not_convex_is_warned_of() {
    // Flows above some momentum, which may go either way.
    let source = changed(
        "sea",
        SHALLOW_WATER,
        "[f64; 1] {\n    [u.h]",
        "[f64; 2] {\n    [u.h, u.hu * u.hu + u.hv * u.hv - u.h]",
    );
    let found = found(&source);
    let expected = "the mean of two states that `admissible` admits is not always admissible".to_string();
    assert_eq!(found, [(Severity::Warning(Warning::NonconvexAdmissible), "admissible", expected)]);
}

#[test]
fn a_quantity_that_never_changes_has_no_minimum_to_keep() {
    let source = law("euler", &with_entropy("s, u.rho / u.rho").replace("[f64; 1] {", "[f64; 2] {"));
    has_one_mistake(&source, "entropy", "`entropy` has a quantity that is the same at all states: `entropy[1]`");
}
