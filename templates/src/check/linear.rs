//! Part of rule 6: a flux that is linear in the state, `F_d(u) = A_d u`, is recognised.

use super::{Checker, prove::Verdict, prove::prove};
use crate::derive::{Inputs, Number, Setting, Stop};

/// Whether the flux is linear in the state; recorded where it is.
pub fn check(checker: &mut Checker) -> bool {
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs);
    match prove(checker.law, &checker.points, &residuals, &mut checker.taken) {
        Verdict::Holds(method) => {
            checker.proved("the flux is linear in the state".into(), method);
            true
        }
        Verdict::Fails { .. } | Verdict::Undecided(_) => false,
    }
}

/// `A(u) - A(r)` and `F(u) - A(u) u`.
fn residuals(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
    let here = setting.jacobians(inputs)?;
    let there = setting.jacobians(&Inputs { left: inputs.right.clone(), ..inputs.clone() })?;
    let flux = setting.flux(inputs)?;
    let mut residuals = Vec::new();
    for ((here, there), flux) in here.iter().zip(&there).zip(&flux) {
        for ((here, there), flux) in here.iter().zip(there).zip(flux) {
            for (a, b) in here.iter().zip(there) {
                residuals.push(vec![a.clone(), setting.tower.neg(b)]);
            }
            let product = setting.dot(here, inputs.left.iter())?;
            residuals.push(vec![flux.clone(), setting.tower.neg(&product)]);
        }
    }
    Ok(residuals)
}
