//! From the [`ast`](crate::ast) to [`ir::Law`], which is free of Rust's syntax.

mod arithmetic;
mod body;
mod call;
mod expr;
mod flow;
mod formulas;
mod functions;
mod integers;
mod known;
mod sequence;
mod signature;
mod sources;

pub use sources::SOURCES;

use std::collections::BTreeMap;

use templates::derive::{DERIVED_BOUNDARIES, SOURCE_JACOBIAN, source_name};
use templates::emit::DERIVED_FLUXES;
use templates::ir::{self, Expr, ExprKind, FunctionId, Type};

use crate::ast::{Block, Default, Field, Home, Names, Options, Record, Role, Vector};
use crate::diagnostics::{Diagnostics, suggestion};
use signature::Signature;

/// The most operations of a function with those of the functions that it calls: checks evaluate it at thousands of states, and generated
/// code at every point.
const MOST_OPERATIONS: usize = 100_000;

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
    let state = record(&block.state, &block.names, out);
    let homes = [(&block.parameters, block.home_of_parameters), (&block.medium, Home::Law)];
    let [parameters, medium] = homes.map(|(given, home)| match given {
        Some(given) => record(given, block.names_at(home), out),
        None => Some(ir::Record { span, ..ir::Record::default() }),
    });
    let (state, parameters, medium) = (state?, parameters?, medium?);
    unique_roles(block, out);
    degrees_for_gradients(block, options, out);
    boundary_fluxes(block, out);
    for field in block.medium.iter().flat_map(|medium| &medium.fields) {
        let numbers = medium.members().into_iter().find(|member| field.ident == member.name);
        let numbers = numbers.map_or(&[][..], |member| &medium.fields[member.fields]);
        if let Some(taken) = numbers.iter().find(|taken| state.fields.iter().any(|other| other.name == taken.name)) {
            let message = format!("`{}` is a component of the state, too: files could not tell them apart", taken.name);
            out.error(field.ident, message);
        }
    }
    for function in block.functions.iter().filter(|function| function.role == Role::Output) {
        let name = &function.item.sig.ident;
        if state.fields.iter().chain(&medium.fields).any(|field| name == &field.name) {
            out.error(name, format!("`{name}` is a field of its own, too: files could not tell them apart"));
        }
    }
    names_of_cases(block, out);
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
            .map(|named| named.as_ref().map(|named| vectors(&scope, named, symmetry.attr, out))),
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

/// Names that mean something else in formulas of cases, and what; the last one is that of a column in files alone.
const NAMES_OF_CASES: [(&str, &str); 6] = [
    ("x", "a coordinate"),
    ("y", "a coordinate"),
    ("z", "a coordinate"),
    ("t", "the time"),
    ("pi", "π"),
    ("time", "the column of times"),
];

/// Makes sure that formulas and files of cases can tell a law's numbers from others.
fn names_of_cases(block: &Block<'_>, out: &mut Diagnostics) {
    let numbers = |record: &Record<'_>| {
        let numbers = record.fields.iter().filter(|field| field.length.is_none());
        numbers.map(|field| field.ident.clone()).collect::<Vec<_>>()
    };
    let parameters = block.parameters.iter().flat_map(numbers).map(|name| (name, NAMES_OF_CASES.len() - 1));
    let outputs = block.functions.iter().filter(|function| function.role == Role::Output);
    let written = std::iter::once(&block.state).chain(&block.medium).flat_map(numbers);
    let written = written.chain(outputs.map(|function| function.item.sig.ident.clone()));
    for (name, count) in parameters.chain(written.map(|name| (name, NAMES_OF_CASES.len()))) {
        if let Some((_, meaning)) = NAMES_OF_CASES[..count].iter().find(|(taken, _)| name == taken) {
            out.error(&name, format!("`{name}` is {meaning} in cases and their files: take another name"));
        }
    }
}

