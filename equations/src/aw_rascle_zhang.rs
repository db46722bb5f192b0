//! Traffic on a road, whose drivers differ: the model of Aw, Rascle and Zhang.

/// Traffic on a road in the direction of x, whose drivers differ: the model of Aw, Rascle and Zhang.
///
/// ```text
/// ∂ρ/∂t + ∂(ρv)/∂x = 0,   ∂(ρw)/∂t + ∂(ρwv)/∂x = 0,   w = v + ρ^γ
/// ```
///
/// * ρ: vehicles per length, v: their speed, w: the speed that each driver would have on an empty road
/// * v − γ ρ^γ: speed of the waves in which drivers brake or accelerate, and w stays
///
/// References: A. Aw & M. Rascle, SIAM J. Appl. Math. 60 (2000) 916–938, <https://doi.org/10.1137/S0036139997332099>;
/// H. M. Zhang, Transp. Res. B 36 (2002) 275–290, <https://doi.org/10.1016/S0191-2615(00)00050-3>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=3)]
pub mod aw_rascle_zhang {
    /// The drivers.
    #[parameters]
    pub struct Drivers {
        /// How the hesitation grows with the density.
        #[default(1.5)]
        #[range((Excluded(0.0), Unbounded))]
        pub gamma: f64,
    }

    /// What is on the road.
    #[state]
    pub struct State {
        /// Vehicles per length.
        pub rho: f64,
        /// Density times the speed on an empty road.
        pub rho_w: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, drivers: Drivers) -> [State; 2] {
        [along(u, drivers), State { rho: 0.0, rho_w: 0.0 }]
    }

    /// Waves of braking and accelerating, and what moves with the vehicles.
    pub fn eigenvalues(u: State, n: Normal, drivers: Drivers) -> [f64; 2] {
        [slow(u, drivers) * n.x, speed(u, drivers) * n.x]
    }

    fn hesitation(u: State, drivers: Drivers) -> f64 {
        u.rho.powf(drivers.gamma)
    }

    /// Speed of the vehicles.
    #[output]
    pub fn speed(u: State, drivers: Drivers) -> f64 {
        u.rho_w / u.rho - hesitation(u, drivers)
    }

    fn along(u: State, drivers: Drivers) -> State {
        let v = speed(u, drivers);
        State { rho: u.rho * v, rho_w: u.rho_w * v }
    }

    fn slow(u: State, drivers: Drivers) -> f64 {
        speed(u, drivers) - drivers.gamma * hesitation(u, drivers)
    }

    /// There are vehicles, and all of them move ahead.
    #[admissible]
    pub fn moving(u: State, drivers: Drivers) -> [f64; 2] {
        [u.rho, speed(u, drivers)]
    }

    /// Each driver keeps the speed of an empty road.
    #[minimum_principle]
    pub fn kinds_of_drivers(u: State) -> [f64; 2] {
        [u.rho_w / u.rho, -u.rho_w / u.rho]
    }

    /// Godunov's flux: those who come take what room there is behind the vehicles ahead, once they drive as fast as these.
    ///
    /// Drivers keep w in waves, so that the flux is that of one kind of drivers, the smaller of demand and supply.
    /// Reference: J.-P. Lebacque, S. Mammar & H. Haj-Salem, in Transportation and Traffic Theory 2007, Elsevier, pages 755–776.
    #[numerical_flux(exact = [contact, shock, rarefaction])]
    pub fn godunov(l: State, r: State, n: Normal, drivers: Drivers) -> State {
        let (behind, ahead) = if n.x >= 0.0 { (l, r) } else { (r, l) };
        let w = behind.rho_w / behind.rho;
        let power = drivers.gamma.recip();
        // Where w allows no density at the speed of those ahead, they leave an empty road behind.
        let between = (w - speed(ahead, drivers)).max(0.0).powf(power);
        let densest_free = (w / (1.0 + drivers.gamma)).powf(power);
        let demand = throughput(behind.rho.min(densest_free), w, drivers);
        let supply = throughput(between.max(densest_free), w, drivers);
        let vehicles = n.x * demand.min(supply);
        State { rho: vehicles, rho_w: vehicles * w }
    }

    /// Vehicles per time of drivers of one kind.
    fn throughput(rho: f64, w: f64, drivers: Drivers) -> f64 {
        rho * (w - rho.powf(drivers.gamma))
    }

    /// The state of density ρ and speed v.
    #[variables]
    pub fn from_speed(rho: f64, v: f64, drivers: Drivers) -> State {
        State { rho, rho_w: rho * (v + rho.powf(drivers.gamma)) }
    }

    /// Vehicles of all densities with one speed.
    #[exact]
    pub fn platoon(x: Point, t: f64, drivers: Drivers) -> State {
        from_speed(1.0 + 0.5 * (x.x - 0.75 * t).sin(), 0.75, drivers)
    }

    /// What is outside is as inside.
    #[boundary]
    pub fn copy(u: State) -> State {
        u
    }
}
