//! Solutions of the Euler equations in one dimension on meshes fine enough for references where there is no exact solution.
//!
//! The MUSCL–Hancock scheme with van Leer's limiter on primitive variables and HLLC: E. F. Toro, Riemann Solvers and Numerical
//! Methods for Fluid Dynamics, 3rd edition, sections 10.5 and 14.4, Springer 2009, <https://doi.org/10.1007/b79761>. It shares
//! nothing with the scheme under test.

use crate::riemann::Primitive;

/// The Courant number.
const CFL: f64 = 0.9;

/// Means over equal cells.
#[derive(Clone, Debug)]
pub struct Reference {
    ends: [f64; 2],
    gamma: f64,
    cells: Vec<Primitive>,
}

impl Reference {
    /// The solution at a time. Beyond the ends the state is constant.
    pub fn new(initial: impl Fn(f64) -> Primitive, ends: [f64; 2], cells: usize, gamma: f64, until: f64) -> Self {
        let width = (ends[1] - ends[0]) / cells as f64;
        let cells = (0..cells).map(|i| initial(ends[0] + (i as f64 + 0.5) * width)).collect();
        let mut solution = Self { ends, gamma, cells };
        let mut time = 0.0;
        while time < until {
            let fastest = |fastest: f64, u: &Primitive| fastest.max(u.v.abs() + u.sound_speed(gamma));
            let step = (CFL * width / solution.cells.iter().fold(0.0, fastest)).min(until - time);
            solution.step(step / width);
            time = if step == until - time { until } else { time + step };
        }
        solution
    }

    /// The problem of Shu & Osher: a shock of Mach number 3 runs into a sine of the density, from x = −4 at time 0 until time 1.8.
    ///
    /// The mean difference of the density on 2,500 cells from that on 10,000 is 0.003, on 5,000 it is 0.0009; without optimisation
    /// the three take some 4, 60 and 15 seconds.
    ///
    /// Reference: C.-W. Shu & S. Osher, J. Comput. Phys. 83 (1989) 32–78, example 8, <https://doi.org/10.1016/0021-9991(89)90222-2>.
    pub fn shu_osher(cells: usize) -> Self {
        Self::new(shu_osher_start, [-5.0, 5.0], cells, 1.4, 1.8)
    }

    /// Two blasts between walls, at time 0.038: pressure 1000 in the left and 100 in the right tenth of (0, 1), 0.01 between them, and
    /// density 1. There are `cells` cells between the walls; beyond each wall is the mirror image, long enough that waves from its far end
    /// arrive too late.
    ///
    /// Reference: P. R. Woodward & P. Colella, J. Comput. Phys. 54 (1984) 115–173, <https://doi.org/10.1016/0021-9991(84)90142-6>.
    pub fn two_blasts(cells: usize) -> Self {
        let start = |x: f64| {
            let x = if x > 1.0 { 2.0 - x } else { x.abs() };
            let p = if x < 0.1 {
                1000.0
            } else if x < 0.9 {
                0.01
            } else {
                100.0
            };
            Primitive { rho: 1.0, v: 0.0, p }
        };
        Self::new(start, [-1.0, 2.0], 3 * cells, 1.4, 0.038)
    }

    /// The means, with the position of the centre of each cell.
    pub fn means(&self) -> impl Iterator<Item = (f64, Primitive)> {
        let width = (self.ends[1] - self.ends[0]) / self.cells.len() as f64;
        self.cells.iter().enumerate().map(move |(i, mean)| (self.ends[0] + (i as f64 + 0.5) * width, *mean))
    }

    /// The value at a position, interpolated linearly between the centres of cells.
    pub fn at(&self, x: f64) -> Primitive {
        let last = self.cells.len() - 1;
        let place = (x - self.ends[0]) / (self.ends[1] - self.ends[0]) * self.cells.len() as f64 - 0.5;
        let place = place.clamp(0.0, last as f64);
        let i = (place as usize).min(last - 1);
        let (a, b, s) = (self.cells[i], self.cells[i + 1], place - i as f64);
        let between = |a: f64, b: f64| (1.0 - s) * a + s * b;
        Primitive { rho: between(a.rho, b.rho), v: between(a.v, b.v), p: between(a.p, b.p) }
    }

