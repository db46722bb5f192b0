/// Blood in an artery in the direction of x, whose wall gives way: cross section and volume flux.
///
/// ```text
/// ∂A/∂t + ∂Q/∂x = 0
/// ∂Q/∂t + ∂(Q² / A + ⅓ β A^(3/2))/∂x = -k Q / A
/// ```
///
/// * A: cross section, Q: volume flux, β: stiffness of the wall by the density of blood, k: friction
/// * c = √(½ β) A^(1/4): speed of waves in blood at rest
///
/// Reference: L. Formaggia, D. Lamponi & A. Quarteroni, J. Eng. Math. 47 (2003) 251–276,
/// <https://doi.org/10.1023/B:ENGI.0000007980.01347.29>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod blood_flow {
    #[parameters]
    pub struct Artery {
        /// Stiffness of the wall by the density of blood.
        #[default(3.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub beta: f64,
        /// Friction.
        #[default(0.1)]
        #[range(0.0..)]
        pub friction: f64,
    }

    #[state]
    pub struct State {
        /// Cross section.
        pub a: f64,
        /// Volume flux.
        pub q: f64,
    }

    pub fn flux(u: State, artery: Artery) -> [State; 2] {
        let along = State { a: u.q, q: u.q * u.q / u.a + artery.beta / 3.0 * u.a * u.a.sqrt() };
        [along, State { a: 0.0, q: 0.0 }]
    }

    fn celerity(a: f64, artery: Artery) -> f64 {
        (0.5 * artery.beta).sqrt() * a.powf(0.25)
    }

    pub fn eigenvalues(u: State, n: Normal, artery: Artery) -> [f64; 2] {
        let v = u.q / u.a;
        let c = celerity(u.a, artery);
        [(v - c) * n.x, (v + c) * n.x]
    }

    /// The square root of the jump of ⅓ β A^(3/2) by that of A, from the roots of both A.
    fn mean_celerity(a: f64, b: f64, artery: Artery) -> f64 {
        (artery.beta / 3.0 * (a * a + a * b + b * b) / (a + b)).sqrt()
    }

    /// The speed of a wave, at least as large as the wave spreads on one side of it.
    fn spread_speed(mean: f64, left: f64, right: f64) -> f64 {
        mean.abs().max(mean - left).max(right - mean)
    }

    #[admissible]
    pub fn open(u: State) -> [f64; 1] {
        [u.a]
    }

    #[source]
    pub fn drag(u: State, artery: Artery) -> State {
        State { a: 0.0, q: -artery.friction * u.q / u.a }
    }

    /// Roe's flux: the waves of the linear problem at a mean, as fast as they spread on either side at least.
    ///
    /// References: P. L. Roe, J. Comput. Phys. 43 (1981) 357–372, <https://doi.org/10.1016/0021-9991(81)90128-5>;
    /// A. Harten & J. M. Hyman, J. Comput. Phys. 50 (1983) 235–269, <https://doi.org/10.1016/0021-9991(83)90066-9>.
    #[numerical_flux(exact = shock)]
    pub fn roe(l: State, r: State, n: Normal, artery: Artery) -> State {
        let (a, b) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let (sa, sb) = (a.a.sqrt(), b.a.sqrt());
        let (va, vb) = (a.q / a.a, b.q / b.a);
        let v = (sa * va + sb * vb) / (sa + sb);
        let c = mean_celerity(sa, sb, artery);
        let (ca, cb) = (celerity(a.a, artery), celerity(b.a, artery));
        let slow = spread_speed(v - c, va - ca, vb - cb);
        let fast = spread_speed(v + c, va + ca, vb + cb);
        let (da, dq) = (b.a - a.a, b.q - a.q);
        let minus = slow * ((v + c) * da - dq) / (2.0 * c);
        let plus = fast * (dq - (v - c) * da) / (2.0 * c);
        let [fa, _] = flux(a, artery);
        let [fb, _] = flux(b, artery);
        let damping = State { a: minus + plus, q: minus * (v - c) + plus * (v + c) };
        0.5 * n.x * (fa + fb - damping)
    }

    /// HLL with the speeds of B. Einfeldt, SIAM J. Numer. Anal. 25 (1988) 294–318, <https://doi.org/10.1137/0725021>.
    #[numerical_flux(exact = shock)]
    pub fn hlle(l: State, r: State, n: Normal, artery: Artery) -> State {
        let (a, b) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let (sa, sb) = (a.a.sqrt(), b.a.sqrt());
        let (va, vb) = (a.q / a.a, b.q / b.a);
        let v = (sa * va + sb * vb) / (sa + sb);
        let c = mean_celerity(sa, sb, artery);
        let sl = (v - c).min(va - celerity(a.a, artery)).min(0.0);
        let sr = (v + c).max(vb + celerity(b.a, artery)).max(0.0);
        let [fa, _] = flux(a, artery);
        let [fb, _] = flux(b, artery);
        n.x * (sr * fa - sl * fb + sl * sr * (b - a)) / (sr - sl)
    }

    /// An artery that is tied up.
    #[boundary(impermeable = a)]
    pub fn closed(u: State) -> State {
        State { q: -u.q, ..u }
    }

    /// The volume flux of a heart that beats.
    #[boundary]
    pub fn heart(u: State, t: f64) -> State {
        State { a: u.a, q: 0.5 + 0.3 * t.sin() }
    }

    #[exact]
    pub fn rest() -> State {
        State { a: 1.5, q: 0.0 }
    }

    /// Pressure of the wall.
    #[output]
    pub fn wall_pressure(u: State, artery: Artery) -> f64 {
        artery.beta * (u.a.sqrt() - 1.0)
    }
}
