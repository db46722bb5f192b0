//! A section of a mesh with the code for it.

use std::sync::Arc;

use crate::device::Device;
use crate::law::Unit;
use crate::mesh::{self, Mesh};

use super::domain::Domain;
use super::program::Program;
use super::{Error, Plan, Setup};

/// A section of a mesh with the code for its shape and order.
pub(super) type SectionUnit = (mesh::Section, &'static Unit);

/// A section of a mesh on a device, and the program that serves it.
pub(super) struct Section {
    /// The setup, with the section's shape and map.
    pub(super) setup: Setup,
    pub(super) program: Program,
    pub(super) domain: Domain,
}

impl Section {
    /// Its elements and the generated code for them.
    pub(super) fn code(&self) -> SectionUnit {
        (self.domain.section.clone(), self.program.unit)
    }

    /// Compiles the planned code of a section, and uploads its part of the mesh.
    pub(super) fn new(device: &Arc<Device>, mesh: &Mesh, plan: &Plan, number: usize) -> Result<Self, Error> {
        let of_section = &plan.sections[number];
        let uniform = plan.medium.uniform_in(of_section.section.elements.start);
        let medium_basis = plan.medium.basis_in(of_section.section.elements.start);
        Ok(Self {
            setup: of_section.setup.clone(),
            program: Program::new(Arc::clone(device), of_section, (&uniform, medium_basis))?,
            domain: Domain::new(device, mesh, plan, number)?,
        })
    }
}
