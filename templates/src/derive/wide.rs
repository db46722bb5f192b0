//! Random points over decades in double precision: hundreds of them cost less than one proof.

use std::ops::Bound;

use super::budget;
use super::random::Random;
use super::setting::Inputs;
use crate::ir::{Field, Law};

/// The most states that are tried to find an admissible one.
const TRIES: usize = 60;

/// How many points a source gives once the work on a law is used up: each statement is tried somewhere.
const FEW: usize = 4;

/// Components of states lie between 2 to the power of minus this and of this.
const OCTAVES: f64 = 6.0;

/// How many times as large or as small as its default a parameter with a range is, as an exponent of 2.
const PARAMETER_OCTAVES: f64 = 4.0;

/// A source of random points of a law. Not all laws have states that are found without a start.
pub struct Wide<'a> {
    law: &'a Law,
    random: Random,
    starts: Vec<Vec<f64>>,
    found: usize,
}

impl<'a> Wide<'a> {
    /// A source that starts from `seed` and knows some admissible states.
    pub fn new(law: &'a Law, seed: u64, starts: Vec<Vec<f64>>) -> Self {
        Self { law, random: Random::new(seed), starts, found: 0 }
    }

    /// The default values of the parameters, other ones where they have none.
    pub fn default_parameters(&mut self) -> Vec<f64> {
        self.law.parameters.fields.iter().map(|field| default(field).unwrap_or_else(|| self.parameter(field))).collect()
    }

    /// Parameters within their ranges: far from their defaults, but near these where the law declares no range.
    pub fn parameters(&mut self) -> Vec<f64> {
        self.law.parameters.fields.iter().map(|field| self.parameter(field)).collect()
    }

    fn parameter(&mut self, field: &Field) -> f64 {
        let end = |bound: &Bound<String>| match bound {
            Bound::Included(end) | Bound::Excluded(end) => end.parse::<f64>().ok(),
            Bound::Unbounded => None,
        };
        let scale = self.random.between(-PARAMETER_OCTAVES, PARAMETER_OCTAVES).exp2();
        let usual = default(field).filter(|value| *value != 0.0);
        // From an end the default's distance, scaled.
        let beyond =
            |end: f64| usual.map(|value| (value - end).abs()).filter(|size| *size > 0.0).unwrap_or(1.0) * scale;
        match (end(&field.range.0), end(&field.range.1)) {
            (Some(from), Some(to)) => self.random.between(from, to),
            (Some(from), None) => from + beyond(from),
            (None, Some(to)) => to - beyond(to),
            (None, None) => match usual {
                Some(value) => value * self.random.between(0.875, 1.375),
                None => self.random.between(0.25, 3.0),
            },
        }
    }

    /// A unit normal.
    pub fn normal(&mut self) -> Vec<f64> {
        let vector: Vec<f64> = (0..self.law.dim).map(|_| self.random.between(-1.0, 1.0)).collect();
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.iter().map(|x| x / length).collect()
    }

    /// A position at most this far from the origin in each direction.
    pub fn position(&mut self, size: f64) -> Vec<f64> {
        (0..self.law.dim).map(|_| self.random.between(-size, size)).collect()
    }

    /// A time from 0 to this one.
    pub fn time(&mut self, latest: f64) -> f64 {
        self.random.between(0.0, latest)
    }

    /// A point with an admissible left state for these parameters; the right state is the same.
    pub fn admissible(&mut self, parameters: &[f64]) -> Option<Inputs<f64>> {
        if self.found >= FEW && budget::is_exhausted() {
            return None;
        }
        let mut point = Inputs {
            parameters: parameters.to_vec(),
            left: Vec::new(),
            right: Vec::new(),
            normal: self.normal(),
            position: self.position(4.0),
            time: self.random.between(0.0, 0.125),
        };
        for _ in 0..TRIES {
            point.left = self.state();
            if point.is_admissible(self.law) {
                point.right = point.left.clone();
                self.found += 1;
                return Some(point);
            }
        }
        None
    }

    /// A state of any kind, or one near a known one.
    fn state(&mut self) -> Vec<f64> {
        if !self.starts.is_empty() && self.random.below(2) == 0 {
            let start = self.random.below(self.starts.len() as u64) as usize;
            return (0..self.starts[start].len())
                .map(|i| coarse(self.starts[start][i] * self.random.between(-1.0, 1.0).exp2()))
                .collect();
        }
        let component = |random: &mut Random| {
            let sign = if random.below(3) == 0 { -1.0 } else { 1.0 };
            sign * coarse(random.between(-OCTAVES, OCTAVES).exp2())
        };
        (0..self.law.state.fields.len()).map(|_| component(&mut self.random)).collect()
    }
}

/// A number of few digits near the given one.
fn coarse(value: f64) -> f64 {
    f64::from_bits(value.to_bits() & !((1 << 44) - 1))
}

fn default(field: &Field) -> Option<f64> {
    field.default.as_deref().and_then(|text| text.parse().ok())
}

#[cfg(test)]
mod tests {
    use std::ops::Bound;

    use super::*;
    use crate::check::laws::EULER;
    use crate::check::testing::law;

    #[test]
    fn parameters_with_a_range_are_drawn_over_decades_and_others_near_their_defaults() {
        let mut law = law("euler", EULER).law;
        let gammas = |law: &Law| -> Vec<f64> {
            let mut wide = Wide::new(law, 1, Vec::new());
            (0..100).map(|_| wide.parameters()[0]).collect()
        };
        let all = |gammas: Vec<f64>, from: f64, to: f64| gammas.iter().all(|gamma| (from..=to).contains(gamma));
        assert!(all(gammas(&law), 1.2, 2.0));
        law.parameters.fields[0].range = (Bound::Excluded("1.0".into()), Bound::Unbounded);
        let wide = gammas(&law);
        assert!(wide.iter().any(|gamma| *gamma < 1.1) && wide.iter().any(|gamma| *gamma > 3.0));
        assert!(all(wide, 1.02, 7.41));
    }

    #[test]
    fn states_are_admissible() {
        let law = law("euler", EULER).law;
        let mut wide = Wide::new(&law, 1, Vec::new());
        let parameters = wide.default_parameters();
        let found =
            (0..50).filter_map(|_| wide.admissible(&parameters)).filter(|point| point.is_admissible(&law)).count();
        assert!(found > 45, "{found}");
    }
}
