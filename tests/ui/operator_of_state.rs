#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    use std::ops::Mul;

    #[state]
    pub struct State {
        pub u: f64,
    }

    impl Mul<f64> for State {
        type Output = State;
        fn mul(self, a: f64) -> State {
            State { u: self.u * a }
        }
    }

    pub fn flux(q: State) -> [State; 2] {
        [q * 1.0, q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }
}

fn main() {}
