//! What both forms of the equations of isotropic elastic waves share.

/// Two solid half spaces that meet at x = 0, and a pulse that meets the jump.
#[dg_runtime::helpers]
pub mod layers {
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

    /// Density and Lamé's parameters at x.
    pub fn solid_at(x: f64, layers: Layers) -> (f64, f64, f64) {
        if x < 0.0 {
            (layers.rho_left, layers.lambda_left, layers.mu_left)
        } else {
            (layers.rho_right, layers.lambda_right, layers.mu_right)
        }
    }

    /// The force of a stress on a face with the normal n.
    pub fn force(s11: f64, s22: f64, s12: f64, nx: f64, ny: f64) -> (f64, f64) {
        (s11 * nx + s12 * ny, s12 * nx + s22 * ny)
    }

    /// The stress with the opposite force on that face, and the same along it.
    pub fn reversed_force(s11: f64, s22: f64, s12: f64, nx: f64, ny: f64) -> (f64, f64, f64) {
        let (f1, f2) = force(s11, s22, s12, nx, ny);
        let normal = f1 * nx + f2 * ny;
        (
            s11 - 4.0 * f1 * nx + 2.0 * normal * nx * nx,
            s22 - 4.0 * f2 * ny + 2.0 * normal * ny * ny,
            s12 - 2.0 * (f1 * ny + f2 * nx) + 2.0 * normal * nx * ny,
        )
    }

    /// Speed of compression waves.
    pub fn p_speed(rho: f64, lambda: f64, mu: f64) -> f64 {
        ((lambda + 2.0 * mu) / rho).sqrt()
    }

    /// Speed of shear waves.
    pub fn s_speed(rho: f64, mu: f64) -> f64 {
        (mu / rho).sqrt()
    }

    /// Velocity, and its displacement's derivative along x, in a pulse of compression along x that meets the jump at the time 1.
    pub fn compression(x: f64, t: f64, layers: Layers) -> (f64, f64) {
        let left = p_speed(layers.rho_left, layers.lambda_left, layers.mu_left);
        let right = p_speed(layers.rho_right, layers.lambda_right, layers.mu_right);
        wave(x, t, (layers.rho_left, left), (layers.rho_right, right))
    }

    /// The same of shear.
    pub fn shear(x: f64, t: f64, layers: Layers) -> (f64, f64) {
        let left = s_speed(layers.rho_left, layers.mu_left);
        let right = s_speed(layers.rho_right, layers.mu_right);
        wave(x, t, (layers.rho_left, left), (layers.rho_right, right))
    }

    /// Velocity, and its displacement's derivative along x, in a pulse that meets a jump of density and speed at x = 0: a part is reflected, and
    /// the rest goes on.
    ///
    /// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, section 9.8, Cambridge 2002.
    fn wave(x: f64, t: f64, left: (f64, f64), right: (f64, f64)) -> (f64, f64) {
        let (zl, zr) = (left.0 * left.1, right.0 * right.1);
        if x < 0.0 {
            let delay = x / left.1;
            let (come, gone) = (pulse(t - delay), (zl - zr) / (zl + zr) * pulse(t + delay));
            (come + gone, (gone - come) / left.1)
        } else {
            let v = 2.0 * zl / (zl + zr) * pulse(t - x / right.1);
            (v, -v / right.1)
        }
    }

    fn pulse(t: f64) -> f64 {
        let s = (t - 1.0) / 0.2;
        (-s * s).exp()
    }
}
