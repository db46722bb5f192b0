//! The sizes of components, to which the tolerated error of a step is relative.

use rayon::prelude::*;

use crate::mesh::Mesh;
use crate::sizes::moved;

use super::scheme::Scheme;
use super::{Error, Tolerance, diagnosis, measure};

/// Elements summed at once: the sums do not depend on the number of threads.
const CHUNK: usize = 4096;

/// The weight of the error in each component, for components of these sizes.
pub(super) fn weights(tolerance: Tolerance, mesh: &Mesh, sizes: &[f64]) -> Vec<f64> {
    let volume: f64 = (0..mesh.element_count()).map(|e| mesh.geometry(e).determinant).sum();
    // ∫ e² over an element is det J times the sum of the squares of its coefficients; the mean is over all components, too. The
    // determinants add up to twice the volume, so that an error is measured as 1/√2 of its root mean square.
    let mean = (volume * sizes.len() as f64).sqrt();
    let weight = |size: &f64| {
        let tolerated = tolerance.absolute + tolerance.relative * size;
        // A component of size zero without absolute tolerance has no error.
        if tolerated > 0.0 { 1.0 / (tolerated * mean) } else { 0.0 }
    };
    sizes.iter().map(weight).collect()
}

/// The sizes of the components of a solution.
///
/// # Errors
/// [`Error::NoSize`], and errors of the device.
pub(super) fn sizes(scheme: Scheme<'_>, tolerance: Tolerance) -> Result<Vec<f64>, Error> {
    let (law, mesh, means) = (scheme.setup.law, scheme.mesh, measure::means(scheme)?);
    let (n, components, time) = (mesh.element_count(), law.state.len(), diagnosis::clock(scheme)?.time);
    let size_of = |e: usize| {
        let mean: Vec<f64> = means.iter().map(|component| component[e]).collect();
        let at_middle = scheme.setup.with_medium(&mean, &mesh.centroid(e)[..mesh.dim], mesh.groups().of(e), time);
        let moved = moved(law, &scheme.setup.parameters, &at_middle);
        mean.into_iter().zip(moved).map(|(own, moved)| own.abs().max(moved)).collect::<Vec<_>>()
    };
    let larger = |a: Vec<f64>, b: Vec<f64>| a.into_iter().zip(b).map(|(a, b)| a.max(b)).collect();
    let largest = (0..n).into_par_iter().map(size_of).reduce(|| vec![0.0; components], larger);
    // Volume, and the integral of the square of every component's size, scaled by the largest so that squares neither overflow nor
    // all vanish.
    let integrals = |elements: std::ops::Range<usize>| {
        let mut integrals = vec![0.0; 1 + components];
        for e in elements {
            let determinant = mesh.geometry(e).determinant;
            integrals[0] += determinant;
            for ((integral, size), largest) in integrals[1..].iter_mut().zip(size_of(e)).zip(&largest) {
                let part = if *largest > 0.0 { size / largest } else { 0.0 };
                *integral += determinant * part * part;
            }
        }
        integrals
    };
    let chunks: Vec<Vec<f64>> =
        (0..n.div_ceil(CHUNK)).into_par_iter().map(|i| integrals(i * CHUNK..n.min((i + 1) * CHUNK))).collect();
    let sum = |i: usize| chunks.iter().map(|chunk| chunk[i]).sum::<f64>();
    let sizes: Vec<f64> = (0..components).map(|i| largest[i] * (sum(i + 1) / sum(0)).sqrt()).collect();
    if tolerance.absolute == 0.0 && sizes.iter().all(|&size| size == 0.0) {
        return Err(Error::NoSize);
    }
    Ok(sizes)
}
