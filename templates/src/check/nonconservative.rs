//! Rule 6, third part: a non-conservative product is linear in the change that it multiplies and in the direction,
//! `Σ_d n_d B_d(u) v`; it has nothing to do with components that a boundary lets no flux through; and how many points integrate it along
//! the way between two states. What a law gives for the product at a jump is the same from both sides, and the product itself at small jumps.

use super::prove::Verdict;
use super::{Checker, Method, prove::prove};
use crate::algebra::Rational;
use crate::derive::{Inputs, Number, Origin, Point, Setting, Stop, origins, text};
use crate::ir::{FunctionId, Law, Role};

/// Checks the product, if the law has one.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    let Some(id) = law.only(&Role::Nonconservative) else { return };
    let name = &law.function(id).name;
    // Such a formula may be undefined at every state that is tried.
    if let Some((place, _)) = origins(law, id).into_iter().find(|(_, of)| of.contains(&Origin::Right)) {
        let message = format!(
            "`{name}` is no non-conservative product: a divisor, a root or a condition of it depends on the change of the state, in which it \
             is to be linear"
        );
        checker.error(place, message, vec!["multiply the change by a function of the state".into()]);
        checker.flux_is_suspect = true;
        return;
    }
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
    if let Some(jump) = law.only(&Role::Jump) {
        at_jumps(checker, jump);
    }
}

/// What a jump may differ from the product by, relative to its largest entry, for rounding and the square of the jump.
const SMALL: f64 = 1e-9;

/// Checks the product at a jump: `P(l, r, n) = P(r, l, -n)`, and `P(u - δ, u + δ, n) = 2 Σ_d n_d B_d(u) δ` for small δ.
fn at_jumps(checker: &mut Checker, id: FunctionId) {
    let law = checker.law;
    let name = &law.function(id).name;
    let points = checker.points.clone();
    let difference = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let there = setting.call(id, inputs)?;
        let normal = inputs.normal.iter().map(|n| setting.tower.neg(n)).collect();
        let (left, right) = (inputs.right.clone(), inputs.left.clone());
        let back = setting.call(id, &Inputs { left, right, normal, ..inputs.clone() })?;
        Ok::<_, Stop>(there.into_iter().zip(&back).map(|(a, b)| vec![a, setting.tower.neg(b)]).collect())
    };
    let statement = format!("`{name}` is the same from both sides: P(l, r, n) = P(r, l, -n)");
    checker.claim(id, statement, &points, &difference, |checker, point, i| {
        let message = format!("`{}` in `{name}` is not the same from both sides of a face", law.state.fields[i].name);
        let place = format!("at {}", text::point(law, point, text::Show::BothStatesAndNormal));
        checker.error(law.function(id).span, message, vec![place, "P(l, r, n) = P(r, l, -n) is to hold".into()]);
    });
    let compared: Vec<_> = points.iter().filter_map(|point| Some((point, off(law, id, point).ok()?))).collect();
    if let Some((point, Some(i))) = compared.iter().find(|(_, off)| off.is_some()) {
        checker.product_is_doubtful = true;
        let message =
            format!("`{name}` is not the product at a small jump: its `{}` differs", law.state.fields[*i].name);
        let place = format!("at {}", text::point(law, point, text::Show::StateAndNormal));
        checker.error(
            law.function(id).span,
            message,
            vec![place, "P(u, u + δ, n) is to be Σ n_d B_d(u) δ, up to δ²".into()],
        );
    } else if !compared.is_empty() {
        checker.proved(format!("`{name}` is the product at small jumps"), Method::FloatingPoint(compared.len()));
    }
}

/// The component in which small jumps of some component at a point have another product than the law's, if there is one.
fn off(law: &Law, id: FunctionId, point: &Point) -> Result<Option<usize>, Stop> {
    let (mut setting, inputs) = Setting::approximate(law, point);
    let small = Number::Rational(Rational::from((1, 1_i64 << 62)));
    let products = setting.products(&inputs)?;
    for j in 0..law.state.fields.len() {
        let mut pair = Inputs { right: inputs.left.clone(), ..inputs.clone() };
        pair.left[j] = setting.tower.sub(&inputs.left[j], &small)?;
        pair.right[j] = setting.tower.add(&inputs.left[j], &small)?;
        let jump = setting.call(id, &pair)?;
        let twice = setting.tower.mul(&small, &whole(2))?;
        let mut both = Vec::new();
        for (i, jump) in jump.iter().enumerate() {
            let column = setting.dot(&inputs.normal, products.iter().map(|b| &b[i][j]))?;
            both.push((setting.tower.div(jump, &twice)?.to_f64(), column.to_f64()));
        }
        let size = both.iter().fold(1.0_f64, |size, (_, column)| size.max(column.abs()));
        if let Some(i) = both.iter().position(|(jump, column)| (jump - column).abs() > SMALL * size) {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// The number of points of Gauss's quadrature along the way between two states: one integrates what is linear there.
pub fn path_points(checker: &mut Checker) -> usize {
    let Some(id) = checker.law.only(&Role::Nonconservative) else { return 0 };
    // The law says itself what the product is at a jump.
    if checker.law.only(&Role::Jump).is_some() {
        return 0;
    }
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
