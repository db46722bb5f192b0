//! Bodies of functions: names, bindings and patterns.

use std::rc::Rc;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprClosure, FnArg, Ident, Pat, PatIdent, PatType, Token};
use templates::ir::{self, ExprId, ExprKind, Let, Local, LocalId, Pattern, Type};

use super::signature::{self, Signature};
use super::{Scope, doc};
use crate::ast;
use crate::diagnostics::Diagnostics;

/// The most operations of a function when its loops, closures and early exits are written out.
pub(super) const MOST_OPERATIONS: usize = 20_000;

/// A function's body during lowering. Methods return `None` once a mistake is known.
pub struct Body<'a> {
    pub(super) scope: &'a Scope<'a>,
    /// The module of the function or constant being lowered.
    pub(super) home: ast::Home,
    pub(super) out: &'a mut Diagnostics,
    /// The constants being lowered, to detect cycles.
    pub(super) constants: Vec<&'a Ident>,
    /// The type of the value of the function, or of the closure being written out, where that is known.
    pub(super) result: Option<Type>,
    /// The nesting depth of the expression being lowered; `None` once it was too large, and then the rest is skipped.
    pub(super) depth: Option<usize>,
    /// The names that are known, innermost last.
    pub(super) names: Vec<Name>,
    /// The number of names outside of the expression being lowered, which it cannot assign.
    pub(super) outer: usize,
    locals: Vec<Local>,
    exprs: Vec<ir::Expr>,
}

/// A name in a function.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) meaning: Meaning,
    /// Whether it is bound by `mut`.
    pub(super) mutable: bool,
}

/// What a name stands for.
#[derive(Clone, PartialEq)]
pub(super) enum Meaning {
    Local(LocalId),
    /// An integer that is known at compile time.
    Integer(i64),
    Closure(Rc<Closure>),
    /// Its binding had a mistake, which was reported.
    Mistake,
}

/// A closure, which is written out where it is called.
pub(super) struct Closure {
    pub(super) expr: ExprClosure,
    /// The names that it sees.
    pub(super) names: Vec<Name>,
}

impl PartialEq for Closure {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

/// Lowers a function.
pub fn function<'a>(
    scope: &'a Scope<'a>,
    function: &ast::Function<'a>,
    signature: &Signature<'a>,
    role: ir::Role,
    out: &'a mut Diagnostics,
) -> Option<ir::Function> {
    let sig = &function.item.sig;
    out.name(&sig.ident);
    let span = out.span(&sig.ident);
    let mut body = Body {
        scope,
        home: function.home,
        out,
        constants: Vec::new(),
        result: Some(signature.result.clone()),
        depth: Some(0),
        names: Vec::new(),
        outer: 0,
        locals: Vec::new(),
        exprs: Vec::new(),
    };
    for ((ident, ty), argument) in signature.arguments.iter().zip(&sig.inputs) {
        let mutable = matches!(argument, FnArg::Typed(PatType { pat, .. })
            if matches!(&**pat, Pat::Ident(pat) if pat.mutability.is_some()));
        match ident {
            Some(ident) => drop(body.bind(ident, ty.clone(), mutable)),
            None => drop(body.local("_".to_string(), argument, ty.clone())),
        }
    }
    let block = body.whole_block(&function.item.block)?;
    if body.exprs[block.value.0].ty != signature.result {
        body.out.leave_to_rustc();
        return None;
    }
    let Body { locals, exprs, .. } = body;
    let accepted = super::accepted(&function.accepted, out);
    Some(ir::Function {
        name: sig.ident.to_string(),
        span,
        doc: doc(&function.item.attrs),
        role,
        parameters: signature.arguments.len(),
        locals,
        exprs,
        body: block,
        result: signature.result.clone(),
        accepted,
        shared: function.home != ast::Home::Law,
    })
}

impl<'a> Body<'a> {
    /// The names of the module.
    pub(super) fn module(&self) -> &'a ast::Names<'a> {
        self.scope.block.names_at(self.home)
    }

    /// The modules in which a path may name an item, and that item's name: the own one, or one of helpers.
    pub(super) fn places(&self, path: &[String]) -> Vec<(ast::Home, String)> {
        let path = if path.first().is_some_and(|first| first == "self") { &path[1..] } else { path };
        let helpers = &self.scope.block.helpers;
        let of_helpers =
            |module: &String| Some(ast::Home::Helpers(helpers.iter().position(|names| names.module == *module)?));
        let mut places = Vec::new();
        if let [name] = path {
            places.push((self.home, name.clone()));
            let globs = self.module().others.globs.iter();
            places.extend(globs.filter_map(|glob| Some((of_helpers(glob.last()?)?, name.clone()))));
        }
        if let [.., module, name] = &self.module().others.resolve(path)[..]
            && let Some(home) = of_helpers(module)
        {
            places.push((home, name.clone()));
        }
        places
    }

