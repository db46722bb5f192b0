/// Sound in a bar that stiffens as it is stretched, in the direction of x.
///
/// ```text
/// ∂ε/∂t − ∂(m/ρ)/∂x = 0,   ∂m/∂t − ∂σ(ε)/∂x = 0,   σ(ε) = exp(Kε) − 1
/// ```
///
/// * ε: strain, m: momentum, ρ: density, σ: stress, K: stiffness
///
/// Reference: R. J. LeVeque, Int. J. Numer. Methods Fluids 40 (2002) 93–104, <https://doi.org/10.1002/fld.309>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod nonlinear_elasticity {
    #[parameters]
    pub struct Bar {
        /// Density.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub density: f64,
        /// Stiffness.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub stiffness: f64,
    }

    #[state]
    pub struct State {
        /// Strain.
        pub strain: f64,
        /// Momentum.
        pub m: f64,
    }

    #[output]
    pub fn stress(u: State, bar: Bar) -> f64 {
        (bar.stiffness * u.strain).exp() - 1.0
    }

    pub fn flux(u: State, bar: Bar) -> [State; 2] {
        [State { strain: -u.m / bar.density, m: -stress(u, bar) }, State { strain: 0.0, m: 0.0 }]
    }

    fn speed(u: State, bar: Bar) -> f64 {
        (bar.stiffness * (bar.stiffness * u.strain).exp() / bar.density).sqrt()
    }

    pub fn eigenvalues(u: State, n: Normal, bar: Bar) -> [f64; 2] {
        let c = speed(u, bar) * n.x;
        [-c, c]
    }

    /// The bar is stretched or compressed by less than its length.
    #[admissible]
    pub fn moderate(u: State) -> [f64; 2] {
        [1.0 - u.strain, 1.0 + u.strain]
    }

    /// Two waves, both as fast as on the stiffer side: a shock is faster than the wave ahead of it.
    #[numerical_flux]
    pub fn two_waves(l: State, r: State, n: Normal, bar: Bar) -> State {
        let (fl, fr) = (flux(l, bar), flux(r, bar));
        let c = speed(l, bar).max(speed(r, bar)) * n.x.abs();
        State {
            strain: 0.5 * (n.x * (fl[0].strain + fr[0].strain) - c * (r.strain - l.strain)),
            m: 0.5 * (n.x * (fl[0].m + fr[0].m) - c * (r.m - l.m)),
        }
    }

    /// The jump of the flux is split into a wave to the left in the bar on the left, and one to the right in that on the right.
    ///
    /// Reference: D. S. Bale, R. J. LeVeque, S. Mitran & J. A. Rossmanith, SIAM J. Sci. Comput. 24 (2002) 955–978,
    /// <https://doi.org/10.1137/S106482750139738X>.
    #[numerical_flux]
    pub fn f_waves(l: State, r: State, n: Normal, bar: Bar) -> State {
        let (a, b) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let (fa, fb) = (flux(a, bar), flux(b, bar));
        let (ca, cb) = (speed(a, bar), speed(b, bar));
        // Waves (1, ρ cₐ) to the left and (1, −ρ c_b) to the right.
        let (strain, m) = (fb[0].strain - fa[0].strain, fb[0].m - fa[0].m);
        let left = (bar.density * cb * strain + m) / (bar.density * (ca + cb));
        State { strain: n.x * (fa[0].strain + left), m: n.x * (fa[0].m + bar.density * ca * left) }
    }

    #[boundary(impermeable = strain)]
    pub fn clamped(u: State) -> State {
        State { m: -u.m, ..u }
    }

    #[initial]
    pub fn stretched(x: Point) -> State {
        State { strain: 0.5 * (-x.x * x.x).exp(), m: 0.0 }
    }
}
