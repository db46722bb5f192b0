//! A close look at one element: the states there at which the scheme evaluates the law, for the law's own Rust.

use crate::device::{ELEMENT_BLOCK, args};

use super::layout::unpack;
use super::{Error, Solver};

/// The states of an element at which the scheme evaluates the law.
pub(super) struct States {
    /// Its mean.
    pub(super) mean: Vec<f64>,
    /// Those at the points of the faces, face by face, then at those of the volume.
    pub(super) at_points: Vec<Vec<f64>>,
}

impl Solver {
    /// The states of an element of the solution in a register.
    pub(super) fn states(&self, register: usize, element: usize) -> Result<States, Error> {
        let (components, points) = (self.setup.law.state.len(), self.unit.reference().points.len() / self.mesh.dim);
        let numbers = (1 + points) * components;
        let (precision, first) = (self.setup.precision, element / ELEMENT_BLOCK * ELEMENT_BLOCK);
        let buffer = precision.allocate(&self.device, ELEMENT_BLOCK * numbers)?;
        let args = args! { u: &self.registers[register].coefficients, states: &buffer, first: first };
        let kernel = self.kernels.module.kernel("examine")?;
        self.device.launch(&kernel, ELEMENT_BLOCK, &args)?;
        let packed = precision.read(&self.device, &buffer, ELEMENT_BLOCK * numbers)?;
        let values = unpack(self.block(), ELEMENT_BLOCK, numbers, &packed);
        let (mean, at_points) = values[(element - first) * numbers..][..numbers].split_at(components);
        Ok(States { mean: mean.to_vec(), at_points: at_points.chunks_exact(components).map(<[f64]>::to_vec).collect() })
    }
}
