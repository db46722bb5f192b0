//! Measures of a solution: integrals, means, errors, and values at points.

use crate::device::{Buffer, args};

use super::Error;
use super::layout::padded;
use super::reduce::Operation;
use super::scheme::Scheme;
use super::transfer::Transfer;

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

/// Values at the Lagrange nodes of every element.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Nodes per element.
    pub nodes: usize,
    /// Names of the fields: the components of the state and the law's outputs.
    pub fields: Vec<&'static str>,
    /// `[element][node][field]`.
    pub values: Vec<f64>,
}

impl Samples {
    /// The values of a field, `[element][node]`, if there is one of this name.
    pub fn field(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.fields.iter().position(|field| *field == name)?;
        Some(self.values.iter().skip(index).step_by(self.fields.len()).copied().collect())
    }
}

/// The integral of every component over the domain.
pub(super) fn integrals(scheme: Scheme<'_>) -> Result<Vec<f64>, Error> {
    integrate(scheme, &scheme.domain.buffers["determinants"])?;
    scheme.reduce(scheme.setup.law.state.len(), Operation::Sum)
}

/// For every component, the least and the largest element mean.
pub(super) fn range_of_means(scheme: Scheme<'_>) -> Result<Vec<[f64; 2]>, Error> {
    integrate(scheme, &unit_determinants(scheme)?)?;
    let components = scheme.setup.law.state.len();
    let least = scheme.reduce(components, Operation::Min)?;
    let largest = scheme.reduce(components, Operation::Max)?;
    Ok(least.into_iter().zip(largest).map(|(least, largest)| [least, largest]).collect())
}

/// The mean of every element, `[component][element]`.
pub(super) fn means(scheme: Scheme<'_>) -> Result<Vec<Vec<f64>>, Error> {
    integrate(scheme, &unit_determinants(scheme)?)?;
    let columns = &scheme.state.columns;
    let numbers = scheme.program.read(columns.values(), scheme.setup.law.state.len() * columns.stride())?;
    let means = |column: &[f64]| column[..scheme.domain.elements()].to_vec();
    Ok(numbers.chunks_exact(columns.stride()).map(means).collect())
}

/// Leaves the integral of every component over every element in the columns; `determinants` are the elements' det J.
fn integrate(scheme: Scheme<'_>, determinants: &Buffer) -> Result<(), Error> {
    let columns = &scheme.state.columns;
    let args = args! {
        u: scheme.state.solution(),
        determinants: determinants,
        integrals: columns.values(),
        stride: columns.stride(),
    };
    scheme.run([scheme.on_elements(&scheme.program.kernels.integrate, &args)?])
}

/// The determinants of elements of volume 1, with which integrals are means.
fn unit_determinants(scheme: Scheme<'_>) -> Result<Buffer, Error> {
    let mesh = &scheme.domain.mesh;
    let geometry = mesh.geometry(0);
    let determinant = geometry.determinant / geometry.measure(mesh.shape);
    let program = scheme.program;
    program.precision.upload(&program.device, &vec![determinant; padded(mesh.element_count())])
}

/// Errors against the setup's exact solution at the current time.
pub(super) fn errors(scheme: Scheme<'_>) -> Result<Norms, Error> {
    let kernel = scheme.program.kernel("errors")?;
    let (columns, components) = (&scheme.state.columns, scheme.setup.law.state.len());
    let args = args! {
        u: scheme.state.solution(),
        errors: columns.values(),
        time: scheme.clock()?.time,
        stride: columns.stride(),
    };
    scheme.run([scheme.on_elements(&kernel, &args)?])?;
    let sums = scheme.reduce(2 * components, Operation::Sum)?;
    let max = scheme.reduce(3 * components, Operation::Max)?.split_off(2 * components);
    let (l1, squares) = sums.split_at(components);
    Ok(Norms { l1: l1.to_vec(), l2: squares.iter().map(|s| s.sqrt()).collect(), max })
}

/// The solution and the law's outputs at the Lagrange nodes of every element.
pub(super) fn samples(scheme: Scheme<'_>) -> Result<Samples, Error> {
    let Scheme { program, domain, state, .. } = scheme;
    let fields = scheme.setup.law.fields();
    let transfer = Transfer::samples(scheme.setup, program.unit, domain.elements());
    let buffer = transfer.allocate(&program.device)?;
    let args = args! { u: state.solution(), samples: &buffer, time: scheme.clock()?.time };
    scheme.run([scheme.on_elements(&program.kernels.sample, &args)?])?;
    let values = transfer.read(&program.device, &buffer)?;
    Ok(Samples { nodes: transfer.fields / fields.len(), fields, values })
}
