/// Burgers' equation as the limit of a linear system with a stiff source: the relaxation of Jin and Xin.
///
/// ```text
/// ∂u/∂t + ∂v/∂x + ∂w/∂y = 0,   ∂v/∂t + a² ∂u/∂x = (½u² − v)/ε,   ∂w/∂t + a² ∂u/∂y = (½u² − w)/ε
/// ```
///
/// * u: the solution, (v, w): what relaxes to its flux, a: a speed above all of Burgers' equation, ε: time of relaxation
///
/// Reference: S. Jin & Z. Xin, Commun. Pure Appl. Math. 48 (1995) 235–276, <https://doi.org/10.1002/cpa.3160480303>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod jin_xin {
    #[parameters]
    pub struct Relaxation {
        /// Speed.
        #[default(2.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub a: f64,
        /// Time of relaxation.
        #[default(0.01)]
        #[range((Excluded(0.0), Unbounded))]
        pub epsilon: f64,
    }

    #[state]
    pub struct State {
        /// The solution.
        pub u: f64,
        /// Its flux in x.
        pub v: f64,
        /// Its flux in y.
        pub w: f64,
    }

    pub fn flux(q: State, relaxation: Relaxation) -> [State; 2] {
        let drive = relaxation.a * relaxation.a * q.u;
        [State { u: q.v, v: drive, w: 0.0 }, State { u: q.w, v: 0.0, w: drive }]
    }

    pub fn eigenvalues(_: State, _: Normal, relaxation: Relaxation) -> [f64; 3] {
        [-relaxation.a, 0.0, relaxation.a]
    }

    #[source]
    pub fn relax(q: State, relaxation: Relaxation) -> State {
        let f = 0.5 * q.u * q.u;
        State { u: 0.0, v: (f - q.v) / relaxation.epsilon, w: (f - q.w) / relaxation.epsilon }
    }

    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal, relaxation: Relaxation) -> State {
        let a = relaxation.a;
        let (vl, vr) = (l.v * n.x + l.w * n.y, r.v * n.x + r.w * n.y);
        let v = 0.5 * (vl + vr) - 0.5 * a * (r.u - l.u);
        let u = 0.5 * a * a * (l.u + r.u) - 0.5 * a * (vr - vl);
        State { u: v, v: u * n.x, w: u * n.y }
    }

    #[exact]
    pub fn equilibrium() -> State {
        State { u: 1.0, v: 0.5, w: 0.5 }
    }
}
