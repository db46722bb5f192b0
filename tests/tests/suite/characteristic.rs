//! The generated characteristic variables, compiled for the CPU: they can be inverted, and decouple the law's linearisation,
//! whose matrices are written out here.

use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, CharacteristicVariables, Function, Law, Role, Shape};
use dg_runtime::solver::Pointwise;
use equations::mhd;

/// Equality up to rounding, relative to the size of the vector.
const ROUNDING: f64 = 2e-13;

/// Pseudo-random numbers in (-1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// A map of the law in a direction, under its name for `Pointwise`.
fn map(name: &'static str, components: usize) -> Function {
    Function { name, doc: "", role: Role::Output, results: components, host: None }
}

/// Checks `R (L v) = v` and `R Λ L v = A v` at states, in the directions x and y.
fn check(
    law: &'static Law,
    parameters: &[f64],
    states: &[Vec<f64>],
    jacobian: impl Fn(&[f64], usize) -> Vec<Vec<f64>>,
) {
    assert!(matches!(law.algebra.characteristic, CharacteristicVariables::Formulas(_)));
    check_within(law, parameters, states, jacobian, [ROUNDING; 2]);
}

/// The same with tolerances for both, relative to the size of the Jacobian.
fn check_within(
    law: &'static Law,
    parameters: &[f64],
    states: &[Vec<f64>],
    jacobian: impl Fn(&[f64], usize) -> Vec<Vec<f64>>,
    errors: [f64; 2],
) {
    let n = law.state.len();
    let device = tests::open(Choice::Cpu).unwrap();
    let unit = law.unit(Shape::Triangle, 1).unwrap();
    let pointwise = Pointwise::new(&device, law, unit, parameters).unwrap();
    let eigenvalues = law.with_role(Role::Eigenvalues).next().unwrap();
    let mut random = Random(7);
    let changes: Vec<_> = states.iter().map(|_| random.vector(n)).collect();
    let directions = [
        ("to_characteristic_x", "from_characteristic_x", [1.0, 0.0]),
        ("to_characteristic_y", "from_characteristic_y", [0.0, 1.0]),
    ];
    for (direction, (to, from, normal)) in directions.into_iter().enumerate() {
        let values = |function: &Function, vectors: &[Vec<f64>]| -> Vec<Vec<f64>> {
            // Behind a vector, too, stands the medium.
            let vectors: Vec<_> =
                vectors.iter().zip(states).map(|(vector, state)| [vector, &state[n..]].concat()).collect();
            let points: Vec<_> = states
                .iter()
                .zip(&vectors)
                .map(|(state, right)| Arguments { parameters, state, right, normal: &normal, position: &[], time: 0.0 })
                .collect();
            pointwise.values(function, &points).unwrap().chunks(n).map(<[_]>::to_vec).collect()
        };
        let variables = values(&map(to, n), &changes);
        let back = values(&map(from, n), &variables);
        let speeds = values(eigenvalues, &changes);
        let carried: Vec<Vec<f64>> = variables
            .iter()
            .zip(&speeds)
            .map(|(variables, speeds)| variables.iter().zip(speeds).map(|(w, speed)| speed * w).collect())
            .collect();
        let carried = values(&map(from, n), &carried);
        for (((state, change), back), carried) in states.iter().zip(&changes).zip(&back).zip(&carried) {
            let matrix = jacobian(state, direction);
            let product: Vec<f64> =
                matrix.iter().map(|row| row.iter().zip(change).map(|(a, v)| a * v).sum::<f64>()).collect();
            let size: f64 = 1.0 + matrix.iter().flatten().map(|a| a.abs()).fold(0.0, f64::max);
            for i in 0..n {
                let place = || format!("{} in direction {direction} at {state:?}, component {i}", law.name);
                let [undone, decoupled] = [(back[i] - change[i]).abs(), (carried[i] - product[i]).abs()];
                assert!(undone <= errors[0] * size, "{}: {undone:e}", place());
                assert!(decoupled <= errors[1] * size, "{}: {decoupled:e}", place());
            }
        }
    }
}

