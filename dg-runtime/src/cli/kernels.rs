//! `kernels`: the generated code.

use std::path::PathBuf;

use serde_json::json;

use super::{Error, Report, find_law, shapes};
use crate::case::unit_of;
use crate::io::{self, atomic};
use crate::law::geometry::Map;
use crate::law::{Law, Shape};
use crate::scheme;

/// Arguments of `kernels`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  {bin} kernels euler --order 2 | less\n  {bin} kernels euler --order 3 --out generated"
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
    /// Write to a file in this directory instead of printing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn kernels(arguments: &Kernels, laws: &[&'static Law]) -> Result<Report, Error> {
    let law = find_law(&arguments.law, laws)?;
    let unit = unit_of(law, arguments.shape, arguments.order)?;
    let text = scheme::code(law, unit, Map::Affine).text;
    let mut json = json!({ "law": law.name, "shape": unit.shape.name(), "order": unit.order });
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
