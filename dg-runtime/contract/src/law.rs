//! A law as the attribute compiled it.

use std::fmt;
use std::ops::{Bound, RangeBounds as _};

use crate::protocol::CUDA_BLOCK;
use crate::{Shape, Static, Storage, Unit};

/// The names of the directions in space.
pub const AXES: [&str; 3] = ["x", "y", "z"];

/// Elements of a block in CUDA's memory where those of a warp take too many threads: whole sectors of 32 bytes.
const SMALL_BLOCK: usize = 28;
/// Threads of two warps on each of a multiprocessor's four schedulers.
const EVEN_THREADS: usize = 256;

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
    /// The fields of the medium: data that vary in space and time and do not evolve. Empty where the law has none.
    pub medium: &'static [Parameter],
    /// The functions with a role, in source order.
    pub functions: &'static [Function],
    /// The results of the algebra, as readable text.
    pub algebra: Algebra,
    /// The proved statements, one sentence each.
    pub proofs: &'static [Proof],
    /// Values of the law's functions in exact arithmetic, for `verify`.
    pub samples: &'static [Sample],
    /// The physics as code: its types and functions, under the user's names and then under the scheme's.
    pub physics: &'static str,
    /// Kernels that evaluate the functions at given points.
    pub pointwise: &'static str,
    /// The number of values that the kernel `compute_once` computes from the parameters alone.
    pub once: usize,
    /// One for every shape and order that there is code for.
    pub units: &'static [Unit],
}

/// A physical parameter of a law, or a field of its medium.
#[derive(Debug)]
pub struct Parameter {
    /// The user's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The value where a case gives none; a field of a medium has none.
    pub default: Option<f64>,
    /// The ends of the range of allowed values.
    pub range: (Bound<f64>, Bound<f64>),
}

impl Parameter {
    /// Whether this value is in the range.
    pub fn allows(&self, value: f64) -> bool {
        self.range.contains(&value)
    }

    /// The ends of the range, which may be infinite.
    pub fn ends(&self) -> [f64; 2] {
        let end = |bound, infinite| match bound {
            Bound::Included(end) | Bound::Excluded(end) => end,
            Bound::Unbounded => infinite,
        };
        [end(self.range.0, f64::NEG_INFINITY), end(self.range.1, f64::INFINITY)]
    }

    /// The range in words, such as "at least 0 and below 1"; `None` where every number is allowed.
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

    /// The default, or else some allowed value.
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

/// The role of a function in its law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Physical flux, `dim` states.
    Flux,
    /// Eigenvalues of the flux Jacobian in direction of a normal.
    Eigenvalues,
    /// A declared bound on the speeds of waves in direction of a normal: one number, or the slowest and the fastest.
    WaveSpeed,
    /// Quantities that are positive at admissible states.
    Admissible,
    /// Quantities with a local minimum principle: none drops below its least value in the neighbourhood one step before.
    MinimumPrinciple,
    /// Ghost state at a boundary.
    Boundary {
        /// The components of the state that have no flux through it.
        impermeable: &'static [usize],
    },
    /// The part of the viscous flux along the outward normal that a boundary imposes.
    BoundaryFlux {
        /// The name of the boundary.
        of: &'static str,
    },
    /// A boundary that the compiler derived: `far_field` and `absorbing`, where the flux Jacobian can be diagonalised.
    DerivedBoundary,
    /// Numerical flux in direction of a normal.
    NumericalFlux,
    /// Non-conservative product in direction of a normal, `Σ_d n_d B_d(u) v` with a change v of the state.
    Nonconservative,
    /// What the non-conservative product is at a jump, where that is not its mean along the straight way.
    Jump,
    /// Viscous flux, `dim` states, linear in the gradient of the state, whose part in every direction is the right state of [`Arguments`].
    ViscousFlux,
    /// Source term.
    Source,
    /// The derivative of the source by the state, row by row; derived where the source depends on it.
    SourceJacobian,
    /// Data of the medium.
    Medium,
    /// Initial data.
    Initial,
    /// Exact solution, perhaps with a source that was derived for it.
    Exact,
    /// The source that was derived for a manufactured solution.
    ManufacturedSource {
        /// The name of the solution.
        of: &'static str,
    },
    /// The state as a function of other variables, in which a case may give it.
    Variables {
        /// Their names, as many as the state has components.
        names: &'static [&'static str],
    },
    /// A derived field for files and pictures.
    Output,
    /// The same of the gradient of the state, perhaps also of the state.
    GradientOutput,
}

