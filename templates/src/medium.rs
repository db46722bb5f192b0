//! A medium in the algebra. Its fields are parameters there, of any values that `#[admissible]` and their ranges allow: every rule
//! about parameters holds for them, and one rule alone knows of media: a numerical flux, which is given the medium of each side, is the
//! algebra's between equal media, and is tried between two by [`check::media`](crate::check).

use std::borrow::Cow;

use crate::ir::{ExprKind, Function, FunctionId, Law, Local, LocalId, Role, Type};

/// The law in which the medium's fields are the first parameters.
pub fn as_parameters(law: &Law) -> Cow<'_, Law> {
    let count = law.medium.fields.len();
    if count == 0 {
        return Cow::Borrowed(law);
    }
    let mut plain = law.clone();
    plain.parameters.fields.splice(0..0, law.medium.fields.iter().cloned());
    if plain.parameters.name.is_empty() {
        plain.parameters.name.clone_from(&law.medium.name);
    }
    for function in &mut plain.functions {
        let change = change(function);
        let types: Vec<Type> = function.exprs.iter().map(|expr| expr.ty.clone()).collect();
        for expr in &mut function.exprs {
            if let ExprKind::Field(of, i) = &mut expr.kind
                && types[of.0] == Type::Parameters
            {
                *i += count;
            }
            if change.is_none_or(|change| !matches!(expr.kind, ExprKind::Local(local) if local == change)) {
                merge(&mut expr.ty);
            }
        }
        let locals = function.locals.iter_mut().enumerate().filter(|(i, _)| change != Some(LocalId(*i)));
        locals.for_each(|(_, local)| merge(&mut local.ty));
        merge(&mut function.result);
    }
    Cow::Owned(plain)
}

/// The second medium that a non-conservative product takes: how the medium changes. It stays one, apart from the parameters.
fn change(function: &Function) -> Option<LocalId> {
    let of_type = |local: &Local| local.ty == Type::Medium;
    let mut media = (0..function.parameters).filter(|&i| of_type(&function.locals[i])).map(LocalId);
    media.nth(1).filter(|_| function.role == Role::Nonconservative)
}

/// The medium in which a law's exact solutions solve it: that of its first `#[medium]` function.
pub fn of_solutions(law: &Law) -> Option<FunctionId> {
    law.with_role(|role| *role == Role::Medium).min_by_key(|id| law.function(*id).span)
}

/// Gives parameters their own numbers in a function that reads no field of the medium.
pub(crate) fn restore_parameters(law: &Law, function: &mut Function) {
    let is_of_parameters: Vec<bool> = function.exprs.iter().map(|expr| expr.ty == Type::Parameters).collect();
    for expr in &mut function.exprs {
        if let ExprKind::Field(of, i) = &mut expr.kind
            && is_of_parameters[of.0]
        {
            *i -= law.medium.fields.len();
        }
    }
}

/// The type of what was a medium or the parameters.
fn merge(ty: &mut Type) {
    match ty {
        Type::Medium => *ty = Type::Parameters,
        Type::Array(element, _) => merge(element),
        Type::Tuple(elements) => elements.iter_mut().for_each(merge),
        _ => {}
    }
}
