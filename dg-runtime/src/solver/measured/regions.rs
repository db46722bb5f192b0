//! Integrals and extremes of quantities over regions.

use crate::device::{Buffers, args};
use crate::solver::inventory::{Inventory, Part};
use crate::solver::reduce::Operation;
use crate::solver::scheme::OnSection;
use crate::solver::{Error, Solver};

/// Elements of a mesh on a device.
pub struct Region {
    /// The buffer of each section.
    sections: Vec<Buffers>,
}

/// A quantity over a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Its integral, by the quadrature of degree 2p + 4 or more.
    pub integral: f64,
    /// Its least value at the Lagrange nodes of the elements.
    pub least: f64,
    /// Its largest value there.
    pub largest: f64,
}

impl Solver {
    /// The elements in groups of these names, all if there are none.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn region(&self, groups: &[String]) -> Result<Region, Error> {
        let mesh = self.mesh();
        let counts =
            |element: usize| groups.is_empty() || mesh.groups().of(element).iter().any(|of| groups.contains(of));
        let of_section = |section: OnSection<'_>| {
            let elements = section.domain.section.elements.clone();
            let mut inventory = Inventory::new(self.setup.precision, elements.len());
            let write = |element: usize, v: &mut [i32]| v[0] = i32::from(counts(elements.start + element));
            inventory.written_ints(Part::Mesh, "region", 1, write);
            inventory.allocate(self.device())
        };
        Ok(Region { sections: self.scheme().on_sections().map(of_section).collect::<Result<_, _>>()? })
    }

    /// The quantities of the setup over a region.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no quantities.
    pub fn quantities_in(&self, region: &Region) -> Result<Vec<Range>, Error> {
        let (scheme, components) = (self.scheme(), self.setup.law.state.len());
        let count = self.setup.measured.quantities.as_ref().map_or(0, |quantities| quantities.names.len());
        let time = scheme.clock()?.time;
        let mut ranges = Vec::new();
        // The columns have room for as many quantities as there are components.
        for first in (0..count).step_by(components) {
            for (section, buffers) in scheme.on_sections().zip(&region.sections) {
                let args = args! {
                    u: section.u(self.state.current),
                    region: &buffers["region"],
                    columns: section.columns(),
                    time: time,
                    first: first,
                    stride: self.state.columns.stride(),
                };
                section.launch(&section.program.kernel("quantities_in_region")?, &args)?;
            }
            let integrals = scheme.reduce(components, Operation::Sum)?;
            let least = scheme.reduce(2 * components, Operation::Min)?.split_off(components);
            let largest = scheme.reduce(3 * components, Operation::Max)?.split_off(2 * components);
            let of = |i: usize| Range { integral: integrals[i], least: least[i], largest: largest[i] };
            ranges.extend((0..components.min(count - first)).map(of));
        }
        Ok(ranges)
    }
}
