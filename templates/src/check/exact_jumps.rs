//! Rule 5, second part: where an exact solution jumps, it conserves: the condition of Rankine & Hugoniot holds.
//!
//! A solution jumps where a condition of it changes. Near such a place, with coordinates ξ along a line that crosses it, η across and
//! the time τ, the jump is at `ξ = α η + w τ` up to squares, and `w [u] = [F_ξ] - α [F_η]` for the differences `[…]` between both sides. The
//! slope α and the speed w follow from where the jump crosses lines beside the first one, and the same line before and after.
//!
//! A jump that conserves may still be an expansion, which spreads instead. As many waves as the law has components run into a contact or a
//! shock from both sides, or along with it, and fewer into an expansion: P. D. Lax, Commun. Pure Appl. Math. 10 (1957) 537–566,
//! <https://doi.org/10.1002/cpa.3160100406>.

use super::symmetry::DISAGREE;
use super::{Checker, Method, SEED, branches::ways};
use crate::derive::{Inputs, Wide, eigenvalues, text};
use crate::ir::{FunctionId, Law, Span};
use crate::medium;

use std::collections::BTreeSet;

/// The number of lines on which jumps are looked for, and how many of these are tried.
const LINES: usize = 96;
const JUMPS: usize = 8;

/// Half the length of these lines, every other time.
const LENGTHS: [f64; 2] = [0.5, 4.0];

/// The least size of a jump relative to the largest state. Tails that a formula cuts off are smaller.
const JUMP: f64 = 1e-3;

/// The distance in space and time of the crossings from which slopes and speeds follow, and how far a jump is sought on their lines.
const STEP: f64 = 1e-4;
const REACH: f64 = 1e-2;

/// Both sides are this far from the jump: the medium may jump beside it by rounding.
const ASIDE: f64 = 1e-9;

/// What is smaller than this part of the largest term is the error of such differences.
const ERROR: f64 = 1e-4;

/// Halvings of the way to a jump.
const HALVINGS: usize = 60;

type Ways = BTreeSet<(Span, bool)>;

/// A line in the plane at a time: positions `origin + ξ along + η across`.
struct Line<'a> {
    law: &'a Law,
    id: FunctionId,
    origin: Inputs<f64>,
    along: [f64; 2],
}

/// Both sides of a jump, which moves with a speed along a normal.
struct Jump {
    sides: [Inputs<f64>; 2],
    normal: [f64; 2],
    speed: f64,
    /// The differences of both sides: of the state, and of the flux along the normal.
    state: Vec<f64>,
    flux: Vec<f64>,
    /// The largest flux of a component on either side, or speed times component.
    scale: f64,
}

/// Checks the jumps of a solution up to a time.
pub fn check(checker: &mut Checker, id: FunctionId, until: f64) {
    let law = checker.law;
    if law.dim != 2 {
        return;
    }
    let mut wide = Wide::new(law, SEED + 16, Vec::new());
    let parameters = wide.default_parameters();
    let none = vec![0.0; law.state.fields.len()];
    let line = |i: usize| {
        let (position, time) = (wide.position(LENGTHS[i % 2]), until * (0.1 + 0.9 * wide.time(1.0)));
        let normal = wide.normal();
        let along = [normal[0], normal[1]];
        let (parameters, left, right) = (parameters.clone(), none.clone(), none.clone());
        Line { law, id, origin: Inputs { parameters, left, right, normal, position, time }, along }
    };
    let lines: Vec<_> = (0..LINES).map(line).collect();
    let largest = lines.iter().filter_map(|line| line.at([0.0; 3])).map(|at| size(&at.left)).fold(0.0, f64::max);
    let jumps = lines.iter().zip(LENGTHS.iter().cycle()).filter_map(|(line, length)| line.jump(2.0 * length, largest));
    let jumps: Vec<_> = jumps.take(JUMPS).collect();
    let name = &law.function(id).name;
    let wrong: Vec<_> = jumps.iter().filter_map(|jump| Some((jump, jump.violation()?))).collect();
    let known = jumps.iter().filter(|_| !checker.eigenvalues_are_wrong);
    let spreading: Vec<_> = known.filter_map(|jump| Some((jump, jump.too_few_waves(law)?))).collect();
    match wrong.first() {
        Some((jump, component)) if wrong.len() >= DISAGREE.min(jumps.len()) => {
            let component_name = &law.state.fields[*component].name;
            let message =
                format!("`{name}` is no solution of the law: where it jumps, it does not conserve `{component_name}`");
            checker.error(law.function(id).span, message, jump.notes(law, *component));
        }
        _ if spreading.len() >= DISAGREE.min(jumps.len()).max(1) => {
            let (jump, waves) = &spreading[0];
            let message = format!("`{name}` keeps an expansion: where it jumps, a wave spreads instead");
            checker.error(law.function(id).span, message, jump.expansion(law, waves));
        }
        _ if !jumps.is_empty() => {
            let statement = format!("`{name}` conserves where it jumps: [F·n] = s [u]");
            checker.proved(statement, Method::FloatingPoint(jumps.len()));
        }
        _ => {}
    }
}

