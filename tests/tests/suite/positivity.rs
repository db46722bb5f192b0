//! The positivity limiter on random states, near vacuum too: for any variation within an element, all quantities become positive at every
//! point of the scheme, means are unchanged, and positive elements are not modified; values written to files are positive
//! at the nodes too.

use std::ffi::OsString;

use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, Law, Role};
use dg_runtime::mesh::generate::Rectangle;
use dg_runtime::solver::{Limiter, Precision, Setup, Solver, Variables};
use templates::reference::{Operators, Shape};
use tests::vtu::Vtu;

/// Number of elements, each with its own state.
const CELLS: [usize; 2] = [25, 20];

/// The least share of the mean's quantities that the limiter leaves, as in the kernels.
const LEAST_SHARE: f64 = 1e-2;

/// Random numbers (G. Steele, D. Lea & C. Flood, SplitMix64, OOPSLA 2014).
struct Random(u64);

impl Random {
    /// A number between two others.
    fn between(&mut self, least: f64, most: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        least + (most - least) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number of random magnitude between two powers of ten.
    fn magnitude(&mut self, least: f64, most: f64) -> f64 {
        10.0_f64.powf(self.between(least, most))
    }
}

/// A mean state with density and pressure from nearly 0 to 100, and the variation of each component.
fn mean(law: &Law, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let (rho, p) = (random.magnitude(-12.0, 2.0), random.magnitude(-12.0, 2.0));
    let speed = (p / rho).sqrt();
    let momentum: Vec<f64> = (0..3).map(|_| rho * random.between(-2.0, 2.0) * speed).collect();
    let field: Vec<f64> = (0..3).map(|_| random.between(-1.0, 1.0) * p.sqrt()).collect();
    let squares = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    let is_field = |name: &str| name.starts_with('b');
    let dims = law.state.iter().filter(|variable| variable.name.starts_with("rho_v")).count();
    let magnetic = if law.state.iter().any(|variable| is_field(variable.name)) { 0.5 * squares(&field) } else { 0.0 };
    let energy = 1.5 * p + 0.5 * squares(&momentum[..dims]) / rho + magnetic;
    let (mut momenta, mut fields) = (momentum.iter(), field.iter());
    let component = |name: &str| match name {
        "rho" => (rho, rho),
        "rho_e" | "e" => (energy, energy),
        name if name.starts_with("rho_v") => (*momenta.next().unwrap(), rho * speed),
        name if is_field(name) => (*fields.next().unwrap(), p.sqrt()),
        // The variable that cleans the field.
        _ => (0.0, p),
    };
    law.state.iter().map(|variable| variable.name).map(component).unzip()
}

/// The law's admissible quantities for a state.
fn admissible(setup: &Setup, state: &[f64]) -> Vec<f64> {
    let function = setup.law.with_role(Role::Admissible).next().unwrap();
    let mut quantity = vec![0.0; function.results];
    let parameters = &setup.parameters;
    let arguments = Arguments { parameters, state, right: &[], normal: &[], position: &[], time: 0.0 };
    function.host.unwrap()(&arguments, &mut quantity);
    quantity
}

/// The state of an element's polynomials for these values of the basis functions.
fn state_at(tables: &Operators, element: &[f64], phi: &[f64]) -> Vec<f64> {
    element.chunks(tables.basis).map(|modes| modes.iter().zip(phi).map(|(u, phi)| u * phi).sum()).collect()
}

/// The least of every admissible quantity at the points of an element, and the values for the mean.
fn quantities(setup: &Setup, tables: &Operators, element: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let value = |phi: &[f64]| admissible(setup, &state_at(tables, element, phi));
    let points = tables.basis_at_volume.iter().chain(tables.basis_at_face.iter().flatten());
    let least = points.map(|phi| value(phi)).reduce(|a, b| a.iter().zip(b).map(|(a, b)| a.min(b)).collect());
    let mut constant = vec![0.0; tables.basis];
    constant[0] = tables.basis_at_volume[0][0];
    (least.unwrap(), value(&constant))
}

/// Checks the limiter on many random states, one in each element.
fn check(law: &'static Law, order: usize, precision: Precision) {
    let mesh = Rectangle { cells: CELLS, periodic: [true; 2], jitter: 0.2, ..Rectangle::default() }.mesh().unwrap();
    let setup = Setup {
        precision,
        limiter: Some(Limiter { method: None, variables: Variables::default(), indicator: None, positivity: true }),
        ..Setup::new(law, order).unwrap()
    };
    let tables = Operators::new(Shape::Triangle, order).unwrap();
    let mut solver = Solver::new(tests::open(Choice::Cpu).unwrap(), mesh, setup).unwrap();
    let (size, elements) = (law.state.len() * tables.basis, solver.mesh().element_count());

    let mut random = Random(order as u64);
    let mut coefficients = Vec::with_capacity(solver.dof());
    for _ in 0..elements {
        let (mean, scale) = mean(law, &mut random);
        let varies = random.magnitude(-3.0, 3.0);
        for (mean, scale) in mean.iter().zip(&scale) {
            coefficients.push(mean / tables.basis_at_volume[0][0]);
            coefficients.extend((1..tables.basis).map(|_| scale * varies * random.between(-1.0, 1.0)));
        }
    }
    solver.set_coefficients(&coefficients).unwrap();
    let before = solver.coefficients().unwrap();
    solver.limit().unwrap();
    let after = solver.coefficients().unwrap();

    let (mut limited, mut kept) = (0, 0);
    for (element, (before, after)) in before.chunks(size).zip(after.chunks(size)).enumerate() {
        let what = format!("{}, p = {order}, {precision:?}, element {element}", law.name);
        let (least, mean) = quantities(solver.setup(), &tables, before);
        let (least_after, _) = quantities(solver.setup(), &tables, after);
        assert!(mean.iter().all(|quantity| *quantity > 0.0), "{what}: {mean:?}");
        let bits = |modes: &[f64]| modes.iter().map(|c| c.to_bits()).collect::<Vec<_>>();
        for component in (0..size).step_by(tables.basis) {
            assert_eq!(before[component].to_bits(), after[component].to_bits(), "{what}: another mean");
        }
        if least.iter().zip(&mean).all(|(least, mean)| *least > 2.0 * LEAST_SHARE * mean) {
            kept += 1;
            assert_eq!(bits(before), bits(after), "{what}: there was nothing to limit");
        } else {
            limited += usize::from(before != after);
        }
        // The evaluation here is in double precision and differs in rounding from the scheme's in single; see the end.
        let rounding = if precision == Precision::Double { 0.0 } else { 1e-5 };
        let positive = least_after.iter().zip(&mean).all(|(least, mean)| *least > -rounding * mean);
        assert!(positive, "{what}: {least_after:?}, of the mean {mean:?}");
    }
    println!("{}, p = {order}, {precision:?}: {limited} of {elements} limited, {kept} to be kept", law.name);
    assert!(limited > elements / 4 && kept > elements / 10);
    // In the scheme's own arithmetic.
    solver.check().unwrap();

    // Nodes are not points of the scheme: inadmissible values are corrected when they are written, and no others.
    let samples = solver.samples().unwrap();
    let positive = |state: &[f64]| admissible(solver.setup(), state).iter().all(|quantity| *quantity > 0.0);
    let mut mended = 0;
    for (element, (own, nodes)) in
        after.chunks(size).zip(samples.values.chunks(tests::nodes(&solver) * samples.fields.len())).enumerate()
    {
        let what = format!("{}, p = {order}, {precision:?}, element {element}", law.name);
        let raw: Vec<Vec<f64>> = tables.basis_at_sample.iter().map(|phi| state_at(&tables, own, phi)).collect();
        let written: Vec<&[f64]> = nodes.chunks(samples.fields.len()).collect();
        assert!(written.iter().all(|node| positive(&node[..law.state.len()])), "{what}: {written:?}");
        assert!(written.iter().all(|node| node.iter().all(|field| field.is_finite())), "{what}: {written:?}");
        if !raw.iter().all(|state| positive(state)) {
            mended += 1;
        } else if precision == Precision::Double {
            for (component, phi) in raw.iter().zip(&written).flat_map(|(raw, node)| raw.iter().zip(node.iter())) {
                assert!((component - phi).abs() <= 1e-12 * component.abs().max(1.0), "{what}: {component} {phi}");
            }
        }
    }
    println!("{mended} mended at their nodes");
    assert!(order == 1 || mended > elements / 100, "{mended}");
}

/// Strong shocks between very thin and dense gas, with the positivity limiter alone.
#[test]
#[ignore = "long"]
fn files_have_an_admissible_state_at_every_node() {
    let folder = tempfile::tempdir().unwrap();
    for (order, left, right) in [(1, 1000, "0.01"), (2, 1000, "0.01"), (3, 1, "1e-8")] {
        let path = folder.path().join(format!("p{order}.toml"));
        let case = format!(
            "law = 'euler'\norder = {order}\n[mesh]\ngenerator = 'rectangle'\nupper = [1.0, 0.1]\nlower = [0.0, 0.0]\n\
             cells = [40, 4]\njitter = 0.2\n[boundaries]\nleft = 'slip_wall'\nright = 'slip_wall'\n\
             bottom = {{ periodic = 'top' }}\n[limiter]\npositivity = true\n[initial.formulas]\nrho = '1'\nrho_v1 = '0'\n\
             rho_v2 = '0'\nrho_e = 'if(x < 0.5, {left}, {right})/(gamma - 1)'\n[time]\nfinal = {}\n\
             integrator = 'ssp_rk3'\n[output]\ndirectory = 'p{order}'\nevery = {}\n",
            0.4 / f64::sqrt(f64::from(left)),
            0.04 / f64::sqrt(f64::from(left)),
        );
        std::fs::write(&path, case).unwrap();
        let arguments = ["rankine".as_ref(), "run".as_ref(), path.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
        dg_runtime::cli::run(&arguments.map(OsString::from), equations::LAWS)
            .unwrap_or_else(|error| panic!("p = {order}: {error}"));
        for file in 0..=10 {
            let vtu = Vtu::read(&folder.path().join(format!("p{order}/solution_{file:04}.vtu")));
            for name in ["rho", "pressure"] {
                let least = vtu.fields[name].1.iter().fold(f64::INFINITY, |least, value| least.min(*value));
                assert!(least > 0.0, "p = {order}, file {file}: {name} falls to {least}");
            }
            for (name, (_, values)) in &vtu.fields {
                assert!(values.iter().all(|value| value.is_finite()), "p = {order}, file {file}: {name}");
            }
        }
    }
}

/// Elements whose variation is scaled down for files keep their means, also where det J varies: the mass of the tube is 0.1 in every file.
#[test]
fn files_have_the_mass_that_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    let case = "law = 'euler'\norder = 1\n[mesh]\ngenerator = 'rectangle'\nelements = 'quadrilaterals'\nlower = [0.0, 0.0]\n\
                upper = [1.0, 0.1]\ncells = [40, 4]\njitter = 0.2\n[boundaries]\nleft = 'slip_wall'\nright = 'slip_wall'\n\
                bottom = { periodic = 'top' }\n[limiter]\npositivity = true\n[initial.formulas]\nrho = '1'\nrho_v1 = '0'\n\
                rho_v2 = '0'\nrho_e = 'if(x < 0.5, 1000, 0.01)/(gamma - 1)'\n[time]\nfinal = 0.0126\n\
                integrator = 'ssp_rk3'\n[output]\ndirectory = 'out'\nevery = 0.00126\n";
    std::fs::write(&path, case).unwrap();
    let arguments = ["rankine".as_ref(), "run".as_ref(), path.as_os_str(), "--device".as_ref(), "cpu".as_ref()];
    dg_runtime::cli::run(&arguments.map(OsString::from), equations::LAWS).unwrap_or_else(|error| panic!("{error}"));
    let gauss = [-1.0, 1.0].map(|sign: f64| 0.5 + sign / 12.0_f64.sqrt());
    for file in 0..=10 {
        let vtu = Vtu::read(&folder.path().join(format!("out/solution_{file:04}.vtu")));
        let (nodes, density) = (&vtu.points, &vtu.fields["rho"].1);
        // Bilinear elements, by their corners counterclockwise.
        let of_element = |e: usize| -> f64 {
            let at = |x: f64, y: f64, corner: &dyn Fn(usize) -> f64| {
                let weights = [(1.0 - x) * (1.0 - y), x * (1.0 - y), x * y, (1.0 - x) * y];
                (0..4).map(|i| weights[i] * corner(4 * e + i)).sum::<f64>()
            };
            let position = |d: usize| move |i: usize| nodes[i][d];
            let determinant = |x: f64, y: f64| {
                // Differences of a bilinear map along its lines are its derivatives.
                let along = |d: usize| at(1.0, y, &position(d)) - at(0.0, y, &position(d));
                let across = |d: usize| at(x, 1.0, &position(d)) - at(x, 0.0, &position(d));
                along(0) * across(1) - along(1) * across(0)
            };
            let points = gauss.into_iter().flat_map(|x| gauss.map(|y| (x, y)));
            points.map(|(x, y)| 0.25 * determinant(x, y) * at(x, y, &|i| density[i])).sum()
        };
        let mass: f64 = (0..density.len() / 4).map(of_element).sum();
        assert!((mass - 0.1).abs() < 1e-15, "file {file}: {mass}");
    }
}

#[test]
fn of_gas() {
    for order in tests::sample(1..=7) {
        check(&equations::euler::LAW, order, Precision::Double);
    }
}

#[test]
fn of_gas_in_single_precision() {
    for order in tests::sample([1, 2, 3, 7]) {
        check(&equations::euler::LAW, order, Precision::Single);
    }
}

#[test]
#[ignore = "long"]
fn of_a_conducting_gas() {
    // The other orders take long to compile and have the same text.
    for order in tests::sample([1, 2, 4, 7]) {
        check(&equations::mhd::LAW, order, Precision::Double);
    }
}
