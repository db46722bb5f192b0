/// Shallow water over level ground.
///
/// ```text
/// ∂h/∂t + ∇·m = 0,   ∂m/∂t + ∇·(m⊗m/h + ½ g h² I) = 0
/// ```
///
/// * h: depth, m: discharge per width, g: gravity
///
/// References: A. J. C. de Saint-Venant, C. R. Acad. Sci. Paris 73 (1871) 147–154;
/// S. Osher & F. Solomon, Math. Comp. 38 (1982) 339–374, <https://doi.org/10.1090/S0025-5718-1982-0645656-0>;
/// M. Dumbser & E. F. Toro, Commun. Comput. Phys. 10 (2011) 635–671, <https://doi.org/10.4208/cicp.170610.021210a>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod level_water {
    #[parameters]
    pub struct Planet {
        /// Gravity.
        #[default(9.81)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
    }

    #[state]
    #[symmetry(rotation = m, galilean = m)]
    pub struct State {
        /// Depth.
        pub h: f64,
        /// Discharge per width.
        pub m: [f64; 2],
    }

    /// Gauss's quadrature on [0, 1].
    const NODES: [f64; 3] = [0.112_701_665_379_258_31, 0.5, 0.887_298_334_620_741_69];
    const WEIGHTS: [f64; 3] = [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0];

    pub fn flux(u: State, planet: Planet) -> [State; 2] {
        std::array::from_fn(|d| {
            let mut flux = u.m[d] / u.h * u;
            flux.m[d] += 0.5 * planet.g * u.h * u.h;
            flux
        })
    }

    pub fn eigenvalues(u: State, n: Normal, planet: Planet) -> [f64; 3] {
        let vn = (u.m[0] * n.x + u.m[1] * n.y) / u.h;
        let c = (planet.g * u.h).sqrt();
        [vn - c, vn, vn + c]
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }

    fn normal_flux(u: State, n: Normal, planet: Planet) -> State {
        let [f, g] = flux(u, planet);
        f * n.x + g * n.y
    }

    /// |A| times a change.
    fn damping(u: State, d: State, n: Normal, planet: Planet) -> State {
        let c = (planet.g * u.h).sqrt();
        let v = u.m.map(|m| m / u.h);
        let vn = v[0] * n.x + v[1] * n.y;
        let dn = d.m[0] * n.x + d.m[1] * n.y;
        let left = (vn - c).abs() * ((vn + c) * d.h - dn) / (2.0 * c);
        let right = (vn + c).abs() * (dn - (vn - c) * d.h) / (2.0 * c);
        let vt = v[1] * n.x - v[0] * n.y;
        let shear = vn.abs() * (d.m[1] * n.x - d.m[0] * n.y - vt * d.h);
        State {
            h: left + right,
            m: [
                left * (v[0] - c * n.x) + right * (v[0] + c * n.x) - shear * n.y,
                left * (v[1] - c * n.y) + right * (v[1] + c * n.y) + shear * n.x,
            ],
        }
    }

    /// The flux of Osher and Solomon: |A| summed along the straight path between the states, by Gauss's quadrature.
    #[numerical_flux]
    pub fn osher_solomon(l: State, r: State, n: Normal, planet: Planet) -> State {
        let jump = r - l;
        let mut f = normal_flux(l, n, planet) + normal_flux(r, n, planet);
        for (s, w) in NODES.iter().zip(WEIGHTS) {
            f -= w * damping(l + *s * jump, jump, n, planet);
        }
        0.5 * f
    }

    #[boundary(impermeable = h)]
    pub fn wall(mut u: State, n: Normal) -> State {
        let across = u.m[0] * n.x + u.m[1] * n.y;
        for d in 0..2 {
            u.m[d] -= 2.0 * across * n[d];
        }
        u
    }
}
