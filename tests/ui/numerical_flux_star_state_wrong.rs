#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod law {
    #[parameters]
    pub struct Gas {
        #[default(1.4)]
        pub gamma: f64,
    }

    #[state]
    pub struct State {
        pub rho: f64,
        pub rho_v1: f64,
        pub rho_v2: f64,
        pub rho_e: f64,
    }

    pub fn flux(u: State, gas: Gas) -> [State; 2] {
        let (v1, v2) = velocity(u);
        let p = pressure(u, gas);
        [
            State { rho: u.rho_v1, rho_v1: u.rho_v1 * v1 + p, rho_v2: u.rho_v2 * v1, rho_e: (u.rho_e + p) * v1 },
            State { rho: u.rho_v2, rho_v1: u.rho_v1 * v2, rho_v2: u.rho_v2 * v2 + p, rho_e: (u.rho_e + p) * v2 },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal, gas: Gas) -> [f64; 4] {
        let vn = normal_velocity(u, n);
        let c = sound_speed(u, gas);
        [vn - c, vn, vn, vn + c]
    }

    #[admissible]
    pub fn admissible(u: State, gas: Gas) -> [f64; 2] {
        [u.rho, pressure(u, gas)]
    }

    #[output]
    pub fn pressure(u: State, gas: Gas) -> f64 {
        (gas.gamma - 1.0) * (u.rho_e - 0.5 * (u.rho_v1 * u.rho_v1 + u.rho_v2 * u.rho_v2) / u.rho)
    }

    pub fn velocity(u: State) -> (f64, f64) {
        (u.rho_v1 / u.rho, u.rho_v2 / u.rho)
    }

    fn normal_velocity(u: State, n: Normal) -> f64 {
        (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho
    }

    pub fn sound_speed(u: State, gas: Gas) -> f64 {
        (gas.gamma * pressure(u, gas) / u.rho).sqrt()
    }

    fn normal_flux(u: State, n: Normal, gas: Gas) -> State {
        let vn = normal_velocity(u, n);
        let p = pressure(u, gas);
        State {
            rho: u.rho * vn,
            rho_v1: u.rho_v1 * vn + p * n.x,
            rho_v2: u.rho_v2 * vn + p * n.y,
            rho_e: (u.rho_e + p) * vn,
        }
    }

    #[numerical_flux]
    pub fn hllc(l: State, r: State, n: Normal, gas: Gas) -> State {
        let (vl, vr) = (normal_velocity(l, n), normal_velocity(r, n));
        let (cl, cr) = (sound_speed(l, gas), sound_speed(r, gas));
        let sl = (vl - cl).min(vr - cr);
        let sr = (vl + cl).max(vr + cr);
        let ml = l.rho * (sl - vl);
        let mr = r.rho * (sr - vr);
        let contact = (pressure(r, gas) - pressure(l, gas) + ml * vl - mr * vr) / (ml - mr);
        if sl > 0.0 {
            normal_flux(l, n, gas)
        } else if contact > 0.0 {
            star_flux(l, n, sl, contact, gas)
        } else if sr > 0.0 {
            star_flux(r, n, sr, contact, gas)
        } else {
            normal_flux(r, n, gas)
        }
    }

    fn star_flux(u: State, n: Normal, s: f64, contact: f64, gas: Gas) -> State {
        let vn = normal_velocity(u, n);
        let f = normal_flux(u, n, gas);
        let compression = s / (s - contact);
        let jump = u.rho * compression * (contact - vn);
        let work = contact + pressure(u, gas) / (u.rho * (s - vn));
        State {
            rho: f.rho + s * u.rho * (compression - 1.0),
            rho_v1: f.rho_v1 + s * (u.rho_v1 * (compression - 1.0) + jump * n.x),
            rho_v2: f.rho_v2 + s * (u.rho_v2 * (compression - 1.0) + jump * n.y),
            rho_e: f.rho_e + s * (u.rho_e * (compression - 1.0) + jump * work),
        }
    }
}

fn main() {}
