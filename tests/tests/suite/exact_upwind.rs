//! The exact flux that is derived for linear laws.

use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, Role, Shape};
use dg_runtime::solver::Pointwise;

/// Three quantities: one rests, one creeps, and one is carried along.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
#[accept(idle_component)]
pub mod streams {
    /// The state.
    #[state]
    pub struct State {
        /// At rest.
        pub resting: f64,
        /// With the speed of −4e-4 in x.
        pub creeping: f64,
        /// With the speed of 1 in x.
        pub carried: f64,
    }

    /// Physical flux.
    pub fn flux(u: State) -> [State; 2] {
        let along_x = State { resting: 0.0, creeping: -4e-4 * u.creeping, carried: u.carried };
        [along_x, State { resting: 0.0, creeping: 0.0, carried: 0.0 }]
    }

    /// The speeds along a normal.
    pub fn eigenvalues(_: State, n: Normal) -> [f64; 3] {
        [0.0, -4e-4 * n.x, n.x]
    }
}

/// A wave that counts as one at rest, since both are hardly told apart, is taken from the middle, never from downwind: its energy does
/// not grow, in whichever direction it creeps.
#[test]
fn a_wave_that_hardly_moves_is_not_taken_from_downwind() {
    let law = &streams::LAW;
    let device = tests::open(Choice::Cpu).unwrap();
    let code = Pointwise::new(&device, law, law.unit(Shape::Triangle, 0).unwrap(), &[]).unwrap();
    let exact_upwind = law.function(Role::NumericalFlux, "exact_upwind").unwrap();
    let (left, right) = ([1.0, 2.0, 3.0], [-2.0, 5.0, 7.0]);
    for n in [1.0, -1.0] {
        let normal = [n, 0.0];
        let at = Arguments { parameters: &[], state: &left, right: &right, normal: &normal, position: &[], time: 0.0 };
        let flux = code.values(exact_upwind, &[at]).unwrap();
        for (i, speed) in [0.0, -4e-4 * n, n].into_iter().enumerate() {
            let middle = 0.5 * speed * (left[i] + right[i]);
            let gain = (flux[i] - middle) * (right[i] - left[i]);
            assert!(gain <= 1e-15, "component {i}, normal {n}: energy grows by {gain:e}");
        }
        let carried = if n > 0.0 { n * left[2] } else { n * right[2] };
        assert!((flux[2] - carried).abs() < 1e-14, "{} instead of {carried}", flux[2]);
    }
}
