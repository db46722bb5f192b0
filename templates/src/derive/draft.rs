//! A function that the compiler is writing itself.

use std::collections::BTreeMap;

use super::text;
use crate::algebra::Rational;
use crate::ir::{
    BinaryOp, Block, Expr, ExprId, ExprKind, Function, Let, Local, LocalId, MathFn, Pattern, Role, Span, Type, UnaryOp,
};

/// A function without its value: arguments and `let` bindings.
pub(super) struct Draft {
    span: Span,
    arguments: usize,
    locals: Vec<Local>,
    exprs: Vec<Expr>,
    lets: Vec<Let>,
    /// Variables of other functions that were copied already, by function.
    pub(super) copies: BTreeMap<(String, LocalId), ExprId>,
}

impl Draft {
    /// A function with these arguments, attributed to `span`.
    pub(super) fn new(span: Span, arguments: &[(&str, Type)]) -> Self {
        let local = |(name, ty): &(&str, Type)| Local { name: (*name).into(), span, ty: ty.clone() };
        let locals: Vec<_> = arguments.iter().map(local).collect();
        Self { span, arguments: locals.len(), locals, exprs: Vec::new(), lets: Vec::new(), copies: BTreeMap::new() }
    }

    /// The same arguments, with nothing done yet.
    pub(super) fn begun_anew(&self) -> Self {
        let locals = self.locals[..self.arguments].to_vec();
        Self { locals, exprs: Vec::new(), lets: Vec::new(), copies: BTreeMap::new(), ..*self }
    }

    /// The expression with this id.
    pub(super) fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0]
    }

    fn push(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.exprs.push(Expr { kind, ty, span: self.span });
        ExprId(self.exprs.len() - 1)
    }

    fn real(&mut self, kind: ExprKind) -> ExprId {
        self.push(kind, Type::Real)
    }

    /// Whether an expression is this literal.
    pub(super) fn is(&self, id: ExprId, literal: &str) -> bool {
        matches!(&self.exprs[id.0].kind, ExprKind::Literal(text) if text == literal)
    }

    /// A rational number that is not negative.
    pub(super) fn rational(&mut self, value: &Rational) -> ExprId {
        let digits = text::rational(value);
        match digits.split_once('/') {
            Some((numerator, denominator)) => {
                let [a, b] = [numerator, denominator].map(|digits| self.literal(&format!("{digits}.0")));
                self.real(ExprKind::Binary(BinaryOp::Div, a, b))
            }
            None if digits.contains(['.', 'e']) => self.literal(&digits),
            None => self.literal(&format!("{digits}.0")),
        }
    }

    /// A decimal literal.
    pub(super) fn literal(&mut self, text: &str) -> ExprId {
        self.real(ExprKind::Literal(text.into()))
    }

    /// An argument.
    pub(super) fn argument(&mut self, i: usize) -> ExprId {
        self.push(ExprKind::Local(LocalId(i)), self.locals[i].ty.clone())
    }

    /// A component of a state or of the parameters.
    pub(super) fn field(&mut self, of: ExprId, i: usize) -> ExprId {
        self.real(ExprKind::Field(of, i))
    }

    /// An element of an array.
    pub(super) fn element(&mut self, of: ExprId, i: usize) -> ExprId {
        self.real(ExprKind::Index(of, i))
    }

    /// `-a`.
    pub(super) fn neg(&mut self, a: ExprId) -> ExprId {
        if self.is(a, "0.0") { a } else { self.real(ExprKind::Unary(UnaryOp::Neg, a)) }
    }

    /// `a op b` for the four arithmetic operators, simplified where an operand is 0 or 1.
    pub(super) fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        match op {
            BinaryOp::Add if self.is(a, "0.0") => b,
            BinaryOp::Sub if self.is(a, "0.0") => self.neg(b),
            BinaryOp::Add | BinaryOp::Sub if self.is(b, "0.0") => a,
            BinaryOp::Mul if self.is(a, "1.0") || self.is(b, "0.0") => b,
            BinaryOp::Mul | BinaryOp::Div if self.is(b, "1.0") || self.is(a, "0.0") => a,
            _ => self.real(ExprKind::Binary(op, a, b)),
        }
    }

    /// A function of reals.
    pub(super) fn math(&mut self, f: MathFn, args: Vec<ExprId>) -> ExprId {
        self.real(ExprKind::Math(f, args))
    }

    /// A copy of a node of another function, with operands that are here already.
    pub(super) fn copy(&mut self, kind: ExprKind, ty: Type) -> ExprId {
        self.push(kind, ty)
    }

    /// `let name = value;`, as the variable, with a number after the name where it is taken.
    pub(super) fn bind(&mut self, name: &str, value: ExprId) -> ExprId {
        let ty = self.exprs[value.0].ty.clone();
        let numbered = (2..).map(|n| format!("{name}_{n}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        let name = names.find(|name| self.locals.iter().all(|local| local.name != *name));
        self.locals.push(Local { name: name.unwrap_or_default(), span: self.span, ty: ty.clone() });
        let local = LocalId(self.locals.len() - 1);
        self.lets.push(Let { pattern: Pattern::Local(local), value });
        self.push(ExprKind::Local(local), ty)
    }

    /// The function that returns these components of a state or elements of an array.
    pub(super) fn returning(mut self, name: String, values: Vec<ExprId>, result: Type) -> Function {
        let kind = if result == Type::State { ExprKind::State(values) } else { ExprKind::Array(values) };
        let value = self.push(kind, result.clone());
        Function {
            name,
            span: self.span,
            doc: String::new(),
            role: Role::Helper,
            parameters: self.arguments,
            locals: self.locals,
            exprs: self.exprs,
            body: Block { lets: self.lets, value },
            result,
            accepted: Vec::new(),
            shared: false,
        }
    }
}
