/// Burgers' equation without viscosity in the direction (a, b).
///
/// ```text
/// ∂u/∂t + a ∂/∂x (u²/2) + b ∂/∂y (u²/2) = 0
/// ```
///
/// Reference: J. M. Burgers, Adv. Appl. Mech. 1 (1948) 171–199, <https://doi.org/10.1016/S0065-2156(08)70100-5>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod inviscid_burgers {
    #[parameters]
    pub struct Direction {
        #[default(1.0)]
        pub a: f64,
        #[default(0.5)]
        pub b: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State, direction: Direction) -> [State; 2] {
        let f = 0.5 * q.u * q.u;
        [State { u: direction.a * f }, State { u: direction.b * f }]
    }

    pub fn eigenvalues(q: State, n: Normal, direction: Direction) -> [f64; 1] {
        [q.u * (direction.a * n.x + direction.b * n.y)]
    }

    #[minimum_principle]
    pub fn range(q: State) -> [f64; 2] {
        [q.u, -q.u]
    }

    /// The flux of Engquist and Osher: waves to the right from the left side, waves to the left from the right side.
    ///
    /// Reference: B. Engquist & S. Osher, Math. Comp. 36 (1981) 321–351,
    /// <https://doi.org/10.1090/S0025-5718-1981-0606500-X>.
    #[numerical_flux]
    pub fn engquist_osher(l: State, r: State, n: Normal, direction: Direction) -> State {
        let along = direction.a * n.x + direction.b * n.y;
        let (behind, ahead) = if along >= 0.0 { (l.u, r.u) } else { (r.u, l.u) };
        let (forward, backward) = (behind.max(0.0), ahead.min(0.0));
        State { u: 0.5 * along * (forward * forward + backward * backward) }
    }

    /// A ramp that flattens.
    #[exact]
    pub fn ramp(x: Point, t: f64, direction: Direction) -> State {
        let speed = direction.a * direction.a + direction.b * direction.b;
        State { u: (direction.a * x.x + direction.b * x.y) / (1.0 + speed * t) }
    }
}
