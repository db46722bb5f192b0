//! Laws evaluated over formulas: the result is a function of the IR.

use std::collections::BTreeMap;

use super::draft::Draft;
use super::number::Stop;
use crate::ir::{BinaryOp, Block, Domain, Expr, ExprId, ExprKind, Function, MathFn, Type, UnaryOp};

/// The largest number of expressions.
const LIMIT: usize = 20_000;

/// The name of a number that is used more than once and has no name from the user.
const UNNAMED: &str = "term";

/// Formulas in the arguments of a function. Equal formulas are stored once.
pub(super) struct Formulas {
    draft: Draft,
    known: BTreeMap<String, ExprId>,
    /// The names that the user gave to numbers.
    names: BTreeMap<ExprId, String>,
}

impl Formulas {
    /// Formulas in the arguments of a draft.
    pub(super) fn new(draft: Draft) -> Self {
        Self { draft, known: BTreeMap::new(), names: BTreeMap::new() }
    }

    /// An argument of the function.
    pub(super) fn argument(&mut self, i: usize) -> ExprId {
        self.draft.argument(i)
    }

    /// A component of an argument.
    pub(super) fn component(&mut self, argument: usize, i: usize) -> ExprId {
        let argument = self.argument(argument);
        self.draft.field(argument, i)
    }

    /// An expression.
    pub(super) fn expr(&self, id: ExprId) -> &ExprKind {
        &self.draft.expr(id).kind
    }

    /// The function that returns these components of a state. Expressions that are used more than once or named by the
    /// user are variables.
    pub(super) fn returning(self, name: String, values: &[ExprId]) -> Function {
        self.returning_as(name, values, Type::State)
    }

    /// The same for the elements of an array, or the components of a state.
    pub(super) fn returning_as(self, name: String, values: &[ExprId], result: Type) -> Function {
        let Self { draft: from, names, .. } = self;
        let uses = uses(&from, values);
        let mut to = from.begun_anew();
        let mut moved: Vec<Option<ExprId>> = vec![None; uses.len()];
        for (i, count) in uses.iter().enumerate().filter(|(_, count)| **count > 0) {
            let id = ExprId(i);
            let Expr { kind, ty, .. } = from.expr(id);
            let value = to.copy(with_operands(kind, |of| moved[of.0].unwrap_or(of)), ty.clone());
            let is_atom =
                matches!(kind, ExprKind::Literal(_) | ExprKind::Bool(_) | ExprKind::Local(_) | ExprKind::Field(..));
            let bound = match names.get(&id) {
                _ if is_atom => None,
                Some(name) => Some(name.as_str()),
                None if *count > 1 => Some(UNNAMED),
                None => None,
            };
            moved[i] = Some(bound.map_or(value, |name| to.bind(name, value)));
        }
        let values = values.iter().filter_map(|value| moved[value.0]).collect();
        to.returning(name, values, result)
    }

    /// The stored expression that equals this one, or a new one.
    fn once(&mut self, kind: &ExprKind, make: impl FnOnce(&mut Draft) -> ExprId) -> Result<ExprId, Stop> {
        let key = format!("{kind:?}");
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.known.len() == LIMIT {
            return Err(Stop::TooLarge);
        }
        let made = make(&mut self.draft);
        self.known.insert(key, made);
        Ok(made)
    }

    /// The operand, if the expression is a negation.
    fn negated(&self, id: ExprId) -> Option<ExprId> {
        match self.draft.expr(id).kind {
            ExprKind::Unary(UnaryOp::Neg, of) => Some(of),
            _ => None,
        }
    }

    fn node(&mut self, kind: ExprKind, ty: Type) -> Result<ExprId, Stop> {
        self.once(&kind.clone(), |draft| draft.copy(kind, ty))
    }
}

/// How often each expression is used in the others that the values need.
fn uses(draft: &Draft, values: &[ExprId]) -> Vec<usize> {
    let mut uses = vec![0; values.iter().map(|value| value.0 + 1).max().unwrap_or(0)];
    for value in values {
        uses[value.0] += 1;
    }
    for i in (0..uses.len()).rev() {
        if uses[i] > 0 {
            with_operands(&draft.expr(ExprId(i)).kind, |of| {
                uses[of.0] += 1;
                of
            });
        }
    }
    uses
}

