//! Grains in a gas.

/// Grains in a gas, each with a velocity and a pressure of its own, in two dimensions: the model of Baer and Nunziato without energies.
///
/// ```text
/// ∂α/∂t + w·∇α = 0
/// ∂r/∂t + ∇·q = 0
/// ∂q/∂t + ∇·(q⊗q/r + a² r) − p ∇α = D (w − v)
/// ∂s/∂t + ∇·k = 0
/// ∂k/∂t + ∇·(k⊗k/s + κ s²/(1 − α)) + p ∇α = D (v − w)
/// ```
///
/// * α: share of the gas in the volume
/// * r, q: mass and momentum of the gas per volume of both; v = q/r: its velocity; p = a² r/α: its pressure
/// * s, k: mass and momentum of the grains; w = k/s: their velocity; κ (s/(1 − α))²: their pressure
/// * a: speed of sound of the gas; κ: stiffness of the grains; D: drag
///
/// The grains carry their share along, and the gas pushes where it changes: the terms with ∇α are no divergence. Where sound in the gas is as
/// fast as the grains, |v·n − w·n| = a, the equations lack an eigenvector.
///
/// References: M. R. Baer & J. W. Nunziato, Int. J. Multiph. Flow 12 (1986) 861–889, <https://doi.org/10.1016/0301-9322(86)90033-9>;
/// N. Andrianov & G. Warnecke, J. Comput. Phys. 195 (2004) 434–464, <https://doi.org/10.1016/j.jcp.2003.10.006>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=3)]
pub mod baer_nunziato {
    /// Gas and grains.
    #[parameters]
    pub struct Bed {
        /// Speed of sound of the gas.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub a: f64,
        /// Stiffness of the grains.
        #[default(3.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub stiffness: f64,
        /// Drag.
        #[default(0.1)]
        #[range(0.0..)]
        pub drag: f64,
    }

    /// Share of the gas, masses and momenta.
    #[state]
    #[symmetry(rotation = [q, k], reflection = [q, k])]
    pub struct State {
        /// Share of the gas in the volume.
        pub alpha: f64,
        /// Mass of the gas.
        pub r: f64,
        /// Momentum of the gas.
        pub q: [f64; 2],
        /// Mass of the grains.
        pub s: f64,
        /// Momentum of the grains.
        pub k: [f64; 2],
    }

    /// Gas and grains, each by itself.
    pub fn flux(u: State, bed: Bed) -> [State; 2] {
        [0, 1].map(|d| {
            let mut flux = State { alpha: 0.0, r: u.q[d], q: u.q, s: u.k[d], k: u.k };
            for i in 0..2 {
                flux.q[i] *= u.q[d] / u.r;
                flux.k[i] *= u.k[d] / u.s;
            }
            flux.q[d] += bed.a * bed.a * u.r;
            flux.k[d] += bed.stiffness * u.s * u.s / (1.0 - u.alpha);
            flux
        })
    }

    /// The grains carry the shares, and the gas pushes where they change.
    #[nonconservative]
    pub fn nozzling(u: State, change: State, n: Normal, bed: Bed) -> State {
        let push = gas_pressure(u, bed) * change.alpha;
        let carried = along(u.k, n) / u.s * change.alpha;
        State { alpha: carried, r: 0.0, q: [-push * n.x, -push * n.y], s: 0.0, k: [push * n.x, push * n.y] }
    }

    fn along(m: [f64; 2], n: Normal) -> f64 {
        m[0] * n.x + m[1] * n.y
    }

    /// Sound in the gas and in the grains; shares and shear move with the grains and with the gas.
    pub fn eigenvalues(u: State, n: Normal, bed: Bed) -> [f64; 7] {
        let (v, w) = (along(u.q, n) / u.r, along(u.k, n) / u.s);
        let c = (2.0 * bed.stiffness * u.s / (1.0 - u.alpha)).sqrt();
        [v - bed.a, v, v + bed.a, w - c, w, w, w + c]
    }

    /// Gas and grains are everywhere.
    #[admissible]
    pub fn mixed(u: State) -> [f64; 4] {
        [u.alpha, 1.0 - u.alpha, u.r, u.s]
    }

    /// What is slower is drawn along.
    #[source]
    pub fn dragging(u: State, bed: Bed) -> State {
        let force = [0, 1].map(|d| bed.drag * (u.k[d] / u.s - u.q[d] / u.r));
        State { alpha: 0.0, r: 0.0, q: force, s: 0.0, k: force.map(|f| -f) }
    }

    /// A wall: the normal velocities are reversed.
    #[boundary(impermeable = [r, s])]
    pub fn wall(mut u: State, n: Normal) -> State {
        let (q, k) = (2.0 * along(u.q, n), 2.0 * along(u.k, n));
        for d in 0..2 {
            u.q[d] -= q * n[d];
            u.k[d] -= k * n[d];
        }
        u
    }

    /// The state of these shares, densities and velocities.
    #[variables]
    pub fn from_velocities(alpha: f64, gas: f64, v1: f64, v2: f64, grains: f64, w1: f64, w2: f64) -> State {
        let (r, s) = (alpha * gas, (1.0 - alpha) * grains);
        State { alpha, r, q: [r * v1, r * v2], s, k: [s * w1, s * w2] }
    }

    /// Gas and grains of one velocity and one pressure, in shares that differ from place to place.
    #[exact]
    pub fn plug(x: Point, t: f64, bed: Bed) -> State {
        let (v1, v2, p) = (0.75, -0.25, 2.0);
        let alpha = 0.5 + 0.25 * (2.0 * (x.x - v1 * t) + (x.y - v2 * t)).sin();
        from_velocities(alpha, p / (bed.a * bed.a), v1, v2, (p / bed.stiffness).sqrt(), v1, v2)
    }

    /// Waves in both, which move differently.
    #[exact(manufactured)]
    pub fn waves(x: Point, t: f64) -> State {
        let phase = (2.0 * x.x + x.y - t).sin();
        let other = (x.x - 2.0 * x.y + 0.5 * t).cos();
        from_velocities(
            0.5 + 0.2 * phase,
            1.0 + 0.2 * other,
            0.1 * other,
            0.05 * phase,
            1.2 + 0.1 * phase,
            -0.1 * phase,
            0.1 * other,
        )
    }

    /// Pressure of the gas.
    #[output]
    pub fn gas_pressure(u: State, bed: Bed) -> f64 {
        bed.a * bed.a * u.r / u.alpha
    }

    /// Pressure of the grains.
    #[output]
    pub fn grain_pressure(u: State, bed: Bed) -> f64 {
        let density = u.s / (1.0 - u.alpha);
        bed.stiffness * density * density
    }
}
