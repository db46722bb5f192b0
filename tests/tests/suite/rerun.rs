//! The effect of a run on the files of an earlier one in its directory.

use std::ffi::OsString;
use std::path::Path;

use dg_runtime::cli::{Error, Report};

const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [4, 4] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
time = { final = 0.2 }
output = { every = 0.1, history_every = 1 }
"#;

/// Runs a case, which writes to `out` beside it.
fn run(folder: &Path, case: &str, flags: &[&str]) -> Result<Report, Error> {
    let path = folder.join("case.toml");
    std::fs::write(&path, case).unwrap();
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([path.into(), "--out".into(), folder.join("out").into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder.join("out")).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_same_run_is_repeated_and_leaves_nothing_of_the_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, CASE, &[]).unwrap();
    let fresh = names(folder);
    let history = std::fs::read(folder.join("out/history.csv")).unwrap();
    let others = ["notes.txt", "solution_final.vtu", "v_0009.png"];
    for file in others.iter().chain(&["solution_0009.vtu", "u_0009.png"]) {
        std::fs::write(folder.join("out").join(file), "").unwrap();
    }
    run(folder, CASE, &[]).unwrap();
    let kept: Vec<_> = names(folder).into_iter().filter(|name| !others.contains(&name.as_str())).collect();
    assert_eq!(kept, fresh);
    assert!(others.iter().all(|file| folder.join("out").join(file).is_file()));
    assert_eq!(std::fs::read(folder.join("out/history.csv")).unwrap(), history);
}

#[test]
fn the_end_is_written_once_where_rounding_puts_an_output_beside_it() {
    let (every, end) = (0.3_f64, 1.8);
    assert!(6.0 * every < end);
    let folder = tempfile::tempdir().unwrap();
    let case = CASE.replace("final = 0.2", "final = 1.8").replace("every = 0.1", "every = 0.3");
    run(folder.path(), &case, &[]).unwrap();
    let solutions = names(folder.path()).into_iter().filter(|name| name.ends_with(".vtu"));
    assert_eq!(solutions.count(), 7);
}

#[test]
fn a_run_that_became_steady_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let case = CASE.replace("final = 0.2", "steady = 1e3");
    for _ in 0..2 {
        assert_eq!(run(folder.path(), &case, &[]).unwrap().json["ending"], "steady");
    }
}

#[test]
fn another_or_an_unfinished_run_is_not_touched_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    run(folder, CASE, &[]).unwrap();
    let history = std::fs::read(folder.join("out/history.csv")).unwrap();
    let before = names(folder);
    // A longer run could resume from there.
    for case in [CASE.replace("order = 1", "order = 2"), CASE.replace("final = 0.2", "final = 0.3")] {
        let error = run(folder, &case, &[]).unwrap_err().to_string();
        assert!(error.ends_with("--resume to go on, --out elsewhere, --overwrite to start anew"), "{error}");
        assert_eq!(std::fs::read(folder.join("out/history.csv")).unwrap(), history);
        assert_eq!(names(folder), before);
    }
    run(folder, &CASE.replace("final = 0.2", "final = 0.3"), &["--resume"]).unwrap();
    run(folder, &CASE.replace("final = 0.2", "final = 0.1"), &["--overwrite"]).unwrap();
    assert!(!folder.join("out/solution_0002.vtu").exists());
    run(folder, &CASE.replace("order = 1", "order = 2"), &["--overwrite"]).unwrap();
}

#[test]
fn the_history_begins_with_the_initial_state_and_conserves_it() {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), CASE, &[]).unwrap();
    let history = std::fs::read_to_string(folder.path().join("out/history.csv")).unwrap();
    let rows: Vec<Vec<&str>> = history.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!((rows[0][0], rows[0][1], rows[0][3]), ("0.0", "0", ""));
    let mass = |row: &[&str]| row[2].parse::<f64>().unwrap();
    assert!(rows.len() > 2 && rows.iter().all(|row| (mass(row) - mass(&rows[0])).abs() < 1e-14));
}