/// A function with a role. Numerical fluxes and boundaries that the compiler derives are listed too.
#[derive(Debug)]
pub struct Function {
    /// The user's name.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// Its role in the law.
    pub role: Role,
    /// Number of real components of its value.
    pub results: usize,
    /// The user's own Rust; `None` where the compiler derived the function.
    pub host: Option<fn(&Arguments<'_>, &mut [f64])>,
}

/// All arguments that a function with a role can take; each function takes those that its signature names.
#[derive(Clone, Copy, Debug)]
pub struct Arguments<'a> {
    /// Parameter values, in declaration order.
    pub parameters: &'a [f64],
    /// The state; for a numerical flux the left one, for a function of other variables their values. Behind its components stand the
    /// fields of the medium there, where the law has one.
    pub state: &'a [f64],
    /// The right state of a numerical flux, with its medium; for a non-conservative product the change of the state, with that of the medium;
    /// for a function of the gradient see [`Arguments::slope`].
    pub right: &'a [f64],
    /// A unit normal.
    pub normal: &'a [f64],
    /// A position.
    pub position: &'a [f64],
    /// Time.
    pub time: f64,
}

impl<'a> Arguments<'a> {
    /// The derivative of a state of so many components by a coordinate: its part of [`right`](Self::right), which is the gradient, `[axis][component]`,
    /// or one part that stands for all.
    pub fn slope(&self, axis: usize, components: usize) -> &'a [f64] {
        self.right.get(axis * components..(axis + 1) * components).unwrap_or(self.right)
    }
}

impl Function {
    /// The components of the state that have no flux through a boundary.
    pub fn impermeable(&self) -> &'static [usize] {
        match self.role {
            Role::Boundary { impermeable } => impermeable,
            _ => &[],
        }
    }

    /// The names of the variables from which it computes a state.
    pub fn variables(&self) -> &'static [&'static str] {
        match self.role {
            Role::Variables { names } => names,
            _ => &[],
        }
    }
}

/// The results of the algebra, as text in the user's names.
#[derive(Clone, Debug)]
pub struct Algebra<S: Storage = Static> {
    /// `jacobian[d][i][j]` = ∂F_d,i/∂u_j.
    pub jacobian: S::List<S::List<S::List<S::Text>>>,
    /// The declared eigenvalues in direction of a normal.
    pub eigenvalues: S::List<S::Text>,
    /// The bound on the wave speed that numerical flux and time step share.
    pub wave_speed: S::Text,
    /// The quantities that are positive at admissible states.
    pub admissible: S::List<S::Text>,
    /// Whether the flux is linear in the state.
    pub linear: bool,
    /// If it is not, an axis along which an equation is not linear and the component of that equation, where they are known.
    pub nonlinear: Option<[usize; 2]>,
    /// Whether the source is linear in the state, S = E u + s; true where there is none.
    pub source_linear: bool,
    /// `source_jacobian[i][j]` = ∂S_i/∂u_j; empty where the source does not depend on the state.
    pub source_jacobian: S::List<S::List<S::Text>>,
    /// The exact solutions that do not depend on time: flux and source balance in them.
    pub steady: S::List<S::Text>,
    /// The `#[medium]` functions that take the time, and for every field of the medium whether it depends on it.
    pub changing_media: S::List<(S::Text, S::List<bool>)>,
    /// The boundaries whose ghost states depend on the inner state: a viscous flux sees the mirror image of the inner gradient behind them.
    pub mirrors: S::List<S::Text>,
    /// Those of them behind which is the image in a point, so that gradients along the boundary are turned round, too: walls at rest that a gas
    /// sticks to.
    pub inversions: S::List<S::Text>,
    /// Characteristic variables.
    pub characteristic: CharacteristicVariables<S>,
    /// If there are no derived boundaries, the reason.
    pub far_field: Result<(), S::Text>,
    /// The vectors among the components of the state, with which the law is the same in all directions, by their components along x and y; or
    /// what has a direction of its own.
    pub rotation: Result<S::List<[usize; 2]>, S::Text>,
}

/// The form of a law's characteristic variables.
#[derive(Clone, Debug)]
pub enum CharacteristicVariables<S: Storage = Static> {
    /// By formulas, for each coordinate direction.
    Formulas(S::List<Characteristic<S>>),
    /// The eigenvectors are computed at run time.
    Computed {
        /// Why there are no formulas.
        why: S::Text,
    },
    /// It has none.
    None {
        /// Why.
        why: S::Text,
    },
}

