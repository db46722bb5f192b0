#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
        pub dye: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        let f = State { u: q.u, dye: 0.0 };
        [f, f]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [0.0, n.x + n.y]
    }
}

fn main() {}