/// A node of [`Formulas`] with other operands.
fn with_operands(kind: &ExprKind, mut operand: impl FnMut(ExprId) -> ExprId) -> ExprKind {
    match kind {
        ExprKind::Field(of, i) => ExprKind::Field(operand(*of), *i),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, operand(*a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, operand(*a), operand(*b)),
        ExprKind::Math(f, args) => ExprKind::Math(*f, args.iter().map(|&a| operand(a)).collect()),
        ExprKind::If(condition, a, b) => {
            let mut block = |block: &Block| Box::new(Block { lets: Vec::new(), value: operand(block.value) });
            let (a, b) = (block(a), block(b));
            ExprKind::If(operand(*condition), a, b)
        }
        atom => atom.clone(),
    }
}

impl Domain for Formulas {
    type Real = ExprId;
    type Bool = ExprId;
    type Error = Stop;

    fn name(&mut self, name: &str, a: &ExprId) {
        self.names.entry(*a).or_insert_with(|| name.to_owned());
    }

    fn is_zero(&self, a: &ExprId) -> bool {
        self.draft.is(*a, "0.0")
    }

    fn literal(&mut self, text: &str) -> Result<ExprId, Stop> {
        let text = if text.contains(['.', 'e', 'E']) { text.to_owned() } else { format!("{text}.0") };
        self.node(ExprKind::Literal(text), Type::Real)
    }

    fn bool(&mut self, value: bool) -> ExprId {
        self.draft.copy(ExprKind::Bool(value), Type::Bool)
    }

    fn neg(&mut self, a: &ExprId) -> Result<ExprId, Stop> {
        if let Some(of) = self.negated(*a) {
            return Ok(of);
        }
        self.once(&ExprKind::Unary(UnaryOp::Neg, *a), |draft| draft.neg(*a))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &ExprId, b: &ExprId) -> Result<ExprId, Stop> {
        // Negations of operands become subtractions, as one writes by hand.
        match (op, self.negated(*a), self.negated(*b)) {
            (BinaryOp::Add, _, Some(b)) => return self.arithmetic(BinaryOp::Sub, a, &b),
            (BinaryOp::Sub, _, Some(b)) => return self.arithmetic(BinaryOp::Add, a, &b),
            (BinaryOp::Mul | BinaryOp::Div, Some(a), _) => {
                let product = self.arithmetic(op, &a, b)?;
                return self.neg(&product);
            }
            (BinaryOp::Mul | BinaryOp::Div, None, Some(b)) => {
                let product = self.arithmetic(op, a, &b)?;
                return self.neg(&product);
            }
            _ => {}
        }
        self.once(&ExprKind::Binary(op, *a, *b), |draft| draft.binary(op, *a, *b))
    }

    fn compare(&mut self, op: BinaryOp, a: &ExprId, b: &ExprId) -> Result<ExprId, Stop> {
        self.node(ExprKind::Binary(op, *a, *b), Type::Bool)
    }

    fn logic(&mut self, op: BinaryOp, a: &ExprId, b: &ExprId) -> Result<ExprId, Stop> {
        self.node(ExprKind::Binary(op, *a, *b), Type::Bool)
    }

    fn not(&mut self, a: &ExprId) -> Result<ExprId, Stop> {
        self.node(ExprKind::Unary(UnaryOp::Not, *a), Type::Bool)
    }

    fn math(&mut self, f: MathFn, args: &[ExprId]) -> Result<ExprId, Stop> {
        match f {
            MathFn::Powi(0) => self.literal("1.0"),
            MathFn::Powi(1) => Ok(args[0]),
            _ => self.node(ExprKind::Math(f, args.to_vec()), Type::Real),
        }
    }

    fn decide(&mut self, condition: &ExprId) -> Option<bool> {
        match self.draft.expr(*condition).kind {
            ExprKind::Bool(value) => Some(value),
            _ => None,
        }
    }

    fn select(&mut self, condition: &ExprId, a: &ExprId, b: &ExprId) -> Result<ExprId, Stop> {
        if a == b {
            return Ok(*a);
        }
        let [a, b] = [a, b].map(|side| Box::new(Block { lets: Vec::new(), value: *side }));
        self.node(ExprKind::If(*condition, a, b), Type::Real)
    }
}