    /// A step; `ratio` is its size over the width of a cell.
    fn step(&mut self, ratio: f64) {
        let last = self.cells.len() - 1;
        let faces = |i: usize| {
            let [behind, here, ahead] = [i.saturating_sub(1), i, (i + 1).min(last)].map(|i| self.cells[i]);
            half_step(here, slopes(behind, here, ahead), ratio, self.gamma)
        };
        let mut cells = Vec::with_capacity(last + 1);
        let [first_left, mut right] = faces(0);
        let mut flux_in = hllc(first_left, first_left, self.gamma);
        for i in 0..=last {
            let [next_left, next_right] = if i < last { faces(i + 1) } else { [right; 2] };
            let flux_out = hllc(right, next_left, self.gamma);
            let mut u = self.cells[i].conserved(self.gamma);
            for k in 0..3 {
                u[k] -= ratio * (flux_out[k] - flux_in[k]);
            }
            cells.push(primitive(u, self.gamma));
            (right, flux_in) = (next_right, flux_out);
        }
        self.cells = cells;
    }
}

/// The state at the start of Shu & Osher's problem.
fn shu_osher_start(x: f64) -> Primitive {
    if x < -4.0 {
        Primitive { rho: 27.0 / 7.0, v: 4.0 / 9.0 * 35.0_f64.sqrt(), p: 31.0 / 3.0 }
    } else {
        Primitive { rho: 1.0 + 0.2 * (5.0 * x).sin(), v: 0.0, p: 1.0 }
    }
}

fn primitive([rho, momentum, energy]: [f64; 3], gamma: f64) -> Primitive {
    let v = momentum / rho;
    Primitive { rho, v, p: (gamma - 1.0) * (energy - 0.5 * momentum * v) }
}

/// Van Leer's limited differences across a cell.
fn slopes(behind: Primitive, here: Primitive, ahead: Primitive) -> Primitive {
    let slope = |behind: f64, here: f64, ahead: f64| {
        let (a, b) = (here - behind, ahead - here);
        if a * b > 0.0 { 2.0 * a * b / (a + b) } else { 0.0 }
    };
    Primitive {
        rho: slope(behind.rho, here.rho, ahead.rho),
        v: slope(behind.v, here.v, ahead.v),
        p: slope(behind.p, here.p, ahead.p),
    }
}

/// The values at a cell's left and right face after half a step of the equations in primitive variables.
fn half_step(here: Primitive, slope: Primitive, ratio: f64, gamma: f64) -> [Primitive; 2] {
    let Primitive { rho, v, p } = here;
    let change = |rate: f64| -0.5 * ratio * rate;
    let rho_change = change(v * slope.rho + rho * slope.v);
    let v_change = change(v * slope.v + slope.p / rho);
    let p_change = change(v * slope.p + gamma * p * slope.v);
    [-0.5, 0.5].map(|side| Primitive {
        rho: rho + side * slope.rho + rho_change,
        v: v + side * slope.v + v_change,
        p: p + side * slope.p + p_change,
    })
}

