const N: usize = 2;

#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub m: [f64; super::N],
    }

    pub fn flux(u: State) -> [State; 2] {
        [u, u]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.x + n.y; 2]
    }
}

fn main() {}
