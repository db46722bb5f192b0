//! Maxwell's equations in the plane with the electric field across it.

/// Electromagnetic waves in the plane with the electric field across it (transverse magnetic).
///
/// ```text
/// ∂D/∂t  = ∂H₂/∂x − ∂H₁/∂y − σ E,   D = ε E
/// ∂B₁/∂t = − ∂E/∂y − σ* H₁,         B = μ H
/// ∂B₂/∂t = ∂E/∂x − σ* H₂
/// ```
///
/// * E: electric field out of the plane, D: electric displacement; (H₁, H₂): magnetic field, (B₁, B₂): its flux density
/// * ε: permittivity, μ: permeability, σ: conductivity, σ*: magnetic loss of the matter, which may vary and jump
/// * c = 1/√(εμ): speed of light, √(μ/ε): impedance
///
/// Without loss the divergence of B does not change. `absorbing` is the boundary of Silver and Müller. In an absorbing layer the loss is matched,
/// σ* / μ = σ / ε: the impedance stays, so that waves at right angles enter without a reflection, however σ varies, and fall by
/// exp(− ∫ σ / (ε c) dx).
///
/// Reference: J. S. Hesthaven & T. Warburton, J. Comput. Phys. 181 (2002) 186–221, <https://doi.org/10.1006/jcph.2002.7118>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=4, helpers = crate::material)]
pub mod maxwell_tm {
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
    #[symmetry(rotation = b)]
    pub struct State {
        /// Electric displacement out of the plane.
        pub d: f64,
        /// Magnetic flux density.
        pub b: [f64; 2],
    }

    /// Physical flux.
    pub fn flux(u: State, matter: Matter) -> [State; 2] {
        let (e, [h1, h2]) = (electric_field(u, matter), magnetic_field(u, matter));
        [State { d: -h2, b: [0.0, -e] }, State { d: h1, b: [e, 0.0] }]
    }

    /// Light in both directions; the magnetic field along a normal stays.
    pub fn eigenvalues(_: State, _: Normal, matter: Matter) -> [f64; 3] {
        let c = material::light(matter.epsilon, matter.mu);
        [-c, 0.0, c]
    }

    /// Ohm's law, and the loss.
    #[source]
    pub fn current(u: State, matter: Matter) -> State {
        State { d: -matter.sigma * electric_field(u, matter), b: magnetic_field(u, matter).map(|h| -matter.loss * h) }
    }

    /// Electric field.
    #[output]
    pub fn electric_field(u: State, matter: Matter) -> f64 {
        u.d / matter.epsilon
    }

    fn magnetic_field(u: State, matter: Matter) -> [f64; 2] {
        u.b.map(|b| b / matter.mu)
    }

    /// Energy of both fields.
    #[output]
    pub fn energy(u: State, matter: Matter) -> f64 {
        let [h1, h2] = magnetic_field(u, matter);
        0.5 * (u.d * electric_field(u, matter) + u.b[0] * h1 + u.b[1] * h2)
    }

    /// Upwind: the flux of the fields between the two waves that leave the face, with the impedances of both sides.
    #[numerical_flux(exact = contact)]
    pub fn upwind(l: State, r: State, n: Normal, left: Matter, right: Matter) -> State {
        let zl = material::impedance(left.epsilon, left.mu);
        let zr = material::impedance(right.epsilon, right.mu);
        let (el, hl) = (electric_field(l, left), along(magnetic_field(l, left), n));
        let (er, hr) = (electric_field(r, right), along(magnetic_field(r, right), n));
        // E − Z H comes from the left, E + Z H from the right.
        let h = (er + zr * hr - (el - zl * hl)) / (zl + zr);
        let e = (zr * (el - zl * hl) + zl * (er + zr * hr)) / (zl + zr);
        State { d: -h, b: [e * n.y, -e * n.x] }
    }

    /// The field along the face.
    fn along(h: [f64; 2], n: Normal) -> f64 {
        h[1] * n.x - h[0] * n.y
    }

    /// Perfect conductor: no electric field along it.
    #[boundary(impermeable = [b1, b2])]
    pub fn conductor(u: State) -> State {
        State { d: -u.d, ..u }
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
        State { d: material.epsilon * s1 * s2 * a, b: [-PI * s1 * c2 * b, PI * c1 * s2 * b] }
    }
}
