//! From the [`ast`](crate::ast) to [`ir::Law`], which is free of Rust's syntax.

mod arithmetic;
mod body;
mod call;
mod expr;
mod flow;
mod formulas;
mod functions;
mod integers;
mod sequence;
mod signature;
mod sources;

pub use functions::constant;
pub use integers::INTEGERS;
pub use sources::SOURCES;

use std::collections::BTreeMap;

use templates::derive::{DERIVED_BOUNDARIES, SOURCE_JACOBIAN, source_name};
use templates::emit::DERIVED_FLUXES;
use templates::ir::{self, Expr, ExprKind, FunctionId, Type};

use crate::ast::{Block, Options, Record, Role};
use crate::diagnostics::{Diagnostics, suggestion};
use signature::Signature;

/// The names that the functions of a block may refer to.
struct Scope<'a> {
    dim: usize,
    block: &'a Block<'a>,
    state: ir::Record,
    parameters: ir::Record,
    medium: ir::Record,
    /// Signatures by position in the source; `None` where a signature is wrong.
    signatures: Vec<Option<Signature<'a>>>,
}

impl Scope<'_> {
    /// The struct of a type.
    fn record(&self, ty: &Type) -> Option<&ir::Record> {
        match ty {
            Type::State => Some(&self.state),
            Type::Parameters => Some(&self.parameters),
            Type::Medium => Some(&self.medium),
            _ => None,
        }
    }
}

/// Lowers a block; `None` where it is no law, and then `out` has the mistakes.
pub fn lower(block: &Block<'_>, options: &Options, out: &mut Diagnostics) -> Option<ir::Law> {
    let span = out.span(&block.module.ident);
    let state = record(&block.state, out);
    let [parameters, medium] = [&block.parameters, &block.medium].map(|given| match given {
        Some(given) => record(given, out),
        None => ir::Record { span, ..ir::Record::default() },
    });
    unique_roles(block, out);
    for field in block.medium.iter().flat_map(|medium| &medium.fields) {
        if state.fields.iter().any(|component| field.ident == &component.name) {
            let message =
                format!("`{0}` is a component of the state, too: files could not tell them apart", field.ident);
            out.error(field.ident, message);
        }
    }
    let mut scope = Scope { dim: options.dim, block, state, parameters, medium, signatures: Vec::new() };
    scope.signatures = block.functions.iter().map(|function| signature::signature(&scope, function, out)).collect();
    signature::roles(&scope, out);
    let mut functions = Vec::new();
    for (function, signature) in block.functions.iter().zip(&scope.signatures) {
        let role = role(&scope, &function.role, out);
        let lowered = signature.as_ref().and_then(|signature| body::function(&scope, function, signature, role, out));
        functions.push(lowered);
    }
    let order = evaluation_order(&functions, block, out);
    let functions = order.and_then(|order| reorder(functions.into_iter().collect::<Option<_>>()?, &order));
    let [rotation, reflection, galilean] = match &block.symmetry {
        Some(symmetry) => [&symmetry.rotation, &symmetry.reflection, &symmetry.galilean]
            .map(|pairs| pairs.as_ref().map(|pairs| vectors(&scope, pairs, symmetry.attr, out))),
        None => [None, None, None],
    };
    let mut functions = functions.filter(|_| out.is_clean())?;
    let Scope { state, parameters, medium, .. } = scope;
    sources::add_sum(&mut functions, state.fields.len());
    let name = block.module.ident.to_string();
    let doc = doc(&block.module.attrs);
    let accepted = accepted(&block.accepted, out);
    let (dim, orders) = (options.dim, options.orders.clone());
    Some(ir::Law {
        name,
        doc,
        span,
        dim,
        orders,
        parameters,
        state,
        medium,
        rotation,
        reflection,
        galilean,
        functions,
        accepted,
    })
}

/// Warnings that are accepted, with their places.
fn accepted(accepted: &[(ir::Warning, syn::Ident)], out: &mut Diagnostics) -> Vec<ir::Accepted> {
    accepted.iter().map(|(warning, ident)| ir::Accepted { warning: *warning, span: out.span(ident) }).collect()
}

