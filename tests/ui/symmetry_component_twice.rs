#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    #[symmetry(rotation = [(h_v1, h_v2), (h_v1, h)])]
    pub struct State {
        pub h: f64,
        pub h_v1: f64,
        pub h_v2: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        let (v1, v2) = (u.h_v1 / u.h, u.h_v2 / u.h);
        let p = 0.5 * u.h * u.h;
        [
            State { h: u.h_v1, h_v1: u.h_v1 * v1 + p, h_v2: u.h_v2 * v1 },
            State { h: u.h_v2, h_v1: u.h_v1 * v2, h_v2: u.h_v2 * v2 + p },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 3] {
        let vn = (u.h_v1 * n.x + u.h_v2 * n.y) / u.h;
        let c = u.h.sqrt();
        [vn - c, vn, vn + c]
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }
}

fn main() {}
