/// The Euler equations of a perfect gas, with momentum as a vector.
///
/// ```text
/// ∂ρ/∂t + ∇·m = 0,   ∂m/∂t + ∇·(m⊗m/ρ + p I) = 0,   ∂E/∂t + ∇·((E + p) m/ρ) = 0,   p = (γ − 1) (E − ½ |m|²/ρ)
/// ```
///
/// * ρ: density, m: momentum, E: total energy, p: pressure, γ: ratio of specific heats
///
/// References: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition, chapter 3, Springer 2009,
/// <https://doi.org/10.1007/b79761>;
/// S. Osher & F. Solomon, Math. Comp. 38 (1982) 339–374, <https://doi.org/10.1090/S0025-5718-1982-0645656-0>;
/// M. Dumbser & E. F. Toro, Commun. Comput. Phys. 10 (2011) 635–671, <https://doi.org/10.4208/cicp.170610.021210a>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod perfect_gas {
    #[parameters]
    pub struct Gas {
        /// Ratio of specific heats.
        #[default(1.4)]
        #[range((Excluded(1.0), Included(3.0)))]
        pub gamma: f64,
    }

    #[state]
    #[symmetry(rotation = m, galilean = m)]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum.
        pub m: [f64; 2],
        /// Total energy.
        pub e: f64,
    }

    /// Gauss's quadrature on [0, 1].
    const NODES: [f64; 3] = [0.112_701_665_379_258_31, 0.5, 0.887_298_334_620_741_69];
    const WEIGHTS: [f64; 3] = [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0];

    fn pressure(u: State, gas: Gas) -> f64 {
        (gas.gamma - 1.0) * (u.e - 0.5 * (u.m[0] * u.m[0] + u.m[1] * u.m[1]) / u.rho)
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let p = pressure(u, gas);
        std::array::from_fn(|d| {
            let v = u.m[d] / u.rho;
            let mut flux = v * u;
            flux.m[d] += p;
            flux.e += p * v;
            flux
        })
    }

    fn sound(u: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(u, gas) / u.rho).sqrt()
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 4] {
        let vn = (u.m[0] * n.x + u.m[1] * n.y) / u.rho;
        let c = sound(u, gas);
        [vn - c, vn, vn, vn + c]
    }

    #[admissible]
    pub fn dense(u: State, gas: Gas) -> [f64; 2] {
        [u.rho, pressure(u, gas)]
    }

    fn normal_flux(u: State, n: Normal, gas: Gas) -> State {
        let [f, g] = flux(u, gas);
        f * n.x + g * n.y
    }

    /// |A| times a change.
    fn damping(u: State, d: State, n: Normal, gas: Gas) -> State {
        let c = sound(u, gas);
        let v = u.m.map(|m| m / u.rho);
        let vn = v[0] * n.x + v[1] * n.y;
        let kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1]);
        let enthalpy = (u.e + pressure(u, gas)) / u.rho;
        let dp = (gas.gamma - 1.0) * (d.e - v[0] * d.m[0] - v[1] * d.m[1] + kinetic * d.rho);
        let dvn = d.m[0] * n.x + d.m[1] * n.y - vn * d.rho;
        let left = (vn - c).abs() * 0.5 * (dp - c * dvn) / (c * c);
        let right = (vn + c).abs() * 0.5 * (dp + c * dvn) / (c * c);
        let entropy = vn.abs() * (d.rho - dp / (c * c));
        let vt = v[1] * n.x - v[0] * n.y;
        let shear = vn.abs() * (d.m[1] * n.x - d.m[0] * n.y - vt * d.rho);
        let sum = left + right + entropy;
        let sound = right - left;
        State {
            rho: sum,
            m: [sum * v[0] + sound * c * n.x - shear * n.y, sum * v[1] + sound * c * n.y + shear * n.x],
            e: (left + right) * enthalpy + sound * c * vn + entropy * kinetic + vt * shear,
        }
    }

    /// The flux of Osher and Solomon: |A| summed along the straight path between the states, by Gauss's quadrature.
    #[numerical_flux]
    pub fn osher_solomon(l: State, r: State, n: Normal, gas: Gas) -> State {
        let jump = r - l;
        let mut f = normal_flux(l, n, gas) + normal_flux(r, n, gas);
        for (s, w) in NODES.iter().zip(WEIGHTS) {
            f -= w * damping(l + *s * jump, jump, n, gas);
        }
        0.5 * f
    }
}
