#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [State { u: 2.0 * q.u }, State { u: q.u }]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [2.0 * n.x + n.y]
    }

    #[exact(manufactured)]
    pub fn wave(x: Point, t: f64) -> State {
        State { u: again(again(again(again(again(x.x - t))))) }
    }

    fn again(a: f64) -> f64 {
        twice(twice(twice(twice(twice(twice(twice(twice(a))))))))
    }

    fn twice(a: f64) -> f64 {
        many(many(many(many(many(many(many(many(a))))))))
    }

    fn many(a: f64) -> f64 {
        (a + (a.sin() + 2.0).sqrt() * (a.cos() + 3.0).sqrt()).tanh() * (1.0 + a * a).ln().exp().atan2(2.0)
    }
}

fn main() {}
