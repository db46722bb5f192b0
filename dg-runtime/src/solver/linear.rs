//! What ADER asks of a setup beyond a linear flux: its step is as exact as its predictor only if numerical fluxes and ghost states
//! are linear in the states, too. The functions of the law are tried; what a case adds is linear. Flux and source are proved to be, and
//! a non-conservative product in the change of the state; in that of the medium it is tried.

use crate::law::{Arguments, Function, Role};

use super::{Condition, Error, Medium, Setup};

/// Differences relative to the largest value that rounding may cause.
const ROUNDING: f64 = 1e-9;

/// The number of pairs of states that are tried.
const PAIRS: usize = 8;

/// That the setup's integrator can serve it.
///
/// # Errors
/// [`Error::Integrator`] with the reason and the remedy.
pub(super) fn require(setup: &Setup) -> Result<(), Error> {
    let integrator = setup.integrator;
    integrator.require(setup.law, setup.tolerance.is_some()).map_err(Error::Integrator)?;
    if setup.well_balanced.is_some() {
        if setup.changing_medium().is_some() {
            return Err(Error::Integrator("`well_balanced` needs a medium that does not change with time".to_owned()));
        }
        integrator.require_whole_residuals().map_err(Error::Integrator)?;
    }
    if !integrator.has_predictor() {
        return Ok(());
    }
    let refuse = |reason: String| Err(Error::Integrator(format!("`{integrator}` {reason}; take `carpenter_kennedy`")));
    let m = setup.law.state.len();
    let flux = setup.numerical_flux;
    let (sides, m) = (2 * m, setup.law.values_at_a_point());
    if !is_linear(setup, flux, sides, Constant::Allowed, |at, states| Arguments {
        state: &states[..m],
        right: &states[m..],
        ..at
    }) {
        return refuse(format!(
            "needs a numerical flux that is linear in both states, and `{}` is not, though `rusanov` is",
            flux.name
        ));
    }
    for product in setup.law.with_role(Role::Nonconservative).chain(setup.law.with_role(Role::Jump)) {
        if !is_linear(setup, product, sides, Constant::Zero, |at, states| Arguments {
            state: &states[..m],
            right: &states[m..],
            ..at
        }) {
            return refuse(format!(
                "needs a non-conservative product that is linear in the state, also at jumps, and `{}` is not",
                product.name
            ));
        }
    }
    for function in setup.boundaries.iter().flat_map(functions) {
        if !is_linear(setup, function, setup.law.state.len(), Constant::Allowed, |at, states| Arguments {
            state: states,
            ..at
        }) {
            return refuse(format!("needs ghost states that are linear in the state, and `{}` is not", function.name));
        }
    }
    Ok(())
}

/// The functions of the law in a condition.
fn functions(condition: &Condition) -> Vec<&'static Function> {
    match condition {
        Condition::Function(function) => vec![function],
        condition => condition.parts().into_iter().flat_map(functions).collect(),
    }
}

/// What may be added to a linear function.
#[derive(Clone, Copy, PartialEq)]
enum Constant {
    Allowed,
    Zero,
}

/// Whether a function is a linear one of `count` numbers plus a constant, f(a + b) + f(0) = f(a) + f(b), for states of all signs.
fn is_linear(
    setup: &Setup,
    function: &Function,
    count: usize,
    constant: Constant,
    arguments: impl for<'a> Fn(Arguments<'a>, &'a [f64]) -> Arguments<'a>,
) -> bool {
    let Some(host) = function.host else { return true };
    let dim = setup.law.dim;
    // Another medium on the other side of a face, if the law has one.
    let mut media: Vec<_> = Medium::of_samples(setup.law).take(2).collect();
    if media.is_empty() {
        media.push(Vec::new());
    }
    (0..PAIRS).all(|pair| {
        let number = |i: usize| (7.3 * (i * i + 1) as f64 + 2.9 * pair as f64).sin();
        let [a, b] = [0, count].map(|first| (first..first + count).map(number).collect::<Vec<_>>());
        let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        // A direction of unit length, in any number of dimensions.
        let direction: Vec<f64> = (0..dim).map(|d| number(2 * count + d)).collect();
        let length = direction.iter().fold(0.0, |length: f64, x| length.hypot(*x));
        let normal: Vec<f64> = direction.iter().map(|x| x / length).collect();
        let value = |states: &[f64]| {
            let mut value = vec![0.0; function.results];
            let at = Arguments {
                parameters: &setup.parameters,
                state: &[],
                right: &[],
                normal: &normal,
                position: &direction,
                time: 0.5,
            };
            let sides = states.chunks(setup.law.state.len()).zip(media.iter().cycle());
            let states: Vec<f64> = sides.flat_map(|(state, medium)| [state, medium].concat()).collect();
            host(&arguments(at, &states), &mut value);
            value
        };
        let (of_a, of_b, of_sum, of_zero) = (value(&a), value(&b), value(&sum), value(&vec![0.0; count]));
        (0..function.results).all(|i| {
            let values = [of_sum[i], of_zero[i], -of_a[i], -of_b[i]];
            let largest = values.iter().fold(1.0, |largest: f64, value| largest.max(value.abs()));
            let rest = if constant == Constant::Zero { of_zero[i] } else { 0.0 };
            values.iter().sum::<f64>().abs() <= ROUNDING * largest && rest.abs() <= ROUNDING * largest
        })
    })
}
