//! The derivative of the flux along each axis by the state, in exact arithmetic: the reference for characteristic
//! variables, since `R Λ L v = (∂F_d/∂u) v`.

use super::far_field::distinct;
use super::number::{Number, Stop};
use super::points::{Points, is_admissible};
use super::samples::{Sample, representable};
use super::setting::{Inputs, Point, Setting};
use crate::algebra::Rational;
use crate::ir::{AXES, Law, Role};

/// The number of values in each direction.
const VALUES: usize = 4;

/// The number of points that are tried for them.
const TRIES: usize = 30;

/// The least distance of distinct eigenvalues, relative to the largest: nearer ones make rounding errors large.
const APART: f64 = 0.05;

/// `(∂F_d/∂u) v` at states u, with the right state for v, as samples of functions `jacobian_x`, `jacobian_y`, ….
pub fn carried(law: &Law, seed: u64) -> Vec<Sample> {
    (0..law.dim).flat_map(|direction| along(law, seed, direction)).collect()
}

fn along(law: &Law, seed: u64, direction: usize) -> Vec<Sample> {
    let mut source = Points::new(law, seed);
    // Other parameters would need another unit of code to compare.
    let parameters = source.any().parameters;
    let mut found = Vec::new();
    for _ in 0..TRIES {
        if found.len() == VALUES {
            break;
        }
        let Some(point) = source.admissible() else { continue };
        let normal = (0..law.dim).map(|d| Rational::from(i64::from(d == direction))).collect();
        let point = Point { parameters: parameters.clone(), normal, ..point };
        let Some((point, inputs)) = representable(&point).filter(|(point, _)| is_admissible(law, point)) else {
            continue;
        };
        let (mut setting, numbers) = Setting::approximate(law, &point);
        let Ok(Some(value)) = change(&mut setting, &numbers) else { continue };
        let value: Vec<f64> = value.iter().map(Number::to_f64).collect();
        if value.iter().all(|value| value.is_finite()) {
            let Inputs { parameters, left: state, right, normal, position, time } = inputs;
            let function = format!("jacobian_{}", AXES[direction]);
            found.push(Sample { function, parameters, state, right, normal, position, time, value });
        }
    }
    found
}

/// The change; `None` if two eigenvalues are too near each other.
fn change(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Option<Vec<Number>>, Stop> {
    let Some(eigenvalues) = setting.law.only(&Role::Eigenvalues) else { return Ok(None) };
    let eigenvalues = setting.call(eigenvalues, inputs)?;
    let mut speeds: Vec<_> = distinct(setting, &eigenvalues)?.iter().map(Number::to_f64).collect();
    speeds.sort_by(f64::total_cmp);
    let fastest = speeds.iter().fold(0.0_f64, |fastest, speed| fastest.max(speed.abs()));
    if speeds.windows(2).any(|pair| pair[1] - pair[0] < APART * fastest) {
        return Ok(None);
    }
    let jacobian = setting.normal_jacobian(inputs)?;
    jacobian.iter().map(|row| setting.dot(row, inputs.right.iter())).collect::<Result<_, _>>().map(Some)
}
