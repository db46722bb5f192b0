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
    /// The place of a position, of which `what` is the name for messages, in the element of the lowest number there.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(super) fn find(
        mesh: &Mesh,
        unit: &Unit,
        position: [f64; MAX_DIM],
        what: impl Fn() -> String,
    ) -> Result<Self, Error> {
        let place = mesh.locate(&position[..mesh.dim]);
        place.map(|place| Self::new(mesh, unit, place)).ok_or_else(|| outside(position, what))
    }

    /// The places of a position in all elements there: several on a face or at a vertex.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(super) fn find_all(
        mesh: &Mesh,
        unit: &Unit,
        position: [f64; MAX_DIM],
        what: impl Fn() -> String,
    ) -> Result<Vec<Self>, Error> {
        let places = mesh.locate_all(&position[..mesh.dim]);
        if places.is_empty() {
            return Err(outside(position, what));
        }
        Ok(places.into_iter().map(|place| Self::new(mesh, unit, place)).collect())
    }

    pub(super) fn new(mesh: &Mesh, unit: &Unit, (element, reference): (usize, [f64; MAX_DIM])) -> Self {
        Self { element, basis: basis::values(unit.shape, unit.order, &reference[..mesh.dim]) }
    }
}

fn outside(position: [f64; MAX_DIM], what: impl Fn() -> String) -> Error {
    Error::Outside { what: what(), position: position.into() }
}
