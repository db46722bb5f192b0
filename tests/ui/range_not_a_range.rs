#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[parameters]
    pub struct Medium {
        #[default(2.0)]
        #[range(1.0)]
        pub c: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State, medium: Medium) -> [State; 2] {
        [State { u: medium.c * q.u }, q]
    }

    pub fn eigenvalues(_: State, n: Normal, medium: Medium) -> [f64; 1] {
        [medium.c * n.x + n.y]
    }
}

fn main() {}
