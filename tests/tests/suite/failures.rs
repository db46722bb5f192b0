//! Messages and files after a failed run.

use std::path::Path;

use dg_runtime::cli::{Error, Report};
use dg_runtime::solver;
use tests::{case, solver};

/// Gas that leaves a wall so fast that vacuum forms there; every element touches a boundary.
fn vacuum(order: usize, limiter: &str) -> String {
    format!(
        r#"
        law = "euler"
        order = {order}
        mesh = {{ generator = "rectangle", lower = [0, 0], upper = [0.1, 1], cells = [1, 8] }}
        boundaries = {{ left = "slip_wall", right = "outflow", bottom = {{ periodic = "top" }} }}
        initial.formulas = {{ rho = "1", rho_v1 = "7", rho_v2 = "0", rho_e = "27" }}
        time = {{ final = 1 }}
        {limiter}
        "#
    )
}

fn failure(toml: &str) -> String {
    let mut solver = solver(&case(toml));
    loop {
        match solver.advance(1.0, 1) {
            Ok(clock) => assert!(clock.time < 1.0, "nothing failed"),
            Err(error) => {
                let named = matches!(error, solver::Error::Inadmissible(_) | solver::Error::Collapsed { .. });
                assert!(named, "{error}");
                return error.to_string();
            }
        }
    }
}

#[test]
fn a_failure_at_a_boundary_names_it() {
    let unlimited = failure(&vacuum(2, ""));
    assert!(
        [", at the boundary `left`", ", at the boundary `right`"].iter().any(|at| unlimited.contains(at)),
        "{unlimited}"
    );
    assert!(
        unlimited.contains("discontinuous solutions need a limiter; does the condition on the boundary"),
        "{unlimited}"
    );
}

/// A density below zero that a case gives at a boundary, not the flow beside it, is what is wrong.
#[test]
fn a_given_state_that_is_inadmissible_is_named() {
    let given = "left = { state = { rho = -1, v1 = 0, v2 = 0, p = 1 } }, right = \"outflow\"";
    let text = vacuum(1, "").replace("left = \"slip_wall\", right = \"outflow\"", given);
    let message = failure(&text.replace("rho_v1 = \"7\"", "rho_v1 = \"0\""));
    let said = "on `left` the given state has u.rho = -1.000000e0, which is to be positive, at x = 0.000000";
    assert!(message.contains(said) && message.contains("finite and admissible there"), "{message}");
}

#[test]
fn an_order_that_the_limiter_does_not_limit_is_refused_however_it_is_given() {
    let case = case(&vacuum(1, "limiter = { method = \"barth_jespersen\" }"));
    assert!(case.clone().with_order(1).is_ok());
    let message = case.with_order(3).unwrap_err().to_string();
    assert!(message.contains("`barth_jespersen` does not limit order 3; of that order are "), "{message}");
}

/// What the command line says of the order counts, not the file's.
#[test]
fn an_order_on_the_command_line_suits_a_limiter_that_the_order_of_the_file_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.toml");
    std::fs::write(&path, vacuum(2, "limiter = { method = \"barth_jespersen\" }")).unwrap();
    let run = |settings: &[&str]| {
        let arguments = ["rankine", "run", "--device", "cpu", "--dry-run"].iter().chain(settings).map(Into::into);
        dg_runtime::cli::run(&arguments.chain([path.clone().into()]).collect::<Vec<_>>(), equations::LAWS)
    };
    assert!(run(&[]).is_err());
    assert!(run(&["--order", "1"]).is_ok());
}

fn convergence(folder: &Path, case: &str, orders: &str) -> Result<Report, Error> {
    let path = folder.join("case.toml");
    std::fs::write(&path, case).unwrap();
    let arguments = ["rankine", "convergence", "--device", "cpu", "--levels", "2", "--orders", orders];
    dg_runtime::cli::run(&arguments.iter().map(Into::into).chain([path.into()]).collect::<Vec<_>>(), equations::LAWS)
}

#[test]
#[ignore = "long"]
fn a_failing_run_leaves_the_rest_of_a_table_of_convergence() {
    // At this Courant number Heun's steps are stable at order 1 and highly unstable at order 7.
    let text = r#"
        law = "advection"
        order = 1
        mesh = { generator = "rectangle", lower = [-0.5, -0.5], upper = [0.5, 0.5], cells = [4, 4] }
        boundaries = { left = { periodic = "right" }, bottom = { periodic = "top" } }
        initial = { function = "gaussian" }
        time = { final = 1, cfl = 0.7, integrator = "heun" }
    "#;
    let folder = tempfile::tempdir().unwrap();
    let report = convergence(folder.path(), text, "1,7").unwrap();
    println!("{}", report.text);
    assert_eq!(report.status, 1);
    let [measured, failed] = ["measurements", "failures"].map(|key| report.json[key].as_array().unwrap());
    assert_eq!((measured.len(), failed.len()), (2, 2));
    assert!(measured[1]["rates"][0].is_f64() && failed.iter().all(|failure| failure["order"] == 7));
    let reason = failed[0]["error"]["message"].as_str().unwrap();
    assert!(report.text.contains(&format!("failed: p = 7, 32 elements: {reason}")), "{}", report.text);
    // If all fail, that is an error.
    assert!(matches!(convergence(folder.path(), text, "7"), Err(Error::Solver(_))));
}
