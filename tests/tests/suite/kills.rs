//! A run that is killed at any point of its writing, or meets a full disk there, resumes to the same files, byte for byte.
//!
//! `kills/shim.c` counts a process's operations on the files of its folder. With `RANKINE_EVERY_KILL` all points are
//! tried, else some of them.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dg_runtime::cli::{Error, Report};

/// Ends at the third or fourth step, for different reasons, and has a checkpoint after each step.
const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [0.1, 1.0], cells = [2, 20] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
measure.regions.all = { fields = ["u"], every = 0.01 }
measure.regions.often.fields = ["u"]
measure.mean.fields = ["u"]
"#;
const IN_TIME: &str = "time = { final = 0.02 }
output = { every = 0.01, pictures = [\"u\"], picture = { size = [500, 350] }, history_every = 1, checkpoint_every = 1 }";
const STEADY: &str = "time = { steady_step = 1e3 }\noutput = { vtu = false, history_every = 3, checkpoint_every = 1 }";

/// The variable that tells a test started as a process what to run.
const CHILD: &str = "RANKINE_KILLS_TEST";

fn run(folder: &Path, out: &str, flags: &[&str]) -> Result<Report, Error> {
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([folder.join("case.toml").into(), "--out".into(), folder.join(out).into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

/// Not a test: the process that is killed, or fails and writes the error to a file.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from)
        && let Err(error) = run(&folder, "out", &[])
    {
        std::fs::write(folder.join("error.txt"), error.chain()).unwrap();
    }
}

/// How a child is disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    /// Killed after so many points.
    Kill(usize),
    /// The disk is full from this write on.
    FullDisk(usize),
}

/// The shim, compiled.
fn shim(folder: &Path) -> PathBuf {
    let (source, object) = (crate::folder().join("kills/shim.c"), folder.join("shim.so"));
    let mut compiler = Command::new("cc");
    let status = compiler.args(["-shared", "-fPIC", "-o"]).args([&object, &source]).arg("-ldl").status().unwrap();
    assert!(status.success());
    object
}

/// Starts a run in a new folder and disturbs it; returns whether that stopped it.
fn disturb(folder: &Path, shim: &Path, by: By) -> bool {
    let out = folder.join("out");
    for old in ["out", "error.txt"].map(|name| folder.join(name)) {
        let _ = std::fs::remove_dir_all(&old).or_else(|_| std::fs::remove_file(&old));
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "kills::child"]).env(CHILD, folder).env("LD_PRELOAD", shim).env("KILLS_FOLDER", &out);
    match by {
        By::Kill(after) => child.env("KILLS_AT", after.to_string()),
        By::FullDisk(from) => child.env("KILLS_FULL", from.to_string()),
    };
    let output = child.stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap();
    match by {
        By::Kill(_) if output.status.signal() == Some(9) => return true,
        By::FullDisk(_) if folder.join("error.txt").is_file() => {
            let message = std::fs::read_to_string(folder.join("error.txt")).unwrap();
            let names_file = message.contains(&out.display().to_string());
            assert!(names_file && message.contains("No space left") && message.contains("make room"), "{message}");
            return true;
        }
        _ => {}
    }
    assert!(output.status.success(), "{by:?}: {}", String::from_utf8_lossy(&output.stderr));
    false
}

/// Content of all files of a run by their names.
fn files(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let in_folder = |folder: &Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    let paths = [in_folder(out), in_folder(&out.join("checkpoints"))].concat();
    paths.into_iter().map(|path| (path.strip_prefix(out).unwrap().to_owned(), std::fs::read(&path).unwrap())).collect()
}

/// Disturbs a run at every `stride`-th point and resumes it; returns the number of points.
fn try_all(case: &str, stride: usize, by: impl Fn(usize) -> By) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("case.toml"), format!("{CASE}{case}")).unwrap();
    let straight = run(folder, "straight", &[]).unwrap();
    let expected = files(&folder.join("straight"));
    let shim = shim(folder);
    let stride = if std::env::var_os("RANKINE_EVERY_KILL").is_some() { 1 } else { stride };
    for point in (1..).step_by(stride) {
        if !disturb(folder, &shim, by(point)) {
            println!("{} points tried", (point - 1) / stride);
            return point;
        }
        let report = match run(folder, "out", &["--resume"]) {
            // Nothing was lost that the run had.
            Err(Error::NoCheckpoint(_)) => run(folder, "out", &[]),
            resumed => resumed,
        };
        let report = report.unwrap_or_else(|error| panic!("{:?}: {}", by(point), error.chain()));
        assert_eq!([&report.json["ending"], &report.json["step"]], [&straight.json["ending"], &straight.json["step"]]);
        let found = files(&folder.join("out"));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{:?}", by(point));
        for (name, content) in &expected {
            assert!(found[name] == *content, "{} differs after {:?}", name.display(), by(point));
        }
    }
    unreachable!("a run is stopped at any point")
}

#[test]
#[ignore = "long"]
fn a_run_to_a_final_time_is_killed() {
    let points = try_all(IN_TIME, 7, By::Kill);
    assert!(points > 60, "{points}");
}

#[test]
#[ignore = "long"]
fn a_run_to_a_steady_state_is_killed() {
    let points = try_all(STEADY, 2, By::Kill);
    assert!(points > 20, "{points}");
}

#[test]
#[ignore = "long"]
fn a_run_finds_the_disk_full() {
    let writes = try_all(IN_TIME, 5, By::FullDisk);
    assert!(writes > 10, "{writes}");
}
