//! Bounds on the speeds of waves: those that a law declares, and those between two states.

use std::ffi::OsString;
use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::law::Law;
use tests::{buckley_leverett, march, mean_difference, rotating_wave, two_layers};

const LAWS: &[&Law] = &[&two_layers::LAW, &buckley_leverett::LAW, &rotating_wave::LAW];

#[test]
fn fluxes_with_bounds_agree_with_exact_arithmetic() {
    let arguments = ["rankine", "verify", "--device", "cpu", "--orders", "1"].map(OsString::from);
    let report = dg_runtime::cli::run(&arguments, LAWS).unwrap().json;
    assert_eq!(report["agree"], true, "{report:#}");
    for law in LAWS {
        for flux in ["rusanov", "hll"] {
            let compared = |comparison: &serde_json::Value| {
                let is_flux = comparison["law"] == law.name && comparison["function"] == flux;
                is_flux && comparison["samples"].as_u64() >= Some(4)
            };
            assert!(report["comparisons"].as_array().unwrap().iter().any(compared), "{} {flux}", law.name);
        }
    }
}

#[test]
fn a_law_without_eigenvalues_converges() {
    for flux in ["rusanov", "hll"] {
        let errors = [10, 40].map(|cells| {
            let text = format!(
                r#"
                law = "two_layers"
                order = 1
                flux.numerical = "{flux}"
                initial.function = "waves"
                exact.function = "waves"
                mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {height}], cells = [{cells}, 2] }}
                boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
                time.final = 0.25
                "#,
                height = 2.0 / f64::from(cells)
            );
            let case = Case::parse(&text, Path::new("case.toml"), LAWS).unwrap_or_else(|error| panic!("{error}"));
            let (solver, clock) = march(&case, 100);
            assert_eq!(clock.time, 0.25);
            // A mean differs from the value at the centroid by the square of the size.
            let height = |x: f64| 1.0 + 0.2 * (2.0 * std::f64::consts::PI * (x - 0.25)).sin();
            mean_difference(&solver, height)
        });
        println!("{flux}: {errors:?}");
        assert!(errors[1] < errors[0] / 12.0, "{flux}: {errors:?}");
    }
}
