#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub stress: [[f64; 2]; 2],
    }

    pub fn flux(u: State) -> [State; 2] {
        [u, u]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 4] {
        [n.x + n.y; 4]
    }
}

fn main() {}
