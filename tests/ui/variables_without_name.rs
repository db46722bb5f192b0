#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
        pub v: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.x + n.y; 2]
    }

    #[variables]
    pub fn one(a: f64, _: f64) -> State {
        State { u: a, v: a }
    }
}

fn main() {}
