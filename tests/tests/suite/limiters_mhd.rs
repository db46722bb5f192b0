//! Limiting in characteristic variables of a law without formulas for them: magnetohydrodynamics.

use dg_runtime::case::Case;
use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, Function, Role, Shape};
use dg_runtime::solver::{Pointwise, Solver};
use equations::mhd;
use templates::reference::basis;
use templates::reference::quadrature::volume_rule;
use tests::{brio_wu, case, solver};

const COMPONENTS: usize = 9;

/// Ratio of specific heats, speed of cleaning, and way of damping.
const PARAMETERS: [f64; 3] = [1.4, 3.1, 0.18];

/// The number of the eigenvalue of the fast wave to the right.
const FAST: usize = 6;

/// Vectors after one of the maps of characteristic variables in x at a state.
fn mapped(name: &'static str, state: &[f64], vectors: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let device = tests::open(Choice::Cpu).unwrap();
    let unit = mhd::LAW.unit(Shape::Triangle, 1).unwrap();
    let pointwise = Pointwise::new(&device, &mhd::LAW, unit, &PARAMETERS).unwrap();
    let at = |right| Arguments { parameters: &PARAMETERS, state, right, normal: &[], position: &[], time: 0.0 };
    let points: Vec<_> = vectors.iter().map(|vector| at(vector.as_slice())).collect();
    let (doc, role) = ("", Role::Output);
    let map = Function { name, doc, role, results: COMPONENTS, host: None };
    pointwise.values(&map, &points).unwrap().chunks(COMPONENTS).map(<[f64]>::to_vec).collect()
}

/// The higher modes, by components, of all elements that are not at an end of the strip.
fn variations(solver: &Solver) -> Vec<Vec<f64>> {
    let basis = basis::count(Shape::Triangle, solver.setup().order);
    let coefficients = solver.coefficients().unwrap();
    let mesh = solver.mesh();
    let inside = (0..mesh.element_count()).filter(|&e| (0.1..0.9).contains(&mesh.position(e, &[1.0 / 3.0; 2])[0]));
    let of_element = |e: usize| {
        let own = &coefficients[e * COMPONENTS * basis..][..COMPONENTS * basis];
        (1..basis).map(|mode| own.iter().skip(mode).step_by(basis).copied().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    inside.flat_map(of_element).collect()
}

/// A small steep fast wave runs to the right while all other waves vary linearly: limiting the steep one leaves them unchanged.
#[test]
#[ignore = "long"]
fn limiting_a_fast_wave_leaves_the_others_alone() {
    const SIZE: f64 = 1e-6;
    let [gamma, cleaning_speed, damping_way] = PARAMETERS;
    let plasma = mhd::Plasma { gamma, cleaning_speed, damping_way };
    let u = mhd::from_primitive(1.0, 0.3, 0.2, -0.1, 0.8, 0.7, 0.5, 0.4, 0.1, plasma);
    let state = [u.rho, u.rho_v1, u.rho_v2, u.rho_v3, u.b1, u.b2, u.b3, u.e, u.psi];
    let unit = |k: usize| (0..COMPONENTS).map(|i| f64::from(u8::from(i == k))).collect::<Vec<_>>();
    let waves = mapped("from_characteristic_x", &state, &(0..COMPONENTS).map(unit).collect::<Vec<_>>());
    let formula = |c: usize| {
        let others = (0..COMPONENTS).filter(|k| *k != FAST).map(|k| waves[k][c]).sum::<f64>();
        format!("{:?} + {SIZE:?}*({:?}*tanh(60*(x - 0.5)) + {others:?}*x)", state[c], waves[FAST][c])
    };
    let formulas: String = ["rho", "rho_v1", "rho_v2", "rho_v3", "b1", "b2", "b3", "e", "psi"]
        .iter()
        .enumerate()
        .map(|(c, name)| format!("{name} = \"{}\"\n", formula(c)))
        .collect();
    let solve = |limiter: &str| {
        solver(&case(&format!(
            r#"law = "mhd"
            order = 1
            parameters = {{ gamma = {gamma:?}, cleaning_speed = {cleaning_speed:?} }}
            {limiter}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 0.2], cells = [20, 4] }}
            boundaries = {{ left = "absorbing", right = "absorbing", bottom = {{ periodic = "top" }} }}
            time.final = 1
            [initial.formulas]
            {formulas}"#
        )))
    };
    let start = variations(&solve(""));
    let changed = |variables: &str| {
        let limiter = format!("limiter = {{ method = \"moment\", variables = \"{variables}\" }}");
        let limited = variations(&solve(&limiter));
        let change = |(a, b): (&Vec<f64>, &Vec<f64>)| a.iter().zip(b).map(|(a, b)| (b - a) / SIZE).collect();
        let changes: Vec<Vec<f64>> = start.iter().zip(&limited).map(change).collect();
        let waves = mapped("to_characteristic_x", &state, &changes);
        let most = |k: usize| waves.iter().fold(0.0_f64, |most, w| most.max(w[k].abs()));
        let others = (0..COMPONENTS).filter(|k| *k != FAST).map(most).fold(0.0, f64::max);
        println!("{variables}: the fast wave by {:.1e}, others by {others:.1e}", most(FAST));
        [most(FAST), others]
    };
    let [fast, others] = changed("characteristic");
    assert!(fast > 0.01 && others < 1e-4 * fast, "{fast:e}, {others:e}");
    let [fast, others] = changed("conserved");
    assert!(others > 0.1 * fast, "{fast:e}, {others:e}");
}

