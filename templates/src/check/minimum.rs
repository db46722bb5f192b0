//! Rule 8: smooth solutions transport the quantities with a local minimum principle.
//!
//! A quantity g(u) changes along curves by the source S alone where its gradient is a left eigenvector of every flux Jacobian,
//! ∇g A_d = λ_d ∇g: then ∂g/∂t + Σ_d λ_d ∂g/∂x_d = ∇g·S, which must not be negative. That it does not fall at discontinuities is
//! the law's claim, which is not checked.

use super::prove::{Verdict, prove};
use super::{Checker, Method, SEED};
use crate::derive::{Dual, Inputs, Number, Setting, Stop, Wide, text};
use crate::ir::{FunctionId, Role, Warning};

/// A change that is smaller than this part is rounding.
const ROUNDING: f64 = 1e-12;

/// A rate that is smaller than this part of its terms is rounding.
const SMALL: f64 = 1e-9;

/// The number of states at which the source is tried.
const STATES: usize = 100;

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
    checker.claim(id, statement, &points, &residuals, |checker, point, residual| {
        let message = format!("`{name}` has a quantity that smooth solutions do not carry along");
        let m = law.state.fields.len();
        let quantity = residual / (law.dim * m * (m - 1) / 2);
        let notes = vec![
            format!("at {}", text::point(law, point, text::Show::State)),
            format!("there the gradient of `{name}[{quantity}]` is no left eigenvector of the flux Jacobians"),
            "a minimum principle bounds an entropy that the flow carries, or a scalar itself and its negative".into(),
        ];
        checker.error(law.function(id).span, message, notes);
    });
    if let Some(source) = law.only(&Role::Source).filter(|_| !checker.has_error_at(law.function(id).span)) {
        rises(checker, id, source);
    }
    changes(checker, id);
    varies(checker, id);
}

/// Where the flux of a constant state differs from place to place, its divergence is a source, which may lower a quantity.
fn varies(checker: &mut Checker, id: FunctionId) {
    let law = checker.law;
    let Some(flux) = law.only(&Role::Flux).filter(|_| !checker.has_error_at(law.function(id).span)) else { return };
    let (m, fields) = (law.state.fields.len(), law.medium.fields.len());
    let floats: Vec<Inputs<f64>> = checker.points.iter().map(|point| point.map(|value| value.to_f64())).collect();
    // The quantity whose rate of change the flux has elsewhere with the same state.
    let changed = |here: &Inputs<f64>, there: &Inputs<f64>| {
        let parameters = there.parameters[..fields].iter().chain(&here.parameters[fields..]).copied().collect();
        let elsewhere = Inputs { parameters, position: there.position.clone(), ..here.clone() };
        let fluxes = [here, &elsewhere].map(|at| at.call(law, flux));
        let ([Ok(a), Ok(b)], Ok(slopes)) = (fluxes, here.gradients(law, id)) else { return None };
        let differs = |slope: &[f64], (a, b): (&[f64], &[f64])| {
            let (mut sum, mut size) = (0.0_f64, 0.0);
            for ((slope, a), b) in slope.iter().zip(a).zip(b) {
                sum += slope * (b - a);
                size += (slope * a).abs() + (slope * b).abs();
            }
            sum.abs() > SMALL * size
        };
        slopes.iter().position(|slope| a.chunks(m).zip(b.chunks(m)).any(|of| differs(&slope[..m], of)))
    };
    let found = floats.windows(2).find_map(|two| Some((&two[0], changed(&two[0], &two[1])?)));
    if let Some((at, i)) = found {
        let function = law.function(id);
        let message = format!("`{}[{i}]` may drop where the flux varies in space", function.name);
        let notes = vec![
            format!("at {}", text::floats(law, at, text::Show::State)),
            "there the flux of the same state is another one with another medium or at another place; where the flux of a constant state has \
             a divergence, as in a velocity that converges, the solution leaves its bounds, and limiters would clip it"
                .into(),
            "where no constant state has one, as in a velocity without divergence, accept this".into(),
        ];
        checker.warning(Warning::VaryingFlux, function.span, message, notes);
    }
}

