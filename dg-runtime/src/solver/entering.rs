//! Waves that enter through boundaries whose condition gives no data for them.

use super::scheme::Scheme;
use super::{Condition, Error, diagnosis, measure};
use crate::law::Function;

/// A boundary with incoming waves whose ghost state is the inner state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entering {
    /// The boundary.
    pub boundary: String,
    /// Its boundary function, or one of several.
    pub function: &'static str,
    /// The largest number of incoming waves anywhere on it.
    pub waves: usize,
    /// Number of its faces with incoming waves.
    pub faces: usize,
    /// Number of faces with such a ghost state.
    pub copying: usize,
}

/// Boundaries that copy the inner state although waves come in through them. Such waves carry the scheme's errors,
/// which grow from p = 1 on.
///
/// # Errors
/// Errors of the device.
pub(super) fn entering(scheme: Scheme<'_>) -> Result<Vec<Entering>, Error> {
    let copying = copying_faces(scheme)?;
    if copying.is_empty() {
        return Ok(Vec::new());
    }
    let faces = scheme.mesh.elements().by_shape().map(|(shape, _)| shape.faces()).max().unwrap_or(0);
    let columns = scheme.new_columns(faces)?;
    scheme.run(scheme.each(|section| section.entering(&columns))?)?;
    let counts = scheme.read(&columns, faces)?;
    let mut list: Vec<Entering> = Vec::new();
    for (index, function) in copying {
        let face = scheme.mesh.boundary_faces()[index];
        let waves = counts[usize::from(face.face)][face.element as usize] as usize;
        let boundary = &scheme.mesh.boundaries()[usize::from(face.boundary)].name;
        if list.last().is_none_or(|last| last.boundary != *boundary) {
            list.push(Entering { boundary: boundary.clone(), function: function.name, waves: 0, faces: 0, copying: 0 });
        }
        if let Some(last) = list.last_mut() {
            last.waves = last.waves.max(waves);
            last.faces += usize::from(waves > 0);
            last.copying += 1;
        }
    }
    list.retain(|entering| entering.waves > 0);
    Ok(list)
}

/// The boundary faces whose boundary function returns the inner state for any argument.
fn copying_faces(scheme: Scheme<'_>) -> Result<Vec<(usize, &'static Function)>, Error> {
    let (mesh, time) = (scheme.mesh, diagnosis::clock(scheme)?.time);
    let face_points = &scheme.sections[0].program.unit.reference().operators.face_points;
    let (dim, points_of_face) = (mesh.dim, face_points.len());
    let normals = mesh.boundary_normals(face_points);
    let means = measure::means(scheme)?;
    let copying = |index: usize| {
        let face = mesh.boundary_faces()[index];
        let condition = &scheme.setup.boundaries[usize::from(face.boundary)];
        let position = &mesh.face_position(face.element as usize, face.face.into(), face_points[0])[..dim];
        let normal = &normals[index * points_of_face * dim..][..dim];
        let Condition::Function(function) = condition.in_force(&scheme.setup.arguments(&[], normal, position, time))
        else {
            return None;
        };
        let host = function.host?;
        let copies = |state: &Vec<f64>| {
            let mut ghost = vec![f64::NAN; state.len()];
            let inside = scheme.setup.with_medium(state, position, mesh.groups().of(face.element as usize), time);
            host(&scheme.setup.arguments(&inside, normal, position, time), &mut ghost);
            ghost == *state
        };
        let mean: Vec<f64> = means.iter().map(|component| component[face.element as usize]).collect();
        probes(&mean).iter().all(copies).then_some((index, *function))
    };
    Ok((0..mesh.boundary_faces().len()).filter_map(copying).collect())
}

/// States without symmetries near a state: some functions copy the inner state where it is of a certain kind alone, as in a supersonic flow.
fn probes(state: &[f64]) -> [Vec<f64>; 3] {
    let largest = state.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
    // Beside a state of zeros, as of waves that have not come yet, there is no other measure.
    let size = if largest > 0.0 { largest } else { 1.0 };
    let probe = |sign: fn(usize) -> f64| {
        let other = |(i, x): (usize, &f64)| {
            x + sign(i) * (1.0 + 0.3 * (i as f64 + 2.0).sqrt()) * (1e-3 * x.abs() + 1e-6 * size)
        };
        state.iter().enumerate().map(other).collect()
    };
    [probe(|_| 1.0), probe(|_| -1.0), probe(|i| if i % 2 == 0 { 1.0 } else { -1.0 })]
}
