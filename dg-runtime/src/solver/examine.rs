//! A close look at one element: the states at which the scheme evaluates the law, for checks by the law's own Rust.

use crate::device::ELEMENT_BLOCK;

use super::Error;
use super::scheme::{OnSection, Scheme};
use super::transfer::Transfer;

/// The states of an element at which the scheme evaluates the law, each with its medium behind it.
pub(super) struct States {
    /// Its mean.
    pub(super) mean: Vec<f64>,
    /// The states at the points of the faces, face by face, then at those of the volume.
    pub(super) at_points: Vec<Vec<f64>>,
}

/// The states of an element of a register.
pub(super) fn states(scheme: Scheme<'_>, register: usize, element: usize) -> Result<States, Error> {
    let (section, element) = scheme.on_element(element);
    let OnSection { setup, program, .. } = section;
    let (transfer, values) = (Transfer::examined(setup, program.unit), setup.law.values_at_a_point());
    let first = element / ELEMENT_BLOCK * ELEMENT_BLOCK;
    let buffer = transfer.allocate(&program.device)?;
    scheme.run([section.examine(register, first, &buffer)?])?;
    let numbers = transfer.read(&program.device, &buffer)?;
    let (mean, at_points) = numbers[(element - first) * transfer.fields..][..transfer.fields].split_at(values);
    Ok(States { mean: mean.to_vec(), at_points: at_points.chunks_exact(values).map(<[f64]>::to_vec).collect() })
}
