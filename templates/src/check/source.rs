//! Part of rule 6: how the source depends on the state. Its Jacobian is derived where it does.

use super::{Checker, prove::Verdict, prove::prove};
use crate::derive::{Inputs, Number, Setting, SourceJacobian, Stop, source_jacobian};
use crate::ir::{FunctionId, Role, Type, Warning};
use dg_contract::Method;

/// The Jacobian of the law's source, and whether the source is linear: that the Jacobian is the same at all states is recorded where it is.
pub fn check(checker: &mut Checker) -> (Option<SourceJacobian>, bool) {
    let law = checker.law;
    let Some(id) = law.only(&Role::Source) else { return (None, true) };
    let name = &law.function(id).name;
    match source_jacobian(law, super::SEED) {
        Ok(Some(mut derived)) => {
            let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| differences(setting, inputs);
            let verdict = prove(law, &checker.points, &residuals, &mut checker.taken);
            let Verdict::Holds(method) = verdict else { return (Some(derived), false) };
            checker.proved(format!("the Jacobian of `{name}` is the same at all states: the source is linear"), method);
            let sees_place_or_time = law.function(id).signature().any(|ty| matches!(ty, Type::Point | Type::Real));
            let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| rest(setting, inputs, id);
            let mut is_product = || prove(law, &checker.points, &residuals, &mut checker.taken);
            derived.is_product = !sees_place_or_time && matches!(is_product(), Verdict::Holds(_));
            (Some(derived), true)
        }
        Ok(None) => {
            checker.proved(format!("`{name}` does not depend on the state, and bounds no step"), Method::Symbolic);
            (None, true)
        }
        Err(stop) => {
            let message = format!("the Jacobian of `{name}` could not be derived: it met {stop}");
            let notes = vec!["steps follow the waves alone, and the source cannot be taken implicitly".into()];
            checker.warning(Warning::Undecided, law.function(id).span, message, notes);
            (None, false)
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

/// `S(u) - E u`, where E is the Jacobian.
fn rest(setting: &mut Setting, inputs: &Inputs<Number>, source: FunctionId) -> Result<Vec<Vec<Number>>, Stop> {
    let (jacobian, rates) = (setting.source_jacobian(inputs)?, setting.call(source, inputs)?);
    let rest = |(rate, row): (&Number, &Vec<Number>)| {
        let product = setting.dot(row, inputs.left.iter())?;
        Ok(vec![rate.clone(), setting.tower.neg(&product)])
    };
    rates.iter().zip(&jacobian).map(rest).collect()
}

#[cfg(test)]
mod tests {
    use crate::check::testing::law;
    use crate::check::tests::{accepts, passes};
    use crate::derive::SourceJacobian;

    /// A law of two components with this source.
    fn with_source(body: &str) -> String {
        format!(
            "state a, b;
            fn flux(u: State) -> [State; 2] {{ [u, State {{ a: 0.5 * u.a, b: 0.5 * u.b }}] }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{ [n.x + 0.5 * n.y, n.x + 0.5 * n.y] }}
            #[admissible]
            fn positive(u: State) -> [f64; 2] {{ [u.a, u.b] }}
            #[source]
            fn rates(u: State, x: Point) -> State {{ {body} }}"
        )
    }

    #[test]
    fn what_a_source_depends_on_is_told() {
        let linear = "the Jacobian of `rates` is the same at all states: the source is linear";
        let alone = "`rates` does not depend on the state, and bounds no step";
        for (body, statement) in [
            ("State { a: u.b - 2.0 * u.a, b: 1.0 - x.x * u.b }", Some(linear)),
            // Linear, though not as it is written.
            ("State { a: (u.a * u.a - u.b * u.b) / (u.a + u.b), b: 0.0 }", Some(linear)),
            ("State { a: -u.a * u.b, b: 0.0 }", None),
            ("State { a: x.x, b: x.y.sin() }", Some(alone)),
        ] {
            let source = law("rates", &with_source(body));
            let proofs = accepts(&source, |checker| drop(super::check(checker)));
            assert_eq!(proofs, Vec::from_iter(statement.map(str::to_owned)), "{body}");
        }
    }

    #[test]
    fn components_that_a_source_leaves_alone_are_known() {
        for (body, changed) in [
            ("State { a: 0.0, b: x.x }", vec![1]),
            ("State { a: u.b, b: 0.0 * u.a }", vec![0]),
            ("State { a: -u.a, b: 1.0 - u.b }", vec![0, 1]),
            ("State { a: 0.0, b: 0.0 }", vec![]),
        ] {
            let (_, derived) = passes("rates", &with_source(body));
            assert_eq!(derived.source_components, changed, "{body}");
        }
    }

    #[test]
    fn the_jacobian_is_derived_with_its_values() {
        let (_, derived) = passes("rates", &with_source("State { a: -u.a * u.b, b: x.x * u.a }"));
        assert_eq!(derived.source_entries, [["-b", "-a"], ["x.x", "0"]]);
        let SourceJacobian { samples, .. } = derived.source_jacobian.unwrap();
        assert!(!samples.is_empty());
        for sample in samples {
            let ([a, b], x) = ([sample.state[0], sample.state[1]], sample.position[0]);
            assert_eq!(sample.value, [-b, -a, x, 0.0]);
        }
    }
}
