//! The representation of a law: typed expression graphs, free of Rust's syntax.
//!
//! A [`Law`] is a list of [`Function`]s over a few fixed types ([`Type`]). Each function owns an arena of
//! [`Expr`] nodes; an [`ExprId`] is an index into the arena of the function that holds it. Every node has a
//! type and a [`Span`].
//!
//! # Invariants
//!
//! The front end establishes them; all later parts rely on them:
//!
//! * A node refers only to nodes before it in its arena, so an arena is in evaluation order.
//! * `Call` refers to an earlier or later function, but calls are acyclic; [`Law::functions`] is in an order
//!   in which every function comes after those it calls.
//! * The operands of a node have the types that its [`ExprKind`] documents; `ty` is the type of its value.
//! * `..base` and field shorthand are resolved: a `State` literal lists every component.
//! * Locals are unique: a shadowed name gives two [`Local`]s with the same name.
//! * Exactly one function has [`Role::Flux`], at most one [`Role::Eigenvalues`], [`Role::WaveSpeed`], [`Role::Admissible`], [`Role::MinimumPrinciple`],
//!   [`Role::Nonconservative`], [`Role::Jump`], [`Role::ViscousFlux`] and [`Role::Source`].

mod eval;
mod warning;

pub use eval::{Domain, Value, call, flatten, unflatten};
pub use warning::{Accepted, Warning};

use std::ops::{Bound, Range, RangeInclusive};

/// A place in the user's source, as an index that only the front end can resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(pub u32);

/// A conservation law `∂u/∂t + Σ_d ∂(F_d(u) - G_d(u, ∇u))/∂x_d + Σ_d B_d(u) ∂u/∂x_d = S(u, x, t)`.
#[derive(Clone, Debug)]
pub struct Law {
    /// The name of the user's module.
    pub name: String,
    /// The doc comment of the module, without comment markers.
    pub doc: String,
    /// The module's name in the source.
    pub span: Span,
    /// Number of space dimensions.
    pub dim: usize,
    /// Polynomial degrees to generate code for.
    pub orders: RangeInclusive<usize>,
    /// The `#[parameters]` struct; empty (no fields) when the law has none.
    pub parameters: Record,
    /// The `#[state]` struct.
    pub state: Record,
    /// The `#[medium]` struct, data that vary in space and time and do not evolve; empty when the law has none.
    pub medium: Record,
    /// The `#[symmetry(rotation = …)]` that the law declares: the flux is the same in all directions.
    pub rotation: Option<Vectors>,
    /// Its `#[symmetry(reflection = …)]`: the flux is the same in mirrors along both axes.
    pub reflection: Option<Vectors>,
    /// Its `#[symmetry(galilean = …)]`, the momentum: the flux is the same for moving observers.
    pub galilean: Option<Vectors>,
    /// All functions of the block, each after those it calls.
    pub functions: Vec<Function>,
    /// The warnings that the module accepts, in all of the law.
    pub accepted: Vec<Accepted>,
}

/// Components of the state that are vectors, by which a symmetry is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vectors {
    /// The components along x and y of each vector.
    pub pairs: Vec<(usize, usize)>,
    /// The declaration.
    pub span: Span,
}

/// A struct of real numbers: the state, the parameters or the medium.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The user's name of the struct.
    pub name: String,
    /// That name in the source.
    pub span: Span,
    /// Its doc comment.
    pub doc: String,
    /// Its fields, in declaration order.
    pub fields: Vec<Field>,
}

/// A field of a struct in the source: a number, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'a> {
    /// The user's name.
    pub name: &'a str,
    /// The numbers among [`Record::fields`].
    pub fields: Range<usize>,
    /// Whether it is an array.
    pub is_array: bool,
}

impl Record {
    /// The fields of the struct in the source.
    pub fn members(&self) -> Vec<Member<'_>> {
        let mut members: Vec<Member<'_>> = Vec::new();
        for (i, field) in self.fields.iter().enumerate() {
            match (&field.element_of, members.last_mut()) {
                (Some((array, 1..)), Some(member)) if member.name == array => member.fields.end = i + 1,
                (Some((array, _)), _) => members.push(Member { name: array, fields: i..i + 1, is_array: true }),
                (None, _) => members.push(Member { name: &field.name, fields: i..i + 1, is_array: false }),
            }
        }
        members
    }
}

