//! Sound in a medium at rest.

/// Sound in a medium at rest, in two dimensions.
///
/// ```text
/// ∂e/∂t + ∂(m₁/ρ)/∂x + ∂(m₂/ρ)/∂y = 0
/// ∂m₁/∂t + ∂(K e)/∂x = 0
/// ∂m₂/∂t + ∂(K e)/∂y = 0
/// ```
///
/// * e: compression, so that K e is the pressure
/// * (m₁, m₂): momentum
/// * ρ, K: density and bulk modulus of the medium at rest, which may vary and jump
///
/// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, chapter 9, Cambridge 2002,
/// <https://doi.org/10.1017/CBO9780511791253>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod acoustics {
    /// Two half spaces that meet at x = 0.
    #[parameters]
    pub struct Layers {
        /// Density where x < 0.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub rho_left: f64,
        /// Density where x > 0.
        #[default(4.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub rho_right: f64,
        /// Bulk modulus where x < 0.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub bulk_left: f64,
        /// Bulk modulus where x > 0.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub bulk_right: f64,
    }

    /// The medium at rest.
    #[medium]
    pub struct Rest {
        /// Density.
        #[range((Excluded(0.0), Unbounded))]
        pub rho: f64,
        /// Bulk modulus.
        #[range((Excluded(0.0), Unbounded))]
        pub bulk: f64,
    }

    /// Small disturbances of the medium.
    #[state]
    #[symmetry(rotation = (m1, m2), reflection = (m1, m2))]
    pub struct State {
        /// Compression.
        pub e: f64,
        /// Momentum in the direction of x.
        pub m1: f64,
        /// Momentum in the direction of y.
        pub m2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, rest: Rest) -> [State; 2] {
        let p = pressure(u, rest);
        [State { e: u.m1 / rest.rho, m1: p, m2: 0.0 }, State { e: u.m2 / rest.rho, m1: 0.0, m2: p }]
    }

    /// Sound in both directions; vortices stay where they are.
    pub fn eigenvalues(_: State, _: Normal, rest: Rest) -> [f64; 3] {
        let c = speed_of_sound(rest);
        [-c, 0.0, c]
    }

    fn speed_of_sound(rest: Rest) -> f64 {
        (rest.bulk / rest.rho).sqrt()
    }

    /// ρ c: the pressure over the velocity in a wave.
    fn impedance(rest: Rest) -> f64 {
        (rest.bulk * rest.rho).sqrt()
    }

    /// Pressure.
    #[output]
    pub fn pressure(u: State, rest: Rest) -> f64 {
        rest.bulk * u.e
    }

    fn normal_velocity(u: State, n: Normal, rest: Rest) -> f64 {
        (u.m1 * n.x + u.m2 * n.y) / rest.rho
    }

    /// The flux of the exact solution between two states, with the impedances of both sides.
    ///
    /// Reference: LeVeque, section 9.9.
    #[numerical_flux(exact = contact)]
    pub fn godunov(l: State, r: State, n: Normal, left: Rest, right: Rest) -> State {
        let (zl, zr) = (impedance(left), impedance(right));
        let (pl, pr) = (pressure(l, left), pressure(r, right));
        let (vl, vr) = (normal_velocity(l, n, left), normal_velocity(r, n, right));
        let p = (zr * pl + zl * pr + zl * zr * (vl - vr)) / (zl + zr);
        let v = (zl * vl + zr * vr + pl - pr) / (zl + zr);
        State { e: v, m1: p * n.x, m2: p * n.y }
    }

    /// A rigid wall: the normal velocity is reversed.
    #[boundary(impermeable = e)]
    pub fn rigid_wall(u: State, n: Normal) -> State {
        let mn = u.m1 * n.x + u.m2 * n.y;
        State { m1: u.m1 - 2.0 * mn * n.x, m2: u.m2 - 2.0 * mn * n.y, ..u }
    }

    /// Two half spaces that meet at x = 0.
    #[medium]
    pub fn layered(x: Point, layers: Layers) -> Rest {
        if x.x < 0.0 {
            Rest { rho: layers.rho_left, bulk: layers.bulk_left }
        } else {
            Rest { rho: layers.rho_right, bulk: layers.bulk_right }
        }
    }

    /// A pulse that meets the jump at x = 0 and the time 1, and is reflected and transmitted.
    ///
    /// Reference: LeVeque, section 9.8.
    #[exact]
    pub fn transmission(x: Point, t: f64, layers: Layers) -> State {
        let left = Rest { rho: layers.rho_left, bulk: layers.bulk_left };
        let right = Rest { rho: layers.rho_right, bulk: layers.bulk_right };
        let (zl, zr) = (impedance(left), impedance(right));
        if x.x < 0.0 {
            let delay = x.x / speed_of_sound(left);
            let (come, gone) = (pulse(t - delay), (zr - zl) / (zr + zl) * pulse(t + delay));
            State { e: (come + gone) / left.bulk, m1: left.rho * (come - gone) / zl, m2: 0.0 }
        } else {
            let p = 2.0 * zr / (zr + zl) * pulse(t - x.x / speed_of_sound(right));
            State { e: p / right.bulk, m1: right.rho * p / zr, m2: 0.0 }
        }
    }

    fn pulse(t: f64) -> f64 {
        let s = (t - 1.0) / 0.2;
        (-s * s).exp()
    }
}
