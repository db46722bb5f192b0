//! From a case to a mesh and a solver.

use super::boundaries::ABSORBING;
use super::picture::require_parts;
use super::{Case, CaseError, Initial, MeshOrigin, Mistake, RestartError};
use crate::law::Shape;
use crate::law::geometry::Map;
use crate::mesh::{Mesh, MeshError, check_size, gmsh};
use crate::names::unknown;
use crate::solver::{self, Condition, Given, Measured, Setup, Solver, is_stiff, with_fewest_stages};

impl Case {
    /// Makes or reads the mesh, with its curves, periods and refinements.
    ///
    /// # Errors
    ///
    /// Any defect of the mesh, curves or conditions for boundaries that it lacks, and pictures of regions outside of it.
    pub fn build_mesh(&self) -> Result<Mesh, CaseError> {
        let mut mesh = self.coarse_mesh()?;
        self.places.check(&mesh)?;
        for (boundary, curve) in &self.mesh.curves {
            mesh.set_curve(boundary, curve.clone()).map_err(|error| self.places.at_curve(boundary, error))?;
        }
        mesh = mesh.with_periods(&self.periodic)?;
        for _ in 0..self.mesh.refine {
            mesh = mesh.refined()?;
        }
        mesh = mesh.with_degree(self.mesh.degree).map_err(|error| self.places.at_degree(error))?;
        if let MeshOrigin::Rectangle(rectangle) = &self.mesh.origin {
            mesh = rectangle.bent(mesh)?;
        }
        require_parts(&self.output.pictures, &mesh)?;
        mesh = mesh.with_orders(&self.orders).renumbered_in(self.law.cuda_block(self.order));
        self.places.check_orders(&mesh, self.order, self.time.integrator)?;
        Ok(mesh)
    }

    /// Makes sure that the mesh, after its refinements, fits the machine. Returns the shapes of its elements.
    ///
    /// # Errors
    ///
    /// A file that is no valid mesh; [`MeshError::TooLarge`], [`MeshError::TooMuchMemory`].
    pub fn check_size(&self) -> Result<Vec<Shape>, MeshError> {
        self.coarse_mesh().map(|mesh| mesh.elements().shapes())
    }

    /// The mesh before refinement; it has been checked that the refined one fits the machine.
    fn coarse_mesh(&self) -> Result<Mesh, MeshError> {
        let check = |shape: Shape, coarse: f64| check_size(shape, coarse, self.mesh.refine);
        match &self.mesh.origin {
            MeshOrigin::File(_) => {}
            MeshOrigin::Rectangle(rectangle) => check(rectangle.shape, rectangle.element_count())?,
            MeshOrigin::QuarterAnnulus(annulus) => check(annulus.shape, annulus.element_count())?,
            MeshOrigin::Disc(disc) => check(Shape::Triangle, disc.element_count())?,
            MeshOrigin::ForwardStep(channel) => check(channel.shape, channel.element_count())?,
            MeshOrigin::Block(block) => check(block.shape, block.element_count())?,
        }
        let mesh = match &self.mesh.origin {
            MeshOrigin::File(path) => gmsh::read(path)?,
            MeshOrigin::Rectangle(rectangle) => rectangle.mesh()?,
            MeshOrigin::QuarterAnnulus(annulus) => annulus.mesh()?,
            MeshOrigin::Disc(disc) => disc.mesh()?,
            MeshOrigin::ForwardStep(channel) => channel.mesh()?,
            MeshOrigin::Block(block) => block.mesh()?,
        };
        mesh.elements().shapes().into_iter().try_for_each(|shape| check(shape, mesh.element_count() as f64))?;
        Ok(mesh)
    }

    /// Makes sure that a mesh has the points of measured lines and planes.
    ///
    /// # Errors
    ///
    /// The first file with a point outside.
    pub fn check_measured_points(&self, mesh: &Mesh) -> Result<(), CaseError> {
        Ok(self.measure.iter().try_for_each(|measure| measure.check_points(mesh))?)
    }

