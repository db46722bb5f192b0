//! The attribute `#[conservation_law]`.
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
use quote::quote;
use syn::ItemMod;

use dg_language::Reading;
use earlier::Key;

#[doc = include_str!("../../docs/language.md")]
#[proc_macro_attribute]
pub fn conservation_law(options: TokenStream, block: TokenStream) -> TokenStream {
    let key = Key::new(&options.clone().into(), &block.clone().into());
    let module = match syn::parse::<ItemMod>(block.clone()) {
        Ok(module) => module,
        Err(error) => return expand::unread(block.into(), &error).into(),
    };
    let Reading { options, block, law, diagnostics: mut out } = dg_language::read(options.into(), &module);
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
    expand::module(&module, block.as_ref(), &quote!(#surroundings #law #out)).into()
}