    /// The function that a path names.
    pub(super) fn function_named(&self, path: &[String]) -> Option<usize> {
        let functions = &self.scope.block.functions;
        let at = |(home, name): &(ast::Home, String)| {
            functions.iter().position(|function| function.home == *home && function.item.sig.ident == name)
        };
        self.places(path).iter().find_map(at)
    }

    /// The constant that a path names, and its module.
    pub(super) fn constant_named(&self, path: &[String]) -> Option<(ast::Home, &'a syn::ItemConst)> {
        let at = |(home, name): &(ast::Home, String)| {
            let item = self.scope.block.names_at(*home).constants.iter().find(|item| item.ident == name)?;
            Some((*home, *item))
        };
        self.places(path).iter().find_map(at)
    }

    /// Leaves a mistake to rustc.
    pub(super) fn leave_to_rustc<T>(&mut self) -> Option<T> {
        self.out.leave_to_rustc();
        None
    }

    /// Reports a mistake.
    pub(super) fn error<T>(&mut self, node: &impl ToTokens, message: impl Into<String>) -> Option<T> {
        self.out.error(node, message);
        None
    }

    /// Adds a node.
    pub(super) fn push(&mut self, kind: ExprKind, ty: Type, node: &impl ToTokens) -> ExprId {
        let span = self.out.span(node);
        self.exprs.push(ir::Expr { kind, ty, span });
        ExprId(self.exprs.len() - 1)
    }

    /// The type of a node.
    pub(super) fn ty(&self, id: ExprId) -> &Type {
        &self.exprs[id.0].ty
    }

    /// The kind of a node.
    pub(super) fn kind(&self, id: ExprId) -> &ExprKind {
        &self.exprs[id.0].kind
    }

