#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    pub struct State {
        pub salt: f64,
        pub dye: f64,
    }

    // Both are carried with the velocity (1, 1), so both enter or none.
    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.x + n.y, n.x + n.y]
    }

    #[boundary]
    pub fn inlet(q: State) -> State {
        State { salt: 35.0, ..q }
    }
}

fn main() {}
