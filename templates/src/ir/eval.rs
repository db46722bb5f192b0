//! One interpreter for all uses of a law: exact algebra, floating point and dual numbers are [`Domain`]s.

use super::{
    BinaryOp, Block, ExprId, ExprKind, Function, FunctionId, Law, LocalId, MathFn, Pattern, Span, Type, UnaryOp,
};

/// A kind of numbers that a law can be evaluated over.
pub trait Domain {
    /// A real number.
    type Real: Clone;
    /// A truth value.
    type Bool: Clone;
    /// Why an evaluation cannot go on.
    type Error;

    /// Tells the place in the source of the next operation, whose operands are known.
    fn place(&mut self, _span: Span) {}
    /// Tells that the user binds a number to this name.
    fn name(&mut self, _name: &str, _a: &Self::Real) {}
    /// Whether a number is known to be zero, so that terms with it can be left out.
    fn is_zero(&self, _a: &Self::Real) -> bool {
        false
    }
    /// The exact value of a decimal literal.
    fn literal(&mut self, text: &str) -> Result<Self::Real, Self::Error>;
    /// `true` or `false`.
    fn bool(&mut self, value: bool) -> Self::Bool;
    /// `-a`.
    fn neg(&mut self, a: &Self::Real) -> Result<Self::Real, Self::Error>;
    /// `a op b` for the four arithmetic operators.
    fn arithmetic(&mut self, op: BinaryOp, a: &Self::Real, b: &Self::Real) -> Result<Self::Real, Self::Error>;
    /// `a op b` for the four comparisons.
    fn compare(&mut self, op: BinaryOp, a: &Self::Real, b: &Self::Real) -> Result<Self::Bool, Self::Error>;
    /// `a && b`, `a || b`.
    fn logic(&mut self, op: BinaryOp, a: &Self::Bool, b: &Self::Bool) -> Result<Self::Bool, Self::Error>;
    /// `!a`.
    fn not(&mut self, a: &Self::Bool) -> Result<Self::Bool, Self::Error>;
    /// A mathematical function; `args` has its arity.
    fn math(&mut self, f: MathFn, args: &[Self::Real]) -> Result<Self::Real, Self::Error>;
    /// The value of a condition, if the domain knows it; otherwise both branches are evaluated and
    /// [`Domain::select`]ed.
    fn decide(&mut self, condition: &Self::Bool) -> Option<bool>;
    /// `if condition { a } else { b }` for an undecided condition.
    fn select(&mut self, condition: &Self::Bool, a: &Self::Real, b: &Self::Real) -> Result<Self::Real, Self::Error>;
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub enum Value<R, B> {
    /// A real number.
    Real(R),
    /// A truth value.
    Bool(B),
    /// Components of a state, parameter struct, normal, point, array or tuple.
    Elements(Vec<Value<R, B>>),
}

type ValueOf<D> = Value<<D as Domain>::Real, <D as Domain>::Bool>;

/// Calls a function of the law on values that have the types of its signature.
///
/// # Errors
/// The domain's own.
pub fn call<D: Domain>(domain: &mut D, law: &Law, id: FunctionId, args: &[ValueOf<D>]) -> Result<ValueOf<D>, D::Error> {
    call_with(domain, law, id, args.to_vec())
}

fn call_with<D: Domain>(
    domain: &mut D,
    law: &Law,
    id: FunctionId,
    args: Vec<ValueOf<D>>,
) -> Result<ValueOf<D>, D::Error> {
    let function = law.function(id);
    let mut locals = args;
    locals.resize(function.locals.len(), Value::Elements(Vec::new()));
    Frame { domain, law, function, locals }.block(&function.body)
}

struct Frame<'a, D: Domain> {
    domain: &'a mut D,
    law: &'a Law,
    function: &'a Function,
    locals: Vec<ValueOf<D>>,
}

