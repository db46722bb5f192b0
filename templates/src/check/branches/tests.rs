use std::ops::Bound;

use crate::algebra::{self, Rational};
use crate::check::laws::{BURGERS, EULER};
use crate::check::testing::{Source, law};
use crate::check::tests::{found, has_one_mistake};
use crate::check::{Method, SEED, Severity, analyse};
use crate::derive::{Point, Points, Setting};
use crate::ir::{Role, Warning};

#[test]
fn a_proof_by_branches_says_that_it_holds_in_no_others() {
    let text = |n| Method::Branches(n).to_string();
    assert!(text(1).starts_with("by algebra, but only for states that take the one way"));
    assert!(text(4).starts_with("by algebra, but only for states that take one of the 4 ways"));
}

/// Burgers' equation with Rusanov's flux, in one branch.
fn lax(other: &str) -> Source {
    let flux = format!(
        "#[numerical_flux] fn lax(l: State, r: State, n: Normal) -> State {{
            if {other} }} else {{ State {{ u: 0.25 * (l.u * l.u + r.u * r.u) * (n.x + n.y) - 0.5 * l.u.abs().max(r.u.abs()) * (n.x + n.y).abs() * (r.u - l.u) }} }}
        }}"
    );
    law("burgers", &format!("{BURGERS}{flux}"))
}

#[test]
fn a_branch_that_no_state_takes_is_warned_of() {
    let message = "no state that was tried takes this branch, so that nothing is known of `lax` there";
    let expected = [(Severity::Warning(Warning::UntriedBranch), "State { u: 1.0 }", message.to_string())];
    assert_eq!(found(&lax("l.u > 1000.0 { State { u: 1.0 }")), expected);
}

#[test]
fn branches_within_one_that_no_state_takes_are_blamed_with_it() {
    let inner = "if r.u > 2.0 { State { u: 2.0 } } else { State { u: 1.0 } }";
    let source = lax(&format!("l.u > 1000.0 {{ {inner}"));
    let found = found(&source);
    assert!(matches!(&found[..], [(Severity::Warning(Warning::UntriedBranch), at, _)] if *at == inner), "{found:?}");
}

#[test]
fn untried_branches_of_one_function_are_one_message() {
    let source = lax("l.u > 1000.0 { State { u: 1.0 } } else if r.u > 1000.0 { State { u: 2.0 }");
    let found = found(&source);
    assert!(matches!(&found[..], [(Severity::Warning(Warning::UntriedBranch), "State { u: 2.0 }", _)]), "{found:?}");
    let notes = analyse(&source.law).0.diagnostics.remove(0).notes;
    assert!(notes.iter().any(|note| note == "the same is true of `State { u: 1.0 }`"), "{notes:?}");
}

#[test]
fn a_declared_bound_takes_branches() {
    let bound = |condition: &str| {
        let speed = format!("if {condition} {{ -u.u }} else {{ u.u }}");
        let bound = format!("#[wave_speed] fn bound(u: State, n: Normal) -> f64 {{ ({speed}) * (n.x + n.y).abs() }}");
        let burgers = "state u;
            fn flux(u: State) -> [State; 2] { [State { u: 0.5 * u.u * u.u }, State { u: 0.5 * u.u * u.u }] }";
        law("burgers", &format!("{burgers}{bound}"))
    };
    assert_eq!(found(&bound("u.u < 0.0")), []);
    assert!(matches!(&found(&bound("u.u > 0.0"))[..], [(Severity::Error, "bound", _)]));
}

#[test]
fn a_branch_that_few_states_take_is_tried() {
    // Both near 24, the largest of components that are mostly below 3.
    let source = lax("l.u > 22.0 && r.u > 22.0 { State { u: l.u * r.u * (n.x + n.y) }");
    let large = |u: &[Rational]| u[0].to_f64() > 22.0;
    let hit = algebra::session("tests", || {
        let mut points = Points::new(&source.law, SEED + 1);
        let mut pairs = (0..24).filter_map(|_| points.admissible());
        pairs.any(|pair| large(&pair.left) && large(&pair.right))
    });
    assert!(!hit.unwrap(), "the branch is not a rare one");
    has_one_mistake(&source, "lax", "`lax` is not consistent");
}

