//! The methods and constants of `f64` that every device has, and alternatives to the others.

use std::f64::consts;

use templates::ir::MathFn;

use super::formulas::Formula;

/// The translation of a method of `f64`.
pub enum Method {
    /// A function of the IR.
    Math(MathFn),
    /// `1 / x`.
    Recip,
    /// A formula of other functions.
    Formula(Formula),
    /// `x^n` with a literal `n`.
    Powi,
    /// Valid Rust, but not available: the alternative.
    Instead(&'static str),
}

/// The method of `f64` with this name.
pub fn method(name: &str) -> Option<Method> {
    Some(match name {
        "sqrt" => Method::Math(MathFn::Sqrt),
        "abs" => Method::Math(MathFn::Abs),
        "min" => Method::Math(MathFn::Min),
        "max" => Method::Math(MathFn::Max),
        "powf" => Method::Math(MathFn::Powf),
        "exp" => Method::Math(MathFn::Exp),
        "ln" => Method::Math(MathFn::Ln),
        "sin" => Method::Math(MathFn::Sin),
        "cos" => Method::Math(MathFn::Cos),
        "tan" => Method::Math(MathFn::Tan),
        "tanh" => Method::Math(MathFn::Tanh),
        "atan2" => Method::Math(MathFn::Atan2),
        "powi" => Method::Powi,
        "recip" => Method::Recip,
        "cbrt" => Method::Math(MathFn::Cbrt),
        "hypot" => Method::Formula(Formula::Hypot),
        "mul_add" => Method::Formula(Formula::MulAdd),
        "clamp" => Method::Formula(Formula::Clamp),
        "signum" => Method::Formula(Formula::Signum),
        "copysign" => Method::Formula(Formula::Copysign),
        "sinh" => Method::Formula(Formula::Sinh),
        "cosh" => Method::Formula(Formula::Cosh),
        "asin" => Method::Formula(Formula::Asin),
        "acos" => Method::Formula(Formula::Acos),
        "atan" => Method::Formula(Formula::Atan),
        "sin_cos" => Method::Formula(Formula::SinCos),
        "exp2" => Method::Instead("write `2.0_f64.powf(a)`"),
        "exp_m1" => Method::Instead("write `a.exp() - 1.0`"),
        "ln_1p" => Method::Instead("write `(1.0 + a).ln()`"),
        "log" | "log2" | "log10" => Method::Instead("write `a.ln() / b.ln()`"),
        "to_radians" => Method::Instead("write `a * PI / 180.0`"),
        "to_degrees" => Method::Instead("write `a * 180.0 / PI`"),
        "clone" | "to_owned" | "into" => Method::Instead("an `f64` is copied by using it"),
        "asinh" | "acosh" | "atanh" => Method::Instead("write it with `ln` and `sqrt`"),
        "floor" | "ceil" | "round" | "round_ties_even" | "trunc" | "fract" | "rem_euclid" | "div_euclid" => {
            Method::Instead("a law's functions are smooth between the branches of an `if`")
        }
        "is_nan" | "is_finite" | "is_infinite" | "is_sign_negative" | "is_sign_positive" | "is_normal"
        | "is_subnormal" | "classify" => Method::Instead("compare with `<` instead"),
        "total_cmp" | "partial_cmp" | "eq" | "ne" | "lt" | "le" | "gt" | "ge" => {
            Method::Instead("compare with `<`, `<=`, `>` or `>=`")
        }
        "add" | "sub" | "mul" | "div" | "rem" | "neg" => Method::Instead("use the operator"),
        "to_bits" | "to_string" | "next_up" | "next_down" | "midpoint" | "maximum" | "minimum" => {
            Method::Instead("it has no counterpart on a device")
        }
        _ => return None,
    })
}

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
