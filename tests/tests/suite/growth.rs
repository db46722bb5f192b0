//! Runs that grow without bound are stopped, and no others.

use dg_runtime::case::Case;
use dg_runtime::cli::{Error, Report};
use dg_runtime::law::{Law, Shape};
use dg_runtime::solver::{self, Integrator, Solver};
use std::path::Path;

/// Transport in x, of what a source makes grow and a pulse brings in.
#[dg_runtime::conservation_law(dim = 2, orders = 0..=5)]
pub mod growing {
    use std::f64::consts::PI;

    /// The state.
    #[state]
    pub struct State {
        /// What is carried along.
        pub u: f64,
    }

    /// Physical flux.
    pub fn flux(q: State) -> [State; 2] {
        [q, State { u: 0.0 }]
    }

    /// The speed is 1.
    pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
        [n.x]
    }

    /// Growth by e in a unit of time.
    #[source]
    pub fn growth(q: State) -> State {
        q
    }

    /// Nearly nothing, then 10¹² times as much.
    #[boundary]
    pub fn pulse(t: f64) -> State {
        State { u: if t < 0.5 { 1e-6 } else { 1e6 } }
    }

    /// What leaves.
    #[boundary]
    pub fn out(q: State) -> State {
        q
    }

    /// Nearly nothing.
    #[initial]
    pub fn little() -> State {
        State { u: 1e-6 }
    }

    /// A wave.
    #[initial]
    pub fn wave(x: Point) -> State {
        State { u: (2.0 * PI * x.x).sin() }
    }
}

fn run(folder: &Path, case: &str, flags: &[&str], law: &'static Law) -> Result<Report, Error> {
    let (path, out) = (folder.join("case.toml"), folder.join("out"));
    std::fs::write(&path, case).unwrap();
    let arguments = ["rankine", "run", "--device", "cpu", path.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let arguments: Vec<_> = arguments.iter().chain(flags).map(Into::into).collect();
    dg_runtime::cli::run(&arguments, &[law])
}

fn gaussian(order: usize, time: &str) -> String {
    format!(
        r#"
        law = "advection"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [6, 6] }}
        boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
        initial = {{ function = "gaussian" }}
        time = {time}
        output = {{ vtu = false, checkpoint_every = 10 }}
        "#
    )
}

/// The solution at the end of a case, with a check after every `every` steps.
fn grown(case: &Case, every: u64) -> Result<Solver, solver::Error> {
    let mut solver = tests::solver(case);
    let until = case.time.until.unwrap();
    let mut growth = solver::Growth::new(&solver)?;
    loop {
        let clock = solver.advance(until, every)?;
        if clock.dt > 0.0 {
            growth.look(&mut solver)?;
        }
        if clock.time >= until {
            return Ok(solver);
        }
    }
}

#[test]
#[ignore = "long"]
fn steps_beyond_the_stable_ones_do_not_reach_the_final_time() {
    let folder = tempfile::tempdir().unwrap();
    // So few steps that all values are finite at the end.
    let error = run(folder.path(), &gaussian(2, "{ final = 2, cfl = 5 }"), &[], &equations::advection::LAW);
    let message = error.unwrap_err().to_string();
    let stable = Integrator::recommended(false).stable_cfl(Shape::Triangle, 2);
    let cause = format!("`cfl = 5` is beyond {stable:.2}, up to which steps are stable");
    for part in ["the solution grows without bound: at t = 2", &cause] {
        assert!(message.contains(part), "{message}");
    }
    for integrator in Integrator::ALL.into_iter().filter(|integrator| !integrator.has_implicit_source()) {
        for order in [1, 3] {
            // Above the stable Courant numbers of every method, also of Heun's, which grows slowly at first.
            let cfl = (2.0 * integrator.stable_cfl(Shape::Triangle, order)).max(3.5);
            let time = format!("{{ final = 40, cfl = {cfl}, integrator = \"{integrator}\" }}");
            let case = tests::case(&gaussian(order, &time));
            let error = grown(&case, 20).err().unwrap_or_else(|| panic!("{integrator}, p = {order}"));
            println!("{integrator}, p = {order}: {error}");
            assert!(matches!(error, solver::Error::Unstable { .. } | solver::Error::Inadmissible(_)), "{error}");
        }
    }
}

