//! The bound on a step: the element that allows the shortest one, and the wave that crosses it, or the diffusion there.

use super::Error;
use super::examine::{self, States};
use super::scheme::Scheme;
use super::viscous;
use crate::law::Reference;
use crate::law::protocol::CLOCK_TIME;
use crate::mesh::Neighbour;

/// The bound on a step from the current solution.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLimit {
    /// The element that allows the shortest step; the first of several.
    pub element: usize,
    /// The fastest wave at each of its faces, which together bound the step; `None` where every speed is NaN.
    pub waves: Vec<Option<Wave>>,
    /// The wave that bounds it most.
    pub wave: Option<Wave>,
    /// Diffusion there, where it bounds the step more than all waves do.
    pub diffusion: Option<Diffusion>,
}

/// Diffusion in an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diffusion {
    /// The diffusivity of the mean.
    pub diffusivity: f64,
    /// How many times as long as with diffusion the longest step of waves alone is: infinite where nothing moves.
    pub shortening: f64,
}

/// A wave in an element.
#[derive(Clone, Debug, PartialEq)]
pub struct Wave {
    /// The number of the law's eigenvalue.
    pub eigenvalue: usize,
    /// Its magnitude.
    pub speed: f64,
    /// The position of this speed: a point of a face, or the centroid for the element's mean.
    pub position: Vec<f64>,
}

/// The element and the waves that bound a step from the current solution. The actual bound on the next step comes from the last stage
/// of the previous one: from the waves at the same face points, less than a step earlier.
///
/// # Errors
/// Errors of the device.
pub(super) fn step_limit(scheme: Scheme<'_>) -> Result<StepLimit, Error> {
    let element = slowest_element(scheme)?;
    let waves = fastest_waves(scheme, element)?;
    let rate = |(wave, crossing): (&Option<Wave>, f64)| wave.as_ref().map_or(0.0, |wave| wave.speed * crossing);
    let rates: Vec<f64> = waves.iter().zip(scheme.mesh.crossings(element)).map(rate).collect();
    let most = (0..waves.len()).reduce(|first, face| if rates[face] > rates[first] { face } else { first });
    let diffusion = diffusion(scheme, element, &waves)?;
    Ok(StepLimit { element, wave: most.and_then(|face| waves[face].clone()), waves, diffusion })
}

/// Diffusion in an element, if it bounds steps there more than these waves do.
fn diffusion(scheme: Scheme<'_>, element: usize, waves: &[Option<Wave>]) -> Result<Option<Diffusion>, Error> {
    if !scheme.setup.law.is_viscous() {
        return Ok(None);
    }
    let (mesh, setup) = (scheme.mesh, scheme.on_element(element).0.setup);
    let speeds: Vec<f64> = waves.iter().map(|wave| wave.as_ref().map_or(0.0, |wave| wave.speed)).collect();
    let mean = examine::states(scheme, scheme.state.current, element)?.mean;
    let time = scheme.state.clock(scheme.device)?[CLOCK_TIME];
    let diffusivity = viscous::diffusivity(setup, &mean, &mesh.centroid(element)[..mesh.dim], time);
    let of_waves = setup.longest_step(mesh, element, &speeds, [0.0; 2]);
    let of_both = setup.longest_step(mesh, element, &speeds, [0.0, diffusivity]);
    let shortening = of_waves / of_both;
    Ok((shortening > 2.0).then_some(Diffusion { diffusivity, shortening }))
}

/// The element that allows the shortest step.
pub(super) fn slowest_element(scheme: Scheme<'_>) -> Result<usize, Error> {
    let column = scheme.new_columns(1)?;
    scheme.find_longest_steps(scheme.state.current, &column)?;
    let longest = &scheme.read(&column, 1)?[0];
    Ok((0..longest.len()).min_by(|&a, &b| longest[a].total_cmp(&longest[b])).unwrap_or(0))
}

/// The fastest wave at each face of an element, among the states over which `time_step` maximizes: the mean, the
/// states at the points of the face, and the ghost states there.
fn fastest_waves(scheme: Scheme<'_>, element: usize) -> Result<Vec<Option<Wave>>, Error> {
    let (mesh, law) = (scheme.mesh, scheme.setup.law);
    let Some((function, host)) = law.speeds().and_then(|function| Some((function, function.host?))) else {
        return Ok(Vec::new());
    };
    let States { mean, at_points } = examine::states(scheme, scheme.state.current, element)?;
    let time = scheme.state.clock(scheme.device)?[CLOCK_TIME];
    let geometry = mesh.geometry(element);
    let Reference { operators, points, .. } = scheme.on_element(element).0.program.unit.reference();
    let face_points = operators.face_points.len();
    let positions = points.chunks_exact(mesh.dim).map(|point| mesh.position(element, point));
    let at_points: Vec<_> = at_points.into_iter().zip(positions).collect();
    let mut waves = Vec::new();
    for (face, at_face) in at_points.chunks_exact(face_points).take(mesh.shape(element).faces()).enumerate() {
        let mut fastest: Option<Wave> = None;
        let normal = &geometry.normals[face][..mesh.dim];
        let mut meet = |state: &[f64], position: &[f64]| {
            let mut values = vec![0.0; function.results];
            host(&scheme.setup.arguments(state, normal, position, time), &mut values);
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
                meet(&ghost(scheme, boundary_face as usize, k, state, position, time), position);
            }
        }
        waves.push(fastest);
    }
    Ok(waves)
}

/// The ghost state at point `k` of a boundary face.
fn ghost(scheme: Scheme<'_>, boundary_face: usize, k: usize, state: &[f64], position: &[f64], time: f64) -> Vec<f64> {
    let mut ghost = state.to_vec();
    let boundary = scheme.mesh.boundary_faces()[boundary_face].boundary;
    let points = &scheme.sections[0].program.unit.reference().operators.face_points;
    let normals = scheme.mesh.boundary_normals(points);
    let point = boundary_face * points.len() + k;
    let normal = &normals[point * scheme.mesh.dim..][..scheme.mesh.dim];
    let condition = &scheme.setup.boundaries[usize::from(boundary)];
    let components = scheme.setup.law.state.len();
    condition.ghost(&scheme.setup.arguments(state, normal, position, time), &mut ghost[..components]);
    ghost
}
