//! Hands the law to the compiler proper, and writes what it gives as Rust.

use proc_macro2::TokenStream;
use quote::quote;
use templates::ir::Law;

use crate::diagnostics::Diagnostics;

/// What the compiler found out and generated, each as an expression of the type in `dg_runtime::law`.
pub struct Compiled {
    /// An `Algebra`.
    pub algebra: TokenStream,
    /// One `Proof` each.
    pub proofs: Vec<TokenStream>,
    /// One `Sample` each.
    pub samples: Vec<TokenStream>,
    /// One `Unit` each.
    pub units: Vec<TokenStream>,
}

/// Checks a law and generates its code; `None` where it is wrong, which `out` then knows.
pub fn compile(law: &Law, out: &mut Diagnostics) -> Option<Compiled> {
    let report = templates::check::check(law);
    out.report(&report.diagnostics);
    if !out.is_clean() {
        return None;
    }
    let algebra = quote! {
        ::dg_runtime::law::Algebra { jacobian: &[], eigenvalues: &[], wave_speed: "", linear: false }
    };
    Some(Compiled { algebra, proofs: Vec::new(), samples: Vec::new(), units: Vec::new() })
}