    /// A solver's error as a mistake at its place in the case file, if it is one of the medium that the file gives.
    pub fn mistake(&self, error: &solver::Error) -> Option<Mistake> {
        match error {
            solver::Error::Medium { field, .. } => self.places.at_medium(Some(field), error),
            solver::Error::MediumOutside { .. } => self.places.at_medium(None, error),
            _ => None,
        }
    }

    /// The setup of a solver on this mesh. Where the case leaves the integrator open, the source is taken implicitly if it makes the first
    /// explicit step much shorter than waves would; where it leaves the number of stages open, it follows from the first step, too.
    ///
    /// # Errors
    ///
    /// A boundary of the mesh without a condition, or a condition for no boundary; a receiver or a point source outside of the mesh.
    pub fn setup(&self, mesh: &Mesh) -> Result<Setup, CaseError> {
        self.places.check_points(mesh)?;
        let shapes = mesh.elements().shapes();
        let explicit = Setup {
            law: self.law,
            // A solver sets both for each section.
            shape: mesh.shape(0),
            map: mesh.sections().first().map_or(Map::Affine, |section| section.map),
            order: self.order,
            parameters: self.parameters.clone(),
            literal_parameters: self.literal_parameters,
            numerical_flux: self.numerical_flux,
            viscous: self.viscous,
            boundaries: self.conditions(mesh)?,
            medium: self.medium.clone(),
            initial: match &self.initial {
                Initial::Function(function) => Some(Given::Function(function)),
                Initial::Formulas(formulas) => Some(Given::Formulas(formulas.clone())),
                Initial::From { .. } => None,
            },
            exact: self.exact.clone(),
            integrator: self.time.integrator,
            cfl: self.cfl(&shapes),
            tolerance: self.time.tolerance,
            face_share: self.face_share(&shapes),
            step_every: self.time.step_every,
            limiter: self.limiter,
            well_balanced: self.well_balanced,
            point_sources: self.point_sources.clone(),
            receivers: self.receivers.as_ref().map_or_else(Vec::new, |receivers| receivers.points.clone()),
            measured: self.measure.as_ref().map_or_else(Measured::default, |measure| measure.measured.clone()),
            precision: self.precision,
            schedule: self.schedule,
        };
        Ok(match () {
            () if self.time.automatic && is_stiff(mesh, &explicit) => explicit.with_implicit_source(),
            () if self.time.chooses_stages => with_fewest_stages(mesh, &explicit),
            () => explicit,
        })
    }

    /// The condition on every boundary of the mesh, in the mesh's order.
    fn conditions(&self, mesh: &Mesh) -> Result<Vec<Condition>, CaseError> {
        let names: Vec<&str> = mesh.boundaries().iter().map(|boundary| boundary.name.as_str()).collect();
        if let Some(name) = self.boundaries.keys().find(|name| !names.contains(&name.as_str())) {
            let message = unknown("boundary", name, &names);
            return Err(CaseError::NoBoundary { path: self.path.clone(), message });
        }
        let condition = |(index, name): (usize, &str)| {
            self.boundaries.get(name).cloned().ok_or_else(|| {
                let functions = self.law.boundaries().map(|function| function.name);
                let derived = self.law.algebra.far_field.is_ok().then_some(ABSORBING);
                let functions = functions.chain(derived).map(|name| format!("`{name}`"));
                let offered = mesh.offered_period(index);
                let offered = offered.map(|other| format!("`{{ periodic = \"{other}\" }}` as the file offers"));
                let known = functions.chain(offered).collect::<Vec<_>>().join(", ");
                CaseError::NoCondition { path: self.path.clone(), name: name.to_owned(), known }
            })
        };
        names.into_iter().enumerate().map(condition).collect()
    }

    /// Sets a solver of this case to the initial state, at time 0 or that of its checkpoint.
    ///
    /// # Errors
    ///
    /// Errors of the device; a checkpoint that cannot be used.
    pub fn project(&self, solver: &mut Solver) -> Result<(), RestartError> {
        match &self.initial {
            Initial::From { path, .. } => self.restart(path, solver),
            Initial::Function(_) | Initial::Formulas(_) => Ok(solver.project(0.0)?),
        }
    }
}
