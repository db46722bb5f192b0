//! Waves in an elastic solid.

/// Elastic waves in an isotropic solid, in two dimensions (plane strain).
///
/// ```text
/// ∂ε/∂t = (∇v + ∇vᵀ) / 2,   ∂m/∂t = ∇·σ,   σ = λ tr(ε) I + 2 μ ε,   v = m / ρ
/// ```
///
/// * ε: strain; m: momentum
/// * σ: stress; v: velocity
/// * ρ, λ, μ: density and Lamé's parameters of the solid, which may vary and jump
///
/// With strain and momentum the equations are conservation laws in any solid; with stress and velocity they are not where it varies.
///
/// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, chapter 22, Cambridge 2002,
/// <https://doi.org/10.1017/CBO9780511791253>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7, helpers = crate::layers)]
pub mod elastic {
    use crate::layers::{self, Layers};

    /// The solid.
    #[medium]
    pub struct Solid {
        /// Density.
        #[range((Excluded(0.0), Unbounded))]
        pub rho: f64,
        /// Lamé's first parameter.
        #[range(0.0..)]
        pub lambda: f64,
        /// Shear modulus.
        #[range((Excluded(0.0), Unbounded))]
        pub mu: f64,
    }

    /// Strain and momentum.
    #[state]
    pub struct State {
        /// Strain along x.
        pub e11: f64,
        /// Strain along y.
        pub e22: f64,
        /// Shear strain.
        pub e12: f64,
        /// Momentum in the direction of x.
        pub m1: f64,
        /// Momentum in the direction of y.
        pub m2: f64,
    }

    /// Stress along x, along y, and shear stress.
    fn stress(u: State, solid: Solid) -> (f64, f64, f64) {
        let pressure = solid.lambda * (u.e11 + u.e22);
        (pressure + 2.0 * solid.mu * u.e11, pressure + 2.0 * solid.mu * u.e22, 2.0 * solid.mu * u.e12)
    }

    /// The state with this stress.
    fn with_stress(u: State, s11: f64, s22: f64, s12: f64, solid: Solid) -> State {
        let pressure = 0.5 * solid.lambda / (solid.lambda + solid.mu) * (s11 + s22);
        let twice = 2.0 * solid.mu;
        State { e11: (s11 - pressure) / twice, e22: (s22 - pressure) / twice, e12: s12 / twice, ..u }
    }

    /// Physical flux.
    pub fn flux(u: State, solid: Solid) -> [State; 2] {
        let (s11, s22, s12) = stress(u, solid);
        let (v1, v2) = (u.m1 / solid.rho, u.m2 / solid.rho);
        [
            State { e11: -v1, e22: 0.0, e12: -0.5 * v2, m1: -s11, m2: -s12 },
            State { e11: 0.0, e22: -v2, e12: -0.5 * v1, m1: -s12, m2: -s22 },
        ]
    }

    /// Compression and shear in both directions; strain along the front stays where it is.
    pub fn eigenvalues(_: State, _: Normal, solid: Solid) -> [f64; 5] {
        let (cp, cs) = (layers::p_speed(solid.rho, solid.lambda, solid.mu), layers::s_speed(solid.rho, solid.mu));
        [-cp, -cs, 0.0, cs, cp]
    }

    /// A surface on which no force acts: the force on it is reversed.
    #[boundary(impermeable = [m1, m2])]
    pub fn free_surface(u: State, n: Normal, solid: Solid) -> State {
        let (s11, s22, s12) = stress(u, solid);
        let (s11, s22, s12) = layers::reversed_force(s11, s22, s12, n.x, n.y);
        with_stress(u, s11, s22, s12, solid)
    }

    /// A surface that is held fast: the velocity is reversed.
    #[boundary(impermeable = [e11, e22, e12])]
    pub fn clamped(u: State) -> State {
        State { m1: -u.m1, m2: -u.m2, ..u }
    }

    /// Two half spaces that meet at x = 0.
    #[medium]
    pub fn layered(x: Point, layers: Layers) -> Solid {
        let (rho, lambda, mu) = layers::solid_at(x.x, layers);
        Solid { rho, lambda, mu }
    }

    /// A pulse of compression along x that meets the jump at x = 0 and the time 1, and is reflected and transmitted.
    #[exact]
    pub fn p_pulse(x: Point, t: f64, layers: Layers) -> State {
        let (v, strain) = layers::compression(x.x, t, layers);
        let rho = layered(x, layers).rho;
        State { e11: strain, e22: 0.0, e12: 0.0, m1: rho * v, m2: 0.0 }
    }

    /// The same of shear.
    #[exact]
    pub fn s_pulse(x: Point, t: f64, layers: Layers) -> State {
        let (v, strain) = layers::shear(x.x, t, layers);
        let rho = layered(x, layers).rho;
        State { e11: 0.0, e22: 0.0, e12: 0.5 * strain, m1: 0.0, m2: rho * v }
    }

    /// Stress along x.
    #[output]
    pub fn s11(u: State, solid: Solid) -> f64 {
        stress(u, solid).0
    }

    /// Stress along y.
    #[output]
    pub fn s22(u: State, solid: Solid) -> f64 {
        stress(u, solid).1
    }

    /// Shear stress.
    #[output]
    pub fn s12(u: State, solid: Solid) -> f64 {
        stress(u, solid).2
    }

    /// Velocity in the direction of x.
    #[output]
    pub fn v1(u: State, solid: Solid) -> f64 {
        u.m1 / solid.rho
    }

    /// Velocity in the direction of y.
    #[output]
    pub fn v2(u: State, solid: Solid) -> f64 {
        u.m2 / solid.rho
    }
}
