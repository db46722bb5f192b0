//! Rule 11, second part: a law that is the same for a moving observer has numerical fluxes that are.
//!
//! An observer with velocity -V sees the momentum m + V M, where the mass M is a sum of components, and energies E + b (V·m + ½ |V|² M);
//! that is T u with a linear map T. The flux is the same for all observers if `F(T u)·n = T (F(u)·n + (V·n) u)`. The weights of mass and
//! energy are found from the derivative by V, with N = dT/dV: `A N_d u = N_d F(u)·n + n_d u` is a linear system for them. A
//! numerical flux sees its face at rest, so that it is to be the same for those who move along the face: `f*(T l, T r, n) = T f*(l, r, n)`
//! for V·n = 0. That is offered, and checked where the law declares it by `#[symmetry(galilean = …)]`.

use super::symmetry::{FloatFunction, Pair, SMALL, different, names};
use super::{Checker, SEED, integer, prove::Verdict, prove::prove};
use crate::algebra::Rational;
use crate::derive::{Inputs, Number, Setting, Stop, Wide, solution, text};
use crate::ir::{FunctionId, Law, Role, Span, Warning};

/// The number of pairs of states at which a numerical flux is tried, and how many must disagree.
const STATES: usize = 24;
const DISAGREE: usize = 2;

/// Weights are multiples of one part of this.
const PARTS: f64 = 4.0;

/// A weight that differs less from such a multiple is one.
const ROUNDING: f64 = 1e-5;

/// What moves with an observer: momentum, and the weights of all components in mass and in energy.
struct Frame {
    momentum: Pair,
    mass: Vec<f64>,
    energy: Vec<f64>,
}

/// Finds the symmetry for one of these vectors, or for the one that the law declares, and tries numerical fluxes where it does.
pub fn check(checker: &mut Checker, vectors: &[Pair]) {
    let law = checker.law;
    if law.dim != 2 {
        return;
    }
    // That a direction differs is said already.
    if law.rotation.as_ref().is_some_and(|rotation| checker.has_error_at(rotation.span)) {
        return;
    }
    let declared = law.galilean.as_ref().map(|declared| declared.span);
    let candidates = law.galilean.as_ref().map_or(vectors, |declared| &declared.pairs[..]).to_vec();
    let frame = candidates.iter().find_map(|&momentum| frame(checker, momentum));
    let Some(frame) = frame else {
        if let Some(span) = declared {
            refuse(checker, span, &candidates);
        }
        return;
    };
    let residuals = |setting: &mut Setting, inputs: &Inputs<Number>| residuals(setting, inputs, &frame);
    match prove(law, &checker.points, &residuals, &mut Default::default()) {
        Verdict::Holds(method) => {
            let mut statement = format!("the flux is the same for moving observers, {}", frame.described(law));
            if declared.is_none() {
                let (a, b) = frame.momentum;
                let [a, b] = [a, b].map(|i| &law.state.fields[i].name);
                statement += &format!("; `#[symmetry(galilean = ({a}, {b}))]` holds numerical fluxes to that");
            }
            checker.proved(statement, method);
        }
        Verdict::Fails { .. } => return declared.map_or((), |span| refuse(checker, span, &candidates)),
        Verdict::Undecided(_) => {
            if let Some(span) = declared {
                let message = "it could not be decided whether the flux is the same for moving observers";
                checker.warning(Warning::Undecided, span, message.into(), Vec::new());
            }
            return;
        }
    }
    if declared.is_some() {
        for id in law.with_role(|role| matches!(role, Role::NumericalFlux(_))) {
            if !checker.has_error_at(law.function(id).span) {
                along_the_face(checker, id, &frame);
            }
        }
    }
}

fn refuse(checker: &mut Checker, span: Span, candidates: &[Pair]) {
    let message =
        format!("the flux is not the same for moving observers, if {} is the momentum", names(checker.law, candidates));
    let note =
        "no mass, as a sum of components, and energies were found with which it is, at the states that were tried";
    checker.error(span, message, vec![note.into()]);
}

