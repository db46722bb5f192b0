//! Rule 11, third part: numerical fluxes and walls of a flux that is the same where some components and axes change sign.
//!
//! A velocity changes sign with its axis, a magnetic field or a tracer may do so alone. With signs σ of the components and τ of the axes
//! a flux is the same if `F_d(σ u) = τ_d σ F_d(u)` along each axis d, and states σ u are admissible where u are. Such signs are found by
//! trying all, and those are kept of which the others are products. Then a numerical flux is to satisfy
//! `f*(σ l, σ r, τ n) = σ f*(l, r, n)`, and an impermeable wall, without places or times, `g(σ u, τ n) = σ g(u, n)`. This is the mirror of laws
//! along a line, whose waves to both sides are alike though they have no [rotation](super::symmetry).

use super::symmetry::{self, DISAGREE, different, is_for_all_directions, states};
use super::{Checker, Method};
use crate::derive::{Inputs, text};
use crate::ir::{AXES, FunctionId, Law, Role, Warning};

/// The most components of which all signs are tried.
const COMPONENTS: usize = 10;

/// The number of states that decide whether a flux is the same.
const STATES: usize = 8;

/// Which components and which axes change sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Signs {
    components: Vec<bool>,
    axes: Vec<bool>,
}

/// The signs that may change, and states at which functions are tried.
#[derive(Default)]
pub struct Mirrors {
    signs: Vec<Signs>,
    states: Vec<Inputs<f64>>,
}

/// Finds the signs that may change.
pub fn find(checker: &mut Checker) -> Mirrors {
    let law = checker.law;
    if law.state.fields.len() > COMPONENTS {
        return Mirrors::default();
    }
    let states: Vec<_> = states(checker).into_iter().map(|(point, _)| point).collect();
    let signs = signs(law, &states);
    if !signs.is_empty() {
        let described: Vec<_> = signs.iter().map(|signs| signs.described(law)).collect();
        let statement = format!("the flux is the same if {}", described.join(", or if "));
        checker.proved(statement, Method::FloatingPoint(STATES));
    }
    Mirrors { signs, states }
}

/// Tries whether functions of a role are the same with these signs.
pub fn hold(checker: &mut Checker, mirrors: &Mirrors, wanted: fn(&Role) -> bool) {
    let law = checker.law;
    for id in law.with_role(wanted).filter(|&id| is_for_all_directions(law, id)) {
        if !symmetry::is_refuted(checker, id) {
            let tried = |signs: &Signs| disagreement(law, id, signs, &mirrors.states);
            if let Some((signs, found)) = mirrors.signs.iter().find_map(|signs| Some((signs, tried(signs)?))) {
                explain(checker, id, signs, &found);
            }
        }
    }
}

impl Signs {
    fn of(&self, u: &[f64]) -> Vec<f64> {
        u.iter().zip(&self.components).map(|(u, changes)| if *changes { -u } else { *u }).collect()
    }

    fn point(&self, point: &Inputs<f64>) -> Inputs<f64> {
        let normal = point.normal.iter().zip(&self.axes).map(|(n, changes)| if *changes { -n } else { *n }).collect();
        Inputs { left: self.of(&point.left), right: self.of(&point.right), normal, ..point.clone() }
    }

    /// For instance "`q` and x change sign".
    fn described(&self, law: &Law) -> String {
        let fields = law.state.fields.iter().map(|field| format!("`{}`", field.name)).zip(&self.components);
        let axes = AXES.iter().map(|axis| (*axis).to_owned()).zip(&self.axes);
        let names: Vec<_> = fields.chain(axes).filter(|(_, changes)| **changes).map(|(name, _)| name).collect();
        match &names[..] {
            [one] => format!("{one} changes sign"),
            [first @ .., last] => format!("{} and {last} change sign", first.join(", ")),
            [] => "nothing changes".into(),
        }
    }

    /// One bit for each sign.
    fn bits(&self) -> u32 {
        let all = self.components.iter().chain(&self.axes);
        all.enumerate().map(|(i, changes)| u32::from(*changes) << i).sum()
    }
}

