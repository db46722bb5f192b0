//! A section of a mesh with the code for it.

use std::sync::Arc;

use crate::device::Device;
use crate::mesh::Mesh;

use super::domain::Domain;
use super::places::SectionUnit;
use super::point_sources::PointSources;
use super::program::Program;
use super::receivers::Receivers;
use super::{Error, Plan, SectionPlan, Setup};

/// A section of a mesh on a device, the program that serves it, and what a case has at points of it.
pub(super) struct Section {
    /// The setup, with the section's shape and map.
    pub(super) setup: Setup,
    pub(super) program: Program,
    pub(super) domain: Domain,
    /// The receivers, if there are any.
    pub(super) receivers: Option<Receivers>,
    pub(super) point_sources: PointSources,
}

impl Section {
    /// Its elements and the generated code for them.
    pub(super) fn code(&self) -> SectionUnit {
        (self.domain.section.clone(), self.program.unit)
    }

    /// Compiles the planned code of a section, and uploads its part of the mesh.
    pub(super) fn new(device: &Arc<Device>, mesh: &Mesh, plan: &Plan, number: usize) -> Result<Self, Error> {
        let of_section = &plan.sections[number];
        let SectionPlan { section, setup, receivers, point_sources, .. } = of_section;
        let first = section.elements.start;
        let medium = (plan.medium.kept_in(first), plan.medium.uniform_in(first));
        Ok(Self {
            setup: setup.clone(),
            program: Program::new(Arc::clone(device), of_section, medium)?,
            domain: Domain::new(device, mesh, plan, number)?,
            receivers: Receivers::new(device, setup, receivers)?,
            point_sources: PointSources::new(device, setup, mesh.dim, section.elements.len(), point_sources)?,
        })
    }
}
