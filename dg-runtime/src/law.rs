//! The contract between compiler and runtime: plain data that `#[conservation_law]` fills in.

use std::ops::{Bound, RangeBounds as _};

/// A conservation law as the attribute compiled it.
#[derive(Debug)]
pub struct Law {
    /// The name of the user's module.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// Number of space dimensions.
    pub dim: usize,
    /// The physical parameters.
    pub parameters: &'static [Parameter],
    /// The components of the state.
    pub state: &'static [Variable],
    /// The functions with a role, in source order.
    pub functions: &'static [Function],
    /// What the algebra found out, as text for people.
    pub algebra: Algebra,
    /// What was proved, one sentence each.
    pub proofs: &'static [Proof],
    /// Values of the law's functions in exact arithmetic, for [`verify`](crate::cli).
    pub samples: &'static [Sample],
    /// Generated code, one unit for every shape and order.
    pub units: &'static [Unit],
}

/// A physical parameter of a law.
#[derive(Debug)]
pub struct Parameter {
    /// The user's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The value where a case gives none.
    pub default: Option<f64>,
    /// The ends of the range of values that make sense.
    pub range: (Bound<f64>, Bound<f64>),
}

impl Parameter {
    /// Whether this value makes sense.
    pub fn allows(&self, value: f64) -> bool {
        self.range.contains(&value)
    }

    /// The range in words, such as "at least 0 and below 1"; `None` where every number makes sense.
    pub fn range_in_words(&self) -> Option<String> {
        let from = match self.range.0 {
            Bound::Included(from) => Some(format!("at least {from}")),
            Bound::Excluded(from) => Some(format!("above {from}")),
            Bound::Unbounded => None,
        };
        let to = match self.range.1 {
            Bound::Included(to) => Some(format!("at most {to}")),
            Bound::Excluded(to) => Some(format!("below {to}")),
            Bound::Unbounded => None,
        };
        let ends: Vec<_> = from.into_iter().chain(to).collect();
        (!ends.is_empty()).then(|| ends.join(" and "))
    }

    /// The default, or else some value that makes sense.
    pub fn example(&self) -> f64 {
        let some = match self.range {
            _ if self.allows(1.0) => 1.0,
            (Bound::Included(from), Bound::Included(to) | Bound::Excluded(to)) => 0.5 * (from + to),
            (Bound::Included(from) | Bound::Excluded(from), _) => from + 1.0,
            (_, Bound::Included(to) | Bound::Excluded(to)) => to - 1.0,
            (Bound::Unbounded, Bound::Unbounded) => 1.0,
        };
        self.default.unwrap_or(some)
    }
}

/// A component of the state.
#[derive(Debug)]
pub struct Variable {
    /// The user's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
}

/// What a function is to its law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Physical flux, `dim` states.
    Flux,
    /// Eigenvalues of the flux Jacobian in direction of a normal.
    Eigenvalues,
    /// Quantities that are positive where the law makes sense.
    Admissible,
    /// Quantities none of which falls below what it was around.
    MinimumPrinciple,
    /// Ghost state at a boundary.
    Boundary,
    /// A boundary that the compiler derived: `far_field` and `absorbing`, where the flux Jacobian can be diagonalised.
    DerivedBoundary,
    /// Numerical flux in direction of a normal.
    NumericalFlux,
    /// Source term.
    Source,
    /// Initial data.
    Initial,
    /// Exact solution, perhaps with a source that was derived for it.
    Exact,
    /// The source that was derived for a manufactured solution.
    ManufacturedSource,
    /// The state of other variables, in which a case may give it.
    Variables,
    /// A derived field for files and pictures.
    Output,
}

/// A function with a role. Numerical fluxes and boundaries that the compiler derives are listed too.
#[derive(Debug)]
pub struct Function {
    /// The user's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// What it is to the law.
    pub role: Role,
    /// For a boundary, the components of the state that it lets none of pass.
    pub impermeable: &'static [usize],
    /// The names of the variables that it makes a state of, where that is its role: as many as the state has components.
    pub variables: &'static [&'static str],
    /// Number of real components of its value.
    pub results: usize,
    /// The user's own Rust; `None` where the compiler derived the function.
    pub host: Option<fn(&Arguments<'_>, &mut [f64])>,
}

/// Every argument that a function with a role can see; each takes what its signature names.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// Parameter values, in declaration order.
    pub parameters: &'a [f64],
    /// The state, of a numerical flux the left one; of a function of other variables these.
    pub state: &'a [f64],
    /// The right state of a numerical flux.
    pub right: &'a [f64],
    /// A unit normal.
    pub normal: &'a [f64],
    /// A position.
    pub position: &'a [f64],
    /// Time.
    pub time: f64,
}

/// What the algebra found out, as text in the user's names.
#[derive(Debug)]
pub struct Algebra {
    /// `jacobian[d][i][j]` = ∂F_d,i/∂u_j.
    pub jacobian: &'static [&'static [&'static [&'static str]]],
    /// The declared eigenvalues in direction of a normal.
    pub eigenvalues: &'static [&'static str],
    /// The bound on the wave speed that numerical flux and time step share.
    pub wave_speed: &'static str,
    /// What is positive where the law makes sense.
    pub admissible: &'static [&'static str],
    /// Whether the flux is linear in the state.
    pub linear: bool,
    /// Characteristic variables.
    pub characteristic: CharacteristicVariables,
    /// Why there are no derived boundaries, where there are none.
    pub far_field: Result<(), &'static str>,
}

