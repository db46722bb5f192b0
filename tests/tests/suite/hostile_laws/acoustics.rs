use dg_runtime::conservation_law;

/// Sound in air at rest.
#[conservation_law(dim = 2, orders = 1..=1)]
pub mod acoustics {
    #[parameters]
    pub struct Air {
        #[default(1.0)]
        pub c: f64,
    }

    #[state]
    pub struct State {
        pub p: f64,
        pub v1: f64,
        pub v2: f64,
    }

    pub fn flux(u: State, air: Air) -> [State; 2] {
        let c2 = air.c * air.c;
        [State { p: c2 * u.v1, v1: u.p, v2: 0.0 }, State { p: c2 * u.v2, v1: 0.0, v2: u.p }]
    }

    pub fn eigenvalues(_: State, _: Normal, air: Air) -> [f64; 3] {
        [-air.c, 0.0, air.c]
    }

    #[boundary(impermeable = p)]
    pub fn wall(u: State, n: Normal) -> State {
        let vn = u.v1 * n.x + u.v2 * n.y;
        State { v1: u.v1 - 2.0 * vn * n.x, v2: u.v2 - 2.0 * vn * n.y, ..u }
    }

    #[exact]
    pub fn standing(x: Point, t: f64, air: Air) -> State {
        let (phase, time) = (3.0 * x.x, 3.0 * air.c * t);
        State { p: air.c * phase.cos() * time.cos(), v1: phase.sin() * time.sin(), v2: 0.0 }
    }

    #[initial]
    pub fn bang(x: Point) -> State {
        let (dx, dy) = (x.x - 0.4, x.y);
        State { p: (-100.0 * (dx * dx + dy * dy)).exp(), v1: 0.0, v2: 0.0 }
    }
}

fn main() {
    println!("{}", acoustics::LAW.name);
}
