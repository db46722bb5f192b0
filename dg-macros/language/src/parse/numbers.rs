//! Numbers in attributes and types: literals, and formulas of them and of the constants of `std`.

use std::ops::{Bound, RangeBounds};

use syn::{Attribute, BinOp, Expr, Lit, RangeLimits};

use crate::ast::Default;
use crate::constants::constant;
use crate::diagnostics::Diagnostics;

/// The types of integers.
pub const INTEGERS: [&str; 12] =
    ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

/// The value of an integer literal without a suffix.
pub(super) fn integer(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) if value.suffix().is_empty() || value.suffix() == "usize" => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The length of an array, bounded so that a law's code stays of reasonable size.
pub fn length(length: Option<i64>) -> Option<usize> {
    usize::try_from(length?).ok().filter(|length| (1..=MOST_ELEMENTS).contains(length))
}

/// The most elements of an array.
pub const MOST_ELEMENTS: usize = 1000;

/// The value in `#[default(…)]`.
pub(super) fn default(attr: &Attribute, out: &mut Diagnostics) -> Option<Default> {
    let read = || match attr.parse_args::<Expr>().ok()? {
        Expr::Array(array) => array.elems.iter().map(signed).collect::<Option<_>>().map(Default::Array),
        Expr::Repeat(repeat) => Some(Default::Repeat(signed(&repeat.expr)?, repeat.len)),
        value => signed(&value).map(Default::Number),
    };
    let value = if attr.path().is_ident("default") { read() } else { None };
    if value.is_none() {
        out.error(
            attr,
            "a field may have a default value, a number or a formula of numbers: `#[default(1.4)]`, `#[default(5.0 / 3.0)]`, or an \
             array of them: `#[default([0.0, 1.0])]`",
        );
    }
    value
}

/// The ends of a range, as the digits of literals.
pub(super) type Range = (Bound<String>, Bound<String>);

pub(super) const EVERYTHING: Range = (Bound::Unbounded, Bound::Unbounded);

/// The range in `#[range(…)]`; all numbers where it is wrong.
pub(super) fn range(attr: &Attribute, out: &mut Diagnostics) -> Range {
    let read = || {
        let range = match attr.parse_args::<Expr>().ok()? {
            Expr::Range(range) => range,
            Expr::Tuple(ends) if ends.elems.len() == 2 => return Some((end(&ends.elems[0])?, end(&ends.elems[1])?)),
            _ => return None,
        };
        let (from, to) = (range.start.as_deref(), range.end.as_deref());
        let from = from.map_or(Some(Bound::Unbounded), |from| signed(from).map(Bound::Included))?;
        let to = match (to.map(signed), &range.limits) {
            (None, _) => Bound::Unbounded,
            (Some(to), RangeLimits::Closed(_)) => Bound::Included(to?),
            (Some(to), RangeLimits::HalfOpen(_)) => Bound::Excluded(to?),
        };
        Some((from, to))
    };
    let Some(range) = read().filter(|range| *range != EVERYTHING) else {
        let message = "a parameter may have a range, whose ends are numbers: `#[range(1.0..)]`, `#[range(0.0..=1.0)]`, \
             `#[range((Excluded(1.0), Unbounded))]`";
        out.error(attr, message);
        return EVERYTHING;
    };
    if is_empty(&range) {
        out.error(attr, "no number is in this range: the lower end comes first");
        return EVERYTHING;
    }
    range
}

/// An end of a range as one of Rust's `Bound`s: Rust has no other way to exclude the lower end.
fn end(expr: &Expr) -> Option<Bound<String>> {
    let last = |path: &Expr| match path {
        Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    let Expr::Call(call) = expr else { return last(expr).filter(|name| name == "Unbounded").map(|_| Bound::Unbounded) };
    let number = call.args.first().filter(|_| call.args.len() == 1).and_then(signed)?;
    match &*last(&call.func)? {
        "Included" => Some(Bound::Included(number)),
        "Excluded" => Some(Bound::Excluded(number)),
        _ => None,
    }
}

/// Whether a range is empty.
fn is_empty((from, to): &Range) -> bool {
    use Bound::{Excluded, Included};
    let number = |digits: &String| digits.parse::<f64>().unwrap_or(f64::NAN);
    match (from.as_ref().map(number), to.as_ref().map(number)) {
        (Included(from), Included(to)) => from > to,
        (Included(from) | Excluded(from), Included(to) | Excluded(to)) => from >= to,
        _ => false,
    }
}

/// Whether a number is in a range.
pub(super) fn contains((from, to): &Range, digits: &str) -> bool {
    let number = |digits: &str| digits.parse::<f64>().unwrap_or(f64::NAN);
    let range = (from.as_ref().map(|end| number(end)), to.as_ref().map(|end| number(end)));
    range.contains(&number(digits))
}

/// The digits of a number: a literal of either sign, or the value of constants, if it is finite.
fn signed(expr: &Expr) -> Option<String> {
    let digits = match expr {
        Expr::Unary(minus) if matches!(minus.op, syn::UnOp::Neg(_)) => {
            real(&minus.expr).map(|digits| format!("-{digits}"))
        }
        value => real(value),
    };
    let digits = digits.or_else(|| Some(format!("{:?}", computed(expr)?)))?;
    digits.parse::<f64>().is_ok_and(f64::is_finite).then_some(digits)
}

/// The value of a formula of literals and the constants of `std`.
fn computed(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Paren(paren) => computed(&paren.expr),
        Expr::Lit(_) => match integer(expr) {
            Some(value) => Some(value as f64),
            None => real(expr)?.parse().ok(),
        },
        Expr::Path(path) => {
            let path: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            constant(&path)
        }
        Expr::Unary(minus) if matches!(minus.op, syn::UnOp::Neg(_)) => Some(-computed(&minus.expr)?),
        Expr::Binary(binary) => {
            let (a, b) = (computed(&binary.left)?, computed(&binary.right)?);
            match binary.op {
                BinOp::Add(_) => Some(a + b),
                BinOp::Sub(_) => Some(a - b),
                BinOp::Mul(_) => Some(a * b),
                // Rust would round the quotient of two integers.
                BinOp::Div(_) if integer(&binary.left).is_none() || integer(&binary.right).is_none() => Some(a / b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The digits of an `f64` literal.
pub fn real(expr: &Expr) -> Option<String> {
    let Expr::Lit(literal) = expr else { return None };
    match &literal.lit {
        Lit::Float(value) if matches!(value.suffix(), "" | "f64") => {
            let digits = value.base10_digits();
            Some(if digits.ends_with('.') { format!("{digits}0") } else { digits.to_string() })
        }
        Lit::Int(value) if value.suffix() == "f64" => Some(format!("{}.0", value.base10_digits())),
        _ => None,
    }
}
