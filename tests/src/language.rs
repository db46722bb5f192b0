//! Laws that are written with every part of the language, beside what the same formulas give in plain Rust.

/// Two numbers that are carried along, and functions of them.
#[dg_runtime::conservation_law(dim = 2, orders = 1)]
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
        #[default(3.0 / 4.0)]
        #[range(0..=1)]
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
        0.5 * (speed * (l + r) - speed.abs() * (r - l)) + 0.0 * (fl - gl * 2.0)
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

    const ROWS: usize = 3;
    const TABLE: [[f64; 2]; ROWS] = [[1.0, -0.5], [0.25, THIRD], [2.0, 1e-3]];
    const THIRD: f64 = 1.0 / 3.0;

    /// Every function that is made of others.
    #[output]
    pub fn functions(u: State) -> f64 {
        let inside = 0.9 * u.a.tanh();
        let (sin, cos) = u.b.sin_cos();
        let even = u.a.hypot(u.b) + u.a.cosh() + u.a.clamp(-0.5, 0.75) + sin * cos + u.b.copysign(u.a);
        even + inside.asin() - inside.acos() * 0.5 + u.b.atan() + inside.sinh() + u.b.mul_add(u.a, 2.0) * u.a.signum()
    }

    /// Cube roots of either sign.
    #[output]
    pub fn cube_roots(u: State, factors: Factors) -> f64 {
        u.a.cbrt() - 2.0 * (u.a * u.b - factors.s).cbrt() + (-8.0_f64).cbrt()
    }

    /// Assignments, loops, exits from them, and iterators.
    #[output]
    pub fn statements(mut u: State, factors: Factors) -> f64 {
        let start = u;
        for (i, row) in TABLE.iter().enumerate() {
            u += row[0] * swapped(u) / (i + 1) as f64;
            if u.a < u.b {
                u.a -= row[1];
                continue;
            }
            u.b *= factors.s;
        }
        let mut x = 1.0 + u.a * u.a;
        for _ in 0..4 {
            let residual = x * x - 2.0;
            if residual.abs() < 0.01 {
                break;
            }
            x -= residual / (2.0 * x);
        }
        let sum: State = [start, u, 2.0 * u].iter().map(|v| *v * x).sum();
        let dot: f64 = TABLE[ROWS - 1].iter().zip([sum.a, sum.b]).map(|(w, v)| w * v).sum();
        if dot > 1.0 {
            return dot;
        }
        dot * (start.a - start.b)
    }

    /// Decay of the first number.
    #[source]
    pub fn decay(u: State, factors: Factors) -> State {
        State { a: -factors.s * u.a, b: 0.0 }
    }

    /// Waves that drive the second number.
    #[source]
    pub fn drive(x: Point, t: f64) -> State {
        State { a: 0.0, b: (x[0] - 2.0 * x[1] + t).sin() }
    }
}

/// What moves with the speed of sound.
#[dg_runtime::conservation_law(dim = 2, orders = 1, helpers = [self::gas])]
pub mod carried_by_sound {
    use super::gas::*;

    /// What moves.
    #[state]
    pub struct State {
        /// Its density.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        [u * sound_speed(1.0, 2.0, gas), 0.0 * u]
    }

    /// Along x.
    pub fn eigenvalues(_: State, n: Normal, gas: Gas) -> [f64; 1] {
        [n.x * sound_speed(1.0, 2.0, gas)]
    }
}

/// What the laws of one gas share.
#[dg_runtime::helpers]
pub mod gas {
    /// A gas.
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(7.0 / 5.0)]
        #[range(1.0..)]
        pub gamma: f64,
    }

    /// Density and pressure at rest.
    const REST: [f64; 2] = [2.0, 0.5];

    /// Speed of sound.
    pub fn sound_speed(rho: f64, p: f64, gas: Gas) -> f64 {
        root(gas.gamma * p / rho)
    }

    /// Speed of sound at rest.
    pub fn speed_at_rest(gas: Gas) -> f64 {
        sound_speed(REST[0], REST[1], gas)
    }

    fn root(a: f64) -> f64 {
        a.sqrt()
    }
}

/// Sound in a gas at rest.
#[dg_runtime::conservation_law(dim = 2, orders = 1, helpers = gas)]
pub mod sound_in_gas {
    use super::gas::{self, Gas};

    /// Disturbances.
    #[state]
    pub struct State {
        /// Of pressure.
        pub p: f64,
        /// Of velocity in x.
        pub v1: f64,
        /// Of velocity in y.
        pub v2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let still = State { p: 0.0, v1: 0.0, v2: 0.0 };
        let c = gas::speed_at_rest(gas);
        [c * State { p: u.v1, v1: u.p, ..still }, c * State { p: u.v2, v2: u.p, ..still }]
    }

    /// Sound and shear.
    pub fn eigenvalues(_: State, _: Normal, gas: Gas) -> [f64; 3] {
        let c = root(gas);
        [-c, 0.0, c]
    }

    // A name that the helpers have, too.
    fn root(gas: Gas) -> f64 {
        gas::speed_at_rest(gas)
    }
}
