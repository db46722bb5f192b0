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

/// Air that hardly moves, on both sides towards the face, away from it, or along one direction, has the flux of air at rest: no wave is found by
/// dividing by what rounding left of a speed.
#[test]
fn air_that_hardly_moves_is_like_air_at_rest() {
    let law = &equations::linearised_euler::LAW;
    let device = tests::open(Choice::Cpu).unwrap();
    let parameters: Vec<f64> = law.parameters.iter().map(|parameter| parameter.default.unwrap()).collect();
    let code = Pointwise::new(&device, law, law.unit(Shape::Triangle, 1).unwrap(), &parameters).unwrap();
    let exact_upwind = law.function(Role::NumericalFlux, "exact_upwind").unwrap();
    let flux = |speeds: [f64; 2]| {
        let left = [1.0, 0.3, -0.2, 2.0, 1.4, speeds[0], -0.5 * speeds[0], 1.0];
        let right = [-0.5, 0.1, 0.7, 1.0, 1.4, speeds[1], 2.0 * speeds[1], 1.0];
        let normal = [0.6, 0.8];
        let at = Arguments {
            parameters: &parameters,
            state: &left,
            right: &right,
            normal: &normal,
            position: &[],
            time: 0.0,
        };
        code.values(exact_upwind, &[at]).unwrap()
    };
    let at_rest = flux([0.0; 2]);
    for speeds in [[1e-16, 3e-16], [1e-16, -1e-16], [-1e-16, 2e-16], [-3e-9, 1e-9], [3e-9, -1e-9]] {
        for (moving, resting) in flux(speeds).into_iter().zip(&at_rest) {
            assert!((moving - resting).abs() < 1e-8, "{speeds:?}: {moving} instead of {resting}");
        }
    }
}
