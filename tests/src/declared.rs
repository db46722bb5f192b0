//! Laws whose eigenvalues have no closed form, or none worth writing: they declare a bound on the speeds of waves.

/// Two layers of water in x, of which the upper one is lighter: velocities have a flux, as momenta have not.
///
/// The eigenvalues are the roots of a quartic, `((λ - v)² - g h) ((λ - w)² - g k) = r g² h k`, real if the layers move past each other
/// slowly. Reference: L. V. Ovsyannikov, J. Appl. Mech. Tech. Phys. 20 (1979) 127–135.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=1)]
pub mod two_layers {
    use std::f64::consts::PI;

    /// Properties of the layers.
    #[parameters]
    pub struct Water {
        /// Gravity.
        #[default(9.81)]
        #[range(0.0..)]
        pub g: f64,
        /// The density of the upper layer by that of the lower one.
        #[default(0.5)]
        #[range(0.0..=0.5)]
        pub r: f64,
    }

    /// The state.
    #[state]
    pub struct State {
        /// Thickness of the lower layer.
        pub h: f64,
        /// Thickness of the upper layer.
        pub k: f64,
        /// Velocity of the lower layer.
        pub v: f64,
        /// Velocity of the upper layer.
        pub w: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, water: Water) -> [State; 2] {
        let Water { g, r } = water;
        [
            State {
                h: u.h * u.v,
                k: u.k * u.w,
                v: 0.5 * u.v * u.v + g * (u.h + r * u.k),
                w: 0.5 * u.w * u.w + g * (u.h + u.k),
            },
            State { h: 0.0, k: 0.0, v: 0.0, w: 0.0 },
        ]
    }

    /// Waves of both layers as of one.
    #[wave_speed]
    pub fn bounds(u: State, n: Normal, water: Water) -> [f64; 2] {
        let (v, w) = (u.v * n.x, u.w * n.x);
        let c = (water.g * (u.h + u.k)).sqrt() * n.x.abs();
        [v.min(w) - c, v.max(w) + c]
    }

    /// Both layers are there, and move past each other slowly.
    #[admissible]
    pub fn slow(u: State, water: Water) -> [f64; 3] {
        [u.h, u.k, 0.2 * water.g * u.h.min(u.k) - (u.v - u.w) * (u.v - u.w)]
    }

    /// Waves that do not change.
    #[exact(manufactured)]
    pub fn waves(x: Point, t: f64) -> State {
        let wave = (2.0 * PI * (x.x - t)).sin();
        State { h: 1.0 + 0.2 * wave, k: 0.5, v: 0.3 * wave, w: 0.1 }
    }
}
