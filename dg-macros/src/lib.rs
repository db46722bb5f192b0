//! The attribute `#[conservation_law]`.

use proc_macro::TokenStream;

/// Compiles a conservation law.
#[proc_macro_attribute]
pub fn conservation_law(_options: TokenStream, block: TokenStream) -> TokenStream {
    block
}
