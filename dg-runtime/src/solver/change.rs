//! How much a step changes the solution: the criterion for a steady state.

use super::reduce::Operation;
use super::scheme::Scheme;
use super::{Error, Precision, diagnosis};

/// How much the last step changed the solution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Change {
    /// The largest change of a coefficient in the step: small in a steady state, and after a short step. This is the criterion
    /// for a steady state of L. Krivodonova & M. Berger, J. Comput. Phys. 211 (2006) 492–512, and M. Fuhry, A. Giuliani &
    /// L. Krivodonova, Int. J. Numer. Meth. Fluids 76 (2014) 982–1003.
    pub per_step: f64,
    /// The largest change of a coefficient per unit of time, relative to its component; it does not depend on the step's length:
    ///
    /// max over components c of max |Δu_c| / (Δt S_c),   S_c = max(max |u_c|, √ε max |u|),
    ///
    /// where the inner maxima are over all coefficients of a component, the last one over all components, and ε is the
    /// rounding unit: a component smaller than √ε times the largest one consists of rounding errors.
    pub per_time: f64,
}

/// The largest absolute coefficient of every component.
#[derive(Clone, Debug)]
pub(super) struct Maxima {
    /// Of the change in the last step.
    pub(super) changes: Vec<f64>,
    /// Of the solution.
    pub(super) sizes: Vec<f64>,
}

impl Change {
    /// The change in a step of length `dt` from the largest changes and sizes of each component.
    fn new(changes: &[f64], sizes: &[f64], dt: f64, precision: Precision) -> Self {
        let floor = precision.epsilon().sqrt() * largest(sizes.iter().copied());
        let relative = changes.iter().zip(sizes).map(|(&change, &size)| {
            // For a component that is zero the quotient is 0 / 0.
            if change == 0.0 { 0.0 } else { change / (dt * size.max(floor)) }
        });
        Self { per_step: largest(changes.iter().copied()), per_time: largest(relative) }
    }
}

/// The largest of numbers ≥ 0; NaN counts as the largest.
fn largest(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |largest, x| if x > largest || x.is_nan() { x } else { largest })
}

/// How much the last step changed the solution, given the largest coefficients.
pub(super) fn change(scheme: Scheme<'_>, maxima: &Maxima) -> Result<Change, Error> {
    Ok(Change::new(&maxima.changes, &maxima.sizes, diagnosis::clock(scheme)?.dt, scheme.setup.precision))
}

/// The largest coefficients of every component.
pub(super) fn maxima(scheme: Scheme<'_>) -> Result<Maxima, Error> {
    let components = scheme.setup.law.state.len();
    let columns = scheme.new_columns(2 * components)?;
    scheme.run(scheme.each(|section| section.change(&columns))?)?;
    let mut changes = scheme.reduce(&columns, 2 * components, Operation::Max)?;
    let sizes = changes.split_off(components);
    Ok(Maxima { changes, sizes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_knows_no_step_and_no_unit() {
        let of = |changes: [f64; 2], sizes: [f64; 2], dt| Change::new(&changes, &sizes, dt, Precision::Double);
        let coarse = of([1e-3, 4.0], [1.0, 1e5], 0.1);
        // A hundredth of the step, in which all changes by a hundredth; one component in a unit a tenth as large.
        let fine = of([1e-5, 0.4], [1.0, 1e6], 1e-3);
        assert_eq!((coarse.per_step, fine.per_step), (4.0, 0.4));
        assert!([coarse, fine].iter().all(|change| (change.per_time - 1e-2).abs() < 1e-15));
    }

    #[test]
    fn what_is_rounding_of_others_is_no_change_of_its_own_size() {
        let rest = Change::new(&[0.0, 1e-17], &[1.0, 1e-17], 0.01, Precision::Double);
        assert!(rest.per_time < 1e-6, "{rest:?}");
        assert_eq!(Change::new(&[0.0; 2], &[0.0; 2], 0.01, Precision::Double), Change::default());
    }

    #[test]
    fn what_is_no_number_is_not_steady() {
        for changes in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
            let Change { per_step, per_time } = Change::new(&changes, &[1.0; 2], 0.1, Precision::Double);
            assert!(per_step.is_nan() && per_time.is_nan());
        }
    }
}
