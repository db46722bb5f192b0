/// Traffic on a road in the direction of x that is free up to a density, and queues beyond it: Newell's model.
///
/// ```text
/// ∂ρ/∂t + ∂(min(v ρ, w (1 − ρ)))/∂x = 0
/// ```
///
/// * ρ: density of vehicles as part of that in a queue at rest, v: free speed, w: speed of queues that grow backwards
///
/// Reference: G. F. Newell, Transp. Res. B 27 (1993) 281–287, <https://doi.org/10.1016/0191-2615(93)90038-C>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod newell {
    const FREE: f64 = 1.0;
    const BACK: f64 = 0.25;

    /// Where both branches meet, v ρ = w (1 − ρ).
    const CRITICAL: f64 = 0.2;

    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        [State { rho: (FREE * u.rho).min(BACK * (1.0 - u.rho)) }, State { rho: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 1] {
        [if u.rho < CRITICAL { FREE * n.x } else { -BACK * n.x }]
    }

    #[minimum_principle]
    pub fn range(u: State) -> [f64; 2] {
        [u.rho, -u.rho]
    }

    /// The cell transmission model: what the road behind sends, unless the road ahead takes less.
    ///
    /// Reference: C. F. Daganzo, Transp. Res. B 28 (1994) 269–287, <https://doi.org/10.1016/0191-2615(94)90002-7>.
    #[numerical_flux]
    pub fn cell_transmission(l: State, r: State, n: Normal) -> State {
        let (behind, ahead) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let demand = FREE * behind.rho.min(CRITICAL);
        let supply = BACK * (1.0 - ahead.rho.max(CRITICAL));
        State { rho: n.x * demand.min(supply) }
    }

    #[boundary]
    pub fn red_light() -> State {
        State { rho: 1.0 }
    }

    /// A queue at rest before a light that turns green at t = 0: vehicles leave at the critical density.
    #[exact]
    pub fn green_light(x: Point, t: f64) -> State {
        let rho = if x.x < -BACK * t {
            1.0
        } else if x.x < FREE * t {
            CRITICAL
        } else {
            0.0
        };
        State { rho }
    }

    /// Free traffic that is carried along.
    #[exact]
    pub fn free(x: Point, t: f64) -> State {
        State { rho: 0.1 + 0.05 * (x.x - FREE * t).sin() }
    }
}
