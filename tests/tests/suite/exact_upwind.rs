//! The exact flux that is derived for linear laws.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, Role, Shape};
use dg_runtime::solver::Pointwise;

/// Sound in pressure and velocity, and what goes with it: all terms are products.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=0)]
pub mod sound {
    /// At rest, but for the speed of what it carries.
    #[medium]
    pub struct Air {
        /// Density.
        #[range((Excluded(0.0), Unbounded))]
        pub rho: f64,
        /// Bulk modulus.
        #[range((Excluded(0.0), Unbounded))]
        pub bulk: f64,
        /// Speed in the direction of x of what is carried.
        pub drift: f64,
    }

    /// The state.
    #[state]
    pub struct State {
        /// Pressure.
        pub p: f64,
        /// Velocity in the direction of x.
        pub v1: f64,
        /// Velocity in the direction of y.
        pub v2: f64,
        /// What is carried.
        pub smoke: f64,
    }

    /// There is no flux.
    pub fn flux(_: State) -> [State; 2] {
        [State { p: 0.0, v1: 0.0, v2: 0.0, smoke: 0.0 }; 2]
    }

    /// All terms.
    #[nonconservative]
    pub fn all(_: State, change: State, n: Normal, air: Air) -> State {
        State {
            p: air.bulk * (change.v1 * n.x + change.v2 * n.y),
            v1: change.p * n.x / air.rho,
            v2: change.p * n.y / air.rho,
            smoke: air.drift * n.x * change.smoke,
        }
    }

    /// Two waves of sound, eddies that stay, and smoke.
    pub fn eigenvalues(_: State, n: Normal, air: Air) -> [f64; 4] {
        let c = (air.bulk / air.rho).sqrt();
        [-c, 0.0, air.drift * n.x, c]
    }
}

/// Between two states in two media each side has the waves that go into it, as the solution has them in which pressure, velocity and smoke are the
/// same on both sides of the jump: what cells beside it lose in a short step of piecewise constants.
#[test]
fn products_at_a_jump_of_the_medium_give_each_side_its_own_waves() {
    // Density, bulk modulus, drift; then pressure, velocity and smoke.
    let media = [
        [[1.0, 1.0, 1.0], [4.0, 2.0, 3.0]],
        [[1.0, 1.0, -1.0], [100.0, 0.01, -3.0]],
        [[3.0, 7.0, 2.0], [3.0, 7.0, 2.05]],
    ];
    let [l, r] = [[0.3, 0.5, 1.0], [-0.2, -0.4, 0.4]];
    for [left, right] in media {
        let jump = |of: usize| format!("if(x < 0, {}, {})", left[of], right[of]);
        let of_state = |of: usize| format!("if(x < 0, {}, {})", l[of], r[of]);
        let text = format!(
            r#"
            law = "sound"
            order = 0
            flux.numerical = "exact_upwind"
            mesh = {{ generator = "rectangle", elements = "quadrilaterals", lower = [-2, 0], upper = [2, 2], cells = [4, 2] }}
            boundaries = {{ left = "absorbing", right = "absorbing", bottom.periodic = "top" }}
            medium = {{ degree = 0, formulas = {{ rho = "{}", bulk = "{}", drift = "{}" }} }}
            initial.formulas = {{ p = "{}", v1 = "{}", v2 = 0, smoke = "{}" }}
            time = {{ final = 1e-4, integrator = "ader" }}"#,
            jump(0),
            jump(1),
            jump(2),
            of_state(0),
            of_state(1),
            of_state(2)
        );
        let case = Case::parse(&text, Path::new("case.toml"), &[&sound::LAW]).unwrap_or_else(|error| panic!("{error}"));
        let (solver, clock) = tests::march(&case, 1);
        let coefficients = solver.coefficients().unwrap();
        // R. J. LeVeque, Finite Volume Methods for Hyperbolic Problems, section 9.9.
        let impedance = |[rho, bulk, _]: [f64; 3]| (rho * bulk).sqrt();
        let (zl, zr) = (impedance(left), impedance(right));
        let p = (zr * l[0] + zl * r[0] + zl * zr * (l[1] - r[1])) / (zl + zr);
        let v = (zl * l[1] + zr * r[1] + l[0] - r[0]) / (zl + zr);
        let smoke = if left[2] > 0.0 { l[2] } else { r[2] };
        let of_left = [-left[1] * (v - l[1]), -(p - l[0]) / left[0], 0.0, -left[2] * (smoke - l[2])];
        let of_right = [-right[1] * (r[1] - v), -(r[0] - p) / right[0], 0.0, -right[2] * (r[2] - smoke)];
        for e in 0..solver.mesh().element_count() {
            let x = solver.mesh().centroid(e)[0];
            let (before, rates) = if x < 0.0 { (l, of_left) } else { (r, of_right) };
            let before = [before[0], before[1], 0.0, before[2]];
            for (c, (before, rate)) in before.into_iter().zip(rates).enumerate() {
                let found = (coefficients[4 * e + c] - before) / clock.time;
                let expected = if x.abs() < 1.0 { rate } else { 0.0 };
                assert!(
                    (found - expected).abs() < 1e-9,
                    "{left:?} {right:?}, x = {x}, component {c}: {found}, {expected}"
                );
            }
        }
    }
}

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

/// A slow wave beside one at rest is never taken from downwind: its energy does not grow, in whichever direction it creeps.
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
        // Rounding is divided by the distance of both slow speeds.
        assert!((flux[2] - carried).abs() < 1e-15 / 4e-4, "{} instead of {carried}", flux[2]);
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
