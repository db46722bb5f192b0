//! Bounds on the speeds of waves: those that a law declares, and those between two states.

use std::ffi::OsString;
use std::path::Path;

use dg_runtime::case::Case;
use dg_runtime::law::Law;
use equations::{buckley_leverett, relativistic_gas};
use tests::{hardening_bar, march, rotating_wave, two_layers};

const LAWS: &[&Law] =
    &[&two_layers::LAW, &relativistic_gas::LAW, &buckley_leverett::LAW, &rotating_wave::LAW, &hardening_bar::LAW];

#[test]
#[ignore = "long"]
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
#[ignore = "long"]
fn laws_without_eigenvalues_converge() {
    for law in ["two_layers", "relativistic_gas"] {
        for flux in ["rusanov", "hll"] {
            let errors = [8, 32].map(|cells| {
                // The layers move along x alone.
                let (rows, height) = if law == "two_layers" { (2, 2.0 / f64::from(cells)) } else { (cells, 1.0) };
                let text = format!(
                    r#"
                    law = "{law}"
                    order = 1
                    flux.numerical = "{flux}"
                    initial.function = "waves"
                    exact.function = "waves"
                    mesh = {{ generator = "rectangle", lower = [0, 0], upper = [1, {height}], cells = [{cells}, {rows}] }}
                    boundaries = {{ left = {{ periodic = "right" }}, bottom = {{ periodic = "top" }} }}
                    time.final = 0.1
                    "#
                );
                let case = Case::parse(&text, Path::new("case.toml"), LAWS).unwrap_or_else(|error| panic!("{error}"));
                march(&case, 100).0.errors().unwrap().l2[0]
            });
            println!("{law}, {flux}: {errors:?}");
            assert!(errors[1] < errors[0] / 12.0, "{law}, {flux}: {errors:?}");
        }
    }
}

#[test]
fn the_spectrum_of_a_relativistic_gas_is_bounded() {
    let statements: Vec<_> = relativistic_gas::LAW.proofs.iter().map(|proof| proof.statement).collect();
    for wanted in ["`sound` bounds the eigenvalues of the flux Jacobian, which are real", "`waves` satisfies the law"] {
        assert!(statements.iter().any(|statement| statement.contains(wanted)), "{wanted}: {statements:#?}");
    }
}

#[test]
fn fields_of_systems_are_told_apart() {
    for (law, wanted) in [
        (&hardening_bar::LAW, "a field is neither genuinely nonlinear nor linearly degenerate: `-"),
        (&equations::euler::LAW, "each field is genuinely nonlinear or linearly degenerate: "),
    ] {
        let statements: Vec<_> = law.proofs.iter().map(|proof| proof.statement).collect();
        assert!(statements.iter().any(|statement| statement.starts_with(wanted)), "{}: {statements:#?}", law.name);
    }
}
