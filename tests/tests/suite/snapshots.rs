//! The generated code, each part once: a difference shows the effect of a change of the compiler or a law. What all laws have in one form
//! (types, conversions, kernels at points) is shown for one of them.
//!
//! `INSTA_UPDATE=always cargo test -p tests snapshots` accepts the code now generated; then read the
//! difference.

use dg_runtime::law::geometry::Map;
use dg_runtime::law::{Law, Schedule, Shape, Unit};
use dg_runtime::scheme;

/// Compares a text with the file `tests/snapshots/NAME.snap`.
fn assert_snapshot(name: &str, text: &str) {
    insta::with_settings!({
        snapshot_path => "../../snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(name, text) });
}

/// The sections of a law's physics, with their titles; the first has none.
fn sections(law: &Law) -> Vec<(&'static str, &'static str)> {
    let mut rest = law.physics.split("/* ---- ");
    let first = ("parameters", rest.next().unwrap());
    std::iter::once(first).chain(rest.map(|section| section.split_once(" ---- */").unwrap())).collect()
}

/// The sections with these titles, one behind the other.
fn shown(law: &Law, titles: &[&str]) -> String {
    let is_shown = |(title, _): &(&str, &str)| titles.contains(title);
    sections(law).into_iter().filter(is_shown).map(|(_, text)| text.trim_start()).collect()
}

/// What is special in the physics of four laws: it is the same in all units. What is not made of the functions' own text is alike for both scalar
/// laws, and is shown for one.
#[test]
fn physics_of_laws() {
    use equations::{advection, burgers, euler, mhd};
    for law in [&advection::LAW, &burgers::LAW, &euler::LAW, &mhd::LAW] {
        assert_snapshot(&format!("{}_functions", law.name), &shown(law, &["functions"]));
    }
    for law in [&advection::LAW, &euler::LAW, &mhd::LAW] {
        let words = shown(law, &["the functions in the words of the scheme"]);
        assert_snapshot(&format!("{}_in_words_of_the_scheme", law.name), &words);
        let waves = shown(law, &["characteristic variables", "far field"]);
        assert_snapshot(&format!("{}_waves", law.name), &waves);
    }
}

/// What is not, for one law.
#[test]
fn parts_that_all_laws_have() {
    let law = &equations::euler::LAW;
    let shown = shown(law, &["parameters", "types", "states and their fields"]);
    assert_snapshot("euler_types", &shown);
    assert_snapshot("euler_pointwise", law.pointwise);
}

/// A snapshot is short enough to be read.
#[test]
fn snapshots_are_short() {
    for file in std::fs::read_dir(tests::root().join("tests/snapshots")).unwrap() {
        let path = file.unwrap().path();
        let lines = std::fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= 400, "{}: {lines} lines", path.display());
    }
}

/// The lines of the text of a unit that are too long to be read side by side with another text.
fn long_lines(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.chars().count() > 120).collect()
}

#[test]
fn lines_are_short() {
    let check = |law: &Law, unit: &Unit, map: Map, schedule: Schedule| {
        let text = scheme::text(law, unit, map, schedule);
        assert_eq!(long_lines(&text), [""; 0], "{}, {}, order {}", law.name, unit.shape.name(), unit.order);
    };
    for law in equations::LAWS {
        for unit in law.units.iter().filter(|unit| [1, 6].contains(&unit.order)) {
            check(law, unit, Map::Affine, Schedule::Element);
        }
    }
    // The same kernels for all laws.
    let law = &equations::euler::LAW;
    for unit in law.units.iter().filter(|unit| unit.order == 3) {
        Schedule::ALL.into_iter().for_each(|schedule| check(law, unit, Map::Affine, schedule));
        [1, 4].into_iter().for_each(|degree| check(law, unit, Map::Polynomial(degree), Schedule::Element));
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
