//! Part of rule 6: a law that is linear in the state, `∂F_d/∂u + B_d = A_d`, is recognised.

use super::{Checker, prove::Verdict, prove::prove};
use crate::derive::{Inputs, Number, Setting, Stop};
use crate::ir::Role;

/// Whether flux and non-conservative product are linear in the state, which is recorded; otherwise the axis along which an equation is
/// not, and the component of that equation, if they are known.
pub fn check(checker: &mut Checker) -> Result<(), Option<[usize; 2]>> {
    // What is done for linear laws knows of no viscous flux.
    if checker.law.only(&Role::ViscousFlux).is_some() {
        return Err(None);
    }
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs);
    match prove(checker.law, &checker.points, &residuals, &mut checker.taken) {
        Verdict::Holds(method) => {
            let product = checker.law.only(&Role::Nonconservative);
            let statement = match product {
                Some(id) => format!("the flux and `{}` are linear in the state", checker.law.function(id).name),
                None => "the flux is linear in the state".into(),
            };
            checker.proved(statement, method);
            Ok(())
        }
        Verdict::Fails { residual, .. } => {
            let m = checker.law.state.fields.len();
            let equation = residual / (m + 1);
            Err(Some([equation / m, equation % m]))
        }
        Verdict::Undecided(_) => Err(None),
    }
}

/// `A(u) - A(r)`, and `F(u) - ∂F/∂u u`: along each axis, of each equation, its row and then its flux.
fn residuals(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Vec<Vec<Number>>, Stop> {
    let here = setting.jacobians(inputs)?;
    let there = setting.jacobians(&Inputs { left: inputs.right.clone(), ..inputs.clone() })?;
    let (flux, of_flux) = (setting.flux(inputs)?, setting.flux_jacobians(inputs)?);
    let mut residuals = Vec::new();
    for (((here, there), of_flux), flux) in here.iter().zip(&there).zip(&of_flux).zip(&flux) {
        for (((here, there), of_flux), flux) in here.iter().zip(there).zip(of_flux).zip(flux) {
            for (a, b) in here.iter().zip(there) {
                residuals.push(vec![a.clone(), setting.tower.neg(b)]);
            }
            let product = setting.dot(of_flux, inputs.left.iter())?;
            residuals.push(vec![flux.clone(), setting.tower.neg(&product)]);
        }
    }
    Ok(residuals)
}
