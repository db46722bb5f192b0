//! What a solver needs, known before anything is compiled or allocated.

use rayon::prelude::*;

use super::patches::Patches;
use super::places::SectionUnit;
use super::point_sources::Placed;
use super::projected::Projected;
use super::reduce::Rows;
use super::state::Inventories;
use super::transfer::Transfer;
use super::viscous::diffusivity;
use super::{
    Error, Footprint, Given, Integrator, LegendreStages, Precision, Setup, Variant, domain, linear, receivers, source,
};
use crate::device::{Device, Options};
use crate::law::reference::derivatives;
use crate::law::{Arguments, Law, Shape, Unit};
use crate::mesh::{Mesh, Section, Stars};
use crate::scheme::{Code, code};

/// What a solver of a setup on a mesh needs on a device.
#[derive(Debug)]
pub(crate) struct Plan {
    /// What each section of the mesh needs.
    pub(crate) sections: Vec<SectionPlan>,
    /// The memory.
    pub(crate) memory: Footprint,
    pub(super) patches: Patches,
    pub(super) medium: Projected,
    /// The elements around every vertex, if the limiter needs them.
    pub(super) stars: Option<Stars>,
}

/// What a section of a mesh needs.
#[derive(Debug)]
pub(crate) struct SectionPlan {
    /// The section.
    pub(super) section: Section,
    /// The setup, for its shape and map.
    pub(super) setup: Setup,
    /// Shape and order, with their generated code.
    pub(crate) unit: &'static Unit,
    /// The generated code.
    pub(crate) code: &'static Code,
    /// The schedule.
    pub(crate) schedule: Variant,
    /// How the stage and the rest of the code are compiled.
    pub(super) options: [Options; 2],
    pub(super) receivers: Vec<receivers::Placed>,
    pub(super) point_sources: Placed,
    /// Whether the mesh has other sections.
    pub(super) has_others: bool,
    /// Whether faces keep how they lift jumps of a viscous law.
    pub(super) keeps_liftings: bool,
}

impl SectionPlan {
    fn new(device: &Device, section: Section, setup: &Setup, mesh_order: usize) -> Result<Self, Error> {
        let law = setup.law;
        let order = section.order.unwrap_or(setup.order);
        let setup = Setup { shape: section.shape, map: section.map, order, ..setup.clone() };
        let known = || orders(law, section.shape);
        let unit = law.unit(setup.shape, setup.order).ok_or_else(|| Error::NoUnit {
            law: law.name,
            order: setup.order,
            known: known(),
        })?;
        linear::require(&setup)?;
        if setup.map.degree() > setup.order + 1 {
            return Err(Error::Degree { degree: setup.map.degree(), order: setup.order });
        }
        Ok(Self {
            unit: unit.on_mesh(mesh_order),
            code: code(law, unit.on_mesh(mesh_order), setup.map),
            schedule: Variant::of(&setup, section.elements.len(), device)?,
            options: Default::default(),
            receivers: Vec::new(),
            point_sources: Placed::default(),
            has_others: false,
            keeps_liftings: false,
            section,
            setup,
        })
    }
}

impl Plan {
    /// Makes the plan for a device with its free memory.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::Degree`], [`Error::Integrator`], [`Error::NoCondition`], [`Error::TooManyElements`], [`Error::TooManyCoefficients`], [`Error::Memory`],
    /// [`Error::Schedule`], and [`Error::Outside`].
    pub(crate) fn new(device: &Device, mesh: &Mesh, setup: &Setup) -> Result<Self, Error> {
        let law = setup.law;
        let sections = mesh.sections();
        let keeps_liftings = law.is_viscous() && setup.viscous.keeps_liftings(&sections);
        let mesh_order =
            sections.iter().map(|section| section.order.unwrap_or(setup.order)).max().unwrap_or(setup.order);
        if setup.integrator.has_predictor() && sections.iter().any(|section| section.order.is_some()) {
            return Err(Error::OrdersWithPredictor);
        }
        let new = |section: Section| SectionPlan::new(device, section, setup, mesh_order);
        let mut sections: Vec<_> = sections.into_iter().map(new).collect::<Result<_, _>>()?;
        let has_several = sections.len() > 1;
        for section in &mut sections {
            (section.has_others, section.keeps_liftings) = (has_several, keeps_liftings);
        }
        if let Some(boundary) = mesh.boundaries().get(setup.boundaries.len()) {
            let known: Vec<String> = law.boundaries().map(|f| format!("`{}`", f.name)).collect();
            return Err(Error::NoCondition { name: boundary.name.clone(), known: known.join(", ") });
        }
        check_indices(device, mesh, setup, &sections)?;
        let needs_stars = |section: &SectionPlan| {
            setup.limiter.is_some_and(|limiter| limiter.needs_stars(section.setup.shape, has_several))
        };
        let stars = sections.iter().any(needs_stars).then(|| mesh.stars()).transpose()?;
        let sizes: Vec<usize> = sections.iter().map(|section| section.schedule.patch).collect();
        let of_mesh: Vec<Section> = sections.iter().map(|section| section.section.clone()).collect();
        let patches = Patches::new(mesh, &of_mesh, &sizes);
        let code: Vec<SectionUnit> = sections.iter().map(|section| (section.section.clone(), section.unit)).collect();
        let medium = Projected::new(law, &setup.parameters, setup.medium.as_ref(), mesh, code.clone(), 0.0)?;
        let mut plan = Self { sections, memory: Footprint::default(), patches, medium, stars };
        receivers::place(&mut plan, setup, mesh, &code)?;
        Placed::place(&mut plan, setup, mesh, &code)?;
        plan.memory = plan.footprint(setup, mesh);
        plan.memory.check(device, setup)?;
        for (section, patches) in plan.sections.iter_mut().zip(&plan.patches.sections) {
            let room = patches.room(device.is_cuda());
            let SectionPlan { setup, unit, schedule, options, section, .. } = section;
            *options = setup.options(unit, *schedule, room, plan.medium.basis_in(section.elements.start));
            if plan.medium.has_points_beside(section.elements.start) {
                let define = ("MEDIUM_POINTS".to_owned(), "FACE_POINTS".to_owned());
                options.iter_mut().for_each(|options| options.defines.push(define.clone()));
            }
            if keeps_liftings {
                let define = ("KEPT_LIFTINGS".to_owned(), "1".to_owned());
                options.iter_mut().for_each(|options| options.defines.push(define.clone()));
            }
            if has_several {
                options[1].defines.push(("SEVERAL_SECTIONS".to_owned(), "1".to_owned()));
                let derivatives = derivatives_between_sections(mesh.dim, unit);
                options[1].defines.push(("MESH_DERIVATIVES".to_owned(), derivatives.to_string()));
            }
        }
        Ok(plan)
    }

