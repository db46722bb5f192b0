//! `verify`: exact arithmetic, the law's Rust and the generated code agree; and the kernels for results give
//! the values that are known without them.

mod characteristic;
mod formulas;
mod reference;
mod scheme;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use self::reference::{EXACT, Reference, arguments_of, on_host, references};
use super::orders::{self, Orders};
use super::progress::tasks;
use super::table::{indent, table};
use super::{Error, Report, selected_laws};
use crate::case::{Case, require_order, unit_of};
use crate::device::{Choice, Device};
use crate::law::{Law, Role, Shape, Unit};
use crate::solver::Pointwise;

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} verify
  {bin} verify euler --device cuda --orders 1..3
  {bin} verify --case cases/double_mach.toml

Exit status 1 if anything differs.")]
pub(super) struct Verify {
    /// The law; all of them if not given
    law: Option<String>,
    /// Compare the formulas of this case file instead, at its order if no other is given
    #[arg(long, value_name = "FILE", conflicts_with = "law")]
    case: Option<PathBuf>,
    /// Where to run the generated code: cpu, cuda or cuda:N; on the CPU and the first GPU if not given
    #[arg(long)]
    device: Option<Choice>,
    /// Polynomial degrees: 2, a list 1,3 or a range 1..5 with both ends; all that a law has if not given
    #[arg(long, value_parser = orders::parse)]
    orders: Option<Orders>,
}

/// Largest difference that counts as agreement, relative to the value or to 1.
const TOLERANCE: f64 = 1e-13;

/// Functions that divide by differences of wave speeds, and the factor by which this increases rounding errors: in the samples, speeds
/// differ by at least a twentieth of the fastest.
const DIVIDING: (&[&str], f64) = (&["far_field", "L, R = 1 / L", "R diag(lambda) L"], 20.0);

/// The comparison of one way of computing something with its reference.
#[derive(Debug)]
struct Comparison {
    law: &'static str,
    /// The function, or the result of a kernel.
    function: String,
    /// "Rust", or the device.
    way: String,
    /// The reference.
    reference: &'static str,
    /// Order of the generated code.
    order: Option<usize>,
    /// The shape of the elements, where the code depends on it.
    shape: Option<Shape>,
    samples: usize,
    /// Largest difference, relative to the value or to 1.
    difference: f64,
}

impl Comparison {
    fn agrees(&self) -> bool {
        let (names, growth) = DIVIDING;
        self.difference <= if names.contains(&self.function.as_str()) { growth * TOLERANCE } else { TOLERANCE }
    }
}

pub(super) fn verify(arguments: &Verify, laws: &[&'static Law]) -> Result<Report, Error> {
    if let Some(path) = &arguments.case {
        return verify_case(path, arguments, laws);
    }
    let laws = selected_laws(arguments.law.as_deref(), laws)?;
    for (law, orders) in laws.iter().flat_map(|law| arguments.orders.as_ref().map(|orders| (law, orders))) {
        orders.0.iter().try_for_each(|&order| require_order(law, order))?;
    }
    let (devices, mut skipped) = open_devices(arguments.device)?;
    let units_of = |law: &'static Law| {
        law.units.iter().filter(|unit| arguments.orders.as_ref().is_none_or(|orders| orders.0.contains(&unit.order)))
    };
    let bar = tasks(laws.iter().map(|law| units_of(law).count() * devices.len()).sum());
    let mut comparisons = Vec::new();
    for law in laws {
        if law.samples.is_empty() {
            skipped.push(format!("{}: it carries no values in exact arithmetic", law.name));
            continue;
        }
        let references = references(law);
        let exact = |reference: &&Reference| reference.source == EXACT;
        for reference in references.iter().filter(exact) {
            let values: Option<Vec<_>> =
                reference.points.iter().map(|point| on_host(reference.function, &arguments_of(point))).collect();
            comparisons.extend(values.map(|values| compare(law, reference, "Rust", None, &values)));
        }
        for device in &devices {
            for unit in units_of(law) {
                bar.set_message(format!("{}, order {}, {}", law.name, unit.order, unit.shape.name()));
                comparisons.extend(scheme::comparisons(device, law, unit)?);
                bar.inc(1);
                // The text of functions is that of every shape.
                if law.units.first().is_none_or(|first| first.shape != unit.shape) {
                    continue;
                }
                let mut code = Code { device, law, unit, compiled: Vec::new() };
                // A medium that does not take the time is computed on the host alone.
                let is_on_device = |reference: &&Reference| {
                    let function = reference.function;
                    function.role != Role::Medium || law.changing_fields(function).is_some()
                };
                for reference in references.iter().filter(is_on_device) {
                    let values = code.values(reference)?;
                    comparisons.push(compare(law, reference, &device.name(), Some(unit.order), &values));
                }
                comparisons.extend(characteristic::comparisons(&mut code)?);
            }
        }
    }
    bar.finish_and_clear();
    Ok(report(&comparisons, &skipped))
}

