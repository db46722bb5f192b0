//! Sound, heat and eddies in a flow that is given.

/// Small disturbances of a steady flow of an ideal gas: the linearised Euler equations, in two dimensions.
///
/// ```text
/// ∂ρ/∂t + ∇·m = 0
/// ∂m/∂t + ∇·(v ⊗ m + ρ₀ w ⊗ v + p I) = 0
/// ∂E/∂t + ∇·((E + p) v + (E₀ + p₀) w) = 0
///
/// w = (m − ρ v) / ρ₀,   p = (γ − 1) (E − v·m + ρ |v|²/2),   E₀ = p₀ / (γ − 1) + ρ₀ |v|²/2
/// ```
///
/// * ρ, m, E: disturbances of density, momentum and energy; w, p: of velocity and pressure
/// * ρ₀, v, p₀: density, velocity and pressure of the flow, a steady solution of the Euler equations, which may vary
/// * γ: adiabatic index
///
/// It is the derivative of the Euler equations at the flow, so that disturbances are conserved in any flow. Where the flow has shear, disturbances
/// may take energy from it and grow.
///
/// Reference: C. K. W. Tam & J. C. Webb, J. Comput. Phys. 107 (1993) 262–281, <https://doi.org/10.1006/jcph.1993.1142>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=5)]
pub mod linearised_euler {
    use std::f64::consts::PI;

    /// The gas, and a uniform flow.
    #[parameters]
    pub struct Gas {
        /// Adiabatic index.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Density of the uniform flow.
        #[default(1.4)]
        #[range((Excluded(0.0), Unbounded))]
        pub density: f64,
        /// Pressure of the uniform flow.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub static_pressure: f64,
        /// Velocity of the uniform flow in the direction of x.
        #[default(0.5)]
        pub wind1: f64,
        /// Velocity of the uniform flow in the direction of y.
        #[default(0.25)]
        pub wind2: f64,
    }

    /// The flow that is disturbed.
    #[medium]
    pub struct Flow {
        /// Density.
        #[range((Excluded(0.0), Unbounded))]
        pub rho0: f64,
        /// Velocity in the direction of x.
        pub v1: f64,
        /// Velocity in the direction of y.
        pub v2: f64,
        /// Pressure.
        #[range((Excluded(0.0), Unbounded))]
        pub p0: f64,
    }

    /// Small disturbances of the flow.
    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in the direction of x.
        pub m1: f64,
        /// Momentum in the direction of y.
        pub m2: f64,
        /// Energy.
        pub energy: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, flow: Flow, gas: Gas) -> [State; 2] {
        let (w1, w2) = (velocity1(u, flow), velocity2(u, flow));
        let p = pressure(u, flow, gas);
        let enthalpy = gas.gamma / (gas.gamma - 1.0) * flow.p0 + flow.rho0 * kinetic(flow);
        let (r1, r2) = (flow.rho0 * w1, flow.rho0 * w2);
        [
            State {
                rho: u.m1,
                m1: u.m1 * flow.v1 + r1 * flow.v1 + p,
                m2: u.m2 * flow.v1 + r1 * flow.v2,
                energy: (u.energy + p) * flow.v1 + enthalpy * w1,
            },
            State {
                rho: u.m2,
                m1: u.m1 * flow.v2 + r2 * flow.v1,
                m2: u.m2 * flow.v2 + r2 * flow.v2 + p,
                energy: (u.energy + p) * flow.v2 + enthalpy * w2,
            },
        ]
    }

    /// Sound in both directions; heat and eddies go with the flow.
    pub fn eigenvalues(_: State, n: Normal, flow: Flow, gas: Gas) -> [f64; 4] {
        let (vn, c) = (flow.v1 * n.x + flow.v2 * n.y, speed_of_sound(flow, gas));
        [vn - c, vn, vn, vn + c]
    }

    fn speed_of_sound(flow: Flow, gas: Gas) -> f64 {
        (gas.gamma * flow.p0 / flow.rho0).sqrt()
    }

    /// Kinetic energy of a unit of the flow's mass.
    fn kinetic(flow: Flow) -> f64 {
        0.5 * (flow.v1 * flow.v1 + flow.v2 * flow.v2)
    }

    /// Disturbance of the pressure.
    #[output]
    pub fn pressure(u: State, flow: Flow, gas: Gas) -> f64 {
        (gas.gamma - 1.0) * (u.energy - flow.v1 * u.m1 - flow.v2 * u.m2 + kinetic(flow) * u.rho)
    }

    /// Disturbance of the velocity in the direction of x.
    #[output]
    pub fn velocity1(u: State, flow: Flow) -> f64 {
        (u.m1 - u.rho * flow.v1) / flow.rho0
    }

    /// Disturbance of the velocity in the direction of y.
    #[output]
    pub fn velocity2(u: State, flow: Flow) -> f64 {
        (u.m2 - u.rho * flow.v2) / flow.rho0
    }

    /// A rigid wall along the flow: the normal velocity is reversed.
    #[boundary]
    pub fn rigid_wall(u: State, n: Normal, flow: Flow) -> State {
        let wn = velocity1(u, flow) * n.x + velocity2(u, flow) * n.y;
        let (m1, m2) = (-2.0 * flow.rho0 * wn * n.x, -2.0 * flow.rho0 * wn * n.y);
        State { m1: u.m1 + m1, m2: u.m2 + m2, energy: u.energy + flow.v1 * m1 + flow.v2 * m2, ..u }
    }

    /// A flow that is the same everywhere.
    #[medium]
    pub fn uniform(gas: Gas) -> Flow {
        Flow { rho0: gas.density, v1: gas.wind1, v2: gas.wind2, p0: gas.static_pressure }
    }

    /// The state with these disturbances of density, velocity and pressure.
    fn disturbance(rho: f64, w1: f64, w2: f64, p: f64, flow: Flow, gas: Gas) -> State {
        let (m1, m2) = (flow.rho0 * w1 + flow.v1 * rho, flow.rho0 * w2 + flow.v2 * rho);
        let energy = p / (gas.gamma - 1.0) + flow.v1 * m1 + flow.v2 * m2 - kinetic(flow) * rho;
        State { rho, m1, m2, energy }
    }

    /// A plane wave of sound in the direction (3, 4)/5, one of heat and one of shear, all with period 1 along x and y.
    #[exact]
    pub fn waves(x: Point, t: f64, gas: Gas) -> State {
        let flow = uniform(gas);
        let c = speed_of_sound(flow, gas);
        let (moved1, moved2) = (x.x - flow.v1 * t, x.y - flow.v2 * t);
        let sound = (2.0 * PI * (3.0 * moved1 + 4.0 * moved2 - 5.0 * c * t)).cos();
        let heat = (2.0 * PI * (moved1 - moved2)).sin();
        let shear = (2.0 * PI * (moved1 + moved2)).cos();
        let w = sound / (flow.rho0 * c);
        disturbance(sound / (c * c) + heat, 0.6 * w + shear, 0.8 * w - shear, sound, flow, gas)
    }
}
