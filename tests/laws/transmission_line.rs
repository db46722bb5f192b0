/// Voltage and current on a cable in the direction of x: the telegraph equations.
///
/// ```text
/// C ∂V/∂t + ∂I/∂x = −G V,   L ∂I/∂t + ∂V/∂x = −R I
/// ```
///
/// * V: voltage, I: current, and per length C: capacitance, L: inductance, G: leakage, R: resistance
///
/// Reference: M. Kac, Rocky Mt. J. Math. 4 (1974) 497–509, <https://doi.org/10.1216/RMJ-1974-4-3-497>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod transmission_line {
    #[parameters]
    pub struct Cable {
        /// Capacitance per length.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub c: f64,
        /// Inductance per length.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub l: f64,
        /// Conductance of the insulation per length.
        #[default(0.125)]
        #[range(0.0..)]
        pub g: f64,
        /// Resistance per length.
        #[default(0.25)]
        #[range(0.0..)]
        pub r: f64,
    }

    #[state]
    pub struct State {
        /// Voltage.
        pub voltage: f64,
        /// Current.
        pub current: f64,
    }

    pub fn flux(u: State, cable: Cable) -> [State; 2] {
        [State { voltage: u.current / cable.c, current: u.voltage / cable.l }, State { voltage: 0.0, current: 0.0 }]
    }

    pub fn eigenvalues(_: State, n: Normal, cable: Cable) -> [f64; 2] {
        let speed = n.x / (cable.l * cable.c).sqrt();
        [-speed, speed]
    }

    #[source]
    pub fn losses(u: State, cable: Cable) -> State {
        State { voltage: -cable.g * u.voltage / cable.c, current: -cable.r * u.current / cable.l }
    }

    #[numerical_flux]
    pub fn upwind(a: State, b: State, n: Normal, cable: Cable) -> State {
        let impedance = (cable.l / cable.c).sqrt();
        let voltage = 0.5 * (a.voltage + b.voltage) * n.x - 0.5 * n.x.abs() * impedance * (b.current - a.current);
        let current = 0.5 * (a.current + b.current) * n.x - 0.5 * n.x.abs() * (b.voltage - a.voltage) / impedance;
        State { voltage: current / cable.c, current: voltage / cable.l }
    }

    /// The signal that a cable without losses would carry.
    #[exact(manufactured)]
    pub fn signal(x: Point, t: f64, cable: Cable) -> State {
        let voltage = (x.x - t / (cable.l * cable.c).sqrt()).sin();
        State { voltage, current: voltage * (cable.c / cable.l).sqrt() }
    }
}
