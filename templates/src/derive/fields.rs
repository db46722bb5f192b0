//! Whether characteristic fields are genuinely nonlinear or linearly degenerate (P. D. Lax, Comm. Pure Appl. Math. 10 (1957)
//! 537–566): whether ∇λ·r, the change of a wave's speed across the wave, keeps its sign or is zero.

use std::collections::BTreeMap;

use super::defined::assume;
use super::dual::{Dual, Duals};
use super::number::Stop;
use super::setting::{Inputs, Point, Setting};
use super::signs::Signs;
use super::waves::free_normal;
use crate::ir::{BinaryOp, Domain as _, FunctionId, Law, Role, call, flatten};

/// Whether it is proved that the speed of a scalar law's wave changes in the same direction at all states, for any one normal: then
/// it is largest at one of two states, and nowhere between.
pub(crate) fn is_monotone(law: &Law, id: FunctionId, points: &[Point]) -> bool {
    // At some points a number vanishes that is not zero elsewhere.
    points.iter().find_map(|point| proved(law, id, point).ok()).unwrap_or(false)
}

fn proved(law: &Law, id: FunctionId, point: &Point) -> Result<bool, Stop> {
    let (mut setting, mut inputs) = Setting::symbolic(law, point)?;
    inputs.normal = free_normal(&mut setting.tower, &point.normal)?;
    let mut signs = Signs::new(&mut setting.tower);
    assume(&mut signs, law, &inputs)?;
    let mut slopes = Vec::new();
    for state in [&inputs.left, &inputs.right] {
        let mut duals = inputs.map(|number| Dual::constant(number.clone()));
        duals.left = state.iter().map(|u| Dual::variable(u.clone(), 0)).collect();
        let speeds = flatten(&call(&mut Duals::new(&mut signs), law, id, &duals.arguments(law, id))?);
        slopes.extend(speeds.iter().map(|speed| speed.partial(0)));
    }
    let [left, right] = slopes.as_slice() else { return Ok(false) };
    let (product, zero) = (signs.arithmetic(BinaryOp::Mul, left, right)?, signs.literal("0.0")?);
    Ok(signs.is_at_least(&product, &zero)? && !signs.branched())
}

/// A characteristic field at the states that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// ∇λ·r has both signs.
    Neither,
    /// It has one sign, or is zero.
    Either,
    /// The field could be followed nowhere: the wave is as fast as another, or states are not admissible.
    Unknown,
}

/// The distance of two eigenvalues relative to the largest, below which they are equal.
const EQUAL: f64 = 1e-7;

/// The cosine of the least angle between ∇λ and r that shows a sign.
const TURNED: f64 = 1e-5;

/// The steps of the way between two states, and how often a step may be halved.
const STEPS: usize = 16;
const HALVINGS: usize = 12;

/// The cosine of the largest angle of r in one step.
const ALIGNED: f64 = 0.9;

/// Follows fields from the left to the right state of each point, each with r chosen continuously.
pub(crate) fn follow(law: &Law, fields: &[usize], points: &[Inputs<f64>]) -> Vec<Field> {
    let mut found = vec![Field::Unknown; fields.len()];
    for point in points {
        // Most fields are followed in the same steps.
        let mut known = BTreeMap::<u64, Option<Local>>::new();
        for (&i, found) in fields.iter().zip(&mut found) {
            if *found != Field::Neither {
                let at = |theta: f64| {
                    let local = known.entry(theta.to_bits()).or_insert_with(|| Local::new(law, &between(point, theta)));
                    local.as_ref().and_then(|local| local.change(i))
                };
                *found = follow_one(*found, at);
            }
        }
    }
    found
}

