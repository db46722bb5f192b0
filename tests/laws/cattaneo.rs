/// Heat that spreads with finite speed: Cattaneo's law.
///
/// ```text
/// ∂T/∂t + ∇·q = 0,   ∂q/∂t + (k/τ) ∇T = −q/τ
/// ```
///
/// * T: temperature, q: flux of heat, k: conductivity, τ: time that the flux takes to follow the gradient
///
/// Reference: D. D. Joseph & L. Preziosi, Rev. Mod. Phys. 61 (1989) 41–73, <https://doi.org/10.1103/RevModPhys.61.41>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod cattaneo {
    #[parameters]
    pub struct Solid {
        /// Conductivity.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub k: f64,
        /// Relaxation time.
        #[default(0.25)]
        #[range((Excluded(0.0), Unbounded))]
        pub tau: f64,
    }

    #[state]
    pub struct State {
        /// Temperature.
        pub temperature: f64,
        /// Flux of heat in x.
        pub q1: f64,
        /// Flux of heat in y.
        pub q2: f64,
    }

    pub fn flux(u: State, solid: Solid) -> [State; 2] {
        let drive = solid.k / solid.tau * u.temperature;
        [State { temperature: u.q1, q1: drive, q2: 0.0 }, State { temperature: u.q2, q1: 0.0, q2: drive }]
    }

    pub fn eigenvalues(_: State, _: Normal, solid: Solid) -> [f64; 3] {
        let c = (solid.k / solid.tau).sqrt();
        [-c, 0.0, c]
    }

    #[source]
    pub fn relaxation(u: State, solid: Solid) -> State {
        State { temperature: 0.0, q1: -u.q1 / solid.tau, q2: -u.q2 / solid.tau }
    }

    #[boundary(impermeable = temperature)]
    pub fn insulated(u: State, n: Normal) -> State {
        let q = u.q1 * n.x + u.q2 * n.y;
        State { q1: u.q1 - 2.0 * q * n.x, q2: u.q2 - 2.0 * q * n.y, ..u }
    }

    /// A wave of heat so long that it decays without oscillating.
    #[exact]
    pub fn decay(x: Point, t: f64, solid: Solid) -> State {
        // Of the wave number κ with κ² = 3 / (16 k τ), the slower of the two rates is 1 / (4 τ).
        let wave_number = (3.0 / (16.0 * solid.k * solid.tau)).sqrt();
        let rate = 0.25 / solid.tau;
        let amplitude = (-rate * t).exp();
        let phase = wave_number * x.x;
        State { temperature: amplitude * phase.cos(), q1: amplitude * rate / wave_number * phase.sin(), q2: 0.0 }
    }
}
