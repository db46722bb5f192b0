//! The options of `#[conservation_law(…)]`.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Ident, RangeLimits, Token};
use templates::reference::{Operators, Shape};

use super::numbers::integer;
use crate::ast::Options;

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (mut dim, mut orders, mut helpers) = (None, None, Vec::new());
        while !input.is_empty() {
            let key = Ident::parse_any(input)?;
            input.parse::<Token![=]>()?;
            let value: Expr = input.parse()?;
            match key.to_string().as_str() {
                "dim" => dim = Some(parse_dim(&value)?),
                "orders" => orders = Some(parse_orders(&value)?),
                "helpers" => helpers = parse_helpers(value)?,
                name => {
                    let message = format!(
                        "unknown option `{name}`: the options are `dim = 2`, `orders = 0..=7` and `helpers = crate::gas`"
                    );
                    return Err(syn::Error::new_spanned(key, message));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = || {
            let message =
                "write the number of dimensions and the orders: `#[conservation_law(dim = 2, orders = 0..=7)]`";
            syn::Error::new(Span::call_site(), message)
        };
        Ok(Self { dim: dim.ok_or_else(missing)?, orders: orders.ok_or_else(missing)?, helpers })
    }
}

fn parse_dim(value: &Expr) -> syn::Result<usize> {
    match integer(value) {
        Some(2) => Ok(2),
        _ => Err(syn::Error::new_spanned(value, "only `dim = 2` is generated for so far")),
    }
}

/// The paths of modules: one, or several between brackets.
fn parse_helpers(value: Expr) -> syn::Result<Vec<syn::Path>> {
    match value {
        Expr::Path(path) => Ok(vec![path.path]),
        Expr::Array(array) => {
            let paths: Vec<_> = array.elems.into_iter().map(parse_helpers).collect::<syn::Result<_>>()?;
            Ok(paths.concat())
        }
        value => Err(syn::Error::new_spanned(
            value,
            "`helpers` is the path of a module, such as `crate::gas`, or `[crate::gas, crate::tables]`",
        )),
    }
}

fn parse_orders(value: &Expr) -> syn::Result<std::ops::RangeInclusive<usize>> {
    let highest = Operators::highest_order(Shape::Triangle);
    if let Some(order) = integer(value).filter(|order| *order <= highest) {
        return Ok(order..=order);
    }
    if let Expr::Range(range) = value
        && let (Some(first), Some(last)) = (range.start.as_deref(), range.end.as_deref())
        && let (Some(first), Some(last), RangeLimits::Closed(_)) = (integer(first), integer(last), &range.limits)
        && first <= last
        && last <= highest
    {
        return Ok(first..=last);
    }
    let message = format!("`orders` is a polynomial degree up to {highest}, or a range of them, such as `0..=3`");
    Err(syn::Error::new_spanned(value, message))
}
