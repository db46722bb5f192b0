//! The shock tube of Brio & Wu: magnetohydrodynamics in one dimension on a mesh fine enough for a reference.
//!
//! Second-order finite volumes on equal cells: monotonised central slopes of primitive variables, the HLL flux between the fastest
//! waves, Heun's method. They share nothing with the scheme under test.
//!
//! References: M. Brio & C. C. Wu, J. Comput. Phys. 75 (1988) 400–422, <https://doi.org/10.1016/0021-9991(88)90120-9>; A. Harten,
//! P. D. Lax & B. van Leer, SIAM Review 25 (1983) 35–61, for the flux.

/// The ratio of specific heats.
pub const GAMMA: f64 = 2.0;
/// The magnetic field along the tube.
pub const ALONG: f64 = 0.75;
/// The final time; the membrane is in the middle of (0, 1).
pub const UNTIL: f64 = 0.1;

/// Density, velocity along and across, pressure, field across.
type Primitive = [f64; 5];

/// Densities of mass, momentum along and across, field across, energy.
type Conserved = [f64; 5];

const LEFT: Primitive = [1.0, 0.0, 0.0, 1.0, 1.0];
const RIGHT: Primitive = [0.125, 0.0, 0.0, 0.1, -1.0];

/// Means over equal cells of (0, 1).
pub struct Reference(Vec<Conserved>);

impl Reference {
    /// The solution on so many cells.
    pub fn new(cells: usize) -> Self {
        let mut u: Vec<_> = (0..cells).map(|i| conserved(if 2 * i < cells { LEFT } else { RIGHT })).collect();
        let (width, mut time) = (1.0 / cells as f64, 0.0);
        while time < UNTIL {
            let speed = u.iter().map(|u| primitive(*u)).map(|w| w[1].abs() + fast(w)).fold(0.0, f64::max);
            let step = (0.4 * width / speed).min(UNTIL - time);
            let first = advanced(&u, step / width);
            let second = advanced(&first, step / width);
            for (u, second) in u.iter_mut().zip(&second) {
                *u = std::array::from_fn(|k| 0.5 * (u[k] + second[k]));
            }
            time = if step == UNTIL - time { UNTIL } else { time + step };
        }
        Self(u)
    }

    /// The density at a position, interpolated linearly between the centres of cells.
    pub fn density(&self, x: f64) -> f64 {
        let last = self.0.len() - 1;
        let place = (x * self.0.len() as f64 - 0.5).clamp(0.0, last as f64);
        let i = (place as usize).min(last - 1);
        let share = place - i as f64;
        (1.0 - share) * self.0[i][0] + share * self.0[i + 1][0]
    }
}

/// A step of Euler's method; `ratio` is its size over the width of a cell. Beyond the ends the state is constant.
fn advanced(u: &[Conserved], ratio: f64) -> Vec<Conserved> {
    let w: Vec<_> = u.iter().map(|u| primitive(*u)).collect();
    let last = u.len() - 1;
    let slope = |i: usize, k: usize| {
        let (behind, ahead) = (w[i][k] - w[i.saturating_sub(1)][k], w[(i + 1).min(last)][k] - w[i][k]);
        let middle = 0.5 * (behind + ahead);
        if behind * ahead > 0.0 {
            middle.signum() * middle.abs().min(2.0 * behind.abs()).min(2.0 * ahead.abs())
        } else {
            0.0
        }
    };
    let side = |i: usize, sign: f64| std::array::from_fn(|k| w[i][k] + 0.5 * sign * slope(i, k));
    let faces: Vec<_> = (0..=u.len()).map(|i| hll(side(i.saturating_sub(1), 1.0), side(i.min(last), -1.0))).collect();
    (0..u.len()).map(|i| std::array::from_fn(|k| u[i][k] - ratio * (faces[i + 1][k] - faces[i][k]))).collect()
}

fn conserved([rho, v, w, p, b]: Primitive) -> Conserved {
    let e = p / (GAMMA - 1.0) + 0.5 * rho * (v * v + w * w) + 0.5 * (ALONG * ALONG + b * b);
    [rho, rho * v, rho * w, b, e]
}

fn primitive([rho, m, n, b, e]: Conserved) -> Primitive {
    let p = (GAMMA - 1.0) * (e - 0.5 * (m * m + n * n) / rho - 0.5 * (ALONG * ALONG + b * b));
    [rho, m / rho, n / rho, p, b]
}

/// The speed of fast waves.
fn fast([rho, _, _, p, b]: Primitive) -> f64 {
    let (sound, along) = (GAMMA * p / rho, ALONG * ALONG / rho);
    let sum = sound + along + b * b / rho;
    (0.5 * (sum + (sum * sum - 4.0 * sound * along).sqrt())).sqrt()
}

fn hll(left: Primitive, right: Primitive) -> Conserved {
    let flux = |w: Primitive| {
        let ([rho, v, across, p, b], u) = (w, conserved(w));
        let total = p + 0.5 * (ALONG * ALONG + b * b);
        let energy = (u[4] + total) * v - ALONG * (ALONG * v + b * across);
        [rho * v, rho * v * v + total - ALONG * ALONG, rho * v * across - ALONG * b, v * b - across * ALONG, energy]
    };
    let slowest = (left[1] - fast(left)).min(right[1] - fast(right)).min(0.0);
    let fastest = (left[1] + fast(left)).max(right[1] + fast(right)).max(0.0);
    let ((a, b), (u, v)) = ((flux(left), flux(right)), (conserved(left), conserved(right)));
    std::array::from_fn(|k| (fastest * a[k] - slowest * b[k] + slowest * fastest * (v[k] - u[k])) / (fastest - slowest))
}
