//! Quantities and averages at points.

use super::averages::variance;
use crate::device::{Buffers, Launch, args};
use crate::law::reference::{Operators, basis};
use crate::law::{MAX_DIM, Shape, Unit};
use crate::mesh::inverse;
use crate::solver::inventory::{Inventory, Part};
use crate::solver::layout::padded;
use crate::solver::places::{Place, basis_slopes};
use crate::solver::program::present;
use crate::solver::scheme::OnSection;
use crate::solver::transfer::Transfer;
use crate::solver::{Error, Solver};

/// Points of a mesh on a device.
pub struct Points {
    count: usize,
    sections: Vec<OfSection>,
}

/// The points in a section.
struct OfSection {
    /// Their numbers among all.
    numbers: Vec<usize>,
    buffers: Buffers,
}

impl<'a> OnSection<'a> {
    fn quantities_at(self, OfSection { numbers, buffers }: &'a OfSection, time: f64) -> Result<Launch<'a>, Error> {
        let kernels = present(&self.program.kernels.quantities, "quantities_at_points")?;
        let (count, stride) = (buffers["quantities"].numbers(), padded(numbers.len()));
        let args = args! { u: self.solution(), time: time, numbers: count, stride: stride };
        self.on_items(&kernels.at_points, numbers.len(), buffers, &args)
    }

    fn averages_at(self, OfSection { numbers, buffers }: &'a OfSection) -> Result<Launch<'a>, Error> {
        let kernels = present(&self.program.kernels.averages, "averages_at_points")?;
        let args = args! {
            averaged: self.averages().map_or(0, Transfer::numbers),
            numbers: buffers["point_averages"].numbers(),
            stride: padded(numbers.len()),
        };
        self.on_items(&kernels.at_points, numbers.len(), buffers, &args)
    }
}

impl Solver {
    /// Makes sure that the kernels for points get all their arguments, by preparing the launches for a point of each section.
    pub(super) fn check_points(&self) -> Result<(), Error> {
        let (scheme, measured) = (self.scheme(), &self.setup().measured);
        let first = |section: OnSection<'_>| (section.domain.section.elements.start, [0.0; MAX_DIM]);
        let points = self.points_of_elements(&scheme.on_sections().map(first).collect::<Vec<_>>())?;
        for (section, points) in scheme.on_sections().zip(&points.sections) {
            if measured.quantities.is_some() {
                section.quantities_at(points, 0.0)?;
            }
            if measured.averaged.is_some() {
                section.averages_at(points)?;
            }
        }
        Ok(())
    }

    /// Puts points on the device; `what` is the name of one for messages, by its number.
    ///
    /// # Errors
    /// [`Error::Outside`], and errors of the device.
    pub fn points(&self, positions: &[[f64; MAX_DIM]], what: impl Fn(usize) -> String) -> Result<Points, Error> {
        let (mesh, code) = (self.mesh(), self.scheme().code());
        let places = mesh.locate_each(positions);
        let place = |(i, (place, position)): (usize, (_, &[f64; MAX_DIM]))| {
            Place::known(mesh, &code, place, *position, || what(i)).map(|place| (place, *position))
        };
        self.placed(&places.into_iter().zip(positions).enumerate().map(place).collect::<Result<Vec<_>, _>>()?)
    }

    /// The same for points of known elements, with their reference coordinates.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn points_of_elements(&self, points: &[(usize, [f64; MAX_DIM])]) -> Result<Points, Error> {
        let (mesh, dim, code) = (self.mesh(), self.mesh().dim, self.scheme().code());
        let place = |&(element, reference): &(usize, [f64; MAX_DIM])| {
            (Place::new(mesh, &code, (element, reference)), mesh.position(element, &reference[..dim]))
        };
        self.placed(&points.iter().map(place).collect::<Vec<_>>())
    }

    fn placed(&self, points: &[(Place, [f64; MAX_DIM])]) -> Result<Points, Error> {
        let (part, dim) = (Part::Mesh, self.mesh().dim);
        let quantities = self.setup().measured.quantities.as_ref().map_or(0, |quantities| quantities.names.len());
        let averaged = self.setup().measured.averaged.as_ref().map_or(0, |(quantities, _)| quantities.names.len());
        let of_section = |section: OnSection<'_>| -> Result<OfSection, Error> {
            let numbers: Vec<usize> =
                (0..points.len()).filter(|&point| points[point].0.section == section.number).collect();
            let point = |i: usize| &points[numbers[i]];
            let mut inventory = Inventory::new(self.setup().layout(), numbers.len());
            if !numbers.is_empty() {
                let basis = section.program.unit.basis;
                inventory.written_ints(part, "point_elements", 1, |i, v| v[0] = point(i).0.number as i32);
                inventory.written_reals(part, "point_basis", basis, |i, v| v.copy_from_slice(&point(i).0.basis));
                if self.setup().law.has_gradient_outputs() {
                    let (&Unit { shape, order, .. }, mesh) = (section.program.unit, self.mesh());
                    inventory.written_reals(part, "point_slopes", dim * basis, move |i, v| {
                        let Place { element, reference, .. } = &point(i).0;
                        let slopes = basis_slopes(shape, order, &mesh.map_of(*element), &reference[..dim]);
                        v.copy_from_slice(&slopes);
                        if order == 0 {
                            v.fill(f64::NAN);
                        }
                    });
                } else {
                    inventory.reals(part, "point_slopes", 1);
                }
                inventory.written_reals(part, "point_positions", dim, |i, v| v.copy_from_slice(&point(i).1[..dim]));
                inventory.reals(part, "quantities", padded(numbers.len()) * quantities.max(1));
                if averaged > 0 {
                    let lagrange = Lagrange::new(section.program.unit);
                    inventory.written_reals(part, "point_nodes", lagrange.nodes, move |i, v| {
                        v.copy_from_slice(&lagrange.values(&point(i).0.reference[..dim]));
                    });
                    inventory.reals(part, "point_averages", 2 * averaged * padded(numbers.len()));
                }
            }
            let buffers = inventory.allocate(self.device())?;
            drop(inventory);
            Ok(OfSection { numbers, buffers })
        };
        let sections = self.scheme().on_sections().map(of_section).collect::<Result<_, _>>()?;
        Ok(Points { count: points.len(), sections })
    }

