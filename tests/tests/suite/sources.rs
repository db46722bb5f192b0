//! Sources: their rate bounds explicit steps, whatever the units of the state.

use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::conservation_law;
use dg_runtime::device::Choice;
use dg_runtime::law::{Arguments, Law, Role, Shape};
use dg_runtime::mesh::generate::Rectangle;
use dg_runtime::solver::{Integrator, Pointwise, Setup, Solver};

/// Waves carried along (1, 1/2) that decay and turn: the eigenvalues of the source are -decay ± i turn, in any units of the second
/// component.
#[conservation_law(dim = 2, orders = 0..=3)]
mod turning {
    #[parameters]
    pub struct Rates {
        #[default(1.0)]
        #[range(0.0..)]
        pub decay: f64,
        #[default(1.0)]
        pub turn: f64,
        /// The unit of `b`.
        #[default(1.0)]
        #[range(1e-9..)]
        pub unit: f64,
    }

    #[state]
    pub struct State {
        pub a: f64,
        pub b: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        [u, 0.5 * u]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        let speed = n.x + 0.5 * n.y;
        [speed, speed]
    }

    #[source]
    pub fn whirl(u: State, rates: Rates) -> State {
        State {
            a: -rates.decay * u.a - rates.turn * u.b / rates.unit,
            b: -rates.decay * u.b + rates.turn * u.a * rates.unit,
        }
    }

    #[initial]
    pub fn wave(x: Point, rates: Rates) -> State {
        let a = (2.0 * std::f64::consts::PI * x.x).sin();
        State { a, b: 0.5 * a * rates.unit }
    }
}

/// Gas that falls: the source's Jacobian is nilpotent, so that it has no rate.
#[conservation_law(dim = 2, orders = 1..=1)]
mod falling {
    #[state]
    pub struct State {
        pub rho: f64,
        pub m1: f64,
        pub m2: f64,
    }

    pub fn flux(u: State) -> [State; 2] {
        let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
        [
            State { rho: u.m1, m1: u.m1 * v1 + u.rho, m2: u.m2 * v1 },
            State { rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + u.rho },
        ]
    }

    pub fn eigenvalues(u: State, n: Normal) -> [f64; 3] {
        let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
        [vn - 1.0, vn, vn + 1.0]
    }

    #[admissible]
    pub fn positive(u: State) -> [f64; 1] {
        [u.rho]
    }

    #[source]
    pub fn gravity(u: State) -> State {
        State { rho: 0.0, m1: 0.0, m2: -1e6 * u.rho }
    }

    #[initial]
    pub fn rest() -> State {
        State { rho: 1.0, m1: 0.0, m2: 0.0 }
    }
}

/// Jin and Xin's relaxation of Burgers' equation (Commun. Pure Appl. Math. 48 (1995) 235-276), whose limit for time 0 is that equation.
#[conservation_law(dim = 2, orders = 1..=3)]
mod jin_xin {
    #[parameters]
    pub struct Relaxation {
        /// Time of relaxation.
        #[default(1e-6)]
        #[range(1e-12..)]
        pub time: f64,
    }

    #[state]
    pub struct State {
        pub u: f64,
        pub v: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [State { u: q.v, v: q.u }, State { u: 0.0, v: 0.0 }]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 2] {
        [-n.x, n.x]
    }

    #[source]
    pub fn relaxation(q: State, r: Relaxation) -> State {
        State { u: 0.0, v: (0.5 * q.u * q.u - q.v) / r.time }
    }

    #[initial]
    pub fn wave(x: Point) -> State {
        let u = 0.5 + 0.25 * (2.0 * std::f64::consts::PI * x.x).sin();
        State { u, v: 0.5 * u * u }
    }
}

/// What is carried along (1, 1/2) and decays by its third power.
#[conservation_law(dim = 2, orders = 0..=6)]
mod decaying {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, 0.5 * q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + 0.5 * n.y]
    }

    #[source]
    pub fn decay(q: State) -> State {
        State { u: -3.0 * q.u * q.u * q.u }
    }

    #[exact(manufactured)]
    pub fn wave(x: Point, t: f64) -> State {
        State { u: 1.0 + 0.5 * (2.0 * std::f64::consts::PI * (x.x - 2.0 * t)).sin() }
    }
}

/// What grows by its own exponential, until it is infinite.
#[conservation_law(dim = 2, orders = 0..=1)]
mod exploding {
    #[state]
    pub struct State {
        pub u: f64,
    }

