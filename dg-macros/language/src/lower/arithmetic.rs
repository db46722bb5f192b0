//! Arithmetic of numbers, and of states component by component.

use quote::ToTokens;
use syn::{BinOp, Expr, UnOp};
use templates::ir::{BinaryOp, Block, ExprId, ExprKind, FACTOR, Let, LocalId, Pattern, Type, UnaryOp};

use super::body::Body;
use crate::parse::text;

/// An operand during lowering: a sum of many states makes one state, not one after each operator.
enum Operand {
    Value(ExprId),
    /// The components of a state that is not made yet, and bindings before them.
    State(Vec<Let>, Vec<ExprId>),
}

/// A factor of all components.
enum Factor {
    Local(LocalId),
    Literal(String),
    /// The factor of a single component.
    Value(ExprId),
}

impl Body<'_> {
    /// `-a`, or `a op b` for the four arithmetic operators.
    pub(super) fn arithmetic(&mut self, expr: &Expr) -> Option<ExprId> {
        let operand = self.operator(expr)?;
        Some(self.made(operand, expr))
    }

    /// `a op b` of values.
    pub(super) fn changed(
        &mut self,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
        symbol: &impl ToTokens,
        node: &impl ToTokens,
    ) -> Option<ExprId> {
        let operand = self.combined(op, Operand::Value(a), Operand::Value(b), symbol, node)?;
        Some(self.made(operand, node))
    }

    /// The node of an operand.
    fn made(&mut self, operand: Operand, node: &impl ToTokens) -> ExprId {
        match operand {
            Operand::Value(value) => value,
            Operand::State(lets, components) => {
                let value = self.push(ExprKind::State(components), Type::State, node);
                self.within(lets, value, node)
            }
        }
    }

    /// `{ lets value }`
    pub(super) fn within(&mut self, lets: Vec<Let>, value: ExprId, node: &impl ToTokens) -> ExprId {
        if lets.is_empty() {
            return value;
        }
        let ty = self.ty(value).clone();
        self.push(ExprKind::Block(Box::new(Block { lets, value })), ty, node)
    }

    fn operand(&mut self, expr: &Expr) -> Option<Operand> {
        match expr {
            Expr::Paren(paren) => self.operand(&paren.expr),
            Expr::Group(group) => self.operand(&group.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => self.deeper(expr, |body| body.operator(expr)),
            Expr::Binary(binary) if operator(&binary.op).is_some() => self.deeper(expr, |body| body.operator(expr)),
            expr => self.expr(expr).map(Operand::Value),
        }
    }

    fn operator(&mut self, expr: &Expr) -> Option<Operand> {
        match expr {
            Expr::Unary(unary) => {
                let operand = self.operand(&unary.expr)?;
                self.negative(operand, unary)
            }
            Expr::Binary(binary) => {
                let (a, b) = (self.operand(&binary.left), self.operand(&binary.right));
                self.combined(operator(&binary.op)?, a?, b?, &binary.op, expr)
            }
            _ => self.leave_to_rustc(),
        }
    }

    fn negative(&mut self, operand: Operand, node: &syn::ExprUnary) -> Option<Operand> {
        let negative = |body: &mut Self, a| body.push(ExprKind::Unary(UnaryOp::Neg, a), Type::Real, node);
        match self.operand_ty(&operand) {
            Type::Real => match operand {
                Operand::Value(a) => Some(Operand::Value(negative(self, a))),
                Operand::State(..) => None,
            },
            Type::State => {
                self.derives("Neg", &node.op)?;
                let (lets, components) = self.components(operand, &node.expr);
                let components = components.into_iter().map(|a| negative(self, a)).collect();
                Some(Operand::State(lets, components))
            }
            ty => self.unlike(&node.op, &[ty]),
        }
    }

    /// `a op b`, where `symbol` stands for `op` in the source and `node` for the whole.
    fn combined(
        &mut self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        symbol: &impl ToTokens,
        node: &impl ToTokens,
    ) -> Option<Operand> {
        let mut lets = Vec::new();
        let pairs: Vec<(ExprId, ExprId)> = match (op, self.operand_ty(&a), self.operand_ty(&b), a, b) {
            (_, Type::Real, Type::Real, Operand::Value(a), Operand::Value(b)) => {
                return Some(Operand::Value(self.push(ExprKind::Binary(op, a, b), Type::Real, node)));
            }
            (BinaryOp::Add | BinaryOp::Sub, Type::State, Type::State, a, b) => {
                self.derives(if op == BinaryOp::Add { "Add" } else { "Sub" }, symbol)?;
                let [a, b] = [a, b].map(|side| self.components(side, node));
                lets = [a.0, b.0].concat();
                a.1.into_iter().zip(b.1).collect()
            }
            (BinaryOp::Mul, Type::Real, Type::State, Operand::Value(factor), state) => {
                self.derives("Mul", symbol)?;
                let factor = self.factor(factor, &mut lets, node);
                let (more, components) = self.components(state, node);
                lets.extend(more);
                components.into_iter().map(|a| (self.of_factor(&factor, node), a)).collect()
            }
            (BinaryOp::Mul | BinaryOp::Div, Type::State, Type::Real, state, Operand::Value(factor)) => {
                self.derives(if op == BinaryOp::Mul { "Mul" } else { "Div" }, symbol)?;
                let (more, components) = self.components(state, node);
                lets.extend(more);
                let factor = self.factor(factor, &mut lets, node);
                components.into_iter().map(|a| (a, self.of_factor(&factor, node))).collect()
            }
            (_, a, b, ..) => return self.unlike(symbol, &[a, b]),
        };
        let components =
            pairs.into_iter().map(|(a, b)| self.push(ExprKind::Binary(op, a, b), Type::Real, node)).collect();
        Some(Operand::State(lets, components))
    }

    fn operand_ty(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Value(value) => self.ty(*value).clone(),
            Operand::State(..) => Type::State,
        }
    }

    /// The components of a state, each to be used once; one that is no variable is first bound to one.
    fn components(&mut self, state: Operand, node: &impl ToTokens) -> (Vec<Let>, Vec<ExprId>) {
        let value = match state {
            Operand::State(lets, components) => return (lets, components),
            Operand::Value(value) => value,
        };
        let (local, lets) = match self.kind(value) {
            ExprKind::State(components) => return (Vec::new(), components.clone()),
            ExprKind::Local(local) => (*local, Vec::new()),
            _ => {
                let local = self.local("term".to_string(), node, Type::State);
                (local, vec![Let { pattern: Pattern::Local(local), value }])
            }
        };
        let components = (0..self.scope.state.fields.len()).map(|i| {
            let state = self.read(local, node);
            self.push(ExprKind::Field(state, i), Type::Real, node)
        });
        (lets, components.collect())
    }

    /// A number that multiplies or divides every component, bound to a variable unless it is one or a literal.
    fn factor(&mut self, value: ExprId, lets: &mut Vec<Let>, node: &impl ToTokens) -> Factor {
        match self.kind(value) {
            _ if self.scope.state.fields.len() == 1 => Factor::Value(value),
            ExprKind::Literal(digits) => Factor::Literal(digits.clone()),
            ExprKind::Local(local) => Factor::Local(*local),
            _ => {
                let local = self.local(FACTOR.to_owned(), node, Type::Real);
                lets.push(Let { pattern: Pattern::Local(local), value });
                Factor::Local(local)
            }
        }
    }

    fn of_factor(&mut self, factor: &Factor, node: &impl ToTokens) -> ExprId {
        match factor {
            Factor::Local(local) => self.read(*local, node),
            Factor::Literal(digits) => self.push(ExprKind::Literal(digits.clone()), Type::Real, node),
            Factor::Value(value) => *value,
        }
    }

    /// Reports an operator of states that is the user's own instead of the derived one.
    fn derives(&mut self, operator: &str, symbol: &impl ToTokens) -> Option<()> {
        let (state, others) = (&self.scope.state.name, &self.scope.block.names.others);
        if others.implements(state, operator) || (operator == "Mul" && others.implements("f64", operator)) {
            let message = format!(
                "`{}` is derived for `{state}`, component by component: leave `impl {operator}` out, or call a function",
                text(symbol)
            );
            return self.error(symbol, message);
        }
        Some(())
    }

    /// An operator on operands that it does not take: valid Rust only if the user implemented it.
    pub(super) fn unlike<T>(&mut self, op: &impl ToTokens, types: &[Type]) -> Option<T> {
        let record = |ty: &Type| self.scope.record(ty).map(|record| &record.name);
        let taught = ["Add", "Sub", "Mul", "Div", "Neg", "Not", "PartialOrd"];
        let others = &self.scope.block.names.others;
        let overloaded = types.iter().any(|ty| match record(ty) {
            Some(name) => taught.iter().any(|taught| others.implements(name, taught)),
            None => false,
        });
        let like = types.windows(2).any(|pair| pair[0] == pair[1] && record(&pair[0]).is_none());
        if overloaded || (like && matches!(types[0], Type::Array(..) | Type::Tuple(_) | Type::Bool)) {
            return self.error(op, format!("`{}` is for numbers and states here: write it for each element", text(op)));
        }
        self.leave_to_rustc()
    }
}

/// The arithmetic operator of the IR.
pub(super) fn operator(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        _ => return None,
    })
}

/// The arithmetic operator of `a += b` and the like.
pub(super) fn assignment(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Sub,
        BinOp::MulAssign(_) => BinaryOp::Mul,
        BinOp::DivAssign(_) => BinaryOp::Div,
        _ => return None,
    })
}
