//! All schedules give the same solution, and each the same bits every time; the choice is measured once.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use dg_runtime::case::Case;
use dg_runtime::device::{Choice, Device};
use dg_runtime::law::geometry::Map;
use dg_runtime::law::{Law, Shape};
use dg_runtime::solver::{PATCHES, Schedule, Solver, Variant, exists};

const SOUND: &str = r#"
law = "sound"
mesh = { generator = "quarter annulus", radii = [1.0, 2.0], cells = [4, 9] }
boundaries = { inner = "wall", outer = "wall", inflow = "shaken", outflow = "wall" }
initial = { function = "swelling" }
"#;

const EULER: &str = r#"
law = "euler"
mesh = { generator = "quarter annulus", radii = [1.0, 1.384], cells = [4, 9] }
boundaries = { inner = "slip_wall", outer = "slip_wall", inflow = "supersonic_vortex_inflow", outflow = "outflow" }
initial = { function = "supersonic_vortex" }
"#;

const BURGERS: &str = r#"
law = "burgers"
mesh = { generator = "rectangle", lower = [-1.0, -1.0], upper = [1.0, 1.0], cells = [6, 6] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "steepening_sine" }
"#;

const ADVECTION: &str = r#"
law = "advection"
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [6, 6] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
flux = { numerical = "upwind" }
"#;

/// A law with its own source, and one without, each with the source of a manufactured solution.
const MANUFACTURED: [&str; 2] = [
    r#"
law = "sound"
mesh = { generator = "rectangle", lower = [-1.0, -1.0], upper = [1.0, 1.0], cells = [6, 6], jitter = 0.2 }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "manufactured" }
"#,
    r#"
law = "euler"
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [2.0, 2.0], cells = [6, 6], jitter = 0.2 }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "manufactured_waves" }
"#,
];

/// Two laws whose waves are faster between states than at them.
const NONCONVEX: [&str; 2] = [
    r#"
law = "buckley_leverett"
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [1.0, 1.0], cells = [6, 6] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial.formulas.u = "0.5 + 0.4 * sin(2 * pi * x) * cos(2 * pi * y)"
"#,
    r#"
law = "rotating_wave"
mesh = { generator = "rectangle", lower = [-2.0, -2.0], upper = [2.0, 2.0], cells = [6, 6], jitter = 0.2 }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial.formulas.u = "0.8 + 3 * exp(-4 * (x * x + y * y))"
flux = { numerical = "hll" }
"#,
];

/// What spreads between walls of each kind, and a gas with friction on bent elements, which have terms of their own.
const VISCOUS: [(&str, &[usize]); 2] = [
    (
        r#"
law = "advection_diffusion"
parameters = { nu = 0.05 }
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [1.0, 1.0], cells = [6, 6], jitter = 0.2 }
boundaries = { left = "cold", right = "insulated", bottom = { state = "wave" }, top = "cold" }
initial = { function = "wave" }
"#,
        &[1, 2, 3, 4],
    ),
    (
        r#"
law = "navier_stokes"
parameters = { mu = 0.05, sutherland = 1 }
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [2.0, 2.0], cells = [6, 6], degree = 2, curvature = 0.05 }
boundaries = { left = { periodic = "right" }, bottom = "adiabatic_wall", top = "moving_plate" }
initial.formulas = { rho = "1 + 0.1*sin(pi*x)", v1 = "0.2*y", v2 = "0.1*cos(pi*x)", p = "1" }
flux = { numerical = "hllc" }
"#,
        &[2, 3],
    ),
];

const MHD: &str = r#"
law = "mhd"
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [1.0, 1.0], cells = [6, 6] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "alfven_wave" }
"#;

/// Gas that bursts into a thinner one beside a wall, without near-vacuum, which would amplify rounding errors.
const BLAST: &str = r#"
law = "euler"
mesh = { generator = "rectangle", lower = [-1.0, -1.0], upper = [1.0, 1.0], cells = [8, 8], jitter = 0.2 }
boundaries = { left = "slip_wall", right = "outflow", bottom = { periodic = "top" } }
[initial.formulas]
rho = "if(max(abs(x), abs(y)) < 0.4, 1, 0.4)"
rho_v1 = "0"
rho_v2 = "0.3"
rho_e = "if(max(abs(x), abs(y)) < 0.4, 1, 0.4)/(gamma - 1) + 1"
[limiter]
"#;

