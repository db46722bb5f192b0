/// The Euler equations of a dense liquid whose molecules take up space: the Noble–Abel stiffened gas.
///
/// ```text
/// ∂ρ/∂t + ∇·(ρv) = 0,   ∂(ρv)/∂t + ∇·(ρv⊗v + p I) = 0,   ∂E/∂t + ∇·((E + p) v) = 0
/// p = (γ − 1) (E − ½ρ|v|²) / (1 − bρ) − γ p∞
/// ```
///
/// * ρ: density, v: velocity, E: total energy, p: pressure, b: the volume that a mass of molecules takes up
/// * c = √(γ (p + p∞) / (ρ (1 − bρ))): speed of sound
///
/// Reference: O. Le Métayer & R. Saurel, Phys. Fluids 28 (2016) 046102, <https://doi.org/10.1063/1.4945981>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod noble_abel_stiffened_gas {
    #[parameters]
    pub struct Fluid {
        /// Ratio of specific heats.
        #[default(1.2)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Stiffness.
        #[default(0.5)]
        #[range(0.0..)]
        pub stiffness: f64,
        /// Volume of the molecules per mass.
        #[default(0.125)]
        #[range((Excluded(0.0), Unbounded))]
        pub covolume: f64,
    }

    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in x.
        pub m1: f64,
        /// Momentum in y.
        pub m2: f64,
        /// Total energy.
        pub e: f64,
    }

    #[output]
    pub fn pressure(u: State, fluid: Fluid) -> f64 {
        let inner = u.e - 0.5 * (u.m1 * u.m1 + u.m2 * u.m2) / u.rho;
        (fluid.gamma - 1.0) * inner / (1.0 - fluid.covolume * u.rho) - fluid.gamma * fluid.stiffness
    }

    #[output]
    pub fn sound_speed(u: State, fluid: Fluid) -> f64 {
        (fluid.gamma * (pressure(u, fluid) + fluid.stiffness) / (u.rho * (1.0 - fluid.covolume * u.rho))).sqrt()
    }

    fn normal_velocity(u: State, n: Normal) -> f64 {
        (u.m1 * n.x + u.m2 * n.y) / u.rho
    }

    pub fn flux(u: State, fluid: Fluid) -> [State; 2] {
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        let p = pressure(u, fluid);
        [
            State { rho: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1, e: (u.e + p) * v1 },
            State { rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p, e: (u.e + p) * v2 },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal, fluid: Fluid) -> [f64; 4] {
        let (vn, c) = (normal_velocity(u, n), sound_speed(u, fluid));
        [vn - c, vn, vn, vn + c]
    }

    #[admissible]
    pub fn stable(u: State, fluid: Fluid) -> [f64; 3] {
        [u.rho, 1.0 - fluid.covolume * u.rho, pressure(u, fluid) + fluid.stiffness]
    }

    fn normal_flux(u: State, n: Normal, fluid: Fluid) -> State {
        let (vn, p) = (normal_velocity(u, n), pressure(u, fluid));
        State { rho: u.rho * vn, m1: u.m1 * vn + p * n.x, m2: u.m2 * vn + p * n.y, e: (u.e + p) * vn }
    }

    /// The flux of Lax and Friedrichs with the fastest wave of both sides, after Rusanov.
    #[numerical_flux]
    pub fn lax_friedrichs(l: State, r: State, n: Normal, fluid: Fluid) -> State {
        let (fl, fr) = (normal_flux(l, n, fluid), normal_flux(r, n, fluid));
        let left = normal_velocity(l, n).abs() + sound_speed(l, fluid);
        let s = left.max(normal_velocity(r, n).abs() + sound_speed(r, fluid));
        State {
            rho: 0.5 * (fl.rho + fr.rho - s * (r.rho - l.rho)),
            m1: 0.5 * (fl.m1 + fr.m1 - s * (r.m1 - l.m1)),
            m2: 0.5 * (fl.m2 + fr.m2 - s * (r.m2 - l.m2)),
            e: 0.5 * (fl.e + fr.e - s * (r.e - l.e)),
        }
    }

    #[boundary(impermeable = [rho, e])]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.m1 * n.x + u.m2 * n.y;
        State { m1: u.m1 - 2.0 * m * n.x, m2: u.m2 - 2.0 * m * n.y, ..u }
    }

    #[variables]
    pub fn from_pressure(rho: f64, v1: f64, v2: f64, p: f64, fluid: Fluid) -> State {
        let inner = (p + fluid.gamma * fluid.stiffness) * (1.0 - fluid.covolume * rho) / (fluid.gamma - 1.0);
        State { rho, m1: rho * v1, m2: rho * v2, e: inner + 0.5 * rho * (v1 * v1 + v2 * v2) }
    }

    #[initial]
    pub fn shock_tube(x: Point, fluid: Fluid) -> State {
        let (share, p) = if x.x < 0.0 { (0.5, 10.0) } else { (0.25, 1.0) };
        from_pressure(share / fluid.covolume, 0.0, 0.0, p, fluid)
    }
}