/// Characteristic variables `w = L v` of a change `v` of the state `u` in a coordinate direction d, where ∂F_d/∂u = R Λ
/// L and L = R⁻¹, in the order of the eigenvalues. Formulas are names with their expressions, each after those that it
/// uses: first abbreviations, then the components.
#[derive(Clone, Debug)]
pub struct Characteristic<S: Storage = Static> {
    /// `w = L v`.
    pub to: S::List<(S::Text, S::Text)>,
    /// `v = R w`.
    pub from: S::List<(S::Text, S::Text)>,
}

/// A proved statement about a law.
#[derive(Clone, Debug)]
pub struct Proof<S: Storage = Static> {
    /// The statement, as a sentence with the user's names.
    pub statement: S::Text,
    /// How it was proved.
    pub method: Method,
}

/// How a [`Proof`] was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By symbolic algebra, for all states.
    Symbolic,
    /// By symbolic algebra, for all states that take one of this many paths through the branches of the law: the paths
    /// that random states took.
    Branches(usize),
    /// Exactly, at this many random rational states.
    RationalStates(usize),
    /// In floating point of some 90 digits, up to rounding errors, at this many random states.
    FloatingPoint(usize),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Symbolic => f.write_str("by algebra, for all states"),
            Self::Branches(1) => f.write_str(
                "by algebra, but only for states that take the one way through the branches that random ones took",
            ),
            Self::Branches(n) => write!(
                f,
                "by algebra, but only for states that take one of the {n} ways through the branches that random ones took"
            ),
            Self::RationalStates(n) => write!(f, "exactly, at {n} random rational states"),
            Self::FloatingPoint(n) => write!(f, "in floating point, at {n} random states"),
        }
    }
}

/// A function's value at one point, computed to some 90 digits and rounded once.
#[derive(Clone, Debug)]
pub struct Sample<S: Storage = Static> {
    /// The name of the function.
    pub function: S::Text,
    /// Parameter values.
    pub parameters: S::List<f64>,
    /// The (left) state with its medium, or the variables from which a state is computed.
    pub state: S::List<f64>,
    /// The right state with its medium.
    pub right: S::List<f64>,
    /// The normal, of unit length up to rounding.
    pub normal: S::List<f64>,
    /// The position.
    pub position: S::List<f64>,
    /// Time.
    pub time: f64,
    /// The value's components.
    pub value: S::List<f64>,
}

/// The names in a text of [`Algebra`].
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

