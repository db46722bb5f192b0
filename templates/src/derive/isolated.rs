//! States that one wave joins by itself, found in double precision.
//!
//! The eigenvectors r of the wave of speed λ are found by the projector `P = Π_{μ ≠ λ} (A - μ I) / (λ - μ)`.
//!
//! * Across a contact λ does not change, and states on both sides lie on one curve, `du/dτ = P(u) d`, with any direction d.
//! * Across a shock of speed s, `F(r)·n - F(l)·n + P = s (r - l)` (Rankine & Hugoniot) with the non-conservative product P at the jump, and its wave is faster than s on the left and slower on
//!   the right (P. D. Lax, Comm. Pure Appl. Math. 10 (1957) 537–566, <https://doi.org/10.1002/cpa.3160100406>); Newton's method finds r.
//! * Through a rarefaction the state runs along the curve `du/dτ = r(u)`, on which λ rises from left to right.
//!
//! Shocks that stand and rarefactions that spread to both sides surround a sonic state, where λ = 0.

use super::eigenvalues::eigenvalues;
use super::elimination::solution;
use super::number::Stop;
use super::setting::{Inputs, QUADRATURE};
use crate::ir::{FunctionId, Law, Role};

/// Steps of a curve (Runge & Kutta's method of fourth order).
const STEPS: usize = 32;

/// The steps in which a shock grows to its size.
const GROWTH: usize = 8;

/// The most steps of Newton's method.
const NEWTON: usize = 8;

/// The size of a jump, relative to the state.
const JUMP: f64 = 0.4;

/// States that a wave joins miss the conditions across it by less than this part.
const ACCURACY: f64 = 1e-8;

/// An eigenvector shorter than this part of the vector that was projected onto it is rounding, and so is such a change of speed.
const SMALL: f64 = 1e-6;

/// The step of differences of speeds, relative to the state.
const DIFFERENCE: f64 = 1e-4;

/// The size of half a wave that is weak, relative to the state.
const WEAK: f64 = 1e-4;

/// The sizes of shocks that drift relative to those at rest from the same left state, and of the weaker ones beside them.
const DRIFTS: [f64; 2] = [0.8, 1.2];
pub(crate) const WEAKER: f64 = 0.25;

/// Halvings of the way to a sonic state.
const HALVINGS: usize = 60;

/// Two states that one wave joins.
pub(crate) struct Joined {
    /// The states.
    pub pair: Inputs<f64>,
    /// The speeds of the wave's left and right end: of a jump, the same.
    pub speeds: [f64; 2],
    /// The state at the face in the exact solution.
    pub at_face: Vec<f64>,
}

/// The waves from a state.
pub(crate) struct Waves<'a> {
    law: &'a Law,
    start: Inputs<f64>,
}

