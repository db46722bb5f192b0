//! `verify`: exact arithmetic, the law's Rust and the generated code agree.

use serde_json::json;

use super::orders::{self, Orders};
use super::progress::tasks;
use super::table::{indent, table};
use super::{Error, Report, selected_laws};
use crate::device::{Choice, Device};
use crate::law::{Arguments, Function, Law, Sample, Unit};
use crate::solver::Pointwise;

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  {bin} verify
  {bin} verify euler --device cuda --orders 1..3

Exit status 1 if anything differs.")]
pub(super) struct Verify {
    /// The law; all of them if not given
    law: Option<String>,
    /// Where to run the generated code: cpu, cuda or cuda:N; on the CPU and the first GPU if not given
    #[arg(long)]
    device: Option<Choice>,
    /// Polynomial degrees: 2, a list 1,3 or a range 1..5 with both ends; all that a law has if not given
    #[arg(long, value_parser = orders::parse)]
    orders: Option<Orders>,
}

/// Largest difference that counts as agreement, relative to the value or to 1.
const TOLERANCE: f64 = 1e-13;

/// How one way of computing a law's functions compares with exact arithmetic.
#[derive(Debug)]
struct Comparison {
    law: &'static str,
    function: &'static str,
    /// "Rust", or the device.
    way: String,
    /// Of the generated code.
    order: Option<usize>,
    samples: usize,
    /// Largest difference, relative to the value or to 1.
    difference: f64,
}

impl Comparison {
    fn agrees(&self) -> bool {
        self.difference <= TOLERANCE
    }
}

pub(super) fn verify(arguments: &Verify, laws: &[&'static Law]) -> Result<Report, Error> {
    let laws = selected_laws(arguments.law.as_deref(), laws)?;
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
        comparisons.extend(compare(law, "Rust", None, &mut |function, samples| Ok(on_host(function, samples)))?);
        for device in &devices {
            for unit in units_of(law) {
                bar.set_message(format!("{}, order {}", law.name, unit.order));
                let mut values =
                    |function: &Function, samples: &[&Sample]| on_device(device, law, unit, function, samples);
                comparisons.extend(compare(law, &device.name(), Some(unit.order), &mut values)?);
                bar.inc(1);
            }
        }
    }
    bar.finish_and_clear();
    Ok(report(&comparisons, &skipped))
}

/// The device that was asked for; or else all there are, and why others are skipped.
fn open_devices(choice: Option<Choice>) -> Result<(Vec<Device>, Vec<String>), Error> {
    if let Some(choice) = choice {
        return Ok((vec![Device::open(choice)?], Vec::new()));
    }
    let (mut devices, mut skipped) = (Vec::new(), Vec::new());
    for choice in [Choice::Cpu, Choice::Cuda(None)] {
        match Device::open(choice) {
            Ok(device) => devices.push(device),
            Err(error) => skipped.push(format!("{choice}: {error}")),
        }
    }
    Ok((devices, skipped))
}

/// A way to compute a function at samples, `[sample][result]`; empty where it has no such function.
type Way<'a> = dyn FnMut(&'static Function, &[&'static Sample]) -> Result<Vec<f64>, Error> + 'a;

/// Compares a way with the samples, function by function.
fn compare(law: &'static Law, way: &str, order: Option<usize>, values: &mut Way<'_>) -> Result<Vec<Comparison>, Error> {
    let mut comparisons = Vec::new();
    for (index, function) in law.functions.iter().enumerate() {
        let samples: Vec<_> = law.samples.iter().filter(|sample| sample.function == index).collect();
        if samples.is_empty() {
            continue;
        }
        let values = values(function, &samples)?;
        if values.is_empty() {
            continue;
        }
        let difference = (values.chunks_exact(function.results).zip(&samples))
            .map(|(value, sample)| difference(value, sample.value))
            .fold(0.0, larger);
        let (law, function, samples) = (law.name, function.name, samples.len());
        comparisons.push(Comparison { law, function, way: way.to_owned(), order, samples, difference });
    }
    Ok(comparisons)
}

/// The law's own Rust.
fn on_host(function: &Function, samples: &[&Sample]) -> Vec<f64> {
    let Some(host) = function.host else { return Vec::new() };
    let mut values = vec![f64::NAN; samples.len() * function.results];
    for (value, sample) in values.chunks_exact_mut(function.results).zip(samples) {
        host(&arguments_of(sample), value);
    }
    values
}

/// The generated code, compiled anew for samples with other parameters.
fn on_device(
    device: &Device,
    law: &'static Law,
    unit: &Unit,
    function: &Function,
    samples: &[&Sample],
) -> Result<Vec<f64>, Error> {
    let mut values = Vec::new();
    for samples in samples.chunk_by(|a, b| a.parameters == b.parameters) {
        let code = Pointwise::new(device, law, unit, samples[0].parameters)?;
        let arguments: Vec<_> = samples.iter().map(|sample| arguments_of(sample)).collect();
        values.extend(code.values(function, &arguments)?);
    }
    Ok(values)
}

fn arguments_of(sample: &Sample) -> Arguments<'_> {
    Arguments {
        parameters: sample.parameters,
        state: sample.state,
        right: sample.right,
        normal: sample.normal,
        position: sample.position,
        time: sample.time,
    }
}

/// Largest difference of two values' components, relative to the largest component or to 1.
fn difference(value: &[f64], exact: &[f64]) -> f64 {
    let scale = exact.iter().fold(1.0_f64, |scale, x| scale.max(x.abs()));
    value.iter().zip(exact).map(|(a, b)| (a - b).abs() / scale).fold(0.0, larger)
}

/// The larger one; NaN, unlike for `f64::max`, is larger than everything.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

fn report(comparisons: &[Comparison], skipped: &[String]) -> Report {
    let heading = ["law", "function", "computed by", "order", "samples", "largest difference", ""];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for comparison in comparisons {
        rows.push(vec![
            comparison.law.into(),
            comparison.function.into(),
            comparison.way.clone(),
            comparison.order.map_or(String::new(), |order| order.to_string()),
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
                "order": comparison.order, "samples": comparison.samples, "difference": comparison.difference,
                "agrees": comparison.agrees(),
            })
        })
        .collect();
    // Nothing compared is nothing verified.
    let agree = !comparisons.is_empty() && comparisons.iter().all(Comparison::agrees);
    let mut text = format!("Values of the laws' functions, compared with exact arithmetic\n\n{}", table(&rows));
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
