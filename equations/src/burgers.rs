//! The inviscid Burgers equation.

/// Inviscid Burgers equation in two dimensions.
///
/// ```text
/// ∂u/∂t + ∂/∂x (u²/2) + ∂/∂y (u²/2) = 0
/// ```
///
/// * u: what is carried, at the velocity (u, u)
///
/// Reference: B. Cockburn & C.-W. Shu, J. Comput. Phys. 141 (1998) 199–224, section 4,
/// <https://doi.org/10.1006/jcph.1998.5892>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=7)]
pub mod burgers {
    use std::f64::consts::PI;

    /// What is carried.
    #[state]
    pub struct State {
        /// Its density, and its velocity in both directions.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        let f = State { u: 0.5 * u.u * u.u };
        [f, f]
    }

    /// The normal velocity.
    pub fn eigenvalues(u: State, n: Normal) -> [f64; 1] {
        [u.u * (n.x + n.y)]
    }

    /// No value is new: neither the least nor the greatest.
    #[minimum_principle]
    pub fn range(u: State) -> [f64; 2] {
        [u.u, -u.u]
    }

    /// Godunov's flux: that of the exact solution between two states.
    ///
    /// Reference: R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, section 12.2, Cambridge 2002,
    /// <https://doi.org/10.1017/CBO9780511791253>.
    #[numerical_flux(exact = shock)]
    pub fn godunov(l: State, r: State, n: Normal) -> State {
        let direction = n.x + n.y;
        // Positive values move along (1, 1), so the sign of `direction` decides which side is upwind.
        let (behind, ahead) = if direction > 0.0 { (l.u, r.u) } else { (r.u, l.u) };
        let (forward, backward) = (behind.max(0.0), ahead.min(0.0));
        State { u: 0.5 * direction * (forward * forward).max(backward * backward) }
    }

    /// A sine along the diagonal of the periodic square (−1, 1)², which steepens into a shock at t = 1/π.
    ///
    /// Along a characteristic s = ξ + 2ut, s = x + y, the solution is constant, so u = u₀(s − 2ut) with
    /// u₀(s) = ¼ + ½ sin(πs). There is no closed form, but eight steps of Newton's method reach rounding error up to t = 0.2.
    #[exact]
    pub fn steepening_sine(x: Point, t: f64) -> State {
        let s = x.x + x.y;
        let mut u = start(s);
        for _ in 0..8 {
            u = newton(u, s, t);
        }
        State { u }
    }

    fn start(s: f64) -> f64 {
        0.25 + 0.5 * (PI * s).sin()
    }

    /// One step towards the root of u − u₀(s − 2ut).
    fn newton(u: f64, s: f64, t: f64) -> f64 {
        let foot = s - 2.0 * u * t;
        let slope = 0.5 * PI * (PI * foot).cos();
        u - (u - start(foot)) / (1.0 + 2.0 * t * slope)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_sine_is_constant_along_characteristics() {
            for i in 0..200 {
                let (foot, t) = (0.01 * f64::from(i) - 1.0, 0.2);
                let u = start(foot);
                let found = steepening_sine(Point { x: foot + u * t, y: u * t }, t);
                assert!((found.u - u).abs() < 1e-13, "from {foot}: {} instead of {u}", found.u);
            }
        }

        #[test]
        fn godunov_takes_the_sonic_point_of_a_rarefaction() {
            let n = Normal { x: 0.6, y: 0.8 };
            assert_eq!(godunov(State { u: -1.0 }, State { u: 2.0 }, n).u, 0.0);
            assert_eq!(godunov(State { u: 1.0 }, State { u: 2.0 }, n).u, 0.5 * 1.4);
        }
    }
}
