//! Laws that are written with every part of the language, beside what the same formulas give in plain Rust.

/// Two numbers that are carried along, and functions of them.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod carried {
    /// Two numbers.
    #[state]
    pub struct State {
        /// The first.
        pub a: f64,
        /// The second.
        pub b: f64,
    }

    /// Factors.
    #[parameters]
    pub struct Factors {
        /// Of a sum.
        #[default(0.75)]
        pub s: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        let along = 2.0 * u;
        [along, -along / 4.0]
    }

    /// Both move alike.
    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [2.0 * n.x - 0.5 * n.y; 2]
    }

    /// Upwind, by arithmetic of states.
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal) -> State {
        let speed = 2.0 * n.x - 0.5 * n.y;
        let [fl, gl] = flux(l);
        0.5 * (speed * (l + r) - speed.abs() * (r - l)) + 0.0 * (fl - fl * 1.0) - (gl - gl)
    }

    /// Every operator of states, of variables, literals, calls and other sums.
    #[output]
    pub fn states(u: State, factors: Factors) -> f64 {
        let v = State { a: u.b, ..u } + swapped(u);
        let w = u + factors.s * (v - swapped(u)) / (1.0 + u.a * u.a) - State { a: 1.0, b: u.a } * 0.25;
        let x = -(u - w * (factors.s - 2.0)) + (if u.a > 0.5 { u } else { v }) * u.b;
        x.a - 3.0 * x.b
    }

    fn swapped(u: State) -> State {
        State { a: u.b, b: u.a }
    }
}
