use crate::check::laws::{EULER, euler};
use crate::check::testing::law;
use crate::check::tests::has_one_mistake;

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
