//! Two phases in a porous medium: the equation of Buckley & Leverett.

/// Two phases in a porous medium in the direction of x, of which one displaces the other: water drives out oil.
///
/// ```text
/// ∂u/∂t + ∂f(u)/∂x = 0,   f(u) = u² / (u² + a (1 − u)²)
/// ```
///
/// * u: the part of the pores that the displacing phase fills
/// * a: the viscosity of the displacing phase by that of the displaced one
///
/// The flux is neither convex nor concave, so that a front is a shock with a rarefaction behind it, and waves between two states can be
/// faster than at both.
///
/// References: S. E. Buckley & M. C. Leverett, Trans. AIME 146 (1942) 107–116, <https://doi.org/10.2118/942107-G>; R. J. LeVeque,
/// Finite Volume Methods for Hyperbolic Problems, section 16.1, Cambridge 2002, <https://doi.org/10.1017/CBO9780511791253>.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=3)]
pub mod buckley_leverett {
    /// Properties of the phases.
    #[parameters]
    pub struct Phases {
        /// The viscosity of the displacing phase by that of the displaced one.
        #[default(0.25)]
        #[range(0.01..=100.0)]
        pub a: f64,
    }

    /// The state.
    #[state]
    pub struct State {
        /// The part of the pores that the displacing phase fills.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(q: State, phases: Phases) -> [State; 2] {
        let (u, v) = (q.u, 1.0 - q.u);
        [State { u: u * u / (u * u + phases.a * v * v) }, State { u: 0.0 }]
    }

    /// The derivative of the flux.
    pub fn eigenvalues(q: State, n: Normal, phases: Phases) -> [f64; 1] {
        [speed(q.u, phases) * n.x]
    }

    fn speed(u: f64, phases: Phases) -> f64 {
        let v = 1.0 - u;
        let sum = u * u + phases.a * v * v;
        2.0 * phases.a * u * v / (sum * sum)
    }

    /// No value is new.
    #[minimum_principle]
    pub fn range(q: State) -> [f64; 2] {
        [q.u, -q.u]
    }

    /// What is outside is as inside.
    #[boundary]
    pub fn outflow(q: State) -> State {
        q
    }

    /// The displacing phase alone enters at x = 0 into the displaced one: a shock up to the state from which the chord of the flux is a
    /// tangent, and a rarefaction behind it.
    #[exact]
    // Few places and times are in the rarefaction: tests try it.
    #[accept(untried_branch)]
    pub fn displacement(x: Point, t: f64, phases: Phases) -> State {
        let front = (phases.a / (1.0 + phases.a)).sqrt();
        let s = x.x / t.max(1e-12);
        if s < 0.0 {
            return State { u: 1.0 };
        }
        if s > speed(front, phases) {
            return State { u: 0.0 };
        }
        // Newton's method for f′(u) = s.
        let mut u = 0.5 * (front + 1.0);
        for _ in 0..12 {
            let v = 1.0 - u;
            let sum = u * u + phases.a * v * v;
            let bend = 2.0 * phases.a / (sum * sum) * (1.0 - 2.0 * u - 4.0 * u * v * (u - phases.a * v) / sum);
            u = (u - (speed(u, phases) - s) / bend).max(front);
        }
        State { u }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn states_behind_the_front_move_with_their_own_speed_and_the_front_with_its_chord() {
            for a in [0.01, 0.25, 3.0, 100.0] {
                let phases = Phases { a };
                let front = (a / (1.0 + a)).sqrt();
                let fastest = speed(front, phases);
                let chord = flux(State { u: front }, phases)[0].u / front;
                assert!((fastest / chord - 1.0).abs() < 1e-14, "{a}: {fastest} {chord}");
                for i in 0..100 {
                    let s = 0.01 * f64::from(i) * fastest;
                    let u = displacement(Point { x: 2.0 * s, y: 0.3 }, 2.0, phases).u;
                    assert!(u >= front && (speed(u, phases) - s).abs() < 1e-13 * fastest, "{a} {s}: {u}");
                }
                assert_eq!(displacement(Point { x: 2.001 * fastest, y: 0.3 }, 2.0, phases).u, 0.0);
            }
        }
    }
}
