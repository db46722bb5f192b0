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

    #[minimum_principle]
    pub fn least(u: State, gas: Gas) -> [f64; 2] {
        [pressure(u, gas) / u.rho.powf(gas.gamma), pressure(u, gas)]
    }
}

fn main() {}