/// What is known of a field after it is followed between two states, with its change at each share of the way.
fn follow_one(mut found: Field, mut change: impl FnMut(f64) -> Option<(f64, Vec<f64>)>) -> Field {
    let mut signs = [false; 2];
    let mut known: Option<(f64, Vec<f64>)> = None;
    let (mut theta, mut step) = (0.0, 1.0 / STEPS as f64);
    while theta <= 1.0 {
        let Some((mut turn, mut r)) = change(theta) else { break };
        if let Some((before, last)) = &known {
            let cosine: f64 = r.iter().zip(last).map(|(a, b)| a * b).sum();
            if cosine < 0.0 {
                r.iter_mut().for_each(|r| *r = -*r);
                turn = -turn;
            }
            if cosine.abs() < ALIGNED {
                step *= 0.5;
                if step < 0.5_f64.powi(HALVINGS as i32) / STEPS as f64 {
                    break;
                }
                theta = before + step;
                continue;
            }
        }
        found = if found == Field::Unknown { Field::Either } else { found };
        signs[0] |= turn > TURNED;
        signs[1] |= turn < -TURNED;
        if signs == [true; 2] {
            return Field::Neither;
        }
        known = Some((theta, r));
        if theta == 1.0 {
            break;
        }
        step = (1.5 * step).min(1.0 / STEPS as f64);
        theta = (theta + step).min(1.0);
    }
    found
}

fn between(point: &Inputs<f64>, theta: f64) -> Inputs<f64> {
    let left = point.left.iter().zip(&point.right).map(|(l, r)| l + theta * (r - l)).collect();
    Inputs { left, ..point.clone() }
}

/// The eigenvalues at a state, their derivatives, and the flux Jacobian.
struct Local {
    speeds: Vec<f64>,
    gradients: Vec<Vec<f64>>,
    jacobian: Vec<Vec<f64>>,
}

impl Local {
    /// None where the state is not admissible.
    fn new(law: &Law, at: &Inputs<f64>) -> Option<Self> {
        if !at.is_admissible(law) {
            return None;
        }
        let eigenvalues = law.only(&Role::Eigenvalues)?;
        let (speeds, gradients) = (at.call(law, eigenvalues).ok()?, at.gradients(law, eigenvalues).ok()?);
        Some(Self { speeds, gradients, jacobian: at.normal_jacobian(law).ok()? })
    }

    /// `(∇λ·r / |∇λ| |r|, r / |r|)`, with the right eigenvector r of the eigenvalue, up to a sign; `None` where it is not simple. The
    /// projector onto it along the others is the product of (A - μ) / (λ - μ) over the other eigenvalues μ.
    fn change(&self, i: usize) -> Option<(f64, Vec<f64>)> {
        let Self { speeds, gradients, jacobian: a } = self;
        let m = a.len();
        let gradient = &gradients[i][..m];
        let norm = a.iter().flatten().fold(0.0_f64, |norm, entry| norm.max(entry.abs()));
        let largest = speeds.iter().fold(norm, |largest, speed| largest.max(speed.abs()));
        let apart = |a: f64, b: f64| (a - b).abs() > EQUAL * largest;
        let mut others: Vec<f64> = Vec::new();
        for (k, &speed) in speeds.iter().enumerate() {
            if k != i && !apart(speed, speeds[i]) {
                return None;
            }
            if k != i && others.iter().all(|&other| apart(other, speed)) {
                others.push(speed);
            }
        }
        let size = |v: &[f64]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
        let mut longest = vec![0.0; m];
        for column in 0..m {
            let mut v: Vec<f64> = (0..m).map(|row| f64::from(u8::from(row == column))).collect();
            for mu in &others {
                let next = |row: usize| {
                    let product: f64 = a[row].iter().zip(&v).map(|(a, v)| a * v).sum();
                    (product - mu * v[row]) / (speeds[i] - mu)
                };
                v = (0..m).map(next).collect();
            }
            if size(&v) > size(&longest) {
                longest = v;
            }
        }
        let (length, slope) = (size(&longest), size(gradient));
        let r: Vec<f64> = longest.iter().map(|r| r / length).collect();
        let turn = gradient.iter().zip(&r).map(|(g, r)| g * r).sum::<f64>();
        r.iter().all(|r| r.is_finite()).then(|| (if slope > 0.0 { turn / slope } else { 0.0 }, r))
    }
}
