use crate::algebra;
use crate::check::laws::{ADVECTION, BURGERS, EULER, SHALLOW_WATER, changed, euler};
use crate::check::testing::law;
use crate::check::tests::{alone, found, has_one_mistake, passes};
use crate::check::{POINTS, SEED, Severity};
use crate::derive::{Parameters, Points, is_defined};
use crate::ir::{Role, Warning};

#[test]
fn a_divisor_that_may_vanish_is_found() {
    let source = euler("[f64; 2] {\n    [u.rho, pressure(u, gas)]", "[f64; 1] {\n    [pressure(u, gas)]");
    let message = "`u.rho` can be zero, and is divided by: return `u.rho` from `admissible` as well, \
                   so that such states are refused";
    has_one_mistake(&source, "u.rho", message);
}

#[test]
fn a_root_that_may_be_imaginary_is_found() {
    let source = changed("shallow_water", SHALLOW_WATER, "    [u.h]", "    [u.h * u.h]");
    let message = "`p.g * u.h` can be negative, and its root is taken: return `p.g * u.h` from `admissible` as well";
    has_one_mistake(&source, "p.g * u.h", message);
}

#[test]
#[ignore = "long"]
fn an_output_that_admissible_states_leave_undefined_is_found() {
    let output = "#[output] fn heat(u: State, gas: Params) -> f64 { (pressure(u, gas) - 1.0).ln() }";
    let source = law("euler", &format!("{EULER}{output}"));
    let message = "`pressure(u, gas) - 1.0` can be zero or negative, and its logarithm or power is taken";
    has_one_mistake(&source, "pressure(u, gas) - 1.0", message);
}

#[test]
fn positions_at_which_a_boundary_is_undefined_are_not_the_state_s() {
    let inlet = "#[boundary] fn inlet(u: State, x: Point, t: f64) -> State {
        State { u: 1.0 / x.x + (1.0 - 64.0 * t * t).sqrt() }
    }";
    passes("advection", &format!("{ADVECTION}{inlet}"));
}

#[test]
fn a_boundary_that_is_defined_nowhere_is_warned_of() {
    let inlet = "#[boundary] fn inlet(u: State, x: Point) -> State { State { u: (-1.0 - x.x * x.x).sqrt() } }";
    let source = law("advection", &format!("{ADVECTION}{inlet}"));
    let message = "it could not be decided whether `inlet` is defined at all admissible states";
    assert!(found(&source).contains(&(Severity::Warning(Warning::Undecided), "inlet", message.to_string())));
}

/// Whether it is proved that a formula of `q.h`, which is positive, and `q.m`, which may be anything, is defined.
fn is_proved_defined(formula: &str) -> bool {
    let source = law(
        "formula",
        &format!(
            "params g = 9.81;
             state h, m;
             #[admissible] fn wet(q: State) -> [f64; 1] {{ [q.h] }}
             #[output] fn formula(q: State, p: Params) -> f64 {{ {formula} }}"
        ),
    );
    let id = source.law.only(&Role::Output).unwrap();
    let proved = || {
        let mut points = Points::new(&source.law, SEED);
        let points: Vec<_> = (0..POINTS).filter_map(|_| points.admissible()).collect();
        points.iter().any(|point| is_defined(&source.law, id, point, Parameters::OfSign) == Ok(true))
    };
    algebra::session("tests", proved).unwrap()
}

#[test]
fn definedness_is_proved_from_what_is_positive() {
    for formula in [
        "q.m / q.h",
        "(p.g * q.h).sqrt() / q.h.powi(3)",
        "1.0 / (1.0 + q.m * q.m)",
        "(q.m * q.m + q.h).ln()",
        "1.0 / (q.h + q.m.abs())",
        "1.0 / q.h.max(q.m)",
        "1.0 / (if q.m < 0.0 { q.h } else { 2.0 * q.h + 1.0 })",
        "q.h.powf(0.3).powi(-2)",
        "1.0 / ((q.m * q.m + q.h).sqrt() - q.m)",
        "(q.m * q.m - 2.0 * q.m * q.h + 2.0 * q.h * q.h).sqrt()",
    ] {
        assert!(is_proved_defined(formula), "{formula}");
    }
}

