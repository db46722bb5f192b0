//! Integrals of quantities over regions, and their extremes with their places.

use crate::device::{Buffers, ELEMENT_BLOCK, Launch, args};
use crate::law::MAX_DIM;
use crate::law::protocol::REDUCTION;
use crate::solver::inventory::{Inventory, Part};
use crate::solver::layout::offset;
use crate::solver::program::present;
use crate::solver::reduce::{Operation, Reduction};
use crate::solver::scheme::OnSection;
use crate::solver::{Error, Solver};

/// Elements of a mesh on a device.
pub struct Region {
    /// The buffers of each section.
    sections: Vec<Buffers>,
}

/// An extreme value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extreme {
    /// The value at a Lagrange node of an element.
    pub value: f64,
    /// Where the first node of the first element is that has it; NaN if the value is.
    pub position: [f64; MAX_DIM],
}

/// A quantity over a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Its integral, by the quadrature of degree 2p + 4 or more.
    pub integral: f64,
    /// Its least value at the Lagrange nodes of the elements.
    pub least: Extreme,
    /// Its largest value there.
    pub largest: Extreme,
}

impl<'a> OnSection<'a> {
    /// Leaves in columns integrals and extremes of as many quantities as there are components, from number `first` on, over the region
    /// in the first elements.
    fn quantities_in(
        self,
        elements: usize,
        region: &'a Buffers,
        columns: &'a Reduction,
        first: usize,
        time: f64,
    ) -> Result<Launch<'a>, Error> {
        let args = args! {
            u: self.solution(),
            region: &region["region"],
            columns: columns.of(self.number),
            extreme_nodes: &region["extreme_nodes"],
            time: time,
            first: first,
            numbers: region["extreme_nodes"].numbers(),
            stride: columns.stride(),
        };
        let kernels = present(&self.program.kernels.quantities, "quantities_in_region")?;
        self.on(&kernels.in_region, 0..elements, &args)
    }

    /// Finds the first of the first elements that have a value in a column.
    fn find_extreme(
        self,
        elements: usize,
        region: &'a Buffers,
        columns: &'a Reduction,
        (column, value): (usize, f64),
    ) -> Result<Launch<'a>, Error> {
        let partials = elements.div_ceil(REDUCTION);
        let args = args! {
            column: columns.column(self.number, column),
            extreme_rows: &region["extreme_rows"],
            value: value,
            rows: elements,
            partials: partials,
        };
        let kernels = present(&self.program.kernels.quantities, "find_extreme")?;
        self.on_items(&kernels.find_extreme, partials, region, &args)
    }
}

impl Solver {
    /// Makes sure that the kernels for regions get all their arguments, by preparing the launches for a block of elements of each section.
    pub(super) fn check_regions(&self) -> Result<(), Error> {
        let columns = self.scheme().new_columns(3 * self.setup().law.state.len())?;
        for section in self.scheme().on_sections() {
            let elements = section.domain.elements().min(ELEMENT_BLOCK);
            let region = self.region_in(elements, |_| true)?;
            section.quantities_in(elements, &region, &columns, 0, 0.0)?;
            section.find_extreme(elements, &region, &columns, (0, 0.0))?;
        }
        Ok(())
    }

    /// The elements in groups of these names, all if there are none.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn region(&self, groups: &[String]) -> Result<Region, Error> {
        let mesh = self.mesh();
        let counts =
            |element: usize| groups.is_empty() || mesh.groups().of(element).iter().any(|of| groups.contains(of));
        let of_section = |section: OnSection<'_>| {
            let first = section.domain.section.elements.start;
            self.region_in(section.domain.elements(), |element| counts(first + element))
        };
        Ok(Region { sections: self.scheme().on_sections().map(of_section).collect::<Result<_, _>>()? })
    }

    /// The buffers for the first elements of a section, of which some count.
    fn region_in(&self, elements: usize, counts: impl Fn(usize) -> bool + Sync) -> Result<Buffers, Error> {
        let mut inventory = Inventory::new(self.setup().layout(), elements);
        let write = |element: usize, v: &mut [i32]| v[0] = i32::from(counts(element));
        inventory.written_ints(Part::Mesh, "region", 1, write);
        inventory.ints_of_elements(Part::Mesh, "extreme_nodes", 2 * self.quantities());
        inventory.ints(Part::Mesh, "extreme_rows", elements.div_ceil(REDUCTION));
        inventory.allocate(self.device())
    }

    /// The quantities of the setup over a region.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no quantities.
    pub fn quantities_in(&self, region: &Region) -> Result<Vec<Range>, Error> {
        let (scheme, components) = (self.scheme(), self.setup().law.state.len());
        let count = self.quantities();
        let time = self.clock()?.time;
        let (mut ranges, columns) = (Vec::new(), scheme.new_columns(3 * components)?);
        // The columns have room for as many quantities as there are components.
        for first in (0..count).step_by(components) {
            for (section, buffers) in scheme.on_sections().zip(&region.sections) {
                scheme.run([section.quantities_in(section.domain.elements(), buffers, &columns, first, time)?])?;
            }
            let integrals = scheme.reduce(&columns, components, Operation::Sum)?;
            let least = scheme.reduce(&columns, 2 * components, Operation::Min)?.split_off(components);
            let largest = scheme.reduce(&columns, 3 * components, Operation::Max)?.split_off(2 * components);
            for i in 0..components.min(count - first) {
                let at = |kind: usize, value: f64| {
                    let column = ((1 + kind) * components + i, value);
                    let position = self.position(region, &columns, column, 2 * (first + i) + kind)?;
                    Ok::<_, Error>(Extreme { value, position })
                };
                ranges.push(Range { integral: integrals[i], least: at(0, least[i])?, largest: at(1, largest[i])? });
            }
        }
        Ok(ranges)
    }

    /// The number of quantities.
    fn quantities(&self) -> usize {
        self.setup().measured.quantities.as_ref().map_or(0, |quantities| quantities.names.len())
    }

    /// Where the first element is whose number in a column is this value: its node that is field `node` of `extreme_nodes`.
    fn position(
        &self,
        region: &Region,
        columns: &Reduction,
        column: (usize, f64),
        node: usize,
    ) -> Result<[f64; MAX_DIM], Error> {
        let fields = 2 * self.quantities();
        for (section, buffers) in self.scheme().on_sections().zip(&region.sections) {
            let elements = section.domain.section.elements.clone();
            self.scheme().run([section.find_extreme(elements.len(), buffers, columns, column)?])?;
            let found = &buffers["extreme_rows"];
            let mut rows = vec![0_i32; found.numbers()];
            self.device().download(found, &mut rows)?;
            let row = rows.into_iter().map(|row| row as usize).min().unwrap_or(elements.len());
            if row < elements.len() {
                let (mut number, place) =
                    ([0_i32], offset(self.setup().layout().block(self.device()), row, node, fields));
                self.device().download(buffers["extreme_nodes"].part(place..place + 1), &mut number)?;
                let operators = &section.program.unit.reference().operators;
                return Ok(self.mesh().position(elements.start + row, &operators.sample_points[number[0] as usize]));
            }
        }
        Ok([f64::NAN; MAX_DIM])
    }
}
