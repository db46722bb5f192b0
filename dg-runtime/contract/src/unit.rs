//! The generated code for one shape and order.

use crate::{Kernel, Shape, Static, Storage};

/// The generated code for one shape and order, with what the runtime must know of its discretisation.
#[derive(Clone, Debug)]
pub struct Unit<S: Storage = Static> {
    /// Shape of the elements.
    pub shape: Shape,
    /// Polynomial degree.
    pub order: usize,
    /// CUDA C that is C behind a few macros; `device::Options` of the runtime says what is defined before it.
    pub source: S::Text,
    /// Numbers that the kernel `compute_once` computes of the parameters alone.
    pub once: usize,
    /// Number of basis functions, which are orthogonal; first come those of every lower order.
    pub basis: usize,
    /// Numbers that make up the traces of an element, where a schedule keeps them.
    pub traces: usize,
    /// Numbers per component that make up the linear parts of all derivatives up to one order less than the solution's.
    pub moments: usize,
    /// Positions of the quadrature points of a face, as the parameter in (0, 1) from its first vertex to its second.
    pub face_points: S::List<f64>,
    /// Reference positions at which the scheme evaluates an element, `[point][dim]`: those of the faces, face by face, then
    /// those of the volume.
    pub points: S::List<f64>,
    /// Reference positions at which `sample` evaluates, `[point][dim]`: Lagrange nodes of degree max(1, order)
    /// in VTK's order for the Lagrange cell of this shape.
    pub sample_points: S::List<f64>,
    /// Values of the basis functions there, `[point][basis function]`.
    pub basis_at_samples: S::List<f64>,
    /// Names of the fields that `sample` writes at each of these, in its order: the components of the state and the outputs.
    pub fields: S::List<S::Text>,
    /// Reference positions at which `project_values` takes initial data, `[point][dim]`.
    pub projection_points: S::List<f64>,
    /// Every kernel, with what it takes. `pointwise_formulas` stands for those of the states that a case gives by formulas,
    /// `pointwise_formulas_0` and so on.
    pub kernels: S::List<Kernel<S>>,
    /// Work and traffic of the kernels of steps.
    pub costs: S::List<KernelCost>,
}

/// Work and least traffic of a kernel for one element, counted by the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