#[test]
#[ignore = "long"]
fn what_data_and_sources_make_large_is_not_stopped() {
    for (order, cfl) in [(0, 0.5), (1, 0.7), (1, 1e-2), (3, 0.6), (5, 0.05)] {
        let toml = format!(
            r#"
            law = "growing"
            order = {order}
            mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, 0.2], cells = [5, 1] }}
            boundaries = {{ left = "pulse", right = "out", bottom = {{ periodic = "top" }} }}
            initial = {{ function = "little" }}
            time = {{ final = 1.0, cfl = {cfl} }}
            "#
        );
        let parse = |toml: &str| Case::parse(toml, Path::new("case.toml"), &[&growing::LAW]).unwrap();
        // Checked after every step, so that none of the pulse is missed.
        let case = parse(&toml);
        let looked_at = grown(&case, 1).unwrap_or_else(|error| panic!("p = {order}: {error}"));
        // Checks change nothing, even if they take steps ahead.
        let coefficients = looked_at.coefficients().unwrap();
        assert!(coefficients.iter().any(|u| *u > 1e5));
        assert!(coefficients == tests::solution(&case).coefficients().unwrap());
        let grows = toml
            .replace("\"pulse\", right = \"out\"", "{ periodic = \"right\" }")
            .replace("\"little\"", "\"wave\"")
            .replace("final = 1.0", "final = 12.0");
        if cfl > 0.1 {
            grown(&parse(&grows), 1).unwrap_or_else(|error| panic!("p = {order}: {error}"));
        }
    }
}

#[test]
fn a_run_does_not_go_on_from_beyond_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let run = |end: &str, flags: &[&str]| {
        run(folder.path(), &gaussian(1, &format!("{{ final = {end} }}")), flags, &equations::advection::LAW)
    };
    run("0.5", &[]).unwrap();
    let message = run("0.25", &["--resume"]).unwrap_err().to_string();
    assert!(message.contains(" is at t = 0.5, after `final = 0.25`; to go on, set a later `final`"), "{message}");
    assert_eq!(run("0.5", &["--resume"]).unwrap().json["step"], run("0.5", &[]).unwrap().json["step"]);
}

/// A pulse that a point source emits begins from almost nothing, and grows from step to step until its peak.
#[test]
fn what_begins_from_almost_nothing_is_not_unstable() {
    // The earlier rates are, the more they grow in a step: by 1e6.
    for (integrator, peak) in [("ader", 1.0), ("carpenter_kennedy", 1.0), ("carpenter_kennedy", 2.2)] {
        for every in [1, 7] {
            let case = tests::case(&format!(
                r#"
                law = "acoustics"
                order = 2
                mesh = {{ generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [8, 8] }}
                boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
                medium.formulas = {{ rho = 1, bulk = 1 }}
                initial.formulas = {{ e = 0, m1 = 0, m2 = 0 }}
                flux.numerical = "godunov"
                time = {{ final = {end}, integrator = "{integrator}" }}

                [point_sources.horn]
                position = [0.1, 0.13]
                amplitude = {{ e = 2.0 }}
                rate = {{ gaussian = {{ width = 0.05, peak = {peak} }} }}"#,
                end = peak + 0.2
            ));
            let solver = grown(&case, every).unwrap_or_else(|error| panic!("{integrator}, {peak}, {every}: {error}"));
            // The rate's integral is 1: 2 on the square of area 1.
            let emitted = solver.integrals().unwrap()[0];
            println!("{integrator}, {every}: {emitted}");
            assert!((emitted - 2.0).abs() < 1e-3, "{integrator}, {every}: {emitted}");
        }
    }
}
