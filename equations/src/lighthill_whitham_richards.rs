//! Traffic on a road: the model of Lighthill, Whitham and Richards.

/// Traffic on a road in the direction of x: the model of Lighthill, Whitham and Richards with Greenshields' speed.
///
/// ```text
/// ∂ρ/∂t + ∂/∂x (ρ V (1 − ρ/R)) = 0
/// ```
///
/// * ρ: vehicles per length, R: their number in a jam, V: the speed on an empty road
/// * V (1 − 2ρ/R): speed of waves, always less than that of the vehicles
///
/// References: M. J. Lighthill & G. B. Whitham, Proc. R. Soc. A 229 (1955) 317–345, <https://doi.org/10.1098/rspa.1955.0089>;
/// P. I. Richards, Oper. Res. 4 (1956) 42–51, <https://doi.org/10.1287/opre.4.1.42>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=3)]
pub mod lighthill_whitham_richards {
    /// A road.
    #[parameters]
    pub struct Road {
        /// Speed on an empty road.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub fastest: f64,
        /// Density in a jam.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub jam: f64,
    }

    /// What is on it.
    #[state]
    pub struct State {
        /// Vehicles per length.
        pub rho: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, road: Road) -> [State; 2] {
        [State { rho: throughput(u, road) }, State { rho: 0.0 }]
    }

    /// Speed of a wave.
    pub fn eigenvalues(u: State, n: Normal, road: Road) -> [f64; 1] {
        [road.fastest * (1.0 - 2.0 * u.rho / road.jam) * n.x]
    }

    /// Vehicles per time.
    #[output]
    pub fn throughput(u: State, road: Road) -> f64 {
        road.fastest * u.rho * (1.0 - u.rho / road.jam)
    }

    /// The road is neither empty nor jammed.
    #[admissible]
    pub fn between_empty_and_jam(u: State, road: Road) -> [f64; 2] {
        [u.rho, road.jam - u.rho]
    }

    /// No value is new.
    #[minimum_principle]
    pub fn range(u: State) -> [f64; 2] {
        [u.rho, -u.rho]
    }

    /// Godunov's flux: the smaller of what comes from behind and what fits in ahead.
    ///
    /// Reference: C. F. Daganzo, Transp. Res. B 28 (1994) 269–287, <https://doi.org/10.1016/0191-2615(94)90002-7>.
    #[numerical_flux(exact = [shock, rarefaction])]
    pub fn godunov(l: State, r: State, n: Normal, road: Road) -> State {
        let (behind, ahead) = if n.x >= 0.0 { (l, r) } else { (r, l) };
        let densest_free = 0.5 * road.jam;
        let demand = throughput(State { rho: behind.rho.min(densest_free) }, road);
        let supply = throughput(State { rho: ahead.rho.max(densest_free) }, road);
        State { rho: n.x * demand.min(supply) }
    }

    /// A queue at a light that turns green: a fan of vehicles that start.
    #[exact]
    pub fn green_light(x: Point, t: f64, road: Road) -> State {
        State { rho: 0.5 * road.jam * (1.0 - x.x / (road.fastest * (t + 4.0))) }
    }

    /// Where traffic leaves freely, or enters as before.
    #[boundary]
    pub fn copy(u: State) -> State {
        u
    }
}
