//! The methods of `f64` that every device has, and alternatives to the others.

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
