/// The Euler equations of a gas of constant temperature.
///
/// ```text
/// ∂/∂t (ρ, ρv₁, ρv₂) + ∂/∂x (ρv₁, ρv₁² + a²ρ, ρv₁v₂) + ∂/∂y (ρv₂, ρv₁v₂, ρv₂² + a²ρ) = 0
/// ```
///
/// * ρ: density, (v₁, v₂): velocity, a: speed of sound
///
/// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, section 14.6, Cambridge University Press 2002,
/// <https://doi.org/10.1017/CBO9780511791253>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod isothermal_euler {
    /// Gauss's quadrature on [0, 1].
    const NODES: [f64; 3] = [0.112_701_665_379_258_31, 0.5, 0.887_298_334_620_741_69];
    const WEIGHTS: [f64; 3] = [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0];

    #[parameters]
    pub struct Gas {
        /// Speed of sound.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub a: f64,
    }

    #[state]
    pub struct State {
        /// Density.
        pub rho: f64,
        /// Momentum in x.
        pub m1: f64,
        /// Momentum in y.
        pub m2: f64,
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        let p = gas.a * gas.a * u.rho;
        [State { rho: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1 }, State { rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p }]
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 3] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        [vn - gas.a, vn, vn + gas.a]
    }

    #[admissible]
    pub fn positive(u: State) -> [f64; 1] {
        [u.rho]
    }

    /// Roe's flux: the waves of the linear problem at the mean of the velocities that √ρ weighs.
    ///
    /// Where sound spreads, its speed is at least what it spreads by on either side, or expansion shocks would stand.
    /// References: P. L. Roe, J. Comput. Phys. 43 (1981) 357–372, <https://doi.org/10.1016/0021-9991(81)90128-5>;
    /// A. Harten & J. M. Hyman, J. Comput. Phys. 50 (1983) 235–269, <https://doi.org/10.1016/0021-9991(83)90066-9>.
    #[numerical_flux]
    pub fn roe(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (a, b) = (l.rho.sqrt(), r.rho.sqrt());
        let v1 = (l.m1 / a + r.m1 / b) / (a + b);
        let v2 = (l.m2 / a + r.m2 / b) / (a + b);
        let (vn, vt) = (v1 * n.x + v2 * n.y, v2 * n.x - v1 * n.y);
        let jump = r.rho - l.rho;
        let normal = (r.m1 - l.m1) * n.x + (r.m2 - l.m2) * n.y;
        let tangential = (r.m2 - l.m2) * n.x - (r.m1 - l.m1) * n.y;
        // Strengths of the waves times their speeds.
        let (vl, vr) = ((l.m1 * n.x + l.m2 * n.y) / l.rho, (r.m1 * n.x + r.m2 * n.y) / r.rho);
        let spread = (vn - vl).max(vr - vn);
        let slower = (vn - gas.a).abs().max(spread) * 0.5 * (jump - (normal - vn * jump) / gas.a);
        let faster = (vn + gas.a).abs().max(spread) * 0.5 * (jump + (normal - vn * jump) / gas.a);
        let shear = vn.abs() * (tangential - vt * jump);
        let along = (vn - gas.a) * slower + (vn + gas.a) * faster;
        let across = vt * (slower + faster) + shear;
        let [fl, gl] = flux(l, gas);
        let [fr, gr] = flux(r, gas);
        State {
            rho: 0.5 * ((fl.rho + fr.rho) * n.x + (gl.rho + gr.rho) * n.y - slower - faster),
            m1: 0.5 * ((fl.m1 + fr.m1) * n.x + (gl.m1 + gr.m1) * n.y - along * n.x + across * n.y),
            m2: 0.5 * ((fl.m2 + fr.m2) * n.x + (gl.m2 + gr.m2) * n.y - along * n.y - across * n.x),
        }
    }

    /// The flux of Osher and Solomon: |A| summed along the straight path between the states, by Gauss's quadrature.
    ///
    /// References: S. Osher & F. Solomon, Math. Comp. 38 (1982) 339–374, <https://doi.org/10.1090/S0025-5718-1982-0645656-0>;
    /// M. Dumbser & E. F. Toro, Commun. Comput. Phys. 10 (2011) 635–671, <https://doi.org/10.4208/cicp.170610.021210a>.
    #[numerical_flux]
    pub fn osher_solomon(l: State, r: State, n: Normal, gas: Gas) -> State {
        let jump = r - l;
        let [fl, gl] = flux(l, gas);
        let [fr, gr] = flux(r, gas);
        let mut twice = (fl + fr) * n.x + (gl + gr) * n.y;
        for (place, weight) in NODES.iter().zip(WEIGHTS) {
            twice -= weight * damping(l + *place * jump, jump, n, gas);
        }
        0.5 * twice
    }

    /// |A| times a change of the state.
    fn damping(u: State, change: State, n: Normal, gas: Gas) -> State {
        let c = gas.a;
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        let (vn, vt) = (v1 * n.x + v2 * n.y, v2 * n.x - v1 * n.y);
        let normal = change.m1 * n.x + change.m2 * n.y;
        let tangential = change.m2 * n.x - change.m1 * n.y;
        let slower = (vn - c).abs() * 0.5 * (change.rho - (normal - vn * change.rho) / c);
        let faster = (vn + c).abs() * 0.5 * (change.rho + (normal - vn * change.rho) / c);
        let shear = vn.abs() * (tangential - vt * change.rho);
        let along = (vn - c) * slower + (vn + c) * faster;
        let across = vt * (slower + faster) + shear;
        State { rho: slower + faster, m1: along * n.x - across * n.y, m2: along * n.y + across * n.x }
    }

    #[boundary(impermeable = rho)]
    pub fn wall(u: State, n: Normal) -> State {
        let m = u.m1 * n.x + u.m2 * n.y;
        State { rho: u.rho, m1: u.m1 - 2.0 * m * n.x, m2: u.m2 - 2.0 * m * n.y }
    }

    /// Flow that leaves towards a gas of density 1.
    #[boundary]
    pub fn given_density(u: State) -> State {
        State { rho: 1.0, m1: u.m1 / u.rho, m2: u.m2 / u.rho }
    }

    /// Layers that slide past each other.
    #[exact]
    pub fn shear(x: Point, gas: Gas) -> State {
        State { rho: 2.0, m1: 2.0 * gas.a * x.y.sin(), m2: 0.0 }
    }
}
