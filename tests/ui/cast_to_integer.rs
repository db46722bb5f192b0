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
        let _steps = 2.7_f64 as usize;
        q.u
    }
}

fn main() {}
