//! The helper modules of laws that are read from files.

use std::path::PathBuf;

use dg_language::ast::Options;
use proc_macro2::TokenStream;
use syn::{Item, ItemMod};

/// The files of the modules of helpers that a law names, each of its own name in `equations`, with their texts.
///
/// # Panics
/// If the options of the law are wrong, or there is no such file.
pub fn files_of_law(options: &TokenStream) -> Vec<(PathBuf, String)> {
    let options = syn::parse2::<Options>(options.clone()).unwrap_or_else(|error| panic!("{error}"));
    let file = |path: &syn::Path| {
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let file = crate::root().join(format!("equations/src/{name}.rs"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        (file, text)
    };
    options.helpers.iter().map(file).collect()
}

/// The modules of helpers that a law names.
///
/// # Panics
/// As [`files_of_law`], or if a file has no module.
pub fn of_law(options: &TokenStream) -> Vec<ItemMod> {
    let read =
        |(path, text): (PathBuf, String)| module(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    files_of_law(options).into_iter().map(read).collect()
}

/// The module of a text.
///
/// # Errors
/// Where it is no text of Rust, or has no module.
pub fn module(text: &str) -> Result<ItemMod, String> {
    let items = syn::parse_file(text).map_err(|error| error.to_string())?.items;
    let module = items.into_iter().find_map(|item| match item {
        Item::Mod(module) => Some(module),
        _ => None,
    });
    module.ok_or_else(|| "there is no module".to_owned())
}
