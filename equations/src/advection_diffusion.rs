//! Linear advection and diffusion with constant coefficients.

/// Linear advection with constant velocity, and diffusion; at rest the heat equation.
///
/// ```text
/// ∂u/∂t + ∇·(v u) = ∇·(ν ∇u)
/// ```
///
/// * u: what is carried and spreads, such as temperature
/// * v: velocity
/// * ν: diffusivity
///
/// Reference: R. J. LeVeque, Finite Difference Methods for Ordinary and Partial Differential Equations, appendix E, SIAM 2007,
/// <https://doi.org/10.1137/1.9780898717839>.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=7)]
pub mod advection_diffusion {
    use std::f64::consts::PI;

    /// A uniform flow of a fluid that conducts.
    #[parameters]
    pub struct Flow {
        /// Velocity.
        #[default([1.0, 1.0])]
        pub v: [f64; 2],
        /// Diffusivity.
        #[default(0.1)]
        #[range(0.0..)]
        pub nu: f64,
        /// What enters through a heated wall, per length and time.
        #[default(1.0)]
        pub heat: f64,
    }

    /// What is carried.
    #[state]
    pub struct State {
        /// Its density.
        pub u: f64,
    }

    /// What the flow carries.
    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        flow.v.map(|v| v * u)
    }

    /// What spreads from more to less.
    #[viscous_flux]
    pub fn conduction(gradient: [State; 2], flow: Flow) -> [State; 2] {
        gradient.map(|slope| flow.nu * slope)
    }

    /// The normal velocity.
    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [flow.v[0] * n.x + flow.v[1] * n.y]
    }

    /// A wall that conducts nothing, along the flow.
    #[boundary]
    pub fn insulated(u: State) -> State {
        u
    }

    /// A wall at which u is 0.
    #[boundary]
    pub fn cold(u: State) -> State {
        -u
    }

    /// A wall through which `heat` enters, along the flow.
    #[boundary]
    pub fn heated(u: State) -> State {
        u
    }

    /// What enters there.
    #[boundary_flux(heated)]
    pub fn heating(flow: Flow) -> State {
        State { u: flow.heat }
    }

    /// A wave of length 1 along both axes, which is carried and decays.
    #[exact]
    pub fn wave(x: Point, t: f64, flow: Flow) -> State {
        let k = 2.0 * PI;
        let [a, b] = [k * (x.x - flow.v[0] * t), k * (x.y - flow.v[1] * t)];
        State { u: (-2.0 * k * k * flow.nu * t).exp() * a.sin() * b.cos() }
    }

    /// What has spread from a point for the time 1/100, carried along from the origin.
    #[exact]
    pub fn spreading(x: Point, t: f64, flow: Flow) -> State {
        let [dx, dy] = [x.x - flow.v[0] * t, x.y - flow.v[1] * t];
        let s = 4.0 * flow.nu * (t + 0.01);
        State { u: (-(dx * dx + dy * dy) / s).exp() * 0.01 / (t + 0.01) }
    }
}
