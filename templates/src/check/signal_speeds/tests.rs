use std::ops::Bound;

use crate::check::laws::EULER;
use crate::check::testing::law;
use crate::check::tests::{accepts, alone};
use crate::check::{Severity, numerical_flux};
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
    let proofs = accepts(&law("euler", &with(BOTH.0, BOTH.1, LARGEST)), numerical_flux::check);
    let is_stated = |name: &str| proofs.contains(&format!("no wave outruns the signals of `{name}`"));
    // HLLC has three.
    assert_eq!(["one_wave", "two_waves", "hllc"].map(is_stated), [true, true, false]);
}

#[test]
#[ignore = "long"]
fn the_speed_of_one_side_or_the_smaller_of_both_is_too_small() {
    // All of them are right between equal states. HLL's one-sided speeds are right for all waves of the state on their own side, but not
    // for shocks.
    let min = LARGEST.replace(".max(", ".min(");
    let (least, most) = (
        "(drift(l, n) - sound(l, gas)).max(drift(r, n) - sound(r, gas))",
        "(drift(l, n) + sound(l, gas)).min(drift(r, n) + sound(r, gas))",
    );
    let own = ("(drift(l, n) - sound(l, gas)).min(-0.001)", "(drift(r, n) + sound(r, gas)).max(0.001)");
    for (two, one, wrong) in
        [((least, most), &*min, &["two_waves", "one_wave"][..]), (own, LARGEST, &["two_waves"][..])]
    {
        let source = law("euler", &with(two.0, two.1, one));
        let found = alone(&source, numerical_flux::check);
        assert_eq!(found.iter().map(|(_, at, _)| *at).collect::<Vec<_>>(), wrong, "{found:#?}");
        for (severity, _, message) in &found {
            assert_eq!(*severity, Severity::Warning(Warning::SlowSignals));
            assert!(message.contains("slower signals"), "{message}");
        }
    }
}

/// Free particles by their velocity, ∂v/∂t + (v·∇) v = 0, with a flux that is damping alone.
#[test]
fn the_speed_of_the_slower_side_is_too_small_beside_a_product_as_well() {
    let damped = |speed: &str| {
        let text = format!(
            "state v1, v2;
            fn flux(u: State) -> [State; 2] {{ [State {{ v1: 0.0, v2: 0.0 }}, State {{ v1: 0.0, v2: 0.0 }}] }}
            fn across(u: State, n: Normal) -> f64 {{ u.v1 * n.x + u.v2 * n.y }}
            #[nonconservative] fn inertia(u: State, c: State, n: Normal) -> State {{
                State {{ v1: across(u, n) * c.v1, v2: across(u, n) * c.v2 }}
            }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{ [across(u, n), across(u, n)] }}
            #[numerical_flux] fn damped(l: State, r: State, n: Normal) -> State {{
                let s = {speed};
                State {{ v1: 0.5 * s * (l.v1 - r.v1), v2: 0.5 * s * (l.v2 - r.v2) }}
            }}"
        );
        law("particles", &text)
    };
    let largest = "across(l, n).abs().max(across(r, n).abs())";
    let proofs = accepts(&damped(largest), numerical_flux::check);
    assert!(proofs.contains(&"no wave outruns the signals of `damped`".into()), "{proofs:#?}");
    let source = damped(&largest.replace(".max(", ".min("));
    let found = alone(&source, numerical_flux::check);
    let slow = (Severity::Warning(Warning::SlowSignals), "damped");
    assert!(matches!(&found[..], [(severity, at, _)] if (*severity, *at) == slow), "{found:#?}");
}

