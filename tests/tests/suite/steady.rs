//! Criteria for a steady state.

use dg_runtime::cli::Report;
use tests::solver;

/// A wave that never comes to rest.
const CASE: &str = r#"
law = "advection"
order = 1
mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [4, 4] }
boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
initial = { function = "gaussian" }
output = { vtu = false, history_every = 1 }
"#;

fn run(time: &str) -> (Report, String) {
    let folder = tempfile::tempdir().unwrap();
    let (path, out) = (folder.path().join("case.toml"), folder.path().join("out"));
    std::fs::write(&path, format!("{CASE}\ntime = {time}\n")).unwrap();
    let arguments = ["rankine", "run", "--device", "cpu", path.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let report = dg_runtime::cli::run(&arguments.map(Into::into), equations::LAWS).unwrap();
    (report, std::fs::read_to_string(out.join("history.csv")).unwrap())
}

#[test]
fn a_small_step_does_not_make_a_wave_steady() {
    let (report, _) = run("{ cfl = 1e-9, final = 1e-9, steady = 1e-3 }");
    assert_eq!(report.json["ending"], "time");
    // By the change in a step it counts as steady.
    let (report, history) = run("{ cfl = 1e-9, final = 1e-9, steady_step = 1e-3 }");
    assert_eq!((&report.json["ending"], &report.json["steady_by"]), (&"steady".into(), &"steady_step".into()));
    assert!(report.text.contains("no coefficient changes by more than 1e-3 in a step"), "{}", report.text);
    assert!(history.starts_with("time,step,integral_u,change_per_step,change_per_time,dt,"), "{history}");
}

#[test]
fn the_rate_of_change_is_that_of_the_solution_whatever_the_step() {
    let rate = |cfl: &str| {
        let case = tests::case(&format!("{CASE}\ntime = {{ final = 1, cfl = {cfl} }}\n"));
        let mut solver = solver(&case);
        let dt = solver.advance(1.0, 1).unwrap().dt;
        let change = solver.change().unwrap();
        // The size of the only component.
        let size = solver.coefficients().unwrap().iter().fold(0.0_f64, |size, u| size.max(u.abs()));
        assert!((change.per_step / (dt * size) / change.per_time - 1.0).abs() < 1e-14);
        (dt, change.per_time)
    };
    let ((long, rate_of_long), (short, rate_of_short)) = (rate("1e-3"), rate("1e-6"));
    assert!((short / long - 1e-3).abs() < 1e-9);
    assert!((rate_of_short / rate_of_long - 1.0).abs() < 1e-2, "{rate_of_long:e} {rate_of_short:e}");
}
