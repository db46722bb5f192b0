/// Traffic on a road in the direction of x, of vehicles that go on and of others that leave: two densities with one speed.
///
/// ```text
/// ∂ρᵢ/∂t + ∂(ρᵢ V(ρ₁ + ρ₂))/∂x = 0,   V(ρ) = 1 − ρ
/// ```
///
/// * ρᵢ: densities by destination as parts of that of a queue at rest, V: speed of all vehicles
///
/// Reference: H. M. Zhang & W. L. Jin, Transp. Res. Rec. 1802 (2002) 197–204, <https://doi.org/10.3141/1802-22>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod destinations {
    #[state]
    pub struct State {
        /// Density of those who go on.
        pub on: f64,
        /// Density of those who leave at the next exit.
        pub off: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        let speed = 1.0 - u.on - u.off;
        [State { on: u.on * speed, off: u.off * speed }, State { on: 0.0, off: 0.0 }]
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
        let rho = u.on + u.off;
        [(1.0 - 2.0 * rho) * n.x, (1.0 - rho) * n.x]
    }

    #[admissible]
    pub fn room(u: State) -> [f64; 3] {
        [u.on, u.off, 1.0 - u.on - u.off]
    }

    /// The cell transmission model of a network: vehicles leave a cell in the proportion in which they are in it.
    ///
    /// Reference: C. F. Daganzo, Transp. Res. B 29 (1995) 79–93, <https://doi.org/10.1016/0191-2615(94)00022-R>.
    #[numerical_flux]
    pub fn cell_transmission(l: State, r: State, n: Normal) -> State {
        let (behind, ahead) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let (from, to) = (behind.on + behind.off, ahead.on + ahead.off);
        let (low, high) = (from.min(0.5), to.max(0.5));
        let flow = (low * (1.0 - low)).min(high * (1.0 - high));
        State { on: n.x * flow * behind.on / from, off: n.x * flow * behind.off / from }
    }

    /// A dense queue.
    #[boundary]
    pub fn queue() -> State {
        State { on: 0.75, off: 0.2 }
    }

    /// The shares of the classes are carried along.
    #[exact]
    pub fn mixed(x: Point, t: f64) -> State {
        let share = 0.5 + 0.3 * (3.0 * (x.x - 0.6 * t)).sin();
        State { on: 0.4 * share, off: 0.4 * (1.0 - share) }
    }
}
