//! The Riemann problem of the Euler equations in one dimension, solved exactly.
//!
//! Reference: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, chapter 4, Springer 2009,
//! <https://doi.org/10.1007/b79761>.

/// Density, velocity and pressure of an ideal gas; all are 0 in vacuum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Primitive {
    /// Density.
    pub rho: f64,
    /// Velocity.
    pub v: f64,
    /// Pressure.
    pub p: f64,
}

impl Primitive {
    /// Vacuum.
    pub const VACUUM: Self = Self { rho: 0.0, v: 0.0, p: 0.0 };

    /// The speed of sound.
    pub fn sound_speed(self, gamma: f64) -> f64 {
        if self.rho > 0.0 { (gamma * self.p / self.rho).sqrt() } else { 0.0 }
    }

    /// Densities of mass, momentum and energy.
    pub fn conserved(self, gamma: f64) -> [f64; 3] {
        [self.rho, self.rho * self.v, self.p / (gamma - 1.0) + 0.5 * self.rho * self.v * self.v]
    }

    /// Their fluxes.
    pub fn flux(self, gamma: f64) -> [f64; 3] {
        let [mass, momentum, energy] = self.conserved(gamma);
        [momentum, self.v * mass * self.v + self.p, self.v * (energy + self.p)]
    }

    fn mirrored(self) -> Self {
        Self { v: -self.v, ..self }
    }
}

/// The solution of a Riemann problem, a function of x/t.
#[derive(Clone, Copy, Debug)]
pub struct Riemann {
    gamma: f64,
    left: Primitive,
    right: Primitive,
    /// The pressure between the sound waves; 0 if there is vacuum between them.
    pub star_pressure: f64,
    /// The velocities there, left and right of the contact: equal, unless there is vacuum between them.
    pub star_velocities: [f64; 2],
}

impl Riemann {
    /// Solves the problem of these states, left and right of x = 0 at time 0. Either may be vacuum, and vacuum may form between
    /// them.
    pub fn new(left: Primitive, right: Primitive, gamma: f64) -> Self {
        // The velocity, relative to the gas, of its expansion into vacuum.
        let escape = |side: Primitive| 2.0 * side.sound_speed(gamma) / (gamma - 1.0);
        let parting = right.v - left.v;
        let solution = |star_pressure, star_velocities| Self { gamma, left, right, star_pressure, star_velocities };
        if left.rho == 0.0 || right.rho == 0.0 || parting >= escape(left) + escape(right) {
            // Vacuum has no wave.
            let end = |side: Primitive, away: f64| {
                if side.rho > 0.0 { side.v - away * escape(side) } else { away * f64::INFINITY }
            };
            return solution(0.0, [end(left, -1.0), end(right, 1.0)]);
        }

        // The function is increasing and concave, so Newton's method converges from below; outside of the bracket, bisect.
        let excess = |p: f64| {
            let [(l, l_slope), (r, r_slope)] = [left, right].map(|side| velocity_change(side, p, gamma));
            (l + r + parting, l_slope + r_slope)
        };
        let (mut low, mut high) = (0.0, left.p.max(right.p));
        while excess(high).0 < 0.0 {
            (low, high) = (high, 2.0 * high);
        }
        let mut p = 0.5 * (left.p + right.p);
        for _ in 0..200 {
            let (value, slope) = excess(p);
            if value < 0.0 {
                low = p;
            } else {
                high = p;
            }
            let newton = p - value / slope;
            let next = if low <= newton && newton <= high { newton } else { 0.5 * (low + high) };
            let change = (next - p).abs();
            p = next;
            if change <= f64::EPSILON * p {
                break;
            }
        }
        let v = 0.5 * (left.v + right.v + velocity_change(right, p, gamma).0 - velocity_change(left, p, gamma).0);
        solution(p, [v, v])
    }

    /// The state on the line x = speed · t.
    pub fn at(&self, speed: f64) -> Primitive {
        let [left, right] = self.star_velocities;
        if speed < left {
            self.beside_a_left_wave(self.left, left, speed)
        } else if speed >= right {
            self.beside_a_left_wave(self.right.mirrored(), -right, -speed).mirrored()
        } else {
            Primitive::VACUUM
        }
    }

    /// The speeds of both ends of the left and of the right sound wave, from left to right; a shock has one speed, vacuum no wave.
    pub fn waves(&self) -> [[f64; 2]; 2] {
        let [left, right] = self.star_velocities;
        let [head, tail] = self.left_wave(self.right.mirrored(), -right);
        [self.left_wave(self.left, left), [-tail, -head]]
    }