fn size(u: &[f64]) -> f64 {
    u.iter().map(|u| u * u).sum::<f64>().sqrt()
}

impl Line<'_> {
    /// The place ξ, η of the line at a time after the origin's, with the solution there.
    fn at(&self, [xi, eta, tau]: [f64; 3]) -> Option<Inputs<f64>> {
        let [c, s] = self.along;
        let position = &self.origin.position;
        let position = vec![position[0] + xi * c - eta * s, position[1] + xi * s + eta * c];
        let mut place = Inputs { position, time: self.origin.time + tau, ..self.origin.clone() };
        if let Some(given) = medium::of_solutions(self.law) {
            let fields = place.call(self.law, given).ok()?;
            place.parameters[..fields.len()].copy_from_slice(&fields);
        }
        let left = place.call(self.law, self.id).ok()?;
        Some(Inputs { left, ..place })
    }

    fn ways(&self, place: [f64; 3]) -> Option<Ways> {
        Some(ways(self.law, &[self.id], &self.at(place)?))
    }

    /// The places nearest to each other, between two, of which the first has the branches of the first.
    fn halved(&self, [mut from, mut to]: [f64; 2], [eta, tau]: [f64; 2]) -> Option<[f64; 2]> {
        let first = self.ways([from, eta, tau])?;
        if self.ways([to, eta, tau])? == first {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (from + to);
            *(if self.ways([middle, eta, tau])? == first { &mut from } else { &mut to }) = middle;
        }
        Some([from, to])
    }

    /// Where a change of branches crosses the line beside this one or at another time.
    fn crossing(&self, near: f64, offset: [f64; 2], ways: &[Ways; 2]) -> Option<f64> {
        let ends = [near - REACH, near + REACH];
        let is_like_it = |side: usize| Some(self.ways([ends[side], offset[0], offset[1]])? == ways[side]);
        let [from, to] = if is_like_it(0)? && is_like_it(1)? { self.halved(ends, offset)? } else { return None };
        Some(0.5 * (from + to))
    }

    /// A jump of the solution on the line, from the origin to this distance, beside the largest states.
    fn jump(&self, length: f64, largest: f64) -> Option<Jump> {
        let [from, to] = self.halved([0.0, length], [0.0, 0.0])?;
        let (before, after) = (self.at([from - ASIDE, 0.0, 0.0])?, self.at([to + ASIDE, 0.0, 0.0])?);
        let state: Vec<f64> = after.left.iter().zip(&before.left).map(|(a, b)| a - b).collect();
        if size(&state) <= JUMP * largest {
            return None;
        }
        // On both sides of the change the same branches are taken for a while.
        let ways = [self.ways([from - REACH, 0.0, 0.0])?, self.ways([to + REACH, 0.0, 0.0])?];
        let crossing = |offset: [f64; 2]| self.crossing(from, offset, &ways);
        let slope = (crossing([STEP, 0.0])? - crossing([-STEP, 0.0])?) / (2.0 * STEP);
        let speed = (crossing([0.0, STEP])? - crossing([0.0, -STEP])?) / (2.0 * STEP);
        let stretch = slope.hypot(1.0);
        let [c, s] = self.along;
        let normal = [(c + slope * s) / stretch, (s - slope * c) / stretch];
        let side = |at: Inputs<f64>| Inputs { normal: normal.to_vec(), ..at };
        let sides = [side(before), side(after)];
        let speed = speed / stretch;
        let [before, after] = [sides[0].normal_flux(self.law).ok()?, sides[1].normal_flux(self.law).ok()?];
        let carried = sides.iter().flat_map(|side| &side.left).map(|u| speed * u);
        let scale = before.iter().chain(&after).copied().chain(carried).fold(0.0, |scale: f64, f| scale.max(f.abs()));
        let flux = after.iter().zip(&before).map(|(a, b)| a - b).collect();
        Some(Jump { sides, normal, speed, state, flux, scale })
    }
}

