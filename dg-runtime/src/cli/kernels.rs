//! `kernels`: the generated code.

use std::path::PathBuf;

use serde_json::json;

use super::{Error, Report, find_law, shapes};
use crate::case::unit_of;
use crate::io::{self, atomic};
use crate::law::geometry::Map;
use crate::law::{Law, Schedule, Shape};
use crate::scheme;
use crate::solver::{self, ELEMENTS_FILL_CUDA, Variant, reason_against};

/// Arguments of `kernels`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  {bin} kernels euler --order 2 | less\n  {bin} kernels euler --order 3 --out generated\n  \
                  {bin} kernels euler --order 3 --schedule component"
)]
pub(super) struct Kernels {
    /// The law
    law: String,
    /// Polynomial degree
    #[arg(long, short = 'p', value_name = "P")]
    order: usize,
    /// The shape of the elements: triangle or quadrilateral
    #[arg(long, default_value = "triangle", value_parser = shapes::parse)]
    shape: Shape,
    /// The schedule whose stage is shown: element, component, pair, triple or tensor; if not given, the one expected to be the fastest on a GPU for
    /// many elements
    #[arg(long, value_name = "NAME", value_parser = schedule)]
    schedule: Option<Schedule>,
    /// Write to a file in this directory instead of printing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A schedule by its name.
fn schedule(name: &str) -> Result<Schedule, String> {
    let known = Schedule::ALL.map(Schedule::name).join(", ");
    let is_named = |schedule: &Schedule| schedule.name() == name;
    Schedule::ALL
        .into_iter()
        .find(is_named)
        .ok_or_else(|| format!("no schedule `{name}`; there are {known}, without the size of patches"))
}

pub(super) fn kernels(arguments: &Kernels, laws: &[&'static Law]) -> Result<Report, Error> {
    let law = find_law(&arguments.law, laws)?;
    let unit = unit_of(law, arguments.shape, arguments.order)?;
    let expected =
        || Variant::expected(law, (unit.shape, Map::Affine), unit.order, ELEMENTS_FILL_CUDA, true, true).schedule;
    let schedule = arguments.schedule.unwrap_or_else(expected);
    if let Some(reason) = reason_against(schedule, law, (unit.shape, Map::Affine), unit.order) {
        return Err(solver::Error::Schedule { schedule: schedule.name().to_owned(), reason }.into());
    }
    let text = scheme::text(law, unit, Map::Affine, schedule);
    let mut json =
        json!({ "law": law.name, "shape": unit.shape.name(), "order": unit.order, "schedule": schedule.name() });
    let Some(directory) = &arguments.out else {
        json["source"] = json!(text);
        return Ok(Report::new(json, text));
    };
    let path = directory.join(format!("{}_{}_p{}.cu", law.name, unit.shape.name(), unit.order));
    std::fs::create_dir_all(directory).map_err(io::Error::system("write", directory))?;
    atomic::write(&path, |file| file.write_all(text.as_bytes()))?;
    json["file"] = json!(path);
    Ok(Report::new(json, path.display().to_string()))
}
