//! Types and signatures: arguments are recognised by their types, and each role offers certain ones.

use std::collections::{BTreeMap, BTreeSet};

use syn::{FnArg, Pat, ReturnType};
use templates::ir::Type;

use super::Scope;
use crate::ast::{Function, Names, Role};
use crate::diagnostics::Diagnostics;
use crate::parse::{MOST_ELEMENTS, length};

/// The arguments and the result of a function.
pub struct Signature<'a> {
    /// Names and types of the arguments; `_` has no name.
    pub arguments: Vec<(Option<&'a syn::Ident>, Type)>,
    /// The type of its value.
    pub result: Type,
}

/// Reads a function's signature.
pub fn signature<'a>(scope: &Scope<'a>, function: &Function<'a>, out: &mut Diagnostics) -> Option<Signature<'a>> {
    let names = scope.block.names_at(function.home);
    let sig = &function.item.sig;
    let name = &sig.ident;
    if !sig.generics.params.is_empty() {
        out.error(&sig.generics, "a law's functions have no generics: they compute in `f64`");
        return None;
    }
    if let Some(token) = &sig.asyncness {
        out.error(token, "a law's functions cannot be `async`");
    }
    if let Some(abi) = &sig.abi {
        out.error(abi, "a law's functions are ordinary Rust functions: leave `extern` out");
    }
    let mut well_typed = true;
    let mut arguments = Vec::new();
    for argument in &sig.inputs {
        let FnArg::Typed(argument) = argument else {
            out.leave_to_rustc();
            return None;
        };
        let ident = match &*argument.pat {
            Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(&pat.ident),
            Pat::Wild(_) => None,
            pat => {
                out.error(pat, "an argument is a plain name; take it apart with `let` in the body");
                None
            }
        };
        match ty(scope, names, &argument.ty, out) {
            Some(ty) => arguments.push((ident, ty)),
            None => well_typed = false,
        }
    }
    let result = match &sig.output {
        ReturnType::Type(_, result) => ty(scope, names, result, out),
        ReturnType::Default => {
            out.error(name, format!("`{name}` gives no value: write `-> f64`, or another type"));
            None
        }
    };
    Some(Signature { arguments, result: result? }).filter(|_| well_typed)
}

/// Reads a type in a module.
pub fn ty(scope: &Scope<'_>, names: &Names<'_>, ty: &syn::Type, out: &mut Diagnostics) -> Option<Type> {
    match ty {
        syn::Type::Group(group) => self::ty(scope, names, &group.elem, out),
        syn::Type::Paren(paren) => self::ty(scope, names, &paren.elem, out),
        syn::Type::Array(array) => {
            let element = self::ty(scope, names, &array.elem, out);
            let length = length_of_array(names, &array.len, out)?;
            Some(Type::Array(Box::new(element?), length))
        }
        syn::Type::Tuple(tuple) if tuple.elems.len() >= 2 => {
            let elements: Vec<_> = tuple.elems.iter().map(|element| self::ty(scope, names, element, out)).collect();
            Some(Type::Tuple(elements.into_iter().collect::<Option<_>>()?))
        }
        syn::Type::Path(path) => match named(scope, path) {
            Some(ty) => Some(ty),
            None => {
                out.error(path, unknown(scope, path));
                None
            }
        },
        syn::Type::Reference(reference) => {
            out.error(reference, "a law's functions take and give values: leave the `&` out");
            None
        }
        _ => {
            out.error(ty, format!("no type of a law: use {}", types(scope)));
            None
        }
    }
}

/// The length of an array in a module.
pub fn length_of_array(names: &Names<'_>, given: &syn::Expr, out: &mut Diagnostics) -> Option<usize> {
    let length = length(super::integers::constant(names, given));
    if length.is_none() {
        out.error(
            given,
            format!("the length of an array is a positive number of at most {MOST_ELEMENTS}, such as `[f64; 2]`, or a constant of the block"),
        );
    }
    length
}

