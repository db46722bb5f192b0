//! Part of rule 6: how the source depends on the state. Its Jacobian is derived where it does.

use super::{Checker, prove::Verdict, prove::prove};
use crate::derive::{Inputs, Number, Setting, SourceJacobian, Stop, source_jacobian};
use crate::ir::{Role, Warning};
use dg_contract::Method;

/// The Jacobian of the law's source; that it is the same at all states is recorded where it is.
pub fn check(checker: &mut Checker) -> Option<SourceJacobian> {
    let law = checker.law;
    let id = law.only(&Role::Source)?;
    let name = &law.function(id).name;
    match source_jacobian(law, super::SEED) {
        Ok(Some(derived)) => {
            let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| differences(setting, inputs);
            if let Verdict::Holds(method) = prove(law, &checker.points, &residuals, &mut checker.taken) {
                checker.proved(
                    format!("the Jacobian of `{name}` is the same at all states: the source is linear"),
                    method,
                );
            }
            Some(derived)
        }
        Ok(None) => {
            checker.proved(format!("`{name}` does not depend on the state, and bounds no step"), Method::Symbolic);
            None
        }
        Err(stop) => {
            let message = format!("the Jacobian of `{name}` could not be derived: it met {stop}");
            let notes = vec!["steps follow the waves alone, and the source cannot be taken implicitly".into()];
            checker.warning(Warning::Undecided, law.function(id).span, message, notes);
            None
        }
    }
}

/// The difference of the Jacobians at two states.
fn differences(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
    let here = setting.source_jacobian(inputs)?;
    let there = setting.source_jacobian(&Inputs { left: inputs.right.clone(), ..inputs.clone() })?;
    let pairs = here.iter().flatten().zip(there.iter().flatten());
    Ok(pairs.map(|(a, b)| vec![a.clone(), setting.tower.neg(b)]).collect())
}
