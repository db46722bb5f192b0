//! From syn's tree to the [`ast`](crate::ast): the role of each item in the law.

use std::ops::{Bound, RangeBounds};

use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, BinOp, Expr, Fields, Ident, ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemStruct, Lit, Meta,
    RangeLimits, Token, Type, UseTree,
};

use templates::ir::{Claims, Isolated, Warning};
use templates::reference::{Operators, Shape};

use crate::ast::{Block, Field, Function, Home, Names, Options, Others, Record, Role, Symmetry};
use crate::diagnostics::{Diagnostics, nearest, suggestion};
use crate::lower::INTEGERS;

/// The attributes that mark the items of a law; rustc does not see them.
const MARKS: [&str; 18] = [
    "parameters",
    "state",
    "symmetry",
    "default",
    "range",
    "medium",
    "admissible",
    "wave_speed",
    "minimum_principle",
    "boundary",
    "numerical_flux",
    "nonconservative",
    "source",
    "initial",
    "exact",
    "variables",
    "output",
    "accept",
];

/// Whether an attribute is one of the language's, or a misspelt one.
pub fn is_mark(attr: &Attribute) -> bool {
    attr.path().get_ident().is_some_and(|ident| {
        let name = ident.to_string();
        // `expect` is rustc's own, though its spelling is near `exact`.
        name != "expect" && nearest(&name, MARKS).is_some()
    })
}

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

/// The value of an integer literal without a suffix.
pub fn integer(expr: &Expr) -> Option<usize> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(value) if value.suffix().is_empty() || value.suffix() == "usize" => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}

/// The length of an array, bounded so that a law's code stays of reasonable size.
pub fn length(length: Option<i64>) -> Option<usize> {
    usize::try_from(length?).ok().filter(|length| (1..=MOST_ELEMENTS).contains(length))
}

/// The most elements of an array.
pub const MOST_ELEMENTS: usize = 1000;

/// Reads the block; `None` where too much is missing to continue.
pub fn parse<'a>(module: &'a ItemMod, helpers: &'a [ItemMod], out: &mut Diagnostics) -> Option<Block<'a>> {
    let Some((_, items)) = &module.content else {
        out.error(&module.ident, "a law is written in a block: `mod name { … }`");
        return None;
    };
    let mut own = Items::default();
    own.read(module, items, Home::Law, out);
    let Items { mut parameters, state, medium, mut functions, names } = own;
    let mut home_of_parameters = Home::Law;
    let mut helpers_names = Vec::new();
    for (i, module) in helpers.iter().enumerate() {
        let Some((_, items)) = &module.content else { continue };
        let mut read = Items::default();
        read.read(module, items, Home::Helpers(i), out);
        if let Some(shared) = read.parameters {
            if parameters.is_some() {
                out.error(
                    &shared.item.ident,
                    "a law has one `#[parameters]` struct, its own or that of a module of helpers",
                );
            }
            (parameters, home_of_parameters) = (Some(shared), Home::Helpers(i));
        }
        functions.extend(read.functions);
        helpers_names.push(read.names);
    }
    let Some(state) = state else {
        out.error(
            &module.ident,
            format!("`{}` has no state: add `#[state] pub struct State {{ pub u: f64 }}`", module.ident),
        );
        return None;
    };
    let accepted = accepted(&module.attrs, out);
    let symmetry = symmetry(state.item, out);
    let helpers = helpers_names;
    Some(Block { module, parameters, home_of_parameters, state, medium, symmetry, functions, names, helpers, accepted })
}

/// A module of helpers by itself.
pub struct HelperModule<'a> {
    /// The struct of parameters that it may have.
    pub parameters: Option<Record<'a>>,
    /// Its items that are no part of laws.
    pub others: Others,
}

