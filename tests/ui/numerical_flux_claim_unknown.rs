#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        let half_square = State { u: 0.5 * q.u * q.u };
        [half_square, half_square]
    }

    pub fn eigenvalues(q: State, n: Normal) -> [f64; 1] {
        [q.u * (n.x + n.y)]
    }

    #[numerical_flux(exact = wave)]
    pub fn lax_friedrichs(l: State, r: State, n: Normal) -> State {
        let along = n.x + n.y;
        let speed = (l.u * along).abs().max((r.u * along).abs());
        State { u: 0.25 * along * (l.u * l.u + r.u * r.u) - 0.5 * speed * (r.u - l.u) }
    }
}

fn main() {}