/// One component of the state, one parameter, or one field of the medium.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in cases, files and generated code: the user's, or that of an array with a number from 1 on.
    pub name: String,
    /// The field of the struct that has it, if that is an array, and its index there.
    pub element_of: Option<(String, usize)>,
    /// That name in the source.
    pub span: Span,
    /// Its doc comment.
    pub doc: String,
    /// A parameter's `#[default(…)]`, as the text of a Rust `f64` literal, possibly with a leading minus.
    pub default: Option<String>,
    /// The `#[range(…)]` of a parameter or a field of the medium, its ends as such texts: it is not empty and contains the default.
    pub range: (Bound<String>, Bound<String>),
}

/// The role of a function in the law.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Called by other functions only.
    Helper,
    /// `fn flux(u: State, …) -> [State; dim]`.
    Flux,
    /// `fn eigenvalues(u: State, n: Normal, …) -> [f64; m]`, `m` the number of components.
    Eigenvalues,
    /// `#[wave_speed] fn (u: State, n: Normal, …) -> f64`, a bound on the speeds of all waves, or `[f64; 2]`, bounds on the slowest
    /// and the fastest.
    WaveSpeed,
    /// `#[admissible] fn (u: State, …) -> [f64; k]`, all positive at admissible states.
    Admissible,
    /// `#[minimum_principle] fn (u: State, …) -> [f64; k]`, quantities with a local minimum principle.
    MinimumPrinciple,
    /// `#[boundary] fn (u: State, n: Normal, x: Point, t: f64, …) -> State`, the ghost state.
    Boundary {
        /// Components of the state whose flux must vanish, with the place where each was named.
        impermeable: Vec<(usize, Span)>,
    },
    /// `#[boundary_flux(wall)] fn (u: State, n: Normal, x: Point, t: f64, …) -> State`, the part of the viscous flux along the outward normal that
    /// a boundary imposes.
    BoundaryFlux {
        /// The name of the boundary, with the place where it was named.
        of: (String, Span),
    },
    /// `#[numerical_flux] fn (l: State, r: State, n: Normal, …) -> State`.
    NumericalFlux(Claims),
    /// `#[nonconservative] fn (u: State, change: State, n: Normal, …) -> State`, `Σ_d n_d B_d(u)` times a change of the state, and of the
    /// medium if it takes a second one.
    Nonconservative,
    /// `#[jump] fn (l: State, r: State, n: Normal, …) -> State`, the non-conservative product at a jump, where the straight way is not meant.
    Jump,
    /// `#[viscous_flux] fn (u: State, gradient: [State; dim], …) -> [State; dim]`, the flux that is linear in the gradient of the state and is
    /// subtracted from the flux of waves.
    ViscousFlux,
    /// `#[source] fn (u: State, x: Point, t: f64, …) -> State`.
    Source,
    /// `#[medium] fn (x: Point, t: f64, …) -> Medium`, data of the medium.
    Medium,
    /// `#[initial] fn (x: Point, …) -> State`.
    Initial,
    /// `#[exact] fn (x: Point, t: f64, …) -> State`.
    Exact {
        /// Whether it is `#[exact(manufactured)]`: it solves the law only with a further source, which the compiler
        /// derives.
        manufactured: bool,
    },
    /// The derived source with which a manufactured solution solves the law: a function of position and time.
    ManufacturedSource {
        /// The solution.
        of: FunctionId,
    },
    /// `#[variables] fn (a: f64, b: f64, …) -> State`, the state as a function of as many other variables, which have
    /// the names of the arguments.
    Variables,
    /// `#[output] fn (u: State, gradient: [State; dim], …) -> f64`, of the state, its gradient or both.
    Output,
}

/// What a numerical flux claims of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claims {
    /// `exact = contact`, `exact = shock`, `exact = rarefaction` or several, `exact = [contact, shock]`: between two states that one such
    /// wave joins it is the flux of the exact solution.
    pub exact: Vec<Isolated>,
    /// `splitting`: it is a flux-vector splitting, or merges waves of the law, so that it does not damp each wave by itself.
    pub splitting: bool,
}

/// A wave that joins two states by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isolated {
    /// A discontinuity with equal speeds on both sides.
    Contact,
    /// A discontinuity that is slower than the wave behind it and faster than the wave ahead of it.
    Shock,
    /// A continuous wave that spreads.
    Rarefaction,
}

/// The type of an expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// A real number; `f64` in Rust, `real` in the generated code.
    Real,
    /// A truth value.
    Bool,
    /// The law's `#[state]` struct.
    State,
    /// The law's `#[parameters]` struct.
    Parameters,
    /// The law's `#[medium]` struct.
    Medium,
    /// A unit vector, with components `x`, `y`, ….
    Normal,
    /// A position, with components `x`, `y`, ….
    Point,
    /// A fixed-size array.
    Array(Box<Type>, usize),
    /// A tuple of at least two.
    Tuple(Vec<Type>),
}

