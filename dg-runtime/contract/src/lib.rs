//! The contract between compiler and runtime: the data that both use, defined once, as plain data.
//!
//! * `law`: a compiled law, its functions with their roles, its physics as code, and the results of its analysis
//! * `unit`: the compiler's data on the law's code for one shape and order
//! * `kernel`: the arguments of its kernels by name, kind, direction and size
//! * `shape`: the corners and faces of a shape
//! * `map`: the kinds of maps from the reference element
//! * [`geometry`]: how many numbers the geometry of a mesh has per element and face
//! * [`mod@reference`]: the discretisation of one shape and order, whatever the law
//! * [`protocol`]: numbers that the generated code and the runtime must agree on
//! * `schedule`: the ways to distribute the work on an element over threads
//!
//! In the compiler these data own their parts; in a user's program they are constants. One type serves both: see
//! [`Storage`].
//!
//! # Invariants
//!
//! * No dependencies: neither the compiler's algebra nor the runtime's libraries.
//! * Nothing here computes anything about a law, a mesh or a device.

pub mod geometry;
mod kernel;
mod law;
mod map;
pub mod protocol;
pub mod reference;
mod schedule;
mod shape;
mod storage;
mod unit;

pub use kernel::{Argument, Direction, Item, Kernel, Kind, Size};
pub use law::{
    AXES, Algebra, Arguments, Characteristic, CharacteristicVariables, Function, Law, Method, Parameter, Proof, Role,
    Sample, Variable,
};
pub use schedule::Schedule;
pub use shape::{MAX_DIM, MAX_FACE_CORNERS, MAX_FACES, Shape};
pub use storage::{Owned, Static, Storage};
pub use unit::{Cost, KeptMedium, KernelCost, Reference, Unit};
