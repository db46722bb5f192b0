//! What a run says while it goes on, and what it does on signals.
#![cfg(target_os = "linux")]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs for hours.
const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [16, 16] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { formulas = { u = "1.5" } }
time = { final = 1e6 }
"#;

/// A run that does not outlive its test.
struct Run(Child);

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.0.kill().and_then(|()| self.0.wait());
    }
}

fn rankine(folder: &Path, flags: &[&str]) -> Command {
    std::fs::write(folder.join("case.toml"), CASE).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankine"));
    command.arg("run").arg(folder.join("case.toml")).args(["--device", "cpu", "--out"]).arg(folder.join("out"));
    command.args(flags).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    // The shell's own `kill`.
    let status = Command::new("sh").args(["-c", &format!("kill -{signal} {id}")]).status().unwrap();
    assert!(status.success());
}

/// The step of the newest checkpoint.
fn last_checkpoint(out: &Path) -> Option<u64> {
    let entries = std::fs::read_dir(out.join("checkpoints")).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| name.strip_prefix("checkpoint_")?.strip_suffix(".rankine")?.parse().ok()).max()
}

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what} does not come");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_run_says_how_it_goes_writes_a_checkpoint_when_asked_and_ends_when_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut run = Run(rankine(folder.path(), &["--verbose"]).spawn().unwrap());
    let mut lines = BufReader::new(run.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    let line = lines.find(|line| line.contains(", step ")).unwrap();
    for part in ["advection: t = ", ", dt = ", " steps/s, ", ", change ", "; means: u ", " left"] {
        assert!(line.contains(part), "{part} in {line}");
    }
    let means = line.split("means: u ").nth(1).unwrap().split(',').next().unwrap();
    let means: Vec<f64> = means.split(" to ").map(|number| number.parse().unwrap()).collect();
    assert_eq!(means, [1.5; 2], "{line}");

    assert_eq!(last_checkpoint(&out), Some(0));
    send("USR1", &run.0);
    wait_for("a checkpoint", || last_checkpoint(&out) > Some(0));
    assert!(lines.any(|line| line.starts_with("wrote a checkpoint at t = ")));
    assert!(run.0.try_wait().unwrap().is_none(), "the run goes on");
    let asked_for = last_checkpoint(&out);
    send("INT", &run.0);
    assert_eq!(run.0.wait().unwrap().code(), Some(130));
    // On a busy machine the run may not have come to another step.
    assert!(last_checkpoint(&out) >= asked_for);
}

#[test]
fn a_quiet_run_says_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run(rankine(folder.path(), &["--quiet"]).spawn().unwrap());
    wait_for("the first file", || folder.path().join("out/solution_0000.vtu").is_file());
    run.0.kill().unwrap();
    let mut said = String::new();
    run.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let command = rankine(folder.path(), &["--quiet"]);
    let fine = CASE.replace("[16, 16]", "[320, 320]");
    std::fs::write(folder.path().join("case.toml"), fine).unwrap();
    // In blocks of 512 or 1024 bytes: room for what the compiler writes, but not for a checkpoint of 4800 KiB.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 2000; exec \"$@\"", "sh"]).arg(command.get_program()).args(command.get_args());
    let output = shell.output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(".rankine: File too large") && message.contains("ulimit -f"), "{message}");
}
