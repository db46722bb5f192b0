/// The Euler equations of a liquid or solid under high pressure: a stiffened gas.
///
/// ```text
/// ∂ρ/∂t + ∇·(ρv) = 0,   ∂(ρv)/∂t + ∇·(ρv⊗v + p I) = 0,   ∂E/∂t + ∇·((E + p) v) = 0
/// p = (γ − 1) (E − ½ρ|v|²) − γ p∞
/// ```
///
/// * ρ: density, v: velocity, E: total energy, p: pressure, c = √(γ (p + p∞) / ρ): speed of sound
///
/// References: R. Menikoff & B. J. Plohr, Rev. Mod. Phys. 61 (1989) 75–130, <https://doi.org/10.1103/RevModPhys.61.75>;
/// R. Saurel & R. Abgrall, SIAM J. Sci. Comput. 21 (1999) 1115–1145, <https://doi.org/10.1137/S1064827597323749>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod stiffened_gas {
    #[parameters]
    pub struct Fluid {
        /// Ratio of specific heats.
        #[default(4.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Stiffness.
        #[default(6.0)]
        #[range(0.0..)]
        pub stiffness: f64,
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
        (fluid.gamma - 1.0) * inner - fluid.gamma * fluid.stiffness
    }

    #[output]
    pub fn sound_speed(u: State, fluid: Fluid) -> f64 {
        (fluid.gamma * (pressure(u, fluid) + fluid.stiffness) / u.rho).sqrt()
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
    pub fn stable(u: State, fluid: Fluid) -> [f64; 2] {
        [u.rho, pressure(u, fluid) + fluid.stiffness]
    }

    #[minimum_principle]
    pub fn entropy(u: State, fluid: Fluid) -> [f64; 1] {
        [((pressure(u, fluid) + fluid.stiffness) / u.rho.powf(fluid.gamma)).ln()]
    }

    fn normal_flux(u: State, n: Normal, fluid: Fluid) -> State {
        let (vn, p) = (normal_velocity(u, n), pressure(u, fluid));
        State { rho: u.rho * vn, m1: u.m1 * vn + p * n.x, m2: u.m2 * vn + p * n.y, e: (u.e + p) * vn }
    }

    /// HLLC: two sound waves and the contact between them.
    ///
    /// Reference: E. F. Toro, M. Spruce & W. Speares, Shock Waves 4 (1994) 25–34, <https://doi.org/10.1007/BF01414629>.
    #[numerical_flux]
    pub fn hllc(l: State, r: State, n: Normal, fluid: Fluid) -> State {
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (cl, cr) = (sound_speed(l, fluid), sound_speed(r, fluid));
        let sl = (vl - cl).min(vr - cr);
        let sr = (vl + cl).max(vr + cr);
        let (ml, mr) = (l.rho * (sl - vl), r.rho * (sr - vr));
        let contact = (pressure(r, fluid) - pressure(l, fluid) + ml * vl - mr * vr) / (ml - mr);
        if sl >= 0.0 {
            normal_flux(l, n, fluid)
        } else if contact >= 0.0 {
            star_flux(l, n, fluid, sl, contact)
        } else if sr > 0.0 {
            star_flux(r, n, fluid, sr, contact)
        } else {
            normal_flux(r, n, fluid)
        }
    }

    /// The flux between a sound wave of speed s and the contact.
    fn star_flux(u: State, n: Normal, fluid: Fluid, s: f64, contact: f64) -> State {
        let (vn, p, f) = (normal_velocity(u, n), pressure(u, fluid), normal_flux(u, n, fluid));
        let squeezed = (s - vn) / (s - contact);
        let jump = u.rho * (contact - vn);
        let energy = u.e + (contact - vn) * (u.rho * contact + p / (s - vn));
        State {
            rho: f.rho + s * (squeezed - 1.0) * u.rho,
            m1: f.m1 + s * (squeezed * (u.m1 + jump * n.x) - u.m1),
            m2: f.m2 + s * (squeezed * (u.m2 + jump * n.y) - u.m2),
            e: f.e + s * (squeezed * energy - u.e),
        }
    }

    #[boundary(impermeable = [rho, e])]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.m1 * n.x + u.m2 * n.y;
        State { m1: u.m1 - 2.0 * m * n.x, m2: u.m2 - 2.0 * m * n.y, ..u }
    }

    /// Water of a given pressure outside.
    #[boundary]
    pub fn given_pressure(u: State, fluid: Fluid) -> State {
        State { e: u.e + (1.0 - pressure(u, fluid)) / (fluid.gamma - 1.0), ..u }
    }

    #[boundary]
    pub fn supersonic_outflow(u: State) -> State {
        u
    }

    /// A contact of smooth density that moves with the water.
    #[exact]
    pub fn density_wave(x: Point, t: f64, fluid: Fluid) -> State {
        let rho = 1.0 + 0.5 * (x.x + x.y - 0.75 * t).sin();
        let inner = (1.0 + fluid.gamma * fluid.stiffness) / (fluid.gamma - 1.0);
        State { rho, m1: 0.5 * rho, m2: 0.25 * rho, e: inner + 0.15625 * rho }
    }
}