/// All orders.
const ALL: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Number of steps, whose last stages bound the next step.
const STEPS: u64 = 15;

fn laws() -> Vec<&'static Law> {
    let others = [&tests::sound::LAW, &tests::rotating_wave::LAW];
    equations::LAWS.iter().copied().chain(others).collect()
}

/// The CPU, and the first GPU if there is a usable one.
fn devices() -> Vec<Choice> {
    let gpu =
        Device::open(Choice::Cuda(None)).map(|_| Choice::Cuda(None)).map_err(|reason| println!("CPU alone: {reason}"));
    [Ok(Choice::Cpu), gpu].into_iter().flatten().collect()
}

/// A text as a case of this order.
fn case(text: &str, order: usize) -> Case {
    let text = format!("order = {order}\ntime.final = 10.0\n{text}");
    Case::parse(&text, Path::new("case.toml"), &laws()).unwrap_or_else(|error| panic!("{error}"))
}

/// The coefficients after some steps.
fn march(device: Choice, text: &str, order: usize, precision: &str, schedule: Variant) -> Vec<f64> {
    let case = case(&format!("precision = \"{precision}\"\nschedule = \"{schedule}\"\n{text}"), order);
    let mesh = case.build_mesh().unwrap();
    let setup = case.setup(&mesh).unwrap();
    let mut solver = Solver::new(tests::open(device).unwrap(), mesh, setup).unwrap();
    case.project(&mut solver).unwrap();
    let clock = solver.advance(f64::INFINITY, STEPS).unwrap();
    assert!(clock.steps + clock.rejected == STEPS && clock.time > 0.0);
    solver.coefficients().unwrap()
}

/// The bits of coefficients, so that NaN equals NaN.
fn bits(coefficients: &[f64]) -> Vec<u64> {
    coefficients.iter().map(|c| c.to_bits()).collect()
}

