//! Integers that are known at compile time.

use syn::{BinOp, Expr, Lit, UnOp};

use crate::ast::Names;
use crate::parse::{INTEGERS, text};

/// How deep constants refer to others.
const DEEPEST: usize = 20;

/// The value of an expression of integers; `named` gives that of a name or of a method call, if it has one.
pub(super) fn whole(expr: &Expr, named: &dyn Fn(&Expr) -> Option<i64>) -> Option<i64> {
    let value = |expr: &Expr| whole(expr, named);
    match expr {
        Expr::Paren(paren) => value(&paren.expr),
        Expr::Group(group) => value(&group.expr),
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(digits) if digits.suffix().is_empty() || INTEGERS.contains(&digits.suffix()) => {
                digits.base10_parse().ok()
            }
            _ => None,
        },
        Expr::Cast(cast) if INTEGERS.contains(&&*text(&cast.ty)) => value(&cast.expr),
        Expr::Unary(unary) => match unary.op {
            UnOp::Neg(_) => value(&unary.expr)?.checked_neg(),
            UnOp::Deref(_) => value(&unary.expr),
            _ => None,
        },
        Expr::Binary(binary) => {
            let (a, b) = (value(&binary.left)?, value(&binary.right)?);
            match binary.op {
                BinOp::Add(_) => a.checked_add(b),
                BinOp::Sub(_) => a.checked_sub(b),
                BinOp::Mul(_) => a.checked_mul(b),
                BinOp::Div(_) => a.checked_div(b),
                BinOp::Rem(_) => a.checked_rem(b),
                _ => None,
            }
        }
        Expr::Path(_) | Expr::MethodCall(_) => named(expr),
        _ => None,
    }
}

/// The value of an expression of a module's constants.
pub fn constant(names: &Names<'_>, expr: &Expr) -> Option<i64> {
    fn within(names: &Names<'_>, expr: &Expr, depth: usize) -> Option<i64> {
        whole(expr, &|named| {
            let name = text(named);
            let name = name.strip_prefix("self::").unwrap_or(&name);
            let item = names.integers.iter().find(|item| item.ident == name).filter(|_| depth < DEEPEST)?;
            within(names, &item.expr, depth + 1)
        })
    }
    within(names, expr, 0)
}
