//! Several sources of a law act as their sum.

use templates::ir::{
    BinaryOp, Block, Expr, ExprId, ExprKind, Function, FunctionId, Let, Local, LocalId, Pattern, Role, Span, Type,
};

/// The name of the derived sum of several sources.
pub const SOURCES: &str = "sources";

/// Adds the sum of a law's sources if there are several, which are its helpers from then on.
pub fn add_sum(functions: &mut Vec<Function>, components: usize) {
    let sources: Vec<_> = (0..functions.len()).filter(|&i| functions[i].role == Role::Source).collect();
    if sources.len() < 2 {
        return;
    }
    let mut types: Vec<Type> = Vec::new();
    for &i in &sources {
        for ty in functions[i].signature() {
            if !types.contains(ty) {
                types.push(ty.clone());
            }
        }
    }
    let span = functions[sources[0]].span;
    let local = |(name, ty): (&str, &Type)| Local { name: name.to_string(), span, ty: ty.clone() };
    let name = |ty: &Type| match ty {
        Type::State => "u",
        Type::Point => "x",
        Type::Parameters => "parameters",
        Type::Medium => "medium",
        _ => "t",
    };
    let mut locals: Vec<_> = types.iter().map(|ty| local((name(ty), ty))).collect();
    let mut exprs = Vec::new();
    let mut lets = Vec::new();
    for &i in &sources {
        let source = &mut functions[i];
        let arguments = source.signature().map(|ty| {
            let argument = types.iter().position(|known| known == ty).unwrap_or_default();
            push(&mut exprs, ExprKind::Local(LocalId(argument)), ty.clone(), span)
        });
        let arguments = arguments.collect();
        let value = push(&mut exprs, ExprKind::Call(FunctionId(i), arguments), Type::State, span);
        lets.push(Let { pattern: Pattern::Local(LocalId(locals.len())), value });
        locals.push(local((&source.name, &Type::State)));
        source.role = Role::Helper;
    }
    let rates = types.len()..locals.len();
    let sums = (0..components).map(|component| {
        let mut sum = None;
        for rate in rates.clone() {
            let rate = push(&mut exprs, ExprKind::Local(LocalId(rate)), Type::State, span);
            let term = push(&mut exprs, ExprKind::Field(rate, component), Type::Real, span);
            sum = Some(match sum {
                Some(sum) => push(&mut exprs, ExprKind::Binary(BinaryOp::Add, sum, term), Type::Real, span),
                None => term,
            });
        }
        sum
    });
    let sums = sums.flatten().collect();
    let value = push(&mut exprs, ExprKind::State(sums), Type::State, span);
    let names: Vec<_> = sources.iter().map(|&i| format!("`{}`", functions[i].name)).collect();
    functions.push(Function {
        name: SOURCES.to_string(),
        span,
        doc: format!("The sum of {}.", names.join(", ")),
        role: Role::Source,
        parameters: types.len(),
        locals,
        exprs,
        body: Block { lets, value },
        result: Type::State,
        accepted: Vec::new(),
        shared: false,
    });
}

fn push(exprs: &mut Vec<Expr>, kind: ExprKind, ty: Type, span: Span) -> ExprId {
    exprs.push(Expr { kind, ty, span });
    ExprId(exprs.len() - 1)
}