/// A van der Waals gas in Lagrangian coordinates, whose two waves are equally fast, so that Roe's flux has one speed: that of shocks.
#[test]
fn roe_may_have_one_speed_between_those_of_both_sides() {
    let gas = |speed: &str| {
        let text = format!(
            "state v, w;
            fn pressure(u: State) -> f64 {{ 8.8 / (3.0 * u.v - 1.0) - 3.0 / (u.v * u.v) }}
            fn sound(v: f64) -> f64 {{ (26.4 / ((3.0 * v - 1.0) * (3.0 * v - 1.0)) - 6.0 / (v * v * v)).sqrt() }}
            fn flux(u: State) -> [State; 2] {{ [State {{ v: -u.w, w: pressure(u) }}, State {{ v: 0.0, w: 0.0 }}] }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{ [-sound(u.v) * n.x, sound(u.v) * n.x] }}
            #[admissible] fn gaseous(u: State) -> [f64; 1] {{ [3.0 * u.v - 1.0] }}
            #[numerical_flux] fn roe(l: State, r: State, n: Normal) -> State {{
                let (a, b) = (3.0 * l.v - 1.0, 3.0 * r.v - 1.0);
                let s = {speed} * n.x.abs();
                State {{
                    v: 0.5 * (-n.x * (l.w + r.w) - s * (r.v - l.v)),
                    w: 0.5 * (n.x * (pressure(l) + pressure(r)) - s * (r.w - l.w)),
                }}
            }}"
        );
        law("gas", &text)
    };
    let proofs =
        accepts(&gas("(26.4 / (a * b) - 3.0 * (l.v + r.v) / (l.v * l.v * r.v * r.v)).sqrt()"), numerical_flux::check);
    assert!(proofs.contains(&"no isolated shock outruns the signals of `roe`".into()), "{proofs:#?}");
    let source = gas("sound(0.5 * (l.v + r.v))");
    let found = alone(&source, numerical_flux::check);
    let slow = (Severity::Warning(Warning::SlowSignals), "roe");
    assert!(matches!(&found[..], [(severity, at, _)] if (*severity, *at) == slow), "{found:#?}");
}

/// A gas of constant entropy in Lagrangian coordinates with a flux of Osher and Solomon's kind: |λ| is a mean along the straight path.
#[test]
#[ignore = "long"]
fn a_mean_speed_along_the_path_is_enough_and_that_of_its_middle_is_too_small() {
    let gas = |speed: &str| {
        let text = format!(
            "params gamma = 1.4;
            state v, w;
            fn pressure(u: State, gas: Params) -> f64 {{ u.v.powf(-gas.gamma) }}
            fn sound(v: f64, gas: Params) -> f64 {{ (gas.gamma * v.powf(-gas.gamma - 1.0)).sqrt() }}
            fn flux(u: State, gas: Params) -> [State; 2] {{ [State {{ v: -u.w, w: pressure(u, gas) }}, State {{ v: 0.0, w: 0.0 }}] }}
            fn eigenvalues(u: State, n: Normal, gas: Params) -> [f64; 2] {{ [-sound(u.v, gas) * n.x, sound(u.v, gas) * n.x] }}
            #[admissible] fn dense(u: State) -> [f64; 1] {{ [u.v] }}
            #[numerical_flux] fn osher(l: State, r: State, n: Normal, gas: Params) -> State {{
                let s = ({speed}) * n.x.abs();
                State {{
                    v: 0.5 * (-n.x * (l.w + r.w) - s * (r.v - l.v)),
                    w: 0.5 * (n.x * (pressure(l, gas) + pressure(r, gas)) - s * (r.w - l.w)),
                }}
            }}"
        );
        law("gas", &text)
    };
    let at = |place: &str| format!("sound(l.v + {place} * (r.v - l.v), gas)");
    let ends = format!("0.5 * ({} + {})", at("0.211324865405187"), at("0.788675134594813"));
    let three =
        format!("({} + {}) * 5.0 / 18.0 + {} * 4.0 / 9.0", at("0.112701665379258"), at("0.887298334620742"), at("0.5"));
    for right in [&*three, &ends, "0.5 * (sound(l.v, gas) + sound(r.v, gas))"] {
        let proofs = accepts(&gas(right), numerical_flux::check);
        assert!(proofs.contains(&"no wave outruns the signals of `osher`".into()), "{right}: {proofs:#?}");
    }
    // The speed is convex.
    for slow in [at("0.5"), "sound(l.v, gas).min(sound(r.v, gas))".into()] {
        let source = gas(&slow);
        let found = alone(&source, numerical_flux::check);
        assert!(matches!(&found[..], [(Severity::Warning(Warning::SlowSignals), "osher", _)]), "{slow}: {found:#?}");
    }
}

/// Between equal states, where damping is held to the waves, this speed is right at any γ.
#[test]
#[ignore = "long"]
fn a_speed_that_is_enough_near_the_default_parameters_alone_is_too_small() {
    let speed = format!("if gas.gamma > 2.5 {{ {} }} else {{ {LARGEST} }}", LARGEST.replace(".max(", ".min("));
    let mut source = law("euler", &with(BOTH.0, BOTH.1, &speed));
    accepts(&source, numerical_flux::check);
    source.law.parameters.fields[0].range = (Bound::Excluded("1.0".into()), Bound::Unbounded);
    let found = alone(&source, numerical_flux::check);
    let slow = (Severity::Warning(Warning::SlowSignals), "one_wave");
    assert!(matches!(&found[..], [(severity, at, _)] if (*severity, *at) == slow), "{found:#?}");
}
