/// A gas in Lagrangian coordinates, in the direction of x: volume, velocity and energy of each particle.
///
/// ```text
/// ∂v/∂t − ∂w/∂x = 0,   ∂w/∂t + ∂p/∂x = 0,   ∂e/∂t + ∂(p w)/∂x = 0
/// p = (γ − 1) (e − ½ w²) / v
/// ```
///
/// * v: specific volume, w: velocity, e: total energy, p: pressure, γ: ratio of specific heats
///
/// Reference: E. Godlewski & P.-A. Raviart, Numerical Approximation of Hyperbolic Systems of Conservation Laws, Springer 2021,
/// <https://doi.org/10.1007/978-1-0716-1344-3>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod lagrangian_gas {
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
    }

    #[state]
    pub struct State {
        /// Specific volume.
        pub v: f64,
        /// Velocity.
        pub w: f64,
        /// Total energy per mass.
        pub e: f64,
    }

    fn pressure(u: State, gas: Gas) -> f64 {
        (gas.gamma - 1.0) * (u.e - 0.5 * u.w * u.w) / u.v
    }

    /// Mass that sound passes in a unit of time.
    fn impedance(u: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(u, gas) / u.v).sqrt()
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let p = pressure(u, gas);
        [State { v: -u.w, w: p, e: p * u.w }, State { v: 0.0, w: 0.0, e: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 3] {
        let z = impedance(u, gas);
        [-z * n.x, 0.0, z * n.x]
    }

    #[admissible]
    pub fn gaseous(u: State, gas: Gas) -> [f64; 2] {
        [u.v, pressure(u, gas)]
    }

    #[minimum_principle]
    pub fn entropy(u: State, gas: Gas) -> [f64; 1] {
        [(pressure(u, gas) * u.v.powf(gas.gamma)).ln()]
    }

    /// Godunov's acoustic solver: pressure and velocity between two sound waves.
    ///
    /// Reference: B. Després & C. Mazeran, Arch. Ration. Mech. Anal. 178 (2005) 327–372, <https://doi.org/10.1007/s00205-005-0375-4>.
    #[numerical_flux(exact = contact)]
    pub fn acoustic(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (a, b) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let (pa, pb) = (pressure(a, gas), pressure(b, gas));
        let z = impedance(a, gas).max(impedance(b, gas));
        let p = 0.5 * (pa + pb - z * (b.w - a.w));
        let w = 0.5 * (a.w + b.w - (pb - pa) / z);
        State { v: -w * n.x, w: p * n.x, e: p * w * n.x }
    }

    /// A piston at rest.
    #[boundary(impermeable = v)]
    pub fn piston(u: State) -> State {
        State { w: -u.w, ..u }
    }

    /// Layers of different density.
    #[exact]
    pub fn layers(x: Point, gas: Gas) -> State {
        State { v: 1.0 + 0.5 * x.x.sin(), w: 0.3, e: (1.0 + 0.5 * x.x.sin()) / (gas.gamma - 1.0) + 0.045 }
    }
}