fn named(scope: &Scope<'_>, path: &syn::TypePath) -> Option<Type> {
    let name = path.path.segments.last()?.ident.to_string();
    match name.as_str() {
        "f64" => Some(Type::Real),
        "bool" => Some(Type::Bool),
        "Normal" => Some(Type::Normal),
        "Point" => Some(Type::Point),
        name if name == scope.state.name => Some(Type::State),
        name if name == scope.parameters.name => Some(Type::Parameters),
        name if name == scope.medium.name => Some(Type::Medium),
        _ => None,
    }
}

fn unknown(scope: &Scope<'_>, path: &syn::TypePath) -> String {
    let name = crate::parse::text(path);
    match name.as_str() {
        "f32" => "a law is written in `f64`; the precision of a run is chosen when it starts".to_string(),
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => {
            format!("a law has no integers: `f64` instead of `{name}`")
        }
        _ => format!("`{name}` is no type of a law: use {}", types(scope)),
    }
}

fn types(scope: &Scope<'_>) -> String {
    let mut names = vec!["f64", "bool", scope.state.name.as_str()];
    names.extend(
        [&scope.parameters, &scope.medium].map(|record| record.name.as_str()).iter().filter(|name| !name.is_empty()),
    );
    names.extend(["Normal", "Point"]);
    let names: Vec<_> = names.into_iter().map(|name| format!("`{name}`")).collect();
    format!("{}, and arrays and tuples of them", names.join(", "))
}

/// A type in the user's words.
pub fn display(scope: &Scope<'_>, ty: &Type) -> String {
    match ty {
        Type::Real => "f64".to_string(),
        Type::Bool => "bool".to_string(),
        Type::State => scope.state.name.clone(),
        Type::Parameters => scope.parameters.name.clone(),
        Type::Medium => scope.medium.name.clone(),
        Type::Normal => "Normal".to_string(),
        Type::Point => "Point".to_string(),
        Type::Array(element, length) => format!("[{}; {length}]", display(scope, element)),
        Type::Tuple(elements) => {
            let elements: Vec<_> = elements.iter().map(|element| display(scope, element)).collect();
            format!("({})", elements.join(", "))
        }
    }
}

/// Checks that every function with a role takes arguments that the role offers and returns the type that it requires.
pub fn roles(scope: &Scope<'_>, out: &mut Diagnostics) {
    for (function, signature) in scope.block.functions.iter().zip(&scope.signatures) {
        if let Some(signature) = signature
            && function.role != Role::Helper
        {
            match function.role {
                Role::Variables => variables(scope, function, signature, out),
                _ => arguments(scope, function, signature, out),
            }
            result(scope, function, signature, out);
        }
    }
    distinct_variables(scope, out);
}

/// The arguments that a role offers, each as often as it is listed, and how many of the first are required.
fn offers(role: &Role, dim: usize) -> (Vec<Type>, usize) {
    use Type::{Medium, Normal, Parameters, Point, Real, State};
    match role {
        Role::Helper | Role::Variables => (Vec::new(), 0),
        Role::Flux | Role::Admissible | Role::MinimumPrinciple => (vec![State, Medium, Parameters], 1),
        Role::Output => (vec![State, gradient(dim), Medium, Parameters], 1),
        Role::Eigenvalues => (vec![State, Normal, Medium, Parameters], 2),
        // A bound may be the same at all states, or in all directions.
        Role::WaveSpeed => (vec![State, Normal, Medium, Parameters], 0),
        Role::Boundary(_) | Role::BoundaryFlux(_) => (vec![State, Normal, Point, Real, Medium, Parameters], 0),
        Role::NumericalFlux(_) | Role::Nonconservative | Role::Jump => {
            (vec![State, State, Normal, Medium, Medium, Parameters], 3)
        }
        Role::ViscousFlux => (vec![gradient(dim), State, Medium, Parameters], 1),
        Role::Source => (vec![State, Point, Real, Medium, Parameters], 0),
        Role::Initial => (vec![Point, Parameters], 0),
        Role::Medium | Role::Exact { .. } => (vec![Point, Real, Parameters], 0),
    }
}

