//! Reference elements: everything about a discretisation that is independent of law and mesh.
//!
//! ```text
//! Shape ─┬─ basis       orthonormal polynomials
//!        ├─ quadrature  points and weights
//!        ├─ nodes       where solutions are sampled for output
//!        └─ operators   the tables of one shape and one order, from which kernels know the discretisation
//! ```
//!
//! Reference coordinates are dimensionless. Order means the polynomial degree p.

pub mod basis;
pub mod nodes;
pub mod operators;
pub mod quadrature;
mod triangle_rules;

pub use crate::Shape;
pub use operators::{Line, Operators, OrderTooHigh, Reflection, derivatives, derivatives_between_sections, moments};
