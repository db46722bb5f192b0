//! Different ways to compute the same thing agree: exact arithmetic, the law's own Rust, the generated code through the C compiler
//! and, if there is a GPU, through NVRTC.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::cli::{Error, Report};
use dg_runtime::device::{Choice, Device};
use dg_runtime::law::{Function, Law, Role};
use tests::{
    arguments, carried, carried_by_sound, case, locals, more_arguments, more_locals, more_scheme, scheme, solver_on,
    sound_in_gas, tracers,
};

/// The output of `rankine verify --format json` for these arguments, of a program with these laws.
fn verify(arguments: &[&str], laws: &[&'static Law]) -> serde_json::Value {
    report(arguments, laws).unwrap().json
}

fn report(arguments: &[&str], laws: &[&'static Law]) -> Result<Report, Error> {
    let arguments: Vec<OsString> = ["rankine", "verify"].iter().chain(arguments).map(OsString::from).collect();
    dg_runtime::cli::run(&arguments, laws)
}

/// Checks that every function of these was computed in this way, and agrees to 1e-13 with exact arithmetic.
fn assert_agreement(
    report: &serde_json::Value,
    is_way: impl Fn(&serde_json::Value) -> bool,
    is_computed: impl Fn(&Function) -> bool,
) {
    let mut compared = BTreeSet::new();
    for comparison in report["comparisons"].as_array().unwrap().iter().filter(|comparison| is_way(comparison)) {
        // The far field divides by differences of wave speeds, at least a twentieth of the fastest, which increases rounding errors.
        let least = if comparison["function"] == "far_field" { 20.0 * 1e-13 } else { 1e-13 };
        assert!(comparison["difference"].as_f64().is_some_and(|difference| difference <= least), "{comparison}");
        let of_function = ["exact arithmetic", "formula in Rust"].map(Into::into).contains(&comparison["reference"]);
        let enough = if of_function { 4 } else { 1 };
        assert!(comparison["samples"].as_u64().is_some_and(|samples| samples >= enough), "{comparison}");
        compared.insert((comparison["law"].to_string(), comparison["function"].to_string()));
    }
    for law in tests::laws() {
        for function in law.functions.iter().filter(|function| function.host.is_some() && is_computed(function)) {
            let name = |text: &str| format!("\"{text}\"");
            assert!(compared.contains(&(name(law.name), name(function.name))), "{} {}", law.name, function.name);
        }
    }
}

/// Whether devices compute a function: the medium is computed on the host.
fn is_on_devices(function: &Function) -> bool {
    function.role != Role::Medium
}

#[test]
#[ignore = "long"]
fn exact_arithmetic_rust_and_c_agree() {
    // The functions' text is the same at every order, which `snapshots` shows.
    let report = verify(&["--device", "cpu", "--orders", "1"], &tests::laws());
    assert_eq!(report["agree"], true);
    assert_agreement(&report, |comparison| comparison["way"] == "Rust", |_| true);
    assert_agreement(&report, |comparison| comparison["order"] == 1, is_on_devices);
    for (law, flux) in tests::laws().into_iter().flat_map(|law| ["rusanov", "hll"].map(|flux| (law, flux))) {
        let compared = |comparison: &serde_json::Value| {
            let is_flux = comparison["law"] == law.name && comparison["function"] == flux;
            // Bounds over the states between both have no short formula.
            let reference = if law.name == "buckley_leverett" { "exact arithmetic" } else { "formula in Rust" };
            is_flux && comparison["reference"] == reference
        };
        assert!(report["comparisons"].as_array().unwrap().iter().any(compared), "{} {flux}", law.name);
    }
    // The kernels for files and tables: every field, every integral, the errors against every exact solution.
    for law in tests::laws() {
        let fields = law.state.iter().map(|variable| variable.name);
        let fields = fields.chain(law.outputs().map(|function| function.name));
        let fields = fields.map(|name| format!("{name}, sampled")).chain(["integrals".to_owned()]);
        let errors = law.with_role(Role::Exact).map(|exact| format!("errors against {}", exact.name));
        for what in fields.chain(errors) {
            let compared =
                |comparison: &serde_json::Value| comparison["law"] == law.name && comparison["function"] == what;
            assert!(report["comparisons"].as_array().unwrap().iter().any(compared), "{} {what}", law.name);
        }
        if law.algebra.eigenvalues.is_empty() {
            continue;
        }
        let compared = |comparison: &serde_json::Value| {
            let is_far_field = comparison["law"] == law.name && comparison["function"] == "far_field";
            is_far_field && comparison["reference"] == "exact arithmetic" && comparison["samples"].as_u64() >= Some(4)
        };
        assert!(report["comparisons"].as_array().unwrap().iter().any(compared), "{}", law.name);
    }
}

/// These names occur in generated code as functions, arguments and locals, but the law's own functions keep them.
#[test]
#[ignore = "long"]
fn names_of_the_generated_code_are_free_for_laws() {
    let laws =
        [&scheme::LAW, &more_scheme::LAW, &arguments::LAW, &more_arguments::LAW, &locals::LAW, &more_locals::LAW];
    let words = ["rankine", "verify", "--device", "cpu"].map(OsString::from);
    assert_eq!(dg_runtime::cli::run(&words, &laws).unwrap().json["agree"], true);
    for law in laws {
        for function in law.functions.iter().filter(|function| function.host.is_some()) {
            let heads = ["State", "Reals1", "States2", "real"].map(|ty| format!("DEVICE {ty} {}(", function.name));
            assert!(heads.iter().any(|head| law.physics.contains(head)), "{}: {}", law.name, function.name);
        }
        let of = |role| law.with_role(role).next().unwrap().name;
        let text = format!(
            "law = \"{}\"\norder = 0\ntime.final = 1.0\nflux.numerical = \"{}\"
            initial.function = \"{}\"\nexact.function = \"{}\"\nboundaries.rim = \"{}\"
            mesh = {{ generator = \"disc\", radius = 1.0, rings = 2 }}",
            law.name,
            of(Role::NumericalFlux),
            of(Role::Initial),
            of(Role::Exact),
            law.boundaries().next().unwrap().name,
        );
        let case = Case::parse(&text, Path::new("case.toml"), &laws).unwrap_or_else(|error| panic!("{error}"));
        let mut solver = solver_on(Choice::Cpu, &case);
        solver.advance(f64::INFINITY, 1).unwrap_or_else(|error| panic!("{}: {error}", law.name));
    }
}

/// What the compiler makes of every part of the language is what rustc makes of it.
#[test]
#[ignore = "long"]
fn every_part_of_the_language_means_the_same_in_rust_and_c() {
    let words = ["rankine", "verify", "--device", "cpu"].map(OsString::from);
    let laws = [&carried::LAW, &sound_in_gas::LAW, &carried_by_sound::LAW, &tracers::LAW, &tests::euler::LAW];
    let report = dg_runtime::cli::run(&words, &laws).unwrap().json;
    assert_eq!(report["agree"], true, "{report:#}");
    let functions = laws.iter().flat_map(|law| law.functions.iter().map(move |function| (law, function)));
    for (law, function) in functions.filter(|(_, function)| function.host.is_some()) {
        let ways = report["comparisons"].as_array().unwrap().iter().filter(|comparison| {
            let is_function = comparison["law"] == law.name && comparison["function"] == function.name;
            is_function && comparison["reference"] == "exact arithmetic"
        });
        let ways: Vec<_> = ways.collect();
        assert_eq!(ways.len(), 1 + usize::from(is_on_devices(function)), "{}: {ways:#?}", function.name);
        for way in ways {
            assert!(way["samples"].as_u64() >= Some(4) && way["difference"].as_f64().unwrap() <= 1e-13, "{way:#}");
        }
    }
}

#[test]
#[ignore = "long"]
fn formulas_of_cases_and_their_generated_code_agree() {
    let report_on = |name: &str| {
        let path = tests::root().join(format!("equations/cases/{name}.toml"));
        report(&["--case", path.to_str().unwrap(), "--device", "cpu"], equations::LAWS)
    };
    for (name, formulas) in [("double_mach", 6), ("noh", 4), ("jet", 7), ("kelvin_helmholtz", 1)] {
        let report = report_on(name).unwrap().json;
        assert_eq!(report["agree"], true, "{report:#}");
        let comparisons = report["comparisons"].as_array().unwrap();
        assert_eq!(comparisons.len(), formulas, "{report:#}");
        assert!(comparisons.iter().all(|comparison| comparison["samples"] == 100), "{report:#}");
    }
    // Without a comparison nothing is verified.
    let error = report_on("gaussian").map(|report| report.text).unwrap_err().to_string();
    assert!(error.ends_with("gaussian.toml has no formulas, of which to compare code and values"), "{error}");
}

/// The first GPU, if there is a usable one.
fn gpu() -> Option<Choice> {
    let choice = Choice::Cuda(None);
    match Device::open(choice) {
        Ok(_) => Some(choice),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}

#[test]
fn exact_arithmetic_and_the_gpu_agree() {
    if gpu().is_some() {
        let report = verify(&["--device", "cuda", "--orders", "1"], &tests::laws());
        assert_eq!(report["agree"], true);
        assert_agreement(&report, |comparison| comparison["order"] == 1, is_on_devices);
    }
}

#[test]
fn cpu_and_gpu_march_alike() {
    let Some(gpu) = gpu() else { return };
    let text = std::fs::read_to_string(tests::root().join("equations/cases/isentropic_vortex.toml")).unwrap();
    assert!(text.contains("tolerance = 1e-6"));
    let case = case(&text.replace("tolerance = 1e-6", "cfl = 1.0"));
    let [cpu, gpu] = [Choice::Cpu, gpu].map(|device| {
        let mut solver = solver_on(device, &case);
        solver.advance(f64::INFINITY, 50).unwrap();
        solver.coefficients().unwrap()
    });
    let difference = cpu.iter().zip(gpu).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(difference < 1e-12, "{difference:e}");
}

/// On a GPU, cycles of steps are recorded and repeated.
#[test]
#[ignore = "long"]
fn steps_in_cycles_and_one_by_one_give_equal_bits() {
    let text = std::fs::read_to_string(tests::root().join("equations/cases/isentropic_vortex.toml")).unwrap();
    let own = text.lines().find(|line| line.starts_with("tolerance")).unwrap();
    assert!(text.contains("final = 20.0"));
    let lengths = ["step_every = 1", "step_every = 2", "step_every = 3", "tolerance = 1e-7"];
    for (device, length) in [Some(Choice::Cpu), gpu()].into_iter().flatten().flat_map(|d| lengths.map(|l| (d, l))) {
        let case = case(&text.replace("final = 20.0", "final = 0.3").replace(own, length));
        let march = |in_turn: u64| {
            let mut solver = solver_on(device, &case);
            // To a target in the middle of a cycle, and on to another one.
            for target in [0.2, 0.3] {
                while solver.clock().unwrap().time < target {
                    solver.advance(target, in_turn).unwrap();
                }
            }
            let clock = solver.clock().unwrap();
            assert!(clock.steps > 20 && clock.time == 0.3);
            (clock.steps, solver.coefficients().unwrap())
        };
        let alone = march(1);
        assert!(alone == march(17) && alone == march(40), "{length}");
    }
}
