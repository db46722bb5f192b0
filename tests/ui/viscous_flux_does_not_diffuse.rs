#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod law {
    #[parameters]
    pub struct Water {
        #[default(0.1)]
        #[range(0.0..=1.0)]
        pub nu: f64,
    }

    #[state]
    pub struct State {
        pub salt: f64,
        pub dye: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, q]
    }

    // The flux is to point along the gradient: it is subtracted from that of the waves.
    #[viscous_flux]
    pub fn mixing(_: State, gradient: [State; 2], water: Water) -> [State; 2] {
        std::array::from_fn(|d| State { salt: water.nu * gradient[d].salt, dye: -water.nu * gradient[d].dye })
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [n.x + n.y, n.x + n.y]
    }
}

fn main() {}
