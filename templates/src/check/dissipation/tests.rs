use crate::check::laws::EULER;
use crate::check::testing::{Source, law};
use crate::check::tests::{accepts, alone, report_of};
use crate::check::{Checker, Severity, boundary, numerical_flux};
use crate::derive::{Point, Points};
use crate::ir::{Role, Warning};

const WEAK: Severity = Severity::Warning(Warning::WeakDissipation);
const SLOW: Severity = Severity::Warning(Warning::SlowSignals);
const STRONG: Severity = Severity::Warning(Warning::StrongDissipation);

/// The Euler equations without HLLC, but with this numerical flux.
fn with(flux: &str) -> String {
    let (flow, _) = EULER.split_once("fn star_flux").unwrap();
    format!("{flow}\n{flux}")
}

fn found(source: &Source) -> Vec<(Severity, &str, String)> {
    alone(source, numerical_flux::check)
}

/// Asserts that the fluxes of a law are right, and that this is stated of one.
fn proves(text: &str, statement: &str) {
    let proofs = accepts(&law("law", text), numerical_flux::check);
    assert!(proofs.iter().any(|proof| proof.contains(statement)), "{proofs:#?}");
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
    proves(EULER, "`hllc` damps every wave");
    proves(&central("#[numerical_flux]", &format!("1.9 * {SPEED}")), "`friedrichs` damps every wave");
}

