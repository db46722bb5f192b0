use std::ops::Bound;

use crate::check::testing::{Source, law};
use crate::check::tests::{accepts, report_of};
use crate::check::{Diagnostic, Severity, numerical_flux};
use crate::ir::Warning;

/// An isothermal gas in x with Roe's flux, whose waves have these speeds instead of |λ| (of the mean, the left and the right state),
/// and with HLL, whose slowest and fastest signals are these.
fn gas(speed: &str, slowest: &str, fastest: &str) -> String {
    format!(
        "state rho, m;
        fn flux(u: State) -> [State; 2] {{
            [State {{ rho: u.m, m: u.m * u.m / u.rho + u.rho }}, State {{ rho: 0.0, m: 0.0 }}]
        }}
        fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{
            [u.m / u.rho * n.x - n.x.abs(), u.m / u.rho * n.x + n.x.abs()]
        }}
        #[admissible] fn positive(u: State) -> [f64; 1] {{ [u.rho] }}
        fn speed(mean: f64, left: f64, right: f64) -> f64 {{ {speed} }}
        #[numerical_flux] fn roe(l: State, r: State, n: Normal) -> State {{
            let vl = l.m / l.rho;
            let vr = r.m / r.rho;
            let v = (l.rho.sqrt() * vl + r.rho.sqrt() * vr) / (l.rho.sqrt() + r.rho.sqrt());
            let a = 0.5 * ((v + 1.0) * (r.rho - l.rho) - r.m + l.m) * speed((v - 1.0) * n.x, (vl - 1.0) * n.x, (vr - 1.0) * n.x);
            let b = 0.5 * (r.m - l.m - (v - 1.0) * (r.rho - l.rho)) * speed((v + 1.0) * n.x, (vl + 1.0) * n.x, (vr + 1.0) * n.x);
            let momentum = l.m * vl + l.rho + r.m * vr + r.rho;
            State {{ rho: 0.5 * (n.x * (l.m + r.m) - a - b), m: 0.5 * (n.x * momentum - a * (v - 1.0) - b * (v + 1.0)) }}
        }}
        #[numerical_flux] fn hll(l: State, r: State, n: Normal) -> State {{
            let vl = l.m / l.rho * n.x;
            let vr = r.m / r.rho * n.x;
            let c = n.x.abs() + 0.0000001;
            let s = ({slowest}).min(0.0);
            let t = ({fastest}).max(0.0);
            let mass = t * l.rho * vl - s * r.rho * vr + s * t * (r.rho - l.rho);
            let momentum = t * (l.m * vl + l.rho * n.x) - s * (r.m * vr + r.rho * n.x) + s * t * (r.m - l.m);
            State {{ rho: mass / (t - s), m: momentum / (t - s) }}
        }}"
    )
}

const FIXED: &str = "mean.abs().max(mean - left).max(right - mean)";
const BOTH: [&str; 2] = ["(vl - c).min(vr - c)", "(vl + c).max(vr + c)"];

fn about(text: &str) -> Vec<Diagnostic> {
    report_of(&law("gas", text), numerical_flux::check).diagnostics
}

#[test]
fn roe_needs_an_entropy_fix() {
    let proofs = accepts(&law("gas", &gas(FIXED, BOTH[0], BOTH[1])), numerical_flux::check);
    for statement in ["no isolated shock outruns the signals of `roe`", "`roe` keeps no expansion shock at rest"] {
        assert!(proofs.iter().any(|proof| proof == statement), "{proofs:#?}");
    }
    // Harten's own fix is a smooth |λ|, larger than it near 0.
    let smooth = "if mean.abs() < 0.2 { mean * mean / 0.4 + 0.1 } else { mean.abs() }";
    assert_eq!(about(&gas(smooth, BOTH[0], BOTH[1])), []);
    let found = about(&gas("mean.abs()", BOTH[0], BOTH[1]));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Warning(Warning::ExpansionShocks));
    assert!(found[0].message.starts_with("`roe` keeps expansion shocks"));
    assert!(found[0].notes.iter().any(|note| note.contains("entropy fix")), "{found:#?}");
}

