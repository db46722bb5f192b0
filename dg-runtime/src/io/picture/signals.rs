//! What is measured over time, such as the signals of receivers: a panel for each column, a curve for each file.

use std::path::Path;

use serde_json::json;

use super::axis::Axis;
use super::lines::{Curve, Mark, PALETTE, Panel, Panels};
use super::range::{Scale, extremes, hull, interval};
use super::sheet::{self, Format};
use crate::io::{Error, csv};
use crate::names::unknown;

const SIZE: [usize; 2] = [420, 400];

/// A name, and the columns of its file.
type Signal = (String, Vec<(String, Vec<f64>)>);

/// Draws the signals in these files, of all fields or of one; as an SVG if the picture's name ends so, else as a PNG.
///
/// # Errors
///
/// [`Error::System`] if a file cannot be read or written, [`Error::Content`] if one is no signal, lacks a field of the first, or is too
/// short for lines.
pub fn write(path: &Path, title: &str, files: &[&Path], field: Option<&str>) -> Result<(), Error> {
    let mut signals: Vec<Signal> = Vec::new();
    let mut fields: Vec<String> = Vec::new();
    for file in files {
        let columns = csv::columns(file)?;
        let names: Vec<&str> = columns[1..].iter().map(|(name, _)| name.as_str()).collect();
        if fields.is_empty() {
            fields = field
                .map_or_else(|| names.iter().map(|&name| name.to_owned()).collect(), |field| vec![field.to_owned()]);
        }
        if let Some(missing) = fields.iter().find(|field| !names.contains(&field.as_str())) {
            return Err(Error::content(file, unknown("field", missing, &names)));
        }
        if columns[0].1.len() < 2 {
            return Err(Error::content(
                file,
                "it has too few rows for lines; take a smaller `every` in its table of the case",
            ));
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        signals.push((name.strip_prefix("receiver_").unwrap_or(&name).to_owned(), columns));
    }
    sheet::write(path, Format::of(path).unwrap_or_default(), &draw(title, &signals, &fields))
}

fn draw(title: &str, signals: &[Signal], fields: &[String]) -> Panels {
    let column = |(_, columns): &Signal, name: &str| -> Vec<f64> {
        columns.iter().find(|(known, _)| known == name).map_or_else(Vec::new, |(_, values)| values.clone())
    };
    let range = |name: &str| {
        let of_signals = signals.iter().map(|signal| extremes(column(signal, name).into_iter()));
        interval(of_signals.fold(None, hull), Scale::default())
    };
    let curve = |(index, signal): (usize, &Signal), field: &str| Curve {
        label: signal.0.clone(),
        points: column(signal, "time").into_iter().zip(column(signal, field)).map(<[f64; 2]>::from).collect(),
        colour: PALETTE[index % PALETTE.len()],
        mark: Mark::Line(1.5),
    };
    let panel = |field: &String| Panel {
        x: Axis::linear("time", range("time")),
        y: Axis::linear(field.as_str(), range(field)),
        band: Vec::new(),
        curves: signals.iter().enumerate().map(|signal| curve(signal, field)).collect(),
    };
    let names: Vec<&str> = signals.iter().map(|(name, _)| name.as_str()).collect();
    Panels {
        title: title.into(),
        about: "over time".into(),
        panels: fields.iter().map(panel).collect(),
        panel_size: SIZE,
        facts: json!({ "kind": "signals", "title": title, "receivers": names, "fields": fields }).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_has_a_panel_with_a_curve_of_every_receiver() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b, other] = ["receiver_a.csv", "receiver_b.csv", "history.csv"].map(|name| folder.path().join(name));
        std::fs::write(&a, "time,p,v\n0.0,1.0,2.0\n0.1,1.5,-2.0\n").unwrap();
        std::fs::write(&b, "time,p,v\n0.0,3.0,0.0\n0.1,3.5,1.0\n0.2,4.0").unwrap();
        std::fs::write(&other, "time,step,integral_u\n0.0,0,1.0\n").unwrap();
        let signals: Vec<Signal> =
            [("a", &a), ("b", &b)].map(|(name, file)| (name.to_owned(), csv::columns(file).unwrap())).into();
        let panels = draw("t", &signals, &["p".to_owned(), "v".to_owned()]).panels;
        // The row that a run is writing does not count.
        assert_eq!(panels[0].curves[1].points, [[0.0, 3.0], [0.1, 3.5]]);
        assert_eq!(panels[1].curves[0].points, [[0.0, 2.0], [0.1, -2.0]]);
        assert_eq!(panels[0].curves[1].label, "b");
        let write =
            |files: &[&Path], field| write(&folder.path().join("s.svg"), "t", files, field).map_err(|e| e.to_string());
        write(&[&a, &b], None).unwrap();
        write(&[&a, &b], Some("v")).unwrap();
        let message = write(&[&a], Some("w")).unwrap_err();
        assert!(message.contains("receiver_a.csv: unknown field `w`; there are `p`, `v`"), "{message}");
        let message = write(&[&a, &other], None).unwrap_err();
        assert!(message.contains("history.csv: unknown field `p`"), "{message}");
    }
}