    /// What a name stands for, if it is bound.
    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.names.iter().rev().find(|known| known.text == name).map(|known| &known.meaning)
    }

    /// Gives a name a meaning from here on.
    pub(super) fn know(&mut self, ident: &Ident, meaning: Meaning, mutable: bool) {
        self.names.push(Name { text: ident.to_string(), meaning, mutable });
    }

    /// The type of a local.
    pub(super) fn local_ty(&self, local: LocalId) -> &Type {
        &self.locals[local.0].ty
    }

    /// The number of nodes so far.
    pub(super) fn operations(&self) -> usize {
        self.exprs.len()
    }

    /// A node that reads a local.
    pub(super) fn read(&mut self, local: LocalId, node: &impl ToTokens) -> ExprId {
        let ty = self.locals[local.0].ty.clone();
        self.push(ExprKind::Local(local), ty, node)
    }

    /// A new local that no name refers to.
    pub(super) fn local(&mut self, name: String, node: &impl ToTokens, ty: Type) -> LocalId {
        let span = self.out.span(node);
        self.locals.push(Local { name, span, ty });
        LocalId(self.locals.len() - 1)
    }

    fn bind(&mut self, ident: &Ident, ty: Type, mutable: bool) -> LocalId {
        self.out.name(ident);
        let local = self.local(ident.to_string(), ident, ty);
        self.know(ident, Meaning::Local(local), mutable);
        local
    }

    /// Lowers in a module, without the names that are bound here.
    pub(super) fn outside<T>(&mut self, home: ast::Home, lower: impl FnOnce(&mut Self) -> T) -> T {
        let names = std::mem::take(&mut self.names);
        let here = std::mem::replace(&mut self.home, home);
        let value = lower(self);
        (self.names, self.home) = (names, here);
        value
    }

    pub(super) fn binding(&mut self, binding: &syn::Local) -> Option<Vec<Let>> {
        let (pat, annotation) = match &binding.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let Some(init) = &binding.init else {
            self.poison(pat);
            return self.error(&binding.pat, "give the variable its value at once: `let a = …;`");
        };
        if let Some((token, _)) = &init.diverge {
            return self.error(token, "`let … else` has no counterpart: patterns of a law always match");
        }
        if let (Pat::Ident(pat), Some(value)) = (pat, self.whole(&init.expr)) {
            self.know(&pat.ident, Meaning::Integer(value), pat.mutability.is_some());
            return Some(Vec::new());
        }
        if let (Pat::Ident(pat), Expr::Closure(closure)) = (pat, &*init.expr) {
            let closure = Closure { expr: closure.clone(), names: self.names.clone() };
            self.know(&pat.ident, Meaning::Closure(Rc::new(closure)), false);
            return Some(Vec::new());
        }
        let annotation = annotation.and_then(|ty| signature::ty(self.scope, self.module(), ty, self.out));
        let value = self.typed(&init.expr, annotation.as_ref());
        let lets = value.and_then(|value| {
            if annotation.is_some_and(|annotation| annotation != *self.ty(value)) {
                return self.leave_to_rustc();
            }
            self.pattern(pat, value)
        });
        if lets.is_none() {
            self.poison(pat);
        }
        lets
    }

    pub(super) fn pattern(&mut self, pat: &Pat, value: ExprId) -> Option<Vec<Let>> {
        let ty = self.ty(value).clone();
        let (parts, types) = match pat {
            Pat::Wild(_) => return Some(Vec::new()),
            Pat::Paren(paren) => return self.pattern(&paren.pat, value),
            Pat::Ident(pat) => {
                let pattern = Pattern::Local(self.name(pat, ty)?);
                return Some(vec![Let { pattern, value }]);
            }
            Pat::Struct(fields) => return self.fields(fields, value),
            Pat::Tuple(tuple) => match ty {
                Type::Tuple(types) => (&tuple.elems, types),
                _ => return self.leave_to_rustc(),
            },
            Pat::Slice(slice) => match ty {
                Type::Array(element, length) => (&slice.elems, vec![*element; length]),
                _ => return self.leave_to_rustc(),
            },
            pat => return self.error(pat, "no pattern of a law: bind a name, a tuple `(a, b)` or an array `[a, b]`"),
        };
        self.elements(parts, &types, value)
    }

    /// The elements of a tuple or an array; what is no name there is taken apart after it.
    fn elements(&mut self, pats: &Punctuated<Pat, Token![,]>, types: &[Type], value: ExprId) -> Option<Vec<Let>> {
        let rest = pats.iter().position(|pat| matches!(pat, Pat::Rest(_)));
        let shown = pats.len() - usize::from(rest.is_some());
        if shown > types.len() || (rest.is_none() && shown < types.len()) {
            return self.leave_to_rustc();
        }
        let before = rest.unwrap_or(shown);
        let after = types.len() - (shown - before);
        let (mut locals, mut nested, mut fine) = (vec![None; types.len()], Vec::new(), true);
        let places = (0..before).chain(after..types.len());
        for (pat, i) in pats.iter().filter(|pat| !matches!(pat, Pat::Rest(_))).zip(places) {
            locals[i] = match pat {
                Pat::Wild(_) => None,
                Pat::Ident(pat) => {
                    let local = self.name(pat, types[i].clone());
                    fine &= local.is_some();
                    local
                }
                pat => {
                    let local = self.local("part".to_string(), pat, types[i].clone());
                    nested.push((pat, local));
                    Some(local)
                }
            };
        }
        let mut lets = vec![Let { pattern: Pattern::Elements(locals), value }];
        for (pat, local) in nested {
            let part = self.read(local, pat);
            lets.extend(self.pattern(pat, part)?);
        }
        fine.then_some(lets)
    }

    fn name(&mut self, pat: &PatIdent, ty: Type) -> Option<LocalId> {
        match &pat.subpat {
            _ if pat.by_ref.is_some() => self.error(&pat.by_ref, "a law has no references"),
            Some((at, _)) => {
                self.error(at, "`@` is not available: bind a name here, and take it apart in another `let`")
            }
            None => Some(self.bind(&pat.ident, ty, pat.mutability.is_some())),
        }
    }

    /// `let State { rho, rho_e, .. } = value;`
    fn fields(&mut self, pat: &syn::PatStruct, value: ExprId) -> Option<Vec<Let>> {
        if self.scope.record(self.ty(value)).is_none() {
            return self.leave_to_rustc();
        }
        let whole = self.local("whole".to_string(), &pat.path, self.ty(value).clone());
        let mut lets = vec![Let { pattern: Pattern::Local(whole), value }];
        for field in &pat.fields {
            if matches!(*field.pat, Pat::Wild(_)) {
                continue;
            }
            let whole = self.read(whole, &pat.path);
            let value = match self.member(self.ty(whole), &field.member) {
                Some((fields, true)) => self.array(whole, fields, &field.member),
                Some((fields, false)) => self.push(ExprKind::Field(whole, fields.start), Type::Real, &field.member),
                None => return self.leave_to_rustc(),
            };
            lets.extend(self.pattern(&field.pat, value)?);
        }
        Some(lets)
    }

    /// Marks the names of a failed binding, so that their uses report nothing.
    fn poison(&mut self, pat: &Pat) {
        match pat {
            Pat::Ident(pat) => self.know(&pat.ident, Meaning::Mistake, pat.mutability.is_some()),
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|pat| self.poison(pat)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|pat| self.poison(pat)),
            Pat::Struct(fields) => fields.fields.iter().for_each(|field| self.poison(&field.pat)),
            Pat::Paren(paren) => self.poison(&paren.pat),
            _ => {}
        }
    }
}
