#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod law {
    #[state]
    pub struct State {
        pub salt: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    // The law of a porous medium: the gradient of a square is linear in the gradient, the square of the gradient is not.
    #[viscous_flux]
    pub fn mixing(_: State, gradient: [State; 2]) -> [State; 2] {
        [State { salt: gradient[0].salt * gradient[0].salt }, gradient[1]]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + n.y]
    }
}

fn main() {}
