#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[state]
    #[symmetry(galilean = (h_v1, h_v2))]
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

    // A speed that sees the motion along the face.
    #[numerical_flux]
    pub fn rusanov_of_all_motion(l: State, r: State, n: Normal) -> State {
        let [fl, gl] = flux(l);
        let [fr, gr] = flux(r);
        let s = speed(l).max(speed(r));
        State {
            h: 0.5 * ((fl.h + fr.h) * n.x + (gl.h + gr.h) * n.y - s * (r.h - l.h)),
            h_v1: 0.5 * ((fl.h_v1 + fr.h_v1) * n.x + (gl.h_v1 + gr.h_v1) * n.y - s * (r.h_v1 - l.h_v1)),
            h_v2: 0.5 * ((fl.h_v2 + fr.h_v2) * n.x + (gl.h_v2 + gr.h_v2) * n.y - s * (r.h_v2 - l.h_v2)),
        }
    }

    fn speed(u: State) -> f64 {
        (u.h_v1 * u.h_v1 + u.h_v2 * u.h_v2).sqrt() / u.h + u.h.sqrt()
    }

    #[admissible]
    pub fn wet(u: State) -> [f64; 1] {
        [u.h]
    }
}

fn main() {}
