//! Tests of Rankine across its crates, in `tests/`, and their common helpers.

pub mod brio_wu;
mod declared;
pub mod files;
pub mod garvin;
pub mod helpers;
mod language;
mod laws;
pub mod mutants;
mod nonconvex;
pub mod reference_1d;
pub mod riemann;
pub mod ringleb;
pub mod vtu;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

pub use declared::two_layers;
use dg_runtime::case::Case;
use dg_runtime::device::{Choice, Device, Options};
use dg_runtime::law::protocol::CUDA_BLOCK;
use dg_runtime::law::{KeptMedium, Law, Role, Unit};
use dg_runtime::scheme::Part;
use dg_runtime::solver::{Clock, Precision, Solver, Variant};
pub use language::{carried, carried_by_sound, euler, sound_in_gas, tracers};
pub use laws::{arguments, locals, more_arguments, more_locals, more_scheme, scheme, sound};
pub use nonconvex::{hardening_bar, rotating_wave};

/// Nodes of an element in files, on a mesh of one shape.
pub fn nodes(solver: &Solver) -> usize {
    solver.unit().reference().sample_points.len() / solver.mesh().dim
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Makes a package, in a folder of its own, a member of a workspace that is this one to `cargo`, with its lock file and links to its
/// folders: in the target directory of this one it then shares all that is compiled, dg-runtime and Symbolica above all.
///
/// # Panics
/// If the package has no manifest that can be written, or there are no links.
pub fn join_workspace(package: &Path) {
    let (folder, name) = (package.parent().unwrap(), package.file_name().unwrap().to_str().unwrap());
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let members = "members = [";
    let manifest = manifest.replacen(members, &format!("{members}{name:?}, "), 1);
    std::fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    std::fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    for member in ["dg-macros", "dg-runtime", "equations", "templates", "tests"] {
        let link = folder.join(member);
        if !link.exists() {
            std::os::unix::fs::symlink(root().join(member).canonicalize().unwrap(), link).unwrap();
        }
    }
    // Profiles are those of the workspace.
    let own = std::fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let own = &own[..own.find("[profile.").unwrap_or(own.len())];
    let lines = own.lines().filter(|line| *line != "[workspace]").map(|line| match line.split_once(" = ") {
        Some(("dg-runtime", _)) => "dg-runtime = { path = \"../dg-runtime\" }",
        _ => line,
    });
    std::fs::write(package.join("Cargo.toml"), lines.collect::<Vec<_>>().join("\n")).unwrap();
}

/// Held by a test while `cargo` builds for it: of several builds in one target directory all but one would wait, and the waiting would
/// count as their time.
pub fn one_build() -> MutexGuard<'static, ()> {
    static BUILD: Mutex<()> = Mutex::new(());
    // A failed build does not affect the next one.
    BUILD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether tests that sample take everything, as CONTRIBUTING says.
fn is_thorough() -> bool {
    std::env::var_os("RANKINE_THOROUGH").is_some()
}

/// All of these, mostly orders, in a thorough test, and else the one in the middle: each order takes seconds of the C compiler, and the
/// orders of a kernel have one text.
pub fn sample<T>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = all.into_iter().collect();
    if !is_thorough() && !all.is_empty() {
        all = vec![all.swap_remove((all.len() - 1) / 2)];
    }
    all
}

/// All of these in a thorough test, and else every other one: for lists of unlike things, such as limiters on several meshes.
pub fn every_other<T>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    all.into_iter().step_by(if is_thorough() { 1 } else { 2 }).collect()
}

/// All laws that come with Rankine in a thorough test, and else four that have between them a gas with derived and given fluxes, a medium, a
/// product with the gradient, sources and a viscous flux.
///
/// # Panics
/// If one of the four is missing.
pub fn laws() -> Vec<&'static Law> {
    if is_thorough() {
        return equations::LAWS.to_vec();
    }
    let named = |name| *equations::LAWS.iter().find(|law| law.name == name).unwrap();
    ["euler", "transport", "shallow_water", "advection_diffusion"].map(named).to_vec()
}

/// The case of a TOML text, for one of the laws that come with Rankine.
///
/// # Panics
/// If the text is no valid case.
pub fn case(toml: &str) -> Case {
    Case::parse(toml, Path::new("case.toml"), equations::LAWS).unwrap_or_else(|error| panic!("{error}"))
}

/// A case file that comes with Rankine, with settings as on the command line.
///
/// # Panics
/// If it is no valid case.
pub fn example(name: &str, settings: &[&str]) -> Case {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let path = root().join("equations/cases").join(name);
    Case::read_with(&path, &settings, equations::LAWS).unwrap_or_else(|error| panic!("{error}"))
}

/// A solver of the case on the CPU, at its initial state.
///
/// # Panics
/// If it cannot be made.
pub fn solver(case: &Case) -> Solver {
    solver_on(Choice::Cpu, case)
}

/// A solver of the case on a device, at its initial state.
///
/// # Panics
/// If it cannot be made.
pub fn solver_on(device: Choice, case: &Case) -> Solver {
    let start = || -> Result<Solver, Box<dyn std::error::Error>> {
        let mesh = case.build_mesh()?;
        let setup = case.setup(&mesh)?;
        let mut solver = Solver::new(open(device)?, mesh, setup)?;
        case.project(&mut solver)?;
        Ok(solver)
    };
    start().unwrap_or_else(|error| panic!("{error}"))
}

