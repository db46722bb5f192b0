//! The description of a computation: what to solve, and how.

mod condition;
mod given;
mod jump;
mod measured;
mod medium;
mod point_source;
mod receiver;
pub(super) mod schedule;
mod tolerance;
mod viscous_scheme;

pub use condition::{Choice, Condition};
pub use given::Given;
pub use measured::{Measured, Quantities};
pub use medium::{Medium, MediumOrigin};
pub(crate) use point_source::require_no_tolerance;
pub use point_source::{PointSource, Rate};
pub use receiver::Receiver;
pub(crate) use schedule::{ELEMENTS_FILL_CUDA, reason_against};
pub use schedule::{PATCHES, Variant, exists};
pub use tolerance::Tolerance;
pub use viscous_scheme::ViscousScheme;

use super::layout::Layout;
use super::{Error, Integrator, Limiter, Precision, Stage};
use crate::device::Device;
use crate::law::geometry::Map;
use crate::law::{Arguments, Function, Law, Role, Schedule, Shape};
use crate::mesh::Mesh;

/// Steps between two looks at a solution whose waves never change their speeds.
const CHECKED_EVERY: u64 = 12;

/// The description of a computation: what to solve, and how.
///
/// Start from [`Setup::new`] and change what the computation needs:
///
/// ```no_run
/// # use dg_runtime::{law::Law, solver::{Error, Integrator, Precision, Setup}};
/// # fn setup(law: &'static Law) -> Result<Setup, Error> {
/// Ok(Setup { integrator: Integrator::SspRk3, cfl: 0.3, precision: Precision::Single, ..Setup::new(law, 3)? })
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Setup {
    /// The law.
    pub law: &'static Law,
    /// The shape of the elements; a solver takes it from the mesh.
    pub shape: Shape,
    /// The kind of the elements' maps; a solver takes it from the mesh.
    pub map: Map,
    /// Polynomial degree.
    pub order: usize,
    /// A value for every parameter of the law, in its order.
    pub parameters: Vec<f64>,
    /// Whether these values are literals in the generated code, which is then compiled anew for other values.
    pub literal_parameters: bool,
    /// The numerical flux, one of the law's.
    pub numerical_flux: &'static Function,
    /// How a viscous flux is discretised.
    pub viscous: ViscousScheme,
    /// The condition on every boundary of the mesh, in the mesh's order.
    pub boundaries: Vec<Condition>,
    /// The medium, for a law that has one.
    pub medium: Option<Medium>,
    /// Initial data that the device projects, if it does.
    pub initial: Option<Given>,
    /// The exact solution for errors; if a source was derived from it, the source is added to the law.
    pub exact: Option<Given>,
    /// The Runge–Kutta method.
    pub integrator: Integrator,
    /// Courant number: the step is at most cfl / ((2p + 1) √(Σ_f (λ_f c_f)²)) for every element, with the fastest waves λ_f at
    /// its faces f and its [crossings](Mesh::crossings) c_f. For waves of one speed λ on equilateral triangles of one size
    /// this is cfl h / ((2p + 1) λ), h the diameter of the inscribed circle. With a tolerance it bounds only the first step.
    pub cfl: f64,
    /// The part of an element's volume that may pass one of its faces in a step, λ Δt |f| / |K|, if that is bounded:
    /// see [`Integrator::face_share`].
    pub face_share: Option<f64>,
    /// The tolerated error of a step, if it controls the step size.
    pub tolerance: Option<Tolerance>,
    /// Number of steps for which one step size serves, at least 1; with a tolerance 1. If `None` 12 of ADER where the
    /// medium does not change with time, since no wave changes its speed there, else 1.
    pub step_every: Option<u64>,
    /// How the solution is limited after every stage, if at all.
    pub limiter: Option<Limiter>,
    /// A steady exact solution of the law whose residual is subtracted from every residual, so that the scheme keeps it to rounding.
    pub well_balanced: Option<&'static Function>,
    /// Sources at points.
    pub point_sources: Vec<PointSource>,
    /// Points at which the solution is recorded.
    pub receivers: Vec<Receiver>,
    /// What is measured.
    pub measured: Measured,
    /// The floating-point type.
    pub precision: Precision,
    /// How the work on an element is divided among threads; `None` for the schedule expected to be fastest.
    pub schedule: Option<Variant>,
}

impl Setup {
    /// The defaults of a case, for a law with polynomials of degree `order` on triangles: the default of every parameter (an arbitrary admissible
    /// value for one without a default), Rusanov's flux or else the law's first, the
    /// [recommended](Integrator::recommended) integrator for solutions without limiter at its
    /// [default Courant number](Integrator::default_cfl), and double precision. There are no boundaries, and neither initial nor
    /// exact data.
    ///
    /// # Errors
    /// [`Error::NoNumericalFlux`].
    pub fn new(law: &'static Law, order: usize) -> Result<Self, Error> {
        Self::on(Shape::Triangle, law, order)
    }