impl Law {
    /// The functions with this role and its data.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &'static Function> {
        self.functions.iter().filter(move |function| function.role == role)
    }

    /// The function with this role and name.
    pub fn function(&self, role: Role, name: &str) -> Option<&'static Function> {
        self.with_role(role).find(|function| function.name == name)
    }

    /// The function whose values bound the speeds of all waves: the declared bound, or else the eigenvalues.
    pub fn speeds(&self) -> Option<&'static Function> {
        self.with_role(Role::WaveSpeed).chain(self.with_role(Role::Eigenvalues)).next()
    }

    /// The boundaries that the user wrote.
    pub fn boundaries(&self) -> impl Iterator<Item = &'static Function> {
        self.functions.iter().filter(|function| matches!(function.role, Role::Boundary { .. }))
    }

    /// The viscous flux that a boundary imposes, if it does.
    pub fn boundary_flux(&self, boundary: &str) -> Option<&'static Function> {
        self.functions.iter().find(|function| matches!(function.role, Role::BoundaryFlux { of } if of == boundary))
    }

    /// The functions that compute a state from other variables.
    pub fn variables(&self) -> impl Iterator<Item = &'static Function> {
        self.functions.iter().filter(|function| matches!(function.role, Role::Variables { .. }))
    }

    /// Why the law is not linear: the shortest factor of a derivative that depends on the state, or an equation that is not linear.
    pub fn nonlinear_term(&self) -> Option<String> {
        let entries = self.algebra.jacobian.iter().zip(AXES).flat_map(|(matrix, axis)| {
            let rows = matrix.iter().zip(self.state);
            let entries = move |(row, flux): (&'static &'static [&'static str], &'static Variable)| {
                row.iter().zip(self.state).map(move |(entry, by)| (axis, flux.name, by.name, *entry))
            };
            rows.flat_map(entries)
        });
        let shortest = entries.filter(|(.., entry)| self.names_state(entry)).min_by_key(|(.., entry)| entry.len());
        match (shortest, self.algebra.nonlinear) {
            (Some((axis, equation, by, entry)), _) => Some(format!(
                "in its equation of `{equation}` the derivative of `{by}` along {axis} has the factor {entry}"
            )),
            (None, Some([axis, component])) => {
                let (axis, equation) = (AXES[axis], self.state[component].name);
                Some(format!("its equation of `{equation}` has a term along {axis} that is not linear in the state"))
            }
            (None, None) => None,
        }
    }

    /// Whether a text of [`Algebra`] contains a component of the state.
    fn names_state(&self, text: &str) -> bool {
        words(text).any(|word| self.state.iter().any(|component| component.name == word))
    }

    /// The shortest entry of the source's Jacobian that depends on the state, or on time, with its place: why one matrix does not
    /// serve for a step.
    pub fn changing_source_entry(&self) -> Option<String> {
        let rows = self.algebra.source_jacobian.iter().zip(self.state);
        let entries =
            rows.flat_map(|(row, rate)| row.iter().zip(self.state).map(move |(entry, by)| (rate, by, *entry)));
        let changing = entries.filter(|(.., entry)| self.names_state(entry) || words(entry).any(|word| word == "t"));
        let (rate, by, entry) = changing.min_by_key(|(.., entry)| entry.len())?;
        Some(format!("the derivative of its `{}` by `{}` is {entry}", rate.name, by.name))
    }

    /// The numbers on which the physics at a point depends: the components of the state and the fields of the medium.
    pub fn values_at_a_point(&self) -> usize {
        self.state.len() + self.medium.len()
    }

    /// Elements of a block in CUDA's memory, of which a patch has one, two or four: those of a warp, but fewer for nine components at orders 4 and 5.
    /// There a thread has one component, and the nine warps of 32 elements would lie unevenly on the four schedulers of a multiprocessor;
    /// 28 elements take eight. Lower orders have [`Schedule::Triple`](crate::Schedule::Triple), higher ones tensor instructions.
    pub fn cuda_block(&self, order: usize) -> usize {
        let is_even = |block: usize| block * self.state.len() <= EVEN_THREADS;
        if matches!(order, 4..=5) && !is_even(CUDA_BLOCK) && is_even(SMALL_BLOCK) { SMALL_BLOCK } else { CUDA_BLOCK }
    }

    /// Of a `#[medium]` function that takes the time, for every field of the medium whether it depends on it.
    pub fn changing_fields(&self, function: &Function) -> Option<&'static [bool]> {
        let of = |(name, _): &&(&'static str, &'static [bool])| function.role == Role::Medium && *name == function.name;
        self.algebra.changing_media.iter().find(of).map(|(_, fields)| *fields)
    }

    /// The functions that give fields for files and pictures, in the order of these.
    pub fn outputs(&self) -> impl Iterator<Item = &'static Function> {
        self.functions.iter().filter(|function| matches!(function.role, Role::Output | Role::GradientOutput))
    }

    /// Whether there are outputs of the gradient.
    pub fn has_gradient_outputs(&self) -> bool {
        self.with_role(Role::GradientOutput).next().is_some()
    }

    /// Whether the law has a viscous flux.
    pub fn is_viscous(&self) -> bool {
        self.with_role(Role::ViscousFlux).next().is_some()
    }

    /// The numbers of a trace at a point of a face: the components of the state and, for a viscous flux, their derivatives.
    pub fn values_of_trace(&self) -> usize {
        self.state.len() * if self.is_viscous() { 1 + self.dim } else { 1 }
    }

    /// The derived source with which a manufactured solution solves the law, if it has one.
    pub fn manufactured_source(&self, solution: &Function) -> Option<&'static Function> {
        self.with_role(Role::ManufacturedSource { of: solution.name }).next()
    }

    /// The units for elements of a shape, by ascending order.
    pub fn units_of(&self, shape: Shape) -> impl Iterator<Item = &'static Unit> {
        self.units.iter().filter(move |unit| unit.shape == shape)
    }

    /// Whether the Jacobian of the source is derived, as it is where the source depends on the state.
    pub fn has_source_jacobian(&self) -> bool {
        self.with_role(Role::SourceJacobian).next().is_some()
    }

    /// Names of the fields that `sample` writes, in its order: the components of the state, the medium's fields and the outputs.
    pub fn fields(&self) -> Vec<&'static str> {
        let (components, medium) = (self.state.iter().map(|u| u.name), self.medium.iter().map(|field| field.name));
        components.chain(medium).chain(self.outputs().map(|output| output.name)).collect()
    }

    /// The generated code for this shape and order.
    pub fn unit(&self, shape: Shape, order: usize) -> Option<&'static Unit> {
        self.units.iter().find(|unit| unit.shape == shape && unit.order == order)
    }
}
