//! Hands the law to the compiler proper, and writes what it gives as Rust.

use proc_macro2::TokenStream;
use quote::quote;
use templates::check::{Diagnostic, Proof, Severity};
use templates::derive::{Characteristic, Derived, FarField, Sample, formulas};
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
    /// Whether the law has a far field.
    pub has_far_field: bool,
}

/// Completes a law by what is derived of it, checks it and generates its code, with warnings; `None` where it is wrong, which
/// `out` then knows.
pub fn compile(law: &mut Law, out: &mut Diagnostics) -> Option<(Compiled, Vec<Diagnostic>)> {
    match templates::derive::sources(law) {
        Ok(sources) => law.functions.extend(sources),
        Err((id, stop)) => {
            let solution = law.function(id);
            let message = format!("no source could be derived for `{}`: it met {stop}", solution.name);
            let notes = Vec::new();
            out.report(&[Diagnostic { severity: Severity::Error, span: solution.span, message, notes }]);
            return None;
        }
    }
    let law = &*law;
    let (report, derived) = templates::analyse(law);
    out.report(&report.diagnostics);
    if !out.is_clean() {
        return None;
    }
    let units = match templates::emit::units(law, &derived) {
        Ok(units) => units.iter().map(unit).collect(),
        Err(error) => {
            let notes = Vec::new();
            out.report(&[Diagnostic { severity: Severity::Error, span: law.span, message: error.to_string(), notes }]);
            return None;
        }
    };
    let (has_far_field, of_far_field): (_, &[_]) = match &derived.far_field {
        FarField::Derived { samples, .. } => (true, samples),
        FarField::None(_) => (false, &[]),
    };
    let compiled = Compiled {
        algebra: algebra(law, &derived),
        proofs: report.proofs.iter().map(proof).collect(),
        samples: derived.samples.iter().chain(of_far_field).map(sample).collect(),
        units,
        has_far_field,
    };
    Some((compiled, report.diagnostics))
}

fn algebra(law: &Law, derived: &Derived) -> TokenStream {
    let Derived { eigenvalues, wave_speed, admissible, linear, .. } = derived;
    let jacobian = derived.jacobian.iter().map(|matrix| {
        let rows = matrix.iter().map(|row| quote!(&[#(#row),*]));
        quote!(&[#(#rows),*])
    });
    let characteristic = characteristic(law, &derived.characteristic);
    let far_field = match &derived.far_field {
        FarField::Derived { .. } => quote!(::core::result::Result::Ok(())),
        FarField::None(reason) => quote!(::core::result::Result::Err(#reason)),
    };
    quote! {
        ::dg_runtime::law::Algebra {
            jacobian: &[#(#jacobian),*],
            eigenvalues: &[#(#eigenvalues),*],
            wave_speed: #wave_speed,
            admissible: &[#(#admissible),*],
            linear: #linear,
            characteristic: #characteristic,
            far_field: #far_field,
        }
    }
}

fn characteristic(law: &Law, characteristic: &Characteristic) -> TokenStream {
    let maps = match characteristic {
        Characteristic::Derived(maps) => maps,
        Characteristic::AtRunTime(why) => {
            return quote!(::dg_runtime::law::CharacteristicVariables::Computed { why: #why });
        }
        Characteristic::None(why) => return quote!(::dg_runtime::law::CharacteristicVariables::None { why: #why }),
    };
    let maps = maps.iter().map(|maps| {
        let [to, from] = [&maps.to, &maps.from].map(|function| {
            let lines = formulas(law, function).into_iter().map(|(name, value)| quote!((#name, #value)));
            quote!(&[#(#lines),*])
        });
        quote!(::dg_runtime::law::Characteristic { to: #to, from: #from })
    });
    quote!(::dg_runtime::law::CharacteristicVariables::Formulas(&[#(#maps),*]))
}

fn proof(proof: &Proof) -> TokenStream {
    let statement = &proof.statement;
    let method = proof.method.to_string();
    quote!(::dg_runtime::law::Proof { statement: #statement, method: #method })
}

fn sample(sample: &Sample) -> TokenStream {
    let Sample { function, parameters, state, right, normal, position, time, value } = sample;
    quote! {
        ::dg_runtime::law::Sample {
            function: #function,
            parameters: &[#(#parameters),*],
            state: &[#(#state),*],
            right: &[#(#right),*],
            normal: &[#(#normal),*],
            position: &[#(#position),*],
            time: #time,
            value: &[#(#value),*],
        }
    }
}

/// A generated unit as the runtime's data.
fn unit(unit: &Unit) -> TokenStream {
    let Unit { order, source, operators, moments, traces, fields, .. } = unit;
    let shape = match unit.shape {
        Shape::Triangle => quote!(::dg_runtime::law::Shape::Triangle),
    };
    let basis = operators.basis;
    let face_points = &operators.face_points;
    let points = [operators.face_positions.concat(), operators.volume_points.clone()].concat().concat();
    let sample_points = operators.sample_points.concat();
    let basis_at_samples = operators.basis_at_sample.concat();
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
            moments: #moments,
            traces: #traces,
            face_points: &[#(#face_points),*],
            points: &[#(#points),*],
            sample_points: &[#(#sample_points),*],
            basis_at_samples: &[#(#basis_at_samples),*],
            fields: &[#(#fields),*],
            projection_points: &[#(#projection_points),*],
            kernels: &[#(#kernels),*],
        }
    }
}
