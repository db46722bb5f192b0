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
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod elastic {
    /// Two half spaces that meet at x = 0.
    #[parameters]
    pub struct Layers {
        /// Density where x < 0.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub rho_left: f64,
        /// Lamé's first parameter where x < 0.
        #[default(2.0)]
        #[range(0.0..)]
        pub lambda_left: f64,
        /// Shear modulus where x < 0.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub mu_left: f64,
        /// Density where x > 0.
        #[default(2.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub rho_right: f64,
        /// Lamé's first parameter where x > 0.
        #[default(8.0)]
        #[range(0.0..)]
        pub lambda_right: f64,
        /// Shear modulus where x > 0.
        #[default(4.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub mu_right: f64,
    }

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

    fn p_speed(solid: Solid) -> f64 {
        ((solid.lambda + 2.0 * solid.mu) / solid.rho).sqrt()
    }

    fn s_speed(solid: Solid) -> f64 {
        (solid.mu / solid.rho).sqrt()
    }

    /// Compression and shear in both directions; strain along the front stays where it is.
    pub fn eigenvalues(_: State, _: Normal, solid: Solid) -> [f64; 5] {
        let (cp, cs) = (p_speed(solid), s_speed(solid));
        [-cp, -cs, 0.0, cs, cp]
    }

    /// A surface on which no force acts: the force on it is reversed.
    #[boundary(impermeable = [m1, m2])]
    pub fn free_surface(u: State, n: Normal, solid: Solid) -> State {
        let (s11, s22, s12) = stress(u, solid);
        let (f1, f2) = (s11 * n.x + s12 * n.y, s12 * n.x + s22 * n.y);
        let normal = f1 * n.x + f2 * n.y;
        with_stress(
            u,
            s11 - 4.0 * f1 * n.x + 2.0 * normal * n.x * n.x,
            s22 - 4.0 * f2 * n.y + 2.0 * normal * n.y * n.y,
            s12 - 2.0 * (f1 * n.y + f2 * n.x) + 2.0 * normal * n.x * n.y,
            solid,
        )
    }

    /// A surface that is held fast: the velocity is reversed.
    #[boundary(impermeable = [e11, e22, e12])]
    pub fn clamped(u: State) -> State {
        State { m1: -u.m1, m2: -u.m2, ..u }
    }

    /// Two half spaces that meet at x = 0.
    #[medium]
    pub fn layered(x: Point, layers: Layers) -> Solid {
        if x.x < 0.0 { left(layers) } else { right(layers) }
    }

    fn left(layers: Layers) -> Solid {
        Solid { rho: layers.rho_left, lambda: layers.lambda_left, mu: layers.mu_left }
    }

    fn right(layers: Layers) -> Solid {
        Solid { rho: layers.rho_right, lambda: layers.lambda_right, mu: layers.mu_right }
    }

    /// A pulse of compression along x that meets the jump at x = 0 and the time 1, and is reflected and transmitted.
    ///
    /// Reference: LeVeque, section 9.8.
    #[exact]
    pub fn p_pulse(x: Point, t: f64, layers: Layers) -> State {
        let (v, strain) =
            wave(x, t, (left(layers).rho, p_speed(left(layers))), (right(layers).rho, p_speed(right(layers))));
        let rho = if x.x < 0.0 { layers.rho_left } else { layers.rho_right };
        State { e11: strain, e22: 0.0, e12: 0.0, m1: rho * v, m2: 0.0 }
    }

    /// The same of shear.
    #[exact]
    pub fn s_pulse(x: Point, t: f64, layers: Layers) -> State {
        let (v, strain) =
            wave(x, t, (left(layers).rho, s_speed(left(layers))), (right(layers).rho, s_speed(right(layers))));
        let rho = if x.x < 0.0 { layers.rho_left } else { layers.rho_right };
        State { e11: 0.0, e22: 0.0, e12: 0.5 * strain, m1: 0.0, m2: rho * v }
    }

    /// Velocity, and its displacement's derivative along x, in a pulse that meets a jump of density and speed at x = 0.
    fn wave(x: Point, t: f64, left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
        let (zl, zr) = (left.0 * left.1, right.0 * right.1);
        if x.x < 0.0 {
            let delay = x.x / left.1;
            let (come, gone) = (pulse(t - delay), (zl - zr) / (zl + zr) * pulse(t + delay));
            (come + gone, (gone - come) / left.1)
        } else {
            let v = 2.0 * zl / (zl + zr) * pulse(t - x.x / right.1);
            (v, -v / right.1)
        }
    }

    fn pulse(t: f64) -> f64 {
        let s = (t - 1.0) / 0.2;
        (-s * s).exp()
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
