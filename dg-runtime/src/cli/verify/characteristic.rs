//! Characteristic variables `w = L v`, `v = R w` against the flux Jacobian A in exact arithmetic: `R (L v) = v` and `R Λ L v = A v`.

use super::reference::{EXACT, arguments_of};
use super::{Code, Comparison, Error, difference, larger};
use crate::law::{Arguments, Function, Role, Sample};

/// The kernels of each direction, with the name that samples of `A v` have.
const DIRECTIONS: [[&str; 3]; 3] = [
    ["jacobian_x", "to_characteristic_x", "from_characteristic_x"],
    ["jacobian_y", "to_characteristic_y", "from_characteristic_y"],
    ["jacobian_z", "to_characteristic_z", "from_characteristic_z"],
];

/// The comparisons of a unit's code; none for a law without characteristic variables.
pub(super) fn comparisons(code: &mut Code<'_>) -> Result<Vec<Comparison>, Error> {
    let (mut undone, mut decoupled, mut samples) = (0.0, 0.0, 0);
    for [jacobian, to, from] in DIRECTIONS {
        for sample in code.law.samples.iter().filter(|sample| sample.function == jacobian) {
            let (back, carried) = maps(code, sample, to, from)?;
            undone = larger(undone, difference(&back, sample.right));
            decoupled = larger(decoupled, difference(&carried, sample.value));
            samples += 1;
        }
    }
    if samples == 0 {
        return Ok(Vec::new());
    }
    let comparison = |function: &str, difference| Comparison {
        law: code.law.name,
        function: function.to_owned(),
        way: code.device.name(),
        reference: EXACT,
        order: Some(code.unit.order),
        shape: None,
        samples,
        difference,
    };
    Ok(vec![comparison("L, R = 1 / L", undone), comparison("R diag(lambda) L", decoupled)])
}

/// `R (L v)` and `R Λ L v` of the vector of a sample.
fn maps(
    code: &mut Code<'_>,
    sample: &'static Sample,
    to: &'static str,
    from: &'static str,
) -> Result<(Vec<f64>, Vec<f64>), Error> {
    let results = code.law.state.len();
    let map = |name| Function { name, doc: "", role: Role::Output, results, host: None };
    let eigenvalues = code.law.with_role(Role::Eigenvalues).next();
    let at = arguments_of(sample);
    let code = code.with(sample.parameters)?;
    let variables = code.values(&map(to), &[at])?;
    let back = code.values(&map(from), &[Arguments { right: &variables, ..at }])?;
    let speeds = eigenvalues.map(|speeds| code.values(speeds, &[at])).transpose()?.unwrap_or_default();
    let carried: Vec<_> = variables.iter().zip(&speeds).map(|(w, speed)| w * speed).collect();
    Ok((back, code.values(&map(from), &[Arguments { right: &carried, ..at }])?))
}
