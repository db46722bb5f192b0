//! Rule 15: a viscous flux that a boundary imposes is one of what its ghost state copies. A component whose value the boundary gives takes the
//! flux that this value leads to.

use super::{Checker, Method, viscous};
use crate::derive::{Dual, Inputs, Number, Setting, Stop, Zero, text};
use crate::ir::{FunctionId, Role, Warning};

/// Checks the viscous fluxes that boundaries impose.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    for id in law.with_role(|role| matches!(role, Role::BoundaryFlux { .. })) {
        let Some(boundary) = law.boundary_of(id) else { continue };
        is_of_copies(checker, id, boundary);
    }
}

/// What is wrong with a flux at a state: the component, and why.
enum Wrong {
    /// It does not diffuse.
    Still(usize),
    /// The boundary gives its value.
    Given(usize),
}

fn is_of_copies(checker: &mut Checker, id: FunctionId, boundary: FunctionId) {
    let law = checker.law;
    let (name, wall) = (&law.function(id).name, &law.function(boundary).name);
    let diffusing = viscous::diffusing(law, &checker.points);
    let statement = format!("`{name}` is a flux of what `{wall}` copies");
    let mut tried = 0;
    for point in checker.points.clone() {
        let (mut setting, inputs) = Setting::approximate(law, &point);
        let Ok(wrong) = wrong(&mut setting, &inputs, id, boundary, &diffusing) else { continue };
        tried += 1;
        let field = |component: usize| &law.state.fields[component].name;
        let (message, note) = match wrong {
            None => continue,
            Some(Wrong::Still(component)) => (
                format!("`{name}` imposes a viscous flux of `{}`, which does not diffuse", field(component)),
                "leave it 0.0".to_owned(),
            ),
            Some(Wrong::Given(component)) => (
                format!("`{name}` imposes a viscous flux of `{}`, whose value `{wall}` gives", field(component)),
                format!(
                    "a boundary gives the value or the flux: let `{wall}` take `{}` from the interior state, or impose 0.0 of it",
                    field(component)
                ),
            ),
        };
        let at = format!("at {}", text::point(law, &point, text::Show::StateAndNormal));
        checker.error(law.function(id).span, message, vec![at, note]);
        return;
    }
    if tried > 0 {
        checker.proved(statement, Method::FloatingPoint(tried));
    } else {
        let message = format!("it could not be decided whether {statement}");
        let reason = "every state that was tried is inadmissible or undefined";
        checker.warning(Warning::Undecided, law.function(id).span, message, vec![reason.into()]);
    }
}

/// With the imposed flux h and D = ∂w/∂u of the ghost state w, `D h = h`.
fn wrong(
    setting: &mut Setting,
    inputs: &Inputs<Number>,
    id: FunctionId,
    boundary: FunctionId,
    diffusing: &[usize],
) -> Result<Option<Wrong>, Stop> {
    let imposed = setting.call(id, inputs)?;
    let still = |&i: &usize| imposed[i].zero() == Zero::No && !diffusing.contains(&i);
    if let Some(component) = (0..imposed.len()).find(still) {
        return Ok(Some(Wrong::Still(component)));
    }
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
    let ghost = setting.call_dual(boundary, &duals)?;
    for (i, (ghost, own)) in ghost.iter().zip(&imposed).enumerate() {
        let partials: Vec<Number> = (0..imposed.len()).map(|j| ghost.partial(j)).collect();
        let behind = setting.dot(&partials, imposed.iter())?;
        if setting.tower.sub(&behind, own)?.zero() == Zero::No {
            return Ok(Some(Wrong::Given(i)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use crate::check::testing::law;
    use crate::check::tests::{has_one_mistake, passes};

    /// Heat, and what it carries with it, in a box.
    const HEAT: &str = "
params nu = 0.5, heat = 1.0;
state a, b;

fn flux(u: State) -> [State; 2] {
    [State { a: u.a, b: u.b }, State { a: 0.0, b: 0.0 }]
}

#[viscous_flux]
fn spread(g: [State; 2], p: Params) -> [State; 2] {
    [State { a: p.nu * g[0].a, b: 0.0 }, State { a: p.nu * g[1].a, b: 0.0 }]
}

fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
    [n.x, n.x]
}

#[boundary]
fn wall(u: State) -> State {
    State { a: u.a, b: u.b }
}

#[boundary_flux(wall)]
fn heating(p: Params) -> State {
    State { a: p.heat, b: 0.0 }
}
";

    #[test]
    fn a_flux_of_what_is_copied_is_imposed() {
        let (report, _) = passes("heat", HEAT);
        assert!(report.proofs.iter().any(|proof| proof.statement == "`heating` is a flux of what `wall` copies"));
    }

    #[test]
    fn a_value_and_its_flux_are_not_both_imposed() {
        let given = HEAT.replace("State { a: u.a, b: u.b }\n", "State { a: 2.0 - u.a, b: u.b }\n");
        has_one_mistake(
            &law("heat", &given),
            "heating",
            "`heating` imposes a viscous flux of `a`, whose value `wall` gives",
        );
        let still = HEAT.replace("State { a: p.heat, b: 0.0 }", "State { a: 0.0, b: p.heat }");
        has_one_mistake(
            &law("heat", &still),
            "heating",
            "`heating` imposes a viscous flux of `b`, which does not diffuse",
        );
    }
}
