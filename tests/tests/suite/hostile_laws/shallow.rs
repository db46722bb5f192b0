use dg_runtime::conservation_law;

/// Shallow water.
#[conservation_law(dim = 2, orders = 1..=1)]
pub mod shallow {
    #[parameters]
    pub struct World {
        #[default(9.81)]
        pub g: f64,
    }

    #[state]
    pub struct State {
        pub h: f64,
        pub hu: f64,
        pub hv: f64,
    }

    pub fn celerity(u: State, world: World) -> f64 {
        (world.g * u.h).sqrt()
    }

    pub fn flux(u: State, world: World) -> [State; 2] {
        let (v1, v2) = (u.hu / u.h, u.hv / u.h);
        let p = 0.5 * world.g * u.h * u.h;
        [State { h: u.hu, hu: u.hu * v1 + p, hv: u.hv * v1 }, State { h: u.hv, hu: u.hu * v2, hv: u.hv * v2 + p }]
    }

    pub fn eigenvalues(u: State, n: Normal, world: World) -> [f64; 3] {
        let (vn, c) = ((u.hu * n.x + u.hv * n.y) / u.h, celerity(u, world));
        [vn - c, vn, vn + c]
    }

    #[admissible]
    pub fn admissible(u: State) -> [f64; 1] {
        [u.h]
    }

    #[boundary(impermeable = h)]
    pub fn shore(u: State, n: Normal) -> State {
        let m = u.hu * n.x + u.hv * n.y;
        State { hu: u.hu - 2.0 * m * n.x, hv: u.hv - 2.0 * m * n.y, ..u }
    }

    #[numerical_flux]
    pub fn lax_friedrichs(l: State, r: State, n: Normal, world: World) -> State {
        let (a, b) = (flux(l, world), flux(r, world));
        let s = celerity(l, world).max(celerity(r, world)) + ((l.hu + l.hv) / l.h).abs().max(((r.hu + r.hv) / r.h).abs());
        State {
            h: 0.5 * ((a[0].h + b[0].h) * n.x + (a[1].h + b[1].h) * n.y - s * (r.h - l.h)),
            hu: 0.5 * ((a[0].hu + b[0].hu) * n.x + (a[1].hu + b[1].hu) * n.y - s * (r.hu - l.hu)),
            hv: 0.5 * ((a[0].hv + b[0].hv) * n.x + (a[1].hv + b[1].hv) * n.y - s * (r.hv - l.hv)),
        }
    }

    #[output]
    pub fn froude(u: State, world: World) -> f64 {
        (u.hu * u.hu + u.hv * u.hv).sqrt() / (u.h * celerity(u, world))
    }
}

fn main() {
    println!("{}", shallow::LAW.name);
}