/// A state for every direction: the gradient of the state, or a flux.
fn gradient(dim: usize) -> Type {
    Type::Array(Box::new(Type::State), dim)
}

/// Checks that a function computes a state from as many other variables, each with a name.
fn variables(scope: &Scope<'_>, function: &Function<'_>, signature: &Signature<'_>, out: &mut Diagnostics) {
    let name = &function.item.sig.ident;
    let (mut known, mut parameters) = (BTreeMap::new(), 0);
    for ((ident, ty), argument) in signature.arguments.iter().zip(&function.item.sig.inputs) {
        if *ty == Type::Parameters && parameters == 0 {
            parameters += 1;
            continue;
        }
        let Some(names) = names_of(*ident, ty) else {
            let shown = display(scope, ty);
            let message =
                format!("`#[variables]` is not given a `{shown}`; it takes `f64`s, arrays of them and the parameters");
            out.error(argument, message);
            return;
        };
        if names.is_empty() {
            out.error(argument, "name every variable: case files give formulas by these names");
            return;
        }
        let is_array = *ty != Type::Real;
        for name in names {
            let other = known.insert(name.clone(), is_array);
            // Of two that are no arrays rustc says so.
            if other.is_some_and(|other| other || is_array) {
                out.error(argument, format!("case files call two variables `{name}`: rename an argument"));
                return;
            }
        }
    }
    let (components, found) = (scope.state.fields.len(), known.len());
    if found != components {
        let message = format!(
            "`{}` has {components} components, so `{name}` makes it of {components} variables, `f64`s or elements of arrays; found {found}",
            scope.state.name
        );
        out.error(name, message);
    }
}

/// The names of the variables of an argument in case files; `None` if it is of no type of variables.
fn names_of(ident: Option<&syn::Ident>, ty: &Type) -> Option<Vec<String>> {
    match ty {
        Type::Real => Some(ident.iter().map(ToString::to_string).collect()),
        Type::Array(element, length) if **element == Type::Real => {
            Some(ident.iter().flat_map(|ident| (1..=*length).map(move |i| format!("{ident}{i}"))).collect())
        }
        _ => None,
    }
}

/// Checks that the names of a law's variables are distinct, as case files need.
fn distinct_variables(scope: &Scope<'_>, out: &mut Diagnostics) {
    let names = |signature: &Signature<'_>| {
        let names = signature.arguments.iter().filter_map(|(ident, ty)| names_of(*ident, ty));
        names.flatten().collect::<BTreeSet<_>>()
    };
    let components: BTreeSet<_> = scope.state.fields.iter().map(|field| field.name.clone()).collect();
    let mut known = vec![(scope.state.name.clone(), components)];
    for (function, signature) in scope.block.functions.iter().zip(&scope.signatures) {
        let Some(signature) = signature.as_ref().filter(|_| function.role == Role::Variables) else { continue };
        let (name, names) = (&function.item.sig.ident, names(signature));
        if let Some((other, _)) = known.iter().find(|(_, known)| *known == names) {
            let message =
                format!("`{name}` has variables of the same names as `{other}`: a case file could not tell them apart");
            out.error(name, message);
        }
        known.push((name.to_string(), names));
    }
}

