//! Rule 3, sixth part: numerical fluxes of a law with a minimum principle do not destroy physical entropy, whose negative η is convex.
//!
//! A quantity g with a minimum principle is carried along by the flow, and if a component `u_i` is carried by the same velocity, then
//! `η(u) = -u_i φ(g)` is conserved by smooth solutions, with the flux `-F_i φ(g)`. For a gas `u_i` is the density. If η is convex, no
//! solution may gain it, and the scheme adds none if `(v(r) - v(l))·f* ≤ (ψ(r) - ψ(l))·n` for all states, with the entropy
//! variables `v = ∂η/∂u` and `ψ = v·F - q` (E. Tadmor, Math. Comp. 49 (1987) 91–103,
//! <https://doi.org/10.1090/S0025-5718-1987-0890255-3>). It is tried in double precision at random pairs.

use super::trials::{Pair, Trials};
use super::{Checker, Method};
use crate::derive::{Inputs, Stop, text};
use crate::ir::{FunctionId, Law, Role, Warning};

/// The number of states at which an entropy is tried.
const STATES: usize = 16;

/// A flux may destroy entropy at one pair of so many. Roe's with an entropy fix of its sound waves alone does at about one in 25, where the
/// flow parts at the face: contact and shear stand there at the mean of both sides, and are not damped.
const RARE: usize = 16;

/// What is smaller than this part is rounding.
const ROUNDING: f64 = 1e-8;

/// An entropy, `-u_i φ(g)`.
struct Entropy {
    component: usize,
    quantity: usize,
    logarithm: bool,
    minimum_principle: FunctionId,
}

/// An entropy with derivatives and flux at a state.
struct At {
    value: f64,
    /// Entropy variables.
    gradient: Vec<f64>,
    /// Entropy flux in direction of the normal.
    flux: f64,
    /// What its gradient would be if smooth solutions conserved the entropy, less what it is.
    defect: f64,
}

/// Checks a numerical flux against the first entropy that is found.
pub fn check(checker: &mut Checker, id: FunctionId, trials: &Trials) {
    let law = checker.law;
    let states: Vec<_> = trials.pairs.iter().take(STATES).map(|pair| &pair.floats).collect();
    let Some(entropy) = Entropy::all(law).into_iter().find(|entropy| entropy.is_one(law, &states)) else { return };
    let (name, span) = (law.function(id).name.clone(), law.function(id).span);
    let mut tried = 0;
    let mut destroys = Vec::new();
    for Pair { point, floats } in &trials.pairs {
        let Ok(destroyed) = entropy.destroyed(law, id, floats) else { continue };
        tried += 1;
        if destroyed > ROUNDING {
            destroys.push(point);
        }
    }
    let density = &law.state.fields[entropy.component].name;
    let what =
        format!("the entropy with density `{density}` that `{}` gives", law.function(entropy.minimum_principle).name);
    match destroys.first() {
        _ if tried == 0 => {}
        Some(point) if destroys.len() * RARE > tried => {
            let message = format!("`{name}` destroys entropy between {} of {tried} pairs of states", destroys.len());
            let notes = vec![
                format!("for instance at {}", text::point(law, point, text::Show::BothStatesAndNormal)),
                format!("it is {what}: discontinuities may arise that physics does not allow"),
                "where the flow parts at a face, contact, shear and what is carried along need Roe's entropy fix, too, which leaves \
                 contacts exact: a speed of at least λ - λ(l) and λ(r) - λ"
                    .into(),
            ];
            checker.warning(Warning::DestroysEntropy, span, message, notes);
        }
        _ => {
            let but = match destroys.len() {
                0 => String::new(),
                n => format!(", but between {n} of these pairs of states"),
            };
            checker.proved(format!("`{name}` does not destroy {what}{but}"), Method::FloatingPoint(tried));
        }
    }
}

impl Entropy {
    /// What may be an entropy.
    fn all(law: &Law) -> Vec<Self> {
        let Some(minimum_principle) = law.only(&Role::MinimumPrinciple) else { return Vec::new() };
        let quantities = law.size_of(&law.function(minimum_principle).result);
        let components = 0..law.state.fields.len();
        let each = components.flat_map(|component| (0..quantities).map(move |quantity| (component, quantity)));
        each.flat_map(|(component, quantity)| {
            [true, false].map(|logarithm| Self { component, quantity, logarithm, minimum_principle })
        })
        .collect()
    }

