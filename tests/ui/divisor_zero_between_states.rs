#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [State { u: 0.5 * q.u * q.u }, State { u: 0.0 }]
    }

    pub fn eigenvalues(q: State, n: Normal) -> [f64; 1] {
        [q.u * n.x]
    }

    // No state that is tried is 1.7.
    #[output]
    pub fn distance(q: State) -> f64 {
        let gap = q.u - 1.7;
        inverse(gap)
    }

    fn inverse(a: f64) -> f64 {
        1.0 / a
    }
}

fn main() {}
