use crate::check::Severity;
use crate::check::laws::EULER;
use crate::check::testing::law;
use crate::check::tests::{found, method, passes};
use crate::ir::Warning;

const WEAK: Severity = Severity::Warning(Warning::WeakDissipation);

/// The Euler equations with another numerical flux.
fn with(flux: &str) -> String {
    format!("{EULER}\n{flux}")
}

/// The mean of the fluxes less half of `damping` times the jump.
fn central(attribute: &str, damping: &str) -> String {
    with(&format!(
        "fn speed(u: State, n: Normal, gas: Params) -> f64 {{
            ((u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho).abs() + (gas.gamma * pressure(u, gas) / u.rho).sqrt()
        }}
        fn drift(u: State, n: Normal) -> f64 {{ ((u.rho_v1 * n.x + u.rho_v2 * n.y) / u.rho).abs() }}
        {attribute} fn friedrichs(l: State, r: State, n: Normal, gas: Params) -> State {{
            let fl = normal_flux(l, n, gas);
            let fr = normal_flux(r, n, gas);
            let s = {damping};
            State {{
                rho: 0.5 * (fl.rho + fr.rho) - 0.5 * s * (r.rho - l.rho),
                rho_v1: 0.5 * (fl.rho_v1 + fr.rho_v1) - 0.5 * s * (r.rho_v1 - l.rho_v1),
                rho_v2: 0.5 * (fl.rho_v2 + fr.rho_v2) - 0.5 * s * (r.rho_v2 - l.rho_v2),
                rho_e: 0.5 * (fl.rho_e + fr.rho_e) - 0.5 * s * (r.rho_e - l.rho_e),
            }}
        }}"
    ))
}

const SPEED: &str = "speed(l, n, gas).max(speed(r, n, gas))";

#[test]
fn sound_fluxes_damp_every_wave() {
    let (report, _) = passes("euler", &central("#[numerical_flux]", SPEED));
    for name in ["hllc", "friedrichs"] {
        assert!(method(&report, &format!("`{name}` damps every wave")).is_some());
    }
}

#[test]
fn too_little_and_the_wrong_sign_are_told_apart() {
    for (damping, severity, message) in [
        (format!("0.5 * {SPEED}"), WEAK, "`friedrichs` damps a wave less than upwinding"),
        ("0.0".into(), WEAK, "`friedrichs` damps a wave less than upwinding"),
        ("drift(l, n).max(drift(r, n))".into(), WEAK, "`friedrichs` damps a wave less than upwinding"),
        (format!("-{SPEED}"), Severity::Error, "`friedrichs` is anti-diffusive"),
        ("-drift(l, n).max(drift(r, n))".into(), Severity::Error, "`friedrichs` is anti-diffusive"),
    ] {
        let source = law("euler", &central("#[numerical_flux]", &damping));
        let found = found(&source);
        assert_eq!(found.len(), 1, "{damping}: {found:#?}");
        assert_eq!((found[0].0, found[0].1), (severity, "friedrichs"), "{damping}");
        assert!(found[0].2.starts_with(message), "{damping}: {}", found[0].2);
    }
}

#[test]
fn a_star_state_with_a_wrong_transverse_momentum_is_found() {
    let wrong = EULER
        .replace("(u.rho_v2 / u.rho + (sm - vn) * n.y) - u.rho_v2", "(u.rho_v2 / u.rho + (sm - vn) * n.x) - u.rho_v2");
    assert_ne!(wrong, EULER);
    let wrong = law("euler", &wrong);
    let found = found(&wrong);
    assert!(found.iter().any(|(severity, at, _)| (*severity, *at) == (Severity::Error, "hllc")), "{found:#?}");
}

