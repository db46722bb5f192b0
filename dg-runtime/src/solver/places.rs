//! Points of the mesh at which a computation takes part: those of receivers and of point sources.

use super::Error;
use crate::law::reference::basis;
use crate::law::{MAX_DIM, Unit};
use crate::mesh::Mesh;

/// A point of the mesh.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) element: usize,
    /// The values of the basis functions there.
    pub(super) basis: Vec<f64>,
}

impl Place {
    /// The place of a position, of which `what` is the name for messages.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(super) fn find(
        mesh: &Mesh,
        unit: &Unit,
        position: [f64; MAX_DIM],
        what: impl Fn() -> String,
    ) -> Result<Self, Error> {
        let (element, reference) = mesh
            .locate(&position[..mesh.dim])
            .ok_or_else(|| Error::Outside { what: what(), position: position.into() })?;
        Ok(Self { element, basis: basis::values(unit.shape, unit.order, &reference[..mesh.dim]) })
    }
}
