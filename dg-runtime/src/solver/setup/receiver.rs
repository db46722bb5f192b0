//! Points at which the solution is recorded.

use crate::law::MAX_DIM;

/// A point at which the solution is recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct Receiver {
    /// Its name.
    pub name: String,
    /// Its position, in the mesh.
    pub position: [f64; MAX_DIM],
}
