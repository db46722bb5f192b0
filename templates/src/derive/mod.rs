//! What is derived from a law: Jacobians, wave speeds, linearity, and its values in exact arithmetic.

mod domain;
mod functions;
mod points;
mod setting;
pub mod spectrum;
pub mod text;
mod tower;

pub use domain::{Dual, Duals};
pub use points::{Points, is_admissible};
pub use setting::{Inputs, Point, Setting};
pub use tower::{Generator, Number, Stop, Tower, Zero};
