//! The user's module, unchanged, with generated additions.

use std::ops::Bound;

use dg_language::ast::{Block, Default, Field, Function, Home, Others, Record, Role};
use dg_language::{HelperModule, SOURCES, is_accept, is_mark};
use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser as _};
use syn::visit_mut::VisitMut;
use syn::{Attribute, FnArg, ItemFn, ItemMod, ItemStruct, Token, Visibility, parse_quote};
use templates::derive::{DERIVED_BOUNDARIES, SOURCE_JACOBIAN};
use templates::ir::{self, Member, Type};

use crate::compile::Compiled;

/// The module without the language's attributes, with `additions` at its end; its structs get the traits that `others` lacks.
pub fn module(module: &ItemMod, others: Option<&Others>, additions: &TokenStream) -> TokenStream {
    struct Unmark<'a>(Option<&'a Others>);
    impl VisitMut for Unmark<'_> {
        fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
            if item.attrs.iter().any(is_mark)
                && let Some(others) = self.0
            {
                item.attrs.extend(derives(others, item));
            }
            syn::visit_mut::visit_item_struct_mut(self, item);
        }
        fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
            // A state has as many variables as it has components.
            if item.attrs.iter().any(|attr| attr.path().is_ident("variables")) {
                item.attrs.push(parse_quote!(#[allow(clippy::too_many_arguments)]));
            }
            syn::visit_mut::visit_item_fn_mut(self, item);
        }
        fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
            attrs.retain(|attr| !is_mark(attr));
        }
        // Only items of the block itself have marks.
        fn visit_item_mod_mut(&mut self, _: &mut ItemMod) {}
        fn visit_block_mut(&mut self, _: &mut syn::Block) {}
    }
    let mut module = module.clone();
    module.attrs.retain(|attr| !is_accept(attr));
    let Some((_, items)) = &mut module.content else { return module.into_token_stream() };
    for item in items.iter_mut() {
        Unmark(others).visit_item_mut(item);
    }
    items.push(syn::Item::Verbatim(additions.clone()));
    module.into_token_stream()
}