/// A function of the block.
#[derive(Clone, Debug)]
pub struct Function {
    /// The user's name.
    pub name: String,
    /// That name in the source.
    pub span: Span,
    /// Its doc comment.
    pub doc: String,
    /// Its role in the law.
    pub role: Role,
    /// The first locals are the parameters, in the order of the signature.
    pub parameters: usize,
    /// Parameters and `let` bindings.
    pub locals: Vec<Local>,
    /// The arena of expressions.
    pub exprs: Vec<Expr>,
    /// The body.
    pub body: Block,
    /// The type of the value that it returns.
    pub result: Type,
    /// The warnings about places in it that are accepted.
    pub accepted: Vec<Accepted>,
    /// Whether other laws share it: then it accepts no warnings.
    pub shared: bool,
}

/// The name of a variable that stands in no law: the number that multiplies or divides a state.
pub const FACTOR: &str = "factor";

/// A parameter of a function or a variable bound by `let`.
#[derive(Clone, Debug)]
pub struct Local {
    /// The user's name, or [`FACTOR`].
    pub name: String,
    /// Where it is bound.
    pub span: Span,
    /// Its type.
    pub ty: Type,
}

/// Index of a [`Local`] in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub usize);

/// Index of an [`Expr`] in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(pub usize);

/// Index of a [`Function`] in its law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub usize);

/// `let` bindings and a value.
#[derive(Clone, Debug)]
pub struct Block {
    /// The bindings, in order.
    pub lets: Vec<Let>,
    /// The value.
    pub value: ExprId,
}

/// `let pattern = value;`
#[derive(Clone, Debug)]
pub struct Let {
    /// One local, or one for each element of a tuple or array (`None` for `_`).
    pub pattern: Pattern,
    /// The bound value.
    pub value: ExprId,
}

/// The left side of a `let`.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A name.
    Local(LocalId),
    /// `(a, b)` or `[a, b]`; `None` stands for `_`.
    Elements(Vec<Option<LocalId>>),
}

/// A node of an expression graph.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The operation.
    pub kind: ExprKind,
    /// The type of its value.
    pub ty: Type,
    /// The expression in the source.
    pub span: Span,
}

/// The operation of an expression.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, as a decimal literal without suffix or underscores (`0.5`, `1e-3`, `2.0`): exact.
    Literal(String),
    /// `true` or `false`.
    Bool(bool),
    /// A parameter or a `let`-bound variable.
    Local(LocalId),
    /// Component of a state, parameter struct, medium, normal or point, by its index.
    Field(ExprId, usize),
    /// Element of an array or tuple, by a constant index.
    Index(ExprId, usize),
    /// `-a` of a real, `!a` of a bool.
    Unary(UnaryOp, ExprId),
    /// Arithmetic and comparison of reals, logic of bools.
    Binary(BinaryOp, ExprId, ExprId),
    /// A method of `f64` with a counterpart on the device.
    Math(MathFn, Vec<ExprId>),
    /// A call of another function of the block.
    Call(FunctionId, Vec<ExprId>),
    /// `if cond { a } else { b }`; the two blocks have the same type.
    If(ExprId, Box<Block>, Box<Block>),
    /// A nested block `{ let …; value }`.
    Block(Box<Block>),
    /// A `State` literal, or one of a medium or a `Normal`: all components in declaration order.
    State(Vec<ExprId>),
    /// An array literal.
    Array(Vec<ExprId>),
    /// A tuple.
    Tuple(Vec<ExprId>),
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnaryOp {
    /// `-a`.
    Neg,
    /// `!a`.
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BinaryOp {
    /// `a + b`.
    Add,
    /// `a - b`.
    Sub,
    /// `a * b`.
    Mul,
    /// `a / b`.
    Div,
    /// `a < b`.
    Lt,
    /// `a <= b`.
    Le,
    /// `a > b`.
    Gt,
    /// `a >= b`.
    Ge,
    /// `a && b`.
    And,
    /// `a || b`.
    Or,
}

/// Methods of `f64` that have a counterpart on every device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MathFn {
    /// `a.sqrt()`.
    Sqrt,
    /// `a.cbrt()`.
    Cbrt,
    /// `a.abs()`.
    Abs,
    /// `a.min(b)`.
    Min,
    /// `a.max(b)`.
    Max,
    /// `a.powi(n)` with a literal `n`.
    Powi(i32),
    /// `a.powf(b)`.
    Powf,
    /// `a.exp()`.
    Exp,
    /// `a.ln()`.
    Ln,
    /// `a.sin()`.
    Sin,
    /// `a.cos()`.
    Cos,
    /// `a.tan()`.
    Tan,
    /// `a.tanh()`.
    Tanh,
    /// `a.atan2(b)`.
    Atan2,
}