impl Jump {
    /// The component that is conserved least, if that is more than an error of differences.
    fn violation(&self) -> Option<usize> {
        let residual = |i: &usize| (self.flux[*i] - self.speed * self.state[*i]).abs();
        let worst = (0..self.state.len()).max_by(|i, j| residual(i).total_cmp(&residual(j)))?;
        (residual(&worst) > ERROR * self.scale).then_some(worst)
    }

    /// The speeds of the waves on both sides, if fewer than the law has components run into the jump or along with it.
    fn too_few_waves(&self, law: &Law) -> Option<[Vec<f64>; 2]> {
        let [before, after] = &self.sides;
        // Where the medium jumps, sources of waves stand there.
        if before.parameters.iter().zip(&after.parameters).any(|(a, b)| (a - b).abs() > ERROR * a.abs()) {
            return None;
        }
        let waves = [eigenvalues(law, before).ok()?, eigenvalues(law, after).ok()?];
        let error = ERROR * waves.iter().flatten().fold(self.speed.abs(), |most, wave| most.max(wave.abs()));
        let from_behind = waves[0].iter().filter(|wave| **wave >= self.speed - error).count();
        let from_ahead = waves[1].iter().filter(|wave| **wave <= self.speed + error).count();
        (from_behind + from_ahead < self.state.len()).then_some(waves)
    }

    /// Where the jump is, and between which states.
    fn place(&self, law: &Law) -> [String; 2] {
        let [before, after] = &self.sides;
        let shown = |side: &Inputs<f64>| {
            text::floats(law, &Inputs { parameters: Vec::new(), ..side.clone() }, text::Show::State)
        };
        [
            format!("at {}", text::floats(law, before, text::Show::PositionAndTime)),
            format!("there it jumps from {} to {}", shown(before), shown(after)),
        ]
    }

    /// What tells an expansion, with the speeds of the waves on both sides.
    fn expansion(&self, law: &Law, waves: &[Vec<f64>; 2]) -> Vec<String> {
        let [before, after] = waves.each_ref().map(|waves| {
            let speeds: Vec<_> = waves.iter().copied().map(text::real).collect();
            speeds.join(", ")
        });
        let [x, y] = self.normal.map(text::real);
        let speed = text::real(self.speed);
        self.place(law)
            .into_iter()
            .chain([
                format!("the jump moves with the speed {speed} along ({x}, {y}), and the waves with {before} behind it and {after} ahead"),
                "as many waves as there are components run into a shock, and fewer into this: between both states the solution is a fan".into(),
            ])
            .collect()
    }

    fn notes(&self, law: &Law, component: usize) -> Vec<String> {
        let name = &law.state.fields[component].name;
        let [x, y] = self.normal.map(text::real);
        let needed = if self.state[component] == 0.0 {
            format!("the flux of `{name}` jumps by {}, though `{name}` does not", text::real(self.flux[component]))
        } else {
            let needed = self.flux[component] / self.state[component];
            format!("the flux of `{name}` jumps by {} times as much as `{name}`", text::real(needed))
        };
        let [place, states] = self.place(law);
        let moves = format!("the jump moves with the speed {} along ({x}, {y}), and {needed}", text::real(self.speed));
        vec![place, states, moves]
    }
}

#[cfg(test)]
mod tests;