/// Jacobians of the Euler equations (Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, 3rd edition,
/// section 3.2.1), in direction x; y follows by exchange of the momenta.
fn euler(u: &[f64], direction: usize, gamma: f64) -> Vec<Vec<f64>> {
    let (along, across) = (1 + direction, 2 - direction);
    let (v, w) = (u[along] / u[0], u[across] / u[0]);
    let square = v * v + w * w;
    let h = gamma * u[3] / u[0] - 0.5 * (gamma - 1.0) * square;
    let g = gamma - 1.0;
    let mut a = vec![vec![0.0; 4]; 4];
    let mut set = |i: usize, row: [f64; 4]| {
        a[i][0] = row[0];
        a[i][along] = row[1];
        a[i][across] = row[2];
        a[i][3] = row[3];
    };
    set(0, [0.0, 1.0, 0.0, 0.0]);
    set(along, [0.5 * g * square - v * v, (3.0 - gamma) * v, -g * w, g]);
    set(across, [-v * w, w, v, 0.0]);
    set(3, [v * (0.5 * g * square - h), h - g * v * v, -g * v * w, gamma * v]);
    a
}

#[test]
fn euler_at_rest_and_in_motion() {
    let gamma = 1.4;
    let mut random = Random(1);
    let mut states = Vec::new();
    for i in 0..60 {
        let (rho, p) = (0.1 + random.next().abs(), 0.05 + random.next().abs());
        // At rest, along each axis, and in any direction; slow and fast.
        let [v1, v2] = [1, 2].map(|bit| if i & bit == 0 { 0.0 } else { 3.0 * random.next() });
        states.push(vec![rho, rho * v1, rho * v2, p / (gamma - 1.0) + 0.5 * rho * (v1 * v1 + v2 * v2)]);
    }
    check(&equations::euler::LAW, &[gamma], &states, |u, direction| euler(u, direction, gamma));
}

#[test]
fn one_equation() {
    let states: Vec<_> = [0.0, -1.5, 0.25].map(|u| vec![u]).into();
    let velocity: Vec<f64> = equations::advection::LAW.parameters.iter().filter_map(|p| p.default).collect();
    check(&equations::advection::LAW, &velocity, &states, |_, direction| vec![vec![velocity[direction]]]);
    let parameters: Vec<f64> = equations::burgers::LAW.parameters.iter().filter_map(|p| p.default).collect();
    check(&equations::burgers::LAW, &parameters, &states, |u, _| vec![vec![u[0]]]);
}

#[test]
fn sound() {
    let states: Vec<_> = [[0.0, 0.0, 0.0], [1.0, -0.5, 2.0]].map(|u| u.to_vec()).into();
    check(&tests::sound::LAW, &[], &states, |_, direction| {
        let mut matrix = vec![vec![0.0; 3]; 3];
        matrix[0][1 + direction] = 1.0;
        matrix[1 + direction][0] = 1.0;
        matrix
    });
}

/// Sound in a medium, whose parameters alone give the speed of sound, which has no name.
#[dg_runtime::conservation_law(dim = 2, orders = 1..=1)]
pub mod medium {
    /// The medium.
    #[parameters]
    pub struct Medium {
        /// Modulus of compression.
        #[default(2.0)]
        pub bulk: f64,
        /// Density.
        #[default(0.5)]
        pub density: f64,
    }

    /// The state.
    #[state]
    pub struct State {
        /// Pressure.
        pub p: f64,
        /// Velocity in x.
        pub v1: f64,
        /// Velocity in y.
        pub v2: f64,
    }

    /// Physical flux.
    pub fn flux(u: State, m: Medium) -> [State; 2] {
        [
            State { p: m.bulk * u.v1, v1: u.p / m.density, v2: 0.0 },
            State { p: m.bulk * u.v2, v1: 0.0, v2: u.p / m.density },
        ]
    }

    /// Sound to both sides, and what stays.
    pub fn eigenvalues(_: State, _: Normal, m: Medium) -> [f64; 3] {
        [-(m.bulk / m.density).sqrt(), 0.0, (m.bulk / m.density).sqrt()]
    }
}

