//! Places in the user's source, and the messages about them.
//!
//! The rule for mistakes: the attribute reports valid Rust that is no law. Invalid Rust (a wrong type, an unknown name)
//! is left to rustc, which sees the same module and reports it well: so one mistake gives one message.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use templates::check::Severity;
use templates::ir::{self, Warning};

/// A range of tokens. Its two ends are kept apart because stable Rust cannot join spans.
#[derive(Clone, Copy)]
pub struct Place {
    start: Span,
    end: Span,
}

impl Place {
    /// From the first to the last token of a node.
    pub fn of(node: &impl ToTokens) -> Self {
        let mut tokens = node.to_token_stream().into_iter();
        let start = tokens.next().map_or_else(Span::call_site, |token| token.span());
        let end = tokens.last().map_or(start, |token| token.span());
        Self { start, end }
    }

    fn error(self, message: impl Into<String>) -> syn::Error {
        let (start, end) = (self.start, self.end);
        let mut range = quote_spanned!(start=> _);
        range.extend(quote_spanned!(end=> _));
        syn::Error::new_spanned(range, message.into())
    }
}

/// Collects all mistakes and warnings, and the table behind [`ir::Span`].
#[derive(Default)]
pub struct Diagnostics {
    places: Vec<Place>,
    errors: Vec<syn::Error>,
    warnings: Vec<(Warning, Place, String)>,
    left_to_rustc: bool,
    /// The innermost expression that was left to rustc, if there was one.
    left: Option<Place>,
}

impl Diagnostics {
    /// An index for the place of a node.
    pub fn span(&mut self, node: &impl ToTokens) -> ir::Span {
        self.places.push(Place::of(node));
        ir::Span(u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX))
    }

    /// Reports a mistake in the law.
    pub fn error(&mut self, node: &impl ToTokens, message: impl Into<String>) {
        self.errors.push(Place::of(node).error(message));
    }

    /// Reports a mistake that syn found.
    pub fn refuse(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// Notes a mistake that rustc will report, so that the law is not compiled.
    pub fn leave_to_rustc(&mut self) {
        self.left_to_rustc = true;
    }

    /// Records the expression whose mistake was left to rustc; the first call comes from the innermost.
    pub fn left_to_rustc_at(&mut self, node: &impl ToTokens) {
        if self.left_to_rustc && self.left.is_none() {
            self.left = Some(Place::of(node));
        }
    }

    /// Takes over the diagnostics of the compiler proper.
    pub fn report(&mut self, diagnostics: &[templates::check::Diagnostic]) {
        for diagnostic in diagnostics {
            let place = self.place(diagnostic.span);
            let mut message = diagnostic.message.clone();
            for note in &diagnostic.notes {
                message.push('\n');
                message.push_str(note);
            }
            match diagnostic.severity {
                Severity::Error => self.errors.push(place.error(message)),
                Severity::Warning(warning) => self.warnings.push((warning, place, message)),
            }
        }
    }

    fn place(&self, span: ir::Span) -> Place {
        let here = Place { start: Span::call_site(), end: Span::call_site() };
        self.places.get(span.0 as usize).copied().unwrap_or(here)
    }

    /// Reports a name that generated code cannot use.
    pub fn name(&mut self, ident: &syn::Ident) {
        let name = ident.to_string();
        if !name.is_ascii() {
            self.error(ident, format!("generated code needs ASCII letters in names: `{name}`"));
        } else if name.starts_with("r#") {
            self.error(ident, format!("`{name}` is a keyword: choose another name"));
        }
    }

    /// Whether no mistake was found so far.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && !self.left_to_rustc
    }

    /// The place of a mistake that only rustc reports.
    pub fn left_to_rustc(&self) -> Option<Span> {
        let alone = self.errors.is_empty() && self.left_to_rustc;
        alone.then(|| self.left.map_or_else(Span::call_site, |place| place.start))
    }
}

impl ToTokens for Diagnostics {
    /// All messages, as items.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.errors.iter().map(syn::Error::to_compile_error));
        // A macro cannot warn on stable Rust. Of rustc's own warnings, only that of a deprecated item begins with a text of ours;
        // `#[must_use]`, an unfulfilled `#[expect]` and unknown names begin with one of rustc's and have ours at most in a note. Of
        // deprecated items, a macro is the one that rustc calls by the path in the source, which can be the name of the
        // warning (`use of deprecated macro `rankine::undecided`: …`), and marks from the first to the last token.
        for (warning, place, message) in &self.warnings {
            let name = format_ident!("{}", warning.name());
            let (tool, used) = (quote_spanned!(place.start=> rankine), format_ident!("{name}", span = place.end));
            let end = quote_spanned!(place.end=> !{});
            tokens.extend(quote! {
                const _: () = {
                    mod rankine {
                        #[deprecated(note = #message)]
                        macro_rules! #name { () => {} }
                        #[allow(deprecated)]
                        pub(super) use #name;
                    }
                    #tool::#used #end
                };
            });
        }
    }
}

/// `": did you mean \`…\`?"` if one of the candidates is near, otherwise empty.
pub fn suggestion<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, candidates).map(|near| format!(": did you mean `{near}`?")).unwrap_or_default()
}

/// The candidate that `name` is most likely a misspelling of.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 2 && *distance < candidate.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
