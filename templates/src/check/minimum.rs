//! Rule 8: smooth solutions transport the quantities with a local minimum principle.
//!
//! A quantity g(u) keeps its value along curves where its gradient is a left eigenvector of every flux Jacobian, ∇g A_d = λ_d ∇g,
//! and no source changes it: then ∂g/∂t + Σ_d λ_d ∂g/∂x_d = 0. That it does not fall at discontinuities is the law's
//! claim, which is not checked.

use super::Checker;
use crate::derive::{Dual, Inputs, Number, Setting, Stop, text};
use crate::ir::{FunctionId, Role};

/// A change that is smaller than this part is rounding.
const ROUNDING: f64 = 1e-12;

/// Checks the quantities that the law declares.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let Some(id) = law.only(&Role::MinimumPrinciple) else { return };
    if checker.flux_is_suspect {
        return;
    }
    let name = &law.function(id).name;
    let statement = format!("what `{name}` returns is carried along by smooth solutions");
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs, id);
    let points = checker.points.clone();
    checker.claim(id, statement, &points, &residuals, |checker, point, _| {
        let message = format!("`{name}` has a quantity that smooth solutions do not carry along");
        let notes = vec![
            format!("at {}", text::point(law, point, text::Show::State)),
            "there its gradient is no left eigenvector of the flux Jacobians, or the source changes it".into(),
            "a minimum principle bounds an entropy that the flow carries, or a scalar itself and its negative".into(),
        ];
        checker.error(law.function(id).span, message, notes);
    });
    changes(checker, id);
}

/// A quantity that is the same at all states has a minimum, but is hardly meant.
fn changes(checker: &mut Checker, id: FunctionId) {
    let law = checker.law;
    let function = law.function(id);
    let floats = checker.points.iter().map(|point| point.map(|value| value.to_f64()));
    let known: Vec<_> =
        floats.filter_map(|at| Some((at.call(law, id).ok()?, at.gradients(law, id).ok()?, at.left))).collect();
    let is_constant = |i: usize| {
        let unchanged = |slope: f64, u: f64, value: f64| (slope * u).abs() <= ROUNDING * value.abs();
        known.iter().all(|(values, slopes, state)| {
            state.iter().zip(&slopes[i]).all(|(u, slope)| unchanged(*slope, *u, values[i]))
        })
    };
    let constant = (0..law.size_of(&function.result)).find(|&i| !known.is_empty() && is_constant(i));
    if let Some(i) = constant.filter(|_| !checker.has_error_at(function.span)) {
        let message =
            format!("`{}` has a quantity that is the same at all states: `{}[{i}]`", function.name, function.name);
        checker.error(function.span, message, vec!["a minimum principle bounds what varies: leave it out".into()]);
    }
}

/// All `(∇g A_d)_i (∇g)_j - (∇g A_d)_j (∇g)_i`, and `∇g · S`.
fn residuals(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let law = setting.law;
    let n = law.state.fields.len();
    let jacobians = setting.jacobians(inputs)?;
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
    let source = match law.only(&Role::Source) {
        Some(source) => setting.call(source, inputs)?,
        None => Vec::new(),
    };
    let mut residuals = Vec::new();
    for quantity in setting.call_dual(id, &duals)? {
        let gradient: Vec<Number> = (0..n).map(|j| quantity.partial(j)).collect();
        for jacobian in &jacobians {
            let mut carried = Vec::with_capacity(n);
            for j in 0..n {
                carried.push(setting.dot(&gradient, jacobian.iter().map(|row| &row[j]))?);
            }
            for i in 0..n {
                for j in 0..i {
                    let product = setting.tower.mul(&carried[j], &gradient[i])?;
                    residuals.push(vec![setting.tower.mul(&carried[i], &gradient[j])?, setting.tower.neg(&product)]);
                }
            }
        }
        if !source.is_empty() {
            residuals.push(vec![setting.dot(&gradient, source.iter())?]);
        }
    }
    Ok(residuals)
}
