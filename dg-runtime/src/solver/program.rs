//! A law compiled for a device, a shape and an order, in a precision, with a numerical flux and a limiter. It knows no mesh.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use crate::device::{self, Device, Kernel, Module, Resources, View, args};
use crate::law::geometry::Map;
use crate::law::{KeptMedium, Unit};
use crate::scheme::Part;

use super::plan::SectionPlan;
use super::{Error, Method, Precision, Setup, Variant, parameters};

/// A compiled law, on the device that it was compiled for.
pub(super) struct Program {
    pub(super) device: Arc<Device>,
    pub(super) unit: &'static Unit,
    /// How its code keeps the medium.
    pub(super) medium: KeptMedium,
    pub(super) variant: Variant,
    pub(super) precision: Precision,
    pub(super) kernels: Kernels,
    modules: Modules,
}

/// The compiled parts of a program.
struct Modules(Vec<(Part, Module)>);

impl Modules {
    fn of(&self, part: Part) -> Result<&Module, Error> {
        let module = self.0.iter().find(|(of, _)| *of == part).map(|(_, module)| module);
        Ok(module.ok_or_else(|| device::Error::NoKernel(part.name().to_owned()))?)
    }

    /// The kernel of this name, in whichever part it is.
    fn find(&self, name: &str) -> Option<Kernel> {
        self.0.iter().find_map(|(_, module)| module.kernel(name).ok())
    }
}

/// The kernels of every program.
pub(super) struct Kernels {
    pub(super) stage: Kernel,
    pub(super) records: Kernel,
    pub(super) advance_clock: Kernel,
    pub(super) time_step: Kernel,
    pub(super) reduce: Kernel,
    pub(super) project_values: Kernel,
    pub(super) integrate: Kernel,
    pub(super) change: Kernel,
    pub(super) sample: Kernel,
    pub(super) entering: Kernel,
    pub(super) examine: Kernel,
    /// Present if the setup has an initial state.
    pub(super) project: Option<Kernel>,
    /// Present if the setup has an exact solution.
    pub(super) errors: Option<Kernel>,
    /// Renew the medium in elements, then at faces; present if it depends on time.
    pub(super) renew_medium: Option<[Kernel; 2]>,
    /// Present if the setup has point sources.
    pub(super) add_point_sources: Option<Kernel>,
    /// Present if the setup has receivers.
    pub(super) receive: Option<Kernel>,
    /// Present if the setup measures quantities.
    pub(super) quantities: Option<QuantityKernels>,
    /// Present if the setup has averages.
    pub(super) averages: Option<AverageKernels>,
    /// Present if the setup measures fluxes through boundaries.
    pub(super) flux: Option<FluxKernels>,
    /// Present if the integrator has a predictor of the mean over a step.
    pub(super) predict: Option<Kernel>,
    /// Predict a series in time, and evaluate it; present if the integrator has such a predictor.
    pub(super) series: Option<[Kernel; 2]>,
    /// Present if the integrator takes the source implicitly.
    pub(super) solve_source: Option<Kernel>,
    /// Present if the setup has a limiter.
    pub(super) limiting: Option<LimitingKernels>,
}

/// The kernels that measure quantities.
pub(super) struct QuantityKernels {
    pub(super) at_points: Kernel,
    pub(super) in_region: Kernel,
    /// Finds the element with an extreme value.
    pub(super) find_extreme: Kernel,
}

/// The kernels of averages in time.
pub(super) struct AverageKernels {
    /// Advances the clock of the averages.
    pub(super) advance: Kernel,
    pub(super) average: Kernel,
    pub(super) at_points: Kernel,
}

/// The kernels that measure fluxes through boundaries.
pub(super) struct FluxKernels {
    /// Integrated over faces.
    pub(super) through: Kernel,
    pub(super) at_points: Kernel,
}

/// The kernels that limit the result of a stage.
pub(super) struct LimitingKernels {
    /// Find the troubled elements, if the setup has an indicator.
    pub(super) indicator: Option<IndicatorKernels>,
    /// Gathers the means for the limiter, if it reads those of other sections.
    pub(super) means: Option<Kernel>,
    /// Gathers the derivatives for the limiter, if it reads any.
    pub(super) moments: Option<Kernel>,
    /// Find the limiter's lower bounds, if it has any.
    pub(super) least: Option<BoundKernels>,
    pub(super) limit: Kernel,
}

