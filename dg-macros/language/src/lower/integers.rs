//! Integers and conditions that are known at compile time: indices, lengths, exponents and the numbers of passes.

use syn::{BinOp, Expr, Lit, UnOp};
use templates::ir::Type;

use super::body::{Body, Meaning};
use crate::ast::Names;
use crate::parse::text;

/// The types of integers.
pub const INTEGERS: [&str; 12] =
    ["i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize"];

/// How deep constants refer to others.
const DEEPEST: usize = 20;

/// The value of an expression of integers; `named` gives that of a name or of a method call, if it has one.
fn whole(expr: &Expr, named: &dyn Fn(&Expr) -> Option<i64>) -> Option<i64> {
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

impl Body<'_> {
    /// The value of an expression of integers.
    pub(super) fn whole(&self, expr: &Expr) -> Option<i64> {
        whole(expr, &|named| {
            if let Expr::MethodCall(call) = named {
                let length = self.length_of(&call.receiver).filter(|_| call.method == "len");
                return length.and_then(|length| i64::try_from(length).ok());
            }
            match self.meaning(&text(named)) {
                Some(Meaning::Integer(value)) => Some(*value),
                Some(_) => None,
                None => constant(self.module(), named),
            }
        })
    }

    /// The length of an array that is a variable, a field of one, or a constant.
    fn length_of(&self, array: &Expr) -> Option<usize> {
        let ty = |expr: &Expr| match self.meaning(&text(expr)) {
            Some(Meaning::Local(local)) => Some(self.local_ty(*local)),
            _ => None,
        };
        match (array, ty(array)) {
            (_, Some(Type::Array(_, length))) => Some(*length),
            (Expr::Field(field), None) => {
                let (fields, is_array) = self.member(ty(&field.base)?, &field.member)?;
                is_array.then_some(fields.len())
            }
            (Expr::Path(path), None) => {
                let path: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let (home, item) = self.constant_named(&path)?;
                let syn::Type::Array(array) = &*item.ty else { return None };
                usize::try_from(constant(self.scope.block.names_at(home), &array.len)?).ok()
            }
            _ => None,
        }
    }

    /// Whether a condition on integers holds.
    pub(super) fn known(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Paren(paren) => self.known(&paren.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => self.known(&unary.expr).map(|holds| !holds),
            Expr::Binary(binary) => match &binary.op {
                BinOp::And(_) => match (self.known(&binary.left), self.known(&binary.right)) {
                    (Some(false), _) => Some(false),
                    (a, b) => Some(a? && b?),
                },
                BinOp::Or(_) => match (self.known(&binary.left), self.known(&binary.right)) {
                    (Some(true), _) => Some(true),
                    (a, b) => Some(a? || b?),
                },
                op => {
                    let (a, b) = (self.whole(&binary.left)?, self.whole(&binary.right)?);
                    Some(match op {
                        BinOp::Lt(_) => a < b,
                        BinOp::Le(_) => a <= b,
                        BinOp::Gt(_) => a > b,
                        BinOp::Ge(_) => a >= b,
                        BinOp::Eq(_) => a == b,
                        BinOp::Ne(_) => a != b,
                        _ => return None,
                    })
                }
            },
            _ => None,
        }
    }
}
