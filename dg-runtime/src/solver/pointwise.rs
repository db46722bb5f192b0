//! The generated code of a law's functions at single points, for comparison with other ways of computing them.

use crate::device::{Device, Module, Options, args};
use crate::formula::StateFormulas;
use crate::law::geometry::Map;
use crate::law::protocol::CUDA_BLOCK;
use crate::law::{Arguments, Function, Law, Unit};
use crate::scheme;

use super::added::Added;
use super::layout::Layout;
use super::transfer::Transfer;
use super::{Error, Precision, parameters};

/// A compiled unit that evaluates the law's functions.
pub struct Pointwise<'a> {
    device: &'a Device,
    law: &'static Law,
    module: Module,
}

impl<'a> Pointwise<'a> {
    /// Compiles a unit in double precision, with these values of the law's parameters.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn new(device: &'a Device, law: &'static Law, unit: &Unit, parameters: &[f64]) -> Result<Self, Error> {
        Self::with_states(device, law, unit, parameters, &[])
    }

    /// The same, with states given by formulas.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn with_states(
        device: &'a Device,
        law: &'static Law,
        unit: &Unit,
        parameters: &[f64],
        states: &[StateFormulas],
    ) -> Result<Self, Error> {
        let mut defines = vec![
            ("PRECISION".to_owned(), Precision::Double.c_type().to_owned()),
            ("POINTWISE".to_owned(), "1".to_owned()),
            ("CASE_STATES(X)".to_owned(), (0..states.len()).map(|i| format!("X({i}) ")).collect()),
        ];
        defines.extend(Added::of_states(states).defines());
        let code = scheme::code(law, unit, Map::Affine);
        let mut module = device.compile(code.text, code.kernels, &Options { defines, ..Options::default() })?;
        parameters::set(device, &mut module, (law, Precision::Double), parameters)?;
        Ok(Self { device, law, module })
    }

    /// Values of a function at points, `[point][result]`; parameters among the arguments are ignored.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn values(&self, function: &Function, points: &[Arguments<'_>]) -> Result<Vec<f64>, Error> {
        self.run(&format!("pointwise_{}", function.name), function.results, points)
    }

    /// Values at points of one of the states given by formulas, `[point][component]`; parameters among the arguments are
    /// ignored.
    ///
    /// # Errors
    /// Errors of the device, among them a missing kernel where there is no state of this number.
    pub fn state_values(&self, number: usize, points: &[Arguments<'_>]) -> Result<Vec<f64>, Error> {
        self.run(&format!("pointwise_formulas_{number}"), self.law.state.len(), points)
    }

    fn run(&self, kernel: &str, results: usize, points: &[Arguments<'_>]) -> Result<Vec<f64>, Error> {
        let (values, dim) = (self.law.values_at_a_point(), self.law.dim);
        let layout = Layout { precision: Precision::Double, cuda_block: CUDA_BLOCK };
        let transfer = |fields| Transfer { layout, items: points.len(), fields };
        let arguments = transfer(2 * values + 2 * dim + 1).upload(self.device, |point, fields| {
            let Arguments { state, right, normal, position, time, .. } = points[point];
            // Arguments that the function does not take are absent; any number will do for them.
            fields.fill(1.0);
            let mut rest = fields;
            for (argument, length) in [(state, values), (right, values), (normal, dim), (position, dim)] {
                let (here, after) = rest.split_at_mut(length);
                let given = argument.len().min(length);
                here[..given].copy_from_slice(&argument[..given]);
                rest = after;
            }
            rest[0] = time;
        })?;
        let transfer = transfer(results);
        let values = transfer.allocate(self.device)?;
        let kernel = self.module.kernel(kernel)?;
        self.device.launch(&kernel, points.len(), &args! { arguments: &arguments, values: &values })?;
        transfer.read(self.device, &values)
    }
}
