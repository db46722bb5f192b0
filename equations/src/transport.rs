//! Transport by a given flow.

/// Transport by a given flow in two dimensions.
///
/// ```text
/// ∂u/∂t + ∂(v₁ u)/∂x + ∂(v₂ u)/∂y = 0
/// ```
///
/// * u: what is carried
/// * (v₁, v₂): velocity of the flow, which varies in space and time
///
/// Reference: C. E. Castro, J. Behrens & C. Pelties, Geosci. Model Dev. Discuss. 6 (2013) 3743–3786,
/// <https://doi.org/10.5194/gmdd-6-3743-2013>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod transport {
    use std::f64::consts::PI;

    /// The time after which `swirl` has undone itself.
    const PERIOD: f64 = 1.5;

    /// The flow.
    #[medium]
    pub struct Flow {
        /// Velocity in the direction of x.
        pub v1: f64,
        /// Velocity in the direction of y.
        pub v2: f64,
    }

    /// What is carried.
    #[state]
    pub struct State {
        /// Its density.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        [State { u: flow.v1 * u.u }, State { u: flow.v2 * u.u }]
    }

    /// The normal velocity.
    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [normal_velocity(n, flow)]
    }

    fn normal_velocity(n: Normal, flow: Flow) -> f64 {
        flow.v1 * n.x + flow.v2 * n.y
    }

    /// What flows out of both sides.
    #[numerical_flux(exact = contact)]
    pub fn upwind(l: State, r: State, n: Normal, left: Flow, right: Flow) -> State {
        State { u: normal_velocity(n, left).max(0.0) * l.u + normal_velocity(n, right).min(0.0) * r.u }
    }

    /// A turn around the origin in the time 1.
    #[medium]
    pub fn rotation(x: Point) -> Flow {
        Flow { v1: -2.0 * PI * x.y, v2: 2.0 * PI * x.x }
    }

    /// A swirl in the unit square that turns back after half the time 1.5, so that all returns to where it was
    /// (R. J. LeVeque, SIAM J. Numer. Anal. 33 (1996) 627–665; test 3 of Castro, Behrens & Pelties 2013).
    #[medium]
    pub fn swirl(x: Point, t: f64) -> Flow {
        let (sx, sy) = ((PI * x.x).sin(), (PI * x.y).sin());
        let turn = (PI * t / PERIOD).cos();
        Flow { v1: sx * sx * (2.0 * PI * x.y).sin() * turn, v2: -sy * sy * (2.0 * PI * x.x).sin() * turn }
    }

    /// A Gaussian of height 1 and width 0.2 that starts at (¼, 0) and turns with the flow around the origin.
    #[exact]
    pub fn turning(x: Point, t: f64) -> State {
        let angle = 2.0 * PI * t;
        let (dx, dy) = (x.x - 0.25 * angle.cos(), x.y - 0.25 * angle.sin());
        State { u: (-(dx * dx + dy * dy) / 0.04).exp() }
    }
}
