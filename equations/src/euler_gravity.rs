//! The compressible Euler equations in a field of gravity.

/// Compressible Euler equations of an ideal gas in a uniform field of gravity.
///
/// ```text
/// ∂ρ/∂t  + ∇·(ρv)             = 0
/// ∂ρv/∂t + ∇·(ρv⊗v) + ∇p      = ρ g
/// ∂ρe/∂t + ∇·((ρe + p) v)     = ρ g·v
/// p = (γ − 1) (ρe − ½ ρ |v|²)
/// ```
///
/// * ρ: density, v: velocity, e: energy of motion and heat per mass, p: pressure
/// * γ: ratio of specific heats; g: gravity
///
/// Gas at rest in which pressure and gravity balance is a solution, of which `isothermal` and `isentropic` are two. A case that names one of them
/// by `well_balanced` keeps it to rounding, so that waves much smaller than the error of the scheme can be followed.
///
/// References: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, Springer 2009,
/// <https://doi.org/10.1007/b79761>; for gas at rest Y. Xing & C.-W. Shu, J. Sci. Comput. 54 (2013) 645–662,
/// <https://doi.org/10.1007/s10915-012-9585-8>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=4)]
pub mod euler_gravity {
    /// An ideal gas, in units in which the isothermal gas has p = ρ, and its height is the length if gravity is 1.
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Gravity.
        #[default([0.0, -1.0])]
        pub g: [f64; 2],
    }

    /// Densities of mass, momentum and energy.
    #[state]
    #[symmetry(rotation = rho_v)]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum.
        pub rho_v: [f64; 2],
        /// Energy of motion and heat.
        pub rho_e: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let p = pressure(u, gas);
        std::array::from_fn(|d| {
            let v = u.rho_v[d] / u.rho;
            let mut flux = v * u;
            flux.rho_v[d] += p;
            flux.rho_e += v * p;
            flux
        })
    }

    /// Sound waves in both directions; entropy and shear are carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 4] {
        let vn = (u.rho_v[0] * n.x + u.rho_v[1] * n.y) / u.rho;
        let c = sound_speed(u, gas);
        [vn - c, vn, vn, vn + c]
    }

    /// Density and pressure are positive.
    #[admissible]
    pub fn admissible(u: State, gas: Gas) -> [f64; 2] {
        [u.rho, pressure(u, gas)]
    }

    /// Weight, and its work.
    #[source]
    pub fn gravity(u: State, gas: Gas) -> State {
        State { rho: 0.0, rho_v: gas.g.map(|g| u.rho * g), rho_e: gas.g[0] * u.rho_v[0] + gas.g[1] * u.rho_v[1] }
    }

    /// Pressure.
    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        (gas.gamma - 1.0) * (u.rho_e - 0.5 * (u.rho_v[0] * u.rho_v[0] + u.rho_v[1] * u.rho_v[1]) / u.rho)
    }

    /// Temperature p/ρ.
    #[output]
    pub fn temperature(u: State, gas: Gas) -> f64 {
        pressure(u, gas) / u.rho
    }

    /// The temperature that the gas would have at the pressure 1, if no heat came or went.
    #[output]
    pub fn potential_temperature(u: State, gas: Gas) -> f64 {
        pressure(u, gas).powf(1.0 / gas.gamma) / u.rho
    }

    /// Mach number.
    #[output]
    pub fn mach(u: State, gas: Gas) -> f64 {
        u.rho_v[0].hypot(u.rho_v[1]) / u.rho / sound_speed(u, gas)
    }

    /// Speed of sound.
    pub fn sound_speed(u: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(u, gas) / u.rho).sqrt()
    }

    /// The state of density ρ, velocity v and pressure p.
    #[variables]
    pub fn from_primitive(rho: f64, v: [f64; 2], p: f64, gas: Gas) -> State {
        let rho_e = p / (gas.gamma - 1.0) + 0.5 * rho * (v[0] * v[0] + v[1] * v[1]);
        State { rho, rho_v: v.map(|v| rho * v), rho_e }
    }

    /// Ground without friction: the state of the mirrored flow.
    #[boundary(impermeable = rho)]
    pub fn slip_wall(u: State, n: Normal) -> State {
        let m = u.rho_v[0] * n.x + u.rho_v[1] * n.y;
        State { rho_v: [u.rho_v[0] - 2.0 * m * n.x, u.rho_v[1] - 2.0 * m * n.y], ..u }
    }

    /// Gas at rest with the temperature 1, and the density 1 in the origin.
    #[exact]
    pub fn isothermal(x: Point, gas: Gas) -> State {
        let rho = (gas.g[0] * x.x + gas.g[1] * x.y).exp();
        from_primitive(rho, [0.0, 0.0], rho, gas)
    }

    /// Gas at rest that is well stirred: its entropy is the same everywhere, and density and temperature are 1 in the origin. It ends where
    /// the temperature would be zero.
    #[exact]
    pub fn isentropic(x: Point, gas: Gas) -> State {
        let t = 1.0 + (gas.gamma - 1.0) / gas.gamma * (gas.g[0] * x.x + gas.g[1] * x.y);
        let rho = t.powf(1.0 / (gas.gamma - 1.0));
        from_primitive(rho, [0.0, 0.0], rho * t, gas)
    }

    /// Waves of density that move through the periodic square (0, 2)² against the gas: a solution by the source that is derived for it.
    #[exact(manufactured)]
    pub fn manufactured_waves(x: Point, t: f64) -> State {
        let rho = 2.0 + 0.2 * (std::f64::consts::PI * (x.x + x.y - t)).sin();
        State { rho, rho_v: [rho, 0.5 * rho], rho_e: rho * rho }
    }
}
