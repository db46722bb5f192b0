//! Characteristic variables in the words of the scheme's kernels.

use std::fmt::Write as _;

use crate::derive::Maps;
use crate::ir::{AXES, Function, Law};

use super::physics::{self, Names};
use super::scheme::kernel;

/// The maps of every direction, and the two functions that choose between them.
pub(super) fn functions(law: &Law, names: &Names, maps: &[Maps]) -> String {
    let n = law.state.fields.len();
    let mut text = String::from(
        "/* ---- characteristic variables ---- */\n\n\
         // At a state u, dF/du in a coordinate direction is R diag(lambda) L with L = 1 / R, in the order of `eigenvalues`.\n\
         #define CHARACTERISTIC 1\n\n",
    );
    for function in maps.iter().flat_map(|maps| [&maps.to, &maps.from]) {
        text.push_str(&physics::derived(&function.name, names, function));
    }

    let to = in_direction(maps.iter().map(|maps| &maps.to), "law_change(v)");
    let _ = writeln!(
        text,
        "// w = L(u) v: the characteristic variables of a change v of the state.\n\
         DEVICE void law_to_characteristic(real w[COMPONENTS], const real v[COMPONENTS], State u, int direction)\n{{\n    \
         const Reals{n} made = {to};"
    );
    for c in 0..n {
        let _ = writeln!(text, "    w[{c}] = made.v[{c}];");
    }
    let variables = (0..n).map(|c| format!("w[{c}]")).collect::<Vec<_>>().join(", ");
    let from = in_direction(maps.iter().map(|maps| &maps.from), "variables");
    let _ = writeln!(
        text,
        "}}\n\n\
         // v = R(u) w: the change of the state that has these characteristic variables.\n\
         DEVICE void law_from_characteristic(real v[COMPONENTS], const real w[COMPONENTS], State u, int direction)\n{{\n    \
         const Reals{n} variables = make_Reals{n}({variables});\n    law_components(v, {from});\n}}\n"
    );
    text
}

/// The call of the function for the direction.
fn in_direction<'a>(functions: impl DoubleEndedIterator<Item = &'a Function>, vector: &str) -> String {
    let calls: Vec<String> = functions.map(|function| format!("{}(u, {vector})", function.name)).collect();
    let choose = |(direction, call): (usize, &String)| match direction + 1 < calls.len() {
        true => format!("direction == {direction} ? {call} : "),
        false => call.clone(),
    };
    calls.iter().enumerate().map(choose).collect()
}

/// Kernels that evaluate the maps at given points, with the right state for the vector.
pub(super) fn pointwise_kernels(law: &Law) -> String {
    let mut text = String::new();
    for (direction, axis) in AXES[..law.dim].iter().enumerate() {
        for map in ["to_characteristic", "from_characteristic"] {
            let value = format!("law_{map}(value, raw_r, u, {direction})");
            kernel(&mut text, &format!("{map}_{axis}"), law.state.fields.len(), &value);
        }
    }
    text
}
