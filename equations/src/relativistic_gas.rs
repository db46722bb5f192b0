//! Special relativistic hydrodynamics.

/// A gas that moves nearly at the speed of light, which is 1: special relativistic hydrodynamics of an ideal gas.
///
/// ```text
/// ∂D/∂t + ∇·(D v) = 0,   ∂S/∂t + ∇·(S vᵀ + p I) = 0,   ∂τ/∂t + ∇·(S − D v) = 0
/// D = ρ W,   S = ρ h W² v,   τ = ρ h W² − p − D,   W = 1/√(1 − |v|²),   h = 1 + γ/(γ − 1) p/ρ
/// ```
///
/// * ρ: density of the rest mass, v: velocity, p: pressure, h: enthalpy; W: Lorentz factor
/// * γ: ratio of specific heats, c = √(γ p / ρ h): speed of sound
///
/// The pressure is the root of an equation in the conserved variables, which a fixed number of steps of Newton's method finds to rounding.
///
/// References: J. M. Martí & E. Müller, Living Rev. Relativity 6 (2003) 7, sections 2 and 9.2,
/// <https://doi.org/10.12942/lrr-2003-7>; the admissible states by K. Wu & H. Tang, J. Comput. Phys. 298 (2015) 539–564,
/// <https://doi.org/10.1016/j.jcp.2015.06.012>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=2)]
pub mod relativistic_gas {
    use std::f64::consts::PI;

    /// An ideal gas.
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(5.0 / 3.0)]
        #[range((Excluded(1.0), Included(2.0)))]
        pub gamma: f64,
    }

    /// Densities of mass, momentum and energy, as seen at rest.
    #[state]
    #[symmetry(rotation = (s1, s2))]
    pub struct State {
        /// Rest mass.
        pub d: f64,
        /// Momentum in x.
        pub s1: f64,
        /// Momentum in y.
        pub s2: f64,
        /// Energy without that of the rest mass.
        pub tau: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let p = pressure(u, gas);
        let inertia = u.tau + u.d + p;
        let (v1, v2) = (u.s1 / inertia, u.s2 / inertia);
        [
            State { d: u.d * v1, s1: u.s1 * v1 + p, s2: u.s2 * v1, tau: u.s1 - u.d * v1 },
            State { d: u.d * v2, s1: u.s1 * v2, s2: u.s2 * v2 + p, tau: u.s2 - u.d * v2 },
        ]
    }

    /// Sound that moves with the gas, in both directions: the sum of both speeds.
    ///
    /// Reference: R. Donat, J. A. Font, J. M. Ibáñez & A. Marquina, J. Comput. Phys. 146 (1998) 58–81,
    /// <https://doi.org/10.1006/jcph.1998.5955>.
    #[wave_speed]
    pub fn sound(u: State, n: Normal, gas: Gas) -> [f64; 2] {
        let p = pressure(u, gas);
        let inertia = u.tau + u.d + p;
        let v2 = (u.s1 * u.s1 + u.s2 * u.s2) / (inertia * inertia);
        let vn = (u.s1 * n.x + u.s2 * n.y) / inertia;
        let c2 = gas.gamma * p / (inertia * (1.0 - v2));
        let carried = vn * (1.0 - c2);
        let c = (c2 * (1.0 - v2) * (1.0 - v2 * c2 - vn * carried)).sqrt();
        [(carried - c) / (1.0 - v2 * c2), (carried + c) / (1.0 - v2 * c2)]
    }

    /// Mass and pressure are positive, and nothing is faster than light.
    #[admissible]
    pub fn slower_than_light(u: State) -> [f64; 2] {
        [u.d, u.tau + u.d - (u.d * u.d + u.s1 * u.s1 + u.s2 * u.s2).sqrt()]
    }

    /// Pressure, by steps of Newton's method from that of a gas at rest.
    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        let mut p = (gas.gamma - 1.0) * u.tau;
        for _ in 0..12 {
            p = step(p, u, gas);
        }
        p
    }

    /// Lorentz factor.
    #[output]
    pub fn lorentz(u: State, gas: Gas) -> f64 {
        let inertia = u.tau + u.d + pressure(u, gas);
        (1.0 - (u.s1 * u.s1 + u.s2 * u.s2) / (inertia * inertia)).sqrt().recip()
    }

    fn step(p: f64, u: State, gas: Gas) -> f64 {
        let inertia = u.tau + u.d + p;
        let v2 = (u.s1 * u.s1 + u.s2 * u.s2) / (inertia * inertia);
        let w = 1.0 / (1.0 - v2).sqrt();
        let density = u.d / w;
        let heat = (u.tau + u.d * (1.0 - w) + p * (1.0 - w * w)) / (w * w);
        let c2 = gas.gamma * (gas.gamma - 1.0) * heat / (density + gas.gamma * heat);
        p + ((gas.gamma - 1.0) * heat - p) / (1.0 - v2 * c2)
    }

    /// The state of density ρ, velocity times Lorentz factor (u₁, u₂), which may have any value, and pressure p.
    #[variables]
    pub fn from_density(rho: f64, u1: f64, u2: f64, p: f64, gas: Gas) -> State {
        let w2 = 1.0 + u1 * u1 + u2 * u2;
        let w = w2.sqrt();
        let inertia = rho + gas.gamma / (gas.gamma - 1.0) * p;
        State { d: rho * w, s1: inertia * w * u1, s2: inertia * w * u2, tau: inertia * w2 - p - rho * w }
    }

    /// Waves of density in a gas of the same velocity and pressure everywhere, which carries them along.
    #[exact]
    pub fn waves(x: Point, t: f64, gas: Gas) -> State {
        let w = (1.0_f64 - 0.6 * 0.6 - 0.3 * 0.3).sqrt().recip();
        from_density(1.0 + 0.5 * (2.0 * PI * (x.x + x.y - 0.9 * t)).sin(), 0.6 * w, 0.3 * w, 1.0, gas)
    }

    /// What is outside is as inside.
    #[boundary]
    pub fn outflow(u: State) -> State {
        u
    }
}
