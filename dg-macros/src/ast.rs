//! What stands in the block: syn's own nodes, with what each of them is to the law.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, RangeInclusive};

use syn::{Attribute, Ident, ItemConst, ItemFn, ItemMod, ItemStruct};

/// The arguments of the attribute.
pub struct Options {
    /// Number of space dimensions.
    pub dim: usize,
    /// Polynomial degrees.
    pub orders: RangeInclusive<usize>,
}

/// The user's module.
pub struct Block<'a> {
    /// All of it.
    pub module: &'a ItemMod,
    /// The `#[parameters]` struct.
    pub parameters: Option<Record<'a>>,
    /// The `#[state]` struct.
    pub state: Record<'a>,
    /// All functions, in source order.
    pub functions: Vec<Function<'a>>,
    /// Constants of type `f64`.
    pub constants: Vec<&'a ItemConst>,
    /// What the module holds besides the law.
    pub others: Others,
}

/// A struct of `f64`s.
pub struct Record<'a> {
    /// The struct.
    pub item: &'a ItemStruct,
    /// Its fields.
    pub fields: Vec<Field<'a>>,
}

/// A field of a [`Record`].
pub struct Field<'a> {
    /// Its name.
    pub ident: &'a Ident,
    /// Its attributes.
    pub attrs: &'a [Attribute],
    /// The literal of its `#[default(…)]`, possibly with a leading minus.
    pub default: Option<String>,
    /// The ends of its `#[range(…)]`, likewise.
    pub range: (Bound<String>, Bound<String>),
}

/// A function of the block.
pub struct Function<'a> {
    /// The function.
    pub item: &'a ItemFn,
    /// What it is to the law.
    pub role: Role,
}

/// What a function is to the law.
#[derive(Clone, PartialEq, Eq)]
pub enum Role {
    /// Called by others only.
    Helper,
    /// `fn flux`.
    Flux,
    /// `fn eigenvalues`.
    Eigenvalues,
    /// `#[admissible]`.
    Admissible,
    /// `#[minimum_principle]`.
    MinimumPrinciple,
    /// `#[boundary]`, with the components that it lets none of pass.
    Boundary(Vec<Ident>),
    /// `#[numerical_flux]`.
    NumericalFlux,
    /// `#[source]`.
    Source,
    /// `#[initial]`.
    Initial,
    /// `#[exact]`, and whether it is `#[exact(manufactured)]`.
    Exact {
        /// Whether its source is to be derived.
        manufactured: bool,
    },
    /// `#[variables]`.
    Variables,
    /// `#[output]`.
    Output,
}

impl Role {
    /// What the user calls it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Helper => "helper",
            Self::Flux => "`flux`",
            Self::Eigenvalues => "`eigenvalues`",
            Self::Admissible => "`#[admissible]`",
            Self::MinimumPrinciple => "`#[minimum_principle]`",
            Self::Boundary(_) => "`#[boundary]`",
            Self::NumericalFlux => "`#[numerical_flux]`",
            Self::Source => "`#[source]`",
            Self::Initial => "`#[initial]`",
            Self::Exact { .. } => "`#[exact]`",
            Self::Variables => "`#[variables]`",
            Self::Output => "`#[output]`",
        }
    }
}

/// Names that Rust knows in the module and the law does not: whether a mistake is one for rustc depends on them.
#[derive(Default)]
pub struct Others {
    /// Names brought in by `use`, and those of items that are no part of the law.
    pub names: BTreeSet<String>,
    /// The paths that names brought in by `use` stand for.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The path of every `use …::*`.
    pub globs: Vec<Vec<String>>,
    /// `(type, trait)` of every `impl trait for type`, and every derived trait.
    pub traits: BTreeSet<(String, String)>,
    /// Methods of the `impl` blocks.
    pub methods: BTreeSet<String>,
}

impl Others {
    /// What a path of the block stands for: its first name is one that `use` brings in, a lone name one of
    /// `use std::f64::consts::*` if nothing nearer has that name.
    pub fn resolve(&self, path: &[String]) -> Vec<String> {
        let Some((first, rest)) = path.split_first() else { return Vec::new() };
        let of_constants = |glob: &&Vec<String>| glob.ends_with(&["f64".to_string(), "consts".to_string()]);
        let before = match (self.imports.get(first), self.globs.iter().find(of_constants)) {
            (Some(import), _) => import.clone(),
            (None, Some(glob)) if rest.is_empty() && !self.names.contains(first) => {
                glob.iter().chain([first]).cloned().collect()
            }
            _ => vec![first.clone()],
        };
        before.into_iter().chain(rest.iter().cloned()).collect()
    }
}