    pub fn flux(q: State) -> [State; 2] {
        [q, 0.5 * q]
    }

    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x + 0.5 * n.y]
    }

    #[source]
    pub fn growth(q: State) -> State {
        State { u: q.u.exp() }
    }

    #[initial]
    pub fn hot() -> State {
        State { u: 3.0 }
    }
}

const LAWS: &[&Law] = &[&turning::LAW, &falling::LAW, &jin_xin::LAW, &decaying::LAW, &exploding::LAW];

fn case(text: &str) -> Case {
    Case::parse(text, Path::new("case.toml"), LAWS).unwrap_or_else(|error| panic!("{error}"))
}

/// The text of a case on the periodic unit square.
fn text_of(law: &str, order: usize, rest: &str) -> String {
    let initial = match law {
        "falling" => "rest",
        "exploding" => "hot",
        _ => "wave",
    };
    format!(
        "law = \"{law}\"\norder = {order}\ninitial.function = \"{initial}\"\n\
         mesh = {{ generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = 0.1 }}\n\
         boundaries = {{ left = {{ periodic = \"right\" }}, bottom = {{ periodic = \"top\" }} }}\n{rest}"
    )
}

fn box_of(law: &str, order: usize, rest: &str) -> Case {
    case(&text_of(law, order, rest))
}

/// The first step of a case.
fn first_step(case: &Case) -> f64 {
    tests::solver(case).advance(f64::INFINITY, 1).unwrap().dt
}

/// The rate of the source adds to that of the waves: 1/Δt = 1/Δt_waves + rate/r, where the rate is that of the derived Jacobian's largest
/// eigenvalue in any units.
#[test]
fn the_largest_eigenvalue_of_the_source_shortens_steps_in_all_units() {
    let step = |decay: f64, turn: f64, unit: f64| {
        let parameters = format!(
            "[time]\nfinal = 1.0\nintegrator = \"carpenter_kennedy\"\n[parameters]\ndecay = {decay:?}\nturn = {turn:?}\nunit = {unit:?}\n"
        );
        first_step(&box_of("turning", 1, &parameters))
    };
    let of_waves = step(0.0, 0.0, 1.0);
    let interval = Integrator::CarpenterKennedy.source_interval();
    for (decay, turn) in [(100.0, 0.0), (0.0, 100.0), (30.0, -40.0), (1e6, 10.0)] {
        let rate = f64::hypot(decay, turn);
        for unit in [1.0, 1e-6, 1e5] {
            let found = (1.0 / step(decay, turn, unit) - 1.0 / of_waves) * interval;
            println!("decay {decay}, turn {turn}, unit {unit}: rate {found:.4} of {rate:.4}");
            // The bound exceeds the eigenvalue by the 32nd root of twice the ratio of units at most.
            let excess = 1.05 * f64::powf(if turn == 0.0 { 1.0 } else { unit.max(1.0 / unit) }, 1.0 / 32.0);
            assert!(found >= rate * (1.0 - 1e-9) && found <= rate * excess, "{decay}, {turn}, {unit}: {found}");
        }
    }
}

#[test]
fn what_only_falls_does_not_shorten_steps() {
    let step = first_step(&box_of("falling", 1, "[time]\nfinal = 1.0\n"));
    // Waves of speed 1 through triangles of about 1/6.
    assert!(step > 0.01, "{step}");
}

/// Steps at their default length are stable with sources that decay and turn at rates from below to far above those of the waves.
#[test]
#[ignore = "long"]
fn steps_with_a_source_are_stable() {
    let device = tests::open(Choice::Cpu).unwrap();
    let mesh = Rectangle { cells: [4, 4], periodic: [true; 2], jitter: 0.24, ..Rectangle::default() };
    for integrator in Integrator::ALL.into_iter().filter(|integrator| !integrator.has_predictor()) {
        for order in [0, 2] {
            for rate in [3.0, 50.0, 1e5] {
                for turn in [0.0, 0.7, 0.99] {
                    // Oscillations of Heun's method grow.
                    if integrator == Integrator::Heun && turn > 0.9 {
                        continue;
                    }
                    let parameters = vec![rate * f64::sqrt(1.0 - turn * turn), rate * turn, 1.0];
                    let cfl = integrator.default_cfl(Shape::Triangle, order);
                    let setup = Setup { integrator, cfl, parameters, ..Setup::new(&turning::LAW, order).unwrap() };
                    let mut solver = Solver::new(device.clone(), mesh.mesh().unwrap(), setup).unwrap();
                    let any: Vec<f64> = (0..solver.dof()).map(|i| (0.7 * (i * i) as f64).sin()).collect();
                    solver.set_coefficients(&any).unwrap();
                    solver.advance(f64::INFINITY, 100).unwrap();
                    let largest = solver.coefficients().unwrap().into_iter().fold(0.0, |a: f64, b| a.max(b.abs()));
                    assert!(largest < 2.0, "{integrator}, p = {order}, rate {rate}, turn {turn}: {largest}");
                }
            }
        }
    }
}