#[test]
fn a_branch_of_small_states_is_tried() {
    // Traffic that is free on the emptiest fifth of a road (Newell 1993).
    let newell = "
        state rho;
        fn flux(u: State) -> [State; 2] { [State { rho: u.rho.min(0.25 * (1.0 - u.rho)) }, State { rho: 0.0 }] }
        fn eigenvalues(u: State, n: Normal) -> [f64; 1] { [if u.rho < 0.2 { n.x } else { -0.25 * n.x }] }
        #[admissible] fn road(u: State) -> [f64; 2] { [u.rho, 1.0 - u.rho] }";
    assert_eq!(found(&law("newell", newell)), []);
    let wrong = law("newell", &newell.replace("< 0.2 { n.x }", "< 0.2 { 0.5 * n.x }"));
    assert_eq!(found(&wrong).len(), 1);
}

#[test]
fn samples_take_both_branches_of_every_if() {
    let source = law("euler", EULER);
    let (_, derived) = analyse(&source.law);
    let hllc = source.law.with_role(|role| matches!(role, Role::NumericalFlux(_))).next().unwrap();
    let name = &source.law.function(hllc).name;
    let numbers = |values: &[f64]| values.iter().map(|&value| algebra::rational(value).unwrap()).collect::<Vec<_>>();
    let taken = algebra::session("tests", || {
        let ways = derived.samples.iter().filter(|sample| sample.function == *name).flat_map(|sample| {
            let point = Point {
                parameters: numbers(&sample.parameters),
                left: numbers(&sample.state),
                right: numbers(&sample.right),
                normal: numbers(&sample.normal),
                position: numbers(&sample.position),
                time: Rational::from(0),
            };
            let (mut setting, inputs) = Setting::approximate(&source.law, &point);
            setting.call(hllc, &inputs).unwrap();
            setting.tower.taken
        });
        ways.collect::<std::collections::BTreeSet<_>>()
    });
    // Subsonic or not, to the left and to the right, and the sign of the contact's speed.
    let is_if = |place| source.at(place).starts_with("if");
    let taken: Vec<_> = taken.unwrap().into_iter().filter(|&(place, _)| is_if(place)).collect();
    assert!(!taken.is_empty() && taken.iter().all(|&(place, holds)| taken.contains(&(place, !holds))), "{taken:?}");
}

/// Rusanov's flux for Burgers' equation with this speed between two states.
fn rusanov(speed: &str) -> Source {
    let flux = format!(
        "#[numerical_flux] fn lax(l: State, r: State, n: Normal) -> State {{
            let s = (n.x + n.y).abs() * ({speed});
            State {{ u: 0.25 * (l.u * l.u + r.u * r.u) * (n.x + n.y) - 0.5 * s * (r.u - l.u) }}
        }}"
    );
    law("burgers", &format!("{BURGERS}{flux}"))
}

#[test]
#[ignore = "long"]
fn an_operand_of_min_or_max_that_no_state_takes_is_warned_of() {
    for (limit, at) in [(".min(1000.0)", "1000.0"), (".max(-1000.0)", "-1000.0"), (".max(1000.0)", "speed")] {
        let speed = format!("l.u.abs().max(r.u.abs()){limit}");
        let source = rusanov(&speed);
        let found = found(&source);
        let untried: Vec<_> =
            found.iter().filter(|(severity, ..)| *severity == Severity::Warning(Warning::UntriedBranch)).collect();
        let at = if at == "speed" { "l.u.abs().max(r.u.abs())" } else { at };
        assert!(matches!(&untried[..], [(_, place, _)] if *place == at), "{limit}: {found:?}");
    }
}

