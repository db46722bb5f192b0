//! The shallow water equations with eddy viscosity.

/// Shallow water whose eddies carry momentum, over level ground, or ground that falls evenly along x.
///
/// ```text
/// ∂h/∂t + ∇·m = 0,   m = hv
/// ∂m/∂t + ∇·(m ⊗ v + ½ g h² I − ν h (∇v + ∇vᵀ)) = g h S e₁
/// ```
///
/// * h: depth, m: momentum by the density of water, v: velocity, g: gravity
/// * ν: eddy viscosity, which stands for what eddies smaller than the depth do; S: how far the ground falls per length along x
///
/// References: P. R. Gent, J. Atmos. Sci. 50 (1993) 1323–1325,
/// <https://doi.org/10.1175/1520-0469(1993)050%3C1323:TECSWE%3E2.0.CO;2>, for a friction that takes energy everywhere;
/// F. Marche, Eur. J. Mech. B 26 (2007) 49–63, <https://doi.org/10.1016/j.euromechflu.2006.04.007>.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=7)]
pub mod viscous_shallow_water {
    use std::f64::consts::PI;

    /// The number of dimensions.
    const DIM: usize = 2;

    /// The ground and its eddies, in units of metres and seconds.
    #[parameters]
    pub struct Ground {
        /// Gravity.
        #[default(9.81)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
        /// Eddy viscosity.
        #[default(0.1)]
        #[range((Excluded(0.0), Unbounded))]
        pub nu: f64,
        /// How far the ground falls per length along x.
        #[default(0.0)]
        pub slope: f64,
        /// Width of a river along x.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub width: f64,
    }

    /// Depth and momentum by the density of water.
    #[state]
    #[symmetry(rotation = m, galilean = m)]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Momentum.
        pub m: [f64; DIM],
    }

    /// What the water carries, and its pressure.
    pub fn flux(u: State, ground: Ground) -> [State; DIM] {
        std::array::from_fn(|d| {
            let mut flux = u.m[d] / u.h * u;
            flux.m[d] += 0.5 * ground.g * u.h * u.h;
            flux
        })
    }

    /// Friction between neighbouring columns of water.
    #[viscous_flux]
    pub fn eddies(u: State, gradient: [State; DIM], ground: Ground) -> [State; DIM] {
        // h times the derivative of velocity i by x_d.
        let slope = |d: usize, i: usize| gradient[d].m[i] - u.m[i] / u.h * gradient[d].h;
        std::array::from_fn(|d| State { h: 0.0, m: std::array::from_fn(|i| ground.nu * (slope(d, i) + slope(i, d))) })
    }

    /// Gravity waves in both directions; shear is carried with the flow.
    pub fn eigenvalues(u: State, n: Normal, ground: Ground) -> [f64; 3] {
        let m: f64 = (0..DIM).map(|d| u.m[d] * n[d]).sum();
        let c = (ground.g * u.h).sqrt();
        [m / u.h - c, m / u.h, m / u.h + c]
    }

    /// The ground is wet.
    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }

    /// Water flows downhill.
    #[source]
    pub fn downhill(u: State, ground: Ground) -> State {
        State { h: 0.0, m: [ground.g * u.h * ground.slope, 0.0] }
    }

    /// Speed of the water.
    #[output]
    pub fn speed(u: State) -> f64 {
        let square: f64 = (0..DIM).map(|d| u.m[d] * u.m[d]).sum();
        square.sqrt() / u.h
    }

    /// The state of depth h and velocity v.
    #[variables]
    pub fn from_velocity(h: f64, v: [f64; DIM]) -> State {
        State { h, m: v.map(|v| h * v) }
    }

    /// A smooth bank, along which the water slips: the mirrored flow.
    #[boundary(impermeable = h)]
    pub fn smooth_bank(mut u: State, n: Normal) -> State {
        let across: f64 = (0..DIM).map(|d| u.m[d] * n[d]).sum();
        for d in 0..DIM {
            u.m[d] -= 2.0 * across * n[d];
        }
        u
    }

    /// A rough bank, at which the water rests.
    #[boundary(impermeable = h)]
    pub fn rough_bank(u: State) -> State {
        State { m: u.m.map(|m| -m), ..u }
    }

    /// A river of depth 1 along x between rough banks, y = 0 and y = `width`, whose weight and friction balance: a parabola.
    #[exact]
    pub fn river(x: Point, ground: Ground) -> State {
        let v = 0.5 * ground.g * ground.slope / ground.nu * x.y * (ground.width - x.y);
        from_velocity(1.0, [v, 0.0])
    }

    /// Waves that move through the periodic square (0, 2)²: a solution by the source that is derived for it.
    ///
    /// Reference: P. J. Roache, J. Fluids Eng. 124 (2002) 4–10, <https://doi.org/10.1115/1.1436090>, for the method.
    #[exact(manufactured)]
    pub fn waves(x: Point, t: f64) -> State {
        let h = 2.0 + 0.2 * (PI * (x.x + x.y - t)).sin();
        State { h, m: [1.0 + 0.2 * (PI * x.y).sin(), 0.5 + 0.2 * (PI * (x.x - t)).cos()] }
    }
}
