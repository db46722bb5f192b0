#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        #[default(1.0)]
        pub m: [f64; 2],
    }

    pub fn flux(u: State) -> [State; 2] {
        [u, u]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.x + n.y; 2]
    }

    #[output]
    pub fn last(u: State) -> f64 {
        u.m[1]
    }
}

fn main() {}
