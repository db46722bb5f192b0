//! Points of the mesh at which a computation takes part: those of receivers and of point sources.

use super::Error;
use crate::law::reference::basis;
use crate::law::{MAX_DIM, Shape, Unit};
use crate::mesh::{ElementMap, Mesh, Section};

/// A section of a mesh with the code for its shape and order.
pub(super) type SectionUnit = (Section, &'static Unit);

/// A point of the mesh.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its section.
    pub(super) section: usize,
    /// The number of its element in the section.
    pub(super) number: usize,
    /// The element.
    pub(super) element: usize,
    /// Its coordinates in the reference element.
    pub(super) reference: [f64; MAX_DIM],
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
        code: &[SectionUnit],
        position: [f64; MAX_DIM],
        what: impl Fn() -> String,
    ) -> Result<Self, Error> {
        Self::known(mesh, code, mesh.locate(&position[..mesh.dim]), position, what)
    }

    /// The place of a position that has been looked for.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(super) fn known(
        mesh: &Mesh,
        code: &[SectionUnit],
        place: Option<(usize, [f64; MAX_DIM])>,
        position: [f64; MAX_DIM],
        what: impl Fn() -> String,
    ) -> Result<Self, Error> {
        place.map(|place| Self::new(mesh, code, place)).ok_or_else(|| outside(position, what))
    }

    /// The places of a position in all elements there: several on a face or at a vertex.
    ///
    /// # Errors
    /// [`Error::Outside`].
    pub(super) fn find_all(
        mesh: &Mesh,
        code: &[SectionUnit],
        position: [f64; MAX_DIM],
        what: impl Fn() -> String,
    ) -> Result<Vec<Self>, Error> {
        let places = mesh.locate_all(&position[..mesh.dim]);
        if places.is_empty() {
            return Err(outside(position, what));
        }
        Ok(places.into_iter().map(|place| Self::new(mesh, code, place)).collect())
    }

    pub(super) fn new(mesh: &Mesh, code: &[SectionUnit], (element, reference): (usize, [f64; MAX_DIM])) -> Self {
        let section = code.iter().position(|(section, _)| section.elements.contains(&element)).unwrap_or(0);
        let (of_mesh, unit) = &code[section];
        let basis = basis::values(unit.shape, unit.order, &reference[..mesh.dim]);
        Self { section, element, number: element - of_mesh.elements.start, reference, basis }
    }
}

/// Makes sure that positions are in the mesh; `what` is the name of one for messages, by its number.
///
/// # Errors
/// [`Error::Outside`].
pub(crate) fn require_points(
    mesh: &Mesh,
    positions: &[[f64; MAX_DIM]],
    what: impl Fn(usize) -> String,
) -> Result<(), Error> {
    let places = mesh.locate_each(positions);
    places.iter().position(Option::is_none).map_or(Ok(()), |i| Err(outside(positions[i], || what(i))))
}

/// The derivatives of the basis functions by x_d at a point of an element with this map, `[axis][function]`.
pub(super) fn basis_slopes(shape: Shape, order: usize, map: &ElementMap, reference: &[f64]) -> Vec<f64> {
    let mut at = [0.0; MAX_DIM];
    at[..reference.len()].copy_from_slice(reference);
    let ([[a, b], [c, d]], det_j) = (map.jacobian(at), map.determinant(at));
    let along = basis::gradients(shape, order, reference);
    let slopes = |first: f64, second: f64| {
        let functions = along[0].iter().zip(&along[1]);
        functions.map(move |(u, v)| (first * u + second * v) / det_j)
    };
    slopes(d, -c).chain(slopes(-b, a)).collect()
}

fn outside(position: [f64; MAX_DIM], what: impl Fn() -> String) -> Error {
    Error::Outside { what: what(), position: position.into() }
}
