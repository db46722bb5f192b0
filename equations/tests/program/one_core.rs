//! The program comes to its end where it has one thread or one core, as in a small container.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [0.0, 0.0], upper = [0.1, 1.0], cells = [2, 20] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
time = { final = 0.1 }
output = { every = 0.05, pictures = ["u"], checkpoint_every = 2 }
"#;

/// Far more than the run takes.
const PATIENCE: Duration = Duration::from_secs(120);

fn comes_to_its_end(mut command: Command) {
    let folder = tempfile::tempdir().unwrap();
    let (case, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    std::fs::write(&case, CASE).unwrap();
    command.arg("run").arg(case).args(["--device", "cpu", "--out"]).arg(&out).stdout(Stdio::null());
    let mut run = command.spawn().unwrap();
    let start = Instant::now();
    let status = loop {
        match run.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > PATIENCE => {
                run.kill().unwrap();
                run.wait().unwrap();
                panic!("the run hangs");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert!(status.success());
    for index in 0..3 {
        assert!(
            out.join(format!("u_{index:04}.png")).is_file() && out.join(format!("solution_{index:04}.vtu")).is_file()
        );
    }
}

#[test]
fn a_run_on_one_thread_draws_its_pictures() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankine"));
    command.env("RAYON_NUM_THREADS", "1");
    comes_to_its_end(command);
}

#[test]
fn a_run_on_one_core_draws_its_pictures() {
    // taskset is part of util-linux, which a small system may lack.
    let has_taskset = Command::new("taskset").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_taskset {
        eprintln!("skipped: there is no `taskset`");
        return;
    }
    // Any core that this process may use.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    let first = allowed.trim().split(['-', ',']).next().unwrap();
    let mut command = Command::new("taskset");
    command.args(["-c", first, env!("CARGO_BIN_EXE_rankine")]);
    comes_to_its_end(command);
}