/// A device. The CPU is opened once for all tests of a process, which asks the C compiler once what it is.
///
/// # Errors
/// Those of [`Device::open`].
pub fn open(choice: Choice) -> Result<Arc<Device>, dg_runtime::device::Error> {
    static CPU: OnceLock<Arc<Device>> = OnceLock::new();
    if choice != Choice::Cpu {
        return Ok(Arc::new(Device::open(choice)?));
    }
    if let Some(cpu) = CPU.get() {
        return Ok(cpu.clone());
    }
    let cpu = Arc::new(Device::open(choice)?);
    Ok(CPU.get_or_init(|| cpu).clone())
}

/// Marches a case to its end on the CPU, with `steps` steps in each call.
///
/// # Panics
/// If a step fails, or the case has no final time.
pub fn march(case: &Case, steps: u64) -> (Solver, Clock) {
    let mut solver = solver(case);
    let until = case.time.until.unwrap();
    loop {
        let clock = solver.advance(until, steps).unwrap_or_else(|error| panic!("{error}"));
        if clock.time >= until {
            return (solver, clock);
        }
    }
}

/// How fast differences between solutions by steps of half, a quarter and an eighth of a length fall, of a case for each part of it.
///
/// # Panics
/// If a step fails.
pub fn rate_in_time(case: impl Fn(f64) -> Case) -> f64 {
    let [a, b, c] = [0.5, 0.25, 0.125].map(|part| march(&case(part), 100).0.coefficients().unwrap());
    let size = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    (size(&a, &b) / size(&b, &c)).log2()
}

/// The bits of all coefficients of a solution.
///
/// # Panics
/// If the device fails.
pub fn bits(solver: &Solver) -> Vec<u64> {
    solver.coefficients().unwrap().into_iter().map(f64::to_bits).collect()
}

/// The solution at the case's final time, or at a state that is steady by the case's bounds.
///
/// # Panics
/// If the computation fails.
pub fn solution(case: &Case) -> Solver {
    /// Steps between checks of the clock.
    const STEPS: u64 = 20;
    let mut solver = solver(case);
    let until = case.time.until.unwrap_or(f64::INFINITY);
    loop {
        let clock = solver.advance(until, STEPS).unwrap_or_else(|error| panic!("{error}"));
        let change = solver.change().unwrap_or_else(|error| panic!("{error}"));
        if clock.time >= until || case.time.steady_by(change).is_some() {
            return solver;
        }
    }
}

/// The means of the first component over the elements.
///
/// # Panics
/// If the device fails.
pub fn means(solver: &Solver) -> Vec<f64> {
    let coefficients = solver.coefficients().unwrap();
    // The basis is orthonormal on the reference element, and its first function is constant.
    let first = solver.mesh().shape(0).measure().sqrt().recip();
    let of_element = coefficients.chunks(coefficients.len() / solver.mesh().element_count());
    of_element.map(|own| first * own[0]).collect()
}

/// The mean difference, over the mesh, between the element means of the first component and a function of x at the elements'
/// centroids.
///
/// # Panics
/// If the device fails.
pub fn mean_difference(solver: &Solver, expected: impl Fn(f64) -> f64) -> f64 {
    let mesh = solver.mesh();
    let (mut difference, mut area) = (0.0, 0.0);
    for (element, mean) in means(solver).into_iter().enumerate() {
        let [x, _] = mesh.centroid(element);
        let measure = mesh.geometry(element).measure(mesh.shape(element));
        difference += measure * (mean - expected(x)).abs();
        area += measure;
    }
    difference / area
}

/// Options for everything that a unit of a law can use: every boundary, an exact solution, its own numerical flux. They choose no part.
pub fn everything(law: &Law, unit: &Unit, variant: Variant, precision: Precision) -> Options {
    let boundaries = law.boundaries().enumerate().map(|(i, function)| format!("X({i}, {})", function.name));
    let mut defines = vec![
        ("PRECISION".to_owned(), precision.c_type().to_owned()),
        ("BOUNDARY_CONDITIONS(X)".to_owned(), boundaries.collect::<Vec<_>>().join(" ")),
    ];
    for (name, role, prefix) in [
        ("NUMERICAL_FLUX", Role::NumericalFlux, "law_numerical_flux"),
        ("INITIAL", Role::Exact, "law_exact"),
        ("EXACT", Role::Exact, "law_exact"),
    ] {
        if let Some(function) = law.with_role(role).next() {
            defines.push((name.to_owned(), format!("{prefix}_{}", function.name)));
        }
    }
    defines.extend(variant.defines(law, unit, RIM));
    let block = law.cuda_block(unit.order);
    if block != CUDA_BLOCK {
        defines.push(("CUDA_BLOCK".to_owned(), block.to_string()));
    }
    Options { defines, ..Options::default() }
}

/// The `#define` that chooses a part of a unit.
pub fn chosen(part: Part) -> (String, String) {
    ("PART".to_owned(), part.name().to_owned())
}

/// A medium of which all fields vary within elements.
pub fn varying_medium(law: &Law, unit: &Unit) -> KeptMedium {
    KeptMedium { constant: Vec::new(), varying: (0..law.medium.len()).collect(), basis: unit.basis }
}

/// The largest number of faces on the rims of patches of usual meshes.
pub const RIM: usize = 40;

/// The `#define` that adds the source of a manufactured solution to these options, if the law has one.
pub fn manufactured(law: &Law) -> Option<(String, String)> {
    let solution = law.with_role(Role::Exact).find(|solution| law.manufactured_source(solution).is_some())?;
    Some(("MANUFACTURED".to_owned(), format!("law_manufactured_{}", solution.name)))
}

#[cfg(doctest)]
#[doc = include_str!("../../docs/language.md")]
struct Language;
