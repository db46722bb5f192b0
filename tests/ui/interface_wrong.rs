//! Numerical fluxes that are exact in a medium are held to that between two: an error where they claim it, a warning otherwise.

use dg_runtime::conservation_law;

#[conservation_law(dim = 2, orders = 0..=0)]
mod strings {
    #[medium]
    pub struct Rope {
        #[range((Excluded(0.0), Unbounded))]
        pub tension: f64,
        #[range((Excluded(0.0), Unbounded))]
        pub mass: f64,
    }

    #[state]
    pub struct State {
        pub stretch: f64,
        pub momentum: f64,
    }

    pub fn flux(u: State, rope: Rope) -> [State; 2] {
        [State { stretch: -u.momentum / rope.mass, momentum: -rope.tension * u.stretch }, 0.0 * u]
    }

    pub fn eigenvalues(_: State, n: Normal, rope: Rope) -> [f64; 2] {
        let c = (rope.tension / rope.mass).sqrt();
        [-c * n.x, c * n.x]
    }

    fn impedance(rope: Rope) -> f64 {
        (rope.tension * rope.mass).sqrt()
    }

    /// With the force and the velocity that both ropes have where they are tied together.
    fn tied(l: State, r: State, n: Normal, left: Rope, right: Rope, zl: f64, zr: f64) -> State {
        let (fl, fr) = (left.tension * l.stretch, right.tension * r.stretch);
        let (vl, vr) = (l.momentum / left.mass, r.momentum / right.mass);
        let side = if n.x < 0.0 { -1.0 } else { 1.0 };
        let force = (zr * fl + zl * fr + side * zl * zr * (vr - vl)) / (zl + zr);
        let v = (zl * vl + zr * vr + side * (fr - fl)) / (zl + zr);
        State { stretch: -n.x * v, momentum: -n.x * force }
    }

    #[numerical_flux(exact = contact)]
    pub fn godunov(l: State, r: State, n: Normal, left: Rope, right: Rope) -> State {
        tied(l, r, n, left, right, impedance(left), impedance(right))
    }

    #[numerical_flux(exact = contact)]
    pub fn exchanged(l: State, r: State, n: Normal, left: Rope, right: Rope) -> State {
        tied(l, r, n, left, right, impedance(right), impedance(left))
    }

    /// Rusanov's damps jumps of the state, which is no mistake.
    #[numerical_flux]
    pub fn damped(l: State, r: State, n: Normal, left: Rope, right: Rope) -> State {
        let (f, g) = (flux(l, left), flux(r, right));
        let faster = (left.tension / left.mass).max(right.tension / right.mass);
        0.5 * n.x * (f[0] + g[0]) - 0.75 * n.x.abs() * faster.sqrt() * (r - l)
    }
}

#[conservation_law(dim = 2, orders = 0..=0)]
mod traffic {
    #[medium]
    pub struct Road {
        #[range((Excluded(0.0), Unbounded))]
        pub speed: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    fn rate(u: f64, road: Road) -> f64 {
        road.speed * u * (1.0 - u)
    }

    pub fn flux(u: State, road: Road) -> [State; 2] {
        [State { u: rate(u.u, road) }, State { u: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, road: Road) -> [f64; 1] {
        [road.speed * (1.0 - 2.0 * u.u) * n.x]
    }

    #[admissible]
    pub fn has_room(u: State) -> [f64; 2] {
        [u.u, 1.0 - u.u]
    }

    /// As many as want to go, and have room ahead.
    #[numerical_flux]
    pub fn demand_and_supply(l: State, r: State, n: Normal, left: Road, right: Road) -> State {
        let (behind, ahead, here, there) = if n.x > 0.0 { (l, r, left, right) } else { (r, l, right, left) };
        State { u: n.x * rate(behind.u.min(0.5), here).min(rate(ahead.u.max(0.5), there)) }
    }

    /// The room of this road.
    #[numerical_flux]
    pub fn supply_of_this_road(l: State, r: State, n: Normal, left: Road, right: Road) -> State {
        let (behind, ahead, here) = if n.x > 0.0 { (l, r, left) } else { (r, l, right) };
        State { u: n.x * rate(behind.u.min(0.5), here).min(rate(ahead.u.max(0.5), here)) }
    }
}

fn main() {}
