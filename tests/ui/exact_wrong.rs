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

    pub fn from_primitive(rho: f64, v1: f64, v2: f64, p: f64, gas: Gas) -> State {
        State {
            rho,
            rho_v1: rho * v1,
            rho_v2: rho * v2,
            rho_e: p / (gas.gamma - 1.0) + 0.5 * rho * (v1 * v1 + v2 * v2),
        }
    }

    #[exact]
    pub fn supersonic_vortex(x: Point, gas: Gas) -> State {
        let inner_mach = 2.25;
        let r2 = x.x * x.x + x.y * x.y;
        let temperature = 1.0 + 0.5 * (gas.gamma - 1.0) * inner_mach * inner_mach * (1.0 - 1.0 / r2);
        let rho = temperature.powf(1.0 / (gas.gamma - 1.0));
        let p = rho * temperature / gas.gamma;
        from_primitive(rho, inner_mach * x.y / r2, inner_mach * x.x / r2, p, gas)
    }
}

fn main() {}