type Vector = Vec<f64>;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn size(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// `a + factor b`.
fn moved(a: &[f64], factor: f64, b: &[f64]) -> Vector {
    a.iter().zip(b).map(|(a, b)| a + factor * b).collect()
}

impl<'a> Waves<'a> {
    /// The waves from the left state of a point, and to the side of the right one.
    pub fn new(law: &'a Law, start: &Inputs<f64>) -> Self {
        Self { law, start: start.clone() }
    }

    /// Pairs that a contact joins, in both orders.
    pub fn contacts(&self) -> Vec<Joined> {
        let both = |other: Vector, speed: f64| {
            [(&self.start.left, &other), (&other, &self.start.left)].map(|(l, r)| self.jump(l, r, speed))
        };
        self.of_each(|k| self.contact(k)).into_iter().flat_map(|(other, speed)| both(other, speed)).collect()
    }

    /// Pairs that a shock joins.
    pub fn shocks(&self) -> Vec<Joined> {
        self.of_each(|k| self.shock(k))
    }

    /// Pairs that a weak wave of any kind joins, which is a jump but for the square of its size, around the left state of the point. Of
    /// waves that are equally fast there is none.
    pub fn weak(&self) -> Vec<Joined> {
        let start = &self.start.left;
        self.of_each(|k| {
            if self.speeds(start)?.len() < start.len() {
                return Ok(None);
            }
            let Some(along) = self.direction(start, k, &self.towards())? else { return Ok(None) };
            let half = WEAK * size(start);
            let [left, right] = [-half, half].map(|half| moved(start, half, &along));
            let is_admissible = self.is_admissible(&left) && self.is_admissible(&right);
            Ok(if is_admissible { Some(self.jump(&left, &right, self.speed(start, k)?)) } else { None })
        })
    }

    /// Pairs that a shock at rest joins, around sonic states between both states of the point.
    pub fn standing_shocks(&self) -> Vec<Joined> {
        self.of_each(|k| {
            self.sonic(k)?.map_or(Ok(None), |(sonic, along)| self.standing_shock(k, &sonic, &along, self.half()))
        })
    }

    /// Pairs that a slow shock joins, around sonic states between both states of the point, each with those of a weaker one around the same
    /// state: there it shows whether the signals of a flux on the shock's side are a little too slow.
    pub fn drifting_shocks(&self) -> Vec<[Joined; 2]> {
        let both = self.of_each(|k| {
            let Some((sonic, along)) = self.sonic(k)? else { return Ok(None) };
            let standing = |share: f64| self.standing_shock(k, &sonic, &along, share * self.half());
            let (Some(strong), Some(weak)) = (standing(1.0)?, standing(WEAKER)?) else { return Ok(None) };
            let drifting = |drift: f64| Some([strong.weaker(self.law, drift)?, weak.weaker(self.law, drift)?]);
            Ok(Some(DRIFTS.into_iter().filter_map(drifting).collect::<Vec<_>>()))
        });
        both.into_iter().flatten().collect()
    }

    /// Pairs that a rarefaction joins that moves to one side.
    pub fn rarefactions(&self) -> Vec<Joined> {
        self.of_each(|k| self.rarefaction(k))
    }

    /// Pairs that a rarefaction joins around sonic states between both states of the point.
    pub fn transonic_rarefactions(&self) -> Vec<Joined> {
        self.of_each(|k| {
            self.sonic(k)?.map_or(Ok(None), |(sonic, along)| self.transonic_rarefaction(k, &sonic, &along))
        })
    }

    fn of_each<T>(&self, find: impl Fn(usize) -> Result<Option<T>, Stop>) -> Vec<T> {
        let count = self.speeds(&self.start.left).map_or(0, |speeds| speeds.len());
        (0..count).filter_map(|k| find(k).ok().flatten()).collect()
    }

    fn at(&self, state: &[f64]) -> Inputs<f64> {
        Inputs { left: state.to_vec(), ..self.start.clone() }
    }

    fn is_admissible(&self, state: &[f64]) -> bool {
        self.at(state).is_admissible(self.law)
    }

    fn flux(&self, state: &[f64]) -> Result<Vector, Stop> {
        self.at(state).normal_flux(self.law)
    }

    /// `F(r)·n - F(l)·n`, and the product at the jump.
    fn across(&self, left: &[f64], right: &[f64]) -> Result<Vector, Stop> {
        let change = moved(&self.flux(right)?, -1.0, &self.flux(left)?);
        let product = Inputs { right: right.to_vec(), ..self.at(left) }.product_at_jump(self.law)?;
        Ok(moved(&change, 1.0, &product))
    }

    /// The derivatives of that by the right state.
    fn across_by_right(&self, left: &[f64], right: &[f64]) -> Result<Vec<Vector>, Stop> {
        if self.law.only(&Role::Nonconservative).is_none() {
            return self.at(right).normal_jacobian(self.law);
        }
        let step = DIFFERENCE * DIFFERENCE.sqrt() * size(right);
        let at = |j: usize, step: f64| {
            let mut there = right.to_vec();
            there[j] += step;
            self.across(left, &there)
        };
        let column = |j: usize| {
            let change = moved(&at(j, step)?, -1.0, &at(j, -step)?);
            Ok(change.iter().map(|change| change / (2.0 * step)).collect::<Vector>())
        };
        let columns = (0..right.len()).map(column).collect::<Result<Vec<_>, Stop>>()?;
        Ok((0..right.len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect())
    }

    /// The distinct eigenvalues, from the least.
    fn speeds(&self, state: &[f64]) -> Result<Vector, Stop> {
        let mut speeds = eigenvalues(self.law, &self.at(state))?;
        speeds.sort_by(f64::total_cmp);
        let scale = speeds.iter().fold(0.0, |scale: f64, speed| scale.max(speed.abs()));
        speeds.dedup_by(|a, b| (*a - *b).abs() <= 1e-9 * scale);
        Ok(speeds)
    }

    fn speed(&self, state: &[f64], k: usize) -> Result<f64, Stop> {
        self.speeds(state)?.get(k).copied().ok_or(Stop::Undecided)
    }

    /// The part of a vector along the eigenvectors of the wave k.
    fn projected(&self, state: &[f64], k: usize, v: &[f64]) -> Result<Vector, Stop> {
        let (speeds, a) = (self.speeds(state)?, self.at(state).normal_jacobian(self.law)?);
        let speed = *speeds.get(k).ok_or(Stop::Undecided)?;
        let mut part = v.to_vec();
        for other in speeds.iter().filter(|other| **other != speed) {
            part = (0..a.len()).map(|i| (dot(&a[i], &part) - other * part[i]) / (speed - other)).collect();
        }
        Ok(part)
    }

    /// The eigenvector of the wave k of size 1 that a vector has; `None` if it has none.
    fn direction(&self, state: &[f64], k: usize, v: &[f64]) -> Result<Option<Vector>, Stop> {
        let along = self.projected(state, k, v)?;
        let length = size(&along);
        Ok((length >= SMALL * size(v) && length > 0.0).then(|| along.iter().map(|a| a / length).collect()))
    }

    /// How the speed of the wave k changes along a direction, relative to the largest change of any.
    fn change(&self, state: &[f64], k: usize, along: &[f64]) -> Result<f64, Stop> {
        let gradient = match self.law.only(&Role::Eigenvalues) {
            Some(declared) => self.gradient(state, k, declared)?,
            None => self.differences(state, k)?,
        };
        let scale = size(&gradient) * size(along);
        Ok(if scale > 0.0 { dot(&gradient, along) / scale } else { 0.0 })
    }

    /// The derivatives of the speed of the wave k, of declared eigenvalues.
    fn gradient(&self, state: &[f64], k: usize, declared: FunctionId) -> Result<Vector, Stop> {
        let at = self.at(state);
        let (values, mut gradients) = (at.call(self.law, declared)?, at.gradients(self.law, declared)?);
        let speed = self.speed(state, k)?;
        let nearest =
            (0..values.len()).min_by(|&a, &b| (values[a] - speed).abs().total_cmp(&(values[b] - speed).abs()));
        let mut gradient = gradients.swap_remove(nearest.ok_or(Stop::Undecided)?);
        gradient.truncate(state.len());
        Ok(gradient)
    }

    /// The same by differences.
    fn differences(&self, state: &[f64], k: usize) -> Result<Vector, Stop> {
        let step = DIFFERENCE * size(state);
        let at = |j: usize, step: f64| {
            let mut there = state.to_vec();
            there[j] += step;
            self.speed(&there, k)
        };
        (0..state.len()).map(|j| Ok((at(j, step)? - at(j, -step)?) / (2.0 * step))).collect()
    }

    /// A change of speed below this is rounding: of differences, much more is.
    fn flat(&self) -> f64 {
        if self.law.only(&Role::Eigenvalues).is_some() { SMALL } else { 1e3 * SMALL }
    }

    /// From the left state of the point to the right one.
    fn towards(&self) -> Vector {
        moved(&self.start.right, -1.0, &self.start.left)
    }

    /// The size of half a wave around a state between both of the point.
    fn half(&self) -> f64 {
        0.25 * JUMP * (size(&self.start.left) + size(&self.start.right))
    }

    fn jump(&self, left: &[f64], right: &[f64], speed: f64) -> Joined {
        let pair = Inputs { right: right.to_vec(), ..self.at(left) };
        Joined { pair, speeds: [speed; 2], at_face: if speed > 0.0 { left } else { right }.to_vec() }
    }

    /// The states of the curve `du/dτ = rate(u)`, with so many steps of a size; `None` where it leaves the admissible states.
    fn curve(
        &self,
        from: &[f64],
        step: f64,
        rate: impl Fn(&[f64]) -> Result<Vector, Stop>,
    ) -> Result<Option<Vector>, Stop> {
        let mut u = from.to_vec();
        for _ in 0..STEPS {
            let k1 = rate(&u)?;
            let k2 = rate(&moved(&u, 0.5 * step, &k1))?;
            let k3 = rate(&moved(&u, 0.5 * step, &k2))?;
            let k4 = rate(&moved(&u, step, &k3))?;
            for (rate, weight) in [(k1, 1.0), (k2, 2.0), (k3, 2.0), (k4, 1.0)] {
                u = moved(&u, weight * step / 6.0, &rate);
            }
            if !self.is_admissible(&u) {
                return Ok(None);
            }
        }
        Ok(Some(u))
    }

    /// The state at the other end of a contact of the wave k, and the contact's speed.
    fn contact(&self, k: usize) -> Result<Option<(Vector, f64)>, Stop> {
        let (start, towards) = (&self.start.left, self.towards());
        let along = self.projected(start, k, &towards)?;
        if size(&along) < SMALL * size(&towards) || self.change(start, k, &along)?.abs() > 1e-9 {
            return Ok(None);
        }
        let step = JUMP * size(start) / size(&along) / STEPS as f64;
        let Some(other) = self.curve(start, step, |u| self.projected(u, k, &towards))? else { return Ok(None) };
        let speed = self.speed(start, k)?;
        Ok(self.balances(start, &other, speed)?.then_some((other, speed)))
    }

    /// A shock of the wave k from the left state of the point.
    fn shock(&self, k: usize) -> Result<Option<Joined>, Stop> {
        let start = &self.start.left;
        let Some(along) = self.direction(start, k, &self.towards())? else { return Ok(None) };
        if self.change(start, k, &along)?.abs() < self.flat() {
            return Ok(None);
        }
        let (mut u, mut speed) = (start.clone(), self.speed(start, k)?);
        for step in 1..=GROWTH {
            let wanted = JUMP * size(start) * step as f64 / GROWTH as f64;
            u = moved(&u, wanted / step as f64, &along);
            let Some(grown) = self.jump_of_size((u, speed), &along, wanted)? else { return Ok(None) };
            (u, speed) = grown;
        }
        if !self.is_admissible(&u) {
            return Ok(None);
        }
        let (here, there) = (self.speed(start, k)?, self.speed(&u, k)?);
        let (left, right) = if here > there { (start, &u) } else { (&u, start) };
        let compressed = here.max(there) > speed && speed > here.min(there);
        Ok((compressed && self.balances(left, right, speed)?).then(|| self.jump(left, right, speed)))
    }

    /// The state that a jump joins to the left state of the point, so far from it along a direction, and the jump's speed, by Newton's
    /// method from a guess of both.
    fn jump_of_size(
        &self,
        (mut u, mut speed): (Vector, f64),
        along: &[f64],
        wanted: f64,
    ) -> Result<Option<(Vector, f64)>, Stop> {
        let (start, m) = (&self.start.left, along.len());
        for _ in 0..NEWTON {
            // F(u)·n - F(start)·n + P = s (u - start).
            let jump = moved(&u, -1.0, start);
            let (across, a) = (self.across(start, &u)?, self.across_by_right(start, &u)?);
            let mut rows: Vec<Vector> = Vec::with_capacity(m + 1);
            for i in 0..m {
                let mut row: Vector = (0..m).map(|j| a[i][j] - if i == j { speed } else { 0.0 }).collect();
                row.extend([-jump[i], speed * jump[i] - across[i]]);
                rows.push(row);
            }
            rows.push(along.iter().copied().chain([0.0, wanted - dot(along, &jump)]).collect());
            let Some(change) = solution(rows, m + 1, f64::MIN_POSITIVE) else { return Ok(None) };
            u = moved(&u, 1.0, &change[..m]);
            speed += change[m];
            if size(&change[..m]) <= f64::EPSILON * size(&u) {
                break;
            }
        }
        Ok(Some((u, speed)))
    }

    /// A state between both of the point at which the wave k stands, and its eigenvector along which the speed rises; `None` if there is
    /// none, or the speed does not change with the wave.
    fn sonic(&self, k: usize) -> Result<Option<(Vector, Vector)>, Stop> {
        let (towards, count) = (self.towards(), self.speeds(&self.start.left)?.len());
        let speed = |share: f64| {
            let state = moved(&self.start.left, share, &towards);
            if !self.is_admissible(&state) || self.speeds(&state)?.len() != count {
                return Err(Stop::Undecided);
            }
            self.speed(&state, k)
        };
        let (mut least, mut most) = (0.0, 1.0);
        let sign = speed(least)?;
        if sign * speed(most)? >= 0.0 {
            return Ok(None);
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (least + most);
            if sign * speed(middle)? > 0.0 {
                least = middle;
            } else {
                most = middle;
            }
        }
        let sonic = moved(&self.start.left, least, &towards);
        let Some(along) = self.direction(&sonic, k, &towards)? else { return Ok(None) };
        let change = self.change(&sonic, k, &along)?;
        Ok((change.abs() >= 1e-3).then(|| (sonic, along.iter().map(|a| a * change.signum()).collect())))
    }

    /// The largest shock of the wave k around a sonic state that stands, of which half is at most so large.
    fn standing_shock(&self, k: usize, sonic: &[f64], along: &[f64], most: f64) -> Result<Option<Joined>, Stop> {
        let m = sonic.len();
        let (mut found, mut behind) = (None, moved(&vec![0.0; m], -1.0, along));
        for step in 1..=GROWTH {
            let half = most * step as f64 / GROWTH as f64;
            let (left, mut right) = (moved(sonic, half, along), moved(sonic, half, &behind));
            if !self.is_admissible(&left) || !self.is_admissible(&right) {
                break;
            }
            for _ in 0..NEWTON {
                let (across, a) = (self.across(&left, &right)?, self.across_by_right(&left, &right)?);
                let row = |i: usize| a[i].iter().copied().chain([-across[i]]).collect();
                let Some(change) = solution((0..m).map(row).collect(), m, f64::MIN_POSITIVE) else { return Ok(found) };
                right = moved(&right, 1.0, &change);
                if size(&change) <= f64::EPSILON * size(&right) {
                    break;
                }
            }
            let stands = self.is_admissible(&right)
                && self.speed(&left, k)? > 0.0
                && self.speed(&right, k)? < 0.0
                && self.balances(&left, &right, 0.0)?;
            if !stands {
                break;
            }
            behind = moved(&right, -1.0, sonic).iter().map(|b| b / half).collect();
            found = Some(self.jump(&left, &right, 0.0));
        }
        Ok(found)
    }

    /// A rarefaction of the wave k from the left state of the point that moves to one side.
    fn rarefaction(&self, k: usize) -> Result<Option<Joined>, Stop> {
        let start = &self.start.left;
        let Some(along) = self.direction(start, k, &self.towards())? else { return Ok(None) };
        let Some(other) = self.simple_wave(k, start, &along)? else { return Ok(None) };
        let (here, there) = (self.speed(start, k)?, self.speed(&other, k)?);
        let (left, right) = if here < there { (start, &other) } else { (&other, start) };
        let speeds = [here.min(there), here.max(there)];
        let at_face = if speeds[0] > 0.0 { left } else { right }.clone();
        let pair = Inputs { right: right.clone(), ..self.at(left) };
        Ok((speeds[0] * speeds[1] > 0.0).then_some(Joined { pair, speeds, at_face }))
    }

    /// A rarefaction of the wave k around a sonic state.
    fn transonic_rarefaction(&self, k: usize, sonic: &[f64], along: &[f64]) -> Result<Option<Joined>, Stop> {
        let against = moved(&vec![0.0; along.len()], -1.0, along);
        let (left, right) = (self.simple_wave(k, sonic, &against)?, self.simple_wave(k, sonic, along)?);
        let (Some(left), Some(right)) = (left, right) else { return Ok(None) };
        let speeds = [self.speed(&left, k)?, self.speed(&right, k)?];
        let pair = Inputs { right, ..self.at(&left) };
        Ok((speeds[0] < 0.0 && 0.0 < speeds[1]).then(|| Joined { pair, speeds, at_face: sonic.to_vec() }))
    }

    /// The state at the end of a curve along the eigenvectors of the wave k on which its speed changes in one direction; `None` if it does not.
    fn simple_wave(&self, k: usize, start: &[f64], along: &[f64]) -> Result<Option<Vector>, Stop> {
        let change = self.change(start, k, along)?;
        if change.abs() < self.flat() {
            return Ok(None);
        }
        let rate = |u: &[f64]| self.direction(u, k, along)?.ok_or(Stop::Undecided);
        let end = self.curve(start, self.half() / STEPS as f64, rate)?;
        let Some(end) = end else { return Ok(None) };
        let there = self.change(&end, k, &rate(&end)?)?;
        Ok((there * change > 0.0).then_some(end))
    }

    /// Whether a jump of this speed joins two states.
    fn balances(&self, left: &[f64], right: &[f64], speed: f64) -> Result<bool, Stop> {
        let before = self.flux(left)?;
        let change = self.across(left, right)?;
        let carried: Vector = right.iter().zip(left).map(|(r, l)| speed * (r - l)).collect();
        let scale = size(&before) + size(&carried);
        Ok(size(&moved(&change, -1.0, &carried)) <= ACCURACY * scale)
    }
}

impl Joined {
    /// A jump of the same wave from the same left state, of this share of the size; `None` where there is none.
    pub fn weaker(&self, law: &Law, share: f64) -> Option<Self> {
        let waves = Waves::new(law, &self.pair);
        let (left, jump) = (&self.pair.left, waves.towards());
        let length = size(&jump);
        let along: Vector = jump.iter().map(|j| j / length).collect();
        let guess = (moved(left, share, &jump), self.speeds[0]);
        let (right, speed) = waves.jump_of_size(guess, &along, share * length).ok()??;
        let joins = waves.is_admissible(&right) && waves.balances(left, &right, speed).ok()?;
        joins.then(|| waves.jump(left, &right, speed))
    }

    /// The two states in the other order.
    pub fn reversed(&self) -> Inputs<f64> {
        Inputs { left: self.pair.right.clone(), right: self.pair.left.clone(), ..self.pair.clone() }
    }

    /// The left eigenvector ℓ, with `ℓ·(r - l) = 1`, to which a jump is right eigenvector, of the mean of the flux Jacobian, with the product, on the
    /// straight way between both states: it takes `r - l` to `s (r - l)`. `None` where there is no such vector.
    pub fn left_eigenvector(&self, law: &Law) -> Option<Vector> {
        let Inputs { left, right, .. } = &self.pair;
        let jump = moved(right, -1.0, left);
        let m = jump.len();
        let mut transposed = vec![vec![0.0; m]; m];
        for (share, weight) in QUADRATURE {
            let at = Inputs { left: moved(left, share, &jump), ..self.pair.clone() };
            for (i, row) in at.normal_jacobian(law).ok()?.iter().enumerate() {
                for (j, entry) in row.iter().enumerate() {
                    transposed[j][i] += weight * entry;
                }
            }
        }
        let largest = transposed.iter().flatten().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        let off = |row: &[f64], i: usize, v: &[f64], speed: f64| dot(row, v) - speed * v[i];
        // Inverse iteration.
        let shifted = self.speeds[0] + SMALL * largest;
        let mut vector = jump.clone();
        for _ in 0..2 {
            let length = size(&vector);
            let row = |i: usize| {
                let mut row = transposed[i].clone();
                row[i] -= shifted;
                row.push(vector[i] / length);
                row
            };
            vector = solution((0..m).map(row).collect(), m, f64::MIN_POSITIVE)?;
        }
        let residual: Vector = (0..m).map(|i| off(&transposed[i], i, &vector, self.speeds[0])).collect();
        let along = dot(&vector, &jump);
        let is_one =
            size(&residual) <= 1e-4 * largest * size(&vector) && along.abs() > SMALL * size(&vector) * size(&jump);
        is_one.then(|| vector.iter().map(|v| v / along).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::laws::EULER;
    use crate::check::testing::law;

    #[test]
    fn waves_of_a_gas_are_found() {
        let law = law("euler", EULER).law;
        // Density 1, pressure 1, and 2.5 times the speed of sound on the right only.
        let state = |v: f64| vec![1.0, v, 0.1, 2.5 + 0.5 * (v * v + 0.01)];
        let start = Inputs {
            parameters: vec![1.4],
            left: state(0.2),
            right: state(3.0),
            normal: vec![1.0, 0.0],
            position: vec![0.0; 2],
            time: 0.0,
        };
        let waves = Waves::new(&law, &start);
        let pressure = |u: &[f64]| 0.4 * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
        let entropy = |u: &[f64]| (pressure(u) / u[0].powf(1.4)).ln();
        let contacts = waves.contacts();
        assert_eq!(contacts.len(), 2);
        for Joined { pair, speeds, .. } in contacts {
            assert!((speeds[0] - 0.2).abs() < 1e-12 && (pressure(&pair.right) - pressure(&pair.left)).abs() < 1e-9);
        }
        let (shocks, standing) = (waves.shocks(), waves.standing_shocks());
        assert_eq!((shocks.len(), standing.len()), (2, 1));
        for Joined { pair, speeds, .. } in shocks.iter().chain(&standing) {
            let [l, r] = [&pair.left, &pair.right];
            // Mass and momentum relative to the shock.
            let [a, b] = [l, r].map(|u| u[1] - speeds[0] * u[0]);
            assert!((a - b).abs() < 1e-7, "{a} {b}");
            assert!((a * a / l[0] + pressure(l) - b * b / r[0] - pressure(r)).abs() < 1e-7);
            // Entropy grows through the shock.
            assert!(a * (entropy(r) - entropy(l)) > 0.0);
        }
        assert!(standing[0].speeds == [0.0; 2] && standing[0].pair.right[0] > 1.3 * standing[0].pair.left[0]);
        let vector = standing[0].left_eigenvector(&law).unwrap();
        let along: f64 = (0..4).map(|i| vector[i] * (standing[0].pair.right[i] - standing[0].pair.left[i])).sum();
        assert!((along - 1.0).abs() < 1e-12);
        // Entropy and a Riemann invariant do not change, and a fan that spreads to both sides is sonic at the face.
        let (fans, transonic) = (waves.rarefactions(), waves.transonic_rarefactions());
        assert_eq!((fans.len(), transonic.len()), (2, 1));
        for Joined { pair, speeds, at_face } in fans.into_iter().chain(transonic) {
            assert!(speeds[0] < speeds[1]);
            let sound = |u: &[f64]| (1.4 * pressure(u) / u[0]).sqrt();
            let slow = speeds[0] < pair.left[1] / pair.left[0];
            let invariant = |u: &[f64]| u[1] / u[0] + if slow { 5.0 } else { -5.0 } * sound(u);
            for u in [&pair.right, &at_face] {
                assert!((entropy(u) - entropy(&pair.left)).abs() < 1e-8);
                assert!((invariant(u) - invariant(&pair.left)).abs() < 1e-8);
            }
            if speeds[0] < 0.0 && speeds[1] > 0.0 {
                assert!((at_face[1] / at_face[0] - sound(&at_face)).abs() < 1e-12);
            }
        }
    }
}
