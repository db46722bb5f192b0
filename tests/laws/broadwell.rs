/// A gas whose molecules move along the axes only, in both directions, and turn when two meet head-on: Broadwell's model.
///
/// ```text
/// ∂e/∂t + ∂e/∂x = Q,   ∂w/∂t − ∂w/∂x = Q,   ∂n/∂t + ∂n/∂y = −Q,   ∂s/∂t − ∂s/∂y = −Q,   Q = σ (n s − e w)
/// ```
///
/// * e, w, n, s: densities of molecules that move east, west, north and south, σ: cross section
///
/// Reference: J. E. Broadwell, Phys. Fluids 7 (1964) 1243–1247, <https://doi.org/10.1063/1.1711368>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod broadwell {
    #[parameters]
    pub struct Gas {
        /// Cross section of molecules.
        #[default(1.0)]
        #[range(0.0..)]
        pub sigma: f64,
    }

    #[state]
    pub struct State {
        /// Molecules that move east.
        pub east: f64,
        /// Molecules that move west.
        pub west: f64,
        /// Molecules that move north.
        pub north: f64,
        /// Molecules that move south.
        pub south: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        [
            State { east: u.east, west: -u.west, north: 0.0, south: 0.0 },
            State { east: 0.0, west: 0.0, north: u.north, south: -u.south },
        ]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 4] {
        [n.x, -n.x, n.y, -n.y]
    }

    #[source]
    pub fn collisions(u: State, gas: Gas) -> State {
        let q = gas.sigma * (u.north * u.south - u.east * u.west);
        State { east: q, west: q, north: -q, south: -q }
    }

    /// Kinetic: each kind of molecules comes from the side that it leaves.
    #[numerical_flux]
    pub fn kinetic(l: State, r: State, n: Normal) -> State {
        let (right, left) = (n.x.max(0.0), n.x.min(0.0));
        let (up, down) = (n.y.max(0.0), n.y.min(0.0));
        State {
            east: right * l.east + left * r.east,
            west: -left * l.west - right * r.west,
            north: up * l.north + down * r.north,
            south: -down * l.south - up * r.south,
        }
    }

    #[output]
    pub fn density(u: State) -> f64 {
        u.east + u.west + u.north + u.south
    }

    /// Molecules that gather in waves along the diagonal.
    #[exact(manufactured)]
    pub fn breeze(x: Point, t: f64) -> State {
        let wave = 0.25 * (x.x + x.y - t).sin();
        State { east: 1.0 + wave, west: 1.0 - wave, north: 1.0, south: 1.0 }
    }
}