impl MathFn {
    /// Number of operands, the receiver included.
    pub fn arity(self) -> usize {
        match self {
            Self::Min | Self::Max | Self::Powf | Self::Atan2 => 2,
            _ => 1,
        }
    }
}

impl Law {
    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0]
    }

    /// Ids of all functions whose role satisfies `wanted`, in order.
    pub fn with_role(&self, wanted: impl Fn(&Role) -> bool) -> impl Iterator<Item = FunctionId> {
        self.functions
            .iter()
            .enumerate()
            .filter(move |(_, function)| wanted(&function.role))
            .map(|(i, _)| FunctionId(i))
    }

    /// The only function with this role, if the law has one.
    pub fn only(&self, role: &Role) -> Option<FunctionId> {
        self.with_role(|r| r == role).next()
    }

    /// The function whose values bound the speeds of all waves: the declared bound, or else the eigenvalues.
    pub fn speeds(&self) -> Option<FunctionId> {
        self.only(&Role::WaveSpeed).or_else(|| self.only(&Role::Eigenvalues))
    }

    /// The exact solutions that do not depend on time.
    pub fn steady(&self) -> impl Iterator<Item = FunctionId> {
        let exact = self.with_role(|role| *role == Role::Exact { manufactured: false });
        exact.filter(|id| self.function(*id).signature().all(|ty| *ty != Type::Real))
    }

    /// The boundaries whose ghost states depend on the inner state.
    pub fn mirrors(&self) -> impl Iterator<Item = FunctionId> {
        self.with_role(|role| matches!(role, Role::Boundary { .. }))
            .filter(|id| self.function(*id).signature().any(|ty| *ty == Type::State))
    }

    /// The boundary that a function imposes a viscous flux on.
    pub fn boundary_of(&self, id: FunctionId) -> Option<FunctionId> {
        let Role::BoundaryFlux { of: (name, _) } = &self.function(id).role else { return None };
        self.with_role(|role| matches!(role, Role::Boundary { .. })).find(|id| self.function(*id).name == *name)
    }

    /// The `#[medium]` functions that depend on time.
    pub fn changing_media(&self) -> impl Iterator<Item = FunctionId> {
        self.with_role(|role| *role == Role::Medium)
            .filter(|id| self.function(*id).signature().any(|ty| *ty == Type::Real))
    }

    /// Number of real components of a value of type `ty`.
    pub fn size_of(&self, ty: &Type) -> usize {
        match ty {
            Type::Real | Type::Bool => 1,
            Type::State => self.state.fields.len(),
            Type::Parameters => self.parameters.fields.len(),
            Type::Medium => self.medium.fields.len(),
            Type::Normal | Type::Point => self.dim,
            Type::Array(element, n) => n * self.size_of(element),
            Type::Tuple(elements) => elements.iter().map(|e| self.size_of(e)).sum(),
        }
    }
}

impl Function {
    /// The types of the parameters, in the order of the signature.
    pub fn signature(&self) -> impl Iterator<Item = &Type> {
        self.locals[..self.parameters].iter().map(|local| &local.ty)
    }

    /// Whether it takes a gradient, a state for every direction.
    pub fn takes_gradient(&self) -> bool {
        self.signature().any(|ty| matches!(ty, Type::Array(element, _) if **element == Type::State))
    }

    /// The names of the variables from which a function with [`Role::Variables`] computes a state; those of an array are numbered from 1.
    pub fn variables(&self) -> Vec<String> {
        let arguments = self.locals[..self.parameters].iter().filter(|_| self.role == Role::Variables);
        let names = arguments.flat_map(|Local { name, ty, .. }| match ty {
            Type::Real => vec![name.clone()],
            Type::Array(_, length) => (1..=*length).map(|number| format!("{name}{number}")).collect(),
            _ => Vec::new(),
        });
        names.collect()
    }

    /// The expression with this id.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0]
    }
}

/// The names of the components of normals and points.
pub use dg_contract::AXES;