#[test]
#[ignore = "long"]
fn too_little_and_the_wrong_sign_are_told_apart() {
    for (damping, severity, message) in [
        (format!("0.5 * {SPEED}"), WEAK, "`friedrichs` damps a wave less than upwinding"),
        ("0.0".into(), WEAK, "`friedrichs` damps a wave less than upwinding"),
        ("drift(l, n).max(drift(r, n))".into(), WEAK, "`friedrichs` damps a wave less than upwinding"),
        (format!("2.0 * {SPEED}"), STRONG, "`friedrichs` damps a wave at least twice as fast as any wave moves"),
        (format!("2.1 * {SPEED}"), STRONG, "`friedrichs` damps a wave at least twice as fast as any wave moves"),
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
    let undeclared =
        report_of(&law("euler", &with(&van_leer.replace("ATTRIBUTE", "#[numerical_flux]"))), numerical_flux::check)
            .diagnostics;
    let [message] = &undeclared[..] else { panic!("{undeclared:#?}") };
    assert!(message.message.starts_with("`van_leer` takes apart other waves"), "{message:?}");
    // The mistake comes first, and the declaration last.
    assert!(message.notes[2].contains("is wrong") && message.notes[3].contains("splitting"), "{message:?}");
    let declared = with(&van_leer.replace("ATTRIBUTE", "#[numerical_flux(splitting)]"));
    proves(&declared, "`van_leer` lets no wave grow, and mixes waves, as it declares");
    // Half of the way to the mean of both fluxes nothing grows yet, but the sum of all damping is half of upwinding's.
    let weak = declared.replace("State { rho: a.rho + b.rho, rho_v1: a.rho_v1 + b.rho_v1, rho_v2: a.rho_v2 + b.rho_v2, rho_e: a.rho_e + b.rho_e }", "
        let f = normal_flux(l, n, gas);
        let g = normal_flux(r, n, gas);
        State {
            rho: 0.5 * (a.rho + b.rho) + 0.25 * (f.rho + g.rho),
            rho_v1: 0.5 * (a.rho_v1 + b.rho_v1) + 0.25 * (f.rho_v1 + g.rho_v1),
            rho_v2: 0.5 * (a.rho_v2 + b.rho_v2) + 0.25 * (f.rho_v2 + g.rho_v2),
            rho_e: 0.5 * (a.rho_e + b.rho_e) + 0.25 * (f.rho_e + g.rho_e),
        }");
    assert_ne!(weak, declared);
    let weak = law("euler", &weak);
    let found = found(&weak);
    assert!(found.len() == 1 && (found[0].0, found[0].1) == (WEAK, "van_leer"), "{found:#?}");
}

#[test]
fn hllc_with_the_speed_of_one_side_is_blamed_itself_and_not_the_wall() {
    let one_sided = EULER.replace("(vl - cl).min(vr - cr)", "vl - cl").replace("(vl + cl).max(vr + cr)", "vr + cr");
    assert_ne!(one_sided, EULER);
    let source = law("euler", &one_sided);
    let found = alone(&source, numerical_flux::check);
    assert!(found.len() == 1 && (found[0].0, found[0].1) == (SLOW, "hllc"), "{found:#?}");
    // Where the flow towards the wall is supersonic both states are upwind of the other.
    let at_wall = |checker: &mut Checker| {
        let (law, mut source) = (checker.law, Points::new(checker.law, 1));
        let fastest = |point: &Point| {
            let speeds = point.map(|value| value.to_f64()).call(law, law.only(&Role::Eigenvalues).unwrap());
            speeds.unwrap().into_iter().fold(f64::INFINITY, f64::min)
        };
        checker.points = (0..60).filter_map(|_| source.admissible()).filter(|point| fastest(point) > 0.0).collect();
        boundary::check(checker);
    };
    let found = alone(&source, at_wall);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!((found[0].0, found[0].1) == (Severity::Error, "hllc") && found[0].2.contains("does not conserve"));
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
    proves(&sound("-"), "`friedrichs` damps every wave");
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
    proves(&waves, "`hllc` damps every wave");
    let wrong = waves
        .replace("(u.rho_v2 / u.rho + (sm - vn) * n.y) - u.rho_v2", "(u.rho_v2 / u.rho + (sm - vn) * n.x) - u.rho_v2");
    let source = law("euler", &wrong);
    let found = found(&source);
    assert!(found.iter().any(|(severity, at, _)| (*severity, *at) == (Severity::Error, "hllc")), "{found:#?}");
}

/// Two waves, of which the second is the faster one for large states alone; the flux damps it like the first.
#[test]
fn every_wave_is_the_fastest_at_some_state_that_is_tried() {
    let law = |speed: &str| {
        law(
            "rare",
            &format!(
                "state a, b;
                fn flux(u: State) -> [State; 2] {{
                    [State {{ a: 0.0, b: 0.014 * u.b * u.b * u.b / 3.0 }}, State {{ a: 0.0, b: 0.0 }}]
                }}
                #[nonconservative]
                fn product(u: State, v: State, n: Normal) -> State {{ State {{ a: 5.0 * n.x * v.a, b: 0.0 }} }}
                fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{ [5.0 * n.x, 0.014 * u.b * u.b * n.x] }}
                #[numerical_flux]
                fn friedrichs(l: State, r: State, n: Normal) -> State {{
                    let f = 0.5 * 0.014 * (l.b * l.b * l.b + r.b * r.b * r.b) / 3.0 * n.x;
                    let s = {speed} * n.x.abs();
                    State {{ a: -0.5 * s * (r.a - l.a), b: f - 0.5 * s * (r.b - l.b) }}
                }}"
            ),
        )
    };
    let slow = law("5.0");
    assert!(matches!(&found(&slow)[..], [(WEAK, "friedrichs", _)]), "{:?}", found(&slow));
    assert_eq!(found(&law("(0.014 * l.b * l.b).max(0.014 * r.b * r.b).max(5.0)")), []);
}

/// Two gases of one temperature and the speed of sound 1, whose flux takes momentum times density for the velocity in its signals: too
/// slow where both gases are thin, which few states are.
#[test]
fn a_speed_that_is_too_small_for_thin_states_alone_is_found() {
    let gases = |velocity: &str| {
        law(
            "gases",
            &format!(
                "state a, b, m;
                fn flux(u: State) -> [State; 2] {{
                    let v = u.m / (u.a + u.b);
                    [State {{ a: u.a * v, b: u.b * v, m: u.m * v + u.a + u.b }}, State {{ a: 0.0, b: 0.0, m: 0.0 }}]
                }}
                fn eigenvalues(u: State, n: Normal) -> [f64; 3] {{
                    let v = u.m / (u.a + u.b);
                    [(v - 1.0) * n.x, v * n.x, (v + 1.0) * n.x]
                }}
                #[admissible] fn positive(u: State) -> [f64; 2] {{ [u.a, u.b] }}
                fn speed(u: State) -> f64 {{ ({velocity}).abs() + 1.0 }}
                #[numerical_flux] fn friedrichs(l: State, r: State, n: Normal) -> State {{
                    let [f, _] = flux(l);
                    let [g, _] = flux(r);
                    let s = speed(l).max(speed(r)) * n.x.abs();
                    State {{
                        a: 0.5 * (n.x * (f.a + g.a) - s * (r.a - l.a)),
                        b: 0.5 * (n.x * (f.b + g.b) - s * (r.b - l.b)),
                        m: 0.5 * (n.x * (f.m + g.m) - s * (r.m - l.m)),
                    }}
                }}"
            ),
        )
    };
    assert_eq!(found(&gases("u.m / (u.a + u.b)")), []);
    let wrong = gases("u.m * (u.a + u.b)");
    assert!(matches!(&found(&wrong)[..], [(WEAK, "friedrichs", _)]), "{:?}", found(&wrong));
}

