/// Radiation by its energy and flux, closed by the direction of largest entropy: the M1 model, in units in which light has speed 1.
///
/// ```text
/// ∂E/∂t + ∇·F = −σ (E − B),   ∂F/∂t + ∇·P = −σ F
/// P = ⅓ (R − E) I + 3 F⊗F / (2E + R),   R = √(4E² − 3|F|²)
/// ```
///
/// * E: energy, F: its flux, P: pressure, σ: opacity, B: emission
///
/// This is Levermore's closure P = E (½ (1 − χ) I + ½ (3χ − 1) f⊗f/|f|²), χ = (3 + 4|f|²) / (5 + 2 √(4 − 3|f|²)), f = F/E, without its
/// quotient 0/0 at F = 0. References: C. D. Levermore, J. Quant. Spectrosc. Radiat. Transf. 31 (1984) 149–160,
/// <https://doi.org/10.1016/0022-4073(84)90112-2>; M. González, E. Audit & P. Huynh, Astron. Astrophys. 464 (2007) 429–435,
/// <https://doi.org/10.1051/0004-6361:20065486> (eigenvalues).
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod m1_radiation {
    #[parameters]
    pub struct Matter {
        /// Opacity.
        #[default(1.0)]
        #[range(0.0..)]
        pub sigma: f64,
        /// Energy of the radiation in equilibrium.
        #[default(0.5)]
        #[range(0.0..)]
        pub emission: f64,
    }

    #[state]
    pub struct State {
        /// Energy.
        pub e: f64,
        /// Flux of energy in x.
        pub f1: f64,
        /// Flux of energy in y.
        pub f2: f64,
    }

    fn root(u: State) -> f64 {
        (4.0 * u.e * u.e - 3.0 * (u.f1 * u.f1 + u.f2 * u.f2)).sqrt()
    }

    pub fn flux(u: State) -> [State; 2] {
        let r = root(u);
        let isotropic = (r - u.e) / 3.0;
        let beam = 3.0 / (2.0 * u.e + r);
        let shear = beam * u.f1 * u.f2;
        [
            State { e: u.f1, f1: isotropic + beam * u.f1 * u.f1, f2: shear },
            State { e: u.f2, f1: shear, f2: isotropic + beam * u.f2 * u.f2 },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 3] {
        let r = root(u);
        let along = u.f1 * n.x + u.f2 * n.y;
        // With f = F/E, its component μ along the normal and ξ = R/E these are
        // (μ ± √(⅔ (ξ² − ξ) + 2μ² (2 − f² − ξ)/f²)) / ξ and (2 − ξ) μ/f², where 2 − ξ = 3f²/(2 + ξ).
        let excess = 3.0 * u.e / (2.0 * u.e + r) - 1.0;
        let spread = (2.0 / 3.0 * (r * r - u.e * r) + 2.0 * along * along * excess).sqrt();
        let middle = 3.0 * along / (2.0 * u.e + r);
        [(along - spread) / r, middle, (along + spread) / r]
    }

    #[admissible]
    pub fn causal(u: State) -> [f64; 2] {
        [u.e, u.e * u.e - u.f1 * u.f1 - u.f2 * u.f2]
    }

    #[source]
    pub fn absorption(u: State, matter: Matter) -> State {
        State { e: matter.sigma * (matter.emission - u.e), f1: -matter.sigma * u.f1, f2: -matter.sigma * u.f2 }
    }

    #[boundary(impermeable = e)]
    pub fn mirror(u: State, n: Normal) -> State {
        let f = u.f1 * n.x + u.f2 * n.y;
        State { e: u.e, f1: u.f1 - 2.0 * f * n.x, f2: u.f2 - 2.0 * f * n.y }
    }

    #[exact]
    pub fn cooling(t: f64, matter: Matter) -> State {
        State { e: matter.emission + (-matter.sigma * t).exp(), f1: 0.0, f2: 0.0 }
    }
}