/// How a law has characteristic variables.
#[derive(Clone, Copy, Debug)]
pub enum CharacteristicVariables {
    /// By formulas, for each coordinate direction.
    Formulas(&'static [Characteristic]),
    /// The eigenvectors are computed where they are needed.
    Computed {
        /// Why there are no formulas.
        why: &'static str,
    },
    /// It has none.
    None {
        /// Why.
        why: &'static str,
    },
}

/// Characteristic variables `w = L v` of a change `v` of the state `u` in a coordinate direction d, where
/// ∂F_d/∂u = R Λ L and L = R⁻¹, in the order of the eigenvalues. Formulas are names and what they stand for, in an order
/// in which each comes after those that it uses: first abbreviations, then the components.
#[derive(Debug)]
pub struct Characteristic {
    /// `w = L v`.
    pub to: &'static [(&'static str, &'static str)],
    /// `v = R w`.
    pub from: &'static [(&'static str, &'static str)],
}

/// Something that was proved about a law.
#[derive(Debug)]
pub struct Proof {
    /// A sentence.
    pub statement: &'static str,
    /// How it was established.
    pub method: &'static str,
}

/// A function's value at one point, computed in exact arithmetic and rounded once.
#[derive(Debug)]
pub struct Sample {
    /// The name of the function.
    pub function: &'static str,
    /// Parameter values.
    pub parameters: &'static [f64],
    /// The (left) state.
    pub state: &'static [f64],
    /// The right state.
    pub right: &'static [f64],
    /// The normal.
    pub normal: &'static [f64],
    /// The position.
    pub position: &'static [f64],
    /// Time.
    pub time: f64,
    /// The value's components.
    pub value: &'static [f64],
}

/// The shape of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// The triangle (0,0), (1,0), (0,1).
    Triangle,
}

/// The generated code for one shape and order, with what the runtime must know of its discretisation.
#[derive(Debug)]
pub struct Unit {
    /// Shape of the elements.
    pub shape: Shape,
    /// Polynomial degree.
    pub order: usize,
    /// CUDA C that is C behind a few macros; see [`compile`](crate::compile) for what is defined before it.
    pub source: &'static str,
    /// Number of basis functions, which are orthogonal; first come those of every lower order.
    pub basis: usize,
    /// Numbers that make up the traces of an element, where a schedule keeps them.
    pub traces: usize,
    /// Numbers per component that make up the linear parts of all derivatives up to one order less than the solution's.
    pub moments: usize,
    /// Positions of the quadrature points of a face, as the parameter in (0, 1) from its first vertex to its second.
    pub face_points: &'static [f64],
    /// Reference positions at which the scheme evaluates an element, `[point][dim]`: those of the faces, face by face, then
    /// those of the volume.
    pub points: &'static [f64],
    /// Reference positions at which `sample` evaluates, `[point][dim]`: Lagrange nodes of degree max(1, order)
    /// in VTK's order for the Lagrange cell of this shape.
    pub sample_points: &'static [f64],
    /// Values of the basis functions there, `[point][basis function]`.
    pub basis_at_samples: &'static [f64],
    /// Names of the fields that `sample` writes at each of these, in its order: the components of the state and the outputs.
    pub fields: &'static [&'static str],
    /// Reference positions at which `project_values` takes initial data, `[point][dim]`.
    pub projection_points: &'static [f64],
    /// Work and traffic of every kernel.
    pub kernels: &'static [KernelCost],
}

/// Work and least traffic of a kernel for one element, counted by the compiler.
#[derive(Clone, Copy, Debug)]
pub struct KernelCost {
    /// The kernel.
    pub name: &'static str,
    /// Floating-point operations, each `+ - * /`, comparison-free function and root counted as one.
    pub flops: usize,
    /// Reals that it must read or write at least once.
    pub reals: usize,
    /// Integers (32 bits) that it must read or write at least once.
    pub integers: usize,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 1] = [Self::Triangle];

    /// What it is called in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Triangle => "triangle",
        }
    }
}

impl Law {
    /// The functions with this role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &'static Function> {
        self.functions.iter().filter(move |function| function.role == role)
    }

    /// The function with this role and name.
    pub fn function(&self, role: Role, name: &str) -> Option<&'static Function> {
        self.with_role(role).find(|function| function.name == name)
    }

    /// The source with which an exact function solves the law, where one was derived for it.
    pub fn manufactured_source(&self, solution: &Function) -> Option<&'static Function> {
        let of_solution = |source: &&'static Function| source.name.strip_prefix("source_of_") == Some(solution.name);
        self.with_role(Role::ManufacturedSource).find(of_solution)
    }

    /// The generated code for this shape and order.
    pub fn unit(&self, shape: Shape, order: usize) -> Option<&'static Unit> {
        self.units.iter().find(|unit| unit.shape == shape && unit.order == order)
    }
}