#[test]
fn shocks_do_not_outrun_signals_of_both_sides() {
    // All of these are right between equal states.
    for (speed, [slowest, fastest], wrong) in [
        ("left.abs().max(right.abs())", BOTH, None),
        ("left.abs().min(right.abs())", BOTH, Some("roe")),
        (FIXED, ["vl - c", "vr + c"], Some("hll")),
        (FIXED, ["(vl - c).max(vr - c)", "(vl + c).min(vr + c)"], Some("hll")),
    ] {
        let found = about(&gas(speed, slowest, fastest));
        assert_eq!(found.len(), usize::from(wrong.is_some()), "{speed}, {slowest}: {found:#?}");
        for (message, name) in found.iter().zip(wrong) {
            assert_eq!(message.severity, Severity::Warning(Warning::SlowSignals), "{message:?}");
            assert!(message.message.starts_with(&format!("`{name}` has slower signals")), "{message:?}");
        }
    }
}

#[test]
#[ignore = "long"]
fn laws_with_a_bound_alone_are_held_to_shocks() {
    let bound = |speed: &str| {
        let bounded = "#[wave_speed] fn bound(u: State, n: Normal) -> f64 { (u.m / u.rho * n.x).abs() + n.x.abs() }";
        gas(speed, BOTH[0], BOTH[1]).replace("fn eigenvalues", &format!("{bounded} fn unused"))
    };
    let proofs = accepts(&law("gas", &bound(FIXED)), numerical_flux::check);
    for statement in ["no isolated shock outruns the signals of `roe`", "`roe` keeps no expansion shock at rest"] {
        assert!(proofs.iter().any(|proof| proof == statement), "{proofs:#?}");
    }
    let found = about(&bound("mean.abs()"));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Warning(Warning::ExpansionShocks));
}

/// Shallow water in x whose pressure is a product, with two waves as fast as on their outer side or at a mean.
#[test]
#[ignore = "long"]
fn bores_are_known_beside_a_product() {
    let water = |mean: &str, outer: bool| {
        let [slower, faster] = if outer { ["", ""] } else { [".min(v - c)", ".max(v + c)"] };
        let text = format!(
            "state h, q;
            fn flux(u: State) -> [State; 2] {{ [State {{ h: u.q, q: u.q * u.q / u.h }}, State {{ h: 0.0, q: 0.0 }}] }}
            #[nonconservative] fn slope(u: State, change: State, n: Normal) -> State {{
                State {{ h: 0.0, q: u.h * change.h * n.x }}
            }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{
                let c = u.h.sqrt() * n.x.abs();
                [u.q / u.h * n.x - c, u.q / u.h * n.x + c]
            }}
            #[admissible] fn wet(u: State) -> [f64; 1] {{ [u.h] }}
            #[numerical_flux] fn hll(l: State, r: State, n: Normal) -> State {{
                let (a, b) = (l.h.sqrt(), r.h.sqrt());
                let (vl, vr) = (l.q / l.h * n.x, r.q / r.h * n.x);
                let v = (a * vl + b * vr) / (a + b);
                let c = {mean} * n.x.abs();
                let small = 0.0000001;
                let sl = (vl - a * n.x.abs()){slower}.min(-small);
                let sr = (vr + b * n.x.abs()){faster}.max(small);
                let (pl, pr) = (0.5 * l.h * l.h * n.x, 0.5 * r.h * r.h * n.x);
                let mass = sr * l.h * vl - sl * r.h * vr + sl * sr * (r.h - l.h);
                let momentum = sr * (l.q * vl + pl) - sl * (r.q * vr + pr) + sl * sr * (r.q - l.q);
                State {{ h: mass / (sr - sl), q: momentum / (sr - sl) - 0.5 * (pl + pr) }}
            }}"
        );
        law("water", &text)
    };
    let right = "(0.5 * (l.h + r.h)).sqrt()";
    let proofs = accepts(&water(right, false), numerical_flux::check);
    assert!(proofs.contains(&"no isolated shock outruns the signals of `hll`".into()), "{proofs:#?}");
    for wrong in [water("(0.1 * (l.h + r.h)).sqrt()", false), water(right, true)] {
        let found = report_of(&wrong, numerical_flux::check).diagnostics;
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].severity, Severity::Warning(Warning::SlowSignals), "{found:#?}");
    }
}

