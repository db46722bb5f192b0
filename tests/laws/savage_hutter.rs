/// A granular avalanche on a plane that slopes in the direction of x, after Savage and Hutter.
///
/// ```text
/// ∂/∂t (h, hv₁, hv₂) + ∂/∂x (hv₁, hv₁² + ½βh², hv₁v₂) + ∂/∂y (hv₂, hv₁v₂, hv₂² + ½βh²)
///     = (0, h (sin ζ − cos ζ tan δ v₁/|v|), −h cos ζ tan δ v₂/|v|),   β = k cos ζ
/// ```
///
/// * h: depth, (v₁, v₂): velocity, ζ: slope, δ: angle of friction at the bed, k: earth pressure over weight
///
/// Friction sets in smoothly, at speeds of 0.01. References: S. B. Savage & K. Hutter, J. Fluid Mech. 199 (1989) 177–215,
/// <https://doi.org/10.1017/S0022112089000340>; J. M. N. T. Gray, M. Wieland & K. Hutter, Proc. R. Soc. A 455 (1999)
/// 1841–1874, <https://doi.org/10.1098/rspa.1999.0383>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod savage_hutter {
    #[parameters]
    pub struct Slope {
        /// Slope, in radians.
        #[default(0.6)]
        #[range(0.0..1.5)]
        pub zeta: f64,
        /// Angle of friction at the bed, in radians.
        #[default(0.4)]
        #[range(0.0..1.5)]
        pub delta: f64,
        /// Earth pressure over weight.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub k: f64,
    }

    #[state]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Depth times velocity down the slope.
        pub h_v1: f64,
        /// Depth times velocity across it.
        pub h_v2: f64,
    }

    fn beta(slope: Slope) -> f64 {
        slope.k * slope.zeta.cos()
    }

    pub fn flux(u: State, slope: Slope) -> [State; 2] {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let p = 0.5 * beta(slope) * u.h * u.h;
        [
            State { h: u.h_v1, h_v1: u.h_v1 * v1 + p, h_v2: u.h_v2 * v1 },
            State { h: u.h_v2, h_v1: u.h_v1 * v2, h_v2: u.h_v2 * v2 + p },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal, slope: Slope) -> [f64; 3] {
        let vn = (u.h_v1 * n.x + u.h_v2 * n.y) / u.h;
        let c = (beta(slope) * u.h).sqrt();
        [vn - c, vn, vn + c]
    }

    #[admissible]
    pub fn covered(u: State) -> [f64; 1] {
        [u.h]
    }

    #[source]
    pub fn weight_and_friction(u: State, slope: Slope) -> State {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let friction = slope.zeta.cos() * slope.delta.tan() / (v1 * v1 + v2 * v2 + 1e-4).sqrt();
        State { h: 0.0, h_v1: u.h * (slope.zeta.sin() - friction * v1), h_v2: -u.h * friction * v2 }
    }

    #[boundary(impermeable = h)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.h_v1 * n.x + u.h_v2 * n.y;
        State { h_v1: u.h_v1 - 2.0 * m * n.x, h_v2: u.h_v2 - 2.0 * m * n.y, ..u }
    }

    #[exact(manufactured)]
    pub fn slide(x: Point, t: f64) -> State {
        let h = 2.0 + (x.x - t).cos();
        State { h, h_v1: h, h_v2: 0.0 }
    }
}