    /// The same on elements of another shape.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn on(shape: Shape, law: &'static Law, order: usize) -> Result<Self, Error> {
        let rusanov = law.function(Role::NumericalFlux, "rusanov");
        let numerical_flux = rusanov.or_else(|| law.with_role(Role::NumericalFlux).next());
        let integrator = Integrator::recommended(false);
        Ok(Self {
            law,
            shape,
            map: Map::Affine,
            order,
            parameters: law.parameters.iter().map(|parameter| parameter.example()).collect(),
            literal_parameters: false,
            numerical_flux: numerical_flux.ok_or(Error::NoNumericalFlux { law: law.name })?,
            viscous: ViscousScheme::default(),
            boundaries: Vec::new(),
            medium: Medium::example(law),
            initial: None,
            exact: None,
            integrator,
            cfl: integrator.default_cfl(shape, order),
            face_share: None,
            tolerance: None,
            step_every: None,
            limiter: None,
            well_balanced: None,
            point_sources: Vec::new(),
            receivers: Vec::new(),
            measured: Measured::default(),
            precision: Precision::Double,
            schedule: None,
        })
    }

    /// The same with the source taken implicitly, at the default Courant number of the method.
    pub fn with_implicit_source(self) -> Self {
        let integrator = Integrator::Ars443;
        Self { integrator, cfl: integrator.default_cfl(self.shape, self.order), ..self }
    }

    /// Whether a device runs this with a schedule.
    pub(super) fn runs(&self, schedule: Schedule, device: &Device) -> bool {
        self.reason_against(schedule, device).is_none()
    }

    /// Why a device does not run this with a schedule, if so.
    fn reason_against(&self, schedule: Schedule, device: &Device) -> Option<String> {
        match schedule {
            Schedule::Pair | Schedule::Triple | Schedule::Tensor if !device.is_cuda() => {
                Some("it is for CUDA alone".to_owned())
            }
            Schedule::Tensor if !device.has_double_tensors() || self.precision != Precision::Double => {
                Some("it needs a device of compute capability 8.0 or later, and double precision".to_owned())
            }
            _ => reason_against(schedule, self.law, (self.shape, self.map), self.order),
        }
    }

    /// The schedule for so many elements: the one that it asks for, or the one expected to be fastest.
    ///
    /// # Errors
    /// [`Error::Schedule`].
    pub(super) fn variant(&self, elements: usize, device: &Device) -> Result<Variant, Error> {
        let expected = || {
            let tensors = self.runs(Schedule::Tensor, device);
            Variant::expected(self.law, (self.shape, self.map), self.order, elements, device.is_cuda(), tensors)
        };
        let variant = self.schedule.unwrap_or_else(expected);
        let excess = || if device.is_cuda() { variant.excess(self.law, self.order) } else { None };
        if let Some(reason) = self.reason_against(variant.schedule, device).or_else(excess) {
            return Err(Error::Schedule { schedule: variant.to_string(), reason });
        }
        Ok(Variant { blocks: variant.blocks.filter(|_| device.is_cuda()), ..variant })
    }

    /// How numbers of elements lie in memory.
    pub(super) fn layout(&self) -> Layout {
        Layout { precision: self.precision, cuda_block: self.law.cuda_block(self.order) }
    }

    /// The medium, if it depends on time.
    pub(super) fn changing_medium(&self) -> Option<&Medium> {
        self.medium.as_ref().filter(|medium| !self.law.medium.is_empty() && medium.changes(self.law))
    }

    /// Whether ADER's predictor gives the mean over the step, from which one stage computes the step.
    pub(super) fn predicts_mean(&self) -> bool {
        self.integrator.has_predictor() && self.changing_medium().is_none()
    }

    /// Whether ADER's predictor gives the solution as a series in time, from which stages at several times compute the step: as the medium
    /// depends on time, too, the mean of the flux is not the flux of the mean.
    pub(crate) fn predicts_series(&self) -> bool {
        self.integrator.has_predictor() && self.changing_medium().is_some()
    }

    /// Number of steps for which one step size serves. ADER needs a law whose waves have the same speeds in all states, so that, where
    /// the medium does not change with time, the size never changes: only so often is it looked whether the solution is finite.
    pub(crate) fn step_every(&self) -> u64 {
        self.step_every.unwrap_or(if self.predicts_mean() { CHECKED_EVERY } else { 1 })
    }

    /// The stages of a step.
    pub(crate) fn stages(&self) -> &'static [Stage] {
        if self.predicts_series() { Integrator::stages_of_series(self.order) } else { self.integrator.stages() }
    }

    /// The key of a case that shortens steps.
    pub(crate) fn step_key(&self) -> &'static str {
        if self.tolerance.is_some() { "tolerance" } else { "cfl" }
    }

    /// The bound that [`face_share`](Self::face_share) sets, in the form that kernels use: at Courant number 1 a step is no longer than one
    /// over this many times the largest λ |f| / det J. It is 0 where nothing is set.
    pub(super) fn passing(&self, shape: Shape) -> f64 {
        self.face_share.map_or(0.0, |share| self.cfl / (share * shape.measure()))
    }

    /// The factor of the source's rate in the inverse of the longest step at Courant number 1: see `source.cu`. It is 0 where the source
    /// bounds no step.
    pub(super) fn source_share(&self) -> f64 {
        if self.law.has_source_jacobian() { self.cfl / self.integrator.source_interval() } else { 0.0 }
    }

    /// The same before the first step. One that the source does not bound takes a quarter of the source's own time nevertheless, since what
    /// decays within the step must not act for all of it: steps grow from there.
    pub(super) fn first_source_share(&self) -> f64 {
        match self.source_share() {
            0.0 if self.law.has_source_jacobian() => 4.0 * self.cfl,
            share => share,
        }
    }

    /// The factor of the rate of diffusion in the inverse of the longest step at Courant number 1: see `viscous.cu`.
    pub(super) fn viscous_share(&self) -> f64 {
        if !self.law.is_viscous() {
            return 0.0;
        }
        let (integrator, shape, order) = (self.integrator, self.shape, self.order);
        integrator.stable_cfl(shape, order) * self.viscous.rate(shape, order, self.map)
            / integrator.diffusion_interval()
    }

    /// The longest step that waves of these speeds, one for each face, a source of this rate and this diffusivity allow in an element.
    pub(super) fn longest_step(
        &self,
        mesh: &Mesh,
        element: usize,
        speeds: &[f64],
        [rate, diffusivity]: [f64; 2],
    ) -> f64 {
        let (geometry, crossings) = (mesh.geometry(element), mesh.crossings(element));
        let rates = speeds.iter().zip(crossings).map(|(speed, crossing)| speed * crossing);
        let of_waves = mesh.shape(element).sum_of_rates(rates);
        let through =
            speeds.iter().zip(geometry.face_lengths).map(|(speed, length)| speed * length / geometry.determinant);
        let rate_of_waves = ((2 * self.order + 1) as f64 * of_waves)
            .max(self.passing(mesh.shape(element)) * through.fold(0.0, f64::max));
        let of_diffusion = diffusivity * crossings.iter().map(|crossing| crossing * crossing).sum::<f64>();
        self.cfl / (rate_of_waves + self.source_share() * rate + self.viscous_share() * of_diffusion)
    }

    /// Whether the solution at receivers is known within a step by its Taylor series in time, as by ADER's predictor; a source that does not
    /// vanish with the state is not part of the series.
    pub fn has_series(&self) -> bool {
        let is_zero = |source: &Function| {
            let mut value = vec![0.0; source.results];
            if let Some(host) = source.host {
                let medium = Medium::of_samples(self.law).next().unwrap_or_default();
                let state = [vec![0.0; self.law.state.len()], medium].concat();
                host(&self.arguments(&state, &[], &[0.3, 0.7][..self.law.dim], 0.1), &mut value);
            }
            value.iter().all(|value| *value == 0.0)
        };
        self.order > 0 && self.predicts_mean() && self.law.with_role(Role::Source).all(is_zero)
    }

    /// The arguments of a function of the law; it takes those that it declares.
    pub(super) fn arguments<'a>(
        &'a self,
        state: &'a [f64],
        normal: &'a [f64],
        position: &'a [f64],
        time: f64,
    ) -> Arguments<'a> {
        Arguments { parameters: &self.parameters, state, right: &[], normal, position, time }
    }

    /// A state with the medium at its position and time in an element of these groups behind it, as the law's functions are given them.
    pub(super) fn with_medium(&self, state: &[f64], position: &[f64], groups: &[String], time: f64) -> Vec<f64> {
        let mut values = state.to_vec();
        values.resize(self.law.values_at_a_point(), f64::NAN);
        if let Some(medium) = &self.medium {
            medium.values(&self.arguments(&[], &[], position, time), groups, &mut values[state.len()..]);
        }
        values
    }

    /// The law's outputs for a state with the medium behind it, at a position and a time.
    pub(super) fn outputs(&self, state: &[f64], position: &[f64], time: f64) -> Vec<f64> {
        let value = |output: &Function| {
            let mut value = [f64::NAN];
            if let Some(host) = output.host {
                host(&self.arguments(state, &[], position, time), &mut value);
            }
            value[0]
        };
        self.law.with_role(Role::Output).map(value).collect()
    }

    /// The results of the law's `#[admissible]` for a state, empty where it has none.
    pub(super) fn admissible_quantities(&self, state: &[f64]) -> Vec<f64> {
        let function = self.law.with_role(Role::Admissible).next();
        let Some((function, host)) = function.and_then(|function| Some((function, function.host?))) else {
            return Vec::new();
        };
        let mut quantities = vec![0.0; function.results];
        host(&self.arguments(state, &[], &[], 0.0), &mut quantities);
        quantities
    }
}
