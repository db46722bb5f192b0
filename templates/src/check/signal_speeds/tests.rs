use crate::check::Severity;
use crate::check::laws::EULER;
use crate::check::testing::law;
use crate::check::tests::{found, method, passes};
use crate::ir::Warning;

/// The Euler equations with a flux of two waves, at the speeds `-least` and `most`, and one of one wave, at `speed`.
fn with(least: &str, most: &str, speed: &str) -> String {
    format!(
        "{EULER}
        fn sound(u: State, gas: Params) -> f64 {{ (gas.gamma * pressure(u, gas) / u.rho).sqrt() }}
        fn drift(u: State, n: Normal) -> f64 {{ (u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho }}
        fn fastest(l: State, r: State, n: Normal, gas: Params) -> f64 {{ (drift(l, n) + sound(l, gas)).max(drift(r, n) + sound(r, gas)) }}
        fn slowest(l: State, r: State, n: Normal, gas: Params) -> f64 {{ (drift(l, n) - sound(l, gas)).min(drift(r, n) - sound(r, gas)) }}
        fn mean_of_two(fl: f64, fr: f64, l: f64, r: f64, sl: f64, sr: f64) -> f64 {{ (sr * fl - sl * fr + sl * sr * (r - l)) / (sr - sl) }}
        #[numerical_flux] fn two_waves(l: State, r: State, n: Normal, gas: Params) -> State {{
            let fl = normal_flux(l, n, gas);
            let fr = normal_flux(r, n, gas);
            let sl = ({least}).min(0.0);
            let sr = ({most}).max(0.0);
            State {{
                rho: mean_of_two(fl.rho, fr.rho, l.rho, r.rho, sl, sr),
                rho_v1: mean_of_two(fl.rho_v1, fr.rho_v1, l.rho_v1, r.rho_v1, sl, sr),
                rho_v2: mean_of_two(fl.rho_v2, fr.rho_v2, l.rho_v2, r.rho_v2, sl, sr),
                rho_e: mean_of_two(fl.rho_e, fr.rho_e, l.rho_e, r.rho_e, sl, sr),
            }}
        }}
        #[numerical_flux] fn one_wave(l: State, r: State, n: Normal, gas: Params) -> State {{
            let fl = normal_flux(l, n, gas);
            let fr = normal_flux(r, n, gas);
            let s = {speed};
            State {{
                rho: 0.5 * (fl.rho + fr.rho - s * (r.rho - l.rho)),
                rho_v1: 0.5 * (fl.rho_v1 + fr.rho_v1 - s * (r.rho_v1 - l.rho_v1)),
                rho_v2: 0.5 * (fl.rho_v2 + fr.rho_v2 - s * (r.rho_v2 - l.rho_v2)),
                rho_e: 0.5 * (fl.rho_e + fr.rho_e - s * (r.rho_e - l.rho_e)),
            }}
        }}"
    )
}

const BOTH: (&str, &str) = ("slowest(l, r, n, gas)", "fastest(l, r, n, gas)");
const LARGEST: &str = "(drift(l, n).abs() + sound(l, gas)).max(drift(r, n).abs() + sound(r, gas))";

#[test]
fn speeds_of_both_sides_are_enough() {
    let (report, _) = passes("euler", &with(BOTH.0, BOTH.1, LARGEST));
    for name in ["one_wave", "two_waves"] {
        assert!(method(&report, &format!("no wave outruns the signals of `{name}`")).is_some());
    }
    // HLLC has three.
    assert!(method(&report, "no wave outruns the signals of `hllc`").is_none());
}

#[test]
fn the_smaller_speed_of_both_sides_is_too_small() {
    // All of them are right between equal states.
    let min = LARGEST.replace(".max(", ".min(");
    let (least, most) = (BOTH.0.replace("slowest", "-fastest"), BOTH.1);
    let least = format!("(drift(l, n) - sound(l, gas)).max(drift(r, n) - sound(r, gas)) + 0.0 * ({least})");
    let most = format!("(drift(l, n) + sound(l, gas)).min(drift(r, n) + sound(r, gas)) + 0.0 * ({most})");
    for (text, name) in [(with(BOTH.0, BOTH.1, &min), "one_wave"), (with(&least, &most, LARGEST), "two_waves")] {
        let source = law("euler", &text);
        let found = found(&source);
        assert!(
            found
                .iter()
                .any(|(severity, at, message)| (*severity, *at) == (Severity::Warning(Warning::SlowSignals), name)
                    && message.contains("slower signals")),
            "{name}: {found:#?}"
        );
    }
}

#[test]
fn a_shock_that_outruns_the_signals_is_found() {
    // Right for all waves of the state on their own side.
    let own = ("(drift(l, n) - sound(l, gas)).min(-0.001)", "(drift(r, n) + sound(r, gas)).max(0.001)");
    let source = law("euler", &with(own.0, own.1, LARGEST));
    let found = found(&source);
    let expected = (Severity::Warning(Warning::SlowSignals), "two_waves");
    assert!(found.iter().any(|(severity, at, _)| (*severity, *at) == expected), "{found:#?}");
}
