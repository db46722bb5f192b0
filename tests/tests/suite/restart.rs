//! A run starts from a checkpoint of another run with another order, mesh or parameters.

use std::ffi::OsString;
use std::path::Path;

use dg_runtime::cli::{Error, Report};
use dg_runtime::io::checkpoint::{Checkpoint, Coefficients, latest};
use dg_runtime::solver::Solver;
use serde_json::json;
use tests::{case, solver};

/// Polynomial initial data with a final time so short that they hardly change.
fn polynomial(order: usize, mesh: &str) -> String {
    format!(
        "law = \"advection\"\norder = {order}\nmesh = {mesh}\n\
         boundaries = {{ left = {{ periodic = \"right\" }}, bottom = {{ periodic = \"top\" }} }}\n\
         initial.formulas.u = \"1 + x + 2*y + x*y - y^2\"\ntime.final = 1e-14\noutput.vtu = false\n"
    )
}

const COARSE: &str = "{ generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [5, 4], jitter = 0.2 }";
const FINE: &str = "{ generator = \"rectangle\", lower = [0, 0], upper = [1, 1], cells = [7, 11], jitter = 0.1 }";

/// A case that starts from the run in `out`.
fn from(text: &str, out: &Path) -> String {
    let start = text.find("initial").unwrap();
    let end = start + text[start..].find('\n').unwrap();
    let later = text.replace("final = 1e-14", "final = 1");
    format!("{}initial.from = {:?}{}", &later[..start], out.to_str().unwrap(), &later[end..])
}

/// Runs a case, which writes to `out` beside it.
fn run(folder: &Path, name: &str, text: &str, flags: &[&str]) -> Result<Report, Error> {
    let path = folder.join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([path.into(), "--out".into(), folder.join(name).into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

fn checkpoint(out: &Path) -> (Checkpoint, Vec<f64>) {
    let checkpoint = latest(&out.join("checkpoints")).unwrap().unwrap().checkpoint;
    let Coefficients::Double(coefficients) = checkpoint.coefficients.clone() else { panic!() };
    (checkpoint, coefficients)
}

/// The largest difference between the polynomial and the values at the nodes of files.
fn error(solver: &Solver) -> f64 {
    let samples = solver.samples().unwrap();
    let mut values = samples.field("u").unwrap().into_iter();
    let mut worst = 0.0_f64;
    for element in 0..solver.mesh().element_count() {
        let points = solver.unit_of(element).reference().sample_points.chunks_exact(2);
        for (point, value) in points.zip(&mut values) {
            let [x, y, ..] = solver.mesh().position(element, point);
            worst = worst.max((1.0 + x + 2.0 * y + x * y - y * y - value).abs());
        }
    }
    worst
}

#[test]
fn on_the_same_mesh_modes_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("quadratic");
    run(folder.path(), "quadratic", &polynomial(2, COARSE), &[]).unwrap();
    let (before, modes) = checkpoint(&out);
    for order in [1, 2, 4] {
        let solver = solver(&case(&from(&polynomial(order, COARSE), &out)));
        assert_eq!(solver.clock().unwrap().time, before.time);
        let found = solver.coefficients().unwrap();
        let (n, basis) = (solver.mesh().element_count(), solver.unit().basis);
        for (own, earlier) in found.chunks_exact(basis).zip(modes.chunks_exact(modes.len() / n)) {
            let kept = own.len().min(earlier.len());
            assert!(own[..kept] == earlier[..kept] && own[kept..].iter().all(|mode| *mode == 0.0));
        }
        // Modes up to order 2 represent the polynomial exactly: so the order of the modes, low degrees first, was respected.
        assert!(order < 2 || error(&solver) < 1e-11, "{order}: {:e}", error(&solver));
    }
}

#[test]
#[ignore = "long"]
fn on_another_mesh_polynomials_are_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    for (name, mesh, other) in [("refined", COARSE, FINE), ("coarsened", FINE, COARSE)] {
        run(folder.path(), name, &polynomial(2, mesh), &[]).unwrap();
        let inside = other.replace("[0, 0]", "[0.25, 0.5]");
        for (order, mesh) in [(2, other), (5, other), (3, &inside)] {
            // The folder of checkpoints serves as well as the run's.
            let out = folder.path().join(name).join(if order == 2 { "" } else { "checkpoints" });
            let error = error(&solver(&case(&from(&polynomial(order, mesh), &out))));
            assert!(error < 1e-11, "{name}, order {order}: {error:e}");
        }
    }
}

/// From a mesh of both shapes, of straight and curved elements and of several degrees, and onto such a mesh.
#[test]
#[ignore = "long"]
fn polynomials_are_reproduced_from_and_onto_elements_of_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let with = |mesh: &str, more: &str| mesh.replace(" }", &format!("{more} }}"));
    let meshes = [
        ("both", with(COARSE, ", layers = 2")),
        ("squares", with(FINE, ", elements = \"quadrilaterals\"")),
        ("curved", with(FINE, ", layers = 5, degree = 3, curvature = 0.05").replace(", jitter = 0.1", "")),
        ("triangles", COARSE.to_owned()),
    ];
    for (name, mesh) in &meshes {
        // Of degree 2 in the elements' own coordinates, of which a map of degree 3 makes 6.
        let order = if *name == "curved" { 6 } else { 2 };
        let orders = if *name == "both" { "orders.quadrilaterals = 3\n" } else { "" };
        run(folder.path(), name, &format!("{}{orders}", polynomial(order, mesh)), &[]).unwrap();
        for (other, mesh) in meshes.iter().filter(|(other, _)| other != name) {
            let order = if *other == "curved" { 6 } else { 3 };
            let error = error(&solver(&case(&from(&polynomial(order, mesh), &folder.path().join(name)))));
            println!("{name} to {other}: {error:.1e}");
            assert!(error < 1e-11, "{name} to {other}: {error:e}");
        }
    }
}