fn derives(others: &Others, item: &ItemStruct) -> Option<Attribute> {
    let has = |name: &str| others.implements(&item.ident.to_string(), name);
    let missing: Vec<_> = ["Clone", "Copy", "Debug", "PartialEq"].into_iter().filter(|name| !has(name)).collect();
    let missing = missing.into_iter().map(|name| format_ident!("{name}"));
    let list = quote!(#(#missing),*);
    (!list.is_empty()).then(|| parse_quote!(#[derive(#list)]))
}

/// A module of helpers, with a macro of the same name that hands its tokens on to a law.
pub fn helpers(module: &ItemMod, parsed: Option<&HelperModule<'_>>, diagnostics: &TokenStream) -> TokenStream {
    let default = parsed.and_then(|parsed| default(&parsed.others, parsed.parameters.as_ref()?));
    // All laws have two dimensions so far.
    let vectors = parsed.map(|parsed| vectors(&parsed.others, 2));
    let (name, macro_name) = (&module.ident, format_ident!("rankine_helpers_{}", module.ident));
    let plain = self::module(module, parsed.map(|parsed| &parsed.others), &quote!(#vectors #default #diagnostics));
    quote! {
        #plain
        #[doc(hidden)]
        #[allow(unused_macros)]
        macro_rules! #macro_name {
            ([$($found:tt)*] $options:tt $law:tt) => {
                ::dg_runtime::law_with_helpers! { [$($found)* { #module }] $options $law }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub(crate) use #macro_name as #name;
    }
}

/// Asks the macro of the next module of helpers for its tokens.
pub fn ask(helpers: &syn::Path, found: &TokenStream, options: &TokenStream, law: &TokenStream) -> TokenStream {
    quote!(#helpers! { [#found] [#options] [#law] })
}

/// The additions to the module besides `LAW`: the vectors of space and the parameters' default.
pub fn surroundings(block: &Block<'_>, dim: usize) -> TokenStream {
    let vectors = vectors(&block.names.others, dim);
    let own = block.parameters.as_ref().filter(|_| block.home_of_parameters == Home::Law);
    let default = own.and_then(|parameters| default(&block.names.others, parameters));
    let whole = block.state.fields.iter().all(|field| field.is_real) && block.state.item.generics.params.is_empty();
    let arithmetic = whole.then(|| arithmetic(block));
    let sources = sources(block);
    quote!(#vectors #default #arithmetic #sources)
}

/// Imports of the vectors of space, where a module has nothing else of these names.
fn vectors(others: &Others, dim: usize) -> TokenStream {
    let space = format_ident!("d{dim}");
    let unknown = ["Normal", "Point"].into_iter().filter(|name| !others.names.contains(*name));
    let imports = unknown.map(|name| {
        let name = format_ident!("{name}");
        quote!(#[allow(unused_imports)] use ::dg_runtime::#space::#name;)
    });
    quote!(#(#imports)*)
}

/// The sum of several sources.
fn sources(block: &Block<'_>) -> Option<TokenStream> {
    let sources: Vec<_> = block.functions.iter().filter(|function| function.role == Role::Source).collect();
    if sources.len() < 2 {
        return None;
    }
    let types = |function: &Function<'_>| -> Vec<String> {
        let types = function.item.sig.inputs.iter().map(|argument| match argument {
            FnArg::Typed(argument) => argument.ty.to_token_stream().to_string(),
            FnArg::Receiver(_) => String::new(),
        });
        types.collect()
    };
    let mut all: Vec<String> = Vec::new();
    for ty in sources.iter().flat_map(|source| types(source)) {
        if !all.contains(&ty) {
            all.push(ty);
        }
    }
    let names: Vec<_> = (0..all.len()).map(|i| format_ident!("argument_{i}")).collect();
    let calls = sources.iter().map(|source| {
        let name = &source.item.sig.ident;
        let arguments =
            types(source).into_iter().filter_map(|ty| Some(&names[all.iter().position(|known| *known == ty)?]));
        quote!(#name(#(#arguments),*))
    });
    let types = all.iter().map(|ty| ty.parse::<TokenStream>().unwrap_or_default());
    let (name, state) = (format_ident!("{SOURCES}"), &block.state.item.ident);
    Some(quote! {
        /// The sum of all sources.
        pub fn #name(#(#names: #types),*) -> #state {
            #(#calls)+*
        }
    })
}

/// Sums of states and their products with numbers, component by component, apart from operators that the user wrote.
fn arithmetic(block: &Block<'_>) -> TokenStream {
    let state = &block.state.item.ident;
    // `of` makes a number of the place of a component, which is a field or an element of one.
    let each = |of: &dyn Fn(&TokenStream) -> TokenStream| {
        let fields = block.state.fields.iter().map(|Field { ident, length, .. }| match length {
            Some(_) => {
                let element = of(&quote!(#ident[i]));
                quote!(#ident: ::core::array::from_fn(|i| #element))
            }
            None => {
                let number = of(&quote!(#ident));
                quote!(#ident: #number)
            }
        });
        quote!({ #(#fields),* })
    };
    let written = |ty: &str, name: &str| block.names.others.implements(ty, name);
    let own = state.to_string();
    let mut all = TokenStream::new();
    for (name, method, operator, of_state) in [
        ("Add", "add", quote!(+), true),
        ("Sub", "sub", quote!(-), true),
        ("Mul", "mul", quote!(*), false),
        ("Div", "div", quote!(/), false),
    ] {
        let (assign, assigns) = (format_ident!("{name}Assign"), format_ident!("{method}_assign"));
        let operand = if of_state { quote!(Self) } else { quote!(f64) };
        let combined = each(&|place| match of_state {
            true => quote!(self.#place #operator other.#place),
            false => quote!(self.#place #operator other),
        });
        if !written(&own, &assign.to_string()) {
            all.extend(quote! {
                impl ::core::ops::#assign<#operand> for #state {
                    fn #assigns(&mut self, other: #operand) {
                        *self = Self #combined;
                    }
                }
            });
        }
        if !written(&own, name) {
            let (name, method) = (format_ident!("{name}"), format_ident!("{method}"));
            all.extend(quote! {
                impl ::core::ops::#name<#operand> for #state {
                    type Output = Self;
                    fn #method(self, other: #operand) -> Self {
                        Self #combined
                    }
                }
            });
        }
    }
    if !written(&own, "Neg") {
        let negative = each(&|place| quote!(-self.#place));
        all.extend(quote! {
            impl ::core::ops::Neg for #state {
                type Output = Self;
                fn neg(self) -> Self {
                    Self #negative
                }
            }
        });
    }
    if !written(&own, "Sum") && !written(&own, "Add") {
        let zero = each(&|_| quote!(0.0));
        all.extend(quote! {
            impl ::core::iter::Sum for #state {
                fn sum<I: Iterator<Item = Self>>(states: I) -> Self {
                    states.fold(Self #zero, |sum, state| sum + state)
                }
            }
        });
    }
    if !written("f64", "Mul") && !written(&own, "Mul") {
        let product = each(&|place| quote!(self * of.#place));
        all.extend(quote! {
            impl ::core::ops::Mul<#state> for f64 {
                type Output = #state;
                fn mul(self, of: #state) -> #state {
                    #state #product
                }
            }
        });
    }
    all
}

fn default(others: &Others, parameters: &Record<'_>) -> Option<TokenStream> {
    let name = &parameters.item.ident;
    if others.implements(&name.to_string(), "Default") {
        return None;
    }
    let values: Option<Vec<_>> = parameters.fields.iter().map(default_of).collect();
    let (values, fields) = (values?, parameters.fields.iter().map(|field| field.ident));
    Some(quote! {
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#fields: #values),* }
            }
        }
    })
}

/// The default of a field, which has the field's type even if a default of another length is being reported.
fn default_of(field: &Field<'_>) -> Option<TokenStream> {
    let numbers: Option<Vec<_>> = field.default.as_ref()?.numbers().iter().map(|digits| number(digits)).collect();
    let numbers = numbers?;
    let first = numbers.first().cloned().unwrap_or_else(|| quote!(0.0));
    Some(match (field.length, &field.default) {
        (Some(_), Some(Default::Array(_))) => quote!({
            let values = [#(#numbers),*];
            ::core::array::from_fn(|i| values[i])
        }),
        (Some(_), _) => quote!(::core::array::from_fn(|_| #first)),
        (None, _) => first,
    })
}

/// A decimal literal, possibly with a leading minus, as an `f64`.
fn number(digits: &str) -> Option<TokenStream> {
    digits.parse::<f64>().ok().map(|value| quote!(#value))
}

/// The end of a range.
fn bound(end: &Bound<String>) -> TokenStream {
    match end.as_ref().map(|digits| number(digits)) {
        Bound::Included(value) => quote!(::core::ops::Bound::Included(#value)),
        Bound::Excluded(value) => quote!(::core::ops::Bound::Excluded(#value)),
        Bound::Unbounded => quote!(::core::ops::Bound::Unbounded),
    }
}

/// `LAW` of a block that is no law, so that uses of `LAW` cause no second message.
///
/// If what was left to rustc at a place is valid Rust after all, this is reported: a generic constant is evaluated last.
pub fn placeholder(name: &Ident, left_to_rustc: Option<Span>) -> TokenStream {
    let name = name.to_string();
    let unread = left_to_rustc.map(|span| {
        let why = "this is Rust, but the language of laws does not have it: write a function of the law, or in a module of `#[helpers]`";
        let stop = quote_spanned!(span=> panic!(#why));
        quote! {
            {
                fn unread<const N: usize>(_: &::dg_runtime::law::Arguments<'_>, _: &mut [f64]) {
                    const { #stop }
                }
                ::dg_runtime::law::Function {
                    name: "", doc: "", role: ::dg_runtime::law::Role::Output, results: 0,
                    host: ::core::option::Option::Some(unread::<0>),
                }
            }
        }
    });
    let functions = unread.into_iter();
    quote! {
        /// The law could not be compiled.
        pub static LAW: ::dg_runtime::law::Law = ::dg_runtime::law::Law {
            name: #name, doc: "", dim: 0,             parameters: &[], state: &[], medium: &[], functions: &[#(#functions),*],
            algebra: ::dg_runtime::law::Algebra {
                jacobian: &[], eigenvalues: &[], wave_speed: "", admissible: &[], linear: false, nonlinear: ::core::option::Option::None, source_linear: false,
                source_jacobian: &[], steady: &[], changing_media: &[], mirrors: &[], inversions: &[],
                characteristic: ::dg_runtime::law::CharacteristicVariables::None { why: "" }, far_field: ::core::result::Result::Err(""),
                rotation: ::core::result::Result::Err(""),
            },
            proofs: &[], samples: &[], physics: "", pointwise: "", once: 0, units: &[],
        };
    }
}

/// The module of a block that is no Rust: rustc has reported the mistake when it read the block, so that nothing is left but `LAW`.
pub fn unread(block: TokenStream, error: &syn::Error) -> TokenStream {
    let read = |input: ParseStream<'_>| {
        Attribute::parse_outer(input)?;
        let (visibility, module) = (input.parse::<Visibility>()?, input.parse::<Token![mod]>()?);
        let name: Ident = input.parse()?;
        input.parse::<Group>()?;
        let law = placeholder(&name, Some(error.span()));
        Ok(quote!(#visibility #module #name { #law }))
    };
    // What is no module at all is right Rust, as far as rustc is concerned.
    read.parse2(block).unwrap_or_else(|_| error.to_compile_error())
}

/// `LAW` of a compiled law.
pub fn law(law: &ir::Law, compiled: &Compiled) -> TokenStream {
    let ir::Law { name, doc, dim, .. } = law;
    let [parameters, medium] = [&law.parameters, &law.medium].map(|record| {
        let parameter = |ir::Field { name, doc, default, range, .. }: &ir::Field| {
            let default = match default.as_deref().and_then(number) {
                Some(value) => quote!(::core::option::Option::Some(#value)),
                None => quote!(::core::option::Option::None),
            };
            let [from, to] = [&range.0, &range.1].map(bound);
            quote!(::dg_runtime::law::Parameter { name: #name, doc: #doc, default: #default, range: (#from, #to) })
        };
        record.fields.iter().map(parameter).collect::<Vec<_>>()
    });
    let state = law
        .state
        .fields
        .iter()
        .map(|ir::Field { name, doc, .. }| quote!(::dg_runtime::law::Variable { name: #name, doc: #doc }));
    let functions = roles(law).map(|function| self::function(law, function));
    let derived = derived(law, compiled).map(|(role, results, name, doc)| derived_function(role, results, name, doc));
    let functions = functions.chain(derived);
    let values = values(law);
    let Compiled { algebra, proofs, samples, physics, pointwise, once, units, .. } = compiled;
    // Computed values may lie near a constant of std.
    quote! {
        /// This law, compiled.
        #[allow(clippy::approx_constant)]
        pub static LAW: ::dg_runtime::law::Law = {
            #values
            ::dg_runtime::law::Law {
                name: #name, doc: #doc, dim: #dim,
                parameters: &[#(#parameters),*],
                state: &[#(#state),*],
                medium: &[#(#medium),*],
                functions: &[#(#functions),*],
                algebra: #algebra,
                proofs: &[#(#proofs),*],
                samples: &[#(#samples),*],
                physics: #physics,
                pointwise: #pointwise,
                once: #once,
                units: &[#(#units),*],
            }
        };
    }
}

/// The functions with a role, in source order.
fn roles(law: &ir::Law) -> impl Iterator<Item = &ir::Function> {
    let mut functions: Vec<_> = law.functions.iter().filter(|function| function.role != ir::Role::Helper).collect();
    functions.sort_by_key(|function| function.span);
    functions.into_iter()
}

/// Functions that build the law's values from slices.
fn values(law: &ir::Law) -> TokenStream {
    let make = |name: &str, ty: TokenStream, members: &[Member<'_>]| {
        let name = format_ident!("{name}");
        let fields = members.iter().map(|member| {
            let (name, mut numbers) =
                (format_ident!("{}", member.name), member.fields.clone().map(|i| quote!(from[#i])));
            match member.is_array {
                true => quote!(#name: [#(#numbers),*]),
                false => {
                    let number = numbers.next();
                    quote!(#name: #number)
                }
            }
        });
        quote! {
            #[allow(dead_code)]
            fn #name(from: &[f64]) -> #ty {
                #ty { #(#fields),* }
            }
        }
    };
    let own = |record: &ir::Record| {
        let name = format_ident!("{}", record.name);
        quote!(self::#name)
    };
    let space = format_ident!("d{}", law.dim);
    let axes = ir::AXES[..law.dim].iter().enumerate();
    let axes: Vec<_> = axes.map(|(i, name)| Member { name, fields: i..i + 1, is_array: false }).collect();
    let mut made = make("make_state", own(&law.state), &law.state.members());
    made.extend(make("make_normal", quote!(::dg_runtime::#space::Normal), &axes));
    made.extend(make("make_point", quote!(::dg_runtime::#space::Point), &axes));
    if !law.medium.name.is_empty() {
        made.extend(make("make_medium", own(&law.medium), &law.medium.members()));
    }
    if !law.parameters.name.is_empty() {
        made.extend(make("make_parameters", own(&law.parameters), &law.parameters.members()));
    }
    made
}

/// The functions that the compiler derives for laws, as role, number of results, name and description.
fn derived(
    law: &ir::Law,
    compiled: &Compiled,
) -> impl Iterator<Item = (&'static str, usize, &'static str, &'static str)> {
    let m = law.state.fields.len();
    let fluxes = compiled.fluxes.iter().map(move |(name, doc)| ("NumericalFlux", m, *name, *doc));
    let (has_far_field, has_source_jacobian) = (compiled.has_far_field, compiled.has_source_jacobian);
    let boundaries = DERIVED_BOUNDARIES.iter().filter(move |_| has_far_field);
    let boundaries = boundaries.map(move |(name, doc)| ("DerivedBoundary", m, *name, *doc));
    let (name, doc) = SOURCE_JACOBIAN;
    fluxes.chain(boundaries).chain(has_source_jacobian.then_some(("SourceJacobian", m * m, name, doc)))
}

fn derived_function(role: &str, results: usize, name: &str, doc: &str) -> TokenStream {
    let role = format_ident!("{role}");
    quote! {
        ::dg_runtime::law::Function {
            name: #name,
            doc: #doc,
            role: ::dg_runtime::law::Role::#role,
            results: #results,
            host: ::core::option::Option::None,
        }
    }
}

fn function(law: &ir::Law, function: &ir::Function) -> TokenStream {
    let ir::Function { name, doc, result, .. } = function;
    let call = format_ident!("{name}");
    let mut states = [quote!(arguments.state), quote!(arguments.right)].into_iter();
    let (mut media, components) = (states.clone(), law.state.fields.len());
    let mut variables = (0..function.variables().len()).map(|i| quote!(arguments.state[#i]));
    let arguments = function.signature().map(|ty| match ty {
        Type::State => {
            let state = states.next().unwrap_or_default();
            quote!(make_state(#state))
        }
        Type::Medium => {
            let beside = media.next().unwrap_or_default();
            quote!(make_medium(&#beside[#components..]))
        }
        Type::Parameters => quote!(make_parameters(arguments.parameters)),
        Type::Normal => quote!(make_normal(arguments.normal)),
        Type::Point => quote!(make_point(arguments.position)),
        Type::Array(element, length) if **element == Type::State => {
            let slopes = (0..*length).map(|axis| quote!(make_state(arguments.slope(#axis, #components))));
            quote!([#(#slopes),*])
        }
        Type::Array(_, length) => {
            let elements = variables.by_ref().take(*length);
            quote!([#(#elements),*])
        }
        _ => variables.next().unwrap_or_else(|| quote!(arguments.time)),
    });
    let arguments: Vec<_> = arguments.collect();
    let mut components = Vec::new();
    flatten(law, result, &quote!(value), &mut components);
    let (i, results) = (0..components.len(), components.len());
    let role = role(law, function);
    let host = match &function.role {
        ir::Role::ManufacturedSource { .. } => quote!(::core::option::Option::None),
        _ => quote! {
            ::core::option::Option::Some(|arguments, into| {
                let _ = arguments;
                let value = self::#call(#(#arguments),*);
                #(into[#i] = #components;)*
            })
        },
    };
    quote! {
        ::dg_runtime::law::Function {
            name: #name,
            doc: #doc,
            role: #role,
            results: #results,
            host: #host,
        }
    }
}

/// The role of a function, as the runtime's type.
fn role(law: &ir::Law, function: &ir::Function) -> TokenStream {
    let role = match &function.role {
        ir::Role::Output if function.takes_gradient() => quote!(GradientOutput),
        ir::Role::Helper | ir::Role::Output => quote!(Output),
        ir::Role::Flux => quote!(Flux),
        ir::Role::Eigenvalues => quote!(Eigenvalues),
        ir::Role::Admissible => quote!(Admissible),
        ir::Role::WaveSpeed => quote!(WaveSpeed),
        ir::Role::MinimumPrinciple => quote!(MinimumPrinciple),
        ir::Role::Boundary { impermeable } => {
            let components = impermeable.iter().map(|(component, _)| component);
            quote!(Boundary { impermeable: &[#(#components),*] })
        }
        ir::Role::BoundaryFlux { of: (boundary, _) } => quote!(BoundaryFlux { of: #boundary }),
        ir::Role::NumericalFlux(_) => quote!(NumericalFlux),
        ir::Role::Nonconservative => quote!(Nonconservative),
        ir::Role::Jump => quote!(Jump),
        ir::Role::ViscousFlux => quote!(ViscousFlux),
        ir::Role::Source => quote!(Source),
        ir::Role::Medium => quote!(Medium),
        ir::Role::Initial => quote!(Initial),
        ir::Role::Exact { .. } => quote!(Exact),
        ir::Role::ManufacturedSource { of } => {
            let solution = &law.function(*of).name;
            quote!(ManufacturedSource { of: #solution })
        }
        ir::Role::Variables => {
            let names = function.variables();
            quote!(Variables { names: &[#(#names),*] })
        }
    };
    quote!(::dg_runtime::law::Role::#role)
}

/// The real components of a value, in order.
fn flatten(law: &ir::Law, ty: &Type, value: &TokenStream, into: &mut Vec<TokenStream>) {
    match ty {
        Type::State | Type::Medium => {
            let record = if *ty == Type::State { &law.state } else { &law.medium };
            for member in record.members() {
                let name = format_ident!("{}", member.name);
                match member.is_array {
                    true => into.extend((0..member.fields.len()).map(|i| quote!(#value.#name[#i]))),
                    false => into.push(quote!(#value.#name)),
                }
            }
        }
        Type::Array(element, length) => {
            for i in 0..*length {
                flatten(law, element, &quote!(#value[#i]), into);
            }
        }
        _ => into.push(value.clone()),
    }
}
