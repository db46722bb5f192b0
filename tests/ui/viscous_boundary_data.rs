#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod law {
    #[state]
    pub struct State {
        pub salt: f64,
        pub dye: f64,
        pub silt: f64,
    }

    // All are carried with the velocity (1, 1), so that all enter or none.
    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    // Salt alone diffuses, and takes a datum of its own wherever the water flows.
    #[viscous_flux]
    pub fn mixing(_: State, gradient: [State; 2]) -> [State; 2] {
        std::array::from_fn(|d| State { salt: 0.1 * gradient[d].salt, dye: 0.0, silt: 0.0 })
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 3] {
        [n.x + n.y, n.x + n.y, n.x + n.y]
    }

    #[boundary]
    pub fn salty(q: State) -> State {
        State { salt: 70.0 - q.salt, ..q }
    }

    #[boundary]
    pub fn coloured(q: State) -> State {
        State { salt: 70.0 - q.salt, dye: 1.0, ..q }
    }
}

fn main() {}