/// HLLC with the speeds of the sound waves from an estimate of the pressure between them.
fn hllc(l: Primitive, r: Primitive, gamma: f64) -> [f64; 3] {
    let (cl, cr) = (l.sound_speed(gamma), r.sound_speed(gamma));
    let between = 0.5 * (l.p + r.p) - 0.125 * (r.v - l.v) * (l.rho + r.rho) * (cl + cr);
    let faster = |side: Primitive| {
        let excess = between / side.p - 1.0;
        if excess > 0.0 { (1.0 + 0.5 * (gamma + 1.0) / gamma * excess).sqrt() } else { 1.0 }
    };
    let (sl, sr) = (l.v - cl * faster(l), r.v + cr * faster(r));
    let (ml, mr) = (l.rho * (sl - l.v), r.rho * (sr - r.v));
    let contact = (r.p - l.p + ml * l.v - mr * r.v) / (ml - mr);
    let (side, s, m) = if contact > 0.0 { (l, sl, ml) } else { (r, sr, mr) };
    let mut flux = side.flux(gamma);
    if sl < 0.0 && sr > 0.0 {
        let u = side.conserved(gamma);
        let rho = m / (s - contact);
        let energy = u[2] / side.rho + (contact - side.v) * (contact + side.p / m);
        for (k, star) in [rho, rho * contact, rho * energy].into_iter().enumerate() {
            flux[k] += s * (star - u[k]);
        }
    }
    flux
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::riemann::Riemann;

    const GAMMA: f64 = 1.4;

    /// The mean difference of densities.
    fn error(found: &Reference, exact: impl Fn(f64) -> f64) -> f64 {
        let errors: Vec<f64> = found.means().map(|(x, mean)| (mean.rho - exact(x)).abs()).collect();
        errors.iter().sum::<f64>() / errors.len() as f64
    }

    #[test]
    fn sods_problem_converges_to_the_exact_solution() {
        let left = Primitive { rho: 1.0, v: 0.0, p: 1.0 };
        let right = Primitive { rho: 0.125, v: 0.0, p: 0.1 };
        let exact = Riemann::new(left, right, GAMMA);
        let initial = |x: f64| if x < 0.5 { left } else { right };
        let solutions = [200, 400, 800].map(|cells| Reference::new(initial, [0.0, 1.0], cells, GAMMA, 0.2));
        let errors = solutions.each_ref().map(|found| error(found, |x| exact.at((x - 0.5) / 0.2).rho));
        println!("{errors:?}");
        // At contacts a scheme of order q only converges like h^(q/(q + 1)), the width of the smeared contact.
        assert!(errors[0] < 4e-3 && errors.windows(2).all(|pair| pair[0] > 1.6 * pair[1]), "{errors:?}");
        // Nothing has reached the ends.
        for found in &solutions {
            let mass = found.means().map(|(_, mean)| mean.rho).sum::<f64>() / found.cells.len() as f64;
            assert!((mass - 0.5625).abs() < 1e-13);
        }
    }

    #[test]
    fn smooth_flow_converges_with_second_order() {
        // Only the density is carried along.
        let density = |x: f64| 1.0 + 0.3 * (-40.0 * x * x).exp();
        let initial = |x: f64| Primitive { rho: density(x), v: 0.8, p: 0.6 };
        let errors = [200, 400, 800]
            .map(|cells| error(&Reference::new(initial, [-1.0, 1.5], cells, GAMMA, 0.5), |x| density(x - 0.4)));
        assert!(errors.windows(2).all(|pair| pair[0] > 3.6 * pair[1]), "{errors:?}");
    }

    #[test]
    fn shu_oshers_problem_converges_and_keeps_what_flows_in() {
        let [coarse, middle, fine] = [500, 1000, 2000].map(Reference::shu_osher);
        let differences = [(&coarse, &middle), (&middle, &fine)].map(|(a, b)| error(a, |x| b.at(x).rho));
        println!("{differences:?}");
        assert!(differences[0] > 2.0 * differences[1], "{differences:?}");
        // At the left end nothing changes; the gas at the right end is at rest.
        let mass = |solution: &Reference| {
            solution.means().map(|(_, mean)| mean.rho).sum::<f64>() * 10.0 / solution.cells.len() as f64
        };
        let before = Reference { cells: fine.means().map(|(x, _)| shu_osher_start(x)).collect(), ..fine.clone() };
        let inflow = 1.8 * 27.0 / 7.0 * 4.0 / 9.0 * 35.0_f64.sqrt();
        assert!((mass(&fine) - mass(&before) - inflow).abs() < 1e-11);
    }
}