/// A bar that stiffens as it is stretched, with waves of the jump of the flux, and with one speed.
#[test]
fn what_falls_with_the_square_of_a_shock_is_no_mistake() {
    let bar = |fluxes: &str| {
        let text = format!(
            "state e, m;
            fn stress(e: f64) -> f64 {{ e + e * e * e }}
            fn speed(e: f64) -> f64 {{ (1.0 + 3.0 * e * e).sqrt() }}
            fn flux(u: State) -> [State; 2] {{ [State {{ e: -u.m, m: -stress(u.e) }}, State {{ e: 0.0, m: 0.0 }}] }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{ [-speed(u.e) * n.x, speed(u.e) * n.x] }}
            #[numerical_flux] fn waves(l: State, r: State, n: Normal) -> State {{ {fluxes} }}"
        );
        law("bar", &text)
    };
    // A wave to the left in the material on the left, one to the right in that on the right.
    let split = "
        let (a, b) = if n.x > 0.0 { (l, r) } else { (r, l) };
        let (ca, cb) = (speed(a.e), speed(b.e));
        let left = (cb * (a.m - b.m) + stress(a.e) - stress(b.e)) / (ca + cb);
        State { e: n.x * (left - a.m), m: n.x * (ca * left - stress(a.e)) }";
    let proofs = accepts(&bar(split), numerical_flux::check);
    assert!(proofs.contains(&"no isolated shock outruns the signals of `waves`".into()), "{proofs:#?}");
    // A speed that is too small by the jump itself.
    let slow = "
        let c = speed(l.e).min(speed(r.e)) * n.x.abs();
        State {
            e: 0.5 * (-n.x * (l.m + r.m) - c * (r.e - l.e)),
            m: 0.5 * (-n.x * (stress(l.e) + stress(r.e)) - c * (r.m - l.m)),
        }";
    let found = report_of(&bar(slow), numerical_flux::check).diagnostics;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Warning(Warning::SlowSignals), "{found:#?}");
}

/// Vehicles with two destinations and one speed: the smaller of what the road behind sends and what that ahead takes is one of two
/// functions, with a kink at equal states.
#[test]
fn weak_waves_are_tried_to_both_sides() {
    let traffic = |best: f64| {
        let text = format!(
            "state on, off;
            fn flux(u: State) -> [State; 2] {{
                let speed = 1.0 - u.on - u.off;
                [State {{ on: u.on * speed, off: u.off * speed }}, State {{ on: 0.0, off: 0.0 }}]
            }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 2] {{
                [(1.0 - 2.0 * u.on - 2.0 * u.off) * n.x, (1.0 - u.on - u.off) * n.x]
            }}
            #[admissible] fn room(u: State) -> [f64; 3] {{ [u.on, u.off, 1.0 - u.on - u.off] }}
            #[numerical_flux] fn transmission(l: State, r: State, n: Normal) -> State {{
                let (behind, ahead) = if n.x > 0.0 {{ (l, r) }} else {{ (r, l) }};
                let (from, to) = (behind.on + behind.off, ahead.on + ahead.off);
                let (sent, taken) = (from.min(0.5), to.max({best}));
                let flow = (sent * (1.0 - sent)).min(taken * (1.0 - taken));
                State {{ on: n.x * flow * behind.on / from, off: n.x * flow * behind.off / from }}
            }}"
        );
        law("traffic", &text)
    };
    accepts(&traffic(0.5), numerical_flux::check);
    let found = report_of(&traffic(0.25), numerical_flux::check).diagnostics;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].message.starts_with("`transmission` has slower signals"), "{found:#?}");
}

