//! Linear advection with constant velocity.

/// Linear advection with constant velocity in two dimensions.
///
/// ```text
/// ∂u/∂t + v₁ ∂u/∂x + v₂ ∂u/∂y = 0
/// ```
///
/// * u: what is carried
/// * (v₁, v₂): velocity
///
/// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, chapter 4, Cambridge 2002,
/// <https://doi.org/10.1017/CBO9780511791253>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod advection {
    use std::f64::consts::PI;

    /// A uniform flow.
    #[parameters]
    pub struct Flow {
        /// Velocity in the direction of x.
        #[default(1.0)]
        pub v1: f64,
        /// Velocity in the direction of y.
        #[default(1.0)]
        pub v2: f64,
    }

    /// What is carried.
    #[state]
    pub struct State {
        /// Its density.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, flow: Flow) -> [State; 2] {
        [State { u: flow.v1 * u.u }, State { u: flow.v2 * u.u }]
    }

    /// The normal velocity.
    pub fn eigenvalues(_: State, n: Normal, flow: Flow) -> [f64; 1] {
        [normal_velocity(n, flow)]
    }

    /// No value is new: neither the least nor the greatest.
    #[minimum_principle]
    pub fn range(u: State) -> [f64; 2] {
        [u.u, -u.u]
    }

    fn normal_velocity(n: Normal, flow: Flow) -> f64 {
        flow.v1 * n.x + flow.v2 * n.y
    }

    /// The flux of the side that the flow comes from.
    #[numerical_flux(exact = contact)]
    pub fn upwind(l: State, r: State, n: Normal, flow: Flow) -> State {
        let vn = normal_velocity(n, flow);
        State { u: if vn > 0.0 { vn * l.u } else { vn * r.u } }
    }

    /// A Gaussian of height 0.2 and width 0.05 that starts at (−0.2, −0.2), in the periodic square (−½, ½)².
    ///
    /// Reference: C. E. Castro, J. Behrens & C. Pelties, Geosci. Model Dev. Discuss. 6 (2013) 3743–3786, test 1,
    /// <https://doi.org/10.5194/gmdd-6-3743-2013>.
    #[exact]
    pub fn gaussian(x: Point, t: f64, flow: Flow) -> State {
        let (height, width) = (0.2, 0.05);
        let dx = nearest_image(x.x + 0.2 - flow.v1 * t);
        let dy = nearest_image(x.y + 0.2 - flow.v2 * t);
        State { u: height * (-0.5 * (dx * dx + dy * dy) / (width * width)).exp() }
    }

    /// The distance from −½ to ½ that differs from the given one by an integer.
    fn nearest_image(distance: f64) -> f64 {
        let angle = 2.0 * PI * distance;
        angle.sin().atan2(angle.cos()) / (2.0 * PI)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_gaussian_moves_with_the_flow() {
            let flow = Flow { v1: 1.0, v2: -0.5 };
            let top = gaussian(Point { x: 0.1, y: -0.35 }, 0.3, flow);
            assert!((top.u - 0.2).abs() < 1e-15);
        }
    }
}