/// Burgers' equation in x alone, with this speed in Rusanov's flux.
fn along_a_line(speed: &str) -> Source {
    law(
        "line",
        &format!(
            "state u;
            fn flux(u: State) -> [State; 2] {{ [State {{ u: 0.5 * u.u * u.u }}, State {{ u: 0.0 }}] }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 1] {{ [u.u * n.x] }}
            #[numerical_flux]
            fn friedrichs(l: State, r: State, n: Normal) -> State {{
                let s = {speed};
                State {{ u: 0.25 * n.x * (l.u * l.u + r.u * r.u) - 0.5 * s * (r.u - l.u) }}
            }}"
        ),
    )
}

#[test]
fn damping_where_nothing_flows_is_found() {
    let forgotten = along_a_line("l.u.abs().max(r.u.abs())");
    let found = found(&forgotten);
    assert!(matches!(&found[..], [(STRONG, "friedrichs", _)]), "{found:#?}");
    assert!(found[0].2.contains("in the direction of y"), "{found:#?}");
    accepts(&along_a_line("n.x.abs() * l.u.abs().max(r.u.abs())"), numerical_flux::check);
    // What only keeps a divisor from zero damps nothing.
    accepts(&along_a_line("(n.x.abs() * l.u.abs().max(r.u.abs())).max(0.000000001)"), numerical_flux::check);
}

/// One of the normals that are tried is that of an axis.
#[test]
fn twice_the_damping_is_found_where_nothing_flows_along_an_axis() {
    let twice = along_a_line("2.0 * n.x.abs() * l.u.abs().max(r.u.abs())");
    let found = found(&twice);
    assert!(matches!(&found[..], [(STRONG, "friedrichs", _)]), "{found:#?}");
    assert!(found[0].2.contains("twice as fast"), "{found:#?}");
}

/// Two substances, of which no wave is faster than 1, with a speed in Rusanov's flux that grows without bound where there is little of one.
#[test]
fn damping_that_grows_beyond_all_waves_is_found() {
    let substances = |speed: &str| {
        let text = format!(
            "state a, b;
            fn flux(u: State) -> [State; 2] {{ [State {{ a: u.a, b: u.b / (1.0 + u.b) }}, State {{ a: 0.0, b: 0.0 }}] }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{ [n.x, n.x / ((1.0 + u.b) * (1.0 + u.b))] }}
            #[admissible] fn positive(u: State) -> [f64; 2] {{ [u.a, u.b] }}
            #[numerical_flux] fn friedrichs(l: State, r: State, n: Normal) -> State {{
                let s = {speed} * n.x.abs();
                State {{
                    a: 0.5 * (n.x * (l.a + r.a) - s * (r.a - l.a)),
                    b: 0.5 * (n.x * (l.b / (1.0 + l.b) + r.b / (1.0 + r.b)) - s * (r.b - l.b)),
                }}
            }}"
        );
        law("substances", &text)
    };
    for right in ["1.0", "1.9", "(1.0 + 0.5 / (1.0 + l.a.min(r.a)))"] {
        accepts(&substances(right), numerical_flux::check);
    }
    let wrong = substances("(1.0 + 0.5 / l.a.min(r.a))");
    let found = found(&wrong);
    assert!(matches!(&found[..], [(STRONG, "friedrichs", _)]), "{found:#?}");
    assert!(found[0].2.contains("at any state"), "{found:#?}");
}
