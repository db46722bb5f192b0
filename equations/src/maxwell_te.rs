//! Maxwell's equations in the plane with the magnetic field across it.

/// Electromagnetic waves in the plane with the magnetic field across it (transverse electric).
///
/// ```text
/// ε ∂E₁/∂t = ∂H/∂y − σ E₁
/// ε ∂E₂/∂t = − ∂H/∂x − σ E₂
/// μ ∂H/∂t  = ∂E₁/∂y − ∂E₂/∂x
/// ```
///
/// * (E₁, E₂): electric field, H: magnetic field out of the plane
/// * ε: permittivity, μ: permeability, σ: conductivity, the same everywhere: a material that varies would be a medium
/// * c = 1/√(εμ): speed of light, √(μ/ε): impedance
///
/// Without a current the divergence of ε (E₁, E₂), the charge, does not change.
///
/// Reference: J. S. Hesthaven & T. Warburton, J. Comput. Phys. 181 (2002) 186–221, <https://doi.org/10.1006/jcph.2002.7118>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=4, helpers = crate::material)]
pub mod maxwell_te {
    use std::f64::consts::PI;

    use crate::material::{self, Material};

    /// The fields.
    #[state]
    #[symmetry(rotation = (e1, e2))]
    pub struct State {
        /// Electric field in the direction of x.
        pub e1: f64,
        /// Electric field in the direction of y.
        pub e2: f64,
        /// Magnetic field out of the plane.
        pub h: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, material: Material) -> [State; 2] {
        let Material { epsilon, mu, .. } = material;
        [State { e1: 0.0, e2: u.h / epsilon, h: u.e2 / mu }, State { e1: -u.h / epsilon, e2: 0.0, h: -u.e1 / mu }]
    }

    /// Light in both directions; the electric field along a normal stays.
    pub fn eigenvalues(_: State, _: Normal, material: Material) -> [f64; 3] {
        let c = material::light(material);
        [-c, 0.0, c]
    }

    /// Ohm's law.
    #[source]
    pub fn current(u: State, material: Material) -> State {
        let rate = material.sigma / material.epsilon;
        State { e1: -rate * u.e1, e2: -rate * u.e2, h: 0.0 }
    }

    /// Energy of both fields.
    #[output]
    pub fn energy(u: State, material: Material) -> f64 {
        0.5 * (material.epsilon * (u.e1 * u.e1 + u.e2 * u.e2) + material.mu * u.h * u.h)
    }

    /// Upwind: the flux of the fields between the two waves that leave the face.
    #[numerical_flux(exact = contact)]
    pub fn upwind(l: State, r: State, n: Normal, material: Material) -> State {
        let Material { epsilon, mu, .. } = material;
        let impedance = material::impedance(material);
        let (el, er) = (l.e2 * n.x - l.e1 * n.y, r.e2 * n.x - r.e1 * n.y);
        let e = 0.5 * (el + er - impedance * (r.h - l.h));
        let h = 0.5 * (l.h + r.h - (er - el) / impedance);
        State { e1: -h * n.y / epsilon, e2: h * n.x / epsilon, h: e / mu }
    }

    /// Perfect conductor: no electric field along it.
    #[boundary(impermeable = h)]
    pub fn conductor(u: State, n: Normal) -> State {
        let along = 2.0 * (u.e2 * n.x - u.e1 * n.y);
        State { e1: u.e1 + along * n.y, e2: u.e2 - along * n.x, ..u }
    }

    /// A wave that stands between the perfect conductors around a unit square, and loses energy to a current.
    #[exact]
    pub fn cavity(x: Point, t: f64, material: Material) -> State {
        let (b, a) = material::resonance(t, material);
        let (s1, c1) = (PI * x.x).sin_cos();
        let (s2, c2) = (PI * x.y).sin_cos();
        State { e1: -c1 * s2 * a, e2: s1 * c2 * a, h: -2.0 * PI / material.mu * c1 * c2 * b }
    }
}
