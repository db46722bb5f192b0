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
    pub fn field(q: State) -> f64 {
        all(q.u)
    }

    fn all(a: f64) -> f64 {
        (0..100).map(|i| many(a + i as f64)).sum()
    }

    fn many(a: f64) -> f64 {
        (0..100).map(|i| some(a * i as f64)).sum()
    }

    fn some(a: f64) -> f64 {
        (0..100).map(|i| (a - i as f64).abs()).sum()
    }
}

fn main() {}
