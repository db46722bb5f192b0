//! `laws`: the list of laws.

use serde_json::json;

use super::Report;
use crate::law::{Law, Shape};

/// Arguments of `laws`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  {bin} laws")]
pub(super) struct Laws {}

pub(super) fn laws(laws: &[&'static Law]) -> Report {
    let width = laws.iter().map(|law| law.name.len()).max().unwrap_or(0);
    let lines = laws.iter().map(|law| format!("{:<width$}  {}\n", law.name, title(law.doc)));
    let list: Vec<_> = laws
        .iter()
        .map(|law| json!({ "name": law.name, "title": title(law.doc), "dim": law.dim, "orders": orders(law) }))
        .collect();
    Report::new(json!({ "laws": list }), lines.collect::<String>())
}

/// The first sentence of a doc comment, on one line.
pub(super) fn title(doc: &str) -> String {
    let paragraph = doc.trim().split("\n\n").next().unwrap_or_default();
    let words = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.find(". ") {
        Some(end) => words[..=end].to_owned(),
        None => words,
    }
}

/// The orders for which a law has code, which are the same for all shapes.
pub(super) fn orders(law: &Law) -> Vec<usize> {
    law.units_of(Shape::Triangle).map(|unit| unit.order).collect()
}
