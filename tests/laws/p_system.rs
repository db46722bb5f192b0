/// A gas of constant entropy in one dimension, in Lagrangian coordinates: the p-system.
///
/// ```text
/// ∂v/∂t − ∂u/∂x = 0,   ∂u/∂t + ∂/∂x (κ v^(−γ)) = 0
/// ```
///
/// * v: volume per mass, u: velocity, x: mass to the left of a particle, κ v^(−γ): pressure
///
/// Reference: J. Smoller, Shock Waves and Reaction–Diffusion Equations, 2nd edition, chapter 17, Springer 1994,
/// <https://doi.org/10.1007/978-1-4612-0873-0>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod p_system {
    /// Gauss's quadrature on [0, 1].
    const NODES: [f64; 3] = [0.112_701_665_379_258_31, 0.5, 0.887_298_334_620_741_69];
    const WEIGHTS: [f64; 3] = [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0];

    #[parameters]
    pub struct Gas {
        /// Adiabatic exponent.
        #[default(1.4)]
        #[range(1.0..)]
        pub gamma: f64,
        /// Pressure at volume 1.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub kappa: f64,
    }

    #[state]
    pub struct State {
        /// Volume per mass.
        pub v: f64,
        /// Velocity.
        pub u: f64,
    }

    #[output]
    pub fn pressure(q: State, gas: Gas) -> f64 {
        gas.kappa * q.v.powf(-gas.gamma)
    }

    pub fn flux(q: State, gas: Gas) -> [State; 2] {
        [State { v: -q.u, u: pressure(q, gas) }, State { v: 0.0, u: 0.0 }]
    }

    fn speed(q: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(q, gas) / q.v).sqrt()
    }

    pub fn eigenvalues(q: State, n: Normal, gas: Gas) -> [f64; 2] {
        let c = speed(q, gas) * n.x;
        [-c, c]
    }

    #[admissible]
    pub fn positive(q: State) -> [f64; 1] {
        [q.v]
    }

    #[numerical_flux]
    pub fn lax_friedrichs(l: State, r: State, n: Normal, gas: Gas) -> State {
        let s = speed(l, gas).max(speed(r, gas)) * n.x.abs();
        State {
            v: -0.5 * ((l.u + r.u) * n.x + s * (r.v - l.v)),
            u: 0.5 * ((pressure(l, gas) + pressure(r, gas)) * n.x - s * (r.u - l.u)),
        }
    }

    /// The flux of Osher and Solomon: |A| summed along the straight path between the states, by Gauss's quadrature.
    ///
    /// References: S. Osher & F. Solomon, Math. Comp. 38 (1982) 339–374, <https://doi.org/10.1090/S0025-5718-1982-0645656-0>;
    /// M. Dumbser & E. F. Toro, Commun. Comput. Phys. 10 (2011) 635–671, <https://doi.org/10.4208/cicp.170610.021210a>.
    #[numerical_flux]
    pub fn osher_solomon(l: State, r: State, n: Normal, gas: Gas) -> State {
        let jump = r - l;
        let mut s = 0.0;
        for (place, weight) in NODES.iter().zip(WEIGHTS) {
            s += weight * speed(l + *place * jump, gas) * n.x.abs();
        }
        0.5 * ((flux(l, gas)[0] + flux(r, gas)[0]) * n.x - s * jump)
    }

    #[exact(manufactured)]
    pub fn wave(x: Point, t: f64) -> State {
        State { v: 2.0 + (x.x - t).sin(), u: (x.x + t).cos() }
    }
}
