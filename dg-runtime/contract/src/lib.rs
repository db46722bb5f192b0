//! The contract between compiler and runtime: what both know, once, as plain data.
//!
//! * `law`: a compiled law, its functions with their roles, and what was found out about it
//! * `unit`: the generated code of one shape and order, with what the runtime must know of its discretisation
//! * `kernel`: the arguments of its kernels by name, kind, direction and size
//! * `shape`: how a shape is put together
//! * [`protocol`]: numbers that the generated code and the runtime must agree on
//! * `schedule`: the ways to lay the work on an element over threads
//!
//! The compiler makes these data while it runs, so they own their parts; in a user's program they are constants. One type
//! serves both: see [`Storage`].
//!
//! # Invariants
//!
//! * No dependencies: neither the compiler's algebra nor the runtime's libraries.
//! * Nothing here computes anything about a law, a mesh or a device.

mod kernel;
mod law;
pub mod protocol;
mod schedule;
mod shape;
mod storage;
mod unit;

pub use kernel::{Argument, Direction, Kernel, Kind, Size};
pub use law::{
    Algebra, Arguments, Characteristic, CharacteristicVariables, Function, Law, Method, Parameter, Proof, Role, Sample,
    Variable,
};
pub use schedule::Schedule;
pub use shape::{MAX_DIM, MAX_FACE_CORNERS, MAX_FACES, Shape};
pub use storage::{Owned, Static, Storage};
pub use unit::{KernelCost, Unit};
