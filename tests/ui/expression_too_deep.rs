#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [State { u: 2.0 * q.u }, q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [2.0 * n.x + n.y]
    }

    #[output]
    pub fn sum(q: State) -> f64 {
        q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
            + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u + q.u
    }
}

fn main() {}
