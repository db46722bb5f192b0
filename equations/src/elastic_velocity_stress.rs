//! Waves in an elastic solid, in velocity and stress.

/// Elastic waves in an isotropic solid, in velocity and stress (plane strain).
///
/// ```text
/// ∂σ/∂t = λ (∇·v) I + μ (∇v + ∇vᵀ),   ρ ∂v/∂t = ∇·σ
/// ```
///
/// * σ: stress; v: velocity
/// * ρ, λ, μ: density and Lamé's parameters of the solid, which may vary and jump
///
/// It is seismology's form. Where the solid varies it is no conservation law, so that all terms are products; [`elastic`](crate::elastic) is
/// one in any solid.
///
/// References: J. Virieux, Geophysics 51 (1986) 889–901, <https://doi.org/10.1190/1.1442147>; M. Käser & M. Dumbser, Geophys. J. Int. 166
/// (2006) 855–877, <https://doi.org/10.1111/j.1365-246X.2006.03051.x>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7, helpers = crate::layers)]
pub mod elastic_velocity_stress {
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

    /// Stress and velocity.
    #[state]
    pub struct State {
        /// Stress along x.
        pub s11: f64,
        /// Stress along y.
        pub s22: f64,
        /// Shear stress.
        pub s12: f64,
        /// Velocity in the direction of x.
        pub v1: f64,
        /// Velocity in the direction of y.
        pub v2: f64,
    }

    /// There is no flux.
    pub fn flux(_: State) -> [State; 2] {
        [State { s11: 0.0, s22: 0.0, s12: 0.0, v1: 0.0, v2: 0.0 }; 2]
    }

    /// Hooke's law for the change of the stress, and Newton's for that of the velocity.
    #[nonconservative]
    pub fn hooke_and_newton(_: State, change: State, n: Normal, solid: Solid) -> State {
        let (along1, along2) = (change.v1 * n.x, change.v2 * n.y);
        let pressure = solid.lambda * (along1 + along2);
        let (f1, f2) = layers::force(change.s11, change.s22, change.s12, n.x, n.y);
        State {
            s11: -pressure - 2.0 * solid.mu * along1,
            s22: -pressure - 2.0 * solid.mu * along2,
            s12: -solid.mu * (change.v1 * n.y + change.v2 * n.x),
            v1: -f1 / solid.rho,
            v2: -f2 / solid.rho,
        }
    }

    /// Compression and shear in both directions; stress along the front stays where it is.
    pub fn eigenvalues(_: State, _: Normal, solid: Solid) -> [f64; 5] {
        let (cp, cs) = (layers::p_speed(solid.rho, solid.lambda, solid.mu), layers::s_speed(solid.rho, solid.mu));
        [-cp, -cs, 0.0, cs, cp]
    }

    /// A surface on which no force acts: the force on it is reversed.
    #[boundary]
    pub fn free_surface(u: State, n: Normal) -> State {
        let (s11, s22, s12) = layers::reversed_force(u.s11, u.s22, u.s12, n.x, n.y);
        State { s11, s22, s12, ..u }
    }

    /// A surface that is held fast: the velocity is reversed.
    #[boundary]
    pub fn clamped(u: State) -> State {
        State { v1: -u.v1, v2: -u.v2, ..u }
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
        let (v1, strain) = layers::compression(x.x, t, layers);
        let solid = layered(x, layers);
        let s22 = solid.lambda * strain;
        State { s11: s22 + 2.0 * solid.mu * strain, s22, s12: 0.0, v1, v2: 0.0 }
    }

    /// The same of shear.
    #[exact]
    pub fn s_pulse(x: Point, t: f64, layers: Layers) -> State {
        let (v2, strain) = layers::shear(x.x, t, layers);
        State { s11: 0.0, s22: 0.0, s12: layered(x, layers).mu * strain, v1: 0.0, v2 }
    }
}
