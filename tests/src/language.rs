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

/// Tracers in a flow, each struct with an array.
#[dg_runtime::conservation_law(dim = 2, orders = 1)]
pub mod tracers {
    const COUNT: usize = 3;

    /// Tracers.
    #[state]
    pub struct State {
        /// Their amounts.
        pub c: [f64; COUNT],
        /// What they are in.
        pub water: f64,
    }

    /// The flow.
    #[medium]
    pub struct Flow {
        /// Velocity.
        pub v: [f64; 2],
    }

    /// Constants.
    #[parameters]
    pub struct Decay {
        /// Rates of decay.
        #[default([1.0, 1.0 / 2.0, 0.0])]
        #[range(0.0..=2.0)]
        pub rates: [f64; COUNT],
        /// Weights in a mean.
        #[default([0.25; COUNT])]
        pub weights: [f64; 3],
    }

    /// Physical flux.
    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        flow.v.map(|v| v * u)
    }

    /// All move alike.
    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 4] {
        [flow.v.iter().enumerate().map(|(d, v)| v * n[d]).sum(); 4]
    }

    /// A turning flow.
    #[medium]
    pub fn turning(x: Point) -> Flow {
        Flow { v: [-x[1], x[0]] }
    }

    /// Decay of each.
    #[source]
    pub fn decay(u: State, decay: Decay) -> State {
        let mut rate = State { water: 0.0, ..u };
        for (i, a) in decay.rates.iter().enumerate() {
            rate.c[i] *= -a;
        }
        rate
    }

    /// Every way to take an array from a struct, of variables and of calls.
    #[output]
    pub fn taken(u: State, decay: Decay) -> f64 {
        let State { c: [a, _, b], water } = u;
        let ([first, ..], last) = (turned(u).c, turned(u).c[u.c.len() - 1]);
        let mean: f64 = u.c.iter().zip(decay.weights).map(|(c, w)| c * w).sum();
        let weighted = |c: [f64; COUNT], scale: f64| scale * dot(c, decay.weights);
        let squares = dot(u.c, u.c) + weighted((2.0 * u).c, 0.5) + weighted([0, 2, 1].map(|i| u.c[i] - a), water);
        a - 2.0 * b + water * first + last * mean - squares
    }

    /// Every way to make one with an array, and to change it.
    #[output]
    pub fn made(u: State, decay: Decay) -> f64 {
        let c = decay.rates.map(|rate| rate + u.water);
        let mut v = State { c, ..u } - turned(u);
        v += State { c: v.c, water: 1.0 };
        v.c = turned(v).c;
        v.c[1] -= u.water;
        (v.c[0], v.c[2]) = (v.c[2], v.c[0]);
        let mut all = [u, v];
        for i in 0..2 {
            all[i].c[i] += 0.5;
            all[1 - i].water *= all[i].c[2 - i];
        }
        let [u, v] = all;
        dot(v.c, [1.0, 2.0, -1.0]) - u.water * dot(u.c, c)
    }

    fn turned(u: State) -> State {
        let [a, b, c] = u.c;
        State { c: [c, a, b], ..u }
    }

    fn dot(a: [f64; COUNT], b: [f64; COUNT]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }
}

/// The Euler equations with the momentum as an array, under the names of components that `equations` has.
#[dg_runtime::conservation_law(dim = 2, orders = 2)]
pub mod euler {
    /// An ideal gas.
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(1.4)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
    }

    /// Densities of mass, momentum and energy.
    #[state]
    #[symmetry(rotation = rho_v, galilean = rho_v)]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum.
        pub rho_v: [f64; 2],
        /// Total energy.
        pub rho_e: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let p = pressure(u, gas);
        std::array::from_fn(|d| {
            let v = u.rho_v[d] / u.rho;
            let mut flux = v * u;
            flux.rho_v[d] += p;
            flux.rho_e += v * p;
            flux
        })
    }

    /// Sound waves in both directions; entropy and shear are carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 4] {
        let vn = (0..2).map(|d| u.rho_v[d] * n[d]).sum::<f64>() / u.rho;
        let c = (gas.gamma * pressure(u, gas) / u.rho).sqrt();
        [vn - c, vn, vn, vn + c]
    }

    /// Density and pressure are positive.
    #[admissible]
    pub fn admissible(u: State, gas: Gas) -> [f64; 2] {
        [u.rho, pressure(u, gas)]
    }

    /// Pressure.
    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        let square: f64 = u.rho_v.iter().map(|momentum| momentum * momentum).sum();
        (gas.gamma - 1.0) * (u.rho_e - 0.5 * square / u.rho)
    }

    /// The state of density ρ, velocity v and pressure p.
    #[variables]
    pub fn from_primitive(rho: f64, v: [f64; 2], p: f64, gas: Gas) -> State {
        let square: f64 = v.iter().map(|v| v * v).sum();
        State { rho, rho_v: v.map(|v| rho * v), rho_e: p / (gas.gamma - 1.0) + 0.5 * rho * square }
    }

    /// Wall without friction.
    #[boundary(impermeable = rho)]
    pub fn slip_wall(mut u: State, n: Normal) -> State {
        let normal: f64 = u.rho_v.iter().enumerate().map(|(d, momentum)| momentum * n[d]).sum();
        for d in 0..2 {
            u.rho_v[d] -= 2.0 * normal * n[d];
        }
        u
    }
}