/// The tube of Brio & Wu on a strip of so many cells.
fn tube(cells: usize, variables: &str) -> Case {
    let (gamma, along, until) = (brio_wu::GAMMA, brio_wu::ALONG, brio_wu::UNTIL);
    case(&format!(
        r#"law = "mhd"
        order = 1
        parameters = {{ gamma = {gamma:?}, cleaning_speed = 4.0 }}
        limiter = {{ method = "moment", variables = "{variables}" }}
        flux.numerical = "hll"
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {}], cells = [{cells}, 2] }}
        boundaries = {{ left = {{ state = "plasma" }}, right = {{ state = "plasma" }}, bottom = {{ periodic = "top" }} }}
        initial.state = "plasma"
        time = {{ final = {until:?}, integrator = "ssp_rk3" }}
        [states.plasma]
        rho = "if(x < 0.5, 1, 0.125)"
        v1 = "0"
        v2 = "0"
        v3 = "0"
        p = "if(x < 0.5, 1, 0.1)"
        b1 = "{along:?}"
        b2 = "if(x < 0.5, 1, -1)"
        b3 = "0"
        psi = "0""#,
        2.0 / cells as f64
    ))
}

/// With limited characteristic variables the density is closer to a reference by another scheme.
#[test]
#[ignore = "long"]
fn characteristic_variables_sharpen_the_tube_of_brio_and_wu() {
    let exact = brio_wu::Reference::new(800);
    let error = |variables: &str| {
        let case = tube(80, variables);
        let mut solver = solver(&case);
        let until = case.time.until.unwrap();
        while solver.advance(until, 50).unwrap().time < until {}
        let rule = volume_rule(Shape::Triangle, 4).unwrap();
        let (coefficients, mesh) = (solver.coefficients().unwrap(), solver.mesh());
        let size = coefficients.len() / mesh.element_count();
        let (mut error, mut area) = (0.0, 0.0);
        for (point, weight) in rule.points.iter().zip(&rule.weights) {
            let phi = basis::values(Shape::Triangle, 1, point);
            for (element, own) in coefficients.chunks(size).enumerate() {
                let weight = weight * mesh.geometry(element).determinant;
                let rho: f64 = own.iter().zip(&phi).map(|(u, phi)| u * phi).sum();
                error += weight * (rho - exact.density(mesh.position(element, point)[0])).abs();
                area += weight;
            }
        }
        error / area
    };
    let [conserved, characteristic] = ["conserved", "characteristic"].map(error);
    println!("{conserved:.3e} in conserved, {characteristic:.3e} in characteristic variables");
    assert!(characteristic < 0.8 * conserved, "{characteristic:e}, {conserved:e}");
}