/// The source lowers no quantity.
fn rises(checker: &mut Checker, id: FunctionId, source: FunctionId) {
    let law = checker.law;
    let [name, of_source] = [id, source].map(|id| &law.function(id).name);
    let unchanged = |setting: &mut Setting, inputs: &Inputs<Number>| {
        let (gradients, source) = (gradients(setting, inputs, id)?, setting.call(source, inputs)?);
        gradients.iter().map(|gradient| Ok(vec![setting.dot(gradient, source.iter())?])).collect()
    };
    if let Verdict::Holds(method) = prove(law, &checker.points, &unchanged, &mut checker.taken) {
        return checker.proved(format!("`{of_source}` does not change what `{name}` returns"), method);
    }
    let known: Vec<Inputs<f64>> = checker.points.iter().map(|point| point.map(|value| value.to_f64())).collect();
    let mut wide = Wide::new(law, SEED + 22, known.iter().map(|point| point.left.clone()).collect());
    let parameters = wide.default_parameters();
    let more: Vec<_> = (0..STATES).filter_map(|_| wide.admissible(&parameters)).collect();
    let mut tried = 0;
    for at in known.iter().chain(&more) {
        let (Ok(gradients), Ok(rates)) = (at.gradients(law, id), at.call(law, source)) else { continue };
        tried += 1;
        for (i, gradient) in gradients.iter().enumerate() {
            let terms: Vec<f64> = gradient.iter().zip(&rates).map(|(slope, rate)| slope * rate).collect();
            let rate: f64 = terms.iter().sum();
            if rate >= -SMALL * terms.iter().map(|term| term.abs()).sum::<f64>() {
                continue;
            }
            let message = format!("`{name}` has a quantity that `{of_source}` lowers");
            let notes = vec![
                format!("at {}", text::floats(law, at, text::Show::State)),
                format!("there `{name}[{i}]` changes by the source at the rate {}", text::real(rate)),
                "beside a source, a minimum principle bounds what the source keeps or raises".into(),
            ];
            return checker.error(law.function(id).span, message, notes);
        }
    }
    if tried > 0 {
        checker.proved(format!("`{of_source}` lowers nothing that `{name}` returns"), Method::FloatingPoint(tried));
    }
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

/// The gradients of the quantities.
fn gradients(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let mut duals = inputs.map(|number| Dual::constant(number.clone()));
    duals.left = inputs.left.iter().enumerate().map(|(j, u)| Dual::variable(u.clone(), j)).collect();
    let gradient = |quantity: &Dual| (0..inputs.left.len()).map(|j| quantity.partial(j)).collect();
    Ok(setting.call_dual(id, &duals)?.iter().map(gradient).collect())
}

/// All `(∇g A_d)_i (∇g)_j - (∇g A_d)_j (∇g)_i`.
fn residuals(setting: &mut Setting, inputs: &Inputs<Number>, id: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let n = inputs.left.len();
    let jacobians = setting.jacobians(inputs)?;
    let mut residuals = Vec::new();
    for gradient in gradients(setting, inputs, id)? {
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
    }
    Ok(residuals)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::check::Severity;
    use crate::check::testing::{Source, law};
    use crate::check::tests::{accepts, alone};
    use crate::ir::Warning;

    /// Burgers' equation with a source and bounds.
    fn with(source: &str, bounds: &str) -> Source {
        law(
            "decay",
            &format!(
                "state u;
                fn flux(u: State) -> [State; 2] {{ [State {{ u: 0.5 * u.u * u.u }}, State {{ u: 0.0 }}] }}
                fn eigenvalues(u: State, n: Normal) -> [f64; 1] {{ [u.u * n.x] }}
                #[admissible] fn positive(u: State) -> [f64; 1] {{ [u.u] }}
                #[source] fn rate(u: State) -> State {{ State {{ u: {source} }} }}
                #[minimum_principle] fn bounds(u: State) -> [f64; 1] {{ [{bounds}] }}"
            ),
        )
    }

    #[test]
    fn a_velocity_that_varies_is_warned_of() {
        let carried = |velocity: &str| {
            law(
                "carried",
                &format!(
                    "state u, w;
                    fn flux(u: State, x: Point) -> [State; 2] {{
                        [State {{ u: {velocity} * u.u, w: x.y * u.w }}, State {{ u: 0.0, w: 0.0 }}]
                    }}
                    fn eigenvalues(u: State, n: Normal, x: Point) -> [f64; 2] {{ [{velocity} * n.x, x.y * n.x] }}
                    #[minimum_principle] fn bounds(u: State) -> [f64; 1] {{ [u.u] }}"
                ),
            )
        };
        accepts(&carried("2.0"), check);
        let varies = carried("x.x");
        let found = alone(&varies, check);
        assert!(
            matches!(&found[..], [(Severity::Warning(Warning::VaryingFlux), "bounds", message)] if message.contains("`bounds[0]` may drop")),
            "{found:#?}"
        );
    }

    #[test]
    fn a_source_may_raise_what_is_bounded_from_below() {
        for (source, bounds) in [("-u.u", "-u.u"), ("u.u * u.u", "u.u")] {
            let proofs = accepts(&with(source, bounds), check);
            assert!(proofs.contains(&"`rate` lowers nothing that `bounds` returns".to_owned()), "{proofs:#?}");
        }
        let lowers = with("-u.u", "u.u");
        let found = alone(&lowers, check);
        assert!(matches!(&found[..], [(_, "bounds", message)] if message.contains("`rate` lowers")), "{found:#?}");
        // Only near 2 is the rate negative.
        let rarely = with("(u.u - 1.5) * (u.u - 2.5)", "u.u");
        assert_eq!(alone(&rarely, check).len(), 1);
    }
}