    fn footprint(&self, setup: &Setup, mesh: &Mesh) -> Footprint {
        let rim = domain::rim(mesh, setup, self);
        let domains: Vec<_> = (0..self.sections.len()).map(|section| domain::inventory(mesh, self, section)).collect();
        let state = Inventories::new(setup, self);
        let bytes = |part| {
            let at_points = |of: &SectionPlan| {
                receivers::inventory(&of.setup, &of.receivers).bytes(part)
                    + of.point_sources.bytes(&of.setup, mesh.dim, part)
            };
            let of_sections = domains.iter().map(|domain| domain.bytes(part)).sum::<usize>();
            rim.bytes(part) + state.bytes(part) + of_sections + self.sections.iter().map(at_points).sum::<usize>()
        };
        let transfers = self.sections.iter().map(|of| {
            let elements = of.section.elements.len();
            let samples = Transfer::samples(&of.setup, of.unit, elements).bytes();
            // If the device projects the initial data, no values are uploaded.
            let values = match &setup.initial {
                Some(_) => 0,
                None => Transfer::initial_values(&of.setup, of.unit, elements).bytes(),
            };
            samples.max(values)
        });
        Footprint::new(mesh.element_count(), transfers.max().unwrap_or(0), bytes)
    }

    /// The numbers of elements of the sections.
    pub(super) fn counts(&self) -> Vec<usize> {
        self.sections.iter().map(|section| section.section.elements.len()).collect()
    }

    /// The degree of the solution in an element.
    pub(super) fn order_in(&self, element: usize) -> usize {
        self.section_of(element).unit.order
    }

    /// What the section of an element needs.
    pub(super) fn section_of(&self, element: usize) -> &SectionPlan {
        let section = self.sections.iter().find(|section| section.section.elements.contains(&element));
        section.unwrap_or(&self.sections[0])
    }

    /// The rows of elements in columns.
    pub(super) fn rows(&self) -> Rows {
        Rows::new(&self.counts())
    }

    /// The schedules of the sections, as a text.
    pub(crate) fn schedules(&self) -> String {
        super::schedule::names(self.sections.iter().map(|section| section.schedule))
    }

    /// Unknowns of all elements.
    pub(crate) fn dof(&self) -> usize {
        let of_section = |of: &SectionPlan| of.section.elements.len() * of.unit.basis * of.setup.law.state.len();
        self.sections.iter().map(of_section).sum()
    }

    /// Whether the device has the code in its cache.
    pub(crate) fn is_compiled(&self, device: &Device) -> bool {
        let is_compiled =
            |of: &SectionPlan| of.options.iter().all(|options| device.has_compiled(of.code.text, options));
        self.sections.iter().all(is_compiled)
    }
}

/// Makes sure that the numbers of elements and coefficients fit the integers of the kernels.
fn check_indices(device: &Device, mesh: &Mesh, setup: &Setup, sections: &[SectionPlan]) -> Result<(), Error> {
    let (elements, faces) = (mesh.element_count(), mesh.elements().slots());
    if faces as u128 > i32::MAX as u128 {
        return Err(Error::TooManyElements { elements, most: i32::MAX as usize / faces.div_ceil(elements) });
    }
    for of in sections {
        let coefficients = Transfer::coefficients(setup, of.unit, of.section.elements.len()).numbers();
        if !device.is_cuda() && setup.precision == Precision::Single && coefficients > i32::MAX as usize {
            return Err(Error::TooManyCoefficients { coefficients });
        }
    }
    Ok(())
}

/// The derivatives of a component whose means a limiter of moments reads in other sections: those below the mesh's largest degree, and the
/// mean itself.
pub(super) fn derivatives_between_sections(dim: usize, unit: &Unit) -> usize {
    derivatives(dim, unit.mesh_order.max(1)).0.len()
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
