//! A law with what those of `equations` lack: a source, and boundaries that depend on position and time.

/// Sound with friction, in a room that one wall shakes: three components, boundaries of two kinds, a source.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod sound {
    /// The state.
    #[state]
    pub struct State {
        /// Pressure.
        pub p: f64,
        /// Velocity in x.
        pub v1: f64,
        /// Velocity in y.
        pub v2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        [State { p: u.v1, v1: u.p, v2: 0.0 }, State { p: u.v2, v1: 0.0, v2: u.p }]
    }

    /// The speed of sound is 1.
    pub fn eigenvalues(_: State, _: Normal) -> [f64; 3] {
        [-1.0, 0.0, 1.0]
    }

    /// Friction, which grows along x.
    #[source]
    pub fn friction(u: State, x: Point) -> State {
        State { p: 0.0, v1: -x.x * u.v1, v2: -x.x * u.v2 }
    }

    /// A wall at rest.
    #[boundary]
    pub fn wall(u: State, n: Normal) -> State {
        let m = 2.0 * (u.v1 * n.x + u.v2 * n.y);
        State { p: u.p, v1: u.v1 - m * n.x, v2: u.v2 - m * n.y }
    }

    /// A wall that shakes.
    #[boundary]
    pub fn shaken(u: State, x: Point, t: f64) -> State {
        State { p: u.p + (x.y + 9.0 * t).sin(), v1: u.v1, v2: u.v2 }
    }

    /// A swelling.
    #[initial]
    pub fn swelling(x: Point) -> State {
        State { p: (-4.0 * x.x * x.x - 4.0 * x.y * x.y).exp(), v1: 0.0, v2: 0.1 }
    }
}
