use crate::check::Severity;
use crate::check::laws::{EULER, euler};
use crate::check::testing::law;
use crate::check::tests::{found, has_one_mistake, passes};
use crate::ir::Warning;

#[test]
fn an_unused_parameter_is_found() {
    let source = euler("params gamma = 1.4;", "params gamma = 1.4, viscosity = 0.1;");
    has_one_mistake(&source, "viscosity", "the parameter `viscosity` is never used: remove it, or use it in a formula");
}

#[test]
fn a_parameter_that_only_an_idle_helper_reads_is_unused() {
    let text = EULER.replace("params gamma = 1.4;", "params gamma = 1.4, viscosity = 0.1;");
    let source = law("euler", &format!("{text}fn stress(gas: Params) -> f64 {{ gas.viscosity }}"));
    has_one_mistake(&source, "viscosity", "the parameter `viscosity` is never used");
}

#[test]
fn a_component_that_neither_flux_nor_source_changes_is_idle() {
    let charged = |change: &str| {
        format!(
            "state n, e;
            fn flux(u: State) -> [State; 2] {{ [State {{ n: u.n, e: 0.0 }}, State {{ n: 0.0, e: 0.0 }}] }}
            fn eigenvalues(_: State, n: Normal) -> [f64; 2] {{ [0.0, n.x] }}
            #[source] fn current(u: State) -> State {{ State {{ n: -u.e, e: {change} }} }}"
        )
    };
    // A field that the current charges stays where it is, and evolves.
    passes("plasma", &charged("u.n"));
    let idle = law("plasma", &charged("0.0"));
    let found = found(&idle);
    assert!(matches!(&found[..], [(Severity::Warning(Warning::IdleComponent), "e", _)]), "{found:?}");
}
