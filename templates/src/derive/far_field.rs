//! The far field, a boundary that distinguishes incoming from outgoing waves: the derivative of the flux in direction
//! of a normal by the state, and ghost states of such a boundary in exact arithmetic.
//!
//! The ghost state is `u + P (given - u)`, with the projector P onto the eigenvectors of A = ∂(F·n)/∂u at `u` with
//! negative eigenvalues, along the others. `templates/kernels/far_field.cu` computes it in Newton's form; here P has
//! the product form of Lagrange and Sylvester (N. J. Higham, Functions of Matrices, SIAM 2008, section 1.2.2),
//!
//! ```text
//! P = Σ_{λ < 0} Π_{μ ≠ λ} (A - μ I) / (λ - μ)    over distinct eigenvalues λ, μ
//! ```

use super::draft::Draft;
use super::dual::{Dual, Duals};
use super::formula::Formulas;
use super::number::{Number, Stop, Zero};
use super::points::{Points, is_admissible};
use super::samples::{Sample, representable};
use super::setting::{Inputs, Point, Setting};
use crate::algebra::rational;
use crate::ir::{AXES, BinaryOp, Domain, Function, Law, Role, Type, call, flatten};

/// The name of [`Derived`'s](super::Derived) function of the flux.
pub const CHANGE: &str = "law_normal_flux_change";

/// The number of values to compute.
const VALUES: usize = 8;

/// The number of points that are tried for them.
const TRIES: usize = 300;

/// The least distance of a sample's eigenvalues from each other, and from zero of those that are not, relative to the largest: the scheme treats
/// slow waves as waves at rest.
const APART: f64 = 0.05;

/// The parts of a far field.
#[derive(Clone, Debug)]
pub enum FarField {
    /// The law has one.
    Derived {
        /// `(∂(F(u)·n)/∂u) v`, a function of the state `u`, its change `v`, the normal, and the parameters where there are any.
        change: Box<Function>,
        /// Its ghost states, with the given state as the right state.
        samples: Vec<Sample>,
    },
    /// There is none, for this reason.
    None(String),
}

/// Derives it.
///
/// # Errors
/// Where the derivatives are too large.
pub(crate) fn far_field(law: &Law, seed: u64) -> Result<FarField, Stop> {
    Ok(FarField::Derived { change: Box::new(change(law)?), samples: samples(law, seed) })
}

const STATE: usize = 0;
const VECTOR: usize = 1;
const NORMAL: usize = 2;
const PARAMETERS: usize = 3;

fn change(law: &Law) -> Result<Function, Stop> {
    let m = law.state.fields.len();
    let parameters = 0..law.parameters.fields.len();
    let mut arguments = vec![("u", Type::State), ("v", Type::State), ("n", Type::Normal)];
    arguments.extend((!parameters.is_empty()).then_some(("parameters", Type::Parameters)));
    let mut formulas = Formulas::new(Draft::new(law.span, &arguments));
    let state = |i| Dual::along(formulas.component(STATE, i), 0, formulas.component(VECTOR, i));
    let left = (0..m).map(state).collect();
    let normal: Vec<_> = (0..law.dim).map(|d| formulas.component(NORMAL, d)).collect();
    let parameters = parameters.map(|i| Dual::constant(formulas.component(PARAMETERS, i))).collect();
    let time = Dual::constant(normal[0]);
    let inputs = Inputs { parameters, left, right: Vec::new(), normal: Vec::new(), position: Vec::new(), time };

    let mut duals = Duals::with_names(&mut formulas, &["change"]);
    let mut changes = vec![None; m];
    if let Some(flux) = law.only(&Role::Flux) {
        let flux = flatten(&call(&mut duals, law, flux, &inputs.arguments(law, flux))?);
        for (flux, along) in flux.chunks(m).zip(&normal) {
            for (change, component) in changes.iter_mut().zip(flux) {
                let term = component.derivative(0).map(|slope| duals.mul(along, slope)).transpose()?;
                *change = duals.sum(BinaryOp::Add, *change, term)?;
            }
        }
    }
    let zero = formulas.literal("0.0")?;
    if let Some(product) = law.only(&Role::Nonconservative) {
        let mut right: Vec<_> = (0..m).map(|i| formulas.component(VECTOR, i)).collect();
        right.extend(law.medium.fields.iter().map(|_| zero));
        let inputs = Inputs { right, normal: normal.clone(), ..inputs.map(|dual| dual.value) };
        let product = flatten(&call(&mut formulas, law, product, &inputs.arguments(law, product))?);
        for (change, term) in changes.iter_mut().zip(product) {
            *change = Some(change.map_or(Ok(term), |change| formulas.arithmetic(BinaryOp::Add, &change, &term))?);
        }
    }
    let values: Vec<_> = changes.into_iter().map(|change| change.unwrap_or(zero)).collect();
    let doc =
        format!("How F(u)·n changes with u, n being ({}): its Jacobian times a change v.", AXES[..law.dim].join(", "));
    Ok(Function { doc, ..formulas.returning(CHANGE.into(), &values) })
}