#[test]
fn sound_in_a_medium() {
    let states: Vec<_> = [[0.0, 0.0, 0.0], [1.0, -0.5, 2.0]].map(|u| u.to_vec()).into();
    for (bulk, density) in [(2.0, 0.5), (0.3, 7.0)] {
        check(&medium::LAW, &[bulk, density], &states, |_, direction| {
            let mut matrix = vec![vec![0.0; 3]; 3];
            matrix[0][1 + direction] = bulk;
            matrix[1 + direction][0] = 1.0 / density;
            matrix
        });
    }
}

/// The waves are those of the medium at each state, not of the parameters.
#[test]
fn sound_in_a_medium_that_varies() {
    let law = &equations::acoustics::LAW;
    let parameters: Vec<f64> = law.parameters.iter().filter_map(|p| p.default).collect();
    let (mut random, mut states) = (Random(5), Vec::new());
    for _ in 0..20 {
        let [rho, bulk] = [0; 2].map(|_| 0.1 + 4.0 * random.next().abs());
        states.push([random.vector(3), vec![rho, bulk]].concat());
    }
    check(law, &parameters, &states, |u, direction| sound_by_momentum(u[3], u[4], direction));
    // The formulas are shown by the names of the medium.
    let CharacteristicVariables::Formulas(formulas) = law.algebra.characteristic else { panic!() };
    let text = formulas.iter().flat_map(|along| along.to).map(|(_, formula)| *formula).collect::<String>();
    assert!(text.contains("rest.rho") && !text.contains("rho_left"), "{text}");
}

/// `∂e/∂t + ∇·m/ρ = 0`, `∂m/∂t + ∇(K e) = 0`
fn sound_by_momentum(rho: f64, bulk: f64, direction: usize) -> Vec<Vec<f64>> {
    let mut a = vec![vec![0.0; 3]; 3];
    a[0][1 + direction] = 1.0 / rho;
    a[1 + direction][0] = bulk;
    a
}

/// The Jacobian of the flux of `mhd` by differences of fourth order.
fn mhd_jacobian(u: &[f64], direction: usize, parameters: &[f64]) -> Vec<Vec<f64>> {
    let flux = mhd::LAW.with_role(Role::Flux).next().unwrap();
    let value = |u: &[f64]| {
        let mut value = vec![0.0; flux.results];
        let at = Arguments { parameters, state: u, right: &[], normal: &[], position: &[], time: 0.0 };
        flux.host.unwrap()(&at, &mut value);
        value[direction * u.len()..][..u.len()].to_vec()
    };
    let mut matrix = vec![vec![0.0; u.len()]; u.len()];
    for j in 0..u.len() {
        let h = 1e-3 * u[j].abs().max(0.1);
        for (weight, steps) in [(1.0, -2.0), (-8.0, -1.0), (8.0, 1.0), (-1.0, 2.0)] {
            let mut near = u.to_vec();
            near[j] += steps * h;
            for (row, flux) in matrix.iter_mut().zip(value(&near)) {
                row[j] += weight * flux / (12.0 * h);
            }
        }
    }
    matrix
}

/// A state of `mhd` by density, velocity, pressure, magnetic field and ψ.
fn mhd_state([rho, v1, v2, v3, p, b1, b2, b3, psi]: [f64; 9], parameters: &[f64]) -> Vec<f64> {
    let plasma = mhd::Plasma { gamma: parameters[0], cleaning_speed: parameters[1], damping_way: parameters[2] };
    let u = mhd::from_primitive(rho, v1, v2, v3, p, b1, b2, b3, psi, plasma);
    vec![u.rho, u.rho_v1, u.rho_v2, u.rho_v3, u.b1, u.b2, u.b3, u.e, u.psi]
}

