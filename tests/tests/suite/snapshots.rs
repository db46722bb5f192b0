//! The generated code as it is, and what a change of a law changes in it.
//!
//! `INSTA_UPDATE=always cargo test -p tests snapshots` blesses what the compiler generates now; then read the
//! difference.

use dg_runtime::law::{Law, Shape, Unit};

/// Compares a text with the file `tests/snapshots/NAME.snap`.
fn assert_snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(name, text) });
}

/// The part of a unit between the comments that begin the physics and the scheme.
fn physics(unit: &Unit) -> &'static str {
    let (_, rest) = unit.source.split_once("/* ---- physics ---- */").unwrap();
    rest.split_once("/* ---- scheme ---- */").unwrap().0
}

#[test]
fn pointwise_physics_of_every_law() {
    for law in equations::LAWS {
        let text = physics(&law.units[0]);
        assert_snapshot(&format!("{}_physics", law.name), text);
        for unit in law.units {
            assert!(physics(unit) == text, "{}: the physics depends on the order {}", law.name, unit.order);
        }
    }
}

#[test]
fn whole_units_of_two_laws() {
    for law in [&equations::advection::LAW, &equations::euler::LAW] {
        for order in [1, 2] {
            let unit = law.unit(Shape::Triangle, order).unwrap();
            assert_snapshot(&format!("{}_triangle_p{order}", law.name), unit.source);
        }
    }
}

/// A law one of whose locals has the given name.
macro_rules! law {
    ($local:ident) => {
        #[dg_runtime::conservation_law(dim = 2, orders = 0..=2)]
        pub mod carried {
            #[state]
            pub struct State {
                pub u: f64,
            }

            pub fn flux(u: State) -> [State; 2] {
                let $local = 2.0 * u.u;
                [State { u: $local }, State { u: 0.5 * $local }]
            }

            pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] {
                [2.0 * n.x + n.y]
            }
        }
    };
}

mod first {
    law!(amount_per_time);
}

mod again {
    law!(amount_per_time);
}

mod renamed {
    law!(quantity_per_second);
}

#[test]
fn equal_laws_give_equal_bytes() {
    let sources = |law: &'static Law| law.units.iter().map(|unit| unit.source).collect::<Vec<_>>();
    assert!(sources(&first::carried::LAW) == sources(&again::carried::LAW));
    let [first, again] = [&first::carried::LAW, &again::carried::LAW].map(|law| format!("{:?}", law.samples));
    assert_eq!(first, again);
}

#[test]
fn a_renamed_local_changes_only_the_lines_that_hold_its_name() {
    let units = first::carried::LAW.units.iter().zip(renamed::carried::LAW.units);
    for (before, after) in units {
        let (before, after): (Vec<_>, Vec<_>) = (before.source.lines().collect(), after.source.lines().collect());
        assert_eq!(before.len(), after.len());
        let mut changed = 0;
        for (old, new) in before.into_iter().zip(after) {
            assert_eq!(old.replace("amount_per_time", "quantity_per_second"), new);
            changed += usize::from(old != new);
        }
        assert!((2..=4).contains(&changed), "{changed} lines hold the name");
    }
}
