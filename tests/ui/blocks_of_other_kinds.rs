#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }

    #[output]
    pub fn later(q: State) -> f64 {
        async { q.u };
        q.u
    }

    #[output]
    pub fn constantly(q: State) -> f64 {
        q.u * const { 2.0 * 3.0 }
    }
}

fn main() {}
