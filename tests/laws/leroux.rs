/// LeRoux's system, of Temple's class: the waves of each family are on straight lines, shocks on the same as rarefactions.
///
/// ```text
/// ∂v/∂t + ∂(uv)/∂x = 0,   ∂u/∂t + ∂(u² + v)/∂x = 0
/// ```
///
/// With v = −w₋ w₊ and u = w₋ + w₊ the speeds of waves are 2w₋ + w₊ and w₋ + 2w₊; w₊ is the same across the slower ones, w₋ across the
/// faster ones.
///
/// Reference: B. Temple, Trans. Amer. Math. Soc. 280 (1983) 781–795, <https://doi.org/10.1090/S0002-9947-1983-0716850-2>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod leroux {
    #[state]
    pub struct State {
        /// Density.
        pub v: f64,
        /// Speed.
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [State { v: q.u * q.v, u: q.u * q.u + q.v }, State { v: 0.0, u: 0.0 }]
    }

    pub fn eigenvalues(q: State, n: Normal) -> [f64; 2] {
        let [lower, upper] = invariants(q);
        [(2.0 * lower + upper) * n.x, (lower + 2.0 * upper) * n.x]
    }

    #[admissible]
    pub fn dense(q: State) -> [f64; 1] {
        [q.v]
    }

    /// The invariants w₋ and w₊.
    fn invariants(q: State) -> [f64; 2] {
        let root = (q.u * q.u + 4.0 * q.v).sqrt();
        [0.5 * (q.u - root), 0.5 * (q.u + root)]
    }

    #[minimum_principle]
    pub fn ranges(q: State) -> [f64; 4] {
        let [lower, upper] = invariants(q);
        [lower, -lower, upper, -upper]
    }

    /// Godunov's flux: each invariant is that at the face of a scalar problem with the flux w² + ow, o being the other invariant, of the
    /// side that the wave of this one leaves as it is.
    #[numerical_flux(exact = [shock, rarefaction])]
    pub fn godunov(l: State, r: State, n: Normal) -> State {
        let (left, right) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let [a, b] = invariants(left);
        let [c, d] = invariants(right);
        let lower = at_face(a, c, b);
        let upper = at_face(b, d, c);
        n.x * flux(State { v: -lower * upper, u: lower + upper })[0]
    }

    /// What is at the face between two values.
    fn at_face(l: f64, r: f64, other: f64) -> f64 {
        if l > r {
            if l + r + other > 0.0 { l } else { r }
        } else {
            (-0.5 * other).max(l).min(r)
        }
    }

    /// A shock of the slower family.
    #[exact]
    pub fn shock(x: Point, t: f64) -> State {
        let lower = if x.x < 0.3 * t { -0.2 } else { -0.5 };
        State { v: -lower, u: lower + 1.0 }
    }

    /// A fan of the faster family.
    #[exact]
    pub fn fan(x: Point, t: f64) -> State {
        let upper = (0.5 * (x.x / (t + 1.0) + 1.0)).max(0.25).min(1.0);
        State { v: upper, u: upper - 1.0 }
    }
}