/// Reads a module of helpers by itself.
pub fn parse_helper_module<'a>(module: &'a ItemMod, out: &mut Diagnostics) -> Option<HelperModule<'a>> {
    let Some((_, items)) = &module.content else {
        out.error(&module.ident, "helpers are written in a block: `mod name { … }`");
        return None;
    };
    let mut read = Items::default();
    read.read(module, items, Home::Helpers(0), out);
    if let Some(state) = read.state {
        out.error(&state.item.ident, "every law has a state of its own: helpers take its components as numbers");
    }
    if let Some(medium) = read.medium {
        out.error(&medium.item.ident, "every law has a medium of its own: helpers take its fields as numbers");
    }
    for function in &read.functions {
        if let Some(mark) = function.item.attrs.iter().find(|attr| is_mark(attr)) {
            out.error(mark, "helpers have no roles: write a function of the law that calls this one");
        }
    }
    Some(HelperModule { parameters: read.parameters, others: read.names.others })
}

/// The items of a module.
#[derive(Default)]
struct Items<'a> {
    parameters: Option<Record<'a>>,
    state: Option<Record<'a>>,
    medium: Option<Record<'a>>,
    functions: Vec<Function<'a>>,
    names: Names<'a>,
}

impl<'a> Items<'a> {
    fn read(&mut self, module: &ItemMod, items: &'a [Item], home: Home, out: &mut Diagnostics) {
        self.names.module = module.ident.to_string();
        let Self { parameters, state, medium, functions, names } = self;
        let Names { constants, integers, others, .. } = names;
        for item in items {
            match item {
                Item::Struct(item) => match record_mark(item, out) {
                    Some((mark, kind)) => {
                        let slot = match &kind {
                            Kind::State => &mut *state,
                            Kind::Parameters => &mut *parameters,
                            Kind::Medium => &mut *medium,
                        };
                        if slot.is_some() {
                            out.error(mark, format!("a law has one `{}` struct", text(mark)));
                            continue;
                        }
                        *slot = Some(record(item, &kind, out));
                        others.traits.extend(derives(item).map(|derived| (item.ident.to_string(), derived)));
                    }
                    None => drop(others.names.insert(item.ident.to_string())),
                },
                Item::Fn(item) if is_for_tests(item) => drop(others.names.insert(item.sig.ident.to_string())),
                Item::Fn(item) if home != Home::Law => {
                    functions.push(Function { item, home, role: Role::Helper, accepted: Vec::new() });
                }
                Item::Fn(item) => {
                    functions.push(Function {
                        item,
                        home,
                        role: role(item, out),
                        accepted: accepted(&item.attrs, out),
                    });
                }
                Item::Const(item) if INTEGERS.contains(&&*text(&item.ty)) => integers.push(item),
                Item::Const(item) if is_type_of_values(&item.ty) => {
                    refuse_accept(&item.attrs, out);
                    constants.push(item);
                }
                Item::Const(item) => drop(others.names.insert(item.ident.to_string())),
                Item::Static(item) => drop(others.names.insert(item.ident.to_string())),
                Item::Use(item) => imports(&item.tree, &[], others),
                Item::Impl(item) => implementation(item, others),
                Item::Macro(item) => {
                    out.error(&item.mac.path, "macros cannot make parts of a law: write the item itself");
                }
                _ => {}
            }
        }
    }
}

/// Whether constants of this type can be part of a law: not those of strings and the like.
fn is_type_of_values(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_type_of_values(&array.elem),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_type_of_values),
        Type::Path(path) => ["f64", "bool"].iter().any(|known| path.path.is_ident(known)),
        _ => false,
    }
}

/// The tokens of a node as text without spaces.
pub fn text(node: &impl ToTokens) -> String {
    node.to_token_stream().to_string().replace(' ', "")
}

fn is_for_tests(item: &ItemFn) -> bool {
    item.attrs.iter().any(|attr| attr.path().is_ident("test") || text(&attr.meta) == "cfg(test)")
}

enum Kind {
    State,
    Parameters,
    Medium,
}

