/// Two substances that compete for the places of an adsorbent, in a column in the direction of x: Langmuir's isotherm.
///
/// ```text
/// ∂uᵢ/∂t + ∂/∂x (kᵢ uᵢ / (1 + u₁ + u₂)) = 0
/// ```
///
/// * uᵢ: scaled concentrations, kᵢ > 0: affinities
///
/// References: H.-K. Rhee, R. Aris & N. R. Amundson, Philos. Trans. R. Soc. A 267 (1970) 419–455,
/// <https://doi.org/10.1098/rsta.1970.0050>; B. Temple, Trans. Am. Math. Soc. 280 (1983) 781–795,
/// <https://doi.org/10.1090/S0002-9947-1983-0716850-2>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod chromatography {
    #[parameters]
    pub struct Column {
        /// Affinity of the first substance.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub k1: f64,
        /// Affinity of the second substance.
        #[default(2.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub k2: f64,
    }

    #[state]
    pub struct State {
        /// Concentration of the first substance.
        pub u1: f64,
        /// Concentration of the second substance.
        pub u2: f64,
    }

    pub fn flux(u: State, column: Column) -> [State; 2] {
        let free = 1.0 / (1.0 + u.u1 + u.u2);
        [State { u1: column.k1 * u.u1 * free, u2: column.k2 * u.u2 * free }, State { u1: 0.0, u2: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, column: Column) -> [f64; 2] {
        let free = 1.0 / (1.0 + u.u1 + u.u2);
        // The Jacobian [a b; c d] times (1 + u₁ + u₂)².
        let a = column.k1 * (1.0 + u.u2);
        let d = column.k2 * (1.0 + u.u1);
        let bc = column.k1 * column.k2 * u.u1 * u.u2;
        let root = ((a - d) * (a - d) + 4.0 * bc).sqrt();
        let scale = 0.5 * free * free * n.x;
        [scale * (a + d - root), scale * (a + d + root)]
    }

    #[admissible]
    pub fn positive(u: State) -> [f64; 2] {
        [u.u1, u.u2]
    }

    /// All waves run downstream: the flux is that of the upstream side.
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal, column: Column) -> State {
        let [f, _] = flux(if n.x >= 0.0 { l } else { r }, column);
        State { u1: n.x * f.u1, u2: n.x * f.u2 }
    }

    #[initial]
    pub fn injection(x: Point) -> State {
        let amount = if x.x < 0.0 { 1.0 } else { 0.25 };
        State { u1: amount, u2: 0.5 * amount }
    }
}
