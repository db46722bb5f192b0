/// Rain that runs off a slope in the direction of x, with Manning's friction: a kinematic wave.
///
/// ```text
/// ∂h/∂t + ∂/∂x (α h^(5/3)) = r
/// ```
///
/// * h: depth of the water, α: root of the slope over its roughness, r: rain
///
/// Reference: M. J. Lighthill & G. B. Whitham, Proc. R. Soc. A 229 (1955) 281–316, <https://doi.org/10.1098/rspa.1955.0088>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod kinematic_wave {
    const EXPONENT: f64 = 5.0 / 3.0;

    #[parameters]
    pub struct Slope {
        /// Root of the slope over its roughness.
        #[default(2.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub alpha: f64,
        /// Rain per time.
        #[default(0.1)]
        #[range(0.0..)]
        pub rain: f64,
    }

    #[state]
    pub struct State {
        /// Depth.
        pub h: f64,
    }

    #[output]
    pub fn discharge(u: State, slope: Slope) -> f64 {
        slope.alpha * u.h.powf(EXPONENT)
    }

    pub fn flux(u: State, slope: Slope) -> [State; 2] {
        [State { h: discharge(u, slope) }, State { h: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, slope: Slope) -> [f64; 1] {
        [EXPONENT * slope.alpha * u.h.powf(EXPONENT - 1.0) * n.x]
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }

    #[source]
    pub fn rain(slope: Slope) -> State {
        State { h: slope.rain }
    }

    /// All water runs down: Godunov's flux is that of the upper side.
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal, slope: Slope) -> State {
        let upper = if n.x >= 0.0 { l } else { r };
        State { h: n.x * discharge(upper, slope) }
    }

    /// Rain on a slope that is equally wet everywhere.
    #[exact]
    pub fn uniform(t: f64, slope: Slope) -> State {
        State { h: 1.0 + slope.rain * t }
    }

    #[exact(manufactured)]
    pub fn ripple(x: Point, t: f64) -> State {
        State { h: 2.0 + (x.x - t).sin() * x.y.cos() }
    }
}
