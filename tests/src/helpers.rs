//! The helper modules of laws that are read from files.

use dg_language::ast::Options;
use proc_macro2::TokenStream;
use syn::{Item, ItemMod};

/// The modules of helpers that a law names, each from the file of its own name in `equations`.
///
/// # Panics
/// If the options of the law are wrong, or there is no such file with a module.
pub fn of_law(options: &TokenStream) -> Vec<ItemMod> {
    let options = syn::parse2::<Options>(options.clone()).unwrap_or_else(|error| panic!("{error}"));
    options.helpers.iter().map(module).collect()
}

fn module(path: &syn::Path) -> ItemMod {
    let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
    let file = crate::root().join(format!("equations/src/{name}.rs"));
    let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let items = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())).items;
    let module = items.into_iter().find_map(|item| match item {
        Item::Mod(module) => Some(module),
        _ => None,
    });
    module.unwrap_or_else(|| panic!("{} has no module", file.display()))
}