/// Water after Tait with Suliciu's relaxation (F. Bouchut, Nonlinear Stability of Finite Volume Methods for Hyperbolic Conservation Laws,
/// Birkhäuser 2004, section 2.4, <https://doi.org/10.1007/b93802>), whose signals have this α, ½ (n + 1) in the book.
fn water(alpha: &str) -> Source {
    let text = format!(
        "params b = 1.0, rho0 = 1.0, n = 7.0;
        state rho, m1, m2;
        fn pressure(u: State, w: Params) -> f64 {{ w.b * ((u.rho / w.rho0).powf(w.n) - 1.0) }}
        fn sound(u: State, w: Params) -> f64 {{ (w.n * w.b / w.rho0 * (u.rho / w.rho0).powf(w.n - 1.0)).sqrt() }}
        fn flux(u: State, w: Params) -> [State; 2] {{
            let (v1, v2) = (u.m1 / u.rho, u.m2 / u.rho);
            let p = pressure(u, w);
            [
                State {{ rho: u.m1, m1: u.m1 * v1 + p, m2: u.m2 * v1 }},
                State {{ rho: u.m2, m1: u.m1 * v2, m2: u.m2 * v2 + p }},
            ]
        }}
        fn eigenvalues(u: State, n: Normal, w: Params) -> [f64; 3] {{
            let vn = (u.m1 * n.x + u.m2 * n.y) / u.rho;
            let c = sound(u, w);
            [vn - c, vn, vn + c]
        }}
        #[admissible] fn positive(u: State) -> [f64; 1] {{ [u.rho] }}
        #[numerical_flux] fn suliciu(l: State, r: State, n: Normal, w: Params) -> State {{
            let alpha = {alpha};
            let (vl, vr) = ((l.m1 * n.x + l.m2 * n.y) / l.rho, (r.m1 * n.x + r.m2 * n.y) / r.rho);
            let (pl, pr) = (pressure(l, w), pressure(r, w));
            let (al, ar) = (sound(l, w), sound(r, w));
            let (cl, cr) = if pr >= pl {{
                let cl = l.rho * (al + alpha * ((pr - pl) / (r.rho * ar) + vl - vr).max(0.0));
                (cl, r.rho * (ar + alpha * ((pl - pr) / cl + vl - vr).max(0.0)))
            }} else {{
                let cr = r.rho * (ar + alpha * ((pl - pr) / (l.rho * al) + vl - vr).max(0.0));
                (l.rho * (al + alpha * ((pr - pl) / cr + vl - vr).max(0.0)), cr)
            }};
            let v = (cl * vl + cr * vr + pl - pr) / (cl + cr);
            let p = (cr * pl + cl * pr + cl * cr * (vl - vr)) / (cl + cr);
            let rl = 1.0 / (1.0 / l.rho + (cr * (vr - vl) + pl - pr) / (cl * (cl + cr)));
            let rr = 1.0 / (1.0 / r.rho + (cl * (vr - vl) + pr - pl) / (cr * (cl + cr)));
            let (rho, vn, p) = if vl - cl / l.rho > 0.0 {{
                (l.rho, vl, pl)
            }} else if v > 0.0 {{
                (rl, v, p)
            }} else if vr + cr / r.rho > 0.0 {{
                (rr, v, p)
            }} else {{
                (r.rho, vr, pr)
            }};
            let across = if v > 0.0 {{ (l.m2 * n.x - l.m1 * n.y) / l.rho }} else {{ (r.m2 * n.x - r.m1 * n.y) / r.rho }};
            let normal = rho * vn * vn + p;
            State {{
                rho: rho * vn,
                m1: normal * n.x - rho * vn * across * n.y,
                m2: normal * n.y + rho * vn * across * n.x,
            }}
        }}"
    );
    let mut source = law("water", &text);
    for (field, least) in source.law.parameters.fields.iter_mut().zip(["0.0", "0.0", "1.0"]) {
        field.range = (Bound::Excluded(least.into()), Bound::Unbounded);
    }
    source
}

#[test]
fn signals_that_are_too_slow_for_some_parameters_alone_are_found() {
    accepts(&water("0.5 * (w.n + 1.0)"), numerical_flux::check);
    // That is enough for n ≤ 7 alone, where a weak shock is faster than sound by ¼ (n + 1) of the jump of the velocity.
    let found = report_of(&water("1.0"), numerical_flux::check).diagnostics;
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, Severity::Warning(Warning::SlowSignals), "{found:#?}");
}