/// The text of doc comments.
pub fn doc(attrs: &[syn::Attribute]) -> String {
    let mut lines = Vec::new();
    for attr in attrs {
        if let syn::Meta::NameValue(pair) = &attr.meta
            && pair.path.is_ident("doc")
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(line) = &literal.lit
        {
            let line = line.value();
            lines.push(line.strip_prefix(' ').unwrap_or(&line).to_string());
        }
    }
    lines.join("\n")
}

fn record(record: &Record<'_>, out: &mut Diagnostics) -> ir::Record {
    let field = |field: &crate::ast::Field<'_>| {
        out.name(field.ident);
        ir::Field {
            name: field.ident.to_string(),
            span: out.span(field.ident),
            doc: doc(field.attrs),
            default: field.default.clone(),
            range: field.range.clone(),
        }
    };
    let fields = record.fields.iter().map(field).collect();
    let ident = &record.item.ident;
    ir::Record { name: ident.to_string(), span: out.span(ident), doc: doc(&record.item.attrs), fields }
}

fn unique_roles(block: &Block<'_>, out: &mut Diagnostics) {
    for role in [Role::Nonconservative, Role::WaveSpeed, Role::Admissible, Role::MinimumPrinciple] {
        let mut holders = block.functions.iter().filter(|function| function.role == role);
        let first = holders.next();
        for second in holders {
            let first = first.map(|function| function.item.sig.ident.to_string()).unwrap_or_default();
            let message = format!("a law has one {}, and `{first}` is it already", role.name());
            out.error(&second.item.sig.ident, message);
        }
    }
    for function in &block.functions {
        let name = &function.item.sig.ident;
        if function.role == (Role::Exact { manufactured: true }) {
            let derived = source_name(&name.to_string());
            if let Some(taken) = block.functions.iter().find(|other| other.item.sig.ident == derived) {
                let message = format!("`{derived}` is derived for the manufactured `{name}`: give yours another name");
                out.error(&taken.item.sig.ident, message);
            }
        }
        if matches!(function.role, Role::NumericalFlux(_)) && DERIVED_FLUXES.iter().any(|(derived, _)| name == derived)
        {
            out.error(
                name,
                format!("`{name}` is a flux that is derived for laws: leave it out, or give yours another name"),
            );
        }
        if function.role != Role::Helper && DERIVED_BOUNDARIES.iter().any(|(derived, _)| name == derived) {
            out.error(name, format!("`{name}` is a boundary that is derived for laws: give yours another name"));
        }
        if function.role != Role::Helper && name == SOURCE_JACOBIAN.0 {
            out.error(name, format!("`{name}` is derived for laws with a source: give yours another name"));
        }
    }
    let sources = block.functions.iter().filter(|function| function.role == Role::Source).count();
    if let Some(taken) = block.functions.iter().find(|function| function.item.sig.ident == SOURCES && sources > 1) {
        let message = format!("`{SOURCES}` is derived, the sum of all sources: give yours another name");
        out.error(&taken.item.sig.ident, message);
    }
    if !block.functions.iter().any(|function| function.role == Role::Flux) {
        let (law, state) = (&block.module.ident, &block.state.item.ident);
        out.error(law, format!("`{law}` has no flux: add `pub fn flux(u: {state}) -> [{state}; 2]`"));
    }
}

