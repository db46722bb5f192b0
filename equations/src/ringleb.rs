//! Air that turns around the end of a wall, faster and slower than sound, in closed form.

/// Compressible Euler equations of an ideal gas of two-atomic molecules, γ = 7/5, with Ringleb's flow.
///
/// ```text
/// ∂/∂t (ρ, ρv, ρe) + ∇·(ρv, ρv⊗v + p, (ρe + p) v) = 0,   p = ⅖ (ρe − ½ ρ |v|²)
/// ```
///
/// * ρ: density, v: velocity, e: total energy per mass, p: pressure
/// * Units: those of the gas at rest, its density and its speed of sound.
///
/// The law `euler` has the same flux with a ratio of specific heats that can be chosen, for which this flow has no closed form.
///
/// References: F. Ringleb, Exakte Lösungen der Differentialgleichungen einer adiabatischen Gasströmung, Z. angew. Math. Mech. 20 (1940)
/// 185–198, <https://doi.org/10.1002/zamm.19400200402>; G. Chiocchia, Exact solutions to transonic and supersonic flows, AGARD AR-211
/// (1985).
#[dg_runtime::conservation_law(dim = 2, orders = 1..=4)]
pub mod ringleb {
    /// Densities of mass, momentum and energy.
    #[state]
    #[symmetry(rotation = rho_v)]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum.
        pub rho_v: [f64; 2],
        /// Total energy.
        pub rho_e: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        let p = pressure(u);
        std::array::from_fn(|d| {
            let v = u.rho_v[d] / u.rho;
            let mut flux = v * u;
            flux.rho_v[d] += p;
            flux.rho_e += v * p;
            flux
        })
    }

    /// Sound waves in both directions; entropy and shear are carried with the flow.
    pub fn eigenvalues(u: State, n: Normal) -> [f64; 4] {
        let vn = (u.rho_v[0] * n.x + u.rho_v[1] * n.y) / u.rho;
        let c = sound_speed(u);
        [vn - c, vn, vn, vn + c]
    }

    /// Density and pressure are positive.
    #[admissible]
    pub fn admissible(u: State) -> [f64; 2] {
        [u.rho, pressure(u)]
    }

    /// Pressure.
    #[output]
    pub fn pressure(u: State) -> f64 {
        0.4 * (u.rho_e - 0.5 * (u.rho_v[0] * u.rho_v[0] + u.rho_v[1] * u.rho_v[1]) / u.rho)
    }

    /// Mach number.
    #[output]
    pub fn mach(u: State) -> f64 {
        u.rho_v[0].hypot(u.rho_v[1]) / u.rho / sound_speed(u)
    }

    /// The change of p / ρ^γ from that of the gas at rest, in parts of it, which is zero in smooth flow.
    #[output]
    pub fn entropy_error(u: State) -> f64 {
        1.4 * pressure(u) / u.rho.powf(1.4) - 1.0
    }

    /// Speed of sound.
    pub fn sound_speed(u: State) -> f64 {
        (1.4 * pressure(u) / u.rho).sqrt()
    }

    /// Wall without friction: the state of the mirrored flow.
    #[boundary(impermeable = rho)]
    pub fn slip_wall(u: State, n: Normal) -> State {
        let m = u.rho_v[0] * n.x + u.rho_v[1] * n.y;
        State { rho_v: [u.rho_v[0] - 2.0 * m * n.x, u.rho_v[1] - 2.0 * m * n.y], ..u }
    }

    /// Ringleb's flow: upwards around the end of a wall, along streamlines on which sin θ / q is constant, with the speed q and the angle θ
    /// of the flow to the negative direction of x.
    ///
    /// The places of one speed lie on a circle,
    ///
    /// ```text
    /// x = −J/2 − cos 2θ / (2 ρ q²),   y = sin 2θ / (2 ρ q²)
    /// J = 1/c + 1/(3c³) + 1/(5c⁵) − ½ ln((1 + c)/(1 − c)),   q² = 5 (1 − c²),   ρ = c⁵
    /// ```
    ///
    /// with the speed of sound c. Ten steps of Newton's method find q, from 0.8, between the streamlines whose largest speeds are 0.6 and
    /// 1.5, and where it is 0.4 or more; not everywhere else.
    #[exact]
    pub fn flow(x: Point) -> State {
        let mut q = 0.8;
        for _ in 0..10 {
            q = newton(q, x);
        }
        let c = sound_speed_at(q);
        let rho = c.powi(5);
        let sine = (0.5 + rho * q * q * (x.x + 0.5 * shift(c))).sqrt();
        let cosine = rho * q * q * x.y / sine;
        let p = c * c * rho / 1.4;
        State { rho, rho_v: [-rho * q * cosine, rho * q * sine], rho_e: 2.5 * p + 0.5 * rho * q * q }
    }

    /// One step towards the root of ln(2 ρ q² r), with the distance r from the middle of the circle; dJ/dq = 1 / (c⁷ q).
    fn newton(q: f64, x: Point) -> f64 {
        let c = sound_speed_at(q);
        let c2 = c * c;
        let dx = x.x + 0.5 * shift(c);
        let r2 = dx * dx + x.y * x.y;
        let slope = 2.0 / q - q / c2 + 0.5 * dx / (c2 * c2 * c2 * c * q * r2);
        q - (2.0 * c2 * c2 * c * q * q * r2.sqrt()).ln() / slope
    }

    /// The speed of sound where the speed is q.
    fn sound_speed_at(q: f64) -> f64 {
        (1.0 - q * q / 5.0).sqrt()
    }

    /// J, by how much the circle of a speed is shifted.
    fn shift(c: f64) -> f64 {
        let c2 = c * c;
        1.0 / c + 1.0 / (3.0 * c * c2) + 1.0 / (5.0 * c * c2 * c2) - 0.5 * ((1.0 + c) / (1.0 - c)).ln()
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        /// On a streamline, from the formulas of the hodograph.
        #[test]
        fn the_flow_has_the_speed_of_its_place() {
            for (q, k) in [(0.4, 0.6), (0.5, 0.7), (0.7, 0.7), (0.6, 1.2), (1.0, 1.1), (1.3, 1.5)] {
                let (q, k): (f64, f64) = (q, k);
                let c = (1.0 - q * q / 5.0).sqrt();
                let rho = c.powi(5);
                let x = 0.5 / rho * (2.0 / (k * k) - 1.0 / (q * q)) - 0.5 * shift(c);
                let y = (1.0 - q * q / (k * k)).sqrt() / (k * rho * q);
                let u = flow(Point { x, y });
                assert!((u.rho - rho).abs() < 1e-13, "{u:?}");
                assert!((mach(u) - q / c).abs() < 1e-12 && (u.rho_v[1] - rho * q * q / k).abs() < 1e-13, "{u:?}");
                assert!(entropy_error(u).abs() < 1e-13);
            }
        }
    }
}
