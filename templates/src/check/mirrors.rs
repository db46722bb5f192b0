//! Rule 11, third part: numerical fluxes and walls of a flux that is the same where some components and axes change sign, or where
//! components are exchanged.
//!
//! A velocity changes sign with its axis, a magnetic field or a tracer may do so alone, and the densities of particles that move to
//! the left and to the right are exchanged. With signs τ of the axes and a map σ of the components, which changes signs and exchanges
//! pairs, a flux is the same if `F_d(σ u) = τ_d σ F_d(u)` along each axis d, and states σ u are admissible where u are. Such maps are found
//! by trying all, and those are kept of which the others are products. A non-conservative product is to be the same, too. Then a numerical
//! flux is to satisfy `f*(σ l, σ r, τ n) = σ f*(l, r, n)`, and an impermeable wall, without places or times,
//! `g(σ u, τ n) = σ g(u, n)`, also one that takes no normal, which is a wall in all directions. A parameter of walls alone, such as their
//! velocity, may change sign, too. This is
//! the mirror of laws along a line, whose waves to both sides are alike though they have no [rotation](super::symmetry).

use super::symmetry::{self, DISAGREE, different, is_for_all_directions, states, turn_parameter, unless_turned};
use super::{Checker, Method};
use crate::derive::{Inputs, text};
use crate::ir::{AXES, FunctionId, Law, Role, Warning};

/// The most components of which all signs are tried.
const COMPONENTS: usize = 10;

/// The most components of which all exchanges are tried.
const EXCHANGED: usize = 6;

/// The number of states that decide whether a flux is the same.
const STATES: usize = 8;

/// Which components are exchanged, and which components and axes change sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mirror {
    /// For each component the one that takes its place, itself where it is not exchanged.
    from: Vec<usize>,
    components: Vec<bool>,
    axes: Vec<bool>,
}

/// The mirrors of a flux, and states at which functions are tried.
#[derive(Default)]
pub struct Mirrors {
    mirrors: Vec<Mirror>,
    states: Vec<Inputs<f64>>,
}

/// Finds the mirrors of the flux.
pub fn find(checker: &mut Checker) -> Mirrors {
    let law = checker.law;
    if law.state.fields.len() > COMPONENTS {
        return Mirrors::default();
    }
    let states: Vec<_> = states(checker).into_iter().map(|(point, _)| point).collect();
    let mirrors = mirrors(law, &states);
    if !mirrors.is_empty() {
        let described: Vec<_> = mirrors.iter().map(|mirror| mirror.described(law)).collect();
        let statement = format!("the flux is the same if {}", described.join(", or if "));
        checker.proved(statement, Method::FloatingPoint(STATES));
    }
    Mirrors { mirrors, states }
}

/// Tries whether functions of a role are the same in these mirrors.
pub fn hold(checker: &mut Checker, mirrors: &Mirrors, wanted: fn(&Role) -> bool) {
    let law = checker.law;
    for id in law.with_role(wanted).filter(|&id| is_for_all_directions(law, id)) {
        if !symmetry::is_refuted(checker, id) {
            let states = &mirrors.states;
            let tried = |mirror: &Mirror| {
                unless_turned(law, id, states, |turned| disagreement(law, id, mirror, states, turned))
            };
            if let Some((mirror, found)) = mirrors.mirrors.iter().find_map(|mirror| Some((mirror, tried(mirror)?))) {
                explain(checker, id, mirror, &found);
            }
        }
    }
}

impl Mirror {
    fn of(&self, u: &[f64]) -> Vec<f64> {
        self.from.iter().zip(&self.components).map(|(&i, changes)| if *changes { -u[i] } else { u[i] }).collect()
    }

    fn point(&self, point: &Inputs<f64>) -> Inputs<f64> {
        let normal = point.normal.iter().zip(&self.axes).map(|(n, changes)| if *changes { -n } else { *n }).collect();
        Inputs { left: self.of(&point.left), right: self.of(&point.right), normal, ..point.clone() }
    }

    /// For instance "`q` and x change sign", or "`left` and `right` are exchanged and x changes sign".
    fn described(&self, law: &Law) -> String {
        let name = |i: usize| format!("`{}`", law.state.fields[i].name);
        let pairs = self.from.iter().enumerate().filter(|(i, from)| i < *from);
        let pairs: Vec<_> = pairs.map(|(i, &from)| format!("{} and {}", name(i), name(from))).collect();
        let components = (0..self.components.len()).map(name).zip(&self.components);
        let axes = AXES.iter().map(|axis| (*axis).to_owned()).zip(&self.axes);
        let signs: Vec<_> = components.chain(axes).filter(|(_, changes)| **changes).map(|(name, _)| name).collect();
        let exchanged = (!pairs.is_empty()).then(|| format!("{} are exchanged", pairs.join(", ")));
        let changed = match &signs[..] {
            [one] => Some(format!("{one} changes sign")),
            [first @ .., last] => Some(format!("{} and {last} change sign", first.join(", "))),
            [] => None,
        };
        exchanged.into_iter().chain(changed).collect::<Vec<_>>().join(" and ")
    }

    /// One bit for each sign.
    fn bits(&self) -> u32 {
        let all = self.components.iter().chain(&self.axes);
        all.enumerate().map(|(i, changes)| u32::from(*changes) << i).sum()
    }

