//! The formulas of a case: generated code computes the same values as the host.

use crate::case::{Case, Initial, StateFormulas};
use crate::device::Device;
use crate::law::{Arguments, Unit};
use crate::mesh::Mesh;
use crate::solver::{Condition, Given, Pointwise};

use super::{Comparison, Error, difference, larger};

/// Points at which formulas are compared.
const POINTS: usize = 100;

/// All formulas of a case, with their purposes.
pub(super) fn formulas_of(case: &Case) -> Vec<(String, StateFormulas)> {
    let mut found = Vec::new();
    if let Initial::Formulas(state) = &case.initial {
        found.push(("initial state".to_owned(), state.clone()));
    }
    if let Some(Given::Formulas(state)) = &case.exact {
        found.push(("exact state".to_owned(), state.clone()));
    }
    for (name, condition) in &case.boundaries {
        of_condition(case, name, condition, &mut found);
    }
    found
}

fn of_condition(case: &Case, boundary: &str, condition: &Condition, found: &mut Vec<(String, StateFormulas)>) {
    if let Some(Given::Formulas(state)) = condition.given() {
        found.push((format!("state at `{boundary}`"), state.clone()));
    }
    if let Condition::If(choice) = condition {
        let everywhere = StateFormulas::of_value(&choice.condition, case.law.state.len());
        found.push((format!("`if` at `{boundary}`"), everywhere));
    }
    condition.parts().into_iter().for_each(|part| of_condition(case, boundary, part, found));
}

/// Compares formulas of a case, compiled with a unit on a device, with their values on the host, at points of the mesh and times of the
/// run where they have finite values.
pub(super) fn comparisons(
    device: &Device,
    case: &Case,
    unit: &Unit,
    mesh: &Mesh,
    formulas: &[(String, StateFormulas)],
) -> Result<Vec<Comparison>, Error> {
    let components = case.law.state.len();
    let states: Vec<StateFormulas> = formulas.iter().map(|(_, state)| state.clone()).collect();
    let code = Pointwise::with_states(device, case.law, unit, &case.parameters, &states)?;
    let places = places(case, mesh);
    let points: Vec<Arguments<'_>> = places
        .iter()
        .map(|(position, time)| Arguments {
            parameters: &case.parameters,
            state: &[],
            right: &[],
            normal: &[],
            position,
            time: *time,
        })
        .collect();
    let mut comparisons = Vec::new();
    for (number, (function, state)) in formulas.iter().enumerate() {
        let found = code.state_values(number, &points)?;
        let differences: Vec<f64> = (points.iter().zip(found.chunks_exact(components)))
            .filter_map(|(point, found)| {
                let mut expected = vec![f64::NAN; components];
                state.value(point, &mut expected);
                let has_value = expected.iter().all(|value| value.is_finite());
                has_value.then(|| difference(found, &expected))
            })
            .collect();
        comparisons.push(Comparison {
            law: case.law.name,
            function: function.clone(),
            way: device.name(),
            reference: "formula on the host",
            order: Some(unit.order),
            shape: None,
            samples: differences.len(),
            // NaN if no value could be compared.
            difference: differences.into_iter().reduce(larger).unwrap_or(f64::NAN),
        });
    }
    Ok(comparisons)
}

/// Positions in the mesh and times of the run, spread irregularly: fractional parts of multiples of irrational
/// numbers.
fn places(case: &Case, mesh: &Mesh) -> Vec<(Vec<f64>, f64)> {
    let until = case.time.until.unwrap_or(1.0);
    let place = |i: usize| {
        let share = |of: f64| (i as f64 * of.sqrt()).fract();
        let (mut a, mut b) = (share(2.0), share(3.0));
        if a + b > 1.0 {
            (a, b) = (1.0 - a, 1.0 - b);
        }
        let element = (share(5.0) * mesh.element_count() as f64) as usize;
        (mesh.position(element, &[a, b])[..mesh.dim].to_vec(), until * share(7.0))
    };
    (1..=POINTS).map(place).collect()
}
