//! Steps that leave the admissible set are rejected and tried again with half their length.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use dg_runtime::solver::{Clock, Error, Inadmissible};
use equations::euler;
use tests::{bits, case, march, means, solution, solver};

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

#[test]
#[ignore = "long"]
fn steps_that_are_far_too_long_are_made_shorter_until_they_are_not() {
    for order in ["order = 1", "order = 2", "order = 3"] {
        let text = |cfl| blast(&[("order = 2", order), ("cfl = 20", cfl)]);
        let (long, short) = (case(&text("cfl = 20")), case(&text("cfl = 0.1")));
        let start = solver(&long);
        let before = start.integrals().unwrap();
        let (solver, clock) = march(&long, 10);
        solver.check().unwrap();
        let reference = solution(&short);
        let [start, found, wanted] = [&start, &solver, &reference].map(means);
        let distance = |one: &[f64]| one.iter().zip(&wanted).map(|(a, b)| (a - b).abs()).sum::<f64>();
        // Steps that are only just admissible are inaccurate, but the blast is at the right place.
        let share = distance(&found) / distance(&start);
        println!("{order}: {} of {} steps rejected, off by {share:.2e} of the way", clock.rejected, clock.steps);
        assert!(clock.rejected > 0 && share < 0.2);
        for (before, after) in before.iter().zip(solver.integrals().unwrap()) {
            assert!((before - after).abs() < 1e-13 * before.abs().max(1.0), "{before} became {after}");
        }
    }
}

#[test]
#[ignore = "long"]
fn rejections_do_not_depend_on_how_steps_are_divided_among_calls() {
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

/// Gas that parts so fast that vacuum forms, without a positivity limiter.
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
    let Error::Inadmissible(report) = error else { panic!("{error}") };
    assert!(clock.steps > 0 && clock.rejected >= 20, "{clock:?}");
    assert_eq!((report.time, report.step), (clock.time, clock.steps));
    assert_explains(&report);
    // No step can repair a solution that is inadmissible at a point: any check finds the same.
    let mut other = tests::solver(&case);
    let coefficients: Vec<f64> = good.iter().copied().map(f64::from_bits).collect();
    other.set_coefficients(&coefficients).unwrap();
    other.set_clock(Clock { time: clock.time, ..Clock::default() }).unwrap();
    let Err(Error::Inadmissible(found)) = other.check() else { panic!("nothing is wrong") };
    assert_eq!((report.tried, report.is_mean), (None, false));
    assert_eq!((found.element, found.position, found.state), (report.element, report.position, report.state));
    // More steps change nothing.
    assert!(matches!(solver.advance(1.0, 5), Err(Error::Inadmissible { .. })));
    assert!(good == bits(&solver));
    for (before, after) in integrals.iter().zip(solver.integrals().unwrap()) {
        assert!((before - after).abs() < 1e-12, "{before} became {after}");
    }
}

/// Checks the report against the law's own Rust.
fn assert_explains(report: &Inadmissible) {
    let [rho, rho_v1, rho_v2, rho_e] = report.state[..] else { panic!("{report:?}") };
    let state = euler::State { rho, rho_v1, rho_v2, rho_e };
    let quantities = euler::admissible(state, euler::Gas::default());
    assert_eq!(report.quantities, quantities);
    let broken: Vec<usize> = (0..2).filter(|&i| quantities[i].is_nan() || quantities[i] <= 0.0).collect();
    assert!(!broken.is_empty() && report.broken() == broken, "{report}");
    let text = report.to_string();
    let (bad, good) = text.split_once("not positive: ").unwrap().1.split_once("; positive: ").unwrap_or((&text, ""));
    for (i, name) in ["u.rho = ", "pressure(u, gas) = "].into_iter().enumerate() {
        assert!(if broken.contains(&i) { bad } else { good }.contains(name), "{text}");
    }
}

#[test]
fn an_inadmissible_mean_is_reported_where_it_is() {
    // A step that is too long even if halved twenty times.
    let case = case(&blast(&[("cfl = 20", "cfl = 1e30")]));
    let mut solver = solver(&case);
    let (before, length) = (bits(&solver), 1e9);
    let error = solver.advance(length, 30).unwrap_err();
    println!("{error}");
    let Error::Inadmissible(report) = error else { panic!("{error}") };
    assert_explains(&report);
    assert!(report.is_mean && report.tried == Some(length / f64::from(1 << 20)));
    let centroid = solver.mesh().position(report.element, &[1.0 / 3.0; 2]);
    assert!(centroid.iter().zip(&report.position).all(|(a, b)| (a - b).abs() < 1e-14), "{report:?}");
    assert!(bits(&solver) == before);
    // Any attempt of such a step is rejected.
    let mut other = tests::solver(&case);
    assert_eq!(other.advance(report.tried.unwrap(), 1).unwrap().rejected, 1);
}

#[test]
fn an_inadmissible_polynomial_is_reported_where_it_is() {
    // The means are admissible, but the overshoots beside a jump are not.
    let case = case(&blast(&[("{ method = \"moment\", positivity = true }", "{ positivity = false }")]));
    let mut solver = solver(&case);
    let error = solver.advance(1.0, 1).unwrap_err();
    println!("{error}");
    let Error::Inadmissible(report) = error else { panic!("{error}") };
    assert_explains(&report);
    assert!(!report.is_mean && report.tried.is_none() && report.step == 0);
    // The point is one of the element's.
    let points = solver.unit().reference().points.chunks(2).map(|point| solver.mesh().position(report.element, point));
    assert!(points.into_iter().any(|point| point[..] == report.position[..]));
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
    // Up to an earlier final time, before the run is extended.
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
    // Resuming from the last checkpoint fails in the same way.
    let again = run(folder, &text, "out", &["--resume"]).unwrap_err().to_string();
    assert_eq!(again, error);
    assert_eq!(files(&folder.join("out")), written);
}