impl Frame {
    /// The state that an observer with the velocity -v sees.
    fn seen(&self, u: &[f64], v: [f64; 2]) -> Vec<f64> {
        let (a, b) = self.momentum;
        let mass: f64 = self.mass.iter().zip(u).map(|(weight, u)| weight * u).sum();
        let work = v[0] * u[a] + v[1] * u[b] + 0.5 * (v[0] * v[0] + v[1] * v[1]) * mass;
        let mut seen: Vec<f64> = u.iter().zip(&self.energy).map(|(u, weight)| u + weight * work).collect();
        seen[a] += v[0] * mass;
        seen[b] += v[1] * mass;
        seen
    }

    fn described(&self, law: &Law) -> String {
        let sum = |weights: &[f64]| {
            let part = |(i, weight): (usize, &f64)| {
                let name = &law.state.fields[i].name;
                match *weight {
                    0.0 => None,
                    1.0 => Some(format!("`{name}`")),
                    weight => Some(format!("{} `{name}`", text::real(weight))),
                }
            };
            weights.iter().enumerate().filter_map(part).collect::<Vec<_>>().join(" + ")
        };
        let energies: Vec<_> = (0..self.energy.len())
            .filter(|&i| self.energy[i] != 0.0)
            .map(|i| format!("`{}`", law.state.fields[i].name))
            .collect();
        let with = if energies.is_empty() { String::new() } else { format!(" and the energy {}", energies.join(", ")) };
        format!("if {} is the momentum of the mass {}{with}", names(law, &[self.momentum]), sum(&self.mass))
    }
}

/// The mass and the energies that go with a momentum, by a linear system in double precision.
fn frame(checker: &Checker, momentum: Pair) -> Option<Frame> {
    let law = checker.law;
    let m = law.state.fields.len();
    let id = law.only(&Role::Flux)?;
    let others: Vec<usize> = (0..m).filter(|i| ![momentum.0, momentum.1].contains(i)).collect();
    let mut rows = Vec::new();
    for point in &checker.points {
        let point = point.map(|value| value.to_f64());
        let (Ok(flux), Ok(gradients)) = (point.call(law, id), point.gradients(law, id)) else { continue };
        let (n, u) = (&point.normal, &point.left);
        let along = |i: usize| n[0] * flux[i] + n[1] * flux[m + i];
        let jacobian = |i: usize, j: usize| n[0] * gradients[i][j] + n[1] * gradients[m + i][j];
        for (d, p) in [momentum.0, momentum.1].into_iter().enumerate() {
            for i in 0..m {
                let of_mass = |&k: &usize| jacobian(i, p) * u[k] - if i == p { along(k) } else { 0.0 };
                let of_energy = |&e: &usize| jacobian(i, e) * u[p] - if i == e { along(p) } else { 0.0 };
                let mut row: Vec<f64> = others.iter().map(of_mass).chain(others.iter().map(of_energy)).collect();
                row.push(n[d] * u[i]);
                let size = row.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
                if size > 0.0 {
                    rows.push(row.iter().map(|x| x / size).collect());
                }
            }
        }
    }
    let solution = solution(rows, 2 * others.len(), SMALL)?;
    let parts: Vec<f64> = solution.iter().map(|weight| (weight * PARTS).round() / PARTS).collect();
    if solution.iter().zip(&parts).any(|(weight, part)| (weight - part).abs() > ROUNDING) {
        return None;
    }
    let (mut mass, mut energy) = (vec![0.0; m], vec![0.0; m]);
    for (k, &i) in others.iter().enumerate() {
        (mass[i], energy[i]) = (parts[k], parts[others.len() + k]);
    }
    // All observers see the same mass.
    let kept = mass.iter().zip(&energy).map(|(a, b)| a * b).sum::<f64>() == 0.0;
    (kept && mass.iter().any(|weight| *weight != 0.0)).then_some(Frame { momentum, mass, energy })
}

