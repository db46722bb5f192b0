//! Maxwell's equations in the plane with the electric field across it.

/// Electromagnetic waves in the plane with the electric field across it (transverse magnetic).
///
/// ```text
/// ε ∂E/∂t  = ∂H₂/∂x − ∂H₁/∂y − σ E
/// μ ∂H₁/∂t = − ∂E/∂y
/// μ ∂H₂/∂t = ∂E/∂x
/// ```
///
/// * E: electric field out of the plane, (H₁, H₂): magnetic field
/// * ε: permittivity, μ: permeability, σ: conductivity, the same everywhere: a material that varies would be a medium
/// * c = 1/√(εμ): speed of light, √(μ/ε): impedance
///
/// The divergence of μ (H₁, H₂) does not change. `absorbing` is the boundary of Silver and Müller.
///
/// Reference: J. S. Hesthaven & T. Warburton, J. Comput. Phys. 181 (2002) 186–221, <https://doi.org/10.1006/jcph.2002.7118>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=4, helpers = crate::material)]
pub mod maxwell_tm {
    use std::f64::consts::PI;

    use crate::material::{self, Material};

    /// The fields.
    #[state]
    #[symmetry(rotation = (h1, h2))]
    pub struct State {
        /// Electric field out of the plane.
        pub e: f64,
        /// Magnetic field in the direction of x.
        pub h1: f64,
        /// Magnetic field in the direction of y.
        pub h2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, material: Material) -> [State; 2] {
        let Material { epsilon, mu, .. } = material;
        [State { e: -u.h2 / epsilon, h1: 0.0, h2: -u.e / mu }, State { e: u.h1 / epsilon, h1: u.e / mu, h2: 0.0 }]
    }

    /// Light in both directions; the magnetic field along a normal stays.
    pub fn eigenvalues(_: State, _: Normal, material: Material) -> [f64; 3] {
        let c = material::light(material);
        [-c, 0.0, c]
    }

    /// Ohm's law.
    #[source]
    pub fn current(u: State, material: Material) -> State {
        State { e: -material.sigma / material.epsilon * u.e, h1: 0.0, h2: 0.0 }
    }

    /// Energy of both fields.
    #[output]
    pub fn energy(u: State, material: Material) -> f64 {
        0.5 * (material.epsilon * u.e * u.e + material.mu * (u.h1 * u.h1 + u.h2 * u.h2))
    }

    /// Upwind: the flux of the fields between the two waves that leave the face.
    #[numerical_flux(exact = contact)]
    pub fn upwind(l: State, r: State, n: Normal, material: Material) -> State {
        let Material { epsilon, mu, .. } = material;
        let impedance = material::impedance(material);
        let (hl, hr) = (l.h2 * n.x - l.h1 * n.y, r.h2 * n.x - r.h1 * n.y);
        let h = 0.5 * (hl + hr + (r.e - l.e) / impedance);
        let e = 0.5 * (l.e + r.e + impedance * (hr - hl));
        State { e: -h / epsilon, h1: e * n.y / mu, h2: -e * n.x / mu }
    }

    /// Perfect conductor: no electric field along it.
    #[boundary(impermeable = [h1, h2])]
    pub fn conductor(u: State) -> State {
        State { e: -u.e, ..u }
    }

    /// A wave that stands between the perfect conductors around a unit square, and loses energy to a current.
    #[exact]
    pub fn cavity(x: Point, t: f64, material: Material) -> State {
        let (b, a) = material::resonance(t, material);
        let (s1, c1) = (PI * x.x).sin_cos();
        let (s2, c2) = (PI * x.y).sin_cos();
        let h = PI / material.mu * b;
        State { e: s1 * s2 * a, h1: -h * s1 * c2, h2: h * c1 * s2 }
    }
}
