//! Random rational points inside the admissible set of a law: the same ones on every run.

use std::ops::Bound;

use super::budget;
use super::number::Number;
use super::random::Random;
use super::setting::{Inputs, Point, Setting};
use crate::algebra::{Rational, decimal, rational};
use crate::ir::{Law, Role};

/// The most states that are tried to find an admissible one.
const TRIES: usize = 400;

/// How often no admissible state is found before none is sought any more.
const FAILURES: usize = 3;

/// How many points a source gives once the work on a law is used up: each statement is tried somewhere.
const FEW: usize = 2;

/// Components of states are multiples of one part of this.
const QUARTERS: i64 = 4;

/// The size of numbers that are left out where parameters are far from their defaults.
const LARGE: f64 = 1e9;

/// Speeds that differ by less than this part of the fastest count as equal.
const EQUAL: f64 = 1e-9;

/// A source of random points.
pub struct Points<'a> {
    law: &'a Law,
    random: Random,
    drawn: usize,
    over_ranges: bool,
    over_decades: bool,
    /// Components are multiples of one part of this.
    parts: i64,
    /// How often states were found, and how often they were not.
    found: usize,
    failures: usize,
    /// Whether states are confirmed in exact arithmetic, and taken from solutions.
    thorough: bool,
    /// Whether random components have given an admissible state.
    random_is_enough: bool,
    /// The most distinct speeds of waves at a point with parameters near their defaults.
    speeds: usize,
}

impl<'a> Points<'a> {
    /// A source that starts from `seed`.
    pub fn new(law: &'a Law, seed: u64) -> Self {
        Self {
            law,
            random: Random::new(seed),
            drawn: 0,
            over_ranges: false,
            over_decades: false,
            parts: QUARTERS,
            found: 0,
            failures: 0,
            thorough: true,
            random_is_enough: false,
            speeds: 0,
        }
    }

    /// The same source with parameters from all over the ranges that the law declares, each third time. One without a range may
    /// mean nothing far from its default, and stays near it.
    pub fn over_ranges(self) -> Self {
        Self { over_ranges: true, ..self }
    }

    /// The same source with components of states that are smaller by sixteen.
    pub fn of_small_states(self) -> Self {
        Self { parts: 16 * QUARTERS, ..self }
    }

    /// The same source with components of states over five decades, each by itself: what is thin may be fast, and what is dense at rest.
    pub fn over_decades(self) -> Self {
        Self { over_decades: true, ..self }
    }

    /// A component of a state: mostly a multiple of 1/4 between -3 and 3 that is not 0, sometimes eight times as large.
    fn component(&mut self) -> Rational {
        let quarters = self.random.below(12) + 1;
        let sign = if self.random.below(3) == 0 { -1 } else { 1 };
        let scale = if self.random.below(4) == 0 { 8 } else { 1 };
        let decades = if self.over_decades {
            [(1, 64), (1, 16), (1, 4), (1, 1), (4, 1), (16, 1)][self.random.below(6) as usize]
        } else {
            (1, 1)
        };
        Rational::from((sign * scale * quarters, self.parts)) * Rational::from(decades)
    }

    /// A unit vector with rational components, by stereographic projection.
    fn normal(&mut self) -> Vec<Rational> {
        let slopes: Vec<_> = (1..self.law.dim).map(|_| Rational::from((self.random.below(13) - 6, 3))).collect();
        let square = slopes.iter().fold(Rational::from(0), |sum, s| sum + &(s * s));
        let one = Rational::from(1);
        let inverse = (&one + &square).inv();
        let last = &(&one - &square) * &inverse;
        slopes.iter().map(|s| &(s * &Rational::from(2)) * &inverse).chain([last]).collect()
    }

    fn is_next_far(&self) -> bool {
        self.over_ranges && self.drawn % 3 == 2
    }

    /// The default values, then values near them, or far from them within their ranges.
    fn parameters(&mut self) -> Vec<Rational> {
        let first = self.drawn == 0;
        let far = self.is_next_far();
        let fields = &self.law.parameters.fields;
        fields
            .iter()
            .enumerate()
            .map(|(i, field)| {
                let default = field.default.as_deref().and_then(decimal);
                match default {
                    Some(value) if first => value,
                    Some(value) if far && field.range != (Bound::Unbounded, Bound::Unbounded) => {
                        self.far(&field.range, &value)
                    }
                    Some(value) if !value.is_zero() => {
                        let near = value * Rational::from((14 + self.random.below(9), 16));
                        self.within(&field.range, near)
                    }
                    _ => {
                        // The medium comes first; its fields, such as a velocity, may have either sign.
                        let of_medium = i < self.law.medium.fields.len();
                        let sign = if of_medium && self.random.below(2) == 0 { -1 } else { 1 };
                        let any = Rational::from((sign * (1 + self.random.below(12)), 4));
                        self.within(&field.range, any)
                    }
                }
            })
            .collect()
    }

