#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod law {
    #[state]
    pub struct State {
        pub salt: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    #[viscous_flux]
    pub fn mixing(_: State, gradient: [State; 2]) -> State {
        gradient[0]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }
}

fn main() {}
