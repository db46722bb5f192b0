//! Laws whose eigenvalues have no closed form, or none worth writing: they declare a bound on the speeds of waves.

/// A gas that moves nearly at the speed of light, which is 1: special relativistic hydrodynamics of an ideal gas.
///
/// The pressure is the root of an equation in the conserved variables, which Newton's method finds.
///
/// Reference: J. M. Martí & E. Müller, Living Rev. Relativity 6 (2003) 7, sections 2 and 9.2.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=1)]
pub mod relativistic_gas {
    use std::f64::consts::PI;

    /// Properties of the gas.
    #[parameters]
    pub struct Gas {
        /// Adiabatic index.
        #[default(1.6666666666666667)]
        #[range(1.0..=2.0)]
        pub gamma: f64,
    }

    /// The state.
    #[state]
    pub struct State {
        /// Rest mass, as seen at rest.
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

    /// Sound that moves with the gas: the sum of both speeds.
    #[wave_speed]
    pub fn bound(u: State, gas: Gas) -> f64 {
        let p = pressure(u, gas);
        let inertia = u.tau + u.d + p;
        let v = (u.s1 * u.s1 + u.s2 * u.s2).sqrt() / inertia;
        let c = (gas.gamma * p / (inertia * (1.0 - v * v))).sqrt();
        (v + c) / (1.0 + v * c)
    }

    /// Mass and pressure are positive, and nothing is faster than light.
    #[admissible]
    pub fn slower_than_light(u: State) -> [f64; 2] {
        [u.d, u.tau + u.d - (u.d * u.d + u.s1 * u.s1 + u.s2 * u.s2).sqrt()]
    }

    /// Twelve steps of Newton's method reach rounding error from the pressure at rest.
    fn pressure(u: State, gas: Gas) -> f64 {
        let first = four_steps((gas.gamma - 1.0) * u.tau, u, gas);
        four_steps(four_steps(first, u, gas), u, gas)
    }

    fn four_steps(p: f64, u: State, gas: Gas) -> f64 {
        step(step(step(step(p, u, gas), u, gas), u, gas), u, gas)
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

    /// The state of this density, velocity and pressure.
    #[variables]
    pub fn from_density(rho: f64, v1: f64, v2: f64, p: f64, gas: Gas) -> State {
        let w2 = 1.0 / (1.0 - v1 * v1 - v2 * v2);
        let inertia = (rho + gas.gamma / (gas.gamma - 1.0) * p) * w2;
        let d = rho * w2.sqrt();
        State { d, s1: inertia * v1, s2: inertia * v2, tau: inertia - p - d }
    }

    /// Waves of density in a gas of the same velocity and pressure everywhere, which carries them along.
    #[exact]
    pub fn waves(x: Point, t: f64, gas: Gas) -> State {
        from_density(1.0 + 0.5 * (2.0 * PI * (x.x + x.y - 0.9 * t)).sin(), 0.6, 0.3, 1.0, gas)
    }

    /// What is outside is as inside.
    #[boundary]
    pub fn outflow(u: State) -> State {
        u
    }
}

/// Two layers of water in x, of which the upper one is lighter: velocities have a flux, as momenta have not.
///
/// The eigenvalues are the roots of a quartic, `((λ - v)² - g h) ((λ - w)² - g k) = r g² h k`, real if the layers move past each other
/// slowly. Reference: L. V. Ovsyannikov, J. Appl. Mech. Tech. Phys. 20 (1979) 127–135.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=1)]
pub mod two_layers {
    use std::f64::consts::PI;

    /// Properties of the layers.
    #[parameters]
    pub struct Water {
        /// Gravity.
        #[default(9.81)]
        #[range(0.0..)]
        pub g: f64,
        /// The density of the upper layer by that of the lower one.
        #[default(0.5)]
        #[range(0.0..=0.5)]
        pub r: f64,
    }

    /// The state.
    #[state]
    pub struct State {
        /// Thickness of the lower layer.
        pub h: f64,
        /// Thickness of the upper layer.
        pub k: f64,
        /// Velocity of the lower layer.
        pub v: f64,
        /// Velocity of the upper layer.
        pub w: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, water: Water) -> [State; 2] {
        let Water { g, r } = water;
        [
            State {
                h: u.h * u.v,
                k: u.k * u.w,
                v: 0.5 * u.v * u.v + g * (u.h + r * u.k),
                w: 0.5 * u.w * u.w + g * (u.h + u.k),
            },
            State { h: 0.0, k: 0.0, v: 0.0, w: 0.0 },
        ]
    }

    /// Waves of both layers as of one.
    #[wave_speed]
    pub fn bounds(u: State, n: Normal, water: Water) -> [f64; 2] {
        let (v, w) = (u.v * n.x, u.w * n.x);
        let c = (water.g * (u.h + u.k)).sqrt() * n.x.abs();
        [v.min(w) - c, v.max(w) + c]
    }

    /// Both layers are there, and move past each other slowly.
    #[admissible]
    pub fn slow(u: State, water: Water) -> [f64; 3] {
        [u.h, u.k, 0.2 * water.g * u.h.min(u.k) - (u.v - u.w) * (u.v - u.w)]
    }

    /// Waves that do not change.
    #[exact(manufactured)]
    pub fn waves(x: Point, t: f64) -> State {
        let wave = (2.0 * PI * (x.x - t)).sin();
        State { h: 1.0 + 0.2 * wave, k: 0.5, v: 0.3 * wave, w: 0.1 }
    }
}
