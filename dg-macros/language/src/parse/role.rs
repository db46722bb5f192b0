//! The role of a function, and what its attribute says beside.

use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, ItemFn, Meta, Token};
use templates::ir::{Claims, Isolated};

use super::accept::is_accept;
use super::{MARKS, is_mark, text};
use crate::ast::Role;
use crate::diagnostics::{Diagnostics, suggestion};

pub(super) fn role(item: &ItemFn, out: &mut Diagnostics) -> Role {
    let mut marks = item.attrs.iter().filter(|attr| is_mark(attr) && !is_accept(attr));
    let by_name = match item.sig.ident.to_string().as_str() {
        "flux" => Some(Role::Flux),
        "eigenvalues" => Some(Role::Eigenvalues),
        _ => None,
    };
    let Some(attr) = marks.next() else { return by_name.unwrap_or(Role::Helper) };
    if let Some(role) = by_name {
        out.error(attr, format!("`{}` is known by its name: leave the attribute out", item.sig.ident));
        return role;
    }
    if let Some(second) = marks.next() {
        out.error(second, "a function has one role: write another one that calls it");
    }
    let name = text(attr.path());
    let role = match name.as_str() {
        "admissible" => Role::Admissible,
        "wave_speed" => Role::WaveSpeed,
        "minimum_principle" => Role::MinimumPrinciple,
        "boundary" => return Role::Boundary(impermeable(attr, out)),
        "boundary_flux" => return boundary_flux(attr, out),
        "numerical_flux" => return Role::NumericalFlux(claims(attr, out)),
        "nonconservative" => Role::Nonconservative,
        "jump" => Role::Jump,
        "viscous_flux" => Role::ViscousFlux,
        "source" => Role::Source,
        "medium" => Role::Medium,
        "initial" => Role::Initial,
        "exact" => return Role::Exact { manufactured: manufactured(attr, out) },
        "variables" => Role::Variables,
        "output" => Role::Output,
        _ => {
            let near = suggestion(&name, MARKS.into_iter().skip(4));
            out.error(attr, format!("`#[{name}]` is no role of a function{near}"));
            return Role::Helper;
        }
    };
    if !matches!(attr.meta, Meta::Path(_)) {
        out.error(attr, format!("`#[{name}]` takes no arguments"));
    }
    role
}

/// Whether `#[exact]` has its one option.
fn manufactured(attr: &Attribute, out: &mut Diagnostics) -> bool {
    match &attr.meta {
        Meta::Path(_) => false,
        Meta::List(list) if text(&list.tokens) == "manufactured" => true,
        _ => {
            let message = "write `#[exact]`, or `#[exact(manufactured)]` for a solution whose source is to be derived";
            out.error(attr, message);
            false
        }
    }
}

/// What a numerical flux claims: `exact = …` and `splitting`.
fn claims(attr: &Attribute, out: &mut Diagnostics) -> Claims {
    let mut claims = Claims::default();
    let parse = |claims: &mut Claims, input: ParseStream<'_>| -> syn::Result<()> {
        while !input.is_empty() {
            let key: Ident = input.parse()?;
            if key == "splitting" {
                claims.splitting = true;
            } else if key == "exact" {
                input.parse::<Token![=]>()?;
                for wave in names(input)? {
                    claims.exact.push(match wave.to_string().as_str() {
                        "contact" => Isolated::Contact,
                        "shock" => Isolated::Shock,
                        "rarefaction" => Isolated::Rarefaction,
                        _ => return Err(syn::Error::new(wave.span(), "")),
                    });
                }
            } else {
                return Err(syn::Error::new(key.span(), ""));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    let parsed = match &attr.meta {
        Meta::Path(_) => Ok(()),
        Meta::List(list) => list.parse_args_with(|input: ParseStream<'_>| parse(&mut claims, input)),
        Meta::NameValue(pair) => Err(syn::Error::new_spanned(pair, "")),
    };
    if let Err(error) = parsed {
        let message = "a numerical flux can claim `exact = contact`, `exact = shock`, `exact = rarefaction`, several of them \
                       (`exact = [contact, shock]`) and `splitting`";
        out.refuse(syn::Error::new(error.span(), message));
    }
    claims
}

/// The boundary on which a flux is imposed.
fn boundary_flux(attr: &Attribute, out: &mut Diagnostics) -> Role {
    let named = match &attr.meta {
        Meta::List(list) => list.parse_args::<Ident>().ok(),
        _ => None,
    };
    named.map_or_else(
        || {
            out.error(attr, "name the boundary that imposes the flux: `#[boundary_flux(heated_wall)]`");
            Role::Helper
        },
        Role::BoundaryFlux,
    )
}

fn impermeable(attr: &Attribute, out: &mut Diagnostics) -> Vec<Ident> {
    let Meta::List(list) = &attr.meta else {
        if let Meta::NameValue(_) = attr.meta {
            out.error(attr, "write `#[boundary]` or `#[boundary(impermeable = rho)]`");
        }
        return Vec::new();
    };
    let parsed = list.parse_args_with(|input: ParseStream<'_>| {
        let key: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let names = names(input)?;
        input.parse::<Option<Token![,]>>()?;
        Ok((key, names))
    });
    match parsed {
        Ok((key, names)) if key == "impermeable" => names,
        _ => {
            let message = "a boundary has one option: `impermeable = rho`, or `impermeable = [rho, rho_e]`";
            out.error(&list.tokens, message);
            Vec::new()
        }
    }
}

/// A name, or several between brackets.
fn names(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let content;
    syn::bracketed!(content in input);
    Ok(Punctuated::<Ident, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}
