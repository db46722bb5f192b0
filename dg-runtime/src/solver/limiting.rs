//! What limits the result of a stage: kernels, and the buffers in which they tell each other what they have found.

use crate::device::{Arg, Buffer, Device, Kernel, Module};
use crate::law::{Law, Role, Unit};
use crate::mesh::{Mesh, Stars};

use super::domain::upload;
use super::layout::{pack, padded};
use super::{Error, Limiter, Setup, Solver};

/// A limiter on a device.
pub(super) struct Limiting {
    /// Finds the troubled elements, where there is an indicator.
    indicate: Option<Kernel>,
    /// Gathers the derivatives that the limiter looks at, where it does.
    gather: Option<Kernel>,
    /// Finds the bounds that the limiter keeps to, where it does.
    bound: Option<Kernel>,
    limit: Kernel,
    buffers: Buffers,
}

/// Each is a single number where the limiter does not need it.
struct Buffers {
    /// Of every element: 1 where it is troubled.
    troubled: Buffer,
    /// The linear parts of all derivatives.
    moments: Buffer,
    /// The least of the law's bounded quantities before a step.
    least: Buffer,
    /// `[corner]` per element: its vertex.
    corners: Buffer,
    /// Of every vertex, `[valence]`: elements.
    around: Buffer,
    /// The most elements that meet at a vertex.
    valence: usize,
}

/// How many numbers the buffers hold.
struct Sizes {
    troubled: usize,
    moments: usize,
    least: usize,
    corners: usize,
    around: usize,
}

impl Sizes {
    fn new(limiter: Limiter, law: &Law, unit: &Unit, mesh: &Mesh, stars: Option<&Stars>) -> Self {
        let of_elements = |needed: bool, fields: usize| if needed { padded(mesh.element_count()) * fields } else { 1 };
        let bounded = law.with_role(Role::MinimumPrinciple).map(|function| function.results).sum();
        Self {
            troubled: of_elements(limiter.indicator.is_some(), 1),
            moments: of_elements(limiter.needs_stars(), law.state.len() * unit.moments),
            least: of_elements(limiter.needs_bounds(law), bounded),
            corners: of_elements(stars.is_some(), mesh.shape.corners()),
            around: stars.map_or(1, |stars| stars.elements.len()),
        }
    }
}

/// The elements around every vertex, where a setup's limiter looks at them.
pub(super) fn stars(setup: &Setup, mesh: &Mesh) -> Option<Stars> {
    setup.limiter.is_some_and(Limiter::needs_stars).then(|| mesh.stars())
}

impl Limiting {
    /// What a setup asks for, with the mesh's stars where it needs them.
    pub(super) fn new(
        device: &Device,
        module: &Module,
        setup: &Setup,
        unit: &Unit,
        mesh: &Mesh,
        stars: Option<&Stars>,
    ) -> Result<Option<Self>, Error> {
        let Some(limiter) = setup.limiter else { return Ok(None) };
        let sizes = Sizes::new(limiter, setup.law, unit, mesh, stars);
        let reals = |numbers| setup.precision.allocate(device, numbers);
        let corners = |stars: &Stars| {
            let count = mesh.shape.corners();
            let of_element = |e: usize, v: &mut [i32]| {
                for (vertex, &number) in v.iter_mut().zip(&stars.corners[e * count..]) {
                    *vertex = number as i32;
                }
            };
            pack(setup.precision.block(device), mesh.element_count(), count, of_element)
        };
        let around = |stars: &Stars| stars.elements.iter().map(|&element| element as i32).collect::<Vec<_>>();
        let buffers = Buffers {
            troubled: reals(sizes.troubled)?,
            moments: reals(sizes.moments)?,
            least: reals(sizes.least)?,
            corners: upload(device, &stars.map_or(vec![0], corners))?,
            around: upload(device, &stars.map_or(vec![0], around))?,
            valence: stars.map_or(0, |stars| stars.valence),
        };
        let kernel = |needed: bool, name| needed.then(|| module.kernel(name)).transpose();
        Ok(Some(Self {
            indicate: kernel(limiter.indicator.is_some(), "indicate")?,
            gather: kernel(limiter.needs_stars(), "moments")?,
            bound: kernel(limiter.needs_bounds(setup.law), "least")?,
            limit: module.kernel("limit")?,
            buffers,
        }))
    }