    /// Whether it is convex, and conserved by smooth solutions.
    fn is_one(&self, law: &Law, pairs: &[&Inputs<f64>]) -> bool {
        let holds = |pair: &Inputs<f64>| -> Result<bool, Stop> {
            let right = Inputs { left: pair.right.clone(), ..pair.clone() };
            let mean = pair.left.iter().zip(&pair.right).map(|(l, r)| 0.5 * (l + r)).collect();
            let mean = Inputs { left: mean, ..pair.clone() };
            let [l, r, m] = [self.at(law, pair)?, self.at(law, &right)?, self.at(law, &mean)?];
            let scale = l.value.abs().max(r.value.abs()).max(m.value.abs());
            Ok([&l, &r, &m].iter().all(|at| at.defect <= ROUNDING)
                && m.value <= 0.5 * (l.value + r.value) + ROUNDING * scale)
        };
        pairs.len() > STATES / 2 && pairs.iter().all(|pair| holds(pair).unwrap_or(false))
    }

    /// Its values at the left state.
    fn at(&self, law: &Law, inputs: &Inputs<f64>) -> Result<At, Stop> {
        let (Some(flux), m) = (law.only(&Role::Flux), inputs.left.len()) else { return Err(Stop::Undecided) };
        let g = inputs.call(law, self.minimum_principle)?[self.quantity];
        let slopes = &inputs.gradients(law, self.minimum_principle)?[self.quantity];
        if self.logarithm && g <= 0.0 {
            return Err(Stop::NotPositive);
        }
        let (phi, slope) = if self.logarithm { (g.ln(), 1.0 / g) } else { (g, 1.0) };
        // The derivatives of -a φ(g), a being a number with these derivatives.
        let product = |a: f64, gradient: &dyn Fn(usize) -> f64| {
            (0..m).map(|j| -gradient(j) * phi - a * slope * slopes[j]).collect::<Vec<_>>()
        };
        let gradient = product(inputs.left[self.component], &|j| f64::from(u8::from(j == self.component)));
        let (fluxes, changes) = (inputs.call(law, flux)?, inputs.gradients(law, flux)?);
        let (mut normal_flux, mut defect) = (0.0, 0.0_f64);
        for (d, n) in inputs.normal.iter().enumerate() {
            let i = d * m + self.component;
            normal_flux -= n * fluxes[i] * phi;
            let wanted = product(fluxes[i], &|j| changes[i][j]);
            for j in 0..m {
                let terms: Vec<f64> = (0..m).map(|k| gradient[k] * changes[d * m + k][j]).collect();
                let scale = terms.iter().fold(wanted[j].abs(), |scale, term| scale.max(term.abs()));
                if scale > 0.0 {
                    defect = defect.max((terms.iter().sum::<f64>() - wanted[j]).abs() / scale);
                }
            }
        }
        Ok(At { value: -inputs.left[self.component] * phi, gradient, flux: normal_flux, defect })
    }

    /// The entropy that vanishes at the face, `(v(r) - v(l))·f* - (ψ(r) - ψ(l))·n`, relative to its largest term.
    fn destroyed(&self, law: &Law, id: FunctionId, pair: &Inputs<f64>) -> Result<f64, Stop> {
        let back = Inputs { left: pair.right.clone(), ..pair.clone() };
        let (l, r) = (self.at(law, pair)?, self.at(law, &back)?);
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let potential =
            |at: &At, inputs: &Inputs<f64>| Ok::<_, Stop>(dot(&at.gradient, &inputs.normal_flux(law)?) - at.flux);
        let numerical = pair.call(law, id)?;
        let terms =
            [dot(&r.gradient, &numerical), -dot(&l.gradient, &numerical), -potential(&r, &back)?, potential(&l, pair)?];
        let scale = terms.iter().fold(0.0, |scale: f64, term| scale.max(term.abs()));
        Ok(if scale > 0.0 { terms.iter().sum::<f64>() / scale } else { 0.0 })
    }
}

#[cfg(test)]
mod tests;
