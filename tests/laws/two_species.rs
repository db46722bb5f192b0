/// The Euler equations of a mixture of two ideal gases with one velocity and one temperature.
///
/// ```text
/// ∂ρₖ/∂t + ∇·(ρₖv) = 0 (k = 1, 2),   ∂(ρv)/∂t + ∇·(ρv⊗v + p I) = 0,   ∂E/∂t + ∇·((E + p) v) = 0
/// p = (γ − 1) (E − ½ρ|v|²),   γ = (ρ₁c₁γ₁ + ρ₂c₂γ₂) / (ρ₁c₁ + ρ₂c₂),   ρ = ρ₁ + ρ₂
/// ```
///
/// * ρₖ: partial densities, v: velocity, E: total energy, p: pressure, γₖ: ratios of specific heats, cₖ: heat capacities at
///   constant volume
///
/// References: B. Larrouturou, J. Comput. Phys. 95 (1991) 59–84, <https://doi.org/10.1016/0021-9991(91)90253-H>; R. Abgrall &
/// S. Karni, J. Comput. Phys. 169 (2001) 594–623, <https://doi.org/10.1006/jcph.2000.6685>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod two_species {
    #[parameters]
    pub struct Gases {
        /// Ratio of specific heats of the first gas.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma1: f64,
        /// Ratio of specific heats of the second gas.
        #[default(1.67)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma2: f64,
        /// Heat capacity of the first gas.
        #[default(0.72)]
        #[range((Excluded(0.0), Unbounded))]
        pub heat1: f64,
        /// Heat capacity of the second gas.
        #[default(3.11)]
        #[range((Excluded(0.0), Unbounded))]
        pub heat2: f64,
    }

    #[state]
    pub struct State {
        /// Density of the first gas.
        pub rho1: f64,
        /// Density of the second gas.
        pub rho2: f64,
        /// Momentum in x.
        pub m1: f64,
        /// Momentum in y.
        pub m2: f64,
        /// Total energy.
        pub e: f64,
    }

    #[output]
    pub fn gamma(u: State, gases: Gases) -> f64 {
        let (first, second) = (u.rho1 * gases.heat1, u.rho2 * gases.heat2);
        (first * gases.gamma1 + second * gases.gamma2) / (first + second)
    }

    #[output]
    pub fn pressure(u: State, gases: Gases) -> f64 {
        (gamma(u, gases) - 1.0) * (u.e - 0.5 * (u.m1 * u.m1 + u.m2 * u.m2) / (u.rho1 + u.rho2))
    }

    pub fn flux(u: State, gases: Gases) -> [State; 2] {
        let rho = u.rho1 + u.rho2;
        let (v1, v2) = (u.m1 / rho, u.m2 / rho);
        let p = pressure(u, gases);
        [
            State { rho1: u.rho1 * v1, rho2: u.rho2 * v1, m1: u.m1 * v1 + p, m2: u.m2 * v1, e: (u.e + p) * v1 },
            State { rho1: u.rho1 * v2, rho2: u.rho2 * v2, m1: u.m1 * v2, m2: u.m2 * v2 + p, e: (u.e + p) * v2 },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal, gases: Gases) -> [f64; 5] {
        let rho = u.rho1 + u.rho2;
        let vn = (u.m1 * n.x + u.m2 * n.y) / rho;
        let c = (gamma(u, gases) * pressure(u, gases) / rho).sqrt();
        [vn - c, vn, vn, vn, vn + c]
    }

    #[admissible]
    pub fn positive(u: State, gases: Gases) -> [f64; 3] {
        [u.rho1, u.rho2, pressure(u, gases)]
    }

    #[minimum_principle]
    pub fn share(u: State) -> [f64; 2] {
        let share = u.rho1 / (u.rho1 + u.rho2);
        [share, -share]
    }

    #[boundary(impermeable = [rho1, rho2, e])]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.m1 * n.x + u.m2 * n.y;
        State { m1: u.m1 - 2.0 * m * n.x, m2: u.m2 - 2.0 * m * n.y, ..u }
    }

    #[exact(manufactured)]
    pub fn breath(x: Point, t: f64) -> State {
        let wave = 0.25 * (x.x + x.y - t).sin();
        State { rho1: 1.0 + wave, rho2: 1.0 - wave, m1: 0.5, m2: 0.25, e: 3.0 + wave }
    }
}