/// Steps three times as long as the source allows are not stable, so that the bound is needed.
#[test]
fn steps_that_ignore_the_source_are_not_stable() {
    let case = box_of(
        "turning",
        1,
        "[time]\nfinal = 1.0\nintegrator = \"ssp_rk3\"\ncfl = 1e3\n[parameters]\ndecay = 1e4\nturn = 0.0\n",
    );
    // Waves bound no step with such a Courant number, but the source does.
    let step = first_step(&case);
    assert!((step * 1e4 / Integrator::SspRk3.source_interval() - 1.0).abs() < 0.05, "{step}");
}

/// The generated code computes the derivatives of the author's Rust.
#[test]
fn the_derived_jacobian_is_that_of_the_source() {
    let device = tests::open(Choice::Cpu).unwrap();
    let law = &tests::sound::LAW;
    let (source, jacobian) =
        (law.with_role(Role::Source).next().unwrap(), law.with_role(Role::SourceJacobian).next().unwrap());
    let code = Pointwise::new(&device, law, &law.units[0], &[]).unwrap();
    let (state, position) = ([0.3, -1.2, 0.8], [0.7, 0.1]);
    let at = Arguments { parameters: &[], state: &state, right: &[], normal: &[], position: &position, time: 0.4 };
    let found = code.values(jacobian, &[at]).unwrap();
    for j in 0..3 {
        let moved = |h: f64| {
            let (mut state, mut value) = (state, [0.0; 3]);
            state[j] += h;
            source.host.unwrap()(&Arguments { state: &state, ..at }, &mut value);
            value
        };
        let (ahead, behind) = (moved(1e-6), moved(-1e-6));
        for i in 0..3 {
            let slope = (ahead[i] - behind[i]) / 2e-6;
            assert!((found[i * 3 + j] - slope).abs() < 1e-8, "{i}, {j}: {} and {slope}", found[i * 3 + j]);
        }
    }
    assert_eq!(law.algebra.source_jacobian[1][1], "-x.x");
}

/// What `run --dry-run` expects of the first step, from the law's own Rust, is about what the generated code takes.
#[test]
fn a_dry_run_knows_of_the_source() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turning.toml");
    let text = "law = \"turning\"\norder = 1\ninitial.function = \"wave\"\n\
                mesh = { generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [6, 6], jitter = 0.1 }\n\
                boundaries = { left = { periodic = \"right\" }, bottom = { periodic = \"top\" } }\n\
                [time]\nfinal = 1.0\nintegrator = \"carpenter_kennedy\"\n[parameters]\ndecay = 1e3\nturn = 500.0\n";
    std::fs::write(&path, text).unwrap();
    let arguments =
        ["rankine", "run", path.to_str().unwrap(), "--dry-run", "--device", "cpu"].map(std::ffi::OsString::from);
    let report = dg_runtime::cli::run(&arguments, LAWS).unwrap();
    let (expected, taken) = (report.json["first_time_step"].as_f64().unwrap(), first_step(&case(text)));
    assert!((expected / taken - 1.0).abs() < 0.02, "{expected}, {taken}");
    assert!(report.text.contains("as long as waves and `whirl` allow"), "{}", report.text);
    assert_eq!(report.json["integrator"], "carpenter_kennedy");
    std::fs::write(&path, text.replace("integrator = \"carpenter_kennedy\"\n", "")).unwrap();
    let report = dg_runtime::cli::run(&arguments, LAWS).unwrap();
    assert!(report.text.contains("steps of `ars_443`, which takes `whirl` implicitly"), "{}", report.text);
    assert_eq!(report.json["integrator"], "ars_443");
}

