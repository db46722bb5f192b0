/// A Chaplygin gas, in which no wave steepens: all fields are linearly degenerate.
///
/// ```text
/// ∂/∂t (ρ, ρv₁, ρv₂) + ∂/∂x (ρv₁, ρv₁² + p, ρv₁v₂) + ∂/∂y (ρv₂, ρv₁v₂, ρv₂² + p) = 0,   p = −s²/ρ
/// ```
///
/// * ρ: density, (v₁, v₂): velocity, p: pressure, s/ρ: speed of sound
///
/// Reference: D. Serre, Arch. Ration. Mech. Anal. 191 (2009) 539–577, <https://doi.org/10.1007/s00205-008-0110-z>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod chaplygin_gas {
    #[parameters]
    pub struct Gas {
        /// Density times speed of sound.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub s: f64,
    }

    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in x.
        pub m1: f64,
        /// Momentum in y.
        pub m2: f64,
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        let p = -gas.s * gas.s / u.rho;
        [State { rho: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1 }, State { rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p }]
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 3] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        let c = gas.s / u.rho;
        [vn - c, vn, vn + c]
    }

    #[admissible]
    pub fn positive(u: State) -> [f64; 1] {
        [u.rho]
    }

    /// A wave that runs to the right relative to the gas and never steepens: v₁ + s/ρ is one number everywhere.
    #[exact]
    pub fn wave(x: Point, t: f64, gas: Gas) -> State {
        let speed = 2.0 * gas.s;
        let rho = 1.0 + 0.5 * (x.x - speed * t).sin();
        State { rho, m1: rho * (speed - gas.s / rho), m2: 0.0 }
    }

    #[boundary(impermeable = rho)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.m1 * n.x + u.m2 * n.y;
        State { rho: u.rho, m1: u.m1 - 2.0 * m * n.x, m2: u.m2 - 2.0 * m * n.y }
    }
}
