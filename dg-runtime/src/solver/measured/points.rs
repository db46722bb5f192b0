//! Quantities at points.

use crate::device::{Buffers, args};
use crate::law::MAX_DIM;
use crate::solver::inventory::{Inventory, Part};
use crate::solver::layout::padded;
use crate::solver::places::Place;
use crate::solver::{Error, Setup, Solver};

/// Points of a mesh on a device.
pub struct Points {
    count: usize,
    buffers: Buffers,
}

impl Solver {
    /// Puts points on the device; `what` is the name of one for messages, by its number.
    ///
    /// # Errors
    /// [`Error::Outside`], and errors of the device.
    pub fn points(&self, positions: &[[f64; MAX_DIM]], what: impl Fn(usize) -> String) -> Result<Points, Error> {
        let place = |(i, position): (usize, &[f64; MAX_DIM])| {
            Place::find(self.mesh(), self.unit(), *position, || what(i)).map(|place| (place, *position))
        };
        self.placed(&positions.iter().enumerate().map(place).collect::<Result<Vec<_>, _>>()?)
    }

    /// The same for points of known elements, with their reference coordinates.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn points_of_elements(&self, points: &[(usize, [f64; MAX_DIM])]) -> Result<Points, Error> {
        let (mesh, dim) = (self.mesh(), self.mesh().dim);
        let place = |&(element, reference): &(usize, [f64; MAX_DIM])| {
            let place = Place::new(mesh, self.unit(), (element, reference));
            (place, mesh.position(element, &reference[..dim]))
        };
        self.placed(&points.iter().map(place).collect::<Vec<_>>())
    }

    fn placed(&self, points: &[(Place, [f64; MAX_DIM])]) -> Result<Points, Error> {
        let Setup { precision, .. } = self.setup;
        let (part, dim, count) = (Part::Mesh, self.mesh().dim, points.len());
        let mut inventory = Inventory::new(precision, count);
        inventory.written_ints(part, "point_elements", 1, |i, v| v[0] = points[i].0.element as i32);
        inventory.written_reals(part, "point_basis", self.unit().basis, |i, v| v.copy_from_slice(&points[i].0.basis));
        inventory.written_reals(part, "point_positions", dim, |i, v| v.copy_from_slice(&points[i].1[..dim]));
        let quantities = self.setup.measured.quantities.as_ref().map_or(0, |quantities| quantities.names.len());
        inventory.reals(part, "quantities", padded(count) * quantities.max(1));
        Ok(Points { count, buffers: inventory.allocate(self.device())? })
    }

    /// The quantities of the setup at points, `[quantity][point]`.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no quantities.
    pub fn quantities_at(&self, points: &Points) -> Result<Vec<Vec<f64>>, Error> {
        let (scheme, kernel) = (self.scheme(), self.program.kernel("quantities_at_points")?);
        let (buffer, stride) = (&points.buffers["quantities"], padded(points.count));
        let args = args! {
            u: self.state.solution(),
            time: scheme.clock()?.time,
            numbers: buffer.numbers(),
            stride: stride,
        };
        let others = [&points.buffers, &self.domain.buffers];
        scheme.run([self.device().prepare(&kernel, 0..points.count, &args, &others)?])?;
        let numbers = self.program.read(buffer, buffer.numbers())?;
        Ok(numbers.chunks_exact(stride).map(|column| column[..points.count].to_vec()).collect())
    }
}