    /// The plainest change the fewest signs.
    fn rank(&self) -> (u32, u32) {
        (self.bits().count_ones(), self.bits())
    }
}

/// The mirrors in which the flux is the same at all of these states, without products of others.
fn mirrors(law: &Law, states: &[Inputs<f64>]) -> Vec<Mirror> {
    let m = law.state.fields.len();
    let in_order: Vec<usize> = (0..m).collect();
    let mut of_signs: Vec<_> = (0..1_u32 << m).flat_map(|bits| with_signs(law, states, &in_order, bits)).collect();
    of_signs.sort_by_key(Mirror::rank);
    // By elimination: each of these has a highest bit of its own.
    let (mut kept, mut reduced) = (Vec::new(), Vec::<u32>::new());
    for mirror in of_signs {
        let rest = reduced.iter().fold(mirror.bits(), |rest, other| rest.min(rest ^ other));
        if rest != 0 {
            reduced.push(rest);
            reduced.sort_unstable_by(|a, b| b.cmp(a));
            kept.push(mirror);
        }
    }
    let mut exchanges: Vec<Mirror> = Vec::new();
    for from in if m <= EXCHANGED { self::exchanges(m) } else { Vec::new() } {
        let is_product = |a: &Mirror, b: &Mirror| (0..m).all(|i| from[i] == b.from[a.from[i]]);
        if !exchanges.iter().any(|a| exchanges.iter().any(|b| is_product(a, b))) {
            // Exchanged components change their signs together, so that exchanging them again changes nothing.
            let together = |bits: &u32| (0..m).all(|i| bits >> i & 1 == bits >> from[i] & 1);
            let found = (0..1_u32 << m).filter(together).flat_map(|bits| with_signs(law, states, &from, bits));
            exchanges.extend(found.min_by_key(Mirror::rank));
        }
    }
    kept.extend(exchanges);
    kept
}

/// All ways to exchange pairs of `m` things, at least one: those with the fewest pairs first.
fn exchanges(m: usize) -> Vec<Vec<usize>> {
    let mut ways: Vec<Vec<usize>> = vec![(0..m).collect()];
    for i in 0..m {
        for j in i + 1..m {
            let exchanged = |way: &Vec<usize>| {
                let mut way = way.clone();
                way.swap(i, j);
                way
            };
            let more: Vec<_> = ways.iter().filter(|way| way[i] == i && way[j] == j).map(exchanged).collect();
            ways.extend(more);
        }
    }
    ways.remove(0);
    ways.sort_by_key(|way| way.iter().enumerate().filter(|(i, from)| i != *from).count());
    ways
}

/// The mirrors that exchange components and change these signs, each with signs of axes that go with them.
fn with_signs(law: &Law, states: &[Inputs<f64>], from: &[usize], bits: u32) -> Vec<Mirror> {
    let m = law.state.fields.len();
    let components: Vec<_> = (0..m).map(|i| bits >> i & 1 == 1).collect();
    let mirror = Mirror { from: from.to_vec(), components, axes: vec![false; law.dim] };
    // Whether the flux along an axis may keep its sign, and change it.
    let mut may = vec![[true; 2]; law.dim];
    let Some(flux) = law.only(&Role::Flux) else { return Vec::new() };
    let mut tried = 0;
    for point in states {
        let there = mirror.point(point);
        if !there.is_admissible(law) {
            return Vec::new();
        }
        let (Ok(here), Ok(there)) = (point.call(law, flux), there.call(law, flux)) else { continue };
        tried += 1;
        for (d, may) in may.iter_mut().enumerate() {
            let (here, there) = (mirror.of(&here[d * m..][..m]), &there[d * m..][..m]);
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
    let mut found = vec![mirror];
    for (d, [keeps, changes]) in may.into_iter().enumerate() {
        let changed = |mirror: &Mirror| {
            let mut axes = mirror.axes.clone();
            axes[d] = true;
            Mirror { axes, ..mirror.clone() }
        };
        let more: Vec<_> = found.iter().filter(|_| changes).map(changed).collect();
        found.retain(|_| keeps);
        found.extend(more);
    }
    // What the product has not the law has not.
    let product = law.only(&Role::Nonconservative);
    found.retain(|mirror| product.is_none_or(|product| disagreement(law, product, mirror, states, None).is_none()));
    found
}

/// Where a function is not the same in a mirror.
struct Disagreement {
    point: Inputs<f64>,
    component: usize,
    /// Its value in the mirror, and what it should be.
    values: [f64; 2],
}

fn disagreement(
    law: &Law,
    id: FunctionId,
    mirror: &Mirror,
    states: &[Inputs<f64>],
    turned: Option<usize>,
) -> Option<Disagreement> {
    let differs = |point: &Inputs<f64>| {
        let mut there = mirror.point(point);
        turn_parameter(&mut there, turned);
        let (Ok(here), Ok(there)) = (point.call(law, id), there.call(law, id)) else { return None };
        let expected = mirror.of(&here);
        let component = different(&there, &expected)?;
        Some(Disagreement { point: point.clone(), component, values: [there[component], expected[component]] })
    };
    let mut all = states.iter().filter_map(differs);
    let first = all.next()?;
    (all.count() + 1 >= DISAGREE).then_some(first)
}

fn explain(checker: &mut Checker, id: FunctionId, mirror: &Mirror, found: &Disagreement) {
    let law = checker.law;
    let function = law.function(id);
    let changes = mirror.described(law);
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
