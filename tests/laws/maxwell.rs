/// Electromagnetic waves with the electric field across the plane (transverse magnetic).
///
/// ```text
/// ε ∂E/∂t = ∂H₂/∂x − ∂H₁/∂y,   μ ∂H₁/∂t = −∂E/∂y,   μ ∂H₂/∂t = ∂E/∂x
/// ```
///
/// * E: electric field, (H₁, H₂): magnetic field, ε: permittivity, μ: permeability
///
/// Reference: J. S. Hesthaven & T. Warburton, J. Comput. Phys. 181 (2002) 186–221, <https://doi.org/10.1006/jcph.2002.7118>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod maxwell {
    use std::f64::consts::PI;

    #[parameters]
    pub struct Medium {
        /// Permittivity.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub epsilon: f64,
        /// Permeability.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub mu: f64,
    }

    #[state]
    pub struct State {
        /// Electric field.
        pub e: f64,
        /// Magnetic field in x.
        pub h1: f64,
        /// Magnetic field in y.
        pub h2: f64,
    }

    pub fn flux(u: State, medium: Medium) -> [State; 2] {
        [
            State { e: -u.h2 / medium.epsilon, h1: 0.0, h2: -u.e / medium.mu },
            State { e: u.h1 / medium.epsilon, h1: u.e / medium.mu, h2: 0.0 },
        ]
    }

    pub fn eigenvalues(_: State, _: Normal, medium: Medium) -> [f64; 3] {
        let c = (medium.epsilon * medium.mu).sqrt().recip();
        [-c, 0.0, c]
    }

    /// Upwind: the fields between the two waves that leave the face.
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal, medium: Medium) -> State {
        let impedance = (medium.mu / medium.epsilon).sqrt();
        let (hl, hr) = (l.h1 * n.y - l.h2 * n.x, r.h1 * n.y - r.h2 * n.x);
        let h = 0.5 * (hl + hr) - 0.5 * (r.e - l.e) / impedance;
        let e = 0.5 * (l.e + r.e) - 0.5 * impedance * (hr - hl);
        State { e: h / medium.epsilon, h1: e * n.y / medium.mu, h2: -e * n.x / medium.mu }
    }

    #[boundary(impermeable = [h1, h2])]
    pub fn conductor(u: State) -> State {
        State { e: -u.e, ..u }
    }

    /// A wave that stands in a square resonator.
    #[exact]
    pub fn cavity(x: Point, t: f64, medium: Medium) -> State {
        let omega = PI * (2.0 / (medium.epsilon * medium.mu)).sqrt();
        let amplitude = PI / (medium.mu * omega) * (omega * t).sin();
        State {
            e: (PI * x.x).sin() * (PI * x.y).sin() * (omega * t).cos(),
            h1: -amplitude * (PI * x.x).sin() * (PI * x.y).cos(),
            h2: amplitude * (PI * x.x).cos() * (PI * x.y).sin(),
        }
    }
}
