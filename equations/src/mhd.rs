//! Ideal magnetohydrodynamics.

/// Ideal magnetohydrodynamics with cleaning of the divergence by waves, in two dimensions with all three components of
/// velocity and magnetic field.
///
/// ```text
/// ∂ρ/∂t  + ∇·(ρv) = 0
/// ∂ρv/∂t + ∇·(ρ v vᵀ + (p + ½ |B|²) I − B Bᵀ) = 0
/// ∂B/∂t  + ∇·(v Bᵀ − B vᵀ + c_h ψ I) = 0
/// ∂e/∂t  + ∇·((½ ρ |v|² + γ p / (γ − 1) + |B|²) v − (v·B) B + c_h ψ B) = 0
/// ∂ψ/∂t  + c_h ∇·B = − (c_h / c_r) ψ
/// p = (γ − 1) (e − ½ ρ |v|² − ½ |B|² − ½ ψ²)
/// ```
///
/// * ρ: density, v: velocity, B: magnetic field in units in which μ₀ = 1, e: total energy, p: pressure
/// * ψ: carries errors of ∇·B away with speed c_h and damps them on the way c_r (GLM, a generalised Lagrange multiplier)
/// * γ: ratio of specific heats
///
/// Cleaning changes the magnetic energy. The energy of ψ, ½ ψ², balances this change; without it the internal energy of the gas
/// would. In a strong field a thousandth of the magnetic energy can be more than the internal energy. What damping takes from ψ is heat.
///
/// References: A. Dedner, F. Kemm, D. Kröner, C.-D. Munz, T. Schnitzer & M. Wesenberg, J. Comput. Phys. 175 (2002)
/// 645–673, equations (24) and (45), <https://doi.org/10.1006/jcph.2001.6961>; the energy as in D. Derigs, A. R. Winters,
/// G. J. Gassner, S. Walch & M. Bohm, J. Comput. Phys. 364 (2018) 420–467, <https://doi.org/10.1016/j.jcp.2018.03.002>, without
/// the terms that vanish with ∇·B.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod mhd {
    use std::f64::consts::PI;

    /// A plasma.
    #[parameters]
    pub struct Plasma {
        /// Ratio of specific heats.
        #[default(1.6666666666666667)]
        #[range((Excluded(1.0), Unbounded))]
        pub gamma: f64,
        /// Speed that errors of the divergence are carried away with.
        #[default(2.0)]
        #[range(0.0..)]
        pub cleaning_speed: f64,
        /// Way on which errors of the divergence fall to a third (1/e) while they are carried; Dedner et al. found 0.18 best.
        #[default(0.18)]
        #[range((Excluded(0.0), Unbounded))]
        pub damping_way: f64,
    }

    /// Densities of mass, momentum and energy, the magnetic field, and ψ, in the field's units.
    #[state]
    #[symmetry(rotation = [(rho_v1, rho_v2), (b1, b2)])]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in the direction of x.
        pub rho_v1: f64,
        /// Momentum in the direction of y.
        pub rho_v2: f64,
        /// Momentum out of the plane.
        pub rho_v3: f64,
        /// Magnetic field in the direction of x.
        pub b1: f64,
        /// Magnetic field in the direction of y.
        pub b2: f64,
        /// Magnetic field out of the plane.
        pub b3: f64,
        /// Total energy.
        pub e: f64,
        /// ψ.
        pub psi: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, plasma: Plasma) -> [State; 2] {
        let (v1, v2, v3) = (u.rho_v1 / u.rho, u.rho_v2 / u.rho, u.rho_v3 / u.rho);
        let total = pressure(u, plasma) + magnetic_pressure(u);
        let vb = v1 * u.b1 + v2 * u.b2 + v3 * u.b3;
        let carried = u.e - 0.5 * u.psi * u.psi + total;
        let c = plasma.cleaning_speed;
        [
            State {
                rho: u.rho_v1,
                rho_v1: u.rho_v1 * v1 + total - u.b1 * u.b1,
                rho_v2: u.rho_v2 * v1 - u.b1 * u.b2,
                rho_v3: u.rho_v3 * v1 - u.b1 * u.b3,
                b1: c * u.psi,
                b2: v1 * u.b2 - v2 * u.b1,
                b3: v1 * u.b3 - v3 * u.b1,
                e: carried * v1 - u.b1 * vb + c * u.psi * u.b1,
                psi: c * u.b1,
            },
            State {
                rho: u.rho_v2,
                rho_v1: u.rho_v1 * v2 - u.b2 * u.b1,
                rho_v2: u.rho_v2 * v2 + total - u.b2 * u.b2,
                rho_v3: u.rho_v3 * v2 - u.b2 * u.b3,
                b1: v2 * u.b1 - v1 * u.b2,
                b2: c * u.psi,
                b3: v2 * u.b3 - v3 * u.b2,
                e: carried * v2 - u.b2 * vb + c * u.psi * u.b2,
                psi: c * u.b2,
            },
        ]
    }

    /// Fast, Alfvén and slow waves in both directions, entropy, and the waves of ψ.
    pub fn eigenvalues(u: State, n: Normal, plasma: Plasma) -> [f64; 9] {
        let vn = (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho;
        let bn = u.b1 * n.x + u.b2 * n.y;
        let alfven2 = bn * bn / u.rho;
        let alfven = alfven2.sqrt();
        let a2 = plasma.gamma * pressure(u, plasma) / u.rho;
        let sum = a2 + 2.0 * magnetic_pressure(u) / u.rho;
        let root = (sum * sum - 4.0 * a2 * alfven2).max(0.0).sqrt();
        let fast = (0.5 * (sum + root)).sqrt();
        let slow = (0.5 * (sum - root)).max(0.0).sqrt();
        let cleaning = plasma.cleaning_speed;
        [vn - fast, vn - alfven, vn - slow, vn, vn + slow, vn + alfven, vn + fast, cleaning, -cleaning]
    }

    /// Errors of the divergence fade.
    #[source]
    pub fn damping(u: State, plasma: Plasma) -> State {
        let rate = plasma.cleaning_speed / plasma.damping_way;
        State {
            psi: -rate * u.psi,
            ..State { rho: 0.0, rho_v1: 0.0, rho_v2: 0.0, rho_v3: 0.0, b1: 0.0, b2: 0.0, b3: 0.0, e: 0.0, psi: 0.0 }
        }
    }

    /// The state of density ρ, velocity v, pressure p of the gas, magnetic field B and ψ.
    #[variables]
    pub fn from_primitive(
        rho: f64,
        v1: f64,
        v2: f64,
        v3: f64,
        p: f64,
        b1: f64,
        b2: f64,
        b3: f64,
        psi: f64,
        plasma: Plasma,
    ) -> State {
        let kinetic = 0.5 * rho * (v1 * v1 + v2 * v2 + v3 * v3);
        let magnetic = 0.5 * (b1 * b1 + b2 * b2 + b3 * b3);
        let e = p / (plasma.gamma - 1.0) + kinetic + magnetic + 0.5 * psi * psi;
        State { rho, rho_v1: rho * v1, rho_v2: rho * v2, rho_v3: rho * v3, b1, b2, b3, e, psi }
    }

    /// Density and pressure are positive.
    #[admissible]
    pub fn admissible(u: State, plasma: Plasma) -> [f64; 2] {
        [u.rho, pressure(u, plasma)]
    }

    /// Pressure of the gas.
    #[output]
    pub fn pressure(u: State, plasma: Plasma) -> f64 {
        let momentum2 = u.rho_v1 * u.rho_v1 + u.rho_v2 * u.rho_v2 + u.rho_v3 * u.rho_v3;
        (plasma.gamma - 1.0) * (u.e - 0.5 * momentum2 / u.rho - magnetic_pressure(u) - 0.5 * u.psi * u.psi)
    }

    /// Pressure of the magnetic field.
    #[output]
    pub fn magnetic_pressure(u: State) -> f64 {
        0.5 * (u.b1 * u.b1 + u.b2 * u.b2 + u.b3 * u.b3)
    }

    /// Divergence of the magnetic field inside of elements: an error, which ψ carries away.
    #[output]
    pub fn divergence(gradient: [State; 2]) -> f64 {
        gradient[0].b1 + gradient[1].b2
    }

    /// Alfvén wave of circular polarisation that runs along the diagonal of the periodic unit square.
    ///
    /// Reference: G. Tóth, J. Comput. Phys. 161 (2000) 605–652, section 6.3.1,
    /// <https://doi.org/10.1006/jcph.2000.6519>; here with the wave along the diagonal.
    #[exact]
    pub fn alfven_wave(x: Point, t: f64, plasma: Plasma) -> State {
        let amplitude = 0.1;
        let diagonal = 0.5_f64.sqrt();
        // With density 1 and field 1 along the wave, its speed is 1.
        let phase = 2.0 * PI * (x.x + x.y + t / diagonal);
        let across = amplitude * phase.sin();
        let out = amplitude * phase.cos();
        let (b1, b2) = (diagonal * (1.0 - across), diagonal * (1.0 + across));
        let kinetic = 0.5 * (across * across + out * out);
        let magnetic = 0.5 * (b1 * b1 + b2 * b2 + out * out);
        State {
            rho: 1.0,
            rho_v1: -diagonal * across,
            rho_v2: diagonal * across,
            rho_v3: out,
            b1,
            b2,
            b3: out,
            e: 0.1 / (plasma.gamma - 1.0) + kinetic + magnetic,
            psi: 0.0,
        }
    }
}
