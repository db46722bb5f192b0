//! Laws whose waves are fastest between two states: scalar ones with fluxes neither convex nor concave, and a system with fields neither
//! genuinely nonlinear nor linearly degenerate.

/// A rotating wave with a composite of shocks and rarefactions, for which schemes with too little dissipation converge to a wrong
/// solution.
///
/// Reference: A. Kurganov, G. Petrova & B. Popov, SIAM J. Sci. Comput. 29 (2007) 2381–2401, example 5.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=2)]
pub mod rotating_wave {
    use std::f64::consts::PI;

    /// The state.
    #[state]
    pub struct State {
        /// An angle.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(q: State) -> [State; 2] {
        [State { u: q.u.sin() }, State { u: q.u.cos() }]
    }

    /// The derivative of the flux.
    pub fn eigenvalues(q: State, n: Normal) -> [f64; 1] {
        [q.u.cos() * n.x - q.u.sin() * n.y]
    }

    /// No value is new.
    #[minimum_principle]
    pub fn range(q: State) -> [f64; 2] {
        [q.u, -q.u]
    }

    /// What is outside is as inside.
    #[boundary]
    pub fn outflow(q: State) -> State {
        q
    }

    /// A disc of another angle.
    #[initial]
    pub fn disc(x: Point) -> State {
        State { u: if x.x * x.x + x.y * x.y < 1.0 { 3.5 * PI } else { 0.25 * PI } }
    }
}

/// Sound in an elastic bar that hardens in tension and in compression alike, in the direction of x.
///
/// ```text
/// ∂ε/∂t − ∂m/∂x = 0,   ∂m/∂t − ∂(ε + ε³)/∂x = 0
/// ```
///
/// Both waves are slowest at rest. R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, Cambridge 2002, section 16.4, has a bar
/// that softens.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=1)]
pub mod hardening_bar {
    /// The state.
    #[state]
    pub struct State {
        /// Strain.
        pub strain: f64,
        /// Momentum.
        pub m: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        let e = u.strain;
        [State { strain: -u.m, m: -(e + e * e * e) }, State { strain: 0.0, m: 0.0 }]
    }

    /// Waves to both sides.
    pub fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
        let c = (1.0 + 3.0 * u.strain * u.strain).sqrt() * n.x;
        [-c, c]
    }

    /// What is outside is as inside.
    #[boundary]
    pub fn outflow(u: State) -> State {
        u
    }
}
