#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod law {
    #[state]
    pub struct State {
        pub salt: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    #[viscous_flux]
    pub fn mixing(_: State, gradient: [State; 2]) -> [State; 2] {
        let size = (gradient[0].salt * gradient[0].salt + gradient[1].salt * gradient[1].salt).sqrt();
        let share = 1.0 / (1.0 + size);
        [State { salt: share * gradient[0].salt }, State { salt: share * gradient[1].salt }]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }
}

fn main() {}
