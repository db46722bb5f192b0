//! Two layers of shallow water.

/// Two layers of shallow water over a bottom, in two dimensions: light water above heavy water.
///
/// ```text
/// ∂h₁/∂t + ∇·q₁ = 0
/// ∂q₁/∂t + ∇·(q₁⊗q₁/h₁ + g h₁²/2) + g h₁ ∇(h₂ + b) = 0
/// ∂h₂/∂t + ∇·q₂ = 0
/// ∂q₂/∂t + ∇·(q₂⊗q₂/h₂ + g h₂²/2) + g h₂ ∇(r h₁ + b) = 0
/// ```
///
/// * h₁, h₂: depths of the upper and the lower layer
/// * q₁, q₂: discharges, depth times velocity
/// * b: height of the bottom
/// * g: gravity; r: density of the upper layer relative to that of the lower one
///
/// The terms with h₁ and h₂ of the other layer are no divergence. The eigenvalues have no closed form.
///
/// Reference: M. Castro, J. Macías & C. Parés, ESAIM: M2AN 35 (2001) 107–127, <https://doi.org/10.1051/m2an:2001108>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=3)]
pub mod two_layer_shallow_water {
    /// Gravity and densities.
    #[parameters]
    pub struct Layers {
        /// Gravity.
        #[default(1.0)]
        #[range((Excluded(0.0), Unbounded))]
        pub g: f64,
        /// Density of the upper layer relative to that of the lower one.
        #[default(0.9)]
        #[range((Excluded(0.0), Excluded(1.0)))]
        pub r: f64,
    }

    /// What the water flows over.
    #[medium]
    pub struct Bottom {
        /// Height of the bottom.
        pub b: f64,
    }

    /// Depths and discharges.
    #[state]
    #[symmetry(rotation = [(q1x, q1y), (q2x, q2y)], reflection = [(q1x, q1y), (q2x, q2y)])]
    pub struct State {
        /// Depth of the upper layer.
        pub h1: f64,
        /// Discharge of the upper layer in the direction of x.
        pub q1x: f64,
        /// Discharge of the upper layer in the direction of y.
        pub q1y: f64,
        /// Depth of the lower layer.
        pub h2: f64,
        /// Discharge of the lower layer in the direction of x.
        pub q2x: f64,
        /// Discharge of the lower layer in the direction of y.
        pub q2y: f64,
    }

    /// Each layer by itself.
    pub fn flux(u: State, layers: Layers) -> [State; 2] {
        let (p1, p2) = (0.5 * layers.g * u.h1 * u.h1, 0.5 * layers.g * u.h2 * u.h2);
        let (v1x, v1y, v2x, v2y) = (u.q1x / u.h1, u.q1y / u.h1, u.q2x / u.h2, u.q2y / u.h2);
        [
            State {
                h1: u.q1x,
                q1x: u.q1x * v1x + p1,
                q1y: u.q1y * v1x,
                h2: u.q2x,
                q2x: u.q2x * v2x + p2,
                q2y: u.q2y * v2x,
            },
            State {
                h1: u.q1y,
                q1x: u.q1x * v1y,
                q1y: u.q1y * v1y + p1,
                h2: u.q2y,
                q2x: u.q2x * v2y,
                q2y: u.q2y * v2y + p2,
            },
        ]
    }

    /// The layers lean on each other, and on the bottom.
    #[nonconservative]
    pub fn leaning(u: State, change: State, n: Normal, _: Bottom, rise: Bottom, layers: Layers) -> State {
        let upper = layers.g * u.h1 * (change.h2 + rise.b);
        let lower = layers.g * u.h2 * (layers.r * change.h1 + rise.b);
        State { h1: 0.0, q1x: upper * n.x, q1y: upper * n.y, h2: 0.0, q2x: lower * n.x, q2y: lower * n.y }
    }

    /// The faster layer, and a wave of one layer of both depths. Layers whose velocities differ too much mix: there the equations are not
    /// hyperbolic, and describe nothing.
    #[wave_speed]
    #[accept(not_hyperbolic)]
    pub fn fastest(u: State, n: Normal, layers: Layers) -> f64 {
        let v1 = ((u.q1x * n.x + u.q1y * n.y) / u.h1).abs();
        let v2 = ((u.q2x * n.x + u.q2y * n.y) / u.h2).abs();
        v1.max(v2) + (layers.g * (u.h1 + u.h2)).sqrt()
    }

    /// Height of the interface between the layers.
    #[output]
    pub fn interface(u: State, bottom: Bottom) -> f64 {
        u.h2 + bottom.b
    }

    /// Height of the surface.
    #[output]
    pub fn surface(u: State, bottom: Bottom) -> f64 {
        u.h1 + u.h2 + bottom.b
    }

    /// Water is everywhere.
    #[admissible]
    pub fn wet(u: State) -> [f64; 2] {
        [u.h1, u.h2]
    }

    /// A wall: the normal velocities are reversed.
    #[boundary(impermeable = [h1, h2])]
    pub fn wall(u: State, n: Normal) -> State {
        let (q1, q2) = (u.q1x * n.x + u.q1y * n.y, u.q2x * n.x + u.q2y * n.y);
        State {
            q1x: u.q1x - 2.0 * q1 * n.x,
            q1y: u.q1y - 2.0 * q1 * n.y,
            q2x: u.q2x - 2.0 * q2 * n.x,
            q2y: u.q2y - 2.0 * q2 * n.y,
            ..u
        }
    }

    /// Hills, one in the middle of each unit square.
    #[medium]
    pub fn hills(x: Point) -> Bottom {
        Bottom { b: height(x) }
    }

    fn height(x: Point) -> f64 {
        let wave = (std::f64::consts::PI * x.x).sin() * (std::f64::consts::PI * x.y).sin();
        0.1 * wave * wave
    }

    /// Water at rest over the hills: surface and interface are level.
    #[exact]
    pub fn rest(x: Point) -> State {
        State { h1: 0.5, q1x: 0.0, q1y: 0.0, h2: 0.7 - height(x), q2x: 0.0, q2y: 0.0 }
    }

    /// Waves on the surface and on the interface that pass over the hills.
    #[exact(manufactured)]
    pub fn waves(x: Point, t: f64) -> State {
        let phase = (2.0 * x.x + x.y - t).sin();
        let other = (x.x - 2.0 * x.y + 0.5 * t).cos();
        State {
            h1: 1.0 + 0.1 * phase,
            q1x: 0.1 * other,
            q1y: 0.05 * phase,
            h2: 1.2 + 0.1 * other,
            q2x: -0.05 * phase,
            q2y: 0.1 * phase * other,
        }
    }
}
