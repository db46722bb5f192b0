//! Small changes of a law that would make its declared eigenvalues right: the probable intention of a wrong formula.

use std::collections::BTreeSet;

use crate::derive::{Number, Point, Setting, Stop, Tower, Zero, spectrum, text};
use crate::ir::{
    BinaryOp, Block, Expr, ExprId, ExprKind, FunctionId, Law, LocalId, MathFn, Pattern, Role, Type, UnaryOp,
};

/// The most changes that are tried.
const TRIES: usize = 600;

/// One changed expression.
pub struct Repair {
    /// The function that was changed.
    pub function: FunctionId,
    /// The changed expression.
    pub expr: ExprId,
    /// Its text before the change.
    pub before: String,
    /// Its text after the change.
    pub after: String,
    /// Whether the flux depends on it.
    pub in_flux: bool,
}

/// The functions that evaluating `id` calls, itself included.
pub fn reachable(law: &Law, id: FunctionId) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::from([id]);
    // Callees come before their callers.
    for i in (0..=id.0).rev().map(FunctionId) {
        if found.contains(&i) {
            found.extend(law.function(i).exprs.iter().filter_map(|expr| match expr.kind {
                ExprKind::Call(callee, _) => Some(callee),
                _ => None,
            }));
        }
    }
    found
}

/// The first small change that makes the eigenvalues right at all of the points; those that leave the flux alone
/// are tried first.
pub fn find(law: &Law, points: &[Point]) -> Option<Repair> {
    let (flux, eigenvalues) = (law.only(&Role::Flux)?, law.only(&Role::Eigenvalues)?);
    let (flux, eigenvalues) = (reachable(law, flux), reachable(law, eigenvalues));
    let of = |functions: Vec<&FunctionId>| {
        let exprs = functions.into_iter().flat_map(|&f| (0..law.function(f).exprs.len()).map(move |e| (f, ExprId(e))));
        let mut all: Vec<_> =
            exprs.flat_map(|(f, e)| changes(law, f, e).into_iter().map(move |change| (f, e, change))).collect();
        all.sort_by_key(|(_, _, change)| change.rank());
        all
    };
    let changes = of(eigenvalues.difference(&flux).collect()).into_iter().chain(of(flux.iter().collect()));
    changes.take(TRIES).find_map(|(function, expr, change)| {
        let changed = apply(law, function, expr, change);
        let right = points.iter().all(|point| fits(&changed, point).unwrap_or(false));
        right.then(|| Repair {
            function,
            expr,
            before: text::expression(law, law.function(function), expr),
            after: text::expression(&changed, changed.function(function), expr),
            in_flux: flux.contains(&function),
        })
    })
}