#[test]
fn a_condition_on_parameters_is_said_to_be_one() {
    let text = "params a = 1.0, b = 1.0; state u;
        fn flux(q: State, p: Params) -> [State; 2] {
            [State { u: (if p.a * p.b > 30.0 { 2.0 } else { 1.0 }) * q.u }, State { u: 0.0 }]
        }
        fn eigenvalues(q: State, n: Normal, p: Params) -> [f64; 1] { [(if p.a * p.b > 30.0 { 2.0 } else { 1.0 }) * n.x] }";
    let mut source = law("slow", text);
    let notes = |source: &Source| {
        let (report, _) = analyse(&source.law);
        report.diagnostics.into_iter().flat_map(|diagnostic| diagnostic.notes).collect::<Vec<_>>().join("; ")
    };
    let found = notes(&source);
    assert!(found.contains("depends on `a` and `b` alone") && found.contains("tried near its default"), "{found}");
    for field in &mut source.law.parameters.fields {
        field.range = (Bound::Included("0.5".into()), Bound::Included("2.0".into()));
    }
    assert!(notes(&source).contains("no value in `#[range(…)]` that was tried"));
    source.law.parameters.fields[0].range.1 = Bound::Unbounded;
    source.law.parameters.fields[1].range.1 = Bound::Unbounded;
    assert_eq!(notes(&source), "");
}

#[test]
#[ignore = "long"]
fn an_operand_that_guards_against_rounding_may_go_untaken() {
    for guard in [".max(0.0)", ".max(0.000001)", ".max(-1.0)"] {
        assert_eq!(found(&rusanov(&format!("l.u.abs().max(r.u.abs()){guard}"))), [], "{guard}");
    }
    // Traffic below the density of a jam, which the flux is not asked to exceed.
    let traffic = "
        state q;
        fn flux(u: State) -> [State; 2] { let q = u.q.min(4.0); [State { q: q * (4.0 - q) }, State { q: 0.0 }] }
        fn eigenvalues(u: State, n: Normal) -> [f64; 1] { [(4.0 - 2.0 * u.q) * n.x] }
        #[admissible] fn below_jam(u: State) -> [f64; 2] { [u.q, 4.0 - u.q] }";
    assert_eq!(found(&law("traffic", traffic)), []);
}

#[test]
fn a_condition_that_compares_with_a_wrong_number_is_found_near_it() {
    // Upwind by the sign of the mean, which is wrong between 0 and 1/16.
    let flux = |zero: &str| {
        let flux = format!(
            "#[numerical_flux] fn roe(l: State, r: State, n: Normal) -> State {{
                let s = n.x + n.y;
                let u = if {zero} < 0.5 * (l.u + r.u) * s {{ l.u }} else {{ r.u }};
                State {{ u: 0.5 * u * u * s }}
            }}"
        );
        law("burgers", &format!("{BURGERS}{flux}"))
    };
    assert!(found(&flux("0.0")).iter().all(|(severity, ..)| *severity != Severity::Error));
    let message = "`roe` does not conserve `u`";
    assert!(found(&flux("0.0625")).iter().any(|(.., said)| said.starts_with(message)));
}

/// Rusanov's flux in both branches.
fn lax_if(condition: &str) -> Source {
    let flux = "0.25 * (l.u * l.u + r.u * r.u) * (n.x + n.y) - 0.5 * (n.x + n.y).abs() * l.u.abs().max(r.u.abs()) * (r.u - l.u)";
    lax(&format!("{condition} {{ State {{ u: {flux} }}"))
}

#[test]
#[ignore = "long"]
fn an_operand_that_decides_no_condition_is_warned_of() {
    let warning = Severity::Warning(Warning::UntriedBranch);
    for (condition, operand, what) in [
        ("l.u > 1.0 || r.u > 1000.0", "r.u > 1000.0", "makes this operand of `||` true"),
        ("l.u > 1.0 && r.u < 1000.0", "r.u < 1000.0", "makes this operand of `&&` false"),
    ] {
        let message = format!("no state that was tried {what}, so that nothing is known of `lax` there");
        assert_eq!(found(&lax_if(condition)), [(warning, operand, message)]);
    }
    assert_eq!(found(&lax_if("l.u > 1.0 || r.u > 2.0")), []);
    // Rare states are looked for.
    assert_eq!(found(&lax_if("l.u < 0.0 && r.u < 22.0")), []);
}

#[test]
fn which_of_two_constants_is_larger_is_known() {
    let traffic = "
        state u;
        fn faster(n: Normal) -> f64 { n.x * 2.0.max(0.6) }
        fn flux(u: State) -> [State; 2] { [State { u: 2.0.max(0.6) * u.u }, State { u: 0.0 }] }
        fn eigenvalues(u: State, n: Normal) -> [f64; 1] { [faster(n)] }";
    assert_eq!(found(&law("traffic", traffic)), []);
}
