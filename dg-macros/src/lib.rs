//! The attributes `#[conservation_law]` and `#[helpers]`.
//!
//! ```text
//! tokens ── dg_language::read ──▶ ir::Law ── compile ──▶ Compiled ── expand ──▶ the module and LAW
//! ```
//!
//! `earlier` keeps the results of compiling a law, so that an unchanged law is not checked again.

mod compile;
mod earlier;
mod expand;

use proc_macro::TokenStream;
use proc_macro2::TokenTree;
use quote::quote;
use syn::ItemMod;

use dg_language::ast::Options;
use dg_language::{Diagnostics, Reading};
use earlier::Key;

#[doc = include_str!("../../docs/language.md")]
#[proc_macro_attribute]
pub fn conservation_law(options: TokenStream, block: TokenStream) -> TokenStream {
    law(&options.into(), block.into(), &[]).into()
}

/// Marks a module of functions that laws share: a law names it, `#[conservation_law(dim = 2, orders = 0..=3, helpers = crate::gas)]`, and
/// then calls them. The module may have constants and a `#[parameters]` struct, too.
#[proc_macro_attribute]
pub fn helpers(options: TokenStream, block: TokenStream) -> TokenStream {
    let mut out = Diagnostics::default();
    if !options.is_empty() {
        out.error(&proc_macro2::TokenStream::from(options), "`#[helpers]` takes no arguments");
    }
    let module = match syn::parse::<ItemMod>(block.clone()) {
        Ok(module) => module,
        Err(error) => return expand::unread(block.into(), &error).into(),
    };
    let parsed = dg_language::parse_helper_module(&module, &mut out);
    expand::helpers(&module, parsed.as_ref(), &quote!(#out)).into()
}

/// What the macros of modules of helpers call: a law with the modules found so far.
#[doc(hidden)]
#[proc_macro]
pub fn law_with_helpers(input: TokenStream) -> TokenStream {
    let groups: Vec<_> = proc_macro2::TokenStream::from(input).into_iter().collect();
    let content = |group: &TokenTree| match group {
        TokenTree::Group(group) => group.stream(),
        _ => proc_macro2::TokenStream::new(),
    };
    let [found, options, block] = &groups[..] else { return TokenStream::new() };
    let found: Vec<_> = content(found).into_iter().map(|module| content(&module)).collect();
    law(&content(options), content(block), &found).into()
}

/// Compiles a law, once the tokens of all its helpers are found.
fn law(
    options: &proc_macro2::TokenStream,
    block: proc_macro2::TokenStream,
    found: &[proc_macro2::TokenStream],
) -> proc_macro2::TokenStream {
    if let Ok(read) = syn::parse2::<Options>(options.clone())
        && let Some(next) = read.helpers.get(found.len())
    {
        return expand::ask(next, &quote!(#({#found})*), options, &block);
    }
    let key = Key::new(&quote!(#options #(#found)*), &block);
    let module = match syn::parse2::<ItemMod>(block.clone()) {
        Ok(module) => module,
        Err(error) => return expand::unread(block, &error),
    };
    let helpers: Vec<ItemMod> = found.iter().filter_map(|module| syn::parse2(module.clone()).ok()).collect();
    let Reading { options, block, law, diagnostics: mut out } =
        dg_language::read_with(options.clone(), &module, &helpers);
    let additions = law.and_then(|mut law| {
        if let Some(earlier) = key.as_ref().and_then(Key::find) {
            out.report(&earlier.warnings);
            return Some(earlier.additions);
        }
        let (compiled, warnings) = compile::compile(&mut law, &mut out)?;
        let additions = expand::law(&law, &compiled);
        if let Some(key) = key {
            key.keep(&additions, &warnings);
        }
        Some(additions)
    });
    let dim = options.map_or(2, |options| options.dim);
    let surroundings = block.as_ref().map(|block| expand::surroundings(block, dim));
    let law = additions.unwrap_or_else(|| expand::placeholder(&module.ident, out.left_to_rustc()));
    expand::module(&module, block.as_ref().map(|block| &block.names.others), &quote!(#surroundings #law #out))
}
