/// Water that a polymer thickens displaces oil in a porous medium, in the direction of x.
///
/// ```text
/// ∂s/∂t + ∂f/∂x = 0,   ∂(cs)/∂t + ∂(cf)/∂x = 0,   f = s² / (s² + (1 − s)² (1 + c))
/// ```
///
/// * s: share of water in the pores, c: concentration of the polymer in the water, f: share of water in what flows
///
/// Both waves move along x; where f/s is the derivative of f by s, they are equally fast and lack an eigenvector.
/// Reference: T. Johansen & R. Winther, SIAM J. Math. Anal. 19 (1988) 541–566, <https://doi.org/10.1137/0519039> (here without adsorption).
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod polymer_flooding {
    #[state]
    pub struct State {
        /// Share of water.
        pub s: f64,
        /// Polymer.
        pub cs: f64,
    }

    /// Share of water in what flows.
    #[output]
    pub fn fractional_flow(u: State) -> f64 {
        let oil = (1.0 - u.s) * (1.0 - u.s) * (1.0 + u.cs / u.s);
        u.s * u.s / (u.s * u.s + oil)
    }

    pub fn flux(u: State) -> [State; 2] {
        let v = fractional_flow(u) / u.s;
        [v * u, 0.0 * u]
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
        let thickness = 1.0 + u.cs / u.s;
        let total = u.s * u.s + (1.0 - u.s) * (1.0 - u.s) * thickness;
        let slope = 2.0 * u.s * (1.0 - u.s) * thickness / (total * total);
        [slope * n.x, fractional_flow(u) / u.s * n.x]
    }

    #[admissible]
    pub fn two_phases(u: State) -> [f64; 3] {
        [u.s, 1.0 - u.s, u.cs]
    }

    /// The concentration is carried along.
    #[minimum_principle]
    pub fn concentration(u: State) -> [f64; 2] {
        [u.cs / u.s, -u.cs / u.s]
    }

    /// The flux of the side that everything comes from, which is exact.
    #[numerical_flux(exact = [contact, shock, rarefaction])]
    pub fn upwind(l: State, r: State, n: Normal) -> State {
        n.x * if n.x > 0.0 { flux(l)[0] } else { flux(r)[0] }
    }

    /// A well that pumps in water with more and less of the polymer.
    #[boundary]
    pub fn well(t: f64) -> State {
        State { s: 0.9, cs: 0.5 + 0.3 * t.sin() }
    }

    #[exact]
    pub fn uniform() -> State {
        State { s: 0.5, cs: 0.2 }
    }
}