    /// The state left of the contact: behind, in or ahead of the wave that runs to the left from there.
    fn beside_a_left_wave(&self, side: Primitive, star_velocity: f64, speed: f64) -> Primitive {
        let (gamma, p) = (self.gamma, self.star_pressure);
        let [head, tail] = self.left_wave(side, star_velocity);
        if speed < head {
            side
        } else if speed >= tail {
            let ratio = p / side.p;
            let k = (gamma - 1.0) / (gamma + 1.0);
            let compression = if ratio > 1.0 { (ratio + k) / (k * ratio + 1.0) } else { ratio.powf(1.0 / gamma) };
            Primitive { rho: side.rho * compression, v: star_velocity, p }
        } else {
            let c = side.sound_speed(gamma);
            let cooling = (2.0 + (gamma - 1.0) * (side.v - speed) / c) / (gamma + 1.0);
            Primitive {
                rho: side.rho * cooling.powf(2.0 / (gamma - 1.0)),
                v: 2.0 / (gamma + 1.0) * (c + 0.5 * (gamma - 1.0) * side.v + speed),
                p: side.p * cooling.powf(2.0 * gamma / (gamma - 1.0)),
            }
        }
    }

    /// The speeds of both ends of the sound wave left of the contact.
    fn left_wave(&self, side: Primitive, star_velocity: f64) -> [f64; 2] {
        let (gamma, c, ratio) = (self.gamma, side.sound_speed(self.gamma), self.star_pressure / side.p);
        if ratio > 1.0 {
            let shock = side.v - c * (0.5 * ((gamma + 1.0) * ratio + gamma - 1.0) / gamma).sqrt();
            [shock, shock]
        } else {
            [side.v - c, star_velocity - c * ratio.powf(0.5 * (gamma - 1.0) / gamma)]
        }
    }
}

