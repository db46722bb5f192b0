//! Hands the law to the compiler proper, and writes the result as Rust.

use dg_contract::{
    Algebra, Characteristic, CharacteristicVariables, Cost, KernelCost, Method, Owned, Proof, Sample, Unit,
};
use dg_language::Diagnostics;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use templates::check::{Diagnostic, Severity};
use templates::derive::{FarField, SourceJacobian};
use templates::emit::Generated;
use templates::ir::Law;

/// The results of the compiler, each as an expression of the type in `dg_runtime::law`.
pub struct Compiled {
    /// An `Algebra`.
    pub algebra: TokenStream,
    /// One `Proof` each.
    pub proofs: Vec<TokenStream>,
    /// One `Sample` each.
    pub samples: Vec<TokenStream>,
    /// The physics as code.
    pub physics: String,
    /// Kernels that evaluate the physics at given points.
    pub pointwise: String,
    /// The number of values that are computed once, from the parameters alone.
    pub once: usize,
    /// One `Unit` each.
    pub units: Vec<TokenStream>,
    /// The numerical fluxes that were derived: names and descriptions.
    pub fluxes: Vec<(&'static str, &'static str)>,
    /// Whether the law has a far field.
    pub has_far_field: bool,
    /// Whether its source has a Jacobian.
    pub has_source_jacobian: bool,
}

/// Derives the law's further functions, checks it and generates its code, with warnings; `None` if it is wrong, and
/// then `out` has the mistakes.
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
    let Generated { physics, pointwise, once, units } = match templates::emit::generate(law, &derived) {
        Ok(generated) => generated,
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
    let of_source: &[_] = derived.source_jacobian.as_ref().map_or(&[], |SourceJacobian { samples, .. }| samples);
    let compiled = Compiled {
        algebra: algebra(&templates::emit::algebra(law, &derived)),
        proofs: report.proofs.iter().map(proof).collect(),
        samples: derived.samples.iter().chain(of_far_field).chain(of_source).map(sample).collect(),
        physics,
        pointwise,
        once,
        units: units.iter().map(unit).collect(),
        fluxes: templates::emit::derived_fluxes(&derived).collect(),
        has_far_field,
        has_source_jacobian: derived.source_jacobian.is_some(),
    };
    Some((compiled, report.diagnostics))
}

fn algebra(algebra: &Algebra<Owned>) -> TokenStream {
    let Algebra {
        jacobian,
        eigenvalues,
        wave_speed,
        admissible,
        linear,
        nonlinear,
        source_linear,
        source_jacobian,
        steady,
        changing_media,
        mirrors,
        inversions,
        characteristic,
        far_field,
        rotation,
    } = algebra;
    let matrix = |matrix: &Vec<Vec<String>>| {
        let rows = matrix.iter().map(|row| quote!(&[#(#row),*]));
        quote!(&[#(#rows),*])
    };
    let changing_media = changing_media.iter().map(|(name, fields)| quote!((#name, &[#(#fields),*])));
    let (jacobian, source_jacobian) = (jacobian.iter().map(matrix), matrix(source_jacobian));
    let characteristic = self::characteristic(characteristic);
    let far_field = match far_field {
        Ok(()) => quote!(::core::result::Result::Ok(())),
        Err(why) => quote!(::core::result::Result::Err(#why)),
    };
    let nonlinear = match nonlinear {
        Some([axis, component]) => quote!(::core::option::Option::Some([#axis, #component])),
        None => quote!(::core::option::Option::None),
    };
    let rotation = match rotation {
        Ok(vectors) => {
            let vectors = vectors.iter().map(|[x, y]| quote!([#x, #y]));
            quote!(::core::result::Result::Ok(&[#(#vectors),*]))
        }
        Err(why) => quote!(::core::result::Result::Err(#why)),
    };
    quote! {
        ::dg_runtime::law::Algebra {
            jacobian: &[#(#jacobian),*],
            eigenvalues: &[#(#eigenvalues),*],
            wave_speed: #wave_speed,
            admissible: &[#(#admissible),*],
            linear: #linear,
            nonlinear: #nonlinear,
            source_linear: #source_linear,
            source_jacobian: #source_jacobian,
            steady: &[#(#steady),*],
            changing_media: &[#(#changing_media),*],
            mirrors: &[#(#mirrors),*],
            inversions: &[#(#inversions),*],
            characteristic: #characteristic,
            far_field: #far_field,
            rotation: #rotation,
        }
    }
}

fn characteristic(characteristic: &CharacteristicVariables<Owned>) -> TokenStream {
    let maps = match characteristic {
        CharacteristicVariables::Formulas(maps) => maps,
        CharacteristicVariables::Computed { why } => {
            return quote!(::dg_runtime::law::CharacteristicVariables::Computed { why: #why });
        }
        CharacteristicVariables::None { why } => {
            return quote!(::dg_runtime::law::CharacteristicVariables::None { why: #why });
        }
    };
    let maps = maps.iter().map(|Characteristic { to, from }| {
        let [to, from] = [to, from].map(|formulas| {
            let lines = formulas.iter().map(|(name, value)| quote!((#name, #value)));
            quote!(&[#(#lines),*])
        });
        quote!(::dg_runtime::law::Characteristic { to: #to, from: #from })
    });
    quote!(<::dg_runtime::law::CharacteristicVariables>::Formulas(&[#(#maps),*]))
}

fn proof(Proof { statement, method }: &Proof<Owned>) -> TokenStream {
    let method = match method {
        Method::Symbolic => quote!(Symbolic),
        Method::Branches(count) => quote!(Branches(#count)),
        Method::RationalStates(count) => quote!(RationalStates(#count)),
        Method::FloatingPoint(count) => quote!(FloatingPoint(#count)),
    };
    quote!(::dg_runtime::law::Proof { statement: #statement, method: ::dg_runtime::law::Method::#method })
}

fn sample(sample: &Sample<Owned>) -> TokenStream {
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
fn unit(Unit { shape, order, mesh_order, sample_order, basis, traces, moments, costs }: &Unit<Owned>) -> TokenStream {
    let shape = format_ident!("{shape:?}");
    let cost = |Cost { flops, reals, integers }: &Cost| {
        quote! { ::dg_runtime::law::Cost { flops: #flops, reals: #reals, integers: #integers } }
    };
    let costs = costs.iter().map(|KernelCost { name, medium_basis, cost: own, of_field }| {
        let (own, of_field) = (cost(own), cost(of_field));
        quote! {
            ::dg_runtime::law::KernelCost { name: #name, medium_basis: #medium_basis, cost: #own, of_field: #of_field }
        }
    });
    quote! {
        ::dg_runtime::law::Unit {
            shape: ::dg_runtime::law::Shape::#shape,
            order: #order,
            mesh_order: #mesh_order,
            sample_order: #sample_order,
            basis: #basis,
            traces: #traces,
            moments: #moments,
            costs: &[#(#costs),*],
        }
    }
}