/// A struct of the law; `None` where an array is wrong, as then nothing is known of the number of components.
fn record(record: &Record<'_>, names: &Names<'_>, out: &mut Diagnostics) -> Option<ir::Record> {
    let mut fields: Vec<ir::Field> = Vec::new();
    let mut fine = true;
    for field in &record.fields {
        out.name(field.ident);
        let length = match field.length {
            Some(length) => signature::length_of_array(names, length, out),
            None => Some(1),
        };
        let is_matrix = field.length.is_some() && !field.is_real;
        let Some(length) = length.filter(|_| !is_matrix) else {
            fine = false;
            continue;
        };
        let default = default(field, length, names, out);
        let name = |index| match field.length {
            Some(_) => format!("{}{}", field.ident, index + 1),
            None => field.ident.to_string(),
        };
        let element_of = |index| field.length.map(|_| (field.ident.to_string(), index));
        let both = (0..length).find_map(|index| {
            let other = fields.iter().find(|other| other.name == name(index))?;
            // Of two fields that are no arrays rustc says so.
            Some((name(index), other.element_of.clone().or_else(|| element_of(index))?))
        });
        if let Some((name, (array, index))) = both {
            let message =
                format!("`{array}[{index}]` is called `{name}` in cases and files, too: rename one of the fields");
            out.error(field.ident, message);
        }
        for index in 0..length {
            fields.push(ir::Field {
                name: name(index),
                element_of: element_of(index),
                span: out.span(field.ident),
                doc: doc(field.attrs),
                default: default.get(index).cloned(),
                range: field.range.clone(),
            });
        }
    }
    let ident = &record.item.ident;
    let span = out.span(ident);
    fine.then(|| ir::Record { name: ident.to_string(), span, doc: doc(&record.item.attrs), fields })
}

/// The default values of a field's numbers; none where it has no default.
fn default(field: &Field<'_>, length: usize, names: &Names<'_>, out: &mut Diagnostics) -> Vec<String> {
    let values = match (&field.default, field.length) {
        (None, _) => return Vec::new(),
        (Some(Default::Number(value)), None) => vec![value.clone()],
        (Some(Default::Array(values)), Some(_)) => values.clone(),
        (Some(Default::Repeat(value, given)), Some(_)) => {
            vec![value.clone(); crate::parse::length(integers::constant(names, given)).unwrap_or(0)]
        }
        _ => Vec::new(),
    };
    if values.len() != length
        && let Some(attr) = field.attrs.iter().find(|attr| attr.path().is_ident("default"))
    {
        let message = match field.length {
            Some(_) => format!("`{}` has {length} elements: give each its default, or `[0.0; {length}]`", field.ident),
            None => format!("`{}` is a number, and so is its default", field.ident),
        };
        out.error(attr, message);
    }
    values
}

