//! Measurements: quantities at points and over regions, fluxes through boundaries, averages in time.

mod averages;
mod flux;
mod points;
mod regions;
mod walls;

pub use averages::Averages;
pub(crate) use flux::require_faces;
pub use flux::{FacePoint, Faces, Flux, FluxAtPoints};
pub use points::Points;
pub use regions::{Extreme, Range, Region};
pub use walls::Wall;

use super::{Error, Measured, Solver};

impl Solver {
    /// Makes sure that kernels that measure get all their arguments, by preparing their launches.
    ///
    /// # Errors
    /// [`device::Error::Argument`](crate::device::Error::Argument).
    pub(super) fn check_measured(&self) -> Result<(), Error> {
        let Measured { quantities, averaged, flux } = &self.setup().measured;
        if quantities.is_some() || averaged.is_some() {
            self.check_points()?;
        }
        if quantities.is_some() {
            self.check_regions()?;
        }
        if *flux { self.check_faces() } else { Ok(()) }
    }
}
