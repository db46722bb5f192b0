use std::ops::Bound;

use crate::check::Severity;
use crate::check::laws::EULER;
use crate::check::testing::law;
use crate::check::tests::{found, has_one_mistake, method, passes};
use crate::derive::Characteristic;
use crate::emit::generate;
use crate::ir::Warning;

/// Two layers of fluid in x, the lower of density 1 and the upper of density r, as equations for velocities (in terms of momenta they have
/// no flux). The eigenvalues are roots of a quartic, `((λ - v)² - g h) ((λ - w)² - g k) = r g² h k`.
const TWO_LAYERS: &str = "
params g = 9.81, r = 0.5;
state h, k, v, w;

fn flux(u: State, p: Params) -> [State; 2] {
    [
        State {
            h: u.h * u.v,
            k: u.k * u.w,
            v: 0.5 * u.v * u.v + p.g * (u.h + p.r * u.k),
            w: 0.5 * u.w * u.w + p.g * (u.h + u.k),
        },
        State { h: 0.0, k: 0.0, v: 0.0, w: 0.0 },
    ]
}

#[wave_speed]
fn bound(u: State, n: Normal, p: Params) -> f64 {
    (u.v.abs().max(u.w.abs()) + (p.g * (u.h + u.k)).sqrt()) * n.x.abs()
}

#[admissible]
fn thick_and_slow(u: State, p: Params) -> [f64; 3] {
    [u.h, u.k, 0.2 * p.g * u.h.min(u.k) - (u.v - u.w) * (u.v - u.w)]
}

#[boundary]
fn open(u: State) -> State {
    u
}
";

#[test]
fn a_bound_takes_the_place_of_eigenvalues() {
    let (report, derived) = passes("two_layers", TWO_LAYERS);
    assert!(method(&report, "`bound` bounds the eigenvalues of the flux Jacobian").is_some());
    assert!(method(&report, "no wave is faster than").is_some());
    assert!(matches!(derived.characteristic, Characteristic::None(_)));
    let code = generate(&law("two_layers", TWO_LAYERS).law, &derived).unwrap();
    assert!(code.physics.contains("#define NO_EIGENVALUES") && !code.physics.contains("law_eigenvalues"));
    assert!(code.physics.contains("const real lambda = bound(u, n);\n    return -lambda;"));
}

#[test]
#[ignore = "long"]
fn a_bound_that_a_wave_exceeds_is_a_mistake() {
    let mistake = "`bound` does not bound the speeds of all waves: it is ";
    for (from, to) in [
        ("(u.h + u.k)).sqrt()", "u.h).sqrt()"),
        ("u.v.abs().max(u.w.abs())", "u.v"),
        ("u.v.abs().max(u.w.abs()) + (p.g", "(p.g"),
        ("(p.g * (u.h + u.k))", "(0.2 * p.g * (u.h + u.k))"),
        ("* n.x.abs()", "* n.x"),
    ] {
        assert!(TWO_LAYERS.contains(from));
        has_one_mistake(&law("two_layers", &TWO_LAYERS.replace(from, to)), "bound", mistake);
    }
}

#[test]
#[ignore = "long"]
fn a_bound_of_two_numbers_is_held_to_both() {
    let sound = "let s = (p.g * (u.h + u.k)).sqrt() * n.x.abs();
        let (a, b) = (u.v * n.x, u.w * n.x);
        [a.min(b) - s, a.max(b) + s]
    }";
    let body = "(u.v.abs().max(u.w.abs()) + (p.g * (u.h + u.k)).sqrt()) * n.x.abs()\n}";
    let both = TWO_LAYERS.replace("-> f64 {\n    (u.v.abs", "-> [f64; 2] {\n    (u.v.abs").replace(body, sound);
    let (_, derived) = passes("two_layers", &both);
    assert!(derived.wave_speed.starts_with("max(|"));
    for (from, to) in [("a.min(b) - s", "a.min(b) - 0.3 * s"), ("a.max(b) + s", "a.max(b) + 0.3 * s"), ("+ s", "- s")] {
        let wrong = law("two_layers", &both.replace(from, to));
        has_one_mistake(&wrong, "bound", "`bound` does not bound the speeds of all waves: it is [");
    }
}

#[test]
fn a_loose_bound_is_warned_of() {
    let loose = TWO_LAYERS.replace("* n.x.abs()", "* 9.0 * n.x.abs()");
    let source = law("two_layers", &loose);
    let found = found(&source);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0, found[0].1), (Severity::Warning(Warning::LooseBound), "bound"));
}