/// The kernels that find a limiter's lower bounds.
pub(super) struct BoundKernels {
    pub(super) of_solution: Kernel,
    /// Present for a law of one component.
    pub(super) of_values: Option<Kernel>,
    /// The same, if the setup has an initial state.
    pub(super) of_initial: Option<Kernel>,
}

/// The kernels that find the troubled elements.
pub(super) struct IndicatorKernels {
    /// Computes for every element the numbers whose maximum sets the indicator's scale for this solution.
    pub(super) squares: Kernel,
    pub(super) indicate: Kernel,
}

/// Lanes that share a tile of a table.
const TILE_LANES: usize = 32;

impl Program {
    /// Compiles the parts of the planned code at the same time, or takes them from the cache, and sets the law's parameters. Fields
    /// of the medium that are the same in the whole domain have these coefficients.
    ///
    /// # Errors
    /// Errors of the device.
    pub(super) fn new(
        device: Arc<Device>,
        plan: &SectionPlan,
        (medium, uniform): (KeptMedium, impl Iterator<Item = (usize, f64)>),
    ) -> Result<Self, Error> {
        let SectionPlan { setup, unit, code, options, schedule, .. } = plan;
        let precision = setup.precision;
        let compile = |options| device.compile(code.text, code.kernels, options);
        let compiled: Vec<Result<_, device::Error>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                options.iter().map(|(part, options)| (*part, scope.spawn(move || compile(options)))).collect();
            let join = |(part, thread): (Part, ScopedJoinHandle<'_, Result<Module, device::Error>>)| {
                Ok((part, thread.join().unwrap_or_else(|panic| resume_unwind(panic))?))
            };
            threads.into_iter().map(join).collect()
        });
        let mut modules = Modules(compiled.into_iter().collect::<Result<_, _>>()?);
        let uniform: Vec<(usize, f64)> = uniform.collect();
        for (_, module) in &mut modules.0 {
            if !setup.literal_parameters {
                parameters::set(&device, module, (setup.law, precision), &setup.parameters)?;
            }
            for &(i, coefficient) in &uniform {
                module.set_parameter(&format!("uniform_medium_{i}"), coefficient)?;
            }
        }
        if schedule.schedule.uses_tensors() {
            device.launch(&modules.of(Part::Stage)?.kernel("tiles")?, TILE_LANES, &args! { lanes: TILE_LANES })?;
        }
        let kernels = Kernels::new(&modules, setup, plan.has_others)?;
        Ok(Self { device, unit, medium, variant: *schedule, precision, kernels, modules })
    }

    /// Registers and memory of a kernel's thread; `None` where the back end does not know, or there is no such kernel.
    pub(super) fn resources(&self, kernel: &str) -> Option<Resources> {
        self.modules.find(kernel)?.resources()
    }

    /// Whether there is a kernel of this name.
    #[cfg(test)]
    pub(super) fn has(&self, kernel: &str) -> bool {
        self.modules.find(kernel).is_some()
    }

    /// The first numbers of a buffer, or of a part of one.
    pub(super) fn read<'a>(&self, from: impl Into<View<'a>>, count: usize) -> Result<Vec<f64>, Error> {
        self.precision.read(&self.device, from, count)
    }
}

/// Kernels that only some setups have; `name` is that of one of them.
///
/// # Errors
/// The setup has none.
pub(super) fn present<'k, K>(kernels: &'k Option<K>, name: &str) -> Result<&'k K, Error> {
    Ok(kernels.as_ref().ok_or_else(|| device::Error::NoKernel(name.to_owned()))?)
}

