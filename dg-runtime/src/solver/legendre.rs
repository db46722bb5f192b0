//! RKL2, a Runge–Kutta method of order 2 whose stability interval on the negative axis grows with the square of its number of stages
//! (C. D. Meyer, D. S. Balsara & T. D. Aslam, J. Comput. Phys. 257 (2014) 594–626).
//!
//! Its stability polynomial is theirs,
//!
//! R(z) = 1 − β + β P_s(1 + w z),  w = 4 / (s² + s − 2),  β = (s² + s − 2) / (2 s (s + 1)),
//!
//! with the Legendre polynomial P_s, and |R| ≤ 1 for −2/w ≤ z ≤ 0. Conditions of order 2 depend on this polynomial alone, whatever the
//! equation and the times of stages that belong to it. So the stages are those of RKL1, by the recurrence of P_j,
//!
//! Y_j = Y_(j−1) + (j − 1)/j (Y_(j−1) − Y_(j−2)) + (2j − 1)/j w k_j,  uⁿ⁺¹ = (1 − β) uⁿ + β Y_s,
//!
//! where the change Y_j − Y_(j−1) is the register of a [`Stage`] times its weight; the paper's own stages would need Δt R(uⁿ) beside it. They
//! are at times up to two steps after tⁿ, and the result is a mean of uⁿ and an RKL1 step of about twice the length.

use super::stage::Stage;

/// The number of stages of RKL2: odd, from 3 to 31. With an even one the fastest modes would not decay in the longest steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LegendreStages(u8);

/// The most stages.
const MOST: usize = 31;

impl LegendreStages {
    /// What is taken where nothing but diffusion bounds steps: with more, errors in time show beside those in space (`docs/choosing.md`).
    pub const DEFAULT: Self = Self(11);

    /// So many stages.
    ///
    /// # Errors
    /// A message with the numbers that there are.
    pub fn new(stages: u64) -> Result<Self, String> {
        let is_odd = stages % 2 == 1;
        let number = u8::try_from(stages).ok().filter(|stages| is_odd && (3..=MOST as u8).contains(stages));
        number.map(Self).ok_or_else(|| format!("`rkl2` has an odd number of stages from 3 to {MOST}, not {stages}"))
    }

    /// The numbers up to the [default](Self::DEFAULT).
    pub(super) fn up_to_default() -> impl Iterator<Item = Self> {
        (3..=Self::DEFAULT.0).step_by(2).map(Self)
    }

    /// Their number.
    pub fn count(self) -> usize {
        self.0.into()
    }

    /// The stages.
    pub(super) fn stages(self) -> &'static [Stage] {
        &TABLES[self.count() / 2 - 1][..self.count()]
    }

    /// The interval of the negative axis in which |R| ≤ 1, 2/w. (That of odd numbers is longer by some 1.7/s² of it, where |R| ends at 1 and not
    /// near 0.)
    pub(super) fn diffusion_interval(self) -> f64 {
        2.0 / scale(self.count())
    }
}

const fn scale(stages: usize) -> f64 {
    4.0 / (stages * stages + stages - 2) as f64
}

static TABLES: [[Stage; MOST]; MOST / 2] = tables();

const fn tables() -> [[Stage; MOST]; MOST / 2] {
    let none = Stage { a: 0.0, b: 0.0, c: 0.0, d: 0.0, e: 0.0, alpha: 0.0, keep_g: false };
    let (mut tables, mut i) = ([[none; MOST]; MOST / 2], 0);
    while i < tables.len() {
        let stages = 2 * i + 3;
        let (w, mut j, mut weight_before) = (scale(stages), 1, 0.0);
        while j <= stages {
            let n = j as f64;
            let weight = (2.0 * n - 1.0) / n * w;
            tables[i][j - 1] = Stage {
                a: 0.0,
                b: 1.0,
                // P_(j−1)′(1) w
                c: n * (n - 1.0) / 2.0 * w,
                d: 0.0,
                e: weight,
                alpha: (n - 1.0) / n * weight_before / weight,
                keep_g: j < stages,
            };
            (weight_before, j) = (weight, j + 1);
        }
        let beta = 2.0 / (w * (stages * (stages + 1)) as f64);
        let last = &mut tables[i][stages - 1];
        (last.a, last.b, last.e) = (1.0 - beta, beta, beta * last.e);
        i += 1;
    }
    tables
}
