//! A numerical flux takes the medium of both sides; a medium has no defaults, and names of its own.

use dg_runtime::conservation_law;

#[conservation_law(dim = 2, orders = 0..=0)]
mod transport {
    #[medium]
    pub struct Flow {
        #[default(1.0)]
        pub v: f64,
        pub u: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        [State { u: flow.v * u.u }, State { u: flow.u * u.u }]
    }

    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [flow.v * n.x + flow.u * n.y]
    }

    #[numerical_flux]
    pub fn one_sided(l: State, _: State, n: Normal, flow: Flow) -> State {
        State { u: (flow.v * n.x + flow.u * n.y) * l.u }
    }

    #[medium]
    pub fn moving(u: State) -> Flow {
        Flow { v: u.u, u: 0.0 }
    }
}

fn main() {}