/// A vortex between arcs as walls, which a finer mesh approximates better.
#[test]
#[ignore = "long"]
fn a_curved_body_is_followed() {
    let vortex = |order: usize, refine: usize| {
        format!(
            "law = \"euler\"\norder = {order}\ninitial.function = \"supersonic_vortex\"\ntime.final = 1e-14\noutput.vtu = false\n\
             mesh = {{ generator = \"quarter annulus\", radii = [1, 1.384], cells = [3, 10], refine = {refine} }}\n\
             boundaries = {{ inner = \"slip_wall\", outer = \"slip_wall\", inflow = \"supersonic_vortex_inflow\", \
             outflow = \"outflow\" }}\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), "coarse", &vortex(3, 0), &[]).unwrap();
    let exact = "\nexact.function = \"supersonic_vortex\"\n";
    let largest = |text: &str| {
        let errors = solver(&case(&format!("{text}{exact}"))).errors().unwrap();
        errors.max.into_iter().fold(0.0, f64::max)
    };
    let coarse = largest(&vortex(3, 0));
    let projected = largest(&from(&vortex(3, 1), &folder.path().join("coarse")));
    // Outside of the checkpoint's mesh its polynomials are extrapolated, which is as accurate up to a factor.
    assert!(projected < 3.0 * coarse, "{projected:e} for {coarse:e}");
}

#[test]
fn a_run_goes_on_from_another_and_can_be_resumed() {
    let text = |order: usize, end: &str| {
        polynomial(order, COARSE)
            .replace("u = \"1 + x + 2*y + x*y - y^2\"", "u = \"1 + sin(2*pi*x)\"")
            .replace("1e-14", end)
    };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, "first", &text(1, "0.1"), &[]).unwrap();
    let second = from(&text(2, "0.2"), Path::new("first")).replace("order = 2", "order = 2\nparameters.v1 = 0.5");
    let report = run(folder, "second", &second, &[]).unwrap();
    assert_eq!([&report.json["time"], &report.json["ending"]], [&json!(0.2), &json!("time")]);
    let history = std::fs::read_to_string(folder.join("second/history.csv")).unwrap();
    assert!(history.lines().nth(1).unwrap().starts_with("0.1,0,"), "{history}");
    // Once it runs, it no longer needs the other run.
    std::fs::remove_dir_all(folder.join("first")).unwrap();
    let longer = second.replace("final = 0.2", "final = 0.3");
    assert_eq!(run(folder, "second", &longer, &["--resume"]).unwrap().json["time"], 0.3);
}

#[test]
fn what_cannot_be_started_from_is_an_error_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let start = |text: &str| run(folder, "second", text, &[]).unwrap_err().chain();
    run(folder, "first", &polynomial(1, COARSE), &[]).unwrap();
    let first = folder.join("first");

    let missing = start(&from(&polynomial(1, COARSE), &folder.join("nowhere")));
    assert!(missing.contains("no checkpoint in ") && missing.contains("`initial.from` is"), "{missing}");
    let wide = FINE.replace("upper = [1, 1]", "upper = [1.5, 1]");
    let outside = start(&from(&polynomial(1, &wide), &first));
    assert!(
        outside.contains("knows no state at [1.") && outside.contains("take a mesh of the same domain"),
        "{outside}"
    );
    let past = start(&from(&polynomial(1, COARSE), &first).replace("final = 1", "final = 1e-15"));
    assert!(past.contains("set a later `final`"), "{past}");
    let burgers = from(&polynomial(1, COARSE), &first).replace("advection", "burgers");
    assert!(start(&burgers).contains("is of the law `advection`, not of `burgers`"));
    let both = format!("{}initial.function = \"gaussian\"\n", from(&polynomial(1, COARSE), &first));
    assert!(start(&both).contains("give `from` or `function`, not both"));
    // The error for the same run with another order names this way.
    let resumed = run(folder, "first", &polynomial(2, COARSE), &["--resume"]).unwrap_err().chain();
    assert!(resumed.contains("its order is 1") && resumed.contains("`initial.from`"), "{resumed}");

    std::fs::remove_file(first.join("checkpoints/mesh.rankine")).unwrap();
    let lost = start(&from(&polynomial(1, FINE), &first));
    assert!(lost.contains("mesh.rankine beside it is not that mesh"), "{lost}");
}
