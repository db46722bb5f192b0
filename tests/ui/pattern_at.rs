#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: [f64; 2],
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.x + n.y; 2]
    }

    #[output]
    pub fn field(q: State) -> f64 {
        let [a, rest @ ..] = q.u;
        a + rest[0]
    }
}

fn main() {}
