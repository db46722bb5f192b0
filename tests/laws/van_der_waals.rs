/// A van der Waals gas of constant temperature above its critical one, in one dimension and Lagrangian coordinates.
///
/// ```text
/// ∂v/∂t − ∂w/∂x = 0,   ∂w/∂t + ∂p/∂x = 0,   p = 8T / (3v − 1) − 3 / v²
/// ```
///
/// * v: volume of a unit of mass, w: velocity, p: pressure, T: temperature, all by their values at the critical point
///
/// Near the critical temperature p is not convex, so that waves between two states can be faster than those at both.
/// Reference: R. Menikoff & B. J. Plohr, Rev. Mod. Phys. 61 (1989) 75–130, <https://doi.org/10.1103/RevModPhys.61.75>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod van_der_waals {
    #[parameters]
    pub struct Gas {
        /// Temperature.
        #[default(1.1)]
        #[range(1.01..)]
        pub temperature: f64,
    }

    #[state]
    pub struct State {
        /// Volume.
        pub v: f64,
        /// Velocity.
        pub w: f64,
    }

    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        8.0 * gas.temperature / (3.0 * u.v - 1.0) - 3.0 / (u.v * u.v)
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        [State { v: -u.w, w: pressure(u, gas) }, State { v: 0.0, w: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 2] {
        let c = mean_speed(u, u, gas) * n.x;
        [-c, c]
    }

    /// The root of the jump of -p by that of v, and of the derivative of -p between equal states.
    fn mean_speed(l: State, r: State, gas: Gas) -> f64 {
        let attraction = 3.0 * (l.v + r.v) / (l.v * l.v * r.v * r.v);
        (24.0 * gas.temperature / ((3.0 * l.v - 1.0) * (3.0 * r.v - 1.0)) - attraction).sqrt()
    }

    #[admissible]
    pub fn larger_than_molecules(u: State) -> [f64; 1] {
        [3.0 * u.v - 1.0]
    }

    /// Rusanov's flux with a bound on the speeds of all states between both.
    #[numerical_flux]
    pub fn bounded(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (least, most) = (l.v.min(r.v), l.v.max(r.v));
        let c = (24.0 * gas.temperature / (3.0 * least - 1.0).powi(2) - 6.0 / most.powi(3)).sqrt();
        0.5 * (n.x * (flux(l, gas)[0] + flux(r, gas)[0]) - c * n.x.abs() * (r - l))
    }

    /// Roe's flux: both waves have the speed of a shock between the states, and no wave stands, so that it needs no entropy fix.
    ///
    /// Reference: P. L. Roe, J. Comput. Phys. 43 (1981) 357–372, <https://doi.org/10.1016/0021-9991(81)90128-5>.
    #[numerical_flux(exact = shock)]
    pub fn roe(l: State, r: State, n: Normal, gas: Gas) -> State {
        0.5 * (n.x * (flux(l, gas)[0] + flux(r, gas)[0]) - mean_speed(l, r, gas) * n.x.abs() * (r - l))
    }

    #[boundary(impermeable = v)]
    pub fn closed(u: State) -> State {
        State { w: -u.w, ..u }
    }

    #[exact(manufactured)]
    pub fn wave(x: Point, t: f64) -> State {
        State { v: 2.0 + 0.3 * (x.x - t).sin(), w: 0.2 * (x.x + t).cos() }
    }
}
