//! Warnings that a law accepts.

use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, Meta, Token};
use templates::ir::Warning;

use crate::diagnostics::{Diagnostics, suggestion};

/// Whether an attribute names warnings that are accepted.
pub fn is_accept(attr: &Attribute) -> bool {
    attr.path().is_ident("accept")
}

/// Reports an `#[accept]` on an item that has none.
pub(super) fn refuse_accept(attrs: &[Attribute], out: &mut Diagnostics) {
    for attr in attrs.iter().filter(|attr| is_accept(attr)) {
        out.error(attr, "a function accepts warnings about itself, and the module all others: move it there");
    }
}

/// The warnings that `#[accept(…)]` names.
pub(super) fn accepted(attrs: &[Attribute], out: &mut Diagnostics) -> Vec<(Warning, Ident)> {
    let mut accepted: Vec<(Warning, Ident)> = Vec::new();
    for attr in attrs.iter().filter(|attr| is_accept(attr)) {
        let names = match &attr.meta {
            Meta::List(list) => list.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated).ok(),
            _ => None,
        };
        let Some(names) = names.filter(|names| !names.is_empty()) else {
            out.error(attr, "write the names of the warnings to accept: `#[accept(untried_branch)]`");
            continue;
        };
        for ident in names {
            let name = ident.to_string();
            match Warning::from_name(&name) {
                Some(warning) if accepted.iter().any(|(other, _)| *other == warning) => {
                    out.error(&ident, format!("`{name}` is accepted twice"));
                }
                Some(warning) => accepted.push((warning, ident)),
                None => {
                    let all = || Warning::ALL.iter().map(|warning| warning.name());
                    let near = suggestion(&name, all());
                    let list = all().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                    let hint = if near.is_empty() { format!(": the names are {list}") } else { near };
                    out.error(&ident, format!("no warning is named `{name}`{hint}"));
                }
            }
        }
    }
    accepted
}
