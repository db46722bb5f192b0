//! From syn's tree to the [`ast`](crate::ast): the role of each item in the law.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Ident, ImplItem, Item, ItemFn, ItemImpl, ItemMod, ItemStruct, Token, Type, UseTree};

use self::accept::{accepted, refuse_accept};
use self::record::{Kind, record, record_mark, symmetry};
use self::role::role;
use crate::ast::{Block, Function, Home, Names, Others, Record, Role};
use crate::diagnostics::{Diagnostics, nearest};

mod accept;
mod numbers;
mod options;
mod record;
mod role;

pub use accept::is_accept;
pub use numbers::{INTEGERS, MOST_ELEMENTS, length, real};

/// The attributes that mark the items of a law; rustc does not see them.
const MARKS: [&str; 21] = [
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
    "boundary_flux",
    "numerical_flux",
    "nonconservative",
    "viscous_flux",
    "jump",
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