/// The distinct numbers among these.
pub(crate) fn distinct(setting: &Setting, numbers: &[Number]) -> Result<Vec<Number>, Stop> {
    let mut distinct: Vec<Number> = Vec::new();
    'numbers: for number in numbers {
        for known in &distinct {
            if setting.tower.sub(number, known)?.zero() != Zero::No {
                continue 'numbers;
            }
        }
        distinct.push(number.clone());
    }
    Ok(distinct)
}

/// `(A - μ I) v`.
pub(crate) fn shifted(
    setting: &Setting,
    matrix: &[Vec<Number>],
    mu: &Number,
    v: &[Number],
) -> Result<Vec<Number>, Stop> {
    let tower = &setting.tower;
    let component = |(row, own): (&Vec<Number>, &Number)| tower.sub(&setting.dot(row, v.iter())?, &tower.mul(mu, own)?);
    matrix.iter().zip(v).map(component).collect()
}

/// The ghost state, the right state being the given one; `None` if two eigenvalues are too near each other.
fn beyond(setting: &mut Setting, inputs: &Inputs<Number>) -> Result<Option<Vec<Number>>, Stop> {
    let law = setting.law;
    let Some(eigenvalues) = law.only(&Role::Eigenvalues) else { return Ok(None) };
    let eigenvalues = setting.call(eigenvalues, inputs)?;
    let waves = distinct(setting, &eigenvalues)?;
    let speeds: Vec<_> = waves.iter().map(Number::to_f64).collect();
    let fastest = speeds.iter().fold(0.0_f64, |fastest, speed| fastest.max(speed.abs()));
    let apart = |distance: f64| distance.abs() >= APART * fastest;
    let near = |(i, speed): (usize, &f64)| {
        speeds[..i].iter().any(|other| !apart(speed - other)) || *speed != 0.0 && !apart(*speed)
    };
    if speeds.iter().enumerate().any(near) {
        return Ok(None);
    }
    let jacobian = setting.normal_jacobian(inputs)?;
    let pairs = inputs.right.iter().zip(&inputs.left);
    let change = pairs.map(|(given, own)| setting.tower.sub(given, own)).collect::<Result<Vec<_>, _>>()?;
    let mut beyond = inputs.left.clone();
    for wave in waves.iter().filter(|wave| wave.is_negative()) {
        let mut part = change.clone();
        for other in &waves {
            let apart = setting.tower.sub(wave, other)?;
            if apart.zero() != Zero::No {
                continue; // the wave itself
            }
            part = shifted(setting, &jacobian, other, &part)?;
            for component in &mut part {
                *component = setting.tower.div(component, &apart)?;
            }
        }
        for (sum, component) in beyond.iter_mut().zip(&part) {
            *sum = setting.tower.add(sum, component)?;
        }
    }
    Ok(Some(beyond))
}

/// Ghost states of admissible states, which are admissible themselves.
fn samples(law: &Law, seed: u64) -> Vec<Sample> {
    let mut source = Points::new(law, seed);
    let mut found = Vec::new();
    for _ in 0..TRIES {
        if found.len() == VALUES {
            break;
        }
        let Some((point, inputs)) = source.admissible().as_ref().and_then(representable) else { continue };
        let (mut setting, numbers) = Setting::approximate(law, &point);
        let Ok(Some(value)) = beyond(&mut setting, &numbers) else { continue };
        let value: Vec<f64> = value.iter().map(Number::to_f64).collect();
        let state = value.iter().map(|&u| rational(u)).collect::<Option<Vec<_>>>();
        let admissible = |left| is_admissible(law, &Point { left, ..point.clone() });
        if value.iter().all(|value| value.is_finite()) && state.is_some_and(admissible) {
            let Inputs { parameters, left: state, right, normal, position, time } = inputs;
            let function = super::DERIVED_BOUNDARIES[0].0.into();
            found.push(Sample { function, parameters, state, right, normal, position, time, value });
        }
    }
    found
}