#[test]
fn states_without_real_waves_are_told_of() {
    let shear = TWO_LAYERS.replace("0.2 * p.g * u.h.min(u.k)", "9.0 * p.g * u.h.min(u.k)");
    let source = law("two_layers", &shear);
    let found = found(&source);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].1), (Severity::Warning(Warning::NotHyperbolic), "bound"));
    // Waves of imaginary speed everywhere.
    let elliptic = "state a, b;
        fn flux(u: State) -> [State; 2] { [State { a: u.b, b: -u.a }, State { a: 0.0, b: 0.0 }] }
        #[wave_speed] fn bound(u: State, n: Normal) -> f64 { 1.0 }";
    has_one_mistake(
        &law("elliptic", elliptic),
        "bound",
        "the law is not hyperbolic: the flux Jacobian has complex eigenvalues",
    );
}

#[test]
#[ignore = "long"]
fn a_bound_beside_eigenvalues_is_what_fluxes_use() {
    let bounded = format!(
        "{EULER}
        #[wave_speed]
        fn bound(u: State, n: Normal, gas: Params) -> f64 {{
            (u.rho_v1 * n.x + u.rho_v2 * n.y).abs() / u.rho + (gas.gamma * pressure(u, gas) / u.rho).sqrt()
        }}"
    );
    let (report, derived) = passes("euler", &bounded);
    assert!(method(&report, "`bound` bounds the eigenvalues").is_some());
    assert!(derived.wave_speed.starts_with("abs(") || derived.wave_speed == "bound(u, n)", "{}", derived.wave_speed);
    let code = generate(&law("euler", &bounded).law, &derived).unwrap().physics;
    assert!(code.contains("law_eigenvalues") && code.contains("const real lambda = bound(u, n);"));
}

#[test]
fn a_flux_without_damping_is_told_of_without_eigenvalues() {
    let central = format!(
        "{TWO_LAYERS}
        #[numerical_flux]
        fn mean(l: State, r: State, n: Normal, p: Params) -> State {{
            let (a, b) = (flux(l, p)[0], flux(r, p)[0]);
            State {{
                h: 0.5 * n.x * (a.h + b.h), k: 0.5 * n.x * (a.k + b.k),
                v: 0.5 * n.x * (a.v + b.v), w: 0.5 * n.x * (a.w + b.w),
            }}
        }}"
    );
    let source = law("two_layers", &central);
    let found = found(&source);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].0, found[0].1), (Severity::Warning(Warning::WeakDissipation), "mean"));
}

#[test]
fn a_bound_is_held_to_all_of_the_ranges_of_parameters() {
    let weak = TWO_LAYERS.replace("(p.g * (u.h + u.k)).sqrt()", "(p.g.min(14.0) * (u.h + u.k)).sqrt()");
    let mut source = law("two_layers", &weak);
    source.law.parameters.fields[0].range = (Bound::Excluded("0.0".into()), Bound::Unbounded);
    has_one_mistake(&source, "bound", "`bound` does not bound the speeds of all waves: it is ");
}

/// Wrong powers of the density, and speeds that end somewhere: right at most moderate states, where density is larger than 1.
#[test]
#[ignore = "long"]
fn a_bound_is_held_to_states_over_many_decades() {
    let gas = |speed: &str, sound: &str| {
        let bound = format!(
            "#[wave_speed]
            fn bound(u: State, n: Normal, gas: Params) -> f64 {{
                let m = (u.rho_v1 * n.x + u.rho_v2 * n.y).abs();
                let p = pressure(u, gas);
                {speed} + ({sound}).sqrt()
            }}"
        );
        let mut source = law("gas", &format!("{EULER}{bound}"));
        source.law.parameters.fields[0].range = (Bound::Excluded("1.0".into()), Bound::Unbounded);
        source
    };
    let (v, c) = ("m / u.rho", "gas.gamma * p / u.rho");
    assert_eq!(found(&gas(v, c)), []);
    for (speed, sound) in [
        (v, "gas.gamma * p"),
        (v, "gas.gamma * p / u.rho * u.rho.min(1.0)"),
        (v, "(gas.gamma * p / u.rho).min(1600.0)"),
        (v, "p / u.rho"),
        ("m", c),
        ("(m / u.rho).min(2.0)", c),
        ("(m / u.rho).min(20.0)", c),
    ] {
        has_one_mistake(&gas(speed, sound), "bound", "`bound` does not bound the speeds of all waves: it is ");
    }
}
