//! The description of a computation: what to solve, and how.

use std::ops::Bound;

use crate::device::Options;
use crate::law::geometry::Map;
use crate::law::{Arguments, Function, Law, Role, Shape, Unit};
use crate::mesh::Mesh;
use crate::scheme::Part;

use super::added::Added;
use super::{
    Condition, Error, Given, Integrator, Limiter, Measured, Medium, PointSource, Precision, Receiver, Stage, Tolerance,
    Variant, ViscousScheme, parameters, viscous,
};

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
    /// Number of steps for which one step size serves, at least 1; with a tolerance 1.
    pub step_every: u64,
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
            step_every: 1,
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

    /// The compile options of this setup for a unit, for patches with room for `rim` faces on their rims, and for a medium with
    /// `medium` coefficients of a field in an element, 0 if it is the same in the whole domain: of [`Part::Stage`], then of [`Part::Rest`].
    pub fn options(&self, unit: &Unit, variant: Variant, rim: usize, medium: usize) -> [Options; 2] {
        let (to_boundaries, all) = (Added::to_boundaries(self), Added::new(self));
        let of_both = |added| self.of_both_parts(added, medium);
        let stage = [alone(Part::Stage), of_both(&to_boundaries), self.of_stage(unit, variant, rim)];
        let rest = [alone(Part::Rest), of_both(&all), self.of_rest(&all)];
        [stage, rest].map(|defines| Options { defines: defines.concat(), ..Options::default() })
    }

    fn of_both_parts(&self, added: &Added<'_>, medium: usize) -> Vec<(String, String)> {
        let mut defines = vec![("PRECISION".to_owned(), self.precision.c_type().to_owned())];
        defines.extend(added.defines());
        defines.extend(self.viscous.defines());
        if self.predicts_mean() {
            defines.push(("ADER".to_owned(), "1".to_owned()));
        }
        if self.predicts_series() {
            defines.push(("PREDICT_SERIES".to_owned(), "1".to_owned()));
        }
        if self.integrator.has_implicit_source() {
            defines.push(("IMPLICIT_SOURCE".to_owned(), "1".to_owned()));
        }
        if !self.law.medium.is_empty() {
            defines.push(("MEDIUM_BASIS".to_owned(), medium.to_string()));
            if medium == 0 {
                let fields: Vec<_> = (0..self.law.medium.len()).map(|field| format!("X({field})")).collect();
                defines.push(("UNIFORM_MEDIUM(X)".to_owned(), fields.join(" ")));
            }
        }
        if self.changing_medium().is_some() {
            defines.push(("MEDIUM_CHANGES".to_owned(), "1".to_owned()));
        }
        if self.literal_parameters {
            defines.extend(parameters::literals(self.law, &self.parameters));
        }
        defines
    }

    fn of_stage(&self, unit: &Unit, variant: Variant, rim: usize) -> Vec<(String, String)> {
        let mut defines = vec![("NUMERICAL_FLUX".to_owned(), self.flux_function())];
        defines.extend(self.tolerance.into_iter().flat_map(|_| Tolerance::defines(self.integrator)));
        defines.extend(variant.defines(self.law, unit, rim));
        if !self.integrator.has_implicit_source() {
            defines.extend(self.manufactured());
        }
        defines.extend(self.well_balanced.map(|_| ("WELL_BALANCED".to_owned(), "1".to_owned())));
        defines
    }

    fn flux_function(&self) -> String {
        format!("law_numerical_flux_{}", self.numerical_flux.name)
    }

    /// The source that is added for a manufactured solution, which the part needs that evaluates the source.
    fn manufactured(&self) -> Option<(String, String)> {
        let solution = self.exact.as_ref().and_then(|exact| exact.manufactured(self.law))?;
        Some(("MANUFACTURED".to_owned(), format!("law_manufactured_{}", solution.name)))
    }

    fn of_rest(&self, added: &Added<'_>) -> Vec<(String, String)> {
        let mut defines: Vec<_> = self.limiter.into_iter().flat_map(|limiter| limiter.defines(self.law)).collect();
        defines.extend(self.initial.as_ref().map(|initial| ("INITIAL".to_owned(), added.given(initial))));
        defines.extend(self.exact.as_ref().map(|exact| ("EXACT".to_owned(), added.given(exact))));
        if self.integrator.has_implicit_source() {
            defines.extend(self.manufactured());
        }
        if self.changing_medium().is_some() {
            defines.push(("MEDIUM_ENDS(X)".to_owned(), self.ends_of_media()));
        }
        if !self.point_sources.is_empty() {
            defines.push(added.rates());
        }
        defines.extend(self.measured.defines(&self.flux_function()));
        if !self.receivers.is_empty() && self.has_series() {
            defines.push(("RECEIVER_SERIES".to_owned(), "1".to_owned()));
        }
        defines
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
    pub(super) fn predicts_series(&self) -> bool {
        self.integrator.has_predictor() && self.changing_medium().is_some()
    }

    /// The stages of a step.
    pub(crate) fn stages(&self) -> &'static [Stage] {
        if self.predicts_series() { Integrator::stages_of_series(self.order) } else { self.integrator.stages() }
    }

    /// The ends of the ranges of the medium's fields, as `renew_medium.cu` takes them.
    fn ends_of_media(&self) -> String {
        let end = |field: usize, [open, closed]: [&str; 2], bound: Bound<f64>| match bound {
            Bound::Excluded(end) => format!("X({field}, {open}, R({end:?})) "),
            Bound::Included(end) => format!("X({field}, {closed}, R({end:?})) "),
            Bound::Unbounded => String::new(),
        };
        let fields = self.law.medium.iter().enumerate();
        let ends = fields.map(|(i, field)| end(i, [">", ">="], field.range.0) + &end(i, ["<", "<="], field.range.1));
        ends.collect()
    }

    /// The key of a case that shortens steps.
    pub(crate) fn step_key(&self) -> &'static str {
        if self.tolerance.is_some() { "tolerance" } else { "cfl" }
    }

    /// The bound that [`face_share`](Self::face_share) sets, in the form that kernels use: the largest Δt λ |f| / det J at Courant
    /// number 1.
    pub(super) fn room(&self, shape: Shape) -> f64 {
        self.face_share.map_or(f64::INFINITY, |share| share * shape.measure() / self.cfl)
    }

    /// The factor of the source's rate in the inverse of the longest step at Courant number 1: see `source.cu`. It is 0 where the source
    /// bounds no step.
    pub(super) fn source_share(&self) -> f64 {
        if self.law.has_source_jacobian() { self.cfl / self.integrator.source_interval() } else { 0.0 }
    }

    /// The factor of the rate of diffusion in the inverse of the longest step at Courant number 1: see `viscous.cu`.
    pub(super) fn viscous_share(&self) -> f64 {
        if !self.law.is_viscous() {
            return 0.0;
        }
        let (integrator, shape, order) = (self.integrator, self.shape, self.order);
        integrator.stable_cfl(shape, order) * viscous::rate(self.viscous, shape, order, self.map)
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
        let stable = 1.0 / ((2 * self.order + 1) as f64 * of_waves);
        let through =
            speeds.iter().zip(geometry.face_lengths).map(|(speed, length)| speed * length / geometry.determinant);
        let longest = stable.min(self.room(mesh.shape(element)) / through.fold(0.0, f64::max));
        let of_diffusion = diffusivity * crossings.iter().map(|crossing| crossing * crossing).sum::<f64>();
        self.cfl / (1.0 / longest + self.source_share() * rate + self.viscous_share() * of_diffusion)
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

    /// The law's outputs for a state at a position in an element of these [groups](Mesh::groups) and a time.
    pub fn outputs(&self, state: &[f64], position: &[f64], groups: &[String], time: f64) -> Vec<f64> {
        let state = self.with_medium(state, position, groups, time);
        let value = |output: &Function| {
            let mut value = [f64::NAN];
            if let Some(host) = output.host {
                host(&self.arguments(&state, &[], position, time), &mut value);
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

/// The `#define` that chooses a part of a unit.
fn alone(part: Part) -> Vec<(String, String)> {
    vec![(part.define().to_owned(), "1".to_owned())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::law::Role;
    use crate::solver::{Method, Schedule, Variables};

    #[test]
    fn each_part_is_compiled_once_for_all_choices_that_concern_the_other() {
        let setup = Setup::new(&WAVES, 1).unwrap();
        let given = |role| WAVES.with_role(role).next().map(Given::Function);
        let limiter = Limiter {
            method: Some(Method::Moment),
            variables: Variables::Conserved,
            indicator: None,
            positivity: false,
        };
        let other_rest =
            Setup { initial: given(Role::Initial), exact: given(Role::Exact), limiter: Some(limiter), ..setup.clone() };
        let hll = WAVES.function(Role::NumericalFlux, "hll").unwrap();
        let other_stage = Setup { numerical_flux: hll, ..setup.clone() };
        let parts = |setup: &Setup| {
            setup.options(&WAVES.units[0], Schedule::Element.into(), 8, 1).map(|options| options.defines)
        };
        let ([stage, rest], [with_limiter, limiter], [with_hll, without]) =
            (parts(&setup), parts(&other_rest), parts(&other_stage));
        assert!(with_limiter == stage && limiter != rest, "{with_limiter:?}, {limiter:?}");
        assert!(with_hll != stage && without == rest, "{with_hll:?}, {without:?}");
        let [single_stage, single_rest] = parts(&Setup { precision: Precision::Single, ..setup });
        assert!(single_stage != stage && single_rest != rest, "{single_stage:?}, {single_rest:?}");
    }
}
