#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[parameters]
    pub struct Flow {
        #[default([1.0, 0.5])]
        pub v: [f64; 3],
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        [flow.v[0] * u, (flow.v[1] + flow.v[2]) * u]
    }

    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [flow.v[0] * n.x + (flow.v[1] + flow.v[2]) * n.y]
    }
}

fn main() {}
