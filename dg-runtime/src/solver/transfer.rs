//! Numbers of elements or points on their way between the host and a device, where they lie in blocks.

use crate::device::{Buffer, Device, ELEMENT_BLOCK, View};
use crate::law::Unit;

use super::layout::{Layout, pack, padded, unpack};
use super::{Error, Setup};

/// As many numbers for each of so many elements or points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transfer {
    pub(super) layout: Layout,
    /// Elements or points.
    pub(super) items: usize,
    /// Numbers of each.
    pub(super) fields: usize,
}

impl Transfer {
    /// The coefficients of a solution, `[component][basis function]`.
    pub(super) fn coefficients(setup: &Setup, unit: &Unit, elements: usize) -> Self {
        Self { layout: setup.layout(), items: elements, fields: setup.law.state.len() * unit.basis }
    }

    /// The values from which initial data are projected, `[point][component]`.
    pub(super) fn initial_values(setup: &Setup, unit: &Unit, elements: usize) -> Self {
        let points = unit.reference().operators.projection_rule(setup.map).0.len();
        Self { layout: setup.layout(), items: elements, fields: points * setup.law.state.len() }
    }

    /// Components and outputs at the Lagrange nodes, `[node][field]`.
    pub(super) fn samples(setup: &Setup, unit: &Unit, elements: usize) -> Self {
        let nodes = unit.reference().operators.sample_points.len();
        Self { layout: setup.layout(), items: elements, fields: nodes * setup.law.fields().len() }
    }

    /// Averages in time of a kind at the Lagrange nodes, `[node][quantity]`, if the setup has any.
    pub(super) fn averages(setup: &Setup, unit: &Unit, elements: usize) -> Option<Self> {
        let (quantities, _) = setup.measured.averaged.as_ref()?;
        let fields = quantities.names.len() * unit.reference().operators.sample_points.len();
        Some(Self { layout: setup.layout(), items: elements, fields })
    }

    /// The states at which the scheme evaluates the law in a block of elements, each with its medium: `[point][field]`, at the mean, then at
    /// the points of faces and of the volume.
    pub(super) fn examined(setup: &Setup, unit: &Unit) -> Self {
        let points = 1 + unit.reference().points.len() / setup.law.dim;
        Self { layout: setup.layout(), items: ELEMENT_BLOCK, fields: points * setup.law.values_at_a_point() }
    }

    /// The length of the buffer: whole blocks.
    pub(super) fn numbers(self) -> usize {
        padded(self.items) * self.fields
    }

    /// Bytes of the buffer.
    pub(super) fn bytes(self) -> usize {
        self.numbers() * self.layout.precision.bytes()
    }

    /// Allocates the buffer, with zeros.
    pub(super) fn allocate(self, device: &Device) -> Result<Buffer, Error> {
        self.layout.precision.allocate(device, self.numbers())
    }

    /// Writes the numbers, of which `write` gives those of an item.
    pub(super) fn write<'a>(
        self,
        device: &Device,
        to: impl Into<View<'a>>,
        write: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<(), Error> {
        let packed = pack(self.layout.block(device), self.items, self.fields, write);
        self.layout.precision.write(device, to, &packed)
    }

    /// Allocates the buffer, and [writes](Self::write) the numbers.
    pub(super) fn upload(self, device: &Device, write: impl Fn(usize, &mut [f64]) + Sync) -> Result<Buffer, Error> {
        let buffer = self.allocate(device)?;
        self.write(device, &buffer, write)?;
        Ok(buffer)
    }

    /// The numbers in a buffer, `[item][field]`.
    pub(super) fn read<'a>(self, device: &Device, from: impl Into<View<'a>>) -> Result<Vec<f64>, Error> {
        let packed = self.layout.precision.read(device, from, self.numbers())?;
        Ok(unpack(self.layout.block(device), self.items, self.fields, &packed))
    }
}