fn arguments(scope: &Scope<'_>, function: &Function<'_>, signature: &Signature<'_>, out: &mut Diagnostics) {
    let name = &function.item.sig.ident;
    let (offered, needed) = offers(&function.role, scope.dim);
    let count = |types: &[Type], ty: &Type| types.iter().filter(|t| *t == ty).count();
    let mut taken = Vec::new();
    for ((_, ty), argument) in signature.arguments.iter().zip(&function.item.sig.inputs) {
        taken.push(ty.clone());
        if count(&taken, ty) > count(&offered, ty) {
            let shown = display(scope, ty);
            let again = if count(&offered, ty) > 0 { "another" } else { "a" };
            let list: Vec<_> = offered
                .iter()
                .filter(|ty| scope.record(ty).is_none_or(|record| !record.name.is_empty()))
                .map(|ty| match ty {
                    Type::Real => "`f64` (time)".to_string(),
                    ty => format!("`{}`", display(scope, ty)),
                })
                .collect();
            let role = function.role.name();
            let is_of_waves = matches!(
                function.role,
                Role::Flux | Role::ViscousFlux | Role::Eigenvalues | Role::WaveSpeed | Role::Nonconservative
            );
            let remedy = match ty {
                Type::Point | Type::Real if is_of_waves => "; what varies in space or time is a `#[medium]`",
                _ => "",
            };
            let message = format!("{role} is not given {again} `{shown}`; it can take {}{remedy}", list.join(", "));
            out.error(argument, message);
        }
    }
    if matches!(function.role, Role::NumericalFlux(_) | Role::Jump) && count(&taken, &Type::Medium) == 1 {
        let shown = display(scope, &Type::Medium);
        let what = if function.role == Role::Jump { "a jump" } else { "a numerical flux" };
        out.error(name, format!("`{name}` takes one `{shown}` of two: {what} is given that of each side"));
    }
    // The gradient alone is enough, too.
    let is_of_gradient = function.role == Role::Output && taken.contains(&gradient(scope.dim));
    let needs = if is_of_gradient { &[] } else { &offered[..needed] };
    if let Some(missing) = needs.iter().find(|ty| count(&taken, ty) < count(needs, ty)) {
        let (number, shown) = (count(needs, missing), display(scope, missing));
        let what = if number == 1 { format!("a `{shown}`") } else { format!("{number} arguments of type `{shown}`") };
        let remedy = match function.role {
            Role::ViscousFlux => {
                ": the gradient of the state, its derivatives along each axis. Add an argument of this type"
            }
            _ => "",
        };
        out.error(name, format!("`{name}` does not take {what}, on which {} depends{remedy}", function.role.name()));
    }
}

fn result(scope: &Scope<'_>, function: &Function<'_>, signature: &Signature<'_>, out: &mut Diagnostics) {
    let name = &function.item.sig.ident;
    let components = scope.state.fields.len();
    let wanted = match &function.role {
        Role::Helper => return,
        Role::Flux | Role::ViscousFlux => gradient(scope.dim),
        Role::Eigenvalues => Type::Array(Box::new(Type::Real), components),
        Role::Admissible | Role::MinimumPrinciple => match &signature.result {
            Type::Array(element, length) if **element == Type::Real => Type::Array(Box::new(Type::Real), *length),
            _ => Type::Array(Box::new(Type::Real), 1),
        },
        Role::WaveSpeed if matches!(&signature.result, Type::Array(element, 2) if **element == Type::Real) => return,
        Role::Output | Role::WaveSpeed => Type::Real,
        Role::Medium => Type::Medium,
        _ => Type::State,
    };
    if signature.result == wanted {
        return;
    }
    let (found, wanted_shown) = (display(scope, &signature.result), display(scope, &wanted));
    let message = match &function.role {
        Role::Eigenvalues => format!(
            "`{}` has {components} components, so `{name}` gives `{wanted_shown}`, with multiple eigenvalues repeated; \
             found `{found}`",
            scope.state.name
        ),
        Role::Flux | Role::ViscousFlux => {
            let remedy = match function.role {
                Role::ViscousFlux => {
                    ". Where it is the same in all directions, `gradient.map(|slope| …)` gives them all"
                }
                _ => "",
            };
            format!(
                "`{name}` gives one state for each of {} directions, `{wanted_shown}`; found `{found}`{remedy}",
                scope.dim
            )
        }
        Role::WaveSpeed => format!(
            "{} gives `f64`, a bound on the speeds of all waves, or `[f64; 2]`, bounds on the slowest and the fastest; found `{found}`",
            function.role.name()
        ),
        Role::Admissible | Role::MinimumPrinciple => {
            format!("{} gives an array such as `{wanted_shown}`; found `{found}`", function.role.name())
        }
        role => format!("{} gives `{wanted_shown}`; found `{found}`", role.name()),
    };
    match &function.item.sig.output {
        ReturnType::Type(_, ty) => out.error(ty, message),
        ReturnType::Default => out.error(name, message),
    }
}