/// The method has its order where flux, a nonlinear source and one that is derived for a manufactured solution all matter.
#[test]
#[ignore = "long"]
fn an_implicit_source_has_the_order_of_its_method() {
    for (integrator, expected, cfl) in [("ars_443", 3.0, 0.36), ("ark_436", 4.0, 0.72)] {
        let coefficients = |part: f64| {
            let cfl = part * cfl;
            let rest = format!("[time]\nfinal = 0.2\nintegrator = \"{integrator}\"\ncfl = {cfl:?}\n");
            tests::solution(&box_of("decaying", 6, &rest)).coefficients().unwrap()
        };
        // Differences in time alone: errors in space are the same.
        let [a, b, c] = [1.0, 0.5, 0.25].map(coefficients);
        let size = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let differences = [size(&a, &b), size(&b, &c)];
        let rate = (differences[0] / differences[1]).log2();
        println!("{integrator}: differences {differences:?}, rate {rate:.2}");
        assert!((rate - expected).abs() < 0.2, "{integrator}: {differences:?}, {rate}");
    }
}

/// The solution of Burgers' equation that the waves of `jin_xin` tend to, before it is steep.
fn burgers(x: f64, t: f64) -> f64 {
    (0..200).fold(0.5, |u, _| 0.5 + 0.25 * (2.0 * std::f64::consts::PI * (x - u * t)).sin())
}

/// A relaxation a million times as fast as the waves takes steps as long as the waves allow, and tends to its limit at the order in space.
#[test]
fn a_stiff_relaxation_tends_to_its_limit_in_steps_of_the_waves() {
    let run = |order: usize, cells: usize, rest: &str| {
        let text = text_of("jin_xin", order, &format!("[time]\nfinal = 0.2\n{rest}"));
        let case = case(&text.replace("[6, 6]", &format!("[{cells}, 4]")));
        let before = tests::solver(&case).integrals().unwrap();
        let (solver, clock) = tests::march(&case, 20);
        let after = solver.integrals().unwrap();
        assert!((after[0] / before[0] - 1.0).abs() < 1e-13, "what has no source is conserved: {before:?}, {after:?}");
        (solver, clock)
    };
    for order in tests::sample([1, 2]) {
        for integrator in [Integrator::Ars443, Integrator::Ark436] {
            // `ars_443` is chosen, since explicit steps would be far shorter.
            let named = format!("integrator = \"{integrator}\"\n");
            let given = if integrator == Integrator::Ars443 { "" } else { &*named };
            let errors = [16, 32].map(|cells| {
                let (solver, clock) = run(order, cells, given);
                assert_eq!(solver.setup().integrator, integrator);
                let (_, of_waves) = run(order, cells, &format!("{named}[parameters]\ntime = 1e9\n"));
                let longer = clock.stable_dt / of_waves.stable_dt;
                assert!((longer - 1.0).abs() < 1e-12, "{integrator}, p = {order}, {cells} cells: {longer}");
                // From a quarter of the source's time on steps grow by a tenth.
                let at_start = (4e6_f64.ln() / 1.1_f64.ln()).ceil() as u64;
                assert!(clock.steps < of_waves.steps + at_start, "{integrator}, p = {order}, {cells} cells: {clock:?}");
                error_in_means(&solver)
            });
            let rate = (errors[0] / errors[1]).log2();
            println!("{integrator}, p = {order}: errors {errors:?}, rate {rate:.2}");
            assert!(rate > order as f64 + 0.6, "{integrator}, p = {order}: {errors:?}, {rate}");
        }
    }
}

/// The mean difference of the elements' means from those of the limit, by a rule of degree 5.
fn error_in_means(solver: &Solver) -> f64 {
    // D. A. Dunavant, Int. J. Numer. Meth. Eng. 21 (1985) 1129-1148.
    let (a, b) = ((6.0 - 15.0_f64.sqrt()) / 21.0, (6.0 + 15.0_f64.sqrt()) / 21.0);
    let weight = |sign: f64| (155.0 + sign * 15.0_f64.sqrt()) / 1200.0;
    let mut points = vec![([1.0 / 3.0; 2], 9.0 / 40.0)];
    for (at, weight) in [(a, weight(-1.0)), (b, weight(1.0))] {
        points.extend([[at, at], [1.0 - 2.0 * at, at], [at, 1.0 - 2.0 * at]].map(|point| (point, weight)));
    }
    let mesh = solver.mesh();
    let differences = tests::means(solver).into_iter().enumerate().map(|(element, mean)| {
        let limit: f64 =
            points.iter().map(|(point, weight)| weight * burgers(mesh.position(element, point)[0], 0.2)).sum();
        (mean - limit).abs()
    });
    differences.sum::<f64>() / mesh.element_count() as f64
}