#[test]
fn definedness_is_not_proved_where_it_fails_somewhere() {
    for formula in [
        "1.0 / q.m",
        "1.0 / (q.m * q.m)",
        "q.m.powi(-2)",
        "1.0 / (q.h - 3.0)",
        "(q.h - 0.001).sqrt()",
        "1.0 / (q.m * q.m + 0.0 * q.h)",
        "1.0 / (q.h + q.m)",
        "1.0 / q.h.min(q.m)",
        "1.0 / (if q.m < 7.5 { q.h } else { q.h - 1234.5 })",
        "(q.m * q.m).ln()",
        "1.0 / (q.m * q.m).sqrt()",
        "1.0 / ((q.m * q.m).sqrt() - q.m)",
        "(q.m * q.m - 3.0 * q.m * q.h + 2.0 * q.h * q.h).sqrt()",
        "1.0 / (q.m * q.m - 2.0 * q.m * q.h + q.h * q.h)",
        "q.m.tan()",
    ] {
        assert!(!is_proved_defined(formula), "{formula}");
    }
}

#[test]
#[ignore = "long"]
fn bindings_of_an_inner_block_guard_too() {
    let text = SHALLOW_WATER.replace("    [u.h]", "    { let depth = u.h; [depth] }");
    assert_ne!(text, SHALLOW_WATER);
    passes("shallow_water", &text);
}

#[test]
#[ignore = "long"]
fn a_quantity_is_undefined_only_if_it_depends_on_what_is() {
    for admissible in [
        "let (p, h) = (u.hu / u.h + u.hv * u.hv, u.h); [h, p * p + h]",
        "let (v, h) = both(u); [h, v * v + 1.0]",
        "let v = if 0.0 < u.hu / u.h { 1.0 } else { 2.0 }; [v, u.h]",
    ] {
        let helper = "fn both(u: State) -> (f64, f64) { (u.hu / u.h, u.h) } #[admissible]";
        let text = SHALLOW_WATER.replace("#[admissible]", helper);
        let source = changed("shallow_water", &text, "[f64; 1] {\n    [u.h]", &format!("[f64; 2] {{ {admissible}"));
        assert_eq!(found(&source), [], "{admissible}");
    }
}

#[test]
#[ignore = "long"]
fn the_remedy_is_one_that_the_author_can_follow() {
    let output = |formula: &str| {
        let output = format!("#[output] fn o(u: State, n: Params) -> f64 {{ {formula} }}");
        law("shallow_water", &format!("{SHALLOW_WATER}{output}"))
    };
    let constant = "`0.0` is zero, and is divided by: it is the same number at all states, so correct the formula";
    has_one_mistake(&output("u.h / 0.0"), "0.0", constant);
    let parameter = "`n.g - 9.81` can be zero, and is divided by: it depends on `g` alone, \
                     so exclude such values by `#[range(…)]`";
    has_one_mistake(&output("u.h / (n.g - 9.81)"), "n.g - 9.81", parameter);
    let state = "`u.hu` can be zero, and is divided by: return `u.hu` from `admissible` as well";
    has_one_mistake(&output("u.h / u.hu"), "u.hu", state);
    let inlet = "State { h: u.h, hu: u.hu / n.x, hv: u.hv }";
    let inlet = law("sea", &format!("{SHALLOW_WATER}#[boundary] fn inlet(u: State, n: Normal) -> State {{ {inlet} }}"));
    let normal = "`n.x` can be zero, and is divided by: it depends on the normal, so write what holds in this case \
                  with an `if`";
    assert!(found(&inlet).contains(&(Severity::Error, "n.x", normal.to_string())));
}