/// The terms of `A N_d u - N_d F(u)·n - n_d u` for each direction d.
fn residuals(setting: &mut Setting, inputs: &Inputs<Number>, frame: &Frame) -> Result<Vec<Vec<Number>>, Stop> {
    let jacobian = setting.normal_jacobian(inputs)?;
    let flux = setting.normal_flux(inputs)?;
    let tower = &setting.tower;
    let u = &inputs.left;
    let weight = |weight: f64| Number::Rational(Rational::from(((weight * PARTS) as i64, PARTS as i64)));
    let mut residuals = Vec::new();
    for (d, p) in [frame.momentum.0, frame.momentum.1].into_iter().enumerate() {
        // N_d v.
        let moved = |v: &[Number]| {
            let mut moved = Vec::with_capacity(v.len());
            for (i, energy) in frame.energy.iter().enumerate() {
                let mut value = if *energy == 0.0 { integer(0) } else { tower.mul(&weight(*energy), &v[p])? };
                if i == p {
                    for (k, mass) in frame.mass.iter().enumerate().filter(|(_, mass)| **mass != 0.0) {
                        value = tower.add(&value, &tower.mul(&weight(*mass), &v[k])?)?;
                    }
                }
                moved.push(value);
            }
            Ok::<_, Stop>(moved)
        };
        let (state, fluxes) = (moved(u)?, moved(&flux)?);
        for (i, row) in jacobian.iter().enumerate() {
            let mut terms = vec![tower.neg(&fluxes[i]), tower.neg(&tower.mul(&inputs.normal[d], &u[i])?)];
            for (entry, v) in row.iter().zip(&state).filter(|(_, v)| !v.is_zero()) {
                terms.push(tower.mul(entry, v)?);
            }
            residuals.push(terms);
        }
    }
    Ok(residuals)
}

/// Tries a numerical flux for observers who move along the face.
fn along_the_face(checker: &mut Checker, id: FunctionId, frame: &Frame) {
    let law = checker.law;
    let starts = checker.points.iter().map(|point| point.left.iter().map(|u| u.to_f64()).collect()).collect();
    let mut wide = Wide::new(law, SEED + 13, starts);
    let parameters = wide.default_parameters();
    let flux: &FloatFunction = &|point| point.call(law, id);
    let mut found = Vec::new();
    for _ in 0..STATES {
        let (Some(point), Some(other)) = (wide.admissible(&parameters), wide.admissible(&parameters)) else { continue };
        let point = Inputs { right: other.left, ..point };
        let speed = wide.time(4.0) - 2.0;
        let v = [-speed * point.normal[1], speed * point.normal[0]];
        let there = Inputs { left: frame.seen(&point.left, v), right: frame.seen(&point.right, v), ..point.clone() };
        let (Ok(here), Ok(value)) = (flux(&point), flux(&there)) else { continue };
        let expected = frame.seen(&here, v);
        if let Some(component) = different(&value, &expected) {
            found.push((point, v, component, value[component], expected[component]));
        }
    }
    let (Some((point, v, component, value, expected)), true) = (found.first(), found.len() >= DISAGREE) else { return };
    let (name, field) = (&law.function(id).name, &law.state.fields[*component].name);
    let [x, y] = v.map(text::real);
    let notes = vec![
        format!("at {}", text::floats(law, point, text::Show::BothStatesAndNormal)),
        format!(
            "if ({x}, {y}), which is along the face, is added to both velocities, its `{field}` is {}, not {}",
            text::real(*value),
            text::real(*expected)
        ),
    ];
    let message = format!("`{name}` is not the same for observers who move along the face, as the flux is");
    checker.error(law.function(id).span, message, notes);
}

#[cfg(test)]
mod tests;
