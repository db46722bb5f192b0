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
        State { u: (x.x + x.y - 3.0 * t).sin() }
    }
}

fn main() {}
