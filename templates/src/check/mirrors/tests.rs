use crate::algebra;
use crate::check::laws::{EULER, MHD, SHALLOW_WATER};
use crate::check::testing::{Source, law};
use crate::check::tests::{found, method, passes};
use crate::check::{Checker, Method, Severity};
use crate::ir::Warning;

/// A gas of constant temperature along x, with Roe's flux and an entropy fix: no vector shows that both directions are alike.
const ALONG: &str = "
state rho, q;

fn flux(u: State) -> [State; 2] {
    [State { rho: u.q, q: u.q * u.q / u.rho + u.rho }, State { rho: 0.0, q: 0.0 }]
}

fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
    [(u.q / u.rho - 1.0) * n.x, (u.q / u.rho + 1.0) * n.x]
}

#[admissible]
fn positive(u: State) -> [f64; 1] {
    [u.rho]
}

#[numerical_flux]
fn roe(l: State, r: State, n: Normal) -> State {
    let vl = l.q / l.rho;
    let vr = r.q / r.rho;
    let v = (l.rho.sqrt() * vl + r.rho.sqrt() * vr) / (l.rho.sqrt() + r.rho.sqrt());
    let jump = v * (r.rho - l.rho) - (r.q - l.q);
    let spread = (v - vl).abs().max((vr - v).abs());
    let slow = (v - 1.0).abs().max(spread) * (jump + r.rho - l.rho) * n.x.abs();
    let fast = (v + 1.0).abs().max(spread) * (r.rho - l.rho - jump) * n.x.abs();
    State {
        rho: 0.5 * ((l.q + r.q) * n.x - 0.5 * (slow + fast)),
        q: 0.5 * ((l.q * vl + l.rho + r.q * vr + r.rho) * n.x - 0.5 * ((v - 1.0) * slow + (v + 1.0) * fast)),
    }
}

#[boundary(impermeable = rho)]
fn closed(u: State) -> State {
    State { rho: u.rho, q: -u.q }
}
";

/// The mirrors in which a flux is the same.
fn described(source: &Source) -> Vec<String> {
    let law = &source.law;
    let mirrors = || {
        let states: Vec<_> = crate::check::symmetry::states(&Checker::new(law)).into_iter().map(|s| s.0).collect();
        super::mirrors(law, &states).iter().map(|mirror| mirror.described(law)).collect()
    };
    algebra::session("tests", mirrors).unwrap()
}

#[test]
fn signs_are_found() {
    for (text, expected) in [
        (ALONG, &["y changes sign", "`q` and x change sign"][..]),
        (SHALLOW_WATER, &["`hu` and x change sign", "`hv` and y change sign"]),
        (EULER, &["`rho_v1` and x change sign", "`rho_v2` and y change sign"]),
    ] {
        assert_eq!(described(&law("signs", text)), expected);
    }
    // A magnetic field turns round with the direction of one axis, or alone.
    assert!(described(&law("mhd", MHD)).len() >= 4);
    // That drivers turn back is in no model of traffic.
    let traffic = "
        state rho;
        fn flux(u: State) -> [State; 2] { [State { rho: u.rho * (1.0 - u.rho) }, State { rho: 0.0 }] }
        fn eigenvalues(u: State, n: Normal) -> [f64; 1] { [(1.0 - 2.0 * u.rho) * n.x] }";
    assert_eq!(described(&law("traffic", traffic)), ["y changes sign"]);
}

#[test]
fn both_directions_along_a_line_are_alike() {
    let (report, _) = passes("along", ALONG);
    let statement = "the flux is the same if y changes sign, or if `q` and x change sign";
    assert!(matches!(method(&report, statement), Some(Method::FloatingPoint(_))));
}

#[test]
fn a_numerical_flux_that_treats_both_directions_differently_is_warned_of() {
    for (from, to) in [
        // Twice the damping of one sound wave, which is more than enough.
        ("(v - 1.0).abs().max(spread) *", "(v - 1.0).abs().max(spread) * 2.0 *"),
        // Not Roe's mean, nor that of both sides.
        ("(l.rho.sqrt() * vl + r.rho.sqrt() * vr)", "(l.rho.sqrt() * vl + l.rho.sqrt() * vr)"),
        // A fix that takes the wrong side.
        ("(v - vl).abs()", "(v - 0.5 * vl).abs()"),
    ] {
        assert!(ALONG.contains(from));
        let source = law("along", &ALONG.replace(from, to));
        let found = found(&source);
        assert_eq!(found.len(), 1, "{to}: {found:#?}");
        assert!(matches!(found[0].0, Severity::Warning(Warning::BrokenSymmetry)) || found[0].0 == Severity::Error);
    }
    let crooked = ALONG.replace("(v - 1.0).abs().max(spread) *", "(v - 1.0).abs().max(spread) * 2.0 *");
    let message = "`roe` is not the same if `q` and x change sign, as the flux is";
    let warning = (Severity::Warning(Warning::BrokenSymmetry), "roe", message.to_string());
    assert_eq!(found(&law("along", &crooked)), [warning]);
}