fn unique_roles(block: &Block<'_>, out: &mut Diagnostics) {
    for role in [
        Role::Nonconservative,
        Role::Jump,
        Role::ViscousFlux,
        Role::WaveSpeed,
        Role::Admissible,
        Role::MinimumPrinciple,
    ] {
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
    let has_product = block.functions.iter().any(|function| function.role == Role::Nonconservative);
    if let Some(jump) = block.functions.iter().find(|function| function.role == Role::Jump && !has_product) {
        let message =
            "`#[jump]` is a non-conservative product at a jump, and the law has no `#[nonconservative]`: leave it out";
        out.error(&jump.item.sig.ident, message);
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

/// Polynomials of degree 0 have no gradient, which a viscous flux needs.
fn degrees_for_gradients(block: &Block<'_>, options: &Options, out: &mut Diagnostics) {
    let viscous = block.functions.iter().find(|function| function.role == Role::ViscousFlux);
    if let Some(viscous) = viscous.filter(|_| *options.orders.start() == 0) {
        let message =
            "a viscous flux needs gradients, which polynomials of degree 0 do not have: let `orders` begin with 1";
        out.error(&viscous.item.sig.ident, message);
    }
}

/// A viscous flux is imposed by a boundary of a law that has one, and by each once.
fn boundary_fluxes(block: &Block<'_>, out: &mut Diagnostics) {
    let is_viscous = block.functions.iter().any(|function| function.role == Role::ViscousFlux);
    let boundaries = || block.functions.iter().filter(|function| matches!(function.role, Role::Boundary(_)));
    let mut known: Vec<&syn::Ident> = Vec::new();
    for function in &block.functions {
        let Role::BoundaryFlux(boundary) = &function.role else { continue };
        if !is_viscous {
            let message = "`#[boundary_flux]` is a viscous flux, and the law has no `#[viscous_flux]`: leave it out";
            out.error(&function.item.sig.ident, message);
        } else if !boundaries().any(|function| function.item.sig.ident == *boundary) {
            let names: Vec<String> = boundaries().map(|function| function.item.sig.ident.to_string()).collect();
            let near = suggestion(&boundary.to_string(), names.iter().map(String::as_str));
            out.error(boundary, format!("the law has no `#[boundary]` named `{boundary}`{near}"));
        } else if known.contains(&boundary) {
            out.error(boundary, format!("`{boundary}` imposes one viscous flux: add the second to the first"));
        }
        known.push(boundary);
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
        Role::Jump => ir::Role::Jump,
        Role::ViscousFlux => ir::Role::ViscousFlux,
        Role::Source => ir::Role::Source,
        Role::Medium => ir::Role::Medium,
        Role::Initial => ir::Role::Initial,
        Role::Exact { manufactured } => ir::Role::Exact { manufactured: *manufactured },
        Role::Variables => ir::Role::Variables,
        Role::Output => ir::Role::Output,
        Role::BoundaryFlux(name) => ir::Role::BoundaryFlux { of: (name.to_string(), out.span(name)) },
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
        let near = match scope.state.members().into_iter().find(|member| name == member.name) {
            Some(array) => {
                let elements = scope.state.fields[array.fields].iter().map(|field| format!("`{}`", field.name));
                format!(": the elements of this array are {}", elements.collect::<Vec<_>>().join(", "))
            }
            None => suggestion(&name.to_string(), fields()),
        };
        out.error(name, format!("`{}` has no component `{name}`{near}", scope.state.name));
    }
    found
}

/// The components of vectors, by their names or those of arrays.
fn vectors(scope: &Scope<'_>, named: &[Vector], attr: &syn::Attribute, out: &mut Diagnostics) -> ir::Vectors {
    let (mut pairs, mut used) = (Vec::new(), Vec::new());
    for vector in named {
        let (names, pair) = match vector {
            Vector::Components([a, b]) => {
                let (Some(first), Some(second)) = (component(scope, a, out), component(scope, b, out)) else {
                    continue;
                };
                ([a, b], (first, second))
            }
            Vector::Array(name) => {
                let members = scope.state.members();
                let array = members.iter().find(|member| name == member.name && member.is_array);
                let Some(fields) = array.map(|array| &array.fields).filter(|fields| fields.len() == scope.dim) else {
                    let message = format!(
                        "a vector is an array of {} numbers of `{}`, or two of its components, `(m1, m2)`",
                        scope.dim, scope.state.name
                    );
                    out.error(name, message);
                    continue;
                };
                ([name, name], (fields.start, fields.start + 1))
            }
        };
        for (name, component) in names.into_iter().zip(<[usize; 2]>::from(pair)) {
            if used.contains(&component) {
                out.error(name, format!("`{name}` is a component of one vector: it is named twice"));
                break;
            }
            used.push(component);
        }
        pairs.push(pair);
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
        /// Of each function, with those of the functions that it calls.
        operations: Vec<usize>,
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
            let mut operations = self.functions[i].as_ref().map_or(0, |function| function.exprs.len());
            for callee in self.functions[i].iter().flat_map(calls) {
                self.function(callee.0, out)?;
                operations += self.operations[callee.0];
            }
            if operations > MOST_OPERATIONS {
                let name = &self.block.functions[i].item.sig.ident;
                let message = format!(
                    "`{name}` takes more than {MOST_OPERATIONS} operations with those of the functions that it calls: shorten it"
                );
                out.error(name, message);
                return None;
            }
            self.operations[i] = operations;
            self.marks[i] = Mark::Done;
            self.order.push(i);
            Some(())
        }
    }
    let (marks, operations) = (vec![Mark::New; functions.len()], vec![0; functions.len()]);
    let mut visit = Visit { functions, block, marks, operations, order: Vec::new() };
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
