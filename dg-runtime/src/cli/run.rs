//! `run`: a case from its file to the files of its solution.

use std::path::PathBuf;

use serde_json::json;

use super::{Error, Report};
use crate::case::Case;
use crate::law::Law;

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  {bin} run cases/vortex.toml\n  {bin} run cases/vortex.toml --device cpu --order 3 --out p3\n  {bin} run cases/vortex.toml --resume"
)]
pub(super) struct Run {
    /// The case file
    case: PathBuf,
    /// Where to compute: cpu, cuda or cuda:N; the first usable GPU, or else the CPU, if not given
    #[arg(long)]
    device: Option<String>,
    /// Polynomial degree, instead of the case file's
    #[arg(long, short = 'p', value_name = "P")]
    order: Option<usize>,
    /// Directory for the files, instead of the case file's
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on from the last checkpoint in the output directory
    #[arg(long)]
    resume: bool,
}

pub(super) fn run(arguments: &Run, laws: &[&'static Law]) -> Result<Report, Error> {
    let mut case = Case::read(&arguments.case, laws)?;
    if let Some(order) = arguments.order {
        case = case.with_order(order)?;
    }
    if let Some(directory) = &arguments.out {
        case.output.directory = directory.clone();
    }
    let _ = (&arguments.device, arguments.resume);
    Ok(Report::new(json!({ "case": case.identity() }), "the case is well-formed"))
}