impl<D: Domain> Frame<'_, D> {
    fn block(&mut self, block: &Block) -> Result<ValueOf<D>, D::Error> {
        for binding in &block.lets {
            let value = self.expr(binding.value)?;
            match &binding.pattern {
                Pattern::Local(local) => self.bind(*local, value),
                Pattern::Elements(names) => {
                    for (name, element) in names.iter().zip(elements(value)) {
                        if let Some(local) = name {
                            self.bind(*local, element);
                        }
                    }
                }
            }
        }
        self.expr(block.value)
    }

    fn bind(&mut self, local: LocalId, value: ValueOf<D>) {
        if let Value::Real(number) = &value {
            self.domain.name(&self.function.locals[local.0].name, number);
        }
        self.locals[local.0] = value;
    }

    fn real(&mut self, id: ExprId) -> Result<D::Real, D::Error> {
        Ok(real(self.expr(id)?))
    }

    fn bool(&mut self, id: ExprId) -> Result<D::Bool, D::Error> {
        Ok(bool(self.expr(id)?))
    }

    fn all(&mut self, ids: &[ExprId]) -> Result<Vec<ValueOf<D>>, D::Error> {
        ids.iter().map(|&id| self.expr(id)).collect()
    }

    /// A variable, or an element of one: no others are copied for it.
    fn part_of_local(&self, id: ExprId) -> Option<&ValueOf<D>> {
        match &self.function.expr(id).kind {
            ExprKind::Local(local) => Some(&self.locals[local.0]),
            ExprKind::Field(of, i) | ExprKind::Index(of, i) => match self.part_of_local(*of)? {
                Value::Elements(elements) => elements.get(*i),
                _ => None,
            },
            _ => None,
        }
    }

    fn expr(&mut self, id: ExprId) -> Result<ValueOf<D>, D::Error> {
        let function = self.function;
        Ok(match &function.expr(id).kind {
            ExprKind::Literal(text) => Value::Real(self.domain.literal(text)?),
            ExprKind::Bool(value) => Value::Bool(self.domain.bool(*value)),
            ExprKind::Local(local) => self.locals[local.0].clone(),
            ExprKind::Field(of, i) | ExprKind::Index(of, i) => match self.part_of_local(id) {
                Some(part) => part.clone(),
                None => elements(self.expr(*of)?).swap_remove(*i),
            },
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.real(*a)?;
                Value::Real(self.domain.neg(&a)?)
            }
            ExprKind::Unary(UnaryOp::Not, a) => {
                let a = self.bool(*a)?;
                Value::Bool(self.domain.not(&a)?)
            }
            ExprKind::Binary(op, a, b) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                    let (a, b) = (self.real(*a)?, self.real(*b)?);
                    self.domain.place(function.expr(id).span);
                    Value::Real(self.domain.arithmetic(*op, &a, &b)?)
                }
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                    let (a, b) = (self.real(*a)?, self.real(*b)?);
                    Value::Bool(self.domain.compare(*op, &a, &b)?)
                }
                BinaryOp::And | BinaryOp::Or => {
                    let (a, b) = (self.bool(*a)?, self.bool(*b)?);
                    self.domain.place(function.expr(id).span);
                    Value::Bool(self.domain.logic(*op, &a, &b)?)
                }
            },
            ExprKind::Math(f, args) => {
                let args = args.iter().map(|&a| self.real(a)).collect::<Result<Vec<_>, _>>()?;
                self.domain.place(function.expr(id).span);
                Value::Real(self.domain.math(*f, &args)?)
            }
            ExprKind::Call(callee, args) => {
                let args = self.all(args)?;
                call_with(self.domain, self.law, *callee, args)?
            }
            ExprKind::If(condition, a, b) => {
                let condition = self.bool(*condition)?;
                self.domain.place(function.expr(id).span);
                match self.domain.decide(&condition) {
                    Some(true) => self.block(a)?,
                    Some(false) => self.block(b)?,
                    None => {
                        let (a, b) = (self.block(a)?, self.block(b)?);
                        select(self.domain, &condition, &a, &b)?
                    }
                }
            }
            ExprKind::Block(block) => self.block(block)?,
            ExprKind::State(ids) | ExprKind::Array(ids) | ExprKind::Tuple(ids) => Value::Elements(self.all(ids)?),
        })
    }
}

fn select<D: Domain>(
    domain: &mut D,
    condition: &D::Bool,
    a: &ValueOf<D>,
    b: &ValueOf<D>,
) -> Result<ValueOf<D>, D::Error> {
    Ok(match (a, b) {
        (Value::Real(a), Value::Real(b)) => Value::Real(domain.select(condition, a, b)?),
        (Value::Bool(a), Value::Bool(b)) => {
            // (c && a) || (!c && b)
            let not = domain.not(condition)?;
            let a = domain.logic(BinaryOp::And, condition, a)?;
            let b = domain.logic(BinaryOp::And, &not, b)?;
            Value::Bool(domain.logic(BinaryOp::Or, &a, &b)?)
        }
        (Value::Elements(a), Value::Elements(b)) => {
            Value::Elements(a.iter().zip(b).map(|(a, b)| select(domain, condition, a, b)).collect::<Result<_, _>>()?)
        }
        _ => unreachable!("the branches of an `if` have one type"),
    })
}

fn real<R, B>(value: Value<R, B>) -> R {
    match value {
        Value::Real(value) => value,
        _ => unreachable!("typed as a real number"),
    }
}

fn bool<R, B>(value: Value<R, B>) -> B {
    match value {
        Value::Bool(value) => value,
        _ => unreachable!("typed as a truth value"),
    }
}

fn elements<R, B>(value: Value<R, B>) -> Vec<Value<R, B>> {
    match value {
        Value::Elements(elements) => elements,
        _ => unreachable!("typed as an aggregate"),
    }
}

/// All real components of a value, in order.
pub fn flatten<R: Clone, B>(value: &Value<R, B>) -> Vec<R> {
    match value {
        Value::Real(value) => vec![value.clone()],
        Value::Bool(_) => unreachable!("no function with a role returns a truth value"),
        Value::Elements(elements) => elements.iter().flat_map(flatten).collect(),
    }
}

/// A value of type `ty` from its real components, taken from `components` in order.
pub fn unflatten<R, B>(law: &Law, ty: &Type, components: &mut impl Iterator<Item = R>) -> Value<R, B> {
    let mut many = |ty: &Type, n: usize| Value::Elements((0..n).map(|_| unflatten(law, ty, components)).collect());
    match ty {
        Type::Real => Value::Real(components.next().expect("as many components as the type has")),
        Type::Bool => unreachable!("no argument of a function with a role is a truth value"),
        Type::State | Type::Parameters | Type::Medium | Type::Normal | Type::Point => {
            many(&Type::Real, law.size_of(ty))
        }
        Type::Array(element, n) => many(element, *n),
        Type::Tuple(types) => Value::Elements(types.iter().map(|ty| unflatten(law, ty, components)).collect()),
    }
}