    /// The quantities of the setup at points, `[quantity][point]`.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no quantities.
    pub fn quantities_at(&self, points: &Points) -> Result<Vec<Vec<f64>>, Error> {
        let (scheme, time) = (self.scheme(), self.clock()?.time);
        let count = self.setup().measured.quantities.as_ref().map_or(0, |quantities| quantities.names.len());
        let mut all = vec![vec![0.0; points.count]; count];
        for (section, points) in scheme.on_sections().zip(&points.sections) {
            let OfSection { numbers, buffers } = points;
            if numbers.is_empty() {
                continue;
            }
            scheme.run([section.quantities_at(points, time)?])?;
            let buffer = &buffers["quantities"];
            let values = section.program.read(buffer, buffer.numbers())?;
            for (of_quantity, column) in all.iter_mut().zip(values.chunks_exact(padded(numbers.len()))) {
                numbers.iter().zip(column).for_each(|(&number, value)| of_quantity[number] = *value);
            }
        }
        Ok(all)
    }

    /// Of every quantity that the setup averages the means at points, and the root mean squares of the fluctuations about them, up to the
    /// time of the solution: of the polynomials through the values of means and variances at the nodes, with 0 where that of a variance
    /// is below. The values themselves and 0 before averages begin.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where the setup has no averages.
    pub fn averages_at(&self, points: &Points) -> Result<Vec<[Vec<f64>; 2]>, Error> {
        let count = self.setup().measured.averaged.as_ref().map_or(0, |(quantities, _)| quantities.names.len());
        let (scheme, duration) = (self.scheme(), self.renew_averages()?);
        let mut all = vec![[vec![0.0; points.count], vec![0.0; points.count]]; count];
        for (section, points) in scheme.on_sections().zip(&points.sections) {
            let OfSection { numbers, buffers } = points;
            if numbers.is_empty() {
                continue;
            }
            scheme.run([section.averages_at(points)?])?;
            let (buffer, stride) = (&buffers["point_averages"], padded(numbers.len()));
            let values = section.program.read(buffer, buffer.numbers())?;
            for ([means, fluctuations], columns) in all.iter_mut().zip(values.chunks_exact(2 * stride)) {
                for (i, &number) in numbers.iter().enumerate() {
                    means[number] = columns[i];
                    let variance = variance(columns[stride + i], duration);
                    // NaN stays.
                    fluctuations[number] = if variance < 0.0 { 0.0 } else { variance.sqrt() };
                }
            }
        }
        Ok(all)
    }
}

/// The Lagrange polynomials of the nodes at which averages are kept.
struct Lagrange {
    shape: Shape,
    degree: usize,
    nodes: usize,
    /// `[basis function][node]`.
    coefficients: Vec<Vec<f64>>,
}

impl Lagrange {
    fn new(unit: &Unit) -> Self {
        let Operators { shape, sample_order, sample_points, .. } = &unit.reference().operators;
        let values = sample_points.iter().map(|node| basis::values(*shape, *sample_order, node)).collect();
        Self { shape: *shape, degree: *sample_order, nodes: sample_points.len(), coefficients: inverse(values) }
    }

    fn values(&self, point: &[f64]) -> Vec<f64> {
        let basis = basis::values(self.shape, self.degree, point);
        (0..self.nodes).map(|s| basis.iter().zip(&self.coefficients).map(|(phi, of)| phi * of[s]).sum()).collect()
    }
}
