//! Garvin's problem: the waves on the surface of an elastic half-space above an explosion.
//!
//! Reference: W. W. Garvin, Exact transient solution of the buried line source problem, Proc. R. Soc. Lond. A 234 (1956) 528–541,
//! <https://doi.org/10.1098/rspa.1956.0055>. The transform is inverted along the path of L. Cagniard and A. T. de Hoop.

use std::f64::consts::PI;
use std::ops::{Add, Mul};

/// Speeds of P and S waves, and the depth of the explosion, as in the case `garvin`; the density is 1.
const ALPHA: f64 = 1.732_050_807_568_877_2;
const BETA: f64 = 1.0;
const DEPTH: f64 = 0.5;

/// When the moment of the explosion, M(t) I per length of its line, grows fastest: M' is Ricker's wavelet of frequency 1, times 4.
const PEAK: f64 = 1.2;

/// M″.
fn bend(t: f64) -> f64 {
    let w = PI * (t - PEAK);
    4.0 * PI * (4.0 * w * w * w - 6.0 * w) * (-w * w).exp()
}

/// The velocity in x and in y on the surface of the half-space y < 0, above an explosion at x = 0.
///
/// The potential of the P waves that come from the source is, transformed by Laplace in time (s) and with the slowness q along x,
/// −M / (4πα²) ∫ exp(−s (a h + q x)) dq / (i a), a = √(1/α² − q²). With both reflected waves, whose amplitudes follow from a surface without
/// forces, the displacement is
///
/// −s M / (4πα²) ∫ f(q) exp(−s (a h + q x)) dq / i,   f = (−4 q b, −2 c) / (β² D),
///
/// b = √(1/β² − q²), c = 1/β² − 2q², D = c² + 4 q² a b. On the path where the exponent is −s t with a real t = (r/α) cosh θ,
/// q = (x cosh θ + i h sinh θ) / (α r), the integral is the Laplace transform of 2 Im f dq/dt.
pub fn velocity(x: f64, time: f64) -> [f64; 2] {
    /// Points of the midpoint rule, enough even where Rayleigh's wave makes a peak.
    const POINTS: u32 = 4000;
    let distance = x.hypot(DEPTH);
    let first = distance / ALPHA;
    if time <= first {
        return [0.0; 2];
    }
    let step = (time / first).acosh() / f64::from(POINTS);
    let mut velocity = [0.0; 2];
    for i in 0..POINTS {
        let theta = step * (f64::from(i) + 0.5);
        let slowness = |real: f64, imaginary: f64| Complex(x * real, DEPTH * imaginary) * (1.0 / (ALPHA * distance));
        let (q, change) = (slowness(theta.cosh(), theta.sinh()), slowness(theta.sinh(), theta.cosh()));
        let square = q * q;
        let root = |speed: f64| (Complex(speed.powi(-2), 0.0) + square * -1.0).sqrt();
        let (a, b) = (root(ALPHA), root(BETA));
        let c = Complex(BETA.powi(-2), 0.0) + square * -2.0;
        let factor = (c * c + square * a * b * 4.0).reciprocal() * change * BETA.powi(-2);
        let weight = -step * bend(time - first * theta.cosh()) / (2.0 * PI * ALPHA * ALPHA);
        velocity[0] += weight * (q * b * factor * -4.0).1;
        velocity[1] += weight * (c * factor * -2.0).1;
    }
    velocity
}

/// A complex number.
#[derive(Clone, Copy)]
struct Complex(f64, f64);

impl Complex {
    /// The root in the right half-plane.
    fn sqrt(self) -> Self {
        let size = self.0.hypot(self.1);
        Self((0.5 * (size + self.0)).sqrt(), (0.5 * (size - self.0)).sqrt().copysign(self.1))
    }

    fn reciprocal(self) -> Self {
        Self(self.0, -self.1) * (1.0 / (self.0 * self.0 + self.1 * self.1))
    }
}

impl Add for Complex {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

impl Mul for Complex {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0 - self.1 * other.1, self.0 * other.1 + self.1 * other.0)
    }
}

impl Mul<f64> for Complex {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self(self.0 * factor, self.1 * factor)
    }
}