/// Checks that all schedules lead to the same solution up to rounding, and each always to the same bits.
fn assert_schedules_agree(text: &str, orders: &[usize]) {
    let (law, orders) = (case(text, orders[0]).law, tests::sample(orders.iter().copied()));
    for (device, order) in devices().into_iter().flat_map(|device| orders.iter().map(move |order| (device, *order))) {
        for (precision, tolerance) in [("double", 1e-13), ("single", 1e-4)] {
            let mut reference: Option<Vec<f64>> = None;
            let of_sizes = |schedule| PATCHES.map(|patch| Variant { schedule, patch, blocks: None });
            for variant in Schedule::ALL.into_iter().flat_map(of_sizes) {
                let runs = match variant.schedule {
                    _ if device != Choice::Cpu && !variant.fits(law, order) => false,
                    Schedule::Element | Schedule::Component => true,
                    Schedule::Pair => device != Choice::Cpu,
                    Schedule::Triple | Schedule::Tensor => {
                        let is_there = exists(variant.schedule, law, (Shape::Triangle, Map::Affine), order);
                        let has_precision = variant.schedule == Schedule::Triple || precision == "double";
                        device != Choice::Cpu && is_there && has_precision
                    }
                };
                if !runs || (precision == "single" && order != 3) {
                    continue;
                }
                let run = || march(device, text, order, precision, variant);
                let (solution, again) = (run(), run());
                let name = variant.to_string();
                assert!(
                    bits(&solution) == bits(&again),
                    "{name} on {device}, p = {order}, {precision}: other bits every time"
                );
                let reference = reference.get_or_insert_with(|| solution.clone());
                let scale = reference.iter().map(|c| c.abs()).fold(0.0, f64::max);
                let difference = reference.iter().zip(&solution).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                println!("{name} on {device}, p = {order}, {precision}: {:.1e}", difference / scale);
                assert!(
                    difference <= tolerance * scale,
                    "{name} on {device}, p = {order}, {precision}: {:e} of the largest coefficient",
                    difference / scale
                );
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn of_gas() {
    assert_schedules_agree(EULER, &ALL[..4]);
}

#[test]
#[ignore = "long"]
fn of_gas_at_high_orders() {
    assert_schedules_agree(EULER, &ALL[4..]);
}

#[test]
#[ignore = "long"]
fn of_a_conducting_gas() {
    // The other orders take long to compile.
    assert_schedules_agree(MHD, &[0, 3]);
}

#[test]
#[ignore = "long"]
fn of_a_shock_to_be() {
    assert_schedules_agree(BURGERS, &[0, 1, 2, 5]);
}

#[test]
#[ignore = "long"]
fn of_waves_that_are_fastest_between_two_states() {
    for text in NONCONVEX {
        assert_schedules_agree(text, &[0, 2]);
    }
}

#[test]
#[ignore = "long"]
fn of_what_is_carried() {
    assert_schedules_agree(ADVECTION, &ALL);
}

#[test]
#[ignore = "long"]
fn of_sound_with_friction_and_shaken_walls() {
    assert_schedules_agree(SOUND, &[0, 1, 3, 6]);
}

#[test]
#[ignore = "long"]
fn of_manufactured_solutions() {
    for text in MANUFACTURED {
        assert_schedules_agree(text, &[0, 1, 2, 4]);
    }
}

#[test]
#[ignore = "long"]
fn of_viscous_laws() {
    for (text, orders) in VISCOUS {
        assert_schedules_agree(text, orders);
    }
}

#[test]
#[ignore = "long"]
fn of_limiters() {
    for (limiter, orders) in [
        ("method = \"barth_jespersen\"\nindicator = \"decay\"", &[1][..]),
        ("method = \"venkatakrishnan\"", &[1]),
        ("method = \"moment\"", &[1, 2, 3]),
        ("method = \"filter\"\nindicator = \"decay\"", &[1, 2, 3]),
    ] {
        println!("{limiter}");
        assert_schedules_agree(&format!("{BLAST}{limiter}\n"), orders);
    }
}

/// The variable that names the folder of a test started as a process.
const CHILD: &str = "RANKINE_SCHEDULES_TEST";

/// Not a test: the process that measures, with its own cache.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) {
        let line = "rankine bench advection --orders 1 --elements 50 --device cpu --explain";
        let arguments: Vec<_> = line.split(' ').map(std::ffi::OsString::from).collect();
        let report = dg_runtime::cli::run(&arguments, equations::LAWS).unwrap();
        std::fs::write(folder.join("report.json"), report.json.to_string()).unwrap();
    }
}

/// Starts a process that writes its report to a folder.
fn measure(cache: &Path, folder: &Path) -> Child {
    std::fs::create_dir_all(folder).unwrap();
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "schedules::child"])
        .env(CHILD, folder)
        .env("RANKINE_CACHE", cache)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits for a process; returns its schedule, and the times of all.
fn choice(mut child: Child, folder: &Path) -> (String, serde_json::Value) {
    assert!(child.wait().unwrap().success());
    let report: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("report.json")).unwrap()).unwrap();
    let measurement = &report["measurements"][0];
    (measurement["schedule"].as_str().unwrap().to_owned(), measurement["candidates"].clone())
}

#[test]
#[ignore = "long"]
fn candidates_are_measured_once_and_a_damaged_entry_anew() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let places = ["a", "b", "c", "d", "e"].map(|name| folder.path().join(name));
    let [a, b, c, d, e] = &places;

    // Two at once.
    let both = [measure(&cache, a), measure(&cache, b)];
    let [_, _] =
        both.into_iter().zip([a, b]).map(|(child, place)| choice(child, place)).collect::<Vec<_>>().try_into().unwrap();

    let (chosen, candidates) = choice(measure(&cache, c), c);
    let times = candidates["schedules"].as_array().unwrap();
    let seconds = |trial: &serde_json::Value| trial["seconds"].as_f64().unwrap();
    let sizes = |name: &str| PATCHES.map(|patch| format!("{name}/{patch}"));
    let mut names: Vec<&str> = times.iter().map(|trial| trial["schedule"].as_str().unwrap()).collect();
    names.sort_unstable();
    let mut expected = [sizes("component"), sizes("element")].concat();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let fastest = times.iter().min_by(|a, b| seconds(a).total_cmp(&seconds(b))).unwrap();
    assert_eq!(chosen, fastest["schedule"]);
    assert_eq!(choice(measure(&cache, d), d), (chosen, candidates.clone()));

    let entries = std::fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path());
    let [entry]: [PathBuf; 1] = entries
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .filter(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).contains("\"trials\""))
        .collect::<Vec<_>>()
        .try_into()
        .unwrap();
    let mut bytes = std::fs::read(&entry).unwrap();
    bytes[3] ^= 1;
    std::fs::write(&entry, &bytes).unwrap();
    assert_ne!(choice(measure(&cache, e), e).1, candidates);
}
