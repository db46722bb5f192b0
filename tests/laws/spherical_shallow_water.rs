/// Shallow water on a sphere of radius 1 that turns, in longitude x and latitude y.
///
/// ```text
/// ∂(ch)/∂t   + ∂(hv₁)/∂x          + ∂(chv₂)/∂y             = 0
/// ∂(chv₁)/∂t + ∂(hv₁² + ½gh²)/∂x  + ∂(chv₁v₂)/∂y           =   (2Ωs + v₁ s/c) chv₂
/// ∂(chv₂)/∂t + ∂(hv₁v₂)/∂x        + ∂(c(hv₂² + ½gh²))/∂y   = − (2Ωs + v₁ s/c) chv₁ − ½gh²s
/// ```
///
/// * h: depth, v: velocity, c, s: cosine and sine of the latitude, Ω: rotation, g: gravity
///
/// The state is of densities by longitude and latitude, c times those by area. Reference: D. L. Williamson, J. B. Drake, J. J. Hack,
/// R. Jakob & P. N. Swarztrauber, J. Comput. Phys. 102 (1992) 211–224, section 3.2 for the exact solution,
/// <https://doi.org/10.1016/S0021-9991(05)80016-6>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod spherical_shallow_water {
    #[parameters]
    pub struct Planet {
        /// Gravity.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
        /// Angular velocity.
        #[default(1.0)]
        pub omega: f64,
    }

    /// The latitude of a place.
    #[medium]
    pub struct Latitude {
        /// Its cosine.
        #[range((Excluded(0.0), Included(1.0)))]
        pub cos: f64,
        /// Its sine.
        #[range(-1.0..=1.0)]
        pub sin: f64,
    }

    #[medium]
    pub fn latitude(x: Point) -> Latitude {
        Latitude { cos: x.y.cos(), sin: x.y.sin() }
    }

    #[state]
    pub struct State {
        /// Depth times the cosine.
        pub h: f64,
        /// That times the velocity to the east.
        pub q1: f64,
        /// That times the velocity to the north.
        pub q2: f64,
    }

    pub fn flux(u: State, at: Latitude, planet: Planet) -> [State; 2] {
        let (v1, v2) = (u.q1 / u.h, u.q2 / u.h);
        let p = 0.5 * planet.g * (u.h / at.cos).powi(2);
        let east = v1 / at.cos * u;
        let north = v2 * u;
        [State { q1: east.q1 + p, ..east }, State { q2: north.q2 + at.cos * p, ..north }]
    }

    pub fn eigenvalues(u: State, n: Normal, at: Latitude, planet: Planet) -> [f64; 3] {
        let (x, y) = (n.x / at.cos, n.y);
        let v = (u.q1 * x + u.q2 * y) / u.h;
        let c = (planet.g * u.h / at.cos * (x * x + y * y)).sqrt();
        [v - c, v, v + c]
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }

    /// Coriolis' force, and what the metric adds.
    #[source]
    pub fn turning(u: State, at: Latitude, planet: Planet) -> State {
        let f = 2.0 * planet.omega * at.sin + u.q1 / u.h * at.sin / at.cos;
        let h = u.h / at.cos;
        State { h: 0.0, q1: f * u.q2, q2: -f * u.q1 - 0.5 * planet.g * h * h * at.sin }
    }

    #[numerical_flux]
    pub fn lax_friedrichs(l: State, r: State, n: Normal, left: Latitude, right: Latitude, planet: Planet) -> State {
        let [fl, gl] = flux(l, left, planet);
        let [fr, gr] = flux(r, right, planet);
        let [a, _, b] = eigenvalues(l, n, left, planet);
        let [c, _, d] = eigenvalues(r, n, right, planet);
        let fastest = a.abs().max(b.abs()).max(c.abs()).max(d.abs());
        0.5 * (n.x * (fl + fr) + n.y * (gl + gr) - fastest * (r - l))
    }

    /// A coast in any direction: what is across it on the sphere turns round.
    #[boundary(impermeable = h)]
    pub fn coast(u: State, n: Normal, at: Latitude) -> State {
        let (x, y) = (n.x / at.cos, n.y);
        let q = 2.0 * (u.q1 * x + u.q2 * y) / (x * x + y * y);
        State { q1: u.q1 - q * x, q2: u.q2 - q * y, ..u }
    }

    /// A current to the east in balance with the pressure.
    #[exact]
    pub fn zonal(x: Point, planet: Planet) -> State {
        let (c, s) = (x.y.cos(), x.y.sin());
        let v = 0.25 * c;
        let h = 4.0 - (0.25 * planet.omega + 0.03125) * s * s / planet.g;
        State { h: h * c, q1: h * c * v, q2: 0.0 }
    }
}
