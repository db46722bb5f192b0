//! A run that is killed at any moment resumes to the same bits as an uninterrupted one.
#![cfg(unix)]

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The shape of the elements; a law, where it starts, its time, a limiter, and a medium that changes.
const LAWS: [(&str, &str); 4] = [
    ("triangles", "law = \"advection\"\ninitial.function = \"gaussian\"\ntime = { final = 20.0 }"),
    (
        "quadrilaterals",
        r#"
law = "advection"
limiter = { positivity = true }
initial.formulas.u = "tanh(60 * (0.1 - x^2 - y^2))"
time = { final = 20.0 }"#,
    ),
    (
        "triangles",
        r#"
law = "transport"
initial.formulas.u = "exp(-20 * (x^2 + y^2))"
medium.formulas = { v1 = "1.3 * cos(t)", v2 = "0.7 + sin(2 * t) * x" }
time = { final = 20.0 }"#,
    ),
    (
        "quadrilaterals",
        r#"
law = "advection_diffusion"
initial.formulas.u = "exp(-20 * (x^2 + y^2))"
time = { final = 20.0, integrator = "rkl2" }"#,
    ),
];

const CASE: &str = r#"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [16, 16], elements = "SHAPE" }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
output = { every = 1.0, checkpoint_every = 50 }
receivers = { every = 0.013, points = { a = [0.1, 0.2], b = [-0.3, 0.0] } }
measure.regions.all = { fields = ["u"], every = 0.3 }
measure.lines.across = { from = [-0.4, 0.1], to = [0.4, 0.2], points = 5, fields = ["u"] }
measure.mean = { from = 0.123, fields = ["u"] }
"#;

/// The variable that tells a test started as a process what to run.
const CHILD: &str = "RANKINE_RESUME_TEST";

/// A schedule that a run on a CPU would not choose at this order.
const TOLD: [&str; 2] = ["--schedule", "component"];

fn run(case: &Path, out: &Path, flags: &[&str]) -> Result<dg_runtime::cli::Report, dg_runtime::cli::Error> {
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([case.into(), "--out".into(), out.into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

/// Not a test: the process that is killed.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) {
        run(&folder.join("case.toml"), &folder.join("killed"), &TOLD).unwrap();
    }
}

#[test]
#[ignore = "long"]
fn a_killed_run_goes_on_to_the_same_bits() {
    LAWS.into_iter().for_each(kill_and_resume);
}

fn kill_and_resume((shape, law): (&str, &str)) {
    let folder = tempfile::tempdir().unwrap();
    let (case, straight, killed) =
        (folder.path().join("case.toml"), folder.path().join("straight"), folder.path().join("killed"));
    std::fs::write(&case, format!("{law}{}", CASE.replace("SHAPE", shape))).unwrap();
    let report = run(&case, &straight, &TOLD).unwrap();

    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "resume::child"])
        .env(CHILD, folder.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while last_checkpoint(&killed).is_none_or(|step| step == 0) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(9), "the run ended before it could be killed");
    let step = last_checkpoint(&killed).unwrap();
    assert!(step < report.json["step"].as_u64().unwrap(), "killed only after step {step}");

    // The checkpoint contains the schedule.
    assert_eq!(run(&case, &killed, &["--resume"]).unwrap().json["schedule"], "component/64");
    let files = files(&straight);
    // The solution at 21 times and their list, the history, two receivers, two measurements, two checkpoints, their mesh, and the lock.
    assert_eq!(files.len(), 21 + 1 + 1 + 2 + 2 + 3 + 1);
    for file in files {
        let [one, other] = [&straight, &killed].map(|folder| std::fs::read(folder.join(&file)).unwrap());
        assert!(one == other, "{} differs", file.display());
    }
}

/// Where none is told, triangles and squares have schedules of their own, as many elements as there are, and keep them.
#[test]
fn a_resumed_run_on_elements_of_both_shapes_has_the_schedules_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    let text = r#"
        law = "advection"
        order = 1
        initial.function = "gaussian"
        mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [16, 16], layers = 2 }
        boundaries = { left.periodic = "right", bottom.periodic = "top" }
        output.checkpoint_every = 5
        time.final = 0.2"#;
    std::fs::write(&case, text).unwrap();
    let first = run(&case, &out, &[]).unwrap().json;
    assert_eq!(first["schedule"], "component/128, component/32");
    let last = last_checkpoint(&out).unwrap();
    std::fs::remove_file(out.join(format!("checkpoints/checkpoint_{last:012}.rankine"))).unwrap();
    assert!(last_checkpoint(&out).is_some_and(|before| before < last));
    assert_eq!(run(&case, &out, &["--resume"]).unwrap().json["schedule"], first["schedule"]);
}

/// The step of the newest checkpoint.
fn last_checkpoint(out: &Path) -> Option<u64> {
    let entries = std::fs::read_dir(out.join("checkpoints")).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.strip_prefix("checkpoint_")?.strip_suffix(".rankine")?.parse().ok()).max()
}

/// All files of a run, relative to its folder.
fn files(out: &Path) -> Vec<PathBuf> {
    let in_folder = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let paths = [in_folder(out), in_folder(&out.join("checkpoints"))].concat();
    paths.iter().map(|path| path.strip_prefix(out).unwrap().to_owned()).collect()
}