/// Compares the formulas of a case.
fn verify_case(path: &Path, arguments: &Verify, laws: &[&'static Law]) -> Result<Report, Error> {
    let case = Case::read(path, laws)?;
    let formulas = formulas::formulas_of(&case);
    if formulas.is_empty() {
        return Err(Error::Name(format!("{} has no formulas, of which to compare code and values", path.display())));
    }
    let (devices, skipped) = open_devices(arguments.device)?;
    let (mesh, mut comparisons) = (case.build_mesh()?, Vec::new());
    let orders = arguments.orders.as_ref().map_or(vec![case.order], |orders| orders.0.clone());
    for (device, order) in devices.iter().flat_map(|device| orders.iter().map(move |order| (device, *order))) {
        let unit = unit_of(case.law, mesh.shape(0), order)?;
        comparisons.extend(formulas::comparisons(device, &case, unit, &mesh, &formulas)?);
    }
    Ok(report(&comparisons, &skipped))
}

/// The requested device; or else all devices, and why others are skipped.
fn open_devices(choice: Option<Choice>) -> Result<(Vec<Arc<Device>>, Vec<String>), Error> {
    if let Some(choice) = choice {
        return Ok((vec![Arc::new(Device::open(choice)?)], Vec::new()));
    }
    let (mut devices, mut skipped) = (Vec::new(), Vec::new());
    for choice in [Choice::Cpu, Choice::Cuda(None)] {
        match Device::open(choice) {
            Ok(device) => devices.push(Arc::new(device)),
            Err(error) => skipped.push(format!("{choice}: {error}")),
        }
    }
    Ok((devices, skipped))
}

/// Compares values, `[point][result]`, with the reference.
fn compare(
    law: &'static Law,
    reference: &Reference,
    way: &str,
    order: Option<usize>,
    values: &[Vec<f64>],
) -> Comparison {
    let pairs = values.iter().zip(&reference.values);
    Comparison {
        law: law.name,
        function: reference.function.name.to_owned(),
        way: way.to_owned(),
        reference: reference.source,
        order,
        shape: None,
        samples: values.len(),
        difference: pairs.map(|(value, right)| difference(value, right)).fold(0.0, larger),
    }
}

/// The generated code of a unit on a device, compiled once for each set of parameter values.
struct Code<'a> {
    device: &'a Device,
    law: &'static Law,
    unit: &'static Unit,
    compiled: Vec<(&'static [f64], Pointwise<'a>)>,
}

impl<'a> Code<'a> {
    /// Values of a function at the reference's points, `[point][result]`.
    fn values(&mut self, reference: &Reference) -> Result<Vec<Vec<f64>>, Error> {
        let mut values = Vec::new();
        for points in reference.points.chunk_by(|a, b| a.parameters == b.parameters) {
            let arguments: Vec<_> = points.iter().map(|point| arguments_of(point)).collect();
            let flat = self.with(points[0].parameters)?.values(reference.function, &arguments)?;
            values.extend(flat.chunks_exact(reference.function.results).map(<[f64]>::to_vec));
        }
        Ok(values)
    }

    fn with(&mut self, parameters: &'static [f64]) -> Result<&Pointwise<'a>, Error> {
        let known = self.compiled.iter().position(|(values, _)| *values == parameters);
        let index = match known {
            Some(index) => index,
            None => {
                let code = Pointwise::new(self.device, self.law, self.unit, parameters)?;
                self.compiled.push((parameters, code));
                self.compiled.len() - 1
            }
        };
        Ok(&self.compiled[index].1)
    }
}

/// Largest difference of two values' components, relative to the largest component or to 1.
fn difference(value: &[f64], exact: &[f64]) -> f64 {
    let scale = exact.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    value.iter().zip(exact).map(|(a, b)| (a - b).abs() / scale).fold(0.0, larger)
}

/// The larger one; NaN counts as the largest, unlike for `f64::max`.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn report(comparisons: &[Comparison], skipped: &[String]) -> Report {
    let heading =
        ["law", "function", "computed by", "order", "elements", "compared with", "samples", "largest difference", ""];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for comparison in comparisons {
        rows.push(vec![
            comparison.law.into(),
            comparison.function.clone(),
            comparison.way.clone(),
            comparison.order.map_or(String::new(), |order| order.to_string()),
            comparison.shape.map_or("", Shape::name).into(),
            comparison.reference.into(),
            comparison.samples.to_string(),
            format!("{:.1e}", comparison.difference),
            if comparison.agrees() { "agrees".into() } else { "DIFFERS".into() },
        ]);
    }
    let list: Vec<_> = comparisons
        .iter()
        .map(|comparison| {
            json!({
                "law": comparison.law, "function": comparison.function, "way": comparison.way,
                "order": comparison.order, "shape": comparison.shape.map(Shape::name), "reference": comparison.reference, "samples": comparison.samples,
                "difference": comparison.difference, "agrees": comparison.agrees(),
            })
        })
        .collect();
    // Without a comparison nothing is verified.
    let agree = !comparisons.is_empty() && comparisons.iter().all(Comparison::agrees);
    let mut text = format!(
        "Values of the laws' functions, and of the kernels that files and tables come from\n\n{}",
        table(&rows)
    );
    for reason in skipped {
        text += &format!("\nskipped: {}", indent(reason).trim_start());
    }
    let json = json!({ "agree": agree, "comparisons": list, "skipped": skipped });
    Report { status: u8::from(!agree), ..Report::new(json, text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_never_agrees() {
        assert!(difference(&[1.0, f64::NAN, 2.0], &[1.0, 1.0, 2.0]).is_nan());
        assert_eq!(difference(&[101.0], &[100.0]), 0.01);
        assert_eq!(difference(&[0.1], &[0.0]), 0.1);
    }
}
