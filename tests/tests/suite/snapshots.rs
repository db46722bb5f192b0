//! The generated code, each part once: a difference shows the effect of a change of the compiler or a law.
//!
//! `INSTA_UPDATE=always cargo test -p tests snapshots` accepts the code now generated; then read the
//! difference.

use dg_runtime::law::geometry::Map;
use dg_runtime::law::{Law, Shape};
use dg_runtime::scheme;

/// Compares a text with the file `tests/snapshots/NAME.snap`.
fn assert_snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(name, text) });
}

/// The physics of four laws, once: it is the same in all units.
#[test]
fn physics_of_laws() {
    use equations::{advection, burgers, euler, mhd};
    for law in [&advection::LAW, &burgers::LAW, &euler::LAW, &mhd::LAW] {
        assert_snapshot(&format!("{}_physics", law.name), &[law.physics, law.pointwise].concat());
    }
}

/// The parts specific to a unit; its tables are those of every law.
#[test]
fn header_sizes_and_tables_of_a_unit() {
    let law = &equations::euler::LAW;
    let unit = law.unit(Shape::Triangle, 1).unwrap();
    assert_snapshot("euler_triangle_p1", &scheme::special(law, unit));
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
    let sources =
        |law: &'static Law| law.units.iter().map(|unit| scheme::code(law, unit, Map::Affine).text).collect::<Vec<_>>();
    assert!(sources(&first::carried::LAW) == sources(&again::carried::LAW));
    let [first, again] = [&first::carried::LAW, &again::carried::LAW].map(|law| format!("{:?}", law.samples));
    assert_eq!(first, again);
}

#[test]
fn a_renamed_local_changes_only_the_lines_that_hold_its_name() {
    let [before, after] = [&first::carried::LAW, &renamed::carried::LAW];
    let (old, new): (Vec<_>, Vec<_>) = (before.physics.lines().collect(), after.physics.lines().collect());
    assert_eq!(old.len(), new.len());
    let mut changed = 0;
    for (old, new) in old.into_iter().zip(new) {
        assert_eq!(old.replace("amount_per_time", "quantity_per_second"), new);
        changed += usize::from(old != new);
    }
    assert!((2..=4).contains(&changed), "{changed} lines hold the name");
    let scheme = |law: &'static Law| scheme::code(law, &law.units[2], Map::Affine).text.replace(law.physics, "");
    assert!(scheme(before) == scheme(after));
}
