/// Shallow water over level ground that carries a dissolved substance.
///
/// ```text
/// ∂/∂t (h, hv₁, hv₂, hc) + ∂/∂x (hv₁, hv₁² + ½gh², hv₁v₂, hv₁c) + ∂/∂y (hv₂, hv₁v₂, hv₂² + ½gh², hv₂c) = 0
/// ```
///
/// * h: depth, (v₁, v₂): velocity, c: concentration, g: gravity
///
/// Reference: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, Springer 2009,
/// <https://doi.org/10.1007/b79761>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod shallow_water_with_tracer {
    #[parameters]
    pub struct Planet {
        /// Gravity.
        #[default(9.81)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
    }

    #[state]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Depth times velocity in x.
        pub h_v1: f64,
        /// Depth times velocity in y.
        pub h_v2: f64,
        /// Depth times concentration.
        pub h_c: f64,
    }

    pub fn flux(u: State, planet: Planet) -> [State; 2] {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let p = 0.5 * planet.g * u.h * u.h;
        [
            State { h: u.h_v1, h_v1: u.h_v1 * v1 + p, h_v2: u.h_v2 * v1, h_c: u.h_c * v1 },
            State { h: u.h_v2, h_v1: u.h_v1 * v2, h_v2: u.h_v2 * v2 + p, h_c: u.h_c * v2 },
        ]
    }

    fn normal_velocity(u: State, n: Normal) -> f64 {
        (u.h_v1 * n.x + u.h_v2 * n.y) / u.h
    }

    fn celerity(u: State, planet: Planet) -> f64 {
        (planet.g * u.h).sqrt()
    }

    pub fn eigenvalues(u: State, n: Normal, planet: Planet) -> [f64; 4] {
        let (vn, c) = (normal_velocity(u, n), celerity(u, planet));
        [vn - c, vn, vn, vn + c]
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }

    #[minimum_principle]
    pub fn concentrations(u: State) -> [f64; 2] {
        [u.h_c / u.h, -u.h_c / u.h]
    }

    fn normal_flux(u: State, n: Normal, planet: Planet) -> State {
        let vn = normal_velocity(u, n);
        let p = 0.5 * planet.g * u.h * u.h;
        State { h: u.h * vn, h_v1: u.h_v1 * vn + p * n.x, h_v2: u.h_v2 * vn + p * n.y, h_c: u.h_c * vn }
    }

    /// The state between a gravity wave of speed s and the contact.
    fn behind(u: State, n: Normal, s: f64, contact: f64) -> State {
        let vn = normal_velocity(u, n);
        let squeezed = (s - vn) / (s - contact);
        let jump = u.h * (contact - vn);
        State {
            h: squeezed * u.h,
            h_v1: squeezed * (u.h_v1 + jump * n.x),
            h_v2: squeezed * (u.h_v2 + jump * n.y),
            h_c: squeezed * u.h_c,
        }
    }

    /// HLLC: two gravity waves, and the contact that carries shear and tracer.
    ///
    /// Reference: E. F. Toro, M. Spruce & W. Speares, Shock Waves 4 (1994) 25–34, <https://doi.org/10.1007/BF01414629>.
    #[numerical_flux]
    pub fn hllc(l: State, r: State, n: Normal, planet: Planet) -> State {
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (cl, cr) = (celerity(l, planet), celerity(r, planet));
        let sl = (vl - cl).min(vr - cr);
        let sr = (vl + cl).max(vr + cr);
        let (ml, mr) = (l.h * (sl - vl), r.h * (sr - vr));
        let pressures = 0.5 * planet.g * (r.h * r.h - l.h * l.h);
        let contact = (pressures + ml * vl - mr * vr) / (ml - mr);
        let (u, s) = if contact >= 0.0 { (l, sl.min(0.0)) } else { (r, sr.max(0.0)) };
        let wave = if contact >= 0.0 { sl } else { sr };
        let (f, star) = (normal_flux(u, n, planet), behind(u, n, wave, contact));
        State {
            h: f.h + s * (star.h - u.h),
            h_v1: f.h_v1 + s * (star.h_v1 - u.h_v1),
            h_v2: f.h_v2 + s * (star.h_v2 - u.h_v2),
            h_c: f.h_c + s * (star.h_c - u.h_c),
        }
    }

    #[boundary(impermeable = [h, h_c])]
    pub fn bank(u: State, n: Normal) -> State {
        let m = u.h_v1 * n.x + u.h_v2 * n.y;
        State { h_v1: u.h_v1 - 2.0 * m * n.x, h_v2: u.h_v2 - 2.0 * m * n.y, ..u }
    }

    /// A river of given depth, velocity and concentration enters.
    #[boundary]
    pub fn inflow(n: Normal) -> State {
        State { h: 2.0, h_v1: -6.0 * n.x, h_v2: -6.0 * n.y, h_c: 1.0 }
    }

    #[boundary]
    pub fn open(u: State) -> State {
        u
    }

    /// A spot that drifts.
    #[exact]
    pub fn spot(x: Point, t: f64) -> State {
        let (dx, dy) = (x.x - 0.5 * t, x.y + 0.25 * t);
        State { h: 1.5, h_v1: 0.75, h_v2: -0.375, h_c: 1.5 * (-(dx * dx + dy * dy)).exp() }
    }

    #[initial]
    pub fn dam(x: Point) -> State {
        let (h, c) = if x.x < 0.0 { (2.0, 1.0) } else { (1.0, 0.0) };
        State { h, h_v1: 0.0, h_v2: 0.0, h_c: h * c }
    }

    #[variables]
    pub fn from_velocity(h: f64, v1: f64, v2: f64, c: f64) -> State {
        State { h, h_v1: h * v1, h_v2: h * v2, h_c: h * c }
    }
}
