//! Rule 12: `#[variables]` can describe the states: a function from as many variables as the state has components has a derivative that
//! is not singular wherever its state is admissible. Otherwise some change of the variables leaves the state as it is, and most states
//! have no variables.
//!
//! That the derivative is singular at single states, as for polar coordinates at rest, is no mistake. It is tried in double precision.

use super::{Checker, Method, SEED};
use crate::derive::{Inputs, Points, text};
use crate::ir::{FunctionId, Law, Role};

/// The number of points at which a derivative is wanted, and the most that are tried to find them.
const POINTS: usize = 8;
const TRIES: usize = 2000;

/// A pivot that is smaller, by the size of its row and column, is zero.
const SINGULAR: f64 = 1e-9;

/// Tries every such function.
pub fn check(checker: &mut Checker) {
    let law = checker.law;
    for id in law.with_role(|role| *role == Role::Variables) {
        let function = law.function(id);
        let name = &function.name;
        let tried: Vec<_> = points(law, id).collect();
        let Some((point, gradients)) = tried.first() else { continue };
        if tried.iter().any(|(_, gradients)| !is_singular(gradients)) {
            let statement = format!("`{name}` reaches all states near those that were tried");
            checker.proved(statement, Method::FloatingPoint(tried.len()));
            continue;
        }
        let variables = function.variables();
        let values = variables.iter().zip(&point.left).map(|(name, value)| format!("{name} = {}", text::real(*value)));
        let idle: Vec<_> = (0..variables.len())
            .filter(|&j| gradients.iter().all(|row| row[j] == 0.0))
            .map(|j| format!("`{}`", variables[j]))
            .collect();
        let why = match &idle[..] {
            [] => "there some change of the variables leaves the state as it is".to_owned(),
            idle => format!("there the state does not change with {}", idle.join(" and ")),
        };
        let message =
            format!("`{name}` does not reach all states: its derivative is singular at all variables that were tried");
        checker.error(function.span, message, vec![format!("at {}", values.collect::<Vec<_>>().join(", ")), why]);
    }
}

/// Variables of admissible states, and the derivatives `[i][j]` of component i by variable j.
fn points(law: &Law, id: FunctionId) -> impl Iterator<Item = (Inputs<f64>, Vec<Vec<f64>>)> {
    let mut source = Points::new(law, SEED + 14);
    let drawn = (0..TRIES).map(move |i| {
        let point = source.any().map(|value| value.to_f64());
        // Some variables, such as velocities by that of light, are small.
        let scale = [1.0, 0.25, 0.0625][i % 3];
        Inputs { left: point.left.iter().map(|variable| scale * variable).collect(), ..point }
    });
    let admissible = drawn.filter_map(move |point| {
        let left = point.call(law, id).ok()?;
        let admissible = (Inputs { left, ..point.clone() }).is_admissible(law);
        let gradients = point.gradients(law, id).ok()?;
        admissible.then_some((point, gradients))
    });
    admissible.take(POINTS)
}

/// Whether a matrix is singular, after rows and columns are scaled to the size 1.
fn is_singular(gradients: &[Vec<f64>]) -> bool {
    let m = gradients.len();
    let mut a: Vec<Vec<f64>> = gradients.iter().map(|row| row[..m].to_vec()).collect();
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0_f64, |largest, x| largest.max(x.abs()));
    for row in &mut a {
        let size = largest(&mut row.iter().copied());
        row.iter_mut().for_each(|x| *x /= size);
    }
    for j in 0..m {
        let size = largest(&mut a.iter().map(|row| row[j]));
        a.iter_mut().for_each(|row| row[j] /= size);
    }
    if a.iter().flatten().any(|x| x.is_nan()) {
        return true;
    }
    for step in 0..m {
        let entries = (step..m).flat_map(|r| (step..m).map(move |c| (r, c)));
        let best = entries.max_by(|&(r, c), &(s, d)| a[r][c].abs().total_cmp(&a[s][d].abs()));
        let Some((row, column)) = best.filter(|&(r, c)| a[r][c].abs() > SINGULAR) else { return true };
        a.swap(step, row);
        a.iter_mut().for_each(|row| row.swap(step, column));
        let pivot = a[step].clone();
        for row in &mut a[step + 1..] {
            let factor = row[step] / pivot[step];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::check::Severity;
    use crate::check::laws::SHALLOW_WATER;
    use crate::check::testing::law;
    use crate::check::tests::alone;

    fn mistakes(variables: &str, state: &str) -> Vec<String> {
        let function = format!("#[variables] fn made({variables}) -> State {{ {state} }}");
        let source = law("sea", &format!("{SHALLOW_WATER}{function}"));
        let found = alone(&source, super::check).into_iter();
        found.inspect(|(severity, ..)| assert_eq!(*severity, Severity::Error)).map(|(.., message)| message).collect()
    }

    #[test]
    fn variables_that_do_not_reach_all_states_are_a_mistake() {
        for (variables, state) in [
            ("h: f64, v1: f64, v2: f64", "State { h: h, hu: h * v1, hv: h * v2 }"),
            ("h: f64, v: f64, angle: f64", "State { h: h, hu: h * v * angle.cos(), hv: h * v * angle.sin() }"),
            // Small, but not singular.
            ("h: f64, v1: f64, v2: f64", "State { h: h, hu: 0.000000001 * v1, hv: h * v2 }"),
        ] {
            assert_eq!(mistakes(variables, state), [""; 0], "{state}");
        }
        for state in [
            "State { h: h, hu: h * v1, hv: h * v1 }",
            "State { h: h, hu: h * (v1 + v2), hv: h * h * (v1 + v2) }",
            "State { h: h, hu: h * v2, hv: 2.0 * h * v2 + h }",
        ] {
            let found = mistakes("h: f64, v1: f64, v2: f64", state);
            assert!(
                matches!(&found[..], [message] if message.starts_with("`made` does not reach all states")),
                "{state}"
            );
        }
    }
}