fn record_mark<'a>(item: &'a ItemStruct, out: &mut Diagnostics) -> Option<(&'a Attribute, Kind)> {
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
fn symmetry<'a>(item: &'a ItemStruct, out: &mut Diagnostics) -> Option<Symmetry<'a>> {
    let mut all = item.attrs.iter().filter(|attr| attr.path().is_ident("symmetry"));
    let attr = all.next()?;
    if let Some(second) = all.next() {
        out.error(second, "a state has one `#[symmetry]`: list its vectors, `rotation = [(m1, m2), (b1, b2)]`");
    }
    let one = |input: ParseStream<'_>| {
        let key: Ident = input.parse()?;
        input.parse::<Token![=]>()?;
        let pairs = if input.peek(syn::token::Bracket) {
            let content;
            syn::bracketed!(content in input);
            Punctuated::<_, Token![,]>::parse_terminated_with(&content, pair)?.into_iter().collect()
        } else {
            vec![pair(input)?]
        };
        Ok((key, pairs))
    };
    let parsed =
        attr.parse_args_with(|input: ParseStream<'_>| Punctuated::<_, Token![,]>::parse_terminated_with(input, one));
    let mut symmetry = Symmetry { attr, rotation: None, reflection: None, galilean: None };
    let understood = parsed.is_ok_and(|list| {
        !list.is_empty()
            && list.into_iter().all(|(key, pairs): (Ident, Vec<[Ident; 2]>)| {
                let momentum = pairs.len() == 1;
                let (slot, fits) = match key.to_string().as_str() {
                    "rotation" => (&mut symmetry.rotation, !pairs.is_empty()),
                    "reflection" => (&mut symmetry.reflection, !pairs.is_empty()),
                    "galilean" => (&mut symmetry.galilean, momentum),
                    _ => return false,
                };
                slot.replace(pairs).is_none() && fits
            })
    });
    if understood {
        return Some(symmetry);
    }
    out.error(
        attr,
        "a symmetry names the vectors among the components: `#[symmetry(rotation = (m1, m2))]`, `reflection = (m1, m2)`, and for \
         `galilean` the momentum: `#[symmetry(rotation = [(m1, m2), (b1, b2)], galilean = (m1, m2))]`",
    );
    None
}

/// Two names between parentheses.
fn pair(input: ParseStream<'_>) -> syn::Result<[Ident; 2]> {
    let content;
    syn::parenthesized!(content in input);
    let first = content.parse()?;
    content.parse::<Token![,]>()?;
    let second = content.parse()?;
    content.parse::<Option<Token![,]>>()?;
    if content.is_empty() { Ok([first, second]) } else { Err(content.error("a vector has two components")) }
}

fn record<'a>(item: &'a ItemStruct, kind: &Kind, out: &mut Diagnostics) -> Record<'a> {
    if !item.generics.params.is_empty() {
        out.error(&item.generics, "the structs of a law have no generics");
    }
    let Fields::Named(named) = &item.fields else {
        out.error(item, "the structs of a law have named fields: `struct State { pub u: f64 }`");
        return Record { item, fields: Vec::new() };
    };
    let mut fields = Vec::new();
    for field in &named.named {
        let is_real = text(&field.ty) == "f64";
        if !is_real {
            let instead = match &field.ty {
                Type::Array(_) => ": write one field for each element, such as `b_0: f64, b_1: f64`",
                _ => "",
            };
            out.error(&field.ty, format!("every field of a law's struct is an `f64`{instead}"));
        }
        if let Some(ident) = &field.ident {
            let (default, range) = values(&field.attrs, kind, out);
            fields.push(Field { ident, is_real, attrs: &field.attrs, default, range });
        }
    }
    if fields.is_empty() {
        out.error(&item.ident, format!("`{}` has no fields", item.ident));
    }
    Record { item, fields }
}

/// The default value of a field and the range of its values.
fn values(attrs: &[Attribute], kind: &Kind, out: &mut Diagnostics) -> (Option<String>, Range) {
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
    if let Some(value) = &value
        && !contains(&range, value)
        && let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("default"))
    {
        out.error(attr, format!("the default `{value}` is not in the range of the parameter"));
    }
    (value, range)
}