/// The source is taken implicitly where it makes steps much shorter, and only where the case leaves that open.
#[test]
fn a_source_is_taken_implicitly_where_that_pays() {
    let chosen = |rest: &str| {
        let case = box_of("jin_xin", 1, rest);
        case.setup(&case.build_mesh().unwrap()).unwrap().integrator
    };
    assert_eq!(chosen("[time]\nfinal = 1.0\n"), Integrator::Ars443);
    for (rest, integrator) in [
        ("[time]\nfinal = 1.0\n[parameters]\ntime = 1.0\n", Integrator::CarpenterKennedy),
        ("[time]\nfinal = 1.0\nintegrator = \"rk4\"\n", Integrator::Rk4),
        ("[time]\nfinal = 1.0\ntolerance = 1e-6\n", Integrator::CarpenterKennedy),
        ("[time]\nfinal = 1.0\n[limiter]\nmethod = \"moment\"\n", Integrator::SspRk43),
    ] {
        assert_eq!(chosen(rest), integrator, "{rest}");
    }
}

#[test]
fn an_implicit_source_is_refused_where_there_is_none_or_it_cannot_be() {
    let refused = |text: &str| match Case::parse(text, Path::new("case.toml"), &[LAWS, equations::LAWS].concat()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error.to_string(),
    };
    let without =
        text_of("advection", 1, "[time]\nfinal = 1.0\nintegrator = \"ars_443\"\n").replace("\"wave\"", "\"gaussian\"");
    assert!(refused(&without).contains("`advection` has none that depends on the state; take `carpenter_kennedy`"));
    let tolerance = text_of("jin_xin", 1, "[time]\nfinal = 1.0\nintegrator = \"ars_443\"\ntolerance = 1e-6\n");
    assert!(refused(&tolerance).contains("leave out `tolerance`"));
    let limited =
        text_of("jin_xin", 1, "[time]\nfinal = 1.0\nintegrator = \"ars_443\"\n[limiter]\nmethod = \"moment\"\n");
    assert!(refused(&limited).contains("`ars_443` does not; take `heun`, `ssp_rk3` or `ssp_rk43`"));
}

/// A step whose implicit source has no solution is rejected, and shorter ones find it.
#[test]
fn a_step_without_a_solution_is_rejected() {
    let mut solver = tests::solver(&box_of("exploding", 0, "[time]\nfinal = 0.03\nintegrator = \"ars_443\"\n"));
    let clock = solver.advance(0.03, 200).unwrap();
    assert_eq!(clock.time, 0.03, "{clock:?}");
    let expected = -((-3.0_f64).exp() - 0.03).ln();
    assert!(tests::means(&solver).iter().all(|u| (u - expected).abs() < 0.05), "{expected}");
    // Closer to the explosion, at exp(-3), steps are too long.
    let clock = solver.advance(0.049, 200).unwrap();
    assert!(clock.rejected > 0 && clock.time == 0.049, "{clock:?}");
    // Beyond the explosion no step is short enough.
    let error = (0..100).find_map(|_| solver.advance(0.06, 100).err()).unwrap().to_string();
    assert!(error.contains("an implicit source that Newton's method cannot solve"), "{error}");
}

/// In a good conductor the electric field decays in far less than a step of the waves, and leaves a magnetic field that lasts: one that had
/// acted for a whole step would leave three times as much.
#[test]
fn what_decays_at_once_at_the_start_leaves_what_it_should() {
    for integrator in ["ars_443", "ark_436"] {
        let text = std::fs::read_to_string(tests::root().join("equations/cases/cavity_te.toml")).unwrap();
        let text = text.replace("sigma = 2.0", "sigma = 2000.0").replace("cells = [12, 12]", "cells = [6, 6]");
        let time = format!("[time]\nintegrator = \"{integrator}\"\nfinal = 0.5\n");
        let solver = tests::solution(&tests::case(&text.replace("[time]\nfinal = 1.4142135623730951\n", &time)));
        let (errors, largest) = (solver.errors().unwrap().max, std::f64::consts::PI / 1000.0);
        println!("{integrator}: {errors:?} of {largest:.3e} at the start");
        assert!(errors[2] < 3e-3 * largest, "{integrator}: {errors:?}");
    }
}