/// Where waves of magnetohydrodynamics become equally fast: M. Brio & C. C. Wu, J. Comput. Phys. 75 (1988) 400–422, and P. L. Roe &
/// D. S. Balsara, SIAM J. Appl. Math. 56 (1996) 57–67.
#[test]
#[ignore = "long"]
fn waves_of_magnetohydrodynamics_without_formulas() {
    assert!(matches!(mhd::LAW.algebra.characteristic, CharacteristicVariables::Computed { .. }));
    let parameters = [1.4, 3.1, 0.18];
    let mut random = Random(5);
    let mut states = Vec::new();
    for _ in 0..40 {
        let v = random.vector(9);
        let [rho, p] = [v[0], v[4]].map(|x| 0.2 + x.abs());
        states.push([rho, v[1], v[2], v[3], p, v[5], v[6], v[7], v[8]]);
    }
    let generic = states.len();
    let state = |p: f64, [b1, b2, b3]: [f64; 3]| [1.0, 0.3, 0.2, -0.1, p, b1, b2, b3, 0.1];
    for b in [0.0, 1e-12, 1e-8, 1e-5, 1e-3] {
        // No field along an axis, none across it, no field at all; at rest.
        states.extend([[b, 0.5, 0.4], [0.7, b, 0.0], [0.7, b, 0.3 * b], [b, b, b]].map(|field| state(0.8, field)));
        states.push([1.0, 0.0, 0.0, 0.0, 0.8, 0.0, b, 0.6, 0.0]);
        // The speed of sound equals that of Alfvén waves: three speeds coincide.
        states.push(state(1.0 / parameters[0], [1.0, b, 0.0]));
    }
    let states: Vec<_> = states.into_iter().map(|state| mhd_state(state, &parameters)).collect();
    let jacobian = |u: &[f64], direction: usize| mhd_jacobian(u, direction, &parameters);
    check_within(&mhd::LAW, &parameters, &states[..generic], jacobian, [1e-12, 1e-9]);
    // Speeds from differences under a root are accurate to half of the digits.
    check_within(&mhd::LAW, &parameters, &states[generic..], jacobian, [1e-12, 1e-6]);
}

/// Where a wave is exactly as fast as those of ψ, the Jacobian has a Jordan block; the maps are inverse to each other nevertheless, and
/// do not amplify.
#[test]
#[ignore = "long"]
fn waves_that_become_one_leave_a_bounded_basis() {
    let primitive = [1.0, 0.3, 0.2, -0.1, 0.8, 0.7, 0.5, 0.4, 0.1];
    let eigenvalues = mhd::LAW.with_role(Role::Eigenvalues).next().unwrap();
    let fast = {
        let mut speeds = [0.0; 9];
        let (parameters, normal) = ([1.4, 0.0, 0.18], [1.0, 0.0]);
        let u = mhd_state(primitive, &parameters);
        let at =
            Arguments { parameters: &parameters, state: &u, right: &[], normal: &normal, position: &[], time: 0.0 };
        eigenvalues.host.unwrap()(&at, &mut speeds);
        speeds[6]
    };
    for distance in [0.0, 1e-9, 1e-6, 1e-4, -1e-3] {
        let parameters = [1.4, fast + distance, 0.18];
        let u = mhd_state(primitive, &parameters);
        let device = tests::open(Choice::Cpu).unwrap();
        let pointwise =
            Pointwise::new(&device, &mhd::LAW, mhd::LAW.unit(Shape::Triangle, 1).unwrap(), &parameters).unwrap();
        let value = |name: &'static str, right: &[f64]| {
            let at = Arguments { parameters: &parameters, state: &u, right, normal: &[], position: &[], time: 0.0 };
            pointwise.values(&map(name, 9), &[at]).unwrap()
        };
        let change = Random(3).vector(9);
        let waves = value("to_characteristic_x", &change);
        let back = value("from_characteristic_x", &waves);
        for (i, (back, change)) in back.iter().zip(&change).enumerate() {
            assert!((back - change).abs() < 1e-11, "{distance:e}, component {i}: {back} of {change}");
        }
        let largest = waves.iter().fold(0.0_f64, |largest, w| largest.max(w.abs()));
        assert!(largest < 1e4, "{distance:e}: {waves:?}");
    }
}