#[test]
fn a_flux_vector_splitting_says_so() {
    // Van Leer's: mass by a parabola in the Mach number, the rest with it.
    let van_leer = "
        fn half(u: State, n: Normal, gas: Params, sign: f64) -> State {
            let p = pressure(u, gas);
            let c = (gas.gamma * p / u.rho).sqrt();
            let v1 = u.rho_v1 / u.rho;
            let v2 = u.rho_v2 / u.rho;
            let vn = v1 * n.x + v2 * n.y;
            let m = sign * vn / c;
            let f = normal_flux(u, n, gas);
            let mass = sign * 0.25 * u.rho * c * (m + 1.0) * (m + 1.0);
            let part = (sign * 2.0 * c - vn) / gas.gamma;
            let along = (gas.gamma - 1.0) * vn + sign * 2.0 * c;
            let energy = along * along / (2.0 * (gas.gamma * gas.gamma - 1.0)) + 0.5 * (v1 * v1 + v2 * v2 - vn * vn);
            let zero = State { rho: 0.0, rho_v1: 0.0, rho_v2: 0.0, rho_e: 0.0 };
            let split = State { rho: mass, rho_v1: mass * (v1 + part * n.x), rho_v2: mass * (v2 + part * n.y), rho_e: mass * energy };
            if m >= 1.0 { f } else if m <= -1.0 { zero } else { split }
        }
        ATTRIBUTE fn van_leer(l: State, r: State, n: Normal, gas: Params) -> State {
            let a = half(l, n, gas, 1.0);
            let b = half(r, n, gas, -1.0);
            State { rho: a.rho + b.rho, rho_v1: a.rho_v1 + b.rho_v1, rho_v2: a.rho_v2 + b.rho_v2, rho_e: a.rho_e + b.rho_e }
        }";
    let undeclared = law("euler", &with(&van_leer.replace("ATTRIBUTE", "#[numerical_flux]")));
    let found = found(&undeclared);
    assert!(found.len() == 1 && found[0].2.starts_with("`van_leer` damps other waves"), "{found:#?}");
    let (report, _) = passes("euler", &with(&van_leer.replace("ATTRIBUTE", "#[numerical_flux(splitting)]")));
    assert!(method(&report, "`van_leer` lets no wave grow").is_some());
}

#[test]
fn units_of_any_size_hide_nothing() {
    // Sound in units in which pressures are as large as 1e140 times speeds.
    let sound = |sign: &str| {
        format!(
            "params c = 1.5, unit = 1e140;
            state p, v;
            fn flux(u: State, air: Params) -> [State; 2] {{
                [State {{ p: air.unit * air.c * air.c * u.v, v: u.p / air.unit }}, State {{ p: 0.0, v: 0.0 }}]
            }}
            fn eigenvalues(u: State, n: Normal, air: Params) -> [f64; 2] {{ [-air.c * n.x, air.c * n.x] }}
            #[numerical_flux] fn friedrichs(l: State, r: State, n: Normal, air: Params) -> State {{
                let s = air.c * n.x.abs();
                State {{
                    p: 0.5 * (air.unit * air.c * air.c * n.x * (l.v + r.v) {sign} s * (r.p - l.p)),
                    v: 0.5 * (n.x * (l.p + r.p) / air.unit {sign} s * (r.v - l.v)),
                }}
            }}"
        )
    };
    let (report, _) = passes("sound", &sound("-"));
    assert!(method(&report, "`friedrichs` damps every wave").is_some());
    let source = law("sound", &sound("+"));
    let found = found(&source);
    assert!(
        found.iter().any(|(_, at, message)| *at == "friedrichs" && message.contains("anti-diffusive")),
        "{found:#?}"
    );
}

#[test]
fn damping_is_known_without_eigenvalues() {
    let waves = EULER.replace(
        "fn eigenvalues(u: State, n: Normal, gas: Params) -> [f64; 4] {",
        "#[wave_speed] fn bound(u: State, n: Normal, gas: Params) -> f64 {",
    );
    let waves = waves.replace("    [vn - c, vn, vn, vn + c]\n", "    vn.abs() + c\n");
    let (report, _) = passes("euler", &waves);
    assert!(method(&report, "`hllc` damps every wave").is_some());
    let wrong = waves
        .replace("(u.rho_v2 / u.rho + (sm - vn) * n.y) - u.rho_v2", "(u.rho_v2 / u.rho + (sm - vn) * n.x) - u.rho_v2");
    let source = law("euler", &wrong);
    let found = found(&source);
    assert!(found.iter().any(|(severity, at, _)| (*severity, *at) == (Severity::Error, "hllc")), "{found:#?}");
}