fn role(scope: &Scope<'_>, role: &Role, out: &mut Diagnostics) -> ir::Role {
    match role {
        Role::Helper => ir::Role::Helper,
        Role::Flux => ir::Role::Flux,
        Role::Eigenvalues => ir::Role::Eigenvalues,
        Role::Admissible => ir::Role::Admissible,
        Role::WaveSpeed => ir::Role::WaveSpeed,
        Role::MinimumPrinciple => ir::Role::MinimumPrinciple,
        Role::NumericalFlux(claims) => ir::Role::NumericalFlux(claims.clone()),
        Role::Nonconservative => ir::Role::Nonconservative,
        Role::Source => ir::Role::Source,
        Role::Medium => ir::Role::Medium,
        Role::Initial => ir::Role::Initial,
        Role::Exact { manufactured } => ir::Role::Exact { manufactured: *manufactured },
        Role::Variables => ir::Role::Variables,
        Role::Output => ir::Role::Output,
        Role::Boundary(names) => {
            let components = names.iter().filter_map(|name| Some((component(scope, name, out)?, out.span(name))));
            ir::Role::Boundary { impermeable: components.collect() }
        }
    }
}

/// The component of the state with this name.
fn component(scope: &Scope<'_>, name: &syn::Ident, out: &mut Diagnostics) -> Option<usize> {
    let fields = || scope.state.fields.iter().map(|field| field.name.as_str());
    let found = fields().position(|field| name == field);
    if found.is_none() {
        let near = suggestion(&name.to_string(), fields());
        out.error(name, format!("`{}` has no component `{name}`{near}", scope.state.name));
    }
    found
}

fn vectors(scope: &Scope<'_>, named: &[[syn::Ident; 2]], attr: &syn::Attribute, out: &mut Diagnostics) -> ir::Vectors {
    let (mut pairs, mut used) = (Vec::new(), Vec::new());
    for [a, b] in named {
        let (Some(first), Some(second)) = (component(scope, a, out), component(scope, b, out)) else { continue };
        for (name, component) in [(a, first), (b, second)] {
            if used.contains(&component) {
                out.error(name, format!("`{name}` is a component of one vector: it is named twice"));
            }
            used.push(component);
        }
        pairs.push((first, second));
    }
    ir::Vectors { pairs, span: out.span(attr) }
}

/// An order in which every function comes after those it calls, as close to the source's as possible.
fn evaluation_order(
    functions: &[Option<ir::Function>],
    block: &Block<'_>,
    out: &mut Diagnostics,
) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    struct Visit<'a> {
        functions: &'a [Option<ir::Function>],
        block: &'a Block<'a>,
        marks: Vec<Mark>,
        order: Vec<usize>,
    }
    impl Visit<'_> {
        fn function(&mut self, i: usize, out: &mut Diagnostics) -> Option<()> {
            match self.marks[i] {
                Mark::Done => return Some(()),
                Mark::New => self.marks[i] = Mark::Open,
                Mark::Open => {
                    let name = &self.block.functions[i].item.sig.ident;
                    out.error(name, format!("`{name}` calls itself; a law's functions cannot: write the steps out"));
                    return None;
                }
            }
            for callee in self.functions[i].iter().flat_map(calls) {
                self.function(callee.0, out)?;
            }
            self.marks[i] = Mark::Done;
            self.order.push(i);
            Some(())
        }
    }
    let marks = vec![Mark::New; functions.len()];
    let mut visit = Visit { functions, block, marks, order: Vec::new() };
    (0..functions.len()).try_for_each(|i| visit.function(i, out))?;
    Some(visit.order)
}

fn calls(function: &ir::Function) -> impl Iterator<Item = FunctionId> {
    function.exprs.iter().filter_map(|expr| match expr.kind {
        ExprKind::Call(callee, _) => Some(callee),
        _ => None,
    })
}

fn reorder(functions: Vec<ir::Function>, order: &[usize]) -> Option<Vec<ir::Function>> {
    let new: BTreeMap<usize, usize> = order.iter().enumerate().map(|(new, &old)| (old, new)).collect();
    let mut ordered: Vec<_> = functions.into_iter().enumerate().collect();
    ordered.sort_by_key(|(old, _)| new.get(old).copied());
    for (_, function) in &mut ordered {
        for Expr { kind, .. } in &mut function.exprs {
            if let ExprKind::Call(callee, _) = kind {
                *callee = FunctionId(*new.get(&callee.0)?);
            }
        }
    }
    Some(ordered.into_iter().map(|(_, function)| function).collect())
}

#[cfg(test)]
mod tests;
