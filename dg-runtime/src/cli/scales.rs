//! Sizes of a law's fields: they distinguish a field that vanishes from one that is small.

use std::collections::BTreeMap;

use crate::io::picture::Scale;
use crate::law::{Arguments, Law, Role};
use crate::sizes::{at, extend, moved};
use crate::solver::{Precision, Samples};

/// Rounding differences, in units of the precision's own (2⁻⁵² or 2⁻²³). After 9,000 steps of a shock tube in air,
/// momentum across it differs by 2,000 in double and by 1,400 in single precision.
const ROUNDINGS: f64 = 4096.0;
/// Number of states whose sizes are taken, evenly spread over all.
const STATES: usize = 4096;
/// The relative change of a component that shows how much a field depends on it.
const CHANGE: f64 = 1e-6;

/// The scale of every field, by its name.
///
/// The size of a component of the state is the larger of its own values and |F_d| / max |λ_d|, which for the momentum of a
/// gas at rest is p / c. The scheme adds differences of such fluxes to a component, so their rounding errors remain
/// where the component vanishes. The size of an output is its change with the components, or with slopes of their size per `length`, that of
/// the smallest element.
pub(super) fn scales(
    law: &Law,
    parameters: &[f64],
    precision: Precision,
    samples: &Samples,
    length: f64,
) -> BTreeMap<&'static str, Scale> {
    let epsilon = match precision {
        Precision::Double => f64::EPSILON,
        Precision::Single => f64::from(f32::EPSILON),
    };
    let scale = |(name, size): (&&'static str, f64)| (*name, Scale { size, rounding: ROUNDINGS * epsilon * size });
    samples.fields.iter().zip(sizes(law, parameters, samples, length)).map(scale).collect()
}

/// The size of every field of the samples; 0 if unknown.
fn sizes(law: &Law, parameters: &[f64], samples: &Samples, length: f64) -> Vec<f64> {
    let (fields, at_a_point) = (samples.fields.len(), law.values_at_a_point());
    let points = samples.values.len() / fields;
    let states = samples.values.chunks_exact(fields).step_by(points.div_ceil(STATES).max(1));
    // A law lists the components of its state first, then the medium.
    let states = || states.clone().map(|values| &values[..at_a_point]);
    let mut sizes = vec![0.0; fields];
    for state in states() {
        let moved = moved(law, parameters, state);
        for ((size, own), moved) in sizes.iter_mut().zip(state).zip(moved) {
            extend(size, own.abs());
            extend(size, moved);
        }
    }
    for (index, name) in samples.fields.iter().enumerate().skip(at_a_point) {
        let Some(output) = law.outputs().find(|output| output.name == *name) else { continue };
        let Some(host) = output.host else { continue };
        let components = law.state.len();
        let of_gradient = output.role == Role::GradientOutput;
        let level = vec![0.0; law.dim * components];
        let value = |state: &[f64], gradient: &[f64]| {
            let mut value = [f64::NAN];
            host(&Arguments { right: gradient, ..at(parameters, state, &[]) }, &mut value);
            value[0]
        };
        let changes = states().map(|state| {
            let one = |number: usize| {
                let (mut changed, mut gradient) = (state.to_vec(), level.clone());
                let change = CHANGE * sizes[number % components];
                match of_gradient {
                    true => gradient[number] = change / length,
                    false => changed[number] += change,
                }
                (value(&changed, &gradient) - value(state, &level)).abs() / CHANGE
            };
            let numbers = if of_gradient { level.len() } else { components };
            (0..numbers).map(one).filter(|change| change.is_finite()).sum()
        });
        let largest = changes.fold(0.0, f64::max);
        sizes[index] = largest;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::LAW;
    use crate::law::Function;

    /// ∂p/∂t + c² ∂v/∂x = 0, ∂v/∂t + ∂p/∂x = 0, of which p is called `rho` here and v `rho_v`; c² is the first parameter.
    fn flux(arguments: &Arguments<'_>, value: &mut [f64]) {
        let ([p, v], c2) = ([arguments.state[0], arguments.state[1]], arguments.parameters[0]);
        value.copy_from_slice(&[c2 * v, p, 0.0, 0.0]);
    }

    fn eigenvalues(arguments: &Arguments<'_>, value: &mut [f64]) {
        let c = arguments.parameters[0].sqrt() * arguments.normal[0];
        value.copy_from_slice(&[-c, c]);
    }

    fn speed(arguments: &Arguments<'_>, value: &mut [f64]) {
        value[0] = arguments.state[1].abs();
    }

    fn shear(arguments: &Arguments<'_>, value: &mut [f64]) {
        value[0] = arguments.slope(1, 2)[1];
    }

    const fn function(
        name: &'static str,
        role: Role,
        results: usize,
        host: fn(&Arguments<'_>, &mut [f64]),
    ) -> Function {
        Function { name, doc: "", role, results, host: Some(host) }
    }

    static WAVES: Law = Law {
        functions: &[
            function("flux", Role::Flux, 4, flux),
            function("eigenvalues", Role::Eigenvalues, 2, eigenvalues),
            function("speed", Role::Output, 1, speed),
            function("shear", Role::GradientOutput, 1, shear),
        ],
        ..LAW
    };

    #[test]
    fn a_component_that_vanishes_is_as_large_as_what_its_flux_moves() {
        // At rest under p = 1e5 with c = 300, except for rounding: v is p / c.
        let values = [[1e5, 1e-14, 1e-14, 1e-14], [1e5, -2e-14, 2e-14, -1e-14], [1e5, 0.0, 0.0, 0.0]].concat();
        let samples = Samples { fields: vec!["rho", "rho_v", "speed", "shear"], values };
        let scales = |precision| scales(&WAVES, &[9e4, 1.0], precision, &samples, 0.5);
        let [double, single] = [scales(Precision::Double), scales(Precision::Single)];
        // The shear of elements of the size 0.5.
        let sizes = [("rho", 1e5), ("rho_v", 1e5 / 300.0), ("speed", 1e5 / 300.0), ("shear", 2e5 / 300.0)];
        for (name, expected) in sizes {
            let Scale { size, rounding } = double[name];
            assert!((size / expected - 1.0).abs() < 1e-6, "{name}: {size}, not {expected}");
            assert!(rounding > 2e-14 && rounding < 1e-11 * size && rounding < 1e-3 * single[name].rounding);
        }
        // Nothing moves, and the other values are NaN.
        let samples = Samples { values: vec![0.0, f64::NAN, f64::NAN, f64::NAN], ..samples };
        assert!(
            super::scales(&WAVES, &[9e4, 1.0], Precision::Double, &samples, 0.5)
                .values()
                .all(|scale| scale.size == 0.0)
        );
    }
}
