//! Measures of a solution: integrals, means, errors, and values at points.

use super::layout::padded;
use super::reduce::{Operation, Reduction};
use super::scheme::{OnSection, Scheme};
use super::transfer::Transfer;
use super::{Error, diagnosis};

/// Errors against the exact solution, for every component.
#[derive(Clone, Debug, PartialEq)]
pub struct Norms {
    /// ∫ |e| dx.
    pub l1: Vec<f64>,
    /// (∫ e² dx)^½.
    pub l2: Vec<f64>,
    /// max |e| over the quadrature points.
    pub max: Vec<f64>,
}

/// Values at the Lagrange nodes of the elements.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Names of the fields: the components of the state and the law's outputs.
    pub fields: Vec<&'static str>,
    /// `[node][field]` of one element behind the other.
    pub values: Vec<f64>,
}

impl Samples {
    /// The values of a field at the nodes of one element behind the other, if there is one of this name.
    pub fn field(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.fields.iter().position(|field| *field == name)?;
        Some(self.values.iter().skip(index).step_by(self.fields.len()).copied().collect())
    }
}

/// The integral of every component over the domain.
pub(super) fn integrals(scheme: Scheme<'_>) -> Result<Vec<f64>, Error> {
    let components = scheme.setup.law.state.len();
    let columns = scheme.new_columns(components)?;
    scheme.run(scheme.each(|section| section.integrate(&section.domain.buffers["determinants"], &columns))?)?;
    scheme.reduce(&columns, components, Operation::Sum)
}

/// For every component, the least and the largest element mean.
pub(super) fn range_of_means(scheme: Scheme<'_>) -> Result<Vec<[f64; 2]>, Error> {
    let (columns, components) = (integrate_means(scheme)?, scheme.setup.law.state.len());
    let least = scheme.reduce(&columns, components, Operation::Min)?;
    let largest = scheme.reduce(&columns, components, Operation::Max)?;
    Ok(least.into_iter().zip(largest).map(|(least, largest)| [least, largest]).collect())
}

/// The mean of every element, `[component][element]`.
pub(super) fn means(scheme: Scheme<'_>) -> Result<Vec<Vec<f64>>, Error> {
    scheme.read(&integrate_means(scheme)?, scheme.setup.law.state.len())
}

/// Columns with the mean of every component over every element.
fn integrate_means(scheme: Scheme<'_>) -> Result<Reduction, Error> {
    let columns = scheme.new_columns(scheme.setup.law.state.len())?;
    for section in scheme.on_sections() {
        // The determinants of elements of volume 1.
        let determinant = 1.0 / section.setup.shape.measure();
        let determinants = vec![determinant; padded(section.domain.elements())];
        let determinants = scheme.setup.precision.upload(scheme.device, &determinants)?;
        scheme.run([section.integrate(&determinants, &columns)?])?;
    }
    Ok(columns)
}

/// Errors against the setup's exact solution at the current time.
pub(super) fn errors(scheme: Scheme<'_>) -> Result<Norms, Error> {
    let components = scheme.setup.law.state.len();
    let time = diagnosis::clock(scheme)?.time;
    let columns = scheme.new_columns(3 * components)?;
    scheme.run(scheme.each(|section| section.errors(time, &columns))?)?;
    let sums = scheme.reduce(&columns, 2 * components, Operation::Sum)?;
    let max = scheme.reduce(&columns, 3 * components, Operation::Max)?.split_off(2 * components);
    let (l1, squares) = sums.split_at(components);
    Ok(Norms { l1: l1.to_vec(), l2: squares.iter().map(|s| s.sqrt()).collect(), max })
}

/// The solution and the law's outputs at the Lagrange nodes of every element.
pub(super) fn samples(scheme: Scheme<'_>) -> Result<Samples, Error> {
    let time = diagnosis::clock(scheme)?.time;
    let mut values = Vec::new();
    for section in scheme.on_sections() {
        let OnSection { setup, program, domain, .. } = section;
        let transfer = Transfer::samples(setup, program.unit, domain.elements());
        let buffer = transfer.allocate(scheme.device)?;
        scheme.run([section.sample(transfer.items, &buffer, time)?])?;
        values.append(&mut transfer.read(scheme.device, &buffer)?);
    }
    Ok(Samples { fields: scheme.setup.law.fields(), values })
}