    /// Bytes of all buffers.
    pub(super) fn bytes(setup: &Setup, unit: &Unit, mesh: &Mesh, stars: Option<&Stars>) -> usize {
        setup.limiter.map_or(0, |limiter| {
            let Sizes { troubled, moments, least, corners, around } = Sizes::new(limiter, setup.law, unit, mesh, stars);
            (troubled + moments + least) * setup.precision.bytes() + (corners + around) * size_of::<i32>()
        })
    }

    pub(super) fn buffers(&self) -> [&Buffer; 5] {
        let Buffers { troubled, moments, least, corners, around, valence: _ } = &self.buffers;
        [troubled, moments, least, corners, around]
    }
}

impl Solver {
    /// Limits the solution as it is, as initial data are limited: what no step has made.
    ///
    /// # Errors
    /// The device's own.
    pub fn limit(&mut self) -> Result<(), Error> {
        self.bound_step(self.current)?;
        self.limit_stage([self.current; 2], 0.0, false)
    }

    /// Finds what bounds a step from a register, where that takes no indicator.
    pub(super) fn bound_step(&self, register: usize) -> Result<(), Error> {
        match &self.limiting {
            Some(limiting @ Limiting { indicate: None, .. }) => self.find_bounds(limiting, register),
            _ => Ok(()),
        }
    }

    fn find_bounds(&self, limiting: &Limiting, register: usize) -> Result<(), Error> {
        let Some(kernel) = &limiting.bound else { return Ok(()) };
        let args = [
            Arg::Buffer(&self.registers[register].coefficients),
            Arg::Buffer(&self.domain.neighbours),
            Arg::Buffer(&limiting.buffers.troubled),
            Arg::Buffer(&limiting.buffers.least),
        ];
        Ok(self.device.launch(kernel, self.mesh.element_count(), &args)?)
    }

    /// Limits what a stage of a step from register `start` has left in register `to`, `c` steps after the start.
    pub(super) fn limit_stage(&self, [start, to]: [usize; 2], c: f64, in_step: bool) -> Result<(), Error> {
        let Some(limiting) = &self.limiting else { return Ok(()) };
        let Buffers { troubled, moments, least, corners, around, valence } = &limiting.buffers;
        let (before, after) = (&self.registers[start], &self.registers[to]);
        if let Some(kernel) = &limiting.indicate {
            let args = [Arg::Buffer(&after.coefficients), Arg::Buffer(troubled)];
            self.device.launch(kernel, self.mesh.element_count(), &args)?;
            // Only now it is known where bounds are needed.
            self.find_bounds(limiting, start)?;
        }
        if let Some(kernel) = &limiting.gather {
            let args = [
                Arg::Buffer(&after.coefficients),
                Arg::Buffer(&self.domain.inverse_jacobian),
                Arg::Buffer(corners),
                Arg::Buffer(around),
                Arg::Int(*valence as i64),
                Arg::Buffer(troubled),
                Arg::Buffer(moments),
            ];
            self.device.launch(kernel, self.mesh.element_count(), &args)?;
        }
        let args = [
            Arg::Buffer(&after.coefficients),
            Arg::Buffer(&after.traces),
            Arg::Buffer(&before.coefficients),
            Arg::Buffer(&self.domain.normals),
            Arg::Buffer(&self.domain.neighbours),
            Arg::Buffer(&self.domain.conditions),
            Arg::Buffer(&self.domain.boundary_normals),
            Arg::Buffer(&self.domain.map),
            Arg::Buffer(&self.domain.sizes),
            Arg::Buffer(&self.domain.inverse_jacobian),
            Arg::Buffer(moments),
            Arg::Buffer(least),
            Arg::Buffer(corners),
            Arg::Buffer(around),
            Arg::Int(*valence as i64),
            Arg::Buffer(troubled),
            Arg::Buffer(&self.clock),
            Arg::Buffer(&self.longest.values),
            Arg::Int(self.mesh.element_count() as i64),
            Arg::Real(c),
            Arg::Int(i64::from(in_step)),
        ];
        Ok(self.device.launch(&limiting.limit, self.mesh.element_count(), &args)?)
    }
}
