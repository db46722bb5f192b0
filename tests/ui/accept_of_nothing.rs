#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
#[accept]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [State { u: q.u }, State { u: 0.0 }]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x]
    }
}

fn main() {}
