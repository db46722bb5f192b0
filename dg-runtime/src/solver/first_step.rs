//! An estimate of the first step, before anything is compiled, and what it decides: whether the source is stiff, and how many stages serve.

use rayon::prelude::*;

use super::viscous::diffusivity;
use super::{Given, Integrator, LegendreStages, Setup, source};
use crate::law::Arguments;
use crate::mesh::Mesh;

/// By how many times a source shortens the first explicit step before it is taken implicitly: four explicit stages with as many solutions
/// of the source, in steps about half as long, cost about that much more than explicit steps.
const STIFF: f64 = 4.0;

/// Whether the source makes the first explicit step of a setup that much shorter than waves would.
pub(crate) fn is_stiff(mesh: &Mesh, setup: &Setup) -> bool {
    let Some(initial) = setup.initial.as_ref().filter(|_| setup.law.has_source_jacobian()) else { return false };
    let whole = first_step(mesh, setup, initial);
    let of_waves = step(mesh, setup, initial, |state, position, time| [0.0, diffusivity(setup, state, position, time)]);
    whole.zip(of_waves).is_some_and(|(whole, of_waves)| of_waves >= STIFF * whole)
}

/// The setup with so many stages of RKL2, at most the default number, that the right-hand sides for a given time are the fewest: then waves and
/// diffusion have about equal parts in the first step. The default number where the initial state is not known.
pub(crate) fn with_fewest_stages(mesh: &Mesh, setup: &Setup) -> Setup {
    let with = |stages| Setup { integrator: Integrator::Rkl2(stages), ..setup.clone() };
    let per_time = |stages: &LegendreStages| {
        let step = setup.initial.as_ref().and_then(|initial| first_step(mesh, &with(*stages), initial));
        step.map_or(0.0, |step| stages.count() as f64 / step)
    };
    let all: Vec<LegendreStages> = LegendreStages::up_to_default().collect();
    // The last of several: the default where there is no step.
    let fewest = all.into_iter().rev().min_by(|a, b| per_time(a).total_cmp(&per_time(b)));
    with(fewest.unwrap_or(LegendreStages::DEFAULT))
}

/// An estimate of the first step, from the fastest waves of the state in the middle of each element, across its faces, and the rates of
/// the source and of diffusion there.
/// `None` where no wave has a finite speed and nothing diffuses.
pub(crate) fn first_step(mesh: &Mesh, setup: &Setup, initial: &Given) -> Option<f64> {
    step(mesh, setup, initial, |state, position, time| {
        [source::rate(setup, state, position, time), diffusivity(setup, state, position, time)]
    })
}

/// The same with this rate of the source and this diffusivity at a state, position and time.
fn step(
    mesh: &Mesh,
    setup: &Setup,
    initial: &Given,
    rates: impl Fn(&[f64], &[f64], f64) -> [f64; 2] + Sync,
) -> Option<f64> {
    let function = setup.law.speeds()?;
    let host = function.host?;
    let of_element = |element: usize| {
        let (geometry, position) = (mesh.geometry(element), mesh.centroid(element));
        let mut state = vec![0.0; setup.law.state.len()];
        let at = Arguments {
            parameters: &setup.parameters,
            state: &[],
            right: &[],
            normal: &[],
            position: &position[..mesh.dim],
            time: 0.0,
        };
        initial.value(&at, &mut state);
        let state = setup.with_medium(&state, at.position, mesh.groups().of(element), at.time);
        let mut speeds = vec![0.0; function.results];
        let across = geometry.normals[..mesh.shape(element).faces()].iter().map(|normal| {
            host(&Arguments { state: &state, normal: &normal[..mesh.dim], ..at }, &mut speeds);
            speeds.iter().fold(0.0, |fastest: f64, speed| fastest.max(speed.abs()))
        });
        let across: Vec<_> = across.collect();
        setup.longest_step(mesh, element, &across, rates(&state, at.position, at.time))
    };
    let step = (0..mesh.element_count()).into_par_iter().map(of_element).reduce(|| f64::INFINITY, f64::min);
    (step.is_finite() && step > 0.0).then_some(step)
}
