//! What bounds the length of a step: the element that allows the shortest, and the wave that crosses it.

use super::examine::States;
use super::{Error, Solver};
use crate::law::Role;
use crate::law::protocol::CLOCK_TIME;
use crate::mesh::Neighbour;

/// What bounds the length of a step from the solution as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimit {
    /// The first of the elements that allow the shortest step.
    pub element: usize,
    /// The fastest wave at each of its faces, which together bound the step; `None` where no speed is a number.
    pub waves: Vec<Option<Wave>>,
    /// Which of them bounds it most.
    pub wave: Option<Wave>,
}

/// A wave in an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Wave {
    /// Which of the law's eigenvalues.
    pub eigenvalue: usize,
    /// Its magnitude.
    pub speed: f64,
    /// Where it is that fast: a point of a face, or the centroid for the element's mean.
    pub position: Vec<f64>,
}

impl Solver {
    /// What bounds a step from the solution as it is. The next step has been bounded by the last stage of the one before, by
    /// the waves that it met at the points of the faces: the same ones, less than a step earlier.
    ///
    /// # Errors
    /// The device's own.
    pub fn step_limit(&self) -> Result<StepLimit, Error> {
        let element = self.slowest_element()?;
        let waves = self.fastest_waves(element)?;
        let rate = |(wave, crossing): (&Option<Wave>, f64)| wave.as_ref().map_or(0.0, |wave| wave.speed * crossing);
        let rates: Vec<f64> = waves.iter().zip(self.mesh.crossings(element)).map(rate).collect();
        let most = (0..waves.len()).reduce(|first, face| if rates[face] > rates[first] { face } else { first });
        Ok(StepLimit { element, wave: most.and_then(|face| waves[face].clone()), waves })
    }

    /// The element that allows the shortest step.
    pub(super) fn slowest_element(&self) -> Result<usize, Error> {
        self.time_step(self.current, &self.columns.values)?;
        let n = self.mesh.element_count();
        let longest = self.setup.precision.read(&self.device, &self.columns.values, n)?;
        Ok((0..n).min_by(|&a, &b| longest[a].total_cmp(&longest[b])).unwrap_or(0))
    }

    /// The fastest wave at each face of an element, among those over which `time_step` takes the largest speed: of the mean, of
    /// the states at the points of the face, and of the ghost states there.
    fn fastest_waves(&self, element: usize) -> Result<Vec<Option<Wave>>, Error> {
        let (mesh, law) = (&self.mesh, self.setup.law);
        let eigenvalues = law.with_role(Role::Eigenvalues).next();
        let Some((function, host)) = eigenvalues.and_then(|function| Some((function, function.host?))) else {
            return Ok(Vec::new());
        };
        let States { mean, at_points } = self.states(self.current, element)?;
        let time = self.clock_numbers()?[CLOCK_TIME];
        let geometry = mesh.geometry(element);
        let face_points = self.unit.reference().operators.face_points.len();
        let positions = self.unit.reference().points.chunks_exact(mesh.dim).map(|point| mesh.position(element, point));
        let at_points: Vec<_> = at_points.into_iter().zip(positions).collect();
        let mut waves = Vec::new();
        for (face, at_face) in at_points.chunks_exact(face_points).take(mesh.shape.faces()).enumerate() {
            let mut fastest: Option<Wave> = None;
            let normal = &geometry.normals[face][..mesh.dim];
            let mut meet = |state: &[f64], position: &[f64]| {
                let mut values = vec![0.0; function.results];
                host(&self.setup.arguments(state, normal, position, time), &mut values);
                for (eigenvalue, speed) in values.into_iter().map(f64::abs).enumerate() {
                    if fastest.as_ref().map_or(speed.is_finite(), |wave| speed > wave.speed) {
                        fastest = Some(Wave { eigenvalue, speed, position: position.to_vec() });
                    }
                }
            };
            meet(&mean, &mesh.centroid(element)[..mesh.dim]);
            for (k, (state, position)) in at_face.iter().enumerate() {
                let position = &position[..mesh.dim];
                meet(state, position);
                if let Neighbour::Boundary(boundary_face) = mesh.neighbour(element, face) {
                    meet(&self.ghost(boundary_face as usize, k, state, position, time), position);
                }
            }
            waves.push(fastest);
        }
        Ok(waves)
    }

    /// The ghost state at point `k` of a boundary face.
    fn ghost(&self, boundary_face: usize, k: usize, state: &[f64], position: &[f64], time: f64) -> Vec<f64> {
        let mut ghost = state.to_vec();
        let boundary = self.mesh.boundary_faces()[boundary_face].boundary;
        let normals = self.mesh.boundary_normals(&self.unit.reference().operators.face_points);
        let point = boundary_face * self.unit.reference().operators.face_points.len() + k;
        let normal = &normals[point * self.mesh.dim..][..self.mesh.dim];
        let condition = &self.setup.boundaries[usize::from(boundary)];
        condition.ghost(&self.setup.arguments(state, normal, position, time), &mut ghost);
        ghost
    }
}
