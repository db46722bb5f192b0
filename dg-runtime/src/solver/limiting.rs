//! What limits the result of a stage: kernels, and the buffers in which they tell each other what they have found.

use crate::device::{Buffer, Device, Kernel, Module, args};
use crate::law::{Law, Role, Unit};
use crate::mesh::{Mesh, MeshError, Stars};

use super::domain::upload;
use super::layout::{pack, padded};
use super::reduce::{Operation, Reduction};
use super::{Error, Limiter, Setup, Solver};

/// A limiter on a device.
pub(super) struct Limiting {
    /// Finds the troubled elements, where that is asked for.
    indicator: Option<Indicating>,
    /// Gathers the derivatives that the limiter looks at, where it does.
    gather: Option<Kernel>,
    /// Finds the bounds that the limiter keeps to, where it does.
    bound: Option<Kernel>,
    limit: Kernel,
    buffers: Buffers,
}

/// An indicator on a device.
struct Indicating {
    indicate: Kernel,
    /// Finds of every element what is reduced to what is large in this solution.
    square: Kernel,
    squares: Reduction,
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
pub(super) fn stars(setup: &Setup, mesh: &Mesh) -> Result<Option<Stars>, MeshError> {
    setup.limiter.is_some_and(Limiter::needs_stars).then(|| mesh.stars()).transpose()
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
        let indicating = || -> Result<_, Error> {
            let n = mesh.element_count();
            Ok(Indicating {
                indicate: module.kernel("indicate")?,
                square: module.kernel("squares")?,
                squares: Reduction::new(device, module, setup.precision, n, padded(n), 1)?,
            })
        };
        let kernel = |needed: bool, name| needed.then(|| module.kernel(name)).transpose();
        Ok(Some(Self {
            indicator: limiter.indicator.map(|_| indicating()).transpose()?,
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
            let n = mesh.element_count();
            let squares = limiter.indicator.map_or(0, |_| Reduction::numbers(n, padded(n), 1));
            (squares + troubled + moments + least) * setup.precision.bytes() + (corners + around) * size_of::<i32>()
        })
    }

    pub(super) fn buffers(&self) -> impl Iterator<Item = &Buffer> {
        let Buffers { troubled, moments, least, corners, around, valence: _ } = &self.buffers;
        let squares = self.indicator.iter().flat_map(|indicator| indicator.squares.buffers());
        [troubled, moments, least, corners, around].into_iter().chain(squares)
    }
}

impl Solver {
    /// Limits the solution as it is, as initial data are limited: what no step has made.
    ///
    /// # Errors
    /// The device's own.
    pub fn limit(&mut self) -> Result<(), Error> {
        self.begin_limiting(self.current)?;
        self.limit_stage([self.current; 2], 0.0, false)
    }

    /// Which elements the indicator has found troubled in the last stage of the last step, where the limiter could act; of a
    /// solution that no step has made, those that it finds there. `None` where there is no indicator.
    ///
    /// # Errors
    /// The device's own.
    pub fn troubled(&self) -> Result<Option<Vec<bool>>, Error> {
        let Some(limiting) = &self.limiting else { return Ok(None) };
        let Some(Indicating { indicate, squares, .. }) = &limiting.indicator else { return Ok(None) };
        let (n, troubled) = (self.mesh.element_count(), &limiting.buffers.troubled);
        if self.clock()?.steps == 0 {
            self.begin_limiting(self.current)?;
            let args = args! { u: self.solution(), largest: squares.result(), troubled: troubled };
            self.device.launch(indicate, n, &args)?;
        }
        let flags = self.setup.precision.read(&self.device, troubled, padded(n))?;
        Ok(Some(flags[..n].iter().map(|flag| *flag > 0.0).collect()))
    }

    /// Finds what a limiter has to know of a register before a step from there.
    pub(super) fn begin_limiting(&self, register: usize) -> Result<(), Error> {
        let Some(limiting) = &self.limiting else { return Ok(()) };
        // With an indicator it is not known yet where bounds are needed.
        let Some(Indicating { square, squares, .. }) = &limiting.indicator else {
            return self.find_bounds(limiting, register);
        };
        let args = args! { u: &self.registers[register].coefficients, squares: &squares.values };
        self.device.launch(square, self.mesh.element_count(), &args)?;
        squares.launch(&self.device, 1, Operation::Max).map(drop)
    }

    fn find_bounds(&self, limiting: &Limiting, register: usize) -> Result<(), Error> {
        let Some(kernel) = &limiting.bound else { return Ok(()) };
        let args = args! {
            u: &self.registers[register].coefficients,
            neighbours: &self.domain.neighbours,
            troubled: &limiting.buffers.troubled,
            least: &limiting.buffers.least,
        };
        Ok(self.device.launch(kernel, self.mesh.element_count(), &args)?)
    }

    /// Limits what a stage of a step from register `start` has left in register `to`, `c` steps after the start.
    pub(super) fn limit_stage(&self, [start, to]: [usize; 2], c: f64, in_step: bool) -> Result<(), Error> {
        let Some(limiting) = &self.limiting else { return Ok(()) };
        let Buffers { troubled, moments, least, corners, around, valence } = &limiting.buffers;
        let (before, after) = (&self.registers[start], &self.registers[to]);
        if let Some(Indicating { indicate, squares, .. }) = &limiting.indicator {
            let args = args! { u: &after.coefficients, largest: squares.result(), troubled: troubled };
            self.device.launch(indicate, self.mesh.element_count(), &args)?;
            self.find_bounds(limiting, start)?;
        }
        if let Some(kernel) = &limiting.gather {
            let args = args! {
                u: &after.coefficients,
                inverse_jacobian: &self.domain.inverse_jacobian,
                corners: corners,
                around: around,
                valence: *valence,
                troubled: troubled,
                moments: moments,
            };
            self.device.launch(kernel, self.mesh.element_count(), &args)?;
        }
        let args = args! {
            u: &after.coefficients,
            records: &after.records,
            links: &self.domain.links,
            boundary_records: &self.domain.boundary_records,
            before: &before.coefficients,
            inverse_jacobian: &self.domain.inverse_jacobian,
            moments: moments,
            least: least,
            corners: corners,
            around: around,
            valence: *valence,
            troubled: troubled,
            clock: &self.clock,
            bounds: &self.bounds.values,
            elements: self.mesh.element_count(),
            c: c,
            in_step: in_step,
            ..self.domain.surroundings()
        };
        Ok(self.device.launch(&limiting.limit, self.mesh.element_count(), &args)?)
    }
}
