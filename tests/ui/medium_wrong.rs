//! What is wrong with a medium is told like any other mistake: eigenvalues without it, a field that nothing reads, an exact solution in
//! another medium, a root that its values may make negative, and a flux that loses between two media.

use dg_runtime::conservation_law;

#[conservation_law(dim = 2, orders = 0..=0)]
mod sound {
    #[medium]
    pub struct Rest {
        pub rho: f64,
        #[range((Excluded(0.0), Unbounded))]
        pub bulk: f64,
        pub idle: f64,
    }

    #[state]
    pub struct State {
        pub e: f64,
        pub m1: f64,
        pub m2: f64,
    }

    pub fn flux(u: State, rest: Rest) -> [State; 2] {
        let p = rest.bulk * u.e;
        [State { e: u.m1 / rest.rho, m1: p, m2: 0.0 }, State { e: u.m2 / rest.rho, m1: 0.0, m2: p }]
    }

    pub fn eigenvalues(_: State, _: Normal, rest: Rest) -> [f64; 3] {
        let c = (rest.bulk / rest.rho).sqrt();
        [-c, 0.0, c]
    }
}

#[conservation_law(dim = 2, orders = 0..=0)]
mod transport {
    #[medium]
    pub struct Flow {
        pub v1: f64,
        pub v2: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        [State { u: flow.v1 * u.u }, State { u: flow.v2 * u.u }]
    }

    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [flow.v1 * n.x - flow.v2 * n.y]
    }

    #[medium]
    pub fn rotation(x: Point) -> Flow {
        Flow { v1: -x.y, v2: x.x }
    }

    /// It turns the other way.
    #[exact]
    pub fn hump(x: Point, t: f64) -> State {
        let (dx, dy) = (x.x - 0.5 * t.cos(), x.y + 0.5 * t.sin());
        State { u: (-dx * dx - dy * dy).exp() }
    }
}

#[conservation_law(dim = 2, orders = 0..=0)]
mod one_sided {
    #[medium]
    pub struct Flow {
        pub v1: f64,
        pub v2: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        [State { u: flow.v1 * u.u }, State { u: flow.v2 * u.u }]
    }

    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [flow.v1 * n.x + flow.v2 * n.y]
    }

    /// The speed of the left side alone: from the other side it is another one.
    #[numerical_flux]
    pub fn upwind(l: State, r: State, n: Normal, left: Flow, _: Flow) -> State {
        let vn = left.v1 * n.x + left.v2 * n.y;
        State { u: if vn > 0.0 { vn * l.u } else { vn * r.u } }
    }
}

fn main() {}
