//! The memory that a solver takes on its device, which is to be free before any of it is allocated.

use crate::device::Device;
use crate::mesh::Mesh;

use super::inventory::Part;
use super::reduce::{Reduction, most_columns};
use super::state::Inventories;
use super::transfer::Transfer;
use super::{Error, Footprint, Plan, Precision, SectionPlan, Setup, domain, receivers};

/// The memory that a plan takes.
///
/// # Errors
/// [`Error::Memory`] where the device has less.
pub(crate) fn require(device: &Device, mesh: &Mesh, setup: &Setup, plan: &Plan) -> Result<Footprint, Error> {
    let needed = footprint(mesh, setup, plan);
    check(needed, device, setup)?;
    Ok(needed)
}

fn check(needed: Footprint, device: &Device, setup: &Setup) -> Result<(), Error> {
    match device.free_memory() {
        Some(free) if free < needed.total() => Err(Error::Memory {
            device: device.name(),
            needed,
            free,
            lower: [
                (setup.order > 0).then_some("a lower order"),
                (setup.precision == Precision::Double).then_some("single precision"),
            ]
            .into_iter()
            .flatten()
            .map(|remedy| format!("{remedy}, "))
            .collect(),
        }),
        _ => Ok(()),
    }
}

fn footprint(mesh: &Mesh, setup: &Setup, plan: &Plan) -> Footprint {
    let rim = domain::rim(mesh, setup, plan);
    let domains: Vec<_> = (0..plan.sections.len()).map(|section| domain::inventory(mesh, plan, section)).collect();
    let state = Inventories::new(setup, plan);
    let bytes = |part| {
        let at_points = |of: &SectionPlan| {
            receivers::inventory(&of.setup, &of.receivers).bytes(part)
                + of.point_sources.bytes(&of.setup, mesh.dim, part)
        };
        let of_sections = domains.iter().map(|domain| domain.bytes(part)).sum::<usize>();
        rim.bytes(part) + state.bytes(part) + of_sections + plan.sections.iter().map(at_points).sum::<usize>()
    };
    let transfers = plan.sections.iter().map(|of| {
        let elements = of.section.elements.len();
        let samples = Transfer::samples(&of.setup, of.unit, elements).bytes();
        // If the device projects the initial data, no values are uploaded.
        let values = match &setup.initial {
            Some(_) => 0,
            None => Transfer::initial_values(&of.setup, of.unit, elements).bytes(),
        };
        samples.max(values)
    });
    let columns = most_columns(setup.law.state.len());
    let columns = Reduction::inventory(Part::Transfers, setup.layout(), &plan.rows(), columns);
    Footprint {
        registers: bytes(Part::Registers),
        mesh: bytes(Part::Mesh),
        limiting: bytes(Part::Limiting),
        reductions: bytes(Part::Reductions),
        transfers: transfers.max().unwrap_or(0).max(columns.bytes(Part::Transfers)),
        elements: mesh.element_count(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::sample_law::WAVES;
    use crate::device::Choice;

    #[test]
    fn a_lack_of_memory_is_an_error_with_figures_and_remedies() {
        let device = Device::open(Choice::Cpu).unwrap();
        let setup = |order, precision| Setup { precision, ..Setup::new(&WAVES, order).unwrap() };
        let memory =
            Footprint { registers: 1 << 50, mesh: 0, limiting: 0, reductions: 0, transfers: 0, elements: 1 << 40 };
        let message = |order, precision| check(memory, &device, &setup(order, precision)).err().unwrap().to_string();
        let text = message(2, Precision::Double);
        for part in
            ["1024.0 TiB in all, 1024 bytes per element", " are free; take fewer elements, a lower order, single"]
        {
            assert!(text.contains(part), "{text}");
        }
        assert!(message(0, Precision::Single).ends_with("take fewer elements, or another device"));
        let little = Footprint { registers: 1, ..memory };
        assert!(check(little, &device, &setup(2, Precision::Double)).is_ok());
    }
}
