//! The longest stable step of an element: what kernels take to find it, and the same on the host.

use crate::device::{Arg, args};
use crate::mesh::Mesh;

use super::{Setup, Solver};

impl Setup {
    /// What the bound that [`face_share`](Self::face_share) sets leaves room for, as the kernels have it:
    /// Δt λ |f| / det J at Courant number 1.
    fn room(&self, mesh: &Mesh) -> f64 {
        self.face_share.map_or(f64::INFINITY, |share| share * mesh.shape.measure() / self.cfl)
    }

    /// The longest step that waves of these speeds, one for each face of an element, allow there.
    pub(super) fn longest_step(&self, mesh: &Mesh, element: usize, speeds: &[f64]) -> f64 {
        let (geometry, crossings) = (mesh.geometry(element), mesh.crossings(element));
        // No square of these is too large.
        let rate = speeds.iter().zip(crossings).map(|(speed, crossing)| speed * crossing).fold(0.0, f64::hypot);
        let stable = 1.0 / ((2 * self.order + 1) as f64 * rate);
        let through =
            speeds.iter().zip(geometry.face_lengths).map(|(speed, length)| speed * length / geometry.determinant);
        self.cfl * stable.min(self.room(mesh) / through.fold(0.0, f64::max))
    }
}

impl Solver {
    /// What kernels take that bound steps.
    pub(super) fn bounding(&self) -> Vec<(&'static str, Arg<'_>)> {
        args! { crossings: &self.domain.crossings, room: self.setup.room(&self.mesh) }
    }
}
