//! Steps that lead out of the admissible set are taken back and tried again with half their length.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dg_runtime::case::Case;
use dg_runtime::solver::{Clock, Error, Solver};
use tests::{case, means, solution, solver};

/// A dense and hot square that bursts into a gas a thousand times thinner, on a torus.
fn blast(changes: &[(&str, &str)]) -> String {
    let text = r#"
        law = "euler"
        order = 2
        mesh = { generator = "rectangle", lower = [-1, -1], upper = [1, 1], cells = [12, 12], jitter = 0.2 }
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        limiter = { method = "moment", positivity = true }
        flux.numerical = "hllc"
        [initial.formulas]
        rho = "if(max(abs(x), abs(y)) < 0.4, 1, 1e-3)"
        rho_v1 = "0"
        rho_v2 = "0"
        rho_e = "if(max(abs(x), abs(y)) < 0.4, 1, 1e-3)/(gamma - 1)"
        [time]
        final = 0.3
        cfl = 20
        step_every = 1
    "#;
    changes.iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

/// Marches to the end, with so many steps told off at once.
fn march(case: &Case, steps: u64) -> (Solver, Clock) {
    let mut solver = solver(case);
    let until = case.time.until.unwrap();
    loop {
        let clock = solver.advance(until, steps).unwrap_or_else(|error| panic!("{error}"));
        if clock.time >= until {
            return (solver, clock);
        }
    }
}

fn bits(solver: &Solver) -> Vec<u64> {
    solver.coefficients().unwrap().into_iter().map(f64::to_bits).collect()
}

#[test]
fn steps_that_are_far_too_long_are_made_shorter_until_they_are_not() {
    for order in ["order = 1", "order = 2", "order = 3"] {
        let text = |cfl| blast(&[("order = 2", order), ("cfl = 20", cfl)]);
        let (long, short) = (case(&text("cfl = 20")), case(&text("cfl = 0.1")));
        let before = solver(&long).integrals().unwrap();
        let (solver, clock) = march(&long, 10);
        solver.check().unwrap();
        let reference = solution(&short);
        let [found, wanted] = [&solver, &reference].map(means);
        let distance: f64 = found.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).sum();
        let difference = distance / wanted.iter().sum::<f64>();
        println!("{order}: {} of {} steps rejected, density differs by {difference:.2e}", clock.rejected, clock.steps);
        assert!(clock.rejected > 0 && difference < 0.03);
        for (before, after) in before.iter().zip(solver.integrals().unwrap()) {
            assert!((before - after).abs() < 1e-13 * before.abs().max(1.0), "{before} became {after}");
        }
    }
}

#[test]
fn rejections_do_not_depend_on_how_steps_are_told_off() {
    for every in ["step_every = 1", "step_every = 3", "step_every = 4"] {
        let case = case(&blast(&[("step_every = 1", every)]));
        let (one, one_clock) = march(&case, 1);
        for steps in [2, 7, 60] {
            let (other, clock) = march(&case, steps);
            println!("{every}, {steps} at once: {clock:?}");
            assert_eq!(
                (clock.steps, clock.rejected),
                (one_clock.steps, one_clock.rejected),
                "{every}, {steps} at once"
            );
            assert!(clock.rejected > 0 && bits(&one) == bits(&other), "{every}, {steps} at once");
        }
    }
}

/// Gas that parts so fast that it leaves vacuum, with nothing that keeps its pressure positive.
fn doomed() -> String {
    blast(&[
        ("{ method = \"moment\", positivity = true }", "{ positivity = false }"),
        ("cfl = 20", ""),
        ("if(max(abs(x), abs(y)) < 0.4, 1, 1e-3)\"", "1\""),
        ("rho_v1 = \"0\"", "rho_v1 = \"4*sin(pi*x)\""),
        ("if(max(abs(x), abs(y)) < 0.4, 1, 1e-3)/(gamma - 1)", "0.4 + 8*sin(pi*x)^2"),
    ])
}

#[test]
fn a_run_that_cannot_be_saved_ends_with_its_last_good_solution() {
    let case = case(&doomed());
    let mut solver = solver(&case);
    let integrals = solver.integrals().unwrap();
    let (mut clock, mut good) = (solver.clock().unwrap(), bits(&solver));
    let error = loop {
        match solver.advance(1.0, 1) {
            Ok(next) if next.rejected == clock.rejected => (clock, good) = (next, bits(&solver)),
            Ok(next) => clock = next,
            Err(error) => break error,
        }
        assert!(clock.time < 1.0, "nothing failed");
    };
    println!("{clock:?}\n{error}");
    assert!(matches!(error, Error::Inadmissible { .. }));
    assert!(clock.steps > 0 && clock.rejected >= 20, "{clock:?}");
    // More steps change nothing.
    assert!(matches!(solver.advance(1.0, 5), Err(Error::Inadmissible { .. })));
    assert!(good == bits(&solver));
    for (before, after) in integrals.iter().zip(solver.integrals().unwrap()) {
        assert!((before - after).abs() < 1e-12, "{before} became {after}");
    }
}

/// Runs a case file, which writes to a folder beside it.
fn run(
    folder: &Path,
    text: &str,
    out: &str,
    flags: &[&str],
) -> Result<dg_runtime::cli::Report, dg_runtime::cli::Error> {
    let path = folder.join("case.toml");
    std::fs::write(&path, text).unwrap();
    let mut arguments: Vec<OsString> = ["rankine", "run", "--device", "cpu"].map(OsString::from).to_vec();
    arguments.extend([path.into(), "--out".into(), folder.join(out).into()]);
    arguments.extend(flags.iter().map(OsString::from));
    dg_runtime::cli::run(&arguments, equations::LAWS)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files
}

#[test]
fn a_run_with_rejections_goes_on_from_any_checkpoint_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!(
        "{}\n[output]\nhistory_every = 1\ncheckpoint_every = 5\nevery = 0.1\nvtu = false\n",
        blast(&[("step_every = 1", "step_every = 3")])
    );
    // As far as an earlier run came, not knowing that it was to go on.
    run(folder, &text.replace("final = 0.3", "final = 0.2"), "parts", &[]).unwrap();
    let whole = run(folder, &text, "whole", &[]).unwrap();
    let rest = run(folder, &text, "parts", &["--resume"]).unwrap();
    assert_eq!(rest.json["step"], whole.json["step"]);
    let [whole, parts] = ["whole", "parts"].map(|out| files(&folder.join(out)));
    assert_eq!(whole.len(), parts.len());
    for (whole, parts) in whole.iter().zip(&parts) {
        assert!(std::fs::read(whole).unwrap() == std::fs::read(parts).unwrap(), "{}", parts.display());
    }
}

#[test]
fn a_run_that_fails_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = format!("{}\n[output]\nhistory_every = 1\ncheckpoint_every = 1\nevery = 1e-2\n", doomed());
    let error = run(folder, &text, "out", &[]).unwrap_err().to_string();
    println!("{error}");
    let written = files(&folder.join("out"));
    // Going on from the last checkpoint fails in the same way.
    let again = run(folder, &text, "out", &["--resume"]).unwrap_err().to_string();
    assert_eq!(again, error);
    assert_eq!(files(&folder.join("out")), written);
}
