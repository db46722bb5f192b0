//! The numerical fluxes of the Euler equations against the exact solution of the Riemann problem between the two states.

use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, Role, Shape};
use dg_runtime::solver::Pointwise;
use equations::euler::LAW;
use tests::riemann::{Primitive, Riemann};

const GAMMA: f64 = 1.4;
const NORMAL: [f64; 2] = [0.6, -0.8];

/// A state by density, velocity along the normal and across it, and pressure.
#[derive(Clone, Copy, Debug)]
struct State([f64; 4]);

impl State {
    fn along(self) -> Primitive {
        let Self([rho, v, _, p]) = self;
        Primitive { rho, v, p }
    }

    /// Along the normal and across it, into x and y.
    fn turned(along: f64, across: f64) -> [f64; 2] {
        [along * NORMAL[0] - across * NORMAL[1], along * NORMAL[1] + across * NORMAL[0]]
    }

    fn conserved(self) -> [f64; 4] {
        let Self([rho, v, w, p]) = self;
        let [v1, v2] = Self::turned(v, w);
        [rho, rho * v1, rho * v2, p / (GAMMA - 1.0) + 0.5 * rho * (v * v + w * w)]
    }

    /// The physical flux along the normal.
    fn flux(self) -> [f64; 4] {
        let Self([rho, v, w, p]) = self;
        let [m1, m2] = Self::turned(rho * v * v + p, rho * v * w);
        [rho * v, m1, m2, v * (self.conserved()[3] + p)]
    }
}

/// The flux of the exact solution on the face (S. K. Godunov, Mat. Sb. 47 (1959) 271–306).
fn godunov(left: State, right: State) -> [f64; 4] {
    let solution = Riemann::new(left.along(), right.along(), GAMMA);
    let Primitive { rho, v, p } = solution.at(0.0);
    // The transverse velocity is carried with the gas.
    let across = if solution.star_velocities[0] > 0.0 { left } else { right }.0[2];
    State([rho, v, across, p]).flux()
}

/// The generated code of a numerical flux at pairs of states, by the C compiler.
fn fluxes(name: &str, pairs: &[[State; 2]]) -> Vec<[f64; 4]> {
    let device = tests::open(Choice::Cpu).unwrap();
    // The text is the same at every order.
    let code = Pointwise::new(&device, &LAW, LAW.unit(Shape::Triangle, 0).unwrap(), &[GAMMA]).unwrap();
    let states: Vec<_> = pairs.iter().map(|pair| pair.map(State::conserved)).collect();
    let points: Vec<_> = states
        .iter()
        .map(|[state, right]| Arguments { parameters: &[], state, right, normal: &NORMAL, position: &[], time: 0.0 })
        .collect();
    let function = LAW.function(Role::NumericalFlux, name).unwrap();
    code.values(function, &points).unwrap().as_chunks().0.to_vec()
}

/// The largest difference of two fluxes' components, relative to the largest component.
fn difference(a: [f64; 4], b: [f64; 4]) -> f64 {
    let scale = a.iter().chain(&b).fold(0.0, |scale: f64, x| scale.max(x.abs()));
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / scale).fold(0.0, f64::max)
}

/// The numerical fluxes that resolve every wave.
const COMPLETE: [&str; 2] = ["hllc", "roe"];
/// Those that resolve only the fastest waves.
const CENTRAL: [&str; 2] = ["hll", "rusanov"];

/// The state behind a shock that runs along the normal into `ahead`.
fn behind_shock(ahead: State, mach: f64) -> State {
    let State([rho, v, w, p]) = ahead;
    let c = ahead.along().sound_speed(GAMMA);
    let compression = (GAMMA + 1.0) * mach * mach / ((GAMMA - 1.0) * mach * mach + 2.0);
    let pressure = 1.0 + 2.0 * GAMMA / (GAMMA + 1.0) * (mach * mach - 1.0);
    State([rho * compression, v + mach * c * (1.0 - 1.0 / compression), w, p * pressure])
}

#[test]
fn hllc_and_roe_are_exact_at_an_isolated_contact() {
    // With velocities of either sign and none; the transverse velocity jumps too.
    let pairs = [0.4, -0.4, 0.0].map(|v| [State([1.0, v, 0.7, 0.8]), State([0.2, v, -0.3, 0.8])]);
    for name in COMPLETE {
        for (found, [left, right]) in fluxes(name, &pairs).into_iter().zip(pairs) {
            let error = difference(found, godunov(left, right));
            assert!(error < 1e-14, "{name}: {error:e} between {left:?} and {right:?}");
        }
    }
    // The others smear it.
    for name in CENTRAL {
        for (found, [left, right]) in fluxes(name, &pairs).into_iter().zip(pairs) {
            assert!(difference(found, godunov(left, right)) > 0.01, "{name}");
        }
    }
}

#[test]
fn hllc_and_roe_are_exact_at_an_isolated_shock() {
    let mut pairs = Vec::new();
    for mach in [1.01, 1.5, 3.0, 10.0, 100.0] {
        // The flow ahead lets the shock run on, carries it back slowly or fast, or makes it stand.
        for v in [0.0, -0.8 * mach, -mach, -1.5 * mach] {
            let ahead = State([1.4, v, 0.3, 1.0]);
            let shock = [behind_shock(ahead, mach), ahead];
            let [ahead, behind] = [ahead, shock[0]].map(|State([rho, v, w, p])| State([rho, -v, w, p]));
            pairs.extend([shock, [ahead, behind]]);
        }
    }
    for name in COMPLETE {
        for (found, [left, right]) in fluxes(name, &pairs).into_iter().zip(pairs.iter().copied()) {
            let error = difference(found, godunov(left, right));
            assert!(error < 1e-14, "{name}: {error:e} between {left:?} and {right:?}");
        }
    }
}

#[test]
fn supersonic_flow_is_upwind() {
    let (fast, faster) = (State([1.0, 3.0, 0.5, 1.0]), State([1.3, 4.0, -0.2, 2.0]));
    let back = |State([rho, v, w, p]): State| State([rho, -v, w, p]);
    let pairs = [[fast, faster], [faster, fast], [back(fast), back(faster)], [back(faster), back(fast)]];
    for name in ["hll", "hllc", "roe"] {
        for (found, [left, right]) in fluxes(name, &pairs).into_iter().zip(pairs) {
            let upwind = if left.0[1] > 0.0 { left } else { right };
            let error = difference(found, upwind.flux()).max(difference(godunov(left, right), upwind.flux()));
            assert!(error < 1e-14, "{name}: {error:e} between {left:?} and {right:?}");
        }
    }
}

#[test]
fn small_jumps_make_differences_of_second_order_where_every_wave_is_known() {
    let (middle, jump) = ([1.1, 0.2, 0.3, 0.9], [0.5, 0.8, -0.6, 0.7]);
    let pairs = [1e-2, 1e-3]
        .map(|size| [-0.5, 0.5].map(|end| State(std::array::from_fn(|i| middle[i] + end * size * jump[i]))));
    for (names, ratio) in [(COMPLETE, 100.0), (CENTRAL, 10.0)] {
        for name in names {
            let fluxes = fluxes(name, &pairs);
            let [large, small] = [0, 1].map(|i| difference(fluxes[i], godunov(pairs[i][0], pairs[i][1])));
            println!("{name}: {large:.2e}, {small:.2e}");
            assert!((0.95..1.05).contains(&(large / small / ratio)), "{name}: {large:e}, {small:e}");
        }
    }
}
