//! What a solver needs, known before anything is compiled or allocated.

use rayon::prelude::*;

use super::patches::Patches;
use super::point_sources::Placed;
use super::projected::Projected;
use super::state::Inventories;
use super::transfer::Transfer;
use super::{Error, Footprint, Given, Limiter, Precision, Setup, Variant, domain, linear, receivers, source};
use crate::device::{Device, Options};
use crate::law::{Arguments, Law, Shape, Unit};
use crate::mesh::{Mesh, Stars};
use crate::scheme::{Code, code};

/// What a solver of a setup on a mesh needs on a device.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Shape and order, with their generated code.
    pub(crate) unit: &'static Unit,
    /// The generated code.
    pub(crate) code: &'static Code,
    /// The schedule.
    pub(crate) schedule: Variant,
    /// The memory.
    pub(crate) memory: Footprint,
    /// How the stage and the rest of the code are compiled.
    pub(super) options: [Options; 2],
    pub(super) patches: Patches,
    pub(super) medium: Projected,
    pub(super) receivers: Vec<receivers::Placed>,
    pub(super) point_sources: Placed,
    /// The elements around every vertex, if the limiter needs them.
    pub(super) stars: Option<Stars>,
}

impl Plan {
    /// Makes the plan for a device with its free memory.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::Degree`], [`Error::Integrator`], [`Error::NoCondition`], [`Error::TooManyElements`], [`Error::TooManyCoefficients`], [`Error::Memory`],
    /// [`Error::Schedule`], [`Error::Outside`], and a mesh that the limiter cannot use.
    pub(crate) fn new(device: &Device, mesh: &Mesh, setup: &Setup) -> Result<Self, Error> {
        let law = setup.law;
        let unit = law
            .unit(setup.shape, setup.order)
            .filter(|unit| unit.shape == mesh.shape)
            .ok_or_else(|| Error::NoUnit { law: law.name, order: setup.order, known: orders(law, mesh.shape) })?;
        linear::require(setup)?;
        if setup.map.degree() > setup.order + 1 {
            return Err(Error::Degree { degree: setup.map.degree(), order: setup.order });
        }
        setup.limiter.map_or(Ok(()), |_| Limiter::require_affine(setup)).map_err(Error::Limiter)?;
        if let Some(boundary) = mesh.boundaries().get(setup.boundaries.len()) {
            let known: Vec<String> = law.boundaries().map(|f| format!("`{}`", f.name)).collect();
            return Err(Error::NoCondition { name: boundary.name.clone(), known: known.join(", ") });
        }
        let schedule = Variant::of(setup, mesh.element_count(), device)?;
        check_indices(device, mesh, setup, unit)?;
        let stars =
            setup.limiter.is_some_and(|limiter| limiter.needs_stars(mesh.shape)).then(|| mesh.stars()).transpose()?;
        let patches = Patches::new(mesh, schedule.patch);
        let medium = Projected::new(law, &setup.parameters, setup.medium.as_ref(), mesh, unit, 0.0)?;
        let receivers = receivers::Placed::all(setup, mesh, unit, &medium)?;
        let point_sources = Placed::new(setup, mesh, unit)?;
        let memory = {
            let domain = domain::inventory(mesh, setup, unit, &patches, &medium, stars.as_ref());
            let state = Inventories::new(setup, unit, mesh, &patches);
            let receivers = receivers::inventory(setup, &receivers);
            let at_points = |part| receivers.bytes(part) + point_sources.bytes(setup, mesh.dim, part);
            Footprint::new(setup, unit, mesh, |part| domain.bytes(part) + state.bytes(part) + at_points(part))
        };
        memory.check(device, setup)?;
        let options = setup.options(unit, schedule, patches.room(device.is_cuda()), medium.basis);
        Ok(Self {
            unit,
            code: code(law, unit, setup.map),
            schedule,
            memory,
            options,
            patches,
            medium,
            receivers,
            point_sources,
            stars,
        })
    }

    /// Whether the device has the code in its cache.
    pub(crate) fn is_compiled(&self, device: &Device) -> bool {
        self.options.iter().all(|options| device.has_compiled(self.code.text, options))
    }
}

/// Makes sure that the numbers of elements and coefficients fit the integers of the kernels.
fn check_indices(device: &Device, mesh: &Mesh, setup: &Setup, unit: &Unit) -> Result<(), Error> {
    let (elements, faces) = (mesh.element_count(), mesh.shape.faces());
    if elements as u128 * faces as u128 > i32::MAX as u128 {
        return Err(Error::TooManyElements { elements, most: i32::MAX as usize / faces });
    }
    let coefficients = Transfer::coefficients(setup, unit, elements).numbers();
    if !device.is_cuda() && setup.precision == Precision::Single && coefficients > i32::MAX as usize {
        return Err(Error::TooManyCoefficients { coefficients });
    }
    Ok(())
}

/// The orders for which a law has code for a shape, for messages.
fn orders(law: &Law, shape: Shape) -> String {
    let orders: Vec<String> = law.units_of(shape).map(|unit| unit.order.to_string()).collect();
    orders.join(", ")
}

/// By how many times a source shortens the first explicit step before it is taken implicitly: four explicit stages with as many solutions
/// of the source, in steps about half as long, cost about that much more than explicit steps.
const STIFF: f64 = 4.0;

/// Whether the source makes the first explicit step of a setup that much shorter than waves would.
pub(crate) fn is_stiff(mesh: &Mesh, setup: &Setup) -> bool {
    let Some(initial) = setup.initial.as_ref().filter(|_| setup.law.has_source_jacobian()) else { return false };
    let (whole, of_waves) = (first_step(mesh, setup, initial), step(mesh, setup, initial, |_, _, _| 0.0));
    whole.zip(of_waves).is_some_and(|(whole, of_waves)| of_waves >= STIFF * whole)
}

/// An estimate of the first step, from the fastest waves of the state in the middle of each element, across its faces, and the rate of
/// the source there.
/// `None` where no wave has a finite speed.
pub(crate) fn first_step(mesh: &Mesh, setup: &Setup, initial: &Given) -> Option<f64> {
    step(mesh, setup, initial, |state, position, time| source::rate(setup, state, position, time))
}

/// The same with this rate of the source at a state, position and time.
fn step(mesh: &Mesh, setup: &Setup, initial: &Given, rate: impl Fn(&[f64], &[f64], f64) -> f64 + Sync) -> Option<f64> {
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
        let across = geometry.normals[..mesh.shape.faces()].iter().map(|normal| {
            host(&Arguments { state: &state, normal: &normal[..mesh.dim], ..at }, &mut speeds);
            speeds.iter().fold(0.0, |fastest: f64, speed| fastest.max(speed.abs()))
        });
        let across: Vec<_> = across.collect();
        setup.longest_step(mesh, element, &across, rate(&state, at.position, at.time))
    };
    let step = (0..mesh.element_count()).into_par_iter().map(of_element).reduce(|| f64::INFINITY, f64::min);
    (step.is_finite() && step > 0.0).then_some(step)
}