    /// A value anywhere between the ends of a range, or from 1/4 to some 20 times as far from its only end as the default.
    fn far(&mut self, (from, to): &(Bound<String>, Bound<String>), default: &Rational) -> Rational {
        let octave = [(1, 4), (1, 2), (2, 1), (4, 1), (8, 1), (16, 1)][self.random.below(6) as usize];
        let scale = Rational::from(octave) * Rational::from((14 + self.random.below(9), 16));
        let distance = |end: &Rational| {
            let distance = (default - end).abs();
            if distance.is_zero() { scale.clone() } else { &distance * &scale }
        };
        match (end(from), end(to)) {
            (Some(from), None) => &from + &distance(&from),
            (None, Some(to)) => &to - &distance(&to),
            (Some(from), Some(to)) => &from + &(&(&to - &from) * &Rational::from((1 + self.random.below(15), 16))),
            (None, None) => default.clone(),
        }
    }

    /// A value between the ends of a range: the given one if it is.
    fn within(&mut self, (from, to): &(Bound<String>, Bound<String>), value: Rational) -> Rational {
        let (from, to) = (end(from), end(to));
        let above = from.as_ref().is_none_or(|from| !(&value - from).is_negative() && value != *from);
        let below = to.as_ref().is_none_or(|to| (&value - to).is_negative());
        if above && below {
            return value;
        }
        let share = Rational::from((1 + self.random.below(15), 16));
        match (from, to) {
            (Some(from), Some(to)) => &from + &(&(&to - &from) * &share),
            (Some(from), None) => &from + &share,
            (None, Some(to)) => &to - &share,
            (None, None) => value,
        }
    }

    /// A position at one of several scales.
    fn position(&mut self) -> Vec<Rational> {
        let scale = Rational::from(([1, 2, 4, 16][self.random.below(4) as usize], 16));
        (0..self.law.dim).map(|_| Rational::from(self.random.below(33) - 16) * &scale).collect()
    }

    /// A point, admissible or not.
    pub fn any(&mut self) -> Point {
        let m = self.law.state.fields.len();
        let parameters = self.parameters();
        self.drawn += 1;
        Inputs {
            parameters,
            left: (0..m).map(|_| self.component()).collect(),
            right: (0..m).map(|_| self.component()).collect(),
            normal: self.normal(),
            position: self.position(),
            time: Rational::from((self.random.below(17), 128)),
        }
    }

    /// One of many points: double precision alone says that its states are admissible, and where random ones are, solutions give none.
    pub fn likely(&mut self) -> Option<Point> {
        self.thorough = false;
        let point = self.admissible();
        self.thorough = true;
        point
    }

    /// A point whose two states are admissible, the second one near the first every other time.
    pub fn admissible(&mut self) -> Option<Point> {
        if self.found == 0 && self.failures == FAILURES || self.found >= FEW && budget::is_exhausted() {
            return None;
        }
        let point = self.try_admissible();
        self.found += usize::from(point.is_some());
        self.failures += usize::from(point.is_none());
        point
    }

    fn try_admissible(&mut self) -> Option<Point> {
        let far = self.is_next_far();
        let mut point = self.any();
        let near = self.drawn.is_multiple_of(2);
        self.draw(&mut point, |points, _| points.component())?;
        let mut other = point.clone();
        self.draw(&mut other, |points, base| {
            if near { base * &Rational::from((12 + points.random.below(9), 16)) } else { points.component() }
        })?;
        point.right = other.left;
        // Far parameters may take numbers where nothing can be compared, as an exponential does, and waves where they cannot be told apart.
        let speeds = distinct_speeds(self.law, &point);
        if !far {
            self.speeds = self.speeds.max(speeds);
        }
        (!far || speeds >= self.speeds && is_moderate(self.law, &point)).then_some(point)
    }

    /// Replaces the left state by an admissible one; if random components give none, by one near a state of an exact
    /// solution or of initial data.
    fn draw(&mut self, point: &mut Point, component: impl Fn(&mut Self, &Rational) -> Rational) -> Option<()> {
        let base = point.left.clone();
        let mut floats = point.map(Rational::to_f64);
        for _ in 0..TRIES {
            point.left = base.iter().map(|value| component(self, value)).collect();
            floats.left = point.left.iter().map(Rational::to_f64).collect();
            // Most states are refused in double precision, which costs little.
            if floats.is_admissible(self.law) && (!self.thorough || is_admissible(self.law, point)) {
                self.random_is_enough = true;
                return Some(());
            }
        }
        if !self.thorough && self.random_is_enough {
            return None;
        }
        for id in self.law.with_role(|role| matches!(role, Role::Exact { .. } | Role::Initial)) {
            for _ in 0..TRIES / 10 {
                point.position = self.position();
                let (mut setting, inputs) = Setting::approximate(self.law, point);
                let Ok(state) = setting.call(id, &inputs) else { continue };
                let rounded = |u: &Number| rational((u.to_f64() * 1024.0).round() / 1024.0);
                let Some(left) = state.iter().map(rounded).collect() else { continue };
                point.left = left;
                if point.map(Rational::to_f64).is_admissible(self.law) && is_admissible(self.law, point) {
                    return Some(());
                }
            }
        }
        None
    }
}