impl Kernels {
    fn new(modules: &Modules, setup: &Setup, has_several: bool) -> Result<Self, Error> {
        let [stage, output, rest] = [modules.of(Part::Stage)?, modules.of(Part::Output)?, modules.of(Part::Rest)?];
        let measured = &setup.measured;
        let optional = |needed: bool, name| needed.then(|| rest.kernel(name)).transpose();
        Ok(Self {
            stage: stage.kernel("stage")?,
            advance_clock: stage.kernel("advance_clock")?,
            reduce: stage.kernel("reduce")?,
            records: rest.kernel("records")?,
            time_step: rest.kernel("time_step")?,
            project_values: rest.kernel("project_values")?,
            integrate: rest.kernel("integrate")?,
            change: rest.kernel("change")?,
            sample: output.kernel("sample")?,
            entering: rest.kernel("entering")?,
            examine: rest.kernel("examine")?,
            project: optional(setup.initial.is_some(), "project")?,
            errors: optional(setup.exact.is_some(), "errors")?,
            renew_medium: setup
                .changing_medium()
                .map(|_| Ok::<_, Error>([rest.kernel("renew_medium")?, rest.kernel("renew_face_medium")?]))
                .transpose()?,
            add_point_sources: optional(!setup.point_sources.is_empty(), "add_point_sources")?,
            receive: (!setup.receivers.is_empty()).then(|| output.kernel("receive")).transpose()?,
            quantities: measured.quantities.as_ref().map(|_| QuantityKernels::new(output)).transpose()?,
            averages: measured.averaged.as_ref().map(|_| AverageKernels::new(output)).transpose()?,
            flux: measured.flux.then(|| FluxKernels::new(output)).transpose()?,
            predict: setup.predicts_mean().then(|| stage.kernel("predict")).transpose()?,
            series: setup
                .predicts_series()
                .then(|| Ok::<_, Error>([stage.kernel("predict_series")?, stage.kernel("evaluate_series")?]))
                .transpose()?,
            solve_source: optional(setup.integrator.has_implicit_source(), "solve_source")?,
            limiting: LimitingKernels::new(modules, setup, has_several)?,
        })
    }
}

impl QuantityKernels {
    fn new(module: &Module) -> Result<Self, Error> {
        Ok(Self {
            at_points: module.kernel("quantities_at_points")?,
            in_region: module.kernel("quantities_in_region")?,
            find_extreme: module.kernel("find_extreme")?,
        })
    }
}

impl AverageKernels {
    fn new(module: &Module) -> Result<Self, Error> {
        Ok(Self {
            advance: module.kernel("advance_averages")?,
            average: module.kernel("average")?,
            at_points: module.kernel("averages_at_points")?,
        })
    }
}

impl FluxKernels {
    fn new(module: &Module) -> Result<Self, Error> {
        Ok(Self { through: module.kernel("boundary_flux")?, at_points: module.kernel("boundary_flux_at_points")? })
    }
}

impl LimitingKernels {
    fn new(modules: &Modules, setup: &Setup, has_several: bool) -> Result<Option<Self>, Error> {
        let Some(limiter) = setup.limiter else { return Ok(None) };
        let module = modules.of(Part::Limiter)?;
        let kernel = |needed: bool, name| needed.then(|| module.kernel(name)).transpose();
        let indicator = || -> Result<_, Error> {
            Ok(IndicatorKernels { squares: module.kernel("squares")?, indicate: module.kernel("indicate")? })
        };
        Ok(Some(Self {
            indicator: limiter.indicator.map(|_| indicator()).transpose()?,
            means: kernel(
                (has_several || setup.map != Map::Affine) && limiter.method.is_some_and(Method::needs_means),
                "gather_means",
            )?,
            moments: kernel(limiter.needs_moments(), "moments")?,
            least: limiter.needs_bounds(setup.law).then(|| BoundKernels::new(module, setup)).transpose()?,
            limit: module.kernel("limit")?,
        }))
    }
}

impl BoundKernels {
    fn new(module: &Module, setup: &Setup) -> Result<Self, Error> {
        let of_data =
            |needed: bool, name| (needed && setup.law.state.len() == 1).then(|| module.kernel(name)).transpose();
        Ok(Self {
            of_solution: module.kernel("least")?,
            of_values: of_data(true, "least_of_values")?,
            of_initial: of_data(setup.initial.is_some(), "least_of_initial")?,
        })
    }
}
