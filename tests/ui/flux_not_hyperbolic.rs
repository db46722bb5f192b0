#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
        pub v: f64,
    }

    // With the Cauchy-Riemann equations nothing travels at any speed: the eigenvalues are imaginary.
    pub fn flux(q: State) -> [State; 2] {
        [State { u: q.v, v: -q.u }, State { u: q.u, v: q.v }]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.y - n.x, n.y + n.x]
    }
}

fn main() {}
