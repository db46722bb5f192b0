//! The constants of `f64` and of `std::f64::consts`.

use std::f64::consts;

/// Why a constant of `f64` is not available, if it is one of those.
pub fn extreme(path: &[String]) -> Option<&'static str> {
    match associated(path)? {
        "MIN_POSITIVE" => Some("this is zero in single precision: write a number such as `1e-30`"),
        "MAX" | "MIN" => Some("this is no number in single precision: write a number such as `1e30`"),
        "INFINITY" | "NEG_INFINITY" | "NAN" => Some("a law computes with finite numbers: write one such as `1e30`"),
        _ => None,
    }
}

/// The name of a constant of the type `f64`.
fn associated(path: &[String]) -> Option<&str> {
    match path {
        [ty, name] if ty == "f64" => Some(name),
        [std, ty, name] if (std == "std" || std == "core") && ty == "f64" => Some(name),
        _ => None,
    }
}

/// The constant of `f64` or of `std::f64::consts` that a full path names.
pub fn constant(path: &[String]) -> Option<f64> {
    if associated(path) == Some("EPSILON") {
        return Some(f64::EPSILON);
    }
    let path: Vec<_> = path.iter().map(String::as_str).collect();
    let ["std" | "core", "f64", "consts", name] = path[..] else { return None };
    Some(match name {
        "PI" => consts::PI,
        "TAU" => consts::TAU,
        "E" => consts::E,
        "SQRT_2" => consts::SQRT_2,
        "LN_2" => consts::LN_2,
        "LN_10" => consts::LN_10,
        "FRAC_1_PI" => consts::FRAC_1_PI,
        "FRAC_2_PI" => consts::FRAC_2_PI,
        "FRAC_PI_2" => consts::FRAC_PI_2,
        "FRAC_PI_3" => consts::FRAC_PI_3,
        "FRAC_PI_4" => consts::FRAC_PI_4,
        "FRAC_PI_6" => consts::FRAC_PI_6,
        "FRAC_PI_8" => consts::FRAC_PI_8,
        "FRAC_1_SQRT_2" => consts::FRAC_1_SQRT_2,
        "FRAC_2_SQRT_PI" => consts::FRAC_2_SQRT_PI,
        "LOG2_E" => consts::LOG2_E,
        "LOG2_10" => consts::LOG2_10,
        "LOG10_E" => consts::LOG10_E,
        "LOG10_2" => consts::LOG10_2,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::constant;
    use crate::parse::parse;

    /// The value of a path in a block with an item.
    fn value(item: &str, path: &str) -> Option<f64> {
        let module = syn::parse_str(&format!("mod law {{ {item} #[state] struct State {{ u: f64 }} }}")).unwrap();
        let block = parse(&module, &[], &mut crate::diagnostics::Diagnostics::default()).unwrap();
        let path: Vec<_> = path.split("::").map(str::to_owned).collect();
        constant(&block.names.others.resolve(&path))
    }

    #[test]
    fn only_the_constants_of_std_are_known() {
        use std::f64::consts::{E, PI};
        assert_eq!(value("", "std::f64::consts::PI"), Some(PI));
        assert_eq!(value("use core::f64::consts::E;", "E"), Some(E));
        assert_eq!(value("use std::f64::consts::{self, PI as P};", "P"), Some(PI));
        assert_eq!(value("use std::f64::consts::{self, PI as P};", "consts::E"), Some(E));
        assert_eq!(value("use std::f64;", "f64::consts::PI"), Some(PI));
        assert_eq!(value("use std::f64::consts::*;", "PI"), Some(PI));
        assert_eq!(value("use super::E;", "E"), None);
        assert_eq!(value("use super::*;", "E"), None);
        assert_eq!(value("static E: f64 = 1.0;", "E"), None);
        assert_eq!(value("use std::f64::consts::*; static E: f64 = 1.0;", "E"), None);
        assert_eq!(value("", "f64::EPSILON"), Some(f64::EPSILON));
        assert_eq!(value("use std::f64;", "f64::EPSILON"), Some(f64::EPSILON));
        assert_eq!(value("", "my::consts::PI"), None);
        assert_eq!(value("use std::f32::consts::PI;", "PI"), None);
        assert_eq!(value("", "PI"), None);
    }
}