/// The messages of this rule about shallow water with an output of this formula, each with its place.
fn of_output(formula: &str) -> Vec<(String, String)> {
    let output =
        format!("fn inverse(a: f64) -> f64 {{ 1.0 / a }} #[output] fn o(u: State, n: Params) -> f64 {{ {formula} }}");
    let source = law("shallow_water", &format!("{SHALLOW_WATER}{output}"));
    alone(&source, super::check).into_iter().map(|(_, at, message)| (at.to_owned(), message)).collect()
}

#[test]
#[ignore = "long"]
fn zeros_between_the_states_that_are_tried_are_found() {
    for (formula, divisor) in [
        ("1.0 / (u.h - 3.7)", "`u.h - 3.7` can be zero, and is divided by"),
        ("(u.h * u.h - 2.0 * u.h - 1.3).powi(-1)", "`u.h * u.h - 2.0 * u.h - 1.3` can be zero, and is divided by"),
        ("u.h / (u.hu * u.hu + u.hv * u.hv - 7.3)", "`u.hu * u.hu + u.hv * u.hv - 7.3` can be zero"),
        ("(u.h - 0.001).sqrt()", "`u.h - 0.001` can be negative, and its root is taken"),
        ("1.0 / (n.g - 10.1)", "`n.g - 10.1` can be zero, and is divided by: it depends on `g` alone"),
        // Names that only the function knows are no advice.
        ("let d = u.h - 3.7; 1.0 / d", "`u.h - 3.7` can be zero"),
        ("let (d, e) = (u.h - 3.7, u.h); e / d", "`u.h - 3.7` can be zero"),
        ("let s = u.h - 2.2; inverse(s - 1.5)", "`u.h - 2.2 - 1.5` can be zero"),
    ] {
        let found = of_output(formula);
        assert!(matches!(&found[..], [(_, message)] if message.starts_with(divisor)), "{formula}: {found:?}");
    }
    for formula in [
        "if (u.h - 3.7).abs() > 0.000000000001 { 1.0 / (u.h - 3.7) } else { 0.0 }",
        "if u.h > 3.7 || u.h < 3.7 { 1.0 / (u.h - 3.7) } else { 0.0 }",
        "1.0 / (u.h - 3.7).max(0.1)",
        "if u.h > 3.7 { 1.0 / (u.h - 3.6) } else { 1.0 / (u.h - 3.8) }",
        "1.0 / (1.0 / u.hu.abs().max(0.001))",
    ] {
        assert_eq!(of_output(formula), [], "{formula}");
    }
}

#[test]
fn what_admissible_would_refuse_is_one_mistake() {
    let found = of_output("u.h / u.hu + u.h / u.hv + u.h / (u.hu + u.hv)");
    assert!(matches!(&found[..], [(_, message)] if message.starts_with("`u.hu` can be zero")), "{found:?}");
    // No state has a negative pressure and a speed of sound: that nothing could be checked follows.
    let source = euler("[u.rho, pressure(u, gas)]", "[u.rho, -pressure(u, gas)]");
    let root = "(gas.gamma * pressure(u, gas) / u.rho).sqrt()";
    has_one_mistake(
        &source,
        root.trim_start_matches('(').trim_end_matches(").sqrt()"),
        "`gas.gamma * pressure(u, gas) / u.rho` can be",
    );
}

#[test]
#[ignore = "long"]
fn a_helper_that_is_called_with_either_state_depends_on_one() {
    let flux = |divisor: &str| {
        format!(
            "{BURGERS}
            fn inverse(u: State, v: State) -> f64 {{ 1.0 / ({divisor}) }}
            #[numerical_flux] fn upwind(l: State, r: State, n: Normal) -> State {{
                let s = 0.0 * (inverse(l, r) + inverse(r, l));
                State {{ u: 0.25 * (l.u * l.u + r.u * r.u) * (n.x + n.y) - 0.5 * s * (r.u - l.u) }}
            }}"
        )
    };
    for (divisor, remedy) in [("u.u", "so that such states are refused"), ("u.u - v.u", "depends on two states")] {
        let source = law("burgers", &flux(divisor));
        let found = found(&source);
        assert!(found.iter().any(|(.., message)| message.contains(remedy)), "{divisor}: {found:#?}");
    }
}
