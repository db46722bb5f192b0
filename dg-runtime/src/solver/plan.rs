//! What a solver needs, known before anything is compiled or allocated.

use super::patches::Patches;
use super::places::SectionUnit;
use super::projected::Projected;
use super::rows::Rows;
use super::transfer::Transfer;
use super::{ELEMENTS_FILL_CUDA, Error, Precision, Setup, Variant, linear, point_sources, receivers};
use crate::device::{Device, Options};
use crate::law::{Law, Shape, Unit};
use crate::mesh::{Mesh, Section, Stars};
use crate::scheme::{Code, Part, code};

/// What a solver of a setup on a mesh needs on a device.
#[derive(Debug)]
pub(crate) struct Plan {
    /// What each section of the mesh needs.
    pub(crate) sections: Vec<SectionPlan>,
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
    /// How the parts of the code are compiled.
    pub(super) options: Vec<(Part, Options)>,
    pub(super) receivers: Vec<receivers::Placed>,
    pub(super) point_sources: point_sources::Placed,
    /// Whether the mesh has other sections.
    pub(super) has_others: bool,
    /// Whether faces keep how they lift jumps of a viscous law.
    pub(super) keeps_liftings: bool,
}

impl SectionPlan {
    fn new(
        device: &Device,
        section: Section,
        setup: &Setup,
        [mesh_order, map_degree]: [usize; 2],
    ) -> Result<Self, Error> {
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
        let unit = unit.on_mesh(mesh_order, map_degree);
        Ok(Self {
            unit,
            code: code(law, unit, setup.map),
            schedule: setup.variant(section.elements.len(), device)?,
            options: Vec::new(),
            receivers: Vec::new(),
            point_sources: point_sources::Placed::default(),
            has_others: false,
            keeps_liftings: false,
            section,
            setup,
        })
    }
}

impl Plan {
    /// Makes the plan for a device.
    ///
    /// # Errors
    /// [`Error::NoUnit`], [`Error::Degree`], [`Error::Integrator`], [`Error::NoCondition`], [`Error::TooManyElements`], [`Error::TooManyCoefficients`],
    /// [`Error::Schedule`], [`Error::Turned`], [`Error::TurnedMoments`], and [`Error::Outside`].
    pub(crate) fn new(device: &Device, mesh: &Mesh, setup: &Setup) -> Result<Self, Error> {
        let law = setup.law;
        let sections = mesh.sections_of_many(if device.is_cuda() { ELEMENTS_FILL_CUDA } else { 0 });
        let keeps_liftings = law.is_viscous() && setup.viscous.keeps_liftings(&sections);
        let mesh_order =
            sections.iter().map(|section| section.order.unwrap_or(setup.order)).max().unwrap_or(setup.order);
        if setup.integrator.has_predictor() && sections.iter().any(|section| section.order.is_some()) {
            return Err(Error::OrdersWithPredictor);
        }
        let new = |section: Section| SectionPlan::new(device, section, setup, [mesh_order, mesh.degree()]);
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
        let sizes: Vec<usize> = sections
            .iter()
            .map(|section| section.schedule.elements(law, section.setup.order, device.is_cuda()))
            .collect();
        let of_mesh: Vec<Section> = sections.iter().map(|section| section.section.clone()).collect();
        let patches = Patches::new(mesh, &of_mesh, &sizes);
        let vectors = if patches.turns.is_empty() { None } else { Some(vectors(law)?) };
        if vectors.is_some() && stars.is_some() && has_several {
            return Err(Error::TurnedMoments);
        }
        let code: Vec<SectionUnit> = sections.iter().map(|section| (section.section.clone(), section.unit)).collect();
        let medium = Projected::new(law, &setup.parameters, setup.medium.as_ref(), mesh, code.clone(), 0.0)?;
        let receivers = receivers::place(setup, mesh, &code, &medium)?;
        let at_points = receivers.into_iter().zip(point_sources::Placed::place(setup, mesh, &code)?);
        for ((of, patches), at_points) in sections.iter_mut().zip(&patches.sections).zip(at_points) {
            (of.receivers, of.point_sources) = at_points;
            let room = patches.room(device.is_cuda());
            let SectionPlan { setup, unit, schedule, options, section, .. } = of;
            *options = setup.options(unit, *schedule, room, &medium.kept_in(section.elements.start));
            let define = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            let mut defines: Vec<_> = vectors.iter().cloned().collect();
            if medium.has_points_beside(section.elements.start) {
                defines.push(define("MEDIUM_POINTS", "FACE_POINTS"));
            }
            if keeps_liftings {
                defines.push(define("KEPT_LIFTINGS", "1"));
            }
            for (part, options) in options {
                options.defines.extend(defines.iter().cloned());
                if has_several && *part != Part::Stage {
                    options.defines.push(define("SEVERAL_SECTIONS", "1"));
                }
            }
        }
        Ok(Self { sections, patches, medium, stars })
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
        super::setup::schedule::names(self.sections.iter().map(|section| section.schedule))
    }

    /// Unknowns of all elements.
    pub(crate) fn dof(&self) -> usize {
        let of_section = |of: &SectionPlan| of.section.elements.len() * of.unit.basis * of.setup.law.state.len();
        self.sections.iter().map(of_section).sum()
    }

    /// Whether the device has the code in its cache.
    pub(crate) fn is_compiled(&self, device: &Device) -> bool {
        let is_compiled =
            |of: &SectionPlan| of.options.iter().all(|(_, options)| device.has_compiled(of.code.text, options));
        self.sections.iter().all(is_compiled)
    }
}

/// The vectors that turn where a period joins boundaries that lie in different directions, for the kernels.
fn vectors(law: &Law) -> Result<(String, String), Error> {
    let vectors = law.algebra.rotation.map_err(|why| Error::Turned { law: law.name, why })?;
    let vectors: Vec<String> = vectors.iter().map(|[x, y]| format!("X({x}, {y})")).collect();
    Ok(("VECTORS(X)".to_owned(), vectors.join(" ")))
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

/// The orders for which a law has code for a shape, for messages.
fn orders(law: &Law, shape: Shape) -> String {
    let orders: Vec<String> = law.units_of(shape).map(|unit| unit.order.to_string()).collect();
    orders.join(", ")
}
