//! What sets the length of a step: the element that allows the shortest, and the wave that crosses it.

use super::{Error, Solver};
use crate::law::{Arguments, Role};

/// What sets the length of the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The first of the elements that allow the shortest step.
    pub element: usize,
    /// Which of the law's eigenvalues is the largest in magnitude there, at the mean in the direction of some face; `None`
    /// where the law declares none, or none of them is a number.
    pub wave: Option<usize>,
}

impl Solver {
    /// What sets the step, as [`check`](Self::check) has found it.
    ///
    /// # Errors
    /// The device's own.
    pub fn pace(&self) -> Result<Pace, Error> {
        let n = self.mesh.element_count();
        let longest = self.setup.precision.read(&self.device, &self.longest.values, n)?;
        let element = (0..n).min_by(|&a, &b| longest[a].total_cmp(&longest[b])).unwrap_or(0);
        Ok(Pace { element, wave: self.fastest_wave(element)? })
    }

    /// The index of the eigenvalue that is the largest in magnitude at an element's mean.
    fn fastest_wave(&self, element: usize) -> Result<Option<usize>, Error> {
        let law = self.setup.law;
        let Some(eigenvalues) = law.with_role(Role::Eigenvalues).next() else { return Ok(None) };
        let Some(host) = eigenvalues.host else { return Ok(None) };
        let state = self.mean(element)?;
        let geometry = self.mesh.geometry(element);
        let mut fastest: Option<(usize, f64)> = None;
        for normal in &geometry.normals[..self.mesh.shape.faces()] {
            let mut values = vec![0.0; eigenvalues.results];
            let arguments = Arguments {
                parameters: &self.setup.parameters,
                state: &state,
                right: &[],
                normal: &normal[..self.mesh.dim],
                position: &[],
                time: 0.0,
            };
            host(&arguments, &mut values);
            for (index, speed) in values.into_iter().map(f64::abs).enumerate() {
                if fastest.map_or(speed.is_finite(), |(_, most)| speed > most) {
                    fastest = Some((index, speed));
                }
            }
        }
        Ok(fastest.map(|(index, _)| index))
    }

    /// The mean state of an element.
    pub(super) fn mean(&self, element: usize) -> Result<Vec<f64>, Error> {
        let components = self.setup.law.state.len();
        self.integrate()?;
        let stride = self.columns.stride() as usize;
        let integrals = self.setup.precision.read(&self.device, &self.columns.values, stride * components)?;
        let volume = self.mesh.geometry(element).measure(self.mesh.shape);
        Ok((0..components).map(|c| integrals[c * stride + element] / volume).collect())
    }
}
