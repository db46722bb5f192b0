//! Hands the law to the compiler proper, and writes what it gives as Rust.

use proc_macro2::TokenStream;
use quote::quote;
use templates::check::{Diagnostic, Severity};
use templates::emit::{KernelCost, Unit};
use templates::ir::Law;
use templates::reference::Shape;

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
    let extreme: Vec<usize> = (0..law.state.fields.len()).collect();
    let units = match templates::emit::units(law, &extreme) {
        Ok(units) => units.iter().map(unit).collect(),
        Err(error) => {
            let notes = Vec::new();
            out.report(&[Diagnostic { severity: Severity::Error, span: law.span, message: error.to_string(), notes }]);
            return None;
        }
    };
    Some(Compiled { algebra, proofs: Vec::new(), samples: Vec::new(), units })
}

/// A generated unit as the runtime's data.
fn unit(unit: &Unit) -> TokenStream {
    let Unit { order, source, operators, .. } = unit;
    let shape = match unit.shape {
        Shape::Triangle => quote!(::dg_runtime::law::Shape::Triangle),
    };
    let basis = operators.basis;
    let face_points = &operators.face_points;
    let sample_points = operators.sample_points.concat();
    let projection_points = operators.fine_points.concat();
    let kernels = unit.kernels.iter().map(|KernelCost { name, flops, reals, integers }| {
        quote! {
            ::dg_runtime::law::KernelCost { name: #name, flops: #flops, reals: #reals, integers: #integers }
        }
    });
    quote! {
        ::dg_runtime::law::Unit {
            shape: #shape,
            order: #order,
            source: #source,
            basis: #basis,
            face_points: &[#(#face_points),*],
            sample_points: &[#(#sample_points),*],
            projection_points: &[#(#projection_points),*],
            kernels: &[#(#kernels),*],
        }
    }
}
