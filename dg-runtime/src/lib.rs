//! The runtime: meshes, devices, the time loop, files and the command line over compiled laws.
//!
//! # Invariants
//!
//! * It contains no basis function: everything about the discretisation comes from [`law::Reference`] and [`scheme`].
//! * `mesh` and `io` know no device; kernels are launched by `device`, for `solver` alone.
//! * cudarc is named in `device/cuda.rs` alone.
//! * Nothing a user can cause panics: errors are values with context.

pub mod case;
pub mod cli;
pub mod device;
mod formula;
pub mod io;
pub mod mesh;
mod names;
mod notice;
mod plain;
mod private_folder;
mod sizes;
pub mod solver;
mod space;
mod system;

pub use dg_contract as law;
pub use dg_kernels as scheme;
pub use dg_macros::{conservation_law, helpers, law_with_helpers};
pub use space::d2;
