/// Sound in air or water at rest.
///
/// ```text
/// ∂p/∂t + K ∇·v = 0,   ∂v/∂t + ∇p / ρ = 0
/// ```
///
/// * p: pressure, v: velocity, K: bulk modulus, ρ: density, c = √(K/ρ): speed of sound
///
/// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, chapter 2, Cambridge University Press 2002,
/// <https://doi.org/10.1017/CBO9780511791253>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod acoustics {
    #[parameters]
    pub struct Medium {
        /// Bulk modulus.
        #[default(4.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub modulus: f64,
        /// Density.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub density: f64,
    }

    #[state]
    pub struct State {
        /// Pressure.
        pub p: f64,
        /// Velocity in x.
        pub v1: f64,
        /// Velocity in y.
        pub v2: f64,
    }

    pub fn flux(u: State, medium: Medium) -> [State; 2] {
        let force = u.p / medium.density;
        [State { p: medium.modulus * u.v1, v1: force, v2: 0.0 }, State { p: medium.modulus * u.v2, v1: 0.0, v2: force }]
    }

    fn sound_speed(medium: Medium) -> f64 {
        (medium.modulus / medium.density).sqrt()
    }

    pub fn eigenvalues(_: State, _: Normal, medium: Medium) -> [f64; 3] {
        let c = sound_speed(medium);
        [-c, 0.0, c]
    }

    /// Godunov's flux: pressure and velocity between the two waves that leave the face.
    #[numerical_flux]
    pub fn godunov(l: State, r: State, n: Normal, medium: Medium) -> State {
        let impedance = (medium.modulus * medium.density).sqrt();
        let (vl, vr) = (l.v1 * n.x + l.v2 * n.y, r.v1 * n.x + r.v2 * n.y);
        let p = 0.5 * (l.p + r.p) - 0.5 * impedance * (vr - vl);
        let v = 0.5 * (vl + vr) - 0.5 * (r.p - l.p) / impedance;
        State { p: medium.modulus * v, v1: p / medium.density * n.x, v2: p / medium.density * n.y }
    }

    #[boundary(impermeable = p)]
    pub fn hard_wall(u: State, n: Normal) -> State {
        let vn = u.v1 * n.x + u.v2 * n.y;
        State { p: u.p, v1: u.v1 - 2.0 * vn * n.x, v2: u.v2 - 2.0 * vn * n.y }
    }

    #[boundary(impermeable = [v1, v2])]
    pub fn soft_wall(u: State) -> State {
        State { p: -u.p, v1: u.v1, v2: u.v2 }
    }

    #[exact]
    pub fn plane_wave(x: Point, t: f64, medium: Medium) -> State {
        let c = sound_speed(medium);
        let p = (0.6 * x.x + 0.8 * x.y - c * t).sin();
        let v = p / (medium.density * c);
        State { p, v1: 0.6 * v, v2: 0.8 * v }
    }
}
