//! The language of laws, without rustc: from the tokens of a block to [`Law`].
//!
//! ```text
//! tokens ── parse ──▶ ast::Block ── lower ──▶ ir::Law
//! ```
//!
//! The attribute `#[conservation_law]` is a shell around [`read`]. Tools that have a law's text instead of its tokens find it by
//! [`laws`].
//!
//! # Invariants
//!
//! * No step stops at the first mistake; [`Diagnostics`] collects them.
//! * A law is given only if no mistake was found, rustc's included where its types matter here: so a text without a law is wrong.

pub mod ast;
mod constants;
mod diagnostics;
mod lower;
mod parse;

pub use diagnostics::Diagnostics;
pub use lower::SOURCES;
pub use parse::{HelperModule, is_accept, is_mark, parse_helper_module};

use proc_macro2::TokenStream;
use syn::{Item, ItemMod, Meta};
use templates::ir::Law;

use ast::{Block, Options};

/// What was read of a law.
pub struct Reading<'a> {
    /// The arguments of the attribute, if they are right.
    pub options: Option<Options>,
    /// The parts of the block, unless too much is missing.
    pub block: Option<Block<'a>>,
    /// The law, if there is no mistake.
    pub law: Option<Law>,
    /// The mistakes, and the places that the law's spans name.
    pub diagnostics: Diagnostics,
}

/// Reads the law in a module, with the arguments of its attribute.
pub fn read(options: TokenStream, module: &ItemMod) -> Reading<'_> {
    read_with(options, module, &[])
}

/// Reads a law with the modules of helpers that its options name, in their order.
pub fn read_with<'a>(options: TokenStream, module: &'a ItemMod, helpers: &'a [ItemMod]) -> Reading<'a> {
    let mut diagnostics = Diagnostics::default();
    let options = syn::parse2::<Options>(options).map_err(|error| diagnostics.refuse(error)).ok();
    let block = parse::parse(module, helpers, &mut diagnostics);
    let law = match (&options, &block) {
        (Some(options), Some(block)) => lower::lower(block, options, &mut diagnostics),
        _ => None,
    };
    Reading { options, block, law, diagnostics }
}

/// The laws in a Rust text: the arguments of each attribute, and the module without it.
///
/// # Errors
/// If the text is no Rust.
pub fn laws(text: &str) -> syn::Result<Vec<(TokenStream, ItemMod)>> {
    let items = syn::parse_file(text)?.items;
    let modules = items.into_iter().filter_map(|item| match item {
        Item::Mod(module) => Some(module),
        _ => None,
    });
    Ok(modules.filter_map(law).collect())
}

/// The arguments of a module's attribute, and the module without it.
fn law(mut module: ItemMod) -> Option<(TokenStream, ItemMod)> {
    let is_law =
        |attr: &syn::Attribute| attr.path().segments.last().is_some_and(|segment| segment.ident == "conservation_law");
    let attr = module.attrs.remove(module.attrs.iter().position(is_law)?);
    let options = match attr.meta {
        Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    Some((options, module))
}

#[cfg(test)]
mod tests {
    use super::{Reading, laws, read};

    const TEXT: &str = "use dg_runtime::conservation_law;
        mod other {}
        #[dg_runtime::conservation_law(dim = 2, orders = 0..=1)]
        pub mod waves {
            #[state] pub struct State { pub u: f64 }
            pub fn flux(q: State) -> [State; 2] { [State { u: q.u }, State { u: 0.0 }] }
            pub fn eigenvalues(_: State, n: Normal) -> [f64; 1] { [n.x] }
        }";

    #[test]
    fn a_text_has_its_laws() {
        let laws = laws(TEXT).unwrap();
        let [(options, module)] = &laws[..] else { panic!("{} laws", laws.len()) };
        let Reading { law, diagnostics, .. } = read(options.clone(), module);
        let law = law.unwrap();
        assert!(diagnostics.is_clean());
        assert_eq!((&*law.name, law.functions.len(), law.orders), ("waves", 2, 0..=1));
    }

    #[test]
    fn a_text_that_rustc_refuses_has_no_law() {
        for (right, wrong) in [("u: q.u", "u: q.v"), ("u: q.u", "u: q"), ("[n.x]", "[n.x, n.y]"), ("[n.x]", "[x]")] {
            let laws = laws(&TEXT.replace(right, wrong)).unwrap();
            let (options, module) = &laws[0];
            assert!(read(options.clone(), module).law.is_none(), "{wrong}");
        }
    }
}