/// The signs with which the flux is the same at all of these states, without products of others.
fn signs(law: &Law, states: &[Inputs<f64>]) -> Vec<Signs> {
    let m = law.state.fields.len();
    let mut all: Vec<_> = (0..1_u32 << m).flat_map(|bits| of_components(law, states, bits)).collect();
    // The fewest changes of sign are the plainest.
    all.sort_by_key(|signs| (signs.bits().count_ones(), signs.bits()));
    // By elimination: each of these has a highest bit of its own.
    let (mut kept, mut reduced) = (Vec::new(), Vec::<u32>::new());
    for signs in all {
        let rest = reduced.iter().fold(signs.bits(), |rest, other| rest.min(rest ^ other));
        if rest != 0 {
            reduced.push(rest);
            reduced.sort_unstable_by(|a, b| b.cmp(a));
            kept.push(signs);
        }
    }
    kept
}

/// The signs of axes that go with those of components.
fn of_components(law: &Law, states: &[Inputs<f64>], bits: u32) -> Vec<Signs> {
    let m = law.state.fields.len();
    let components: Vec<_> = (0..m).map(|i| bits >> i & 1 == 1).collect();
    let signs = Signs { components, axes: vec![false; law.dim] };
    // Whether the flux along an axis may keep its sign, and change it.
    let mut may = vec![[true; 2]; law.dim];
    let Some(flux) = law.only(&Role::Flux) else { return Vec::new() };
    let mut tried = 0;
    for point in states {
        let there = signs.point(point);
        if !there.is_admissible(law) {
            return Vec::new();
        }
        let (Ok(here), Ok(there)) = (point.call(law, flux), there.call(law, flux)) else { continue };
        tried += 1;
        for (d, may) in may.iter_mut().enumerate() {
            let (here, there) = (signs.of(&here[d * m..][..m]), &there[d * m..][..m]);
            let opposite: Vec<_> = here.iter().map(|f| -f).collect();
            may[0] &= different(there, &here).is_none();
            may[1] &= different(there, &opposite).is_none();
        }
        if may.contains(&[false; 2]) {
            return Vec::new();
        }
        if tried == STATES {
            break;
        }
    }
    if tried < STATES {
        return Vec::new();
    }
    let mut found = vec![signs];
    for (d, [keeps, changes]) in may.into_iter().enumerate() {
        let changed = |signs: &Signs| {
            let mut axes = signs.axes.clone();
            axes[d] = true;
            Signs { axes, ..signs.clone() }
        };
        let more: Vec<_> = found.iter().filter(|_| changes).map(changed).collect();
        found.retain(|_| keeps);
        found.extend(more);
    }
    found
}

/// Where a function is not the same with other signs.
struct Disagreement {
    point: Inputs<f64>,
    component: usize,
    /// Its value with the other signs, and what it should be.
    values: [f64; 2],
}

fn disagreement(law: &Law, id: FunctionId, signs: &Signs, states: &[Inputs<f64>]) -> Option<Disagreement> {
    let differs = |point: &Inputs<f64>| {
        let (Ok(here), Ok(there)) = (point.call(law, id), signs.point(point).call(law, id)) else { return None };
        let expected = signs.of(&here);
        let component = different(&there, &expected)?;
        Some(Disagreement { point: point.clone(), component, values: [there[component], expected[component]] })
    };
    let mut all = states.iter().filter_map(differs);
    let first = all.next()?;
    (all.count() + 1 >= DISAGREE).then_some(first)
}

fn explain(checker: &mut Checker, id: FunctionId, signs: &Signs, found: &Disagreement) {
    let law = checker.law;
    let function = law.function(id);
    let changes = signs.described(law);
    let message = format!("`{}` is not the same if {changes}, as the flux is", function.name);
    let show = match function.role {
        Role::NumericalFlux(_) => text::Show::BothStatesAndNormal,
        _ => text::Show::StateAndNormal,
    };
    let component = &law.state.fields[found.component].name;
    let [value, expected] = found.values;
    let numbers = text::apart(&[value], &[expected]);
    let notes = vec![
        format!("at {}", text::floats(law, &found.point, show)),
        format!("if {changes} there, its `{component}` becomes {}, not {}", numbers(value), numbers(expected)),
        "a term for one of the two directions, or one of the two states, is not like that for the other".into(),
    ];
    checker.warning(Warning::BrokenSymmetry, function.span, message, notes);
}

#[cfg(test)]
mod tests;
