/// Traffic on a road in the direction of x, whose drivers differ: the model of Aw, Rascle and Zhang.
///
/// ```text
/// ∂ρ/∂t + ∂(ρv)/∂x = 0,   ∂y/∂t + ∂(yv)/∂x = 0,   y = ρ (v + ρ^γ)
/// ```
///
/// * ρ: vehicles per length, v: their speed, v + ρ^γ: the speed that each driver would have on an empty road
///
/// References: A. Aw & M. Rascle, SIAM J. Appl. Math. 60 (2000) 916–938, <https://doi.org/10.1137/S0036139997332099>;
/// H. M. Zhang, Transp. Res. B 36 (2002) 275–290, <https://doi.org/10.1016/S0191-2615(00)00050-3>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod aw_rascle_zhang {
    #[parameters]
    pub struct Drivers {
        /// How the hesitation grows with the density.
        #[default(1.5)]
        #[range((Excluded(0.0), Unbounded))]
        pub gamma: f64,
    }

    #[state]
    pub struct State {
        /// Vehicles per length.
        pub rho: f64,
        /// Density times the speed on an empty road.
        pub y: f64,
    }

    fn hesitation(u: State, drivers: Drivers) -> f64 {
        u.rho.powf(drivers.gamma)
    }

    #[output]
    pub fn speed(u: State, drivers: Drivers) -> f64 {
        u.y / u.rho - hesitation(u, drivers)
    }

    fn along(u: State, drivers: Drivers) -> State {
        let v = speed(u, drivers);
        State { rho: u.rho * v, y: u.y * v }
    }

    pub fn flux(u: State, drivers: Drivers) -> [State; 2] {
        [along(u, drivers), State { rho: 0.0, y: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, drivers: Drivers) -> [f64; 2] {
        [slow(u, drivers) * n.x, speed(u, drivers) * n.x]
    }

    fn slow(u: State, drivers: Drivers) -> f64 {
        speed(u, drivers) - drivers.gamma * hesitation(u, drivers)
    }

    #[admissible]
    pub fn moving(u: State, drivers: Drivers) -> [f64; 2] {
        [u.rho, speed(u, drivers)]
    }

    /// Each driver keeps the speed of an empty road.
    #[minimum_principle]
    pub fn kinds_of_drivers(u: State) -> [f64; 2] {
        [u.y / u.rho, -u.y / u.rho]
    }

    /// The flux of Harten, Lax and van Leer along the road.
    ///
    /// Reference: A. Harten, P. D. Lax & B. van Leer, SIAM Rev. 25 (1983) 35–61, <https://doi.org/10.1137/1025002>.
    #[numerical_flux]
    pub fn hll_along(l: State, r: State, n: Normal, drivers: Drivers) -> State {
        let (a, b) = if n.x >= 0.0 { (l, r) } else { (r, l) };
        let sl = slow(a, drivers).min(slow(b, drivers)).min(0.0);
        let sr = speed(a, drivers).max(speed(b, drivers)).max(0.0);
        let (fa, fb) = (along(a, drivers), along(b, drivers));
        let scale = n.x / (sr - sl);
        State {
            rho: scale * (sr * fa.rho - sl * fb.rho + sl * sr * (b.rho - a.rho)),
            y: scale * (sr * fa.y - sl * fb.y + sl * sr * (b.y - a.y)),
        }
    }

    #[variables]
    pub fn from_speed(rho: f64, v: f64, drivers: Drivers) -> State {
        State { rho, y: rho * (v + rho.powf(drivers.gamma)) }
    }

    /// Vehicles of all densities with one speed.
    #[exact]
    pub fn platoon(x: Point, t: f64, drivers: Drivers) -> State {
        from_speed(1.0 + 0.5 * (x.x - 0.75 * t).sin(), 0.75, drivers)
    }
}
