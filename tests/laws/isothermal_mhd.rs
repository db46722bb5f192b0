/// Ideal magnetohydrodynamics of a gas of constant temperature.
///
/// ```text
/// ∂ρ/∂t + ∇·(ρv) = 0,   ∂(ρv)/∂t + ∇·(ρv⊗v − B⊗B + (a²ρ + ½|B|²) I) = 0,   ∂B/∂t + ∇·(v⊗B − B⊗v) = 0
/// ```
///
/// * ρ: density, v: velocity, B: magnetic field, a: speed of sound
///
/// The flux of the field normal to a face vanishes there, so that one eigenvalue is 0.
/// Reference: J. Kim, D. Ryu, T. W. Jones & S. S. Hong, Astrophys. J. 514 (1999) 506–519, <https://doi.org/10.1086/306930>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod isothermal_mhd {
    #[parameters]
    pub struct Gas {
        /// Speed of sound.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub a: f64,
    }

    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in x.
        pub m1: f64,
        /// Momentum in y.
        pub m2: f64,
        /// Momentum across the plane.
        pub m3: f64,
        /// Magnetic field in x.
        pub b1: f64,
        /// Magnetic field in y.
        pub b2: f64,
        /// Magnetic field across the plane.
        pub b3: f64,
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let (v1, v2, v3) = (u.m1 / u.rho, u.m2 / u.rho, u.m3 / u.rho);
        let p = gas.a * gas.a * u.rho + 0.5 * (u.b1 * u.b1 + u.b2 * u.b2 + u.b3 * u.b3);
        let induced = v1 * u.b2 - v2 * u.b1;
        [
            State {
                rho: u.m1,
                m1: u.m1 * v1 - u.b1 * u.b1 + p,
                m2: u.m2 * v1 - u.b1 * u.b2,
                m3: u.m3 * v1 - u.b1 * u.b3,
                b1: 0.0,
                b2: induced,
                b3: v1 * u.b3 - v3 * u.b1,
            },
            State {
                rho: u.m2,
                m1: u.m1 * v2 - u.b1 * u.b2,
                m2: u.m2 * v2 - u.b2 * u.b2 + p,
                m3: u.m3 * v2 - u.b2 * u.b3,
                b1: -induced,
                b2: 0.0,
                b3: v2 * u.b3 - v3 * u.b2,
            },
        ]
    }

    /// Fast, Alfvén's and slow waves, and the field normal to the face.
    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 7] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        let bn = (u.b1 * n.x + u.b2 * n.y) / u.rho.sqrt();
        let a2 = gas.a * gas.a;
        let sum = a2 + (u.b1 * u.b1 + u.b2 * u.b2 + u.b3 * u.b3) / u.rho;
        let root = (sum * sum - 4.0 * a2 * bn * bn).max(0.0).sqrt();
        let fast = (0.5 * (sum + root)).sqrt();
        let slow = (0.5 * (sum - root)).max(0.0).sqrt();
        [vn - fast, vn - bn.abs(), vn - slow, 0.0, vn + slow, vn + bn.abs(), vn + fast]
    }

    #[admissible]
    pub fn positive(u: State) -> [f64; 1] {
        [u.rho]
    }

    /// A circularly polarised wave of Alfvén, of any strength.
    #[exact]
    pub fn alfven_wave(x: Point, t: f64) -> State {
        let phase = x.x - t;
        let (across, upward) = (0.5 * phase.sin(), 0.5 * phase.cos());
        State { rho: 1.0, m1: 0.0, m2: -across, m3: -upward, b1: 1.0, b2: across, b3: upward }
    }

    #[boundary]
    pub fn outflow(u: State) -> State {
        u
    }
}