/// Particles that move to the left and to the right.
const PARTICLES: &str = "
state left, right;

fn flux(u: State) -> [State; 2] {
    [State { left: -u.left, right: u.right }, State { left: 0.0, right: 0.0 }]
}

fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
    [-n.x, n.x]
}

#[numerical_flux]
fn upwind(l: State, r: State, n: Normal) -> State {
    State {
        left: 0.5 * (-(l.left + r.left) * n.x - (r.left - l.left) * n.x.abs()),
        right: 0.5 * ((l.right + r.right) * n.x - (r.right - l.right) * n.x.abs()),
    }
}
";

#[test]
fn components_may_be_exchanged() {
    let mirrors = described(&law("particles", PARTICLES));
    assert!(mirrors.contains(&"`left` and `right` are exchanged and x changes sign".to_owned()), "{mirrors:?}");
    assert_eq!(found(&law("particles", PARTICLES)), []);
    // More damping than upwinding is none of the other rules' business.
    let damped = PARTICLES.replace("(r.left - l.left) *", "(r.left - l.left) * 1.5 *");
    assert_ne!(damped, PARTICLES);
    let message = "`upwind` is not the same if `left` and `right` are exchanged and x changes sign, as the flux is";
    let warning = (Severity::Warning(Warning::BrokenSymmetry), "upwind", message.to_string());
    assert_eq!(found(&law("particles", &damped)), [warning]);
}

#[test]
fn pairs_are_exchanged_in_all_ways() {
    // The involutions of four things: six of one pair, three of two.
    let ways = super::exchanges(4);
    assert_eq!(ways.len(), 9);
    assert!(ways.iter().all(|way| (0..4).all(|i| way[way[i]] == i)));
    assert_eq!(ways[0], [1, 0, 2, 3]);
}

/// Without a flux every mirror is one of the flux: the product has a direction along x, and `b` a sign.
#[test]
fn a_law_has_the_mirrors_of_its_product() {
    let carried = "
state a, b;

fn flux(u: State) -> [State; 2] {
    [State { a: 0.0, b: 0.0 }, State { a: 0.0, b: 0.0 }]
}

#[nonconservative]
fn carried(u: State, v: State, n: Normal) -> State {
    State { a: n.x * v.a, b: n.x * u.b * v.b }
}

fn eigenvalues(u: State, n: Normal) -> [f64; 2] {
    [n.x, n.x * u.b]
}
";
    assert_eq!(described(&law("carried", carried)), ["`a` changes sign", "y changes sign"]);
}

/// A gas of constant temperature along x that moves across, too, between walls that take no normal: nothing passes them in any direction.
#[test]
fn walls_without_a_normal_are_held_to_mirrors() {
    let between = |across: &str| {
        let text = format!(
            "params wall = 0.3;
            state rho, q, p;
            fn flux(u: State) -> [State; 2] {{
                [State {{ rho: u.q, q: u.q * u.q / u.rho + u.rho, p: u.q * u.p / u.rho }}, State {{ rho: 0.0, q: 0.0, p: 0.0 }}]
            }}
            fn eigenvalues(u: State, n: Normal) -> [f64; 3] {{
                [(u.q / u.rho - 1.0) * n.x, u.q / u.rho * n.x, (u.q / u.rho + 1.0) * n.x]
            }}
            #[admissible] fn positive(u: State) -> [f64; 1] {{ [u.rho] }}
            #[boundary(impermeable = rho)] fn closed(u: State, with: Params) -> State {{
                State {{ rho: u.rho, q: -u.q, p: {across} }}
            }}"
        );
        law("between", &text)
    };
    // A wall that slips, one that sticks, and one that sticks and moves: its velocity turns round with the gas.
    for right in ["u.p + 0.0 * with.wall", "-u.p + 0.0 * with.wall", "2.0 * with.wall * u.rho - u.p"] {
        assert_eq!(found(&between(right)), [], "{right}");
    }
    let warning = (Severity::Warning(Warning::BrokenSymmetry), "closed");
    for wrong in ["u.q - u.p + 0.0 * with.wall", "u.p * u.p + 0.0 * with.wall"] {
        let source = between(wrong);
        let found = found(&source);
        assert!(matches!(&found[..], [(severity, at, _)] if (*severity, *at) == warning), "{wrong}: {found:#?}");
    }
}