/// Whether the declared eigenvalues are right at a point: sums of powers first, since they are cheap.
fn fits(law: &Law, point: &Point) -> Result<bool, Stop> {
    let (mut setting, inputs) = Setting::constant(law, point);
    let Some(id) = law.only(&Role::Eigenvalues) else { return Ok(false) };
    let declared = setting.call(id, &inputs)?;
    let jacobian = setting.normal_jacobian(&inputs)?;
    if !sums_fit(&setting.tower, &declared, &jacobian)? {
        return Ok(false);
    }
    let right = spectrum::characteristic(&setting.tower, &jacobian)?;
    let declared = spectrum::from_roots(&setting.tower, &declared)?;
    for (a, b) in right.iter().zip(&declared) {
        if setting.tower.sub(a, b)?.zero() == Zero::No {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether `Σ λ_i = tr A` and `Σ λ_i² = tr A²`.
fn sums_fit(tower: &Tower, declared: &[Number], a: &[Vec<Number>]) -> Result<bool, Stop> {
    let (mut first, mut second) = (None::<Number>, None::<Number>);
    let accumulate = |sum: &mut Option<Number>, term: Number| {
        *sum = Some(match sum.take() {
            None => term,
            Some(sum) => tower.add(&sum, &term)?,
        });
        Ok::<_, Stop>(())
    };
    for value in declared {
        accumulate(&mut first, value.clone())?;
        accumulate(&mut second, tower.mul(value, value)?)?;
    }
    for (i, row) in a.iter().enumerate() {
        accumulate(&mut first, tower.neg(&row[i]))?;
        for (j, entry) in row.iter().enumerate() {
            accumulate(&mut second, tower.neg(&tower.mul(entry, &a[j][i])?))?;
        }
    }
    Ok([first, second].iter().flatten().all(|sum| sum.zero() != Zero::No))
}

/// A change of an expression.
enum Change {
    /// `√r` → `√(p r)`.
    ScaleRadicand(LocalId, usize, BinaryOp),
    /// `a √r` → `√(a r)`; the operands of the product are root and factor.
    IntoRoot(ExprId, ExprId),
    /// `a + b` ↔ `a - b`.
    Flip(BinaryOp),
    /// `-a` → `a`.
    DropSign(ExprId),
    /// `a` → `-a`.
    AddSign,
}

impl Change {
    /// The unlikelihood of a mistake, for sorting.
    fn rank(&self) -> usize {
        match self {
            Self::IntoRoot(..) => 0,
            // A sign before an operand is often another operator, which stands in the text.
            Self::AddSign => 2,
            Self::ScaleRadicand(_, _, BinaryOp::Div) => 3,
            _ => 1,
        }
    }
}

fn changes(law: &Law, id: FunctionId, expr: ExprId) -> Vec<Change> {
    let function = law.function(id);
    let root = |e: ExprId| match &function.expr(e).kind {
        ExprKind::Math(MathFn::Sqrt, args) => Some(args[0]),
        _ => None,
    };
    match &function.expr(expr).kind {
        ExprKind::Math(MathFn::Sqrt, _) => {
            let parameters = function.signature().position(|ty| *ty == Type::Parameters).map(LocalId);
            let fields = 0..law.parameters.fields.len();
            let scale = |local, op| fields.clone().map(move |i| Change::ScaleRadicand(local, i, op));
            parameters.into_iter().flat_map(|p| scale(p, BinaryOp::Mul).chain(scale(p, BinaryOp::Div))).collect()
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) => match (root(*a), root(*b)) {
            (Some(r), None) => vec![Change::IntoRoot(r, *b)],
            (None, Some(r)) => vec![Change::IntoRoot(r, *a)],
            _ => Vec::new(),
        },
        ExprKind::Binary(BinaryOp::Add, ..) => vec![Change::Flip(BinaryOp::Sub)],
        ExprKind::Binary(BinaryOp::Sub, ..) => vec![Change::Flip(BinaryOp::Add)],
        ExprKind::Unary(UnaryOp::Neg, a) => vec![Change::DropSign(*a)],
        ExprKind::Field(..) if function.expr(expr).ty == Type::Real => vec![Change::AddSign],
        _ => Vec::new(),
    }
}

fn apply(law: &Law, id: FunctionId, expr: ExprId, change: Change) -> Law {
    let mut law = law.clone();
    let exprs = &mut law.functions[id.0].exprs;
    let span = exprs[expr.0].span;
    let push = |exprs: &mut Vec<Expr>, kind, ty| {
        exprs.push(Expr { kind, ty, span });
        ExprId(exprs.len() - 1)
    };
    let old = exprs[expr.0].kind.clone();
    exprs[expr.0].kind = match (change, old) {
        (Change::ScaleRadicand(local, i, op), ExprKind::Math(f, args)) => {
            let record = push(exprs, ExprKind::Local(local), Type::Parameters);
            let field = push(exprs, ExprKind::Field(record, i), Type::Real);
            let (a, b) = if op == BinaryOp::Mul { (field, args[0]) } else { (args[0], field) };
            ExprKind::Math(f, vec![push(exprs, ExprKind::Binary(op, a, b), Type::Real)])
        }
        (Change::IntoRoot(radicand, factor), _) => {
            let product = push(exprs, ExprKind::Binary(BinaryOp::Mul, factor, radicand), Type::Real);
            ExprKind::Math(MathFn::Sqrt, vec![product])
        }
        (Change::Flip(op), ExprKind::Binary(_, a, b)) => ExprKind::Binary(op, a, b),
        (Change::DropSign(a), _) => exprs[a.0].kind.clone(),
        (_, old) => ExprKind::Unary(UnaryOp::Neg, push(exprs, old, Type::Real)),
    };
    law
}

/// The user's name for an expression: the variable that it is bound to, or its function.
pub fn name_of(law: &Law, id: FunctionId, expr: ExprId) -> Option<String> {
    let function = law.function(id);
    let mut blocks: Vec<&Block> = vec![&function.body];
    for e in &function.exprs {
        match &e.kind {
            ExprKind::If(_, a, b) => blocks.extend([&**a, &**b]),
            ExprKind::Block(block) => blocks.push(block),
            _ => {}
        }
    }
    let bound = blocks.iter().flat_map(|block| &block.lets).find(|binding| binding.value == expr);
    match bound.map(|binding| &binding.pattern) {
        Some(Pattern::Local(local)) => Some(function.locals[local.0].name.clone()),
        _ if function.body.value == expr && function.role == Role::Helper => Some(function.name.clone()),
        _ => None,
    }
}
