//! Maxwell's equations in the plane with the magnetic field across it.

/// Electromagnetic waves in the plane with the magnetic field across it (transverse electric).
///
/// ```text
/// ∂D₁/∂t = ∂H/∂y − σ E₁,            D = ε E
/// ∂D₂/∂t = − ∂H/∂x − σ E₂,          B = μ H
/// ∂B/∂t  = ∂E₁/∂y − ∂E₂/∂x − σ* H
/// ```
///
/// * (E₁, E₂): electric field, (D₁, D₂): electric displacement; H: magnetic field out of the plane, B: its flux density
/// * ε: permittivity, μ: permeability, σ: conductivity, σ*: magnetic loss of the matter, which may vary and jump
/// * c = 1/√(εμ): speed of light, √(μ/ε): impedance
///
/// Without a current the divergence of D, the charge, does not change. Absorbing layers are those of `maxwell_tm`: σ* / μ = σ / ε.
///
/// Reference: J. S. Hesthaven & T. Warburton, J. Comput. Phys. 181 (2002) 186–221, <https://doi.org/10.1006/jcph.2002.7118>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=4, helpers = crate::material)]
pub mod maxwell_te {
    use std::f64::consts::PI;

    use crate::material::{self, Material};

    /// What the waves move in.
    #[medium]
    pub struct Matter {
        /// Permittivity.
        #[range((Excluded(0.0), Unbounded))]
        pub epsilon: f64,
        /// Permeability.
        #[range((Excluded(0.0), Unbounded))]
        pub mu: f64,
        /// Conductivity.
        #[range(0.0..)]
        pub sigma: f64,
        /// Magnetic loss, of absorbing layers.
        #[range(0.0..)]
        pub loss: f64,
    }

    /// What is conserved of the fields.
    #[state]
    #[symmetry(rotation = d)]
    pub struct State {
        /// Electric displacement.
        pub d: [f64; 2],
        /// Magnetic flux density out of the plane.
        pub b: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, matter: Matter) -> [State; 2] {
        let ([e1, e2], h) = (electric_field(u, matter), magnetic_field(u, matter));
        [State { d: [0.0, h], b: e2 }, State { d: [-h, 0.0], b: -e1 }]
    }

    /// Light in both directions; the electric field along a normal stays.
    pub fn eigenvalues(_: State, _: Normal, matter: Matter) -> [f64; 3] {
        let c = material::light(matter.epsilon, matter.mu);
        [-c, 0.0, c]
    }

    /// Ohm's law, and the loss.
    #[source]
    pub fn current(u: State, matter: Matter) -> State {
        State { d: electric_field(u, matter).map(|e| -matter.sigma * e), b: -matter.loss * magnetic_field(u, matter) }
    }

    fn electric_field(u: State, matter: Matter) -> [f64; 2] {
        u.d.map(|d| d / matter.epsilon)
    }

    /// Magnetic field.
    #[output]
    pub fn magnetic_field(u: State, matter: Matter) -> f64 {
        u.b / matter.mu
    }

    /// Energy of both fields.
    #[output]
    pub fn energy(u: State, matter: Matter) -> f64 {
        let [e1, e2] = electric_field(u, matter);
        0.5 * (u.d[0] * e1 + u.d[1] * e2 + u.b * magnetic_field(u, matter))
    }

    /// Upwind: the flux of the fields between the two waves that leave the face, with the impedances of both sides.
    #[numerical_flux(exact = contact)]
    pub fn upwind(l: State, r: State, n: Normal, left: Matter, right: Matter) -> State {
        let zl = material::impedance(left.epsilon, left.mu);
        let zr = material::impedance(right.epsilon, right.mu);
        let (el, hl) = (along(electric_field(l, left), n), magnetic_field(l, left));
        let (er, hr) = (along(electric_field(r, right), n), magnetic_field(r, right));
        // E + Z H comes from the left, E − Z H from the right.
        let h = (el + zl * hl - (er - zr * hr)) / (zl + zr);
        let e = (zr * (el + zl * hl) + zl * (er - zr * hr)) / (zl + zr);
        State { d: [-h * n.y, h * n.x], b: e }
    }

    /// The field along the face.
    fn along(e: [f64; 2], n: Normal) -> f64 {
        e[1] * n.x - e[0] * n.y
    }

    /// Perfect conductor: no electric field along it.
    #[boundary(impermeable = b)]
    pub fn conductor(u: State, n: Normal) -> State {
        let twice = 2.0 * along(u.d, n);
        State { d: [u.d[0] + twice * n.y, u.d[1] - twice * n.x], ..u }
    }

    /// The same material everywhere.
    #[medium]
    pub fn uniform(material: Material) -> Matter {
        Matter { epsilon: material.epsilon, mu: material.mu, sigma: material.sigma, loss: 0.0 }
    }

    /// A wave that stands between the perfect conductors around a unit square, and loses energy to a current.
    #[exact]
    pub fn cavity(x: Point, t: f64, material: Material) -> State {
        let (b, a) = material::resonance(t, material);
        let (s1, c1) = (PI * x.x).sin_cos();
        let (s2, c2) = (PI * x.y).sin_cos();
        let Material { epsilon, .. } = material;
        State { d: [-epsilon * c1 * s2 * a, epsilon * s1 * c2 * a], b: -2.0 * PI * c1 * c2 * b }
    }
}
