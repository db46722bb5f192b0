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
    let taken = taken.unwrap();
    println!("{taken:?}");
    assert!(!taken.is_empty() && taken.iter().all(|&(place, holds)| taken.contains(&(place, !holds))), "{taken:?}");
}