fn default(attr: &Attribute, out: &mut Diagnostics) -> Option<String> {
    let value =
        attr.path().is_ident("default").then(|| attr.parse_args::<Expr>().ok().and_then(|value| signed(&value)));
    let value = value.flatten();
    if value.is_none() {
        out.error(attr, "a field may have a default value, a number or a formula of numbers: `#[default(1.4)]`, `#[default(5.0 / 3.0)]`");
    }
    value
}

/// The ends of a range, as the digits of literals.
type Range = (Bound<String>, Bound<String>);

const EVERYTHING: Range = (Bound::Unbounded, Bound::Unbounded);

/// The range in `#[range(…)]`; all numbers where it is wrong.
fn range(attr: &Attribute, out: &mut Diagnostics) -> Range {
    let read = || {
        let range = match attr.parse_args::<Expr>().ok()? {
            Expr::Range(range) => range,
            Expr::Tuple(ends) if ends.elems.len() == 2 => return Some((end(&ends.elems[0])?, end(&ends.elems[1])?)),
            _ => return None,
        };
        let (from, to) = (range.start.as_deref(), range.end.as_deref());
        let from = from.map_or(Some(Bound::Unbounded), |from| signed(from).map(Bound::Included))?;
        let to = match (to.map(signed), &range.limits) {
            (None, _) => Bound::Unbounded,
            (Some(to), RangeLimits::Closed(_)) => Bound::Included(to?),
            (Some(to), RangeLimits::HalfOpen(_)) => Bound::Excluded(to?),
        };
        Some((from, to))
    };
    let Some(range) = read().filter(|range| *range != EVERYTHING) else {
        let message = "a parameter may have a range, whose ends are numbers: `#[range(1.0..)]`, `#[range(0.0..=1.0)]`, \
             `#[range((Excluded(1.0), Unbounded))]`";
        out.error(attr, message);
        return EVERYTHING;
    };
    if is_empty(&range) {
        out.error(attr, "no number is in this range: the lower end comes first");
        return EVERYTHING;
    }
    range
}

/// An end of a range as one of Rust's `Bound`s: Rust has no other way to exclude the lower end.
fn end(expr: &Expr) -> Option<Bound<String>> {
    let last = |path: &Expr| match path {
        Expr::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    };
    let Expr::Call(call) = expr else { return last(expr).filter(|name| name == "Unbounded").map(|_| Bound::Unbounded) };
    let number = call.args.first().filter(|_| call.args.len() == 1).and_then(signed)?;
    match &*last(&call.func)? {
        "Included" => Some(Bound::Included(number)),
        "Excluded" => Some(Bound::Excluded(number)),
        _ => None,
    }
}

/// Whether a range is empty.
fn is_empty((from, to): &Range) -> bool {
    use Bound::{Excluded, Included};
    let number = |digits: &String| digits.parse::<f64>().unwrap_or(f64::NAN);
    match (from.as_ref().map(number), to.as_ref().map(number)) {
        (Included(from), Included(to)) => from > to,
        (Included(from) | Excluded(from), Included(to) | Excluded(to)) => from >= to,
        _ => false,
    }
}

/// Whether a number is in a range.
fn contains((from, to): &Range, digits: &str) -> bool {
    let number = |digits: &str| digits.parse::<f64>().unwrap_or(f64::NAN);
    let range = (from.as_ref().map(|end| number(end)), to.as_ref().map(|end| number(end)));
    range.contains(&number(digits))
}

/// The digits of a number: a literal of either sign, or the value of constants, if it is finite.
fn signed(expr: &Expr) -> Option<String> {
    let digits = match expr {
        Expr::Unary(minus) if matches!(minus.op, syn::UnOp::Neg(_)) => {
            real(&minus.expr).map(|digits| format!("-{digits}"))
        }
        value => real(value),
    };
    let digits = digits.or_else(|| Some(format!("{:?}", computed(expr)?)))?;
    digits.parse::<f64>().is_ok_and(f64::is_finite).then_some(digits)
}

