//! `verify`: exact arithmetic, the law's Rust and the generated code agree.

use serde_json::json;

use super::table::table;
use super::{Error, Report, selected_laws};
use crate::law::{Arguments, Function, Law, Sample};

/// Arguments of `verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  {bin} verify\n  {bin} verify euler --device cuda")]
pub(super) struct Verify {
    /// The law; all of them if not given
    law: Option<String>,
    /// Where to run the generated code: cpu, cuda or cuda:N; on all that are usable if not given
    #[arg(long)]
    device: Option<String>,
}

/// Largest difference that counts as agreement, relative to the value or to 1.
const TOLERANCE: f64 = 1e-13;

/// How one way of computing a law's functions compares with exact arithmetic.
#[derive(Debug)]
struct Comparison {
    law: &'static str,
    function: &'static str,
    /// "rust" or the device.
    way: String,
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
    let _ = &arguments.device;
    let laws = selected_laws(arguments.law.as_deref(), laws)?;
    let comparisons: Vec<_> = laws.iter().flat_map(|law| on_host(law)).collect();
    Ok(report(&comparisons))
}

/// The law's own Rust at every sample.
fn on_host(law: &'static Law) -> Vec<Comparison> {
    let compare = |(index, function): (usize, &'static Function)| {
        let host = function.host?;
        let samples: Vec<_> = law.samples.iter().filter(|sample| sample.function == index).collect();
        let difference = |sample: &&Sample| {
            let mut value = vec![f64::NAN; function.results];
            host(&arguments_of(sample), &mut value);
            difference(&value, sample.value)
        };
        let difference = samples.iter().map(difference).fold(0.0, larger);
        Some(Comparison {
            law: law.name,
            function: function.name,
            way: "rust".into(),
            samples: samples.len(),
            difference,
        })
    };
    law.functions.iter().enumerate().filter_map(compare).filter(|comparison| comparison.samples > 0).collect()
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

fn report(comparisons: &[Comparison]) -> Report {
    let heading = ["law", "function", "computed by", "samples", "largest difference", ""];
    let mut rows = vec![heading.map(String::from).to_vec()];
    for comparison in comparisons {
        rows.push(vec![
            comparison.law.into(),
            comparison.function.into(),
            comparison.way.clone(),
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
                "samples": comparison.samples, "difference": comparison.difference, "agrees": comparison.agrees(),
            })
        })
        .collect();
    let agree = comparisons.iter().all(Comparison::agrees);
    let text = format!("Values of the laws' functions, compared with exact arithmetic\n\n{}", table(&rows));
    Report { status: u8::from(!agree), ..Report::new(json!({ "agree": agree, "comparisons": list }), text) }
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
