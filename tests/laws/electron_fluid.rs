/// Electrons of constant temperature before ions at rest, in the direction of x, and the field that they make.
///
/// ```text
/// ∂n/∂t + ∂(nv)/∂x = 0,   ∂(nv)/∂t + ∂(nv² + a²n)/∂x = −nE,   ∂E/∂t = nv
/// ```
///
/// * n: density by that of the ions, v: velocity, E: electric field, a: speed of sound; times are in periods of the plasma over 2π
///
/// Reference: F. F. Chen, Introduction to Plasma Physics and Controlled Fusion, section 4.3, Springer 2016,
/// <https://doi.org/10.1007/978-3-319-22309-4>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod electron_fluid {
    #[parameters]
    pub struct Plasma {
        /// Speed of sound.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub a: f64,
    }

    #[state]
    pub struct State {
        /// Density.
        pub n: f64,
        /// Momentum.
        pub m: f64,
        /// Electric field, which the current charges where it flows.
        pub e: f64,
    }

    pub fn flux(u: State, plasma: Plasma) -> [State; 2] {
        let pressure = plasma.a * plasma.a * u.n;
        [State { n: u.m, m: u.m * u.m / u.n + pressure, e: 0.0 }, State { n: 0.0, m: 0.0, e: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, plasma: Plasma) -> [f64; 3] {
        let v = u.m / u.n;
        [(v - plasma.a) * n.x, 0.0, (v + plasma.a) * n.x]
    }

    #[admissible]
    pub fn some(u: State) -> [f64; 1] {
        [u.n]
    }

    #[source]
    pub fn field(u: State) -> State {
        State { n: 0.0, m: -u.n * u.e, e: u.m }
    }

    /// A wall that electrons do not reach.
    #[boundary(impermeable = n)]
    pub fn sheath(u: State) -> State {
        State { m: -u.m, ..u }
    }

    /// All electrons swing together.
    #[exact]
    pub fn swing(t: f64) -> State {
        State { n: 1.0, m: t.cos(), e: t.sin() }
    }
}
