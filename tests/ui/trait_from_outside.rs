trait Square {
    fn square(self) -> f64;
}

impl Square for f64 {
    fn square(self) -> f64 {
        self * self
    }
}

#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    use super::Square;

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
        q.u.square()
    }
}

fn main() {}
