//! The structs of a law: state, parameters and medium.

use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Fields, Ident, ItemStruct, Meta, Token, Type};

use super::accept::{is_accept, refuse_accept};
use super::numbers::{EVERYTHING, Range, contains, default, range};
use super::{is_mark, text};
use crate::ast::{Default, Field, Record, Symmetry, Vector};
use crate::diagnostics::Diagnostics;

pub(super) enum Kind {
    State,
    Parameters,
    Medium,
}

pub(super) fn record_mark<'a>(item: &'a ItemStruct, out: &mut Diagnostics) -> Option<(&'a Attribute, Kind)> {
    refuse_accept(&item.attrs, out);
    let is_symmetry = |attr: &Attribute| attr.path().is_ident("symmetry");
    let mut marks = item.attrs.iter().filter(|attr| is_mark(attr) && !is_accept(attr));
    let attr = marks.clone().find(|attr| !is_symmetry(attr)).or_else(|| marks.next())?;
    let name = text(attr.path());
    if let Some(symmetry) = item.attrs.iter().find(|attr| is_symmetry(attr))
        && name != "state"
    {
        out.error(symmetry, "a symmetry names components of the state: move it to the `#[state]` struct");
        return None;
    }
    if !matches!(attr.meta, Meta::Path(_)) {
        out.error(attr, format!("`#[{name}]` takes no arguments"));
    }
    match name.as_str() {
        "state" => Some((attr, Kind::State)),
        "parameters" => Some((attr, Kind::Parameters)),
        "medium" => Some((attr, Kind::Medium)),
        _ => {
            out.error(attr, "a struct of a law is marked `#[state]`, `#[parameters]` or `#[medium]`");
            None
        }
    }
}

/// The symmetries that `#[symmetry(…)]` on the state declares.
pub(super) fn symmetry<'a>(item: &'a ItemStruct, out: &mut Diagnostics) -> Option<Symmetry<'a>> {
    let mut all = item.attrs.iter().filter(|attr| attr.path().is_ident("symmetry"));
    let attr = all.next()?;
    if let Some(second) = all.next() {
        out.error(second, "a state has one `#[symmetry]`: list its vectors, `rotation = [(m1, m2), (b1, b2)]`");
    }
    let one = |input: ParseStream<'_>| {
        let key: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let vectors = if input.peek(syn::token::Bracket) {
            let content;
            syn::bracketed!(content in input);
            Punctuated::<_, Token![,]>::parse_terminated_with(&content, vector)?.into_iter().collect()
        } else {
            vec![vector(input)?]
        };
        Ok((key, vectors))
    };
    let parsed =
        attr.parse_args_with(|input: ParseStream<'_>| Punctuated::<_, Token![,]>::parse_terminated_with(input, one));
    let mut symmetry = Symmetry { attr, rotation: None, reflection: None, galilean: None };
    let understood = parsed.is_ok_and(|list| {
        !list.is_empty()
            && list.into_iter().all(|(key, vectors): (Ident, Vec<Vector>)| {
                let momentum = vectors.len() == 1;
                let (slot, fits) = match key.to_string().as_str() {
                    "rotation" => (&mut symmetry.rotation, !vectors.is_empty()),
                    "reflection" => (&mut symmetry.reflection, !vectors.is_empty()),
                    "galilean" => (&mut symmetry.galilean, momentum),
                    _ => return false,
                };
                slot.replace(vectors).is_none() && fits
            })
    });
    if understood {
        return Some(symmetry);
    }
    out.error(
        attr,
        "a symmetry names the vectors among the components: `#[symmetry(rotation = (m1, m2))]`, `reflection = (m1, m2)`, and for \
         `galilean` the momentum: `#[symmetry(rotation = [(m1, m2), (b1, b2)], galilean = (m1, m2))]`; an array `m` is named as such",
    );
    None
}

/// Two names between parentheses, or that of an array of two.
fn vector(input: ParseStream<'_>) -> syn::Result<Vector> {
    if !input.peek(syn::token::Paren) {
        return input.parse().map(Vector::Array);
    }
    let content;
    syn::parenthesized!(content in input);
    let first = content.parse()?;
    content.parse::<Token![,]>()?;
    let second = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    if content.is_empty() {
        Ok(Vector::Components([first, second]))
    } else {
        Err(content.error("a vector has two components"))
    }
}

pub(super) fn record<'a>(item: &'a ItemStruct, kind: &Kind, out: &mut Diagnostics) -> Record<'a> {
    if !item.generics.params.is_empty() {
        out.error(&item.generics, "the structs of a law have no generics");
    }
    let Fields::Named(named) = &item.fields else {
        out.error(item, "the structs of a law have named fields: `struct State { pub u: f64 }`");
        return Record { item, fields: Vec::new() };
    };
    let mut fields = Vec::new();
    for field in &named.named {
        let (element, length) = match &field.ty {
            Type::Array(array) => (&*array.elem, Some(&array.len)),
            ty => (ty, None),
        };
        let is_real = text(element) == "f64";
        if !is_real {
            let instead = match element {
                Type::Array(_) => "; a matrix is a field for each row",
                _ => "",
            };
            out.error(
                &field.ty,
                format!("every field of a law's struct is an `f64` or an array of them, `[f64; 2]`{instead}"),
            );
        }
        if let Some(ident) = &field.ident {
            let (default, range) = values(&field.attrs, kind, out);
            fields.push(Field { ident, is_real, length, attrs: &field.attrs, default, range });
        }
    }
    if fields.is_empty() {
        out.error(&item.ident, format!("`{}` has no fields", item.ident));
    }
    Record { item, fields }
}

/// The default of a field and the range of its values.
fn values(attrs: &[Attribute], kind: &Kind, out: &mut Diagnostics) -> (Option<Default>, Range) {
    let (mut value, mut range) = (None, None);
    for attr in attrs.iter().filter(|attr| is_mark(attr)) {
        let name = text(attr.path());
        match (name.as_str(), kind) {
            ("range", Kind::State) => {
                out.error(
                    attr,
                    "a component of the state has no range: what must be positive is for `#[admissible]` to return",
                );
            }
            ("default", Kind::State) => {
                out.error(attr, "a component of the state has no default: a case gives the initial state");
            }
            ("default", Kind::Medium) => {
                out.error(attr, "a field of the medium has no default: its values are given by a case, or by a `#[medium]` function");
            }
            ("default", _) if value.is_some() => out.error(attr, "a field has one default value"),
            ("range", _) if range.is_some() => out.error(attr, "a field has one range"),
            ("range", Kind::Parameters | Kind::Medium) => range = Some(self::range(attr, out)),
            _ => value = Some(default(attr, out)),
        }
    }
    let (value, range) = (value.flatten(), range.unwrap_or(EVERYTHING));
    if let Some(value) = value.iter().flat_map(Default::numbers).find(|value| !contains(&range, value))
        && let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("default"))
    {
        out.error(attr, format!("the default `{value}` is not in the range of the parameter"));
    }
    (value, range)
}
