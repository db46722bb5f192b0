//! Least and largest means: how a run is followed.

use crate::device::Buffer;

use super::layout::padded;
use super::reduce::Operation;
use super::{Error, Solver};

impl Solver {
    /// The least and the largest mean of an element, of every component. Only these numbers leave the device.
    ///
    /// # Errors
    /// The device's own.
    pub fn range_of_means(&self) -> Result<Vec<[f64; 2]>, Error> {
        self.integrate(&self.unit_determinants()?)?;
        let components = self.setup.law.state.len();
        let least = self.reduce(components, Operation::Min)?;
        let largest = self.reduce(components, Operation::Max)?;
        Ok(least.into_iter().zip(largest).map(|(least, largest)| [least, largest]).collect())
    }

    /// The mean of every element, `[component][element]`.
    ///
    /// # Errors
    /// The device's own.
    pub(super) fn means(&self) -> Result<Vec<Vec<f64>>, Error> {
        self.integrate(&self.unit_determinants()?)?;
        let (components, stride) = (self.setup.law.state.len(), self.columns.stride() as usize);
        let columns = self.setup.precision.read(&self.device, &self.columns.values, components * stride)?;
        Ok(columns.chunks_exact(stride).map(|column| column[..self.mesh.element_count()].to_vec()).collect())
    }

    /// The determinants of elements of volume 1, over which integrals are means.
    fn unit_determinants(&self) -> Result<Buffer, Error> {
        let geometry = self.mesh.geometry(0);
        let determinant = geometry.determinant / geometry.measure(self.mesh.shape);
        self.setup.precision.upload(&self.device, &vec![determinant; padded(self.mesh.element_count())])
    }
}
