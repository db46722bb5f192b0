/// Small disturbances of a uniform flow in the direction of x: the linearised Euler equations.
///
/// ```text
/// ∂/∂t (ρ, u, v, p) + ∂/∂x (Mρ + u, Mu + p, Mv, Mp + u) + ∂/∂y (v, 0, p, v) = 0
/// ```
///
/// * ρ, (u, v), p: disturbances of density, velocity and pressure, M: the flow's Mach number; the speed of sound is 1
///
/// Reference: C. K. W. Tam & J. C. Webb, J. Comput. Phys. 107 (1993) 262–281, <https://doi.org/10.1006/jcph.1993.1142>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod linearised_euler {
    #[parameters]
    pub struct Flow {
        /// Mach number of the flow.
        #[default(0.5)]
        #[range(0.0..)]
        pub mach: f64,
    }

    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Velocity in x.
        pub u: f64,
        /// Velocity in y.
        pub v: f64,
        /// Pressure.
        pub p: f64,
    }

    pub fn flux(q: State, flow: Flow) -> [State; 2] {
        let m = flow.mach;
        [
            State { rho: m * q.rho + q.u, u: m * q.u + q.p, v: m * q.v, p: m * q.p + q.u },
            State { rho: q.v, u: 0.0, v: q.p, p: q.v },
        ]
    }

    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 4] {
        let m = flow.mach * n.x;
        [m - 1.0, m, m, m + 1.0]
    }

    /// Upwind, wave by wave: two of sound, entropy, and vorticity.
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal, flow: Flow) -> State {
        let m = flow.mach * n.x;
        let (ul, ur) = (l.u * n.x + l.v * n.y, r.u * n.x + r.v * n.y);
        let forward = (m + 1.0).max(0.0) * 0.5 * (l.p + ul) + (m + 1.0).min(0.0) * 0.5 * (r.p + ur);
        let backward = (m - 1.0).max(0.0) * 0.5 * (l.p - ul) + (m - 1.0).min(0.0) * 0.5 * (r.p - ur);
        let entropy = m.max(0.0) * (l.rho - l.p) + m.min(0.0) * (r.rho - r.p);
        let (tl, tr) = (l.v * n.x - l.u * n.y, r.v * n.x - r.u * n.y);
        let vorticity = m.max(0.0) * tl + m.min(0.0) * tr;
        State {
            rho: forward + backward + entropy,
            u: (forward - backward) * n.x - vorticity * n.y,
            v: (forward - backward) * n.y + vorticity * n.x,
            p: forward + backward,
        }
    }

    /// A spot of heat and an eddy that drift with the flow.
    #[exact]
    pub fn drifting(x: Point, t: f64, flow: Flow) -> State {
        let dx = x.x - flow.mach * t;
        let bump = (-(dx * dx + x.y * x.y)).exp();
        State { rho: bump, u: x.y * bump, v: -dx * bump, p: 0.0 }
    }

    #[initial]
    pub fn pulse(x: Point) -> State {
        let bump = (-(x.x * x.x + x.y * x.y)).exp();
        State { rho: bump, u: 0.0, v: 0.0, p: bump }
    }
}
