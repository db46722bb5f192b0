/// Shallow water whose layer has a temperature that varies from place to place: Ripa's model.
///
/// ```text
/// ∂/∂t (h, hv₁, hv₂, hθ) + ∂/∂x (hv₁, hv₁² + ½gθh², hv₁v₂, hv₁θ) + ∂/∂y (hv₂, hv₁v₂, hv₂² + ½gθh², hv₂θ) = 0
/// ```
///
/// * h: depth, (v₁, v₂): velocity, θ: temperature relative to that of reference, g: gravity
///
/// Reference: P. Ripa, J. Fluid Mech. 303 (1995) 169–201, <https://doi.org/10.1017/S0022112095004228>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod ripa {
    #[parameters]
    pub struct Planet {
        /// Gravity.
        #[default(1.0)]
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
        /// Depth times temperature.
        pub h_theta: f64,
    }

    fn pressure(u: State, planet: Planet) -> f64 {
        0.5 * planet.g * u.h * u.h_theta
    }

    pub fn flux(u: State, planet: Planet) -> [State; 2] {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let p = pressure(u, planet);
        [
            State { h: u.h_v1, h_v1: u.h_v1 * v1 + p, h_v2: u.h_v2 * v1, h_theta: u.h_theta * v1 },
            State { h: u.h_v2, h_v1: u.h_v1 * v2, h_v2: u.h_v2 * v2 + p, h_theta: u.h_theta * v2 },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal, planet: Planet) -> [f64; 4] {
        let vn = (u.h_v1 * n.x + u.h_v2 * n.y) / u.h;
        let c = (planet.g * u.h_theta).sqrt();
        [vn - c, vn, vn, vn + c]
    }

    #[admissible]
    pub fn wet_and_warm(u: State) -> [f64; 2] {
        [u.h, u.h_theta]
    }

    #[minimum_principle]
    pub fn temperatures(u: State) -> [f64; 2] {
        [u.h_theta / u.h, -u.h_theta / u.h]
    }

    #[numerical_flux]
    pub fn lax_friedrichs(l: State, r: State, n: Normal, planet: Planet) -> State {
        let [fl, gl] = flux(l, planet);
        let [fr, gr] = flux(r, planet);
        let s = fastest(l, n, planet).max(fastest(r, n, planet));
        State {
            h: 0.5 * ((fl.h + fr.h) * n.x + (gl.h + gr.h) * n.y - s * (r.h - l.h)),
            h_v1: 0.5 * ((fl.h_v1 + fr.h_v1) * n.x + (gl.h_v1 + gr.h_v1) * n.y - s * (r.h_v1 - l.h_v1)),
            h_v2: 0.5 * ((fl.h_v2 + fr.h_v2) * n.x + (gl.h_v2 + gr.h_v2) * n.y - s * (r.h_v2 - l.h_v2)),
            h_theta: 0.5
                * ((fl.h_theta + fr.h_theta) * n.x + (gl.h_theta + gr.h_theta) * n.y - s * (r.h_theta - l.h_theta)),
        }
    }

    fn fastest(u: State, n: Normal, planet: Planet) -> f64 {
        let [slow, _, _, fast] = eigenvalues(u, n, planet);
        slow.abs().max(fast.abs())
    }

    #[boundary(impermeable = [h, h_theta])]
    pub fn coast(u: State, n: Normal) -> State {
        let m = u.h_v1 * n.x + u.h_v2 * n.y;
        State { h_v1: u.h_v1 - 2.0 * m * n.x, h_v2: u.h_v2 - 2.0 * m * n.y, ..u }
    }

    /// A lake at rest with one pressure everywhere: where it is warmer it is less deep.
    #[exact]
    pub fn isobaric(x: Point) -> State {
        let h = 1.0 + 0.25 * x.x.sin() * x.y.cos();
        State { h, h_v1: 0.0, h_v2: 0.0, h_theta: 1.0 / h }
    }
}
