//! The ten-moment equations of a rarefied gas.

/// A rarefied gas whose pressure is a tensor: the ten-moment equations (Gaussian closure), of which two dimensions have six.
///
/// ```text
/// ∂ρ/∂t + ∇·(ρv) = 0,   ∂(ρv)/∂t + ∇·(ρv⊗v + p) = 0,   ∂Eᵢⱼ/∂t + ∂ₖ (Eᵢⱼvₖ + ½ (pᵢₖvⱼ + pⱼₖvᵢ)) = 0,   E = ½ (ρv⊗v + p)
/// ```
///
/// * ρ: density, v: velocity, p: tensor of the pressure, E: tensor of the energy
/// * √(3 p_nn / ρ), √(p_nn / ρ): speeds of sound and of shear along a normal n; along an axis without shear this is a gas with γ = 3
///
/// References: C. D. Levermore, J. Stat. Phys. 83 (1996) 1021–1065, <https://doi.org/10.1007/BF02179552>; A. K. Meena, H. Kumar &
/// P. Chandrashekar, J. Comput. Phys. 339 (2017) 370–395, <https://doi.org/10.1016/j.jcp.2017.03.024>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=3)]
pub mod ten_moment {
    /// Densities of mass, momentum and energy.
    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in x.
        pub m1: f64,
        /// Momentum in y.
        pub m2: f64,
        /// Energy of the motion in x.
        pub e11: f64,
        /// What couples the motions in x and y.
        pub e12: f64,
        /// Energy of the motion in y.
        pub e22: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        let [p11, p12, p22] = pressure(u);
        [
            State {
                rho: u.m1,
                m1: u.m1 * v1 + p11,
                m2: u.m2 * v1 + p12,
                e11: (u.e11 + p11) * v1,
                e12: u.e12 * v1 + 0.5 * (p11 * v2 + p12 * v1),
                e22: u.e22 * v1 + p12 * v2,
            },
            State {
                rho: u.m2,
                m1: u.m1 * v2 + p12,
                m2: u.m2 * v2 + p22,
                e11: u.e11 * v2 + p12 * v1,
                e12: u.e12 * v2 + 0.5 * (p12 * v2 + p22 * v1),
                e22: (u.e22 + p22) * v2,
            },
        ]
    }

    /// Sound and shear in both directions; two quantities are carried with the gas.
    pub fn eigenvalues(u: State, n: Normal) -> [f64; 6] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        let [p11, p12, p22] = pressure(u);
        let a = ((p11 * n.x * n.x + 2.0 * p12 * n.x * n.y + p22 * n.y * n.y) / u.rho).sqrt();
        let c = 3.0_f64.sqrt() * a;
        [vn - c, vn - a, vn, vn, vn + a, vn + c]
    }

    /// Pressure of the motion in x.
    #[output]
    pub fn p11(u: State) -> f64 {
        2.0 * u.e11 - u.m1 * u.m1 / u.rho
    }

    /// What couples the pressures in x and y.
    #[output]
    pub fn p12(u: State) -> f64 {
        2.0 * u.e12 - u.m1 * u.m2 / u.rho
    }

    /// Pressure of the motion in y.
    #[output]
    pub fn p22(u: State) -> f64 {
        2.0 * u.e22 - u.m2 * u.m2 / u.rho
    }

    fn pressure(u: State) -> [f64; 3] {
        [p11(u), p12(u), p22(u)]
    }

    /// Density is positive, and the tensor of the pressure is positive definite.
    #[admissible]
    pub fn positive(u: State) -> [f64; 3] {
        let [p11, p12, p22] = pressure(u);
        [u.rho, p11 + p22, p11 * p22 - p12 * p12]
    }

    /// Entropy is carried with the gas and grows in shocks.
    #[minimum_principle]
    pub fn entropy(u: State) -> [f64; 1] {
        let [p11, p12, p22] = pressure(u);
        [((p11 * p22 - p12 * p12) / u.rho.powi(4)).ln()]
    }

    /// The state of density ρ, velocity (v₁, v₂) and pressures.
    #[variables]
    pub fn from_pressure(rho: f64, v1: f64, v2: f64, p11: f64, p12: f64, p22: f64) -> State {
        State {
            rho,
            m1: rho * v1,
            m2: rho * v2,
            e11: 0.5 * (rho * v1 * v1 + p11),
            e12: 0.5 * (rho * v1 * v2 + p12),
            e22: 0.5 * (rho * v2 * v2 + p22),
        }
    }

    /// Layers of different density that move together.
    #[exact]
    pub fn density_wave(x: Point, t: f64) -> State {
        from_pressure(2.0 + (x.x - x.y - 0.25 * t).sin(), 0.5, 0.25, 1.0, 0.25, 0.5)
    }

    /// Supersonic outflow, where nothing comes in.
    #[boundary]
    pub fn outflow(u: State) -> State {
        u
    }
}
