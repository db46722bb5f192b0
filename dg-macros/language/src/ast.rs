//! The contents of the block: syn's own nodes, with the role of each in the law.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, RangeInclusive};

use syn::{Attribute, Expr, Ident, ItemConst, ItemFn, ItemMod, ItemStruct};
use templates::ir::{Claims, Warning};

/// The arguments of the attribute.
pub struct Options {
    /// Number of space dimensions.
    pub dim: usize,
    /// Polynomial degrees.
    pub orders: RangeInclusive<usize>,
    /// The paths of modules of helpers.
    pub helpers: Vec<syn::Path>,
}

/// The user's module.
pub struct Block<'a> {
    /// All of it.
    pub module: &'a ItemMod,
    /// The `#[parameters]` struct, its own or that of a module of helpers.
    pub parameters: Option<Record<'a>>,
    /// The module of that struct.
    pub home_of_parameters: Home,
    /// The `#[state]` struct.
    pub state: Record<'a>,
    /// The `#[medium]` struct.
    pub medium: Option<Record<'a>>,
    /// The `#[symmetry(…)]` of the state.
    pub symmetry: Option<Symmetry<'a>>,
    /// All functions, in source order, and those of modules of helpers after them.
    pub functions: Vec<Function<'a>>,
    /// The other names of the module.
    pub names: Names<'a>,
    /// Those of the modules of helpers that it names.
    pub helpers: Vec<Names<'a>>,
    /// The warnings that its `#[accept(…)]` names.
    pub accepted: Vec<(Warning, Ident)>,
}

impl<'a> Block<'a> {
    /// The names of a function's module.
    pub fn names_at(&self, home: Home) -> &Names<'a> {
        match home {
            Home::Law => &self.names,
            Home::Helpers(i) => &self.helpers[i],
        }
    }
}

/// The module of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Home {
    /// The law's.
    Law,
    /// A module of helpers, by its index.
    Helpers(usize),
}

/// What a module has besides structs and functions.
#[derive(Default)]
pub struct Names<'a> {
    /// The name of the module.
    pub module: String,
    /// Constants of numbers, truth values, and arrays and tuples of them.
    pub constants: Vec<&'a ItemConst>,
    /// Constants of integers.
    pub integers: Vec<&'a ItemConst>,
    /// The module's other items.
    pub others: Others,
}

/// Symmetries, each by the components of its vectors.
pub struct Symmetry<'a> {
    /// The attribute.
    pub attr: &'a Attribute,
    /// `rotation = …`
    pub rotation: Option<Vec<Vector>>,
    /// `reflection = …`
    pub reflection: Option<Vec<Vector>>,
    /// `galilean = …`
    pub galilean: Option<Vec<Vector>>,
}

/// A vector of the state.
pub enum Vector {
    /// Its components.
    Components([Ident; 2]),
    /// The field that is an array of them.
    Array(Ident),
}

/// A struct of `f64`s, and of arrays of them.
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
    /// Whether it is an `f64` or an array of them, as it should be.
    pub is_real: bool,
    /// The length of an array.
    pub length: Option<&'a Expr>,
    /// Its attributes.
    pub attrs: &'a [Attribute],
    /// Its `#[default(…)]`.
    pub default: Option<Default>,
    /// The ends of its `#[range(…)]`, as literals.
    pub range: (Bound<String>, Bound<String>),
}

/// The value of a `#[default(…)]`, of literals with or without a leading minus.
pub enum Default {
    /// `1.4`
    Number(String),
    /// `[0.0, 1.0]`
    Array(Vec<String>),
    /// `[0.0; 2]`
    Repeat(String, Box<Expr>),
}

impl Default {
    /// The numbers that it names.
    pub fn numbers(&self) -> &[String] {
        match self {
            Self::Number(number) | Self::Repeat(number, _) => std::slice::from_ref(number),
            Self::Array(numbers) => numbers,
        }
    }
}

/// A function of the block.
pub struct Function<'a> {
    /// The function.
    pub item: &'a ItemFn,
    /// Its module.
    pub home: Home,
    /// Its role in the law.
    pub role: Role,
    /// The warnings that its `#[accept(…)]` names.
    pub accepted: Vec<(Warning, Ident)>,
}

/// The role of a function in the law.
#[derive(Clone, PartialEq, Eq)]
pub enum Role {
    /// Called by other functions only.
    Helper,
    /// `fn flux`.
    Flux,
    /// `fn eigenvalues`.
    Eigenvalues,
    /// `#[admissible]`.
    Admissible,
    /// `#[wave_speed]`.
    WaveSpeed,
    /// `#[minimum_principle]`.
    MinimumPrinciple,
    /// `#[boundary]`, with the components that have no flux through it.
    Boundary(Vec<Ident>),
    /// `#[boundary_flux]`, with the name of its boundary.
    BoundaryFlux(Ident),
    /// `#[numerical_flux]`, with what it claims.
    NumericalFlux(Claims),
    /// `#[nonconservative]`.
    Nonconservative,
    /// `#[jump]`.
    Jump,
    /// `#[viscous_flux]`.
    ViscousFlux,
    /// `#[source]`.
    Source,
    /// `#[medium]` of a function.
    Medium,
    /// `#[initial]`.
    Initial,
    /// `#[exact]`, and whether it is `#[exact(manufactured)]`.
    Exact {
        /// Whether the compiler derives its source.
        manufactured: bool,
    },
    /// `#[variables]`.
    Variables,
    /// `#[output]`.
    Output,
}

impl Role {
    /// Its name in the user's words.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Helper => "helper",
            Self::Flux => "`flux`",
            Self::Eigenvalues => "`eigenvalues`",
            Self::Admissible => "`#[admissible]`",
            Self::WaveSpeed => "`#[wave_speed]`",
            Self::MinimumPrinciple => "`#[minimum_principle]`",
            Self::Boundary(_) => "`#[boundary]`",
            Self::BoundaryFlux(_) => "`#[boundary_flux]`",
            Self::NumericalFlux(_) => "`#[numerical_flux]`",
            Self::Nonconservative => "`#[nonconservative]`",
            Self::Jump => "`#[jump]`",
            Self::ViscousFlux => "`#[viscous_flux]`",
            Self::Source => "`#[source]`",
            Self::Medium => "`#[medium]`",
            Self::Initial => "`#[initial]`",
            Self::Exact { .. } => "`#[exact]`",
            Self::Variables => "`#[variables]`",
            Self::Output => "`#[output]`",
        }
    }
}

/// Names of the module that are no part of the law: they decide whether a mistake is left to rustc.
#[derive(Default)]
pub struct Others {
    /// Names from `use` declarations, and those of items that are no part of the law.
    pub names: BTreeSet<String>,
    /// The paths of names from `use` declarations.
    pub imports: BTreeMap<String, Vec<String>>,
    /// The path of every `use …::*`.
    pub globs: Vec<Vec<String>>,
    /// `(type, trait)` of every `impl trait for type`, and every derived trait.
    pub traits: BTreeSet<(String, String)>,
    /// Methods of the `impl` blocks.
    pub methods: BTreeSet<String>,
}

impl Others {
    /// Whether the user implements or derives a trait for a type; both are known by their last names.
    pub fn implements(&self, ty: &str, derived: &str) -> bool {
        self.traits.contains(&(ty.to_string(), derived.to_string()))
    }

    /// The full path of a path in the block: its first name may come from a `use`, and a single name from
    /// `use std::f64::consts::*` if no nearer item has that name.
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