/// The number of distinct speeds that the law declares, the fewer of both states.
fn distinct_speeds(law: &Law, point: &Point) -> usize {
    let Some(id) = law.only(&Role::Eigenvalues) else { return 0 };
    let left = point.map(Rational::to_f64);
    let right = Inputs { left: left.right.clone(), ..left.clone() };
    let distinct = |at: &Inputs<f64>| {
        let mut speeds = at.call(law, id).unwrap_or_default();
        speeds.sort_by(f64::total_cmp);
        let least = EQUAL * speeds.iter().fold(0.0, |most: f64, speed| most.max(speed.abs()));
        1 + speeds.windows(2).filter(|two| two[1] - two[0] > least).count()
    };
    distinct(&left).min(distinct(&right))
}

/// Whether flux and eigenvalues at both states are below a size.
fn is_moderate(law: &Law, point: &Point) -> bool {
    let left = point.map(|value| value.to_f64());
    let right = Inputs { left: left.right.clone(), ..left.clone() };
    let small =
        |id| [&left, &right].iter().all(|at| at.call(law, id).is_ok_and(|all| all.iter().all(|x| x.abs() < LARGE)));
    law.with_role(|role| matches!(role, Role::Flux | Role::Eigenvalues)).all(small)
}

/// The end of a range.
fn end(bound: &Bound<String>) -> Option<Rational> {
    match bound {
        Bound::Included(end) | Bound::Excluded(end) => decimal(end),
        Bound::Unbounded => None,
    }
}

/// Whether both states of a point are admissible.
pub fn both_are_admissible(law: &Law, point: &Point) -> bool {
    is_admissible(law, point) && is_admissible(law, &Point { left: point.right.clone(), ..point.clone() })
}

/// Whether the left state of a point is admissible, and flux and eigenvalues are defined there.
pub fn is_admissible(law: &Law, point: &Point) -> bool {
    let (mut setting, inputs) = Setting::approximate(law, point);
    if let Some(id) = law.only(&Role::Admissible) {
        match setting.call(id, &inputs) {
            Ok(values) if values.iter().all(|value| value.is_positive()) => {}
            _ => return false,
        }
    }
    let defined = |id| setting.call(id, &inputs).is_ok();
    law.with_role(|role| matches!(role, Role::Flux | Role::Eigenvalues | Role::WaveSpeed)).all(defined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::law;

    #[test]
    fn parameters_are_drawn_from_within_their_ranges() {
        let mut law = law("ranged", "params a = 1.4, b; state u; fn flux(u: State) -> [State; 2] { [u, u] }").law;
        let [one, two, least] = ["1.0", "2.0", "-0.25"].map(str::to_owned);
        let exact = |text: &str| decimal(text).unwrap();
        for (range, contains) in [
            ((Bound::Included(one.clone()), Bound::Unbounded), [1.0, f64::INFINITY]),
            ((Bound::Included(one), Bound::Excluded(two)), [1.0, 2.0]),
            ((Bound::Included(least.clone()), Bound::Included("0.0".to_owned())), [-0.25, 0.0]),
            ((Bound::Unbounded, Bound::Included(least)), [f64::NEG_INFINITY, -0.25]),
        ] {
            for field in &mut law.parameters.fields {
                field.range = range.clone();
            }
            law.parameters.fields[0].default = Some(if contains[0] < 0.0 { "-0.25" } else { "1.4" }.to_owned());
            let mut points = Points::new(&law, 7);
            for draw in 0..50 {
                for value in points.any().parameters.iter().skip(usize::from(draw == 0)) {
                    let value = Number::Rational(value.clone()).to_f64();
                    assert!(contains[0] < value && value < contains[1], "{value} of {contains:?}");
                }
            }
        }
        assert_eq!(Points::new(&law, 7).any().parameters[0], exact("-0.25"));
    }

    #[test]
    fn parameters_with_a_range_are_drawn_over_decades() {
        let mut law =
            law("ranged", "params a = 1.4, b = 9.81; state u; fn flux(u: State) -> [State; 2] { [u, u] }").law;
        law.parameters.fields[0].range = (Bound::Excluded("1.0".to_owned()), Bound::Unbounded);
        let mut points = Points::new(&law, 7).over_ranges();
        let drawn: Vec<_> = (0..40).map(|_| points.any().map(|value| value.to_f64()).parameters).collect();
        let all = |i: usize| drawn.iter().map(move |values| values[i]);
        assert!(all(0).all(|value| value > 1.0) && all(0).any(|value| value > 6.2) && all(0).any(|value| value < 1.2));
        assert!(all(1).all(|value| (8.5..13.5).contains(&value)), "without a range");
    }
}
