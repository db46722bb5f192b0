//! A run continues if its messages cannot be written.
#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [4, 4] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
time = { final = 0.1 }
"#;

/// The variable that tells a test started as a process what to run.
const CHILD: &str = "RANKINE_UNHEARD_TEST";

/// Not a test: the process whose standard error cannot be written.
#[test]
fn child() {
    if let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) {
        let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
        arguments.extend([folder.join("case.toml").into(), "--out".into(), folder.join("out").into()]);
        dg_runtime::cli::run(&arguments, equations::LAWS).unwrap();
    }
}

#[test]
fn a_run_whose_standard_error_cannot_be_written_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("case.toml"), CASE).unwrap();
    let child = |nowhere: Stdio| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "unheard::child", "--nocapture"]).env(CHILD, folder.path());
        command.stdout(Stdio::null()).stderr(nowhere).status().unwrap()
    };
    let full = File::options().write(true).open("/dev/full").unwrap();
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    for nowhere in [Stdio::from(full), Stdio::from(closed)] {
        assert!(child(nowhere).success());
    }
    assert!(folder.path().join("out/history.csv").is_file());
}