/// The change of velocity, away from the state, across a wave between it and the pressure `p`, and its derivative.
fn velocity_change(side: Primitive, p: f64, gamma: f64) -> (f64, f64) {
    if p > side.p {
        let a = 2.0 / ((gamma + 1.0) * side.rho);
        let b = (gamma - 1.0) / (gamma + 1.0) * side.p;
        let root = (a / (p + b)).sqrt();
        ((p - side.p) * root, root * (1.0 - 0.5 * (p - side.p) / (p + b)))
    } else {
        let c = side.sound_speed(gamma);
        let power = 0.5 * (gamma - 1.0) / gamma;
        let ratio = p / side.p;
        (2.0 * c / (gamma - 1.0) * (ratio.powf(power) - 1.0), ratio.powf(power - 1.0) * c / (gamma * side.p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMMA: f64 = 1.4;

    fn state([rho, v, p]: [f64; 3]) -> Primitive {
        Primitive { rho, v, p }
    }

    fn solve(left: [f64; 3], right: [f64; 3]) -> Riemann {
        Riemann::new(state(left), state(right), GAMMA)
    }

    /// Pressure, velocity, and the densities on both sides of the contact.
    fn star(solution: &Riemann) -> [f64; 4] {
        let v = solution.star_velocities[0];
        let nudge = 1e-9 * (1.0 + v.abs());
        [solution.star_pressure, v, solution.at(v - nudge).rho, solution.at(v + nudge).rho]
    }

    /// Pairs with large and small differences, in every combination of shocks and rarefactions.
    const PROBLEMS: [[[f64; 3]; 2]; 7] = [
        [[1.0, 0.0, 1.0], [0.125, 0.0, 0.1]],
        [[1.0, -2.0, 0.4], [1.0, 2.0, 0.4]],
        [[1.0, 0.0, 1000.0], [1.0, 0.0, 0.01]],
        [[1.0, 0.0, 0.01], [1.0, 0.0, 100.0]],
        [[5.99924, 19.5975, 460.894], [5.99242, -6.19633, 46.095]],
        [[1.0, 0.3, 1.0], [1.01, 0.29, 1.02]],
        [[1.0, 3.0, 1.0], [2.0, 2.0, 1.0]],
    ];

    #[test]
    fn star_states_of_toros_five_problems() {
        // Table 4.3 of the book: six digits, the last of them only as accurate as its iteration.
        let published: [[f64; 4]; 5] = [
            [0.30313, 0.92745, 0.42632, 0.26557],
            [0.00189, 0.00000, 0.02185, 0.02185],
            [460.894, 19.5975, 0.57506, 5.99924],
            [46.0950, -6.19633, 5.99242, 0.57511],
            [1691.64, 8.68975, 14.2823, 31.0426],
        ];
        for ([left, right], published) in PROBLEMS.into_iter().zip(published) {
            let found = star(&solve(left, right));
            for (found, published) in found.into_iter().zip(published) {
                let last_digit = 5e-6 * published.abs().max(1.0);
                assert!((found - published).abs() <= last_digit, "{found} instead of {published}");
            }
        }
    }

    #[test]
    fn sods_problem() {
        let solution = solve([1.0, 0.0, 1.0], [0.125, 0.0, 0.1]);
        for (found, expected) in star(&solution).into_iter().zip([0.303130, 0.927453, 0.426319, 0.265574]) {
            assert!((found - expected).abs() < 6e-7, "{found} instead of {expected}");
        }
        let places = |speed: f64| 0.5 + 0.2 * speed;
        let [[head, tail], [shock, _]] = solution.waves();
        let contact = solution.star_velocities[0];
        for (found, expected) in
            [(head, 0.5 - 0.2 * GAMMA.sqrt()), (tail, 0.48595), (contact, 0.68549), (shock, 0.85043)]
        {
            assert!((places(found) - expected).abs() < 6e-6, "{} instead of {expected}", places(found));
        }
    }

    #[test]
    fn shocks_satisfy_the_conditions_of_rankine_and_hugoniot() {
        let mut shocks = 0;
        for [left, right] in PROBLEMS {
            let solution = solve(left, right);
            for [speed, end] in solution.waves() {
                if speed == end {
                    shocks += 1;
                    let nudge = 1e-9 * speed.abs().max(1.0);
                    let [a, b] = [speed - nudge, speed + nudge].map(|s| solution.at(s));
                    assert!(a.rho != b.rho);
                    for i in 0..3 {
                        let [ua, ub] = [a, b].map(|u| u.conserved(GAMMA)[i]);
                        let [fa, fb] = [a, b].map(|u| u.flux(GAMMA)[i]);
                        let scale = fa.abs() + fb.abs() + speed.abs() * (ua.abs() + ub.abs());
                        assert!((fb - fa - speed * (ub - ua)).abs() < 1e-13 * scale, "{left:?} {right:?}");
                    }
                }
            }
        }
        assert_eq!(shocks, 8);
    }

    #[test]
    fn rarefactions_keep_entropy_and_a_riemann_invariant() {
        for [left, right] in PROBLEMS {
            let solution = solve(left, right);
            for ([head, tail], side, sign) in
                [(solution.waves()[0], state(left), 1.0), (solution.waves()[1], state(right), -1.0)]
            {
                if head == tail {
                    continue;
                }
                let invariants =
                    |u: Primitive| [u.p / u.rho.powf(GAMMA), u.v + sign * 2.0 / (GAMMA - 1.0) * u.sound_speed(GAMMA)];
                for k in 1..8 {
                    let speed = head + (tail - head) * f64::from(k) / 8.0;
                    let u = solution.at(speed);
                    // Inside, the line is a characteristic.
                    assert!((u.v - sign * u.sound_speed(GAMMA) - speed).abs() < 1e-12 * (1.0 + speed.abs()));
                    for (found, expected) in invariants(u).into_iter().zip(invariants(side)) {
                        assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{found} {expected}");
                    }
                }
            }
        }
    }

    #[test]
    fn mirrored_problems_have_mirrored_solutions() {
        for [left, right] in PROBLEMS {
            let [[l, r], [m, n]] = [[left, right], [right, left].map(|[rho, v, p]| [rho, -v, p])];
            let (solution, mirrored) = (solve(l, r), solve(m, n));
            for k in -50..50 {
                let speed = 0.5 * f64::from(k) + 0.123;
                let (a, b) = (solution.at(speed), mirrored.at(-speed).mirrored());
                for (a, b) in [(a.rho, b.rho), (a.v, b.v), (a.p, b.p)] {
                    assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{left:?} {right:?} at {speed}: {a} {b}");
                }
            }
        }
        // Equal gases that collide or part leave the middle at rest.
        for v in [0.7, -0.7] {
            assert_eq!(solve([1.0, v, 1.0], [1.0, -v, 1.0]).star_velocities, [0.0; 2]);
        }
    }

    #[test]
    fn equal_states_stay_as_they_are() {
        let u = [0.7, 0.2, 1.3];
        let solution = solve(u, u);
        assert_eq!((solution.star_pressure, solution.star_velocities), (1.3, [0.2; 2]));
        assert_eq!(solution.at(0.0), state(u));
    }

    #[test]
    fn gases_that_part_fast_enough_leave_vacuum() {
        // Both speeds of sound are 1, so gas escapes into vacuum by 5.
        let parting = |v: f64| solve([1.4, -v, 1.0], [1.4, v, 1.0]);
        let nearly = parting(4.9);
        assert!(nearly.star_pressure > 0.0 && nearly.at(0.0).rho > 0.0);
        let vacuum = parting(5.5);
        assert_eq!((vacuum.star_pressure, vacuum.at(0.0)), (0.0, Primitive::VACUUM));
        for (found, expected) in vacuum.star_velocities.into_iter().zip([-0.5, 0.5]) {
            assert!((found - expected).abs() < 1e-14);
        }
        // Up to the vacuum the gas gets thinner continuously.
        assert!(vacuum.at(0.5 + 1e-3).rho < 1e-15 && vacuum.at(0.6).rho > 0.0 && vacuum.at(7.0).rho == 1.4);

        let [gas, none] = [state([1.4, 0.0, 1.0]), Primitive::VACUUM];
        let solution = Riemann::new(gas, none, GAMMA);
        assert_eq!((solution.at(-1.1), solution.at(5.1)), (gas, none));
        let (inside, expected) = (solution.at(0.0), 2.0 / 2.4);
        assert!((inside.v - expected).abs() < 1e-14 && (inside.sound_speed(GAMMA) - expected).abs() < 1e-14);
        assert_eq!(Riemann::new(none, gas, GAMMA).at(0.0), inside.mirrored());
    }
}
