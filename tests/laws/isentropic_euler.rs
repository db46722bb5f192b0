/// The Euler equations of a gas of constant entropy.
///
/// ```text
/// ∂/∂t (ρ, ρv₁, ρv₂) + ∂/∂x (ρv₁, ρv₁² + p, ρv₁v₂) + ∂/∂y (ρv₂, ρv₁v₂, ρv₂² + p) = 0,   p = κ ρ^γ
/// ```
///
/// * ρ: density, (v₁, v₂): velocity, p: pressure, γ: adiabatic exponent
///
/// Reference: C. M. Dafermos, Hyperbolic Conservation Laws in Continuum Physics, 4th edition, chapter 3, Springer 2016,
/// <https://doi.org/10.1007/978-3-662-49451-6>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod isentropic_euler {
    #[parameters]
    pub struct Gas {
        /// Adiabatic exponent.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Pressure at density 1.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub kappa: f64,
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

    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        gas.kappa * u.rho.powf(gas.gamma)
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        let p = pressure(u, gas);
        [State { rho: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1 }, State { rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p }]
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 3] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        let c = (gas.gamma * pressure(u, gas) / u.rho).sqrt();
        [vn - c, vn, vn + c]
    }

    #[admissible]
    pub fn positive(u: State) -> [f64; 1] {
        [u.rho]
    }

    /// The flux of Harten, Lax and van Leer with the speeds of both sides.
    ///
    /// Reference: A. Harten, P. D. Lax & B. van Leer, SIAM Rev. 25 (1983) 35–61, <https://doi.org/10.1137/1025002>.
    #[numerical_flux]
    pub fn two_waves(l: State, r: State, n: Normal, gas: Gas) -> State {
        let [a, _, b] = eigenvalues(l, n, gas);
        let [c, _, d] = eigenvalues(r, n, gas);
        let (sl, sr) = (a.min(c).min(0.0), b.max(d).max(0.0));
        let [fl, gl] = flux(l, gas);
        let [fr, gr] = flux(r, gas);
        let (wl, wr) = (sr / (sr - sl), sl / (sr - sl));
        let diffusion = sl * sr / (sr - sl);
        State {
            rho: wl * (fl.rho * n.x + gl.rho * n.y) - wr * (fr.rho * n.x + gr.rho * n.y) + diffusion * (r.rho - l.rho),
            m1: wl * (fl.m1 * n.x + gl.m1 * n.y) - wr * (fr.m1 * n.x + gr.m1 * n.y) + diffusion * (r.m1 - l.m1),
            m2: wl * (fl.m2 * n.x + gl.m2 * n.y) - wr * (fr.m2 * n.x + gr.m2 * n.y) + diffusion * (r.m2 - l.m2),
        }
    }

    #[boundary(impermeable = rho)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.m1 * n.x + u.m2 * n.y;
        State { rho: u.rho, m1: u.m1 - 2.0 * m * n.x, m2: u.m2 - 2.0 * m * n.y }
    }

    /// A vortex in which the pressure holds the gas on its circles.
    #[exact]
    pub fn vortex(x: Point, gas: Gas) -> State {
        let r2 = x.x * x.x + x.y * x.y;
        let swirl = 0.5 * (0.5 * (1.0 - r2)).exp();
        // The specific enthalpy γ κ ρ^(γ-1) / (γ - 1), whose gradient is what turns the velocity.
        let enthalpy = gas.gamma * gas.kappa / (gas.gamma - 1.0) - 0.125 * (1.0 - r2).exp();
        let rho = ((gas.gamma - 1.0) / (gas.gamma * gas.kappa) * enthalpy).powf(1.0 / (gas.gamma - 1.0));
        State { rho, m1: -rho * swirl * x.y, m2: rho * swirl * x.x }
    }
}