/// The value of a formula of literals and the constants of `std`.
fn computed(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Paren(paren) => computed(&paren.expr),
        Expr::Lit(_) => match integer(expr) {
            Some(value) => Some(value as f64),
            None => real(expr)?.parse().ok(),
        },
        Expr::Path(path) => {
            let path: Vec<_> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            crate::lower::constant(&path)
        }
        Expr::Unary(minus) if matches!(minus.op, syn::UnOp::Neg(_)) => Some(-computed(&minus.expr)?),
        Expr::Binary(binary) => {
            let (a, b) = (computed(&binary.left)?, computed(&binary.right)?);
            match binary.op {
                BinOp::Add(_) => Some(a + b),
                BinOp::Sub(_) => Some(a - b),
                BinOp::Mul(_) => Some(a * b),
                // Rust would round the quotient of two integers.
                BinOp::Div(_) if integer(&binary.left).is_none() || integer(&binary.right).is_none() => Some(a / b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The digits of an `f64` literal.
pub fn real(expr: &Expr) -> Option<String> {
    let Expr::Lit(literal) = expr else { return None };
    match &literal.lit {
        Lit::Float(value) if matches!(value.suffix(), "" | "f64") => {
            let digits = value.base10_digits();
            Some(if digits.ends_with('.') { format!("{digits}0") } else { digits.to_string() })
        }
        Lit::Int(value) if value.suffix() == "f64" => Some(format!("{}.0", value.base10_digits())),
        _ => None,
    }
}

fn role(item: &ItemFn, out: &mut Diagnostics) -> Role {
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
        "numerical_flux" => return Role::NumericalFlux(claims(attr, out)),
        "nonconservative" => Role::Nonconservative,
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

/// A name, or several between brackets.
fn names(input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let content;
    syn::bracketed!(content in input);
    Ok(Punctuated::<Ident, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

/// Whether an attribute names warnings that are accepted.
pub fn is_accept(attr: &Attribute) -> bool {
    attr.path().is_ident("accept")
}

/// Reports an `#[accept]` on an item that has none.
fn refuse_accept(attrs: &[Attribute], out: &mut Diagnostics) {
    for attr in attrs.iter().filter(|attr| is_accept(attr)) {
        out.error(attr, "a function accepts warnings about itself, and the module all others: move it there");
    }
}

/// The warnings that `#[accept(…)]` names.
fn accepted(attrs: &[Attribute], out: &mut Diagnostics) -> Vec<(Warning, Ident)> {
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

fn derives(item: &ItemStruct) -> impl Iterator<Item = String> {
    let lists = item.attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    lists
        .filter_map(|attr| attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated).ok())
        .flatten()
        .filter_map(|path| Some(path.segments.last()?.ident.to_string()))
}

fn imports(tree: &UseTree, before: &[String], others: &mut Others) {
    let with = |ident: &Ident| [before, &[ident.to_string()]].concat();
    let mut import = |name: &Ident, path: Vec<String>| {
        others.names.insert(name.to_string());
        others.imports.insert(name.to_string(), path);
    };
    match tree {
        UseTree::Path(path) => imports(&path.tree, &with(&path.ident), others),
        UseTree::Name(name) => match before.last() {
            // `use a::b::{self}`
            Some(last) if name.ident == "self" => import(&Ident::new(last, name.ident.span()), before.to_vec()),
            _ => import(&name.ident, with(&name.ident)),
        },
        UseTree::Rename(rename) => import(&rename.rename, with(&rename.ident)),
        UseTree::Glob(_) => others.globs.push(before.to_vec()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imports(tree, before, others)),
    }
}

fn implementation(item: &ItemImpl, others: &mut Others) {
    let Type::Path(of) = &*item.self_ty else { return };
    let last = |path: &syn::Path| path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    if let Some((implemented, _)) = &item.trait_ {
        others.traits.insert((last(&of.path), last(implemented)));
    }
    for member in &item.items {
        if let ImplItem::Fn(method) = member {
            others.methods.insert(method.sig.ident.to_string());
        }
    }
}
