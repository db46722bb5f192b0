//! What a solver takes, known before anything is compiled or allocated.

use rayon::prelude::*;

use super::patches::Patches;
use super::{Error, Footprint, Given, Setup, Variant, limiting, orders};
use crate::device::{Device, Options};
use crate::law::{Arguments, Role, Unit};
use crate::mesh::{Mesh, Stars};
use crate::scheme::{Code, code};

/// What a solver of a setup on a mesh takes on a device.
#[derive(Debug)]
pub struct Plan {
    /// Shape and order.
    pub unit: &'static Unit,
    /// The generated code.
    pub code: &'static Code,
    /// The schedule.
    pub schedule: Variant,
    /// The memory.
    pub memory: Footprint,
    pub(super) options: Options,
    pub(super) patches: Patches,
    pub(super) stars: Option<Stars>,
}

impl Plan {
    /// The plan, of what the device has room for.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::NoCondition`], [`Error::TooManyElements`], [`Error::Memory`], [`Error::Schedule`].
    pub fn new(device: &Device, mesh: &Mesh, setup: &Setup) -> Result<Self, Error> {
        let law = setup.law;
        let unit = law.unit(mesh.shape, setup.order).ok_or_else(|| Error::NoUnit {
            law: law.name,
            order: setup.order,
            known: orders(law),
        })?;
        if let Some(boundary) = mesh.boundaries().get(setup.boundaries.len()) {
            let known: Vec<String> = law.boundaries().map(|f| format!("`{}`", f.name)).collect();
            return Err(Error::NoCondition { name: boundary.name.clone(), known: known.join(", ") });
        }
        let schedule = Variant::of(setup, mesh.element_count(), device)?;
        let stars = limiting::stars(setup, mesh)?;
        let patches = Patches::new(mesh, schedule.patch);
        let memory = Footprint::new(setup, unit, mesh, &patches, stars.as_ref());
        memory.check(device, setup)?;
        let options = setup.options(unit, schedule, patches.rim);
        Ok(Self { unit, code: code(law, unit), schedule, memory, options, patches, stars })
    }

    /// Whether the device has the code in its cache.
    pub fn is_compiled(&self, device: &Device) -> bool {
        device.has_compiled(self.code.text, &self.options)
    }
}

/// About how long the first step may be, with the fastest waves of the state in the middle of each element, across its faces.
/// `None` where no wave has a finite speed.
pub fn first_step(mesh: &Mesh, setup: &Setup, initial: &Given) -> Option<f64> {
    let function = setup.law.with_role(Role::Eigenvalues).next()?;
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
        let mut speeds = vec![0.0; function.results];
        let across = geometry.normals[..mesh.shape.faces()].iter().map(|normal| {
            host(&Arguments { state: &state, normal: &normal[..mesh.dim], ..at }, &mut speeds);
            speeds.iter().fold(0.0, |fastest: f64, speed| fastest.max(speed.abs()))
        });
        setup.longest_step(mesh, element, &across.collect::<Vec<_>>())
    };
    let step = (0..mesh.element_count()).into_par_iter().map(of_element).reduce(|| f64::INFINITY, f64::min);
    (step.is_finite() && step > 0.0).then_some(step)
}
