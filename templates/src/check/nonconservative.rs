//! Rule 6, third part: a non-conservative product is linear in the change that it multiplies and in the direction,
//! `Σ_d n_d B_d(u) v`; it has nothing to do with components that a boundary lets no flux through; and how many points integrate it along
//! the way between two states.

use super::prove::Verdict;
use super::{Checker, prove::prove};
use crate::algebra::Rational;
use crate::derive::{Inputs, Number, Setting, Stop, text};
use crate::ir::{FunctionId, Role};

/// Checks the product, if the law has one.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let Some(id) = law.only(&Role::Nonconservative) else { return };
    let name = &law.function(id).name;
    let statement = format!("`{name}` is linear in the change of the state and in the direction");
    let points = checker.points.clone();
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| nonlinear_part(setting, inputs, id);
    checker.claim(id, statement, &points, &residuals, |checker, point, residual| {
        let component = &law.state.fields[residual % law.state.fields.len()].name;
        let message = format!(
            "`{name}` is no non-conservative product: its `{component}` is not linear in the change of the state, or in the direction"
        );
        let notes = vec![
            format!("at {}", text::point(law, point, text::Show::BothStatesAndNormal)),
            "it is to be Σ n_d B_d(u) v, with v the second state, which stands for a derivative of the first".into(),
        ];
        checker.error(law.function(id).span, message, notes);
        checker.flux_is_suspect = true;
    });
    at_walls(checker, id);
}

/// The number of points of Gauss's quadrature along the way between two states: one integrates what is linear there.
pub fn path_points(checker: &mut Checker) -> usize {
    let Some(id) = checker.law.only(&Role::Nonconservative) else { return 0 };
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| curvature(setting, inputs, id);
    match prove(checker.law, &checker.points, &residuals, &mut checker.taken) {
        Verdict::Holds(method) => {
            let name = &checker.law.function(id).name;
            checker.proved(format!("`{name}` is linear on the way between two states"), method);
            1
        }
        Verdict::Fails { .. } | Verdict::Undecided(_) => 3,
    }
}

/// A component without flux through a boundary has no product either, or the product would change it there.
fn at_walls(checker: &mut Checker, id: FunctionId) {
    let law = checker.law;
    let products = |point| {
        let (mut setting, inputs) = Setting::constant(law, point);
        setting.products(&inputs).ok()
    };
    let matrices: Vec<_> = checker.points.iter().filter_map(products).collect();
    let is_in_product = |i: usize| {
        matrices.iter().any(|directions| directions.iter().any(|b| b[i].iter().any(|entry| !entry.is_zero())))
    };
    for wall in law.with_role(|role| matches!(role, Role::Boundary { .. })) {
        let Role::Boundary { impermeable } = &law.function(wall).role else { continue };
        for (component, span) in impermeable.iter().filter(|(component, _)| is_in_product(*component)) {
            let (component, name) = (&law.state.fields[*component].name, &law.function(id).name);
            let message = format!("`{component}` is in the non-conservative product `{name}`, so no wall keeps it");
            checker.error(*span, message, vec!["leave it out of `impermeable`".into()]);
        }
    }
}

fn whole(n: i64) -> Number {
    Number::Rational(Rational::from(n))
}

/// The inputs with this change of the state, and of the medium.
fn changed(inputs: &Inputs<Number>, state: &[Number], medium: &[Number]) -> Inputs<Number> {
    Inputs { right: [state, medium].concat(), ..inputs.clone() }
}

/// `B(u, n) (v, w) - Σ_d n_d B_d(u) v - B(u, n) (0, w)` and `B(u, n) (0, 2 w) - 2 B(u, n) (0, w)`, with w the change of the medium.
fn nonlinear_part(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let v = &inputs.right;
    let w: Vec<_> = inputs.parameters[..setting.law.medium.fields.len()].to_vec();
    let nothing = vec![whole(0); v.len()];
    let doubled = w.iter().map(|w| setting.tower.mul(&whole(2), w)).collect::<Result<Vec<_>, _>>()?;
    let all = setting.call(id, &changed(inputs, v, &w))?;
    let of_medium = setting.call(id, &changed(inputs, &nothing, &w))?;
    let of_doubled = setting.call(id, &changed(inputs, &nothing, &doubled))?;
    let products = setting.products(inputs)?;
    let mut residuals = Vec::new();
    for (i, all) in all.iter().enumerate() {
        let mut terms = vec![all.clone(), setting.tower.neg(&of_medium[i])];
        for (n, b) in inputs.normal.iter().zip(&products) {
            let product = setting.dot(&b[i], v.iter())?;
            terms.push(setting.tower.neg(&setting.tower.mul(n, &product)?));
        }
        residuals.push(terms);
    }
    for (twice, once) in of_doubled.iter().zip(&of_medium) {
        residuals.push(vec![twice.clone(), setting.tower.neg(&setting.tower.mul(&whole(2), once)?)]);
    }
    Ok(residuals)
}

/// `B(l) + B(r) - 2 B((l + r) / 2)`, times a change, where the right side has twice the left one's medium.
fn curvature(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let fields = setting.law.medium.fields.len();
    let medium = &inputs.parameters[..fields];
    let half = Number::Rational(&Rational::from(1) / &Rational::from(2));
    let at = |setting: &mut Setting, left: Vec<Number>, share: Number| {
        let mut at = changed(inputs, &inputs.right, medium);
        at.left = left;
        for field in &mut at.parameters[..fields] {
            *field = setting.tower.mul(field, &share)?;
        }
        setting.call(id, &at)
    };
    let sum = |(l, r)| setting.tower.mul(&half, &setting.tower.add(l, r)?);
    let middle = inputs.left.iter().zip(&inputs.right).map(sum).collect::<Result<Vec<_>, Stop>>()?;
    let three_halves = setting.tower.mul(&whole(3), &half)?;
    let ends = [
        at(setting, inputs.left.clone(), whole(1))?,
        at(setting, inputs.right.clone(), whole(2))?,
        at(setting, middle, three_halves)?,
    ];
    let [left, right, middle] = ends;
    let mut residuals = Vec::new();
    for ((left, right), middle) in left.into_iter().zip(right).zip(middle) {
        residuals.push(vec![left, right, setting.tower.neg(&setting.tower.mul(&whole(2), &middle)?)]);
    }
    Ok(residuals)
}

#[cfg(test)]
mod tests;
