//! Laws in files, as the compiler gets them.

use quote::ToTokens as _;
use templates::ir::Law;

use crate::helpers;

/// The laws of a text, with their derived functions.
///
/// # Panics
/// If the text has mistakes.
pub fn laws(text: &str) -> Vec<Law> {
    let laws = dg_language::laws(text).unwrap_or_else(|error| panic!("{error}"));
    let read = |(options, module)| {
        let helpers = helpers::of_law(&options);
        let reading = dg_language::read_with(options, &module, &helpers);
        let mistakes = || reading.diagnostics.to_token_stream().to_string();
        let mut law = reading.law.unwrap_or_else(|| panic!("{}", mistakes()));
        law.functions.extend(templates::derive::sources(&law).unwrap_or_else(|(_, stop)| panic!("{stop}")));
        law
    };
    laws.into_iter().map(read).collect()
}
