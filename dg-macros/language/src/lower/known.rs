//! What a function knows at compile time: indices, lengths, exponents, the numbers of passes, and conditions on them.

use syn::{BinOp, Expr, UnOp};
use templates::ir::Type;

use super::body::{Body, Meaning};
use super::integers::{constant, whole};
use crate::parse::text;

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
