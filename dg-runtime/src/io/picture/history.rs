//! The history of a run: changes, the length of steps, and integrals, over time.

use std::path::Path;

use serde_json::json;

use super::axis::Axis;
use super::lines::{Curve, Mark, PALETTE, Panel, Panels};
use super::range::{Scale, extremes, interval};
use super::sheet::{self, Format};
use crate::io::{Error, csv};

const SIZE: [usize; 2] = [420, 400];
/// What is drawn of a history, beside integrals.
const COLUMNS: [&str; 4] = ["time", "change_per_step", "change_per_time", "dt"];
/// The fewest rows that make lines: the initial state's, which has no change yet, and two more.
const ROWS: usize = 3;

/// Draws a history from its file; as an SVG if the file's name ends so, else as a PNG.
///
/// # Errors
///
/// [`Error::System`] if a file cannot be read or written, [`Error::Content`] if it is no history, or too short for lines.
pub fn write(path: &Path, title: &str, history: &Path) -> Result<(), Error> {
    let columns = csv::columns(history)?;
    if let Some(missing) = COLUMNS.iter().find(|name| columns.iter().all(|(known, _)| known != *name)) {
        let reason = format!(
            "it has no column `{missing}`, so that it is no history; what else can be drawn is known by its file's name, as a run \
             writes it: `receiver_`, `forces_`, `flux_`, `region_`, `line_`, `wall_` or `plane_` before the rest"
        );
        return Err(Error::content(history, reason));
    }
    if columns[0].1.len() < ROWS {
        let reason = "it has too few rows for lines: two after that of the initial state are needed; take a smaller `history_every`, \
                      or a longer run";
        return Err(Error::content(history, reason));
    }
    sheet::write(path, Format::of(path).unwrap_or_default(), &draw(title, &columns))
}

fn draw(title: &str, columns: &[(String, Vec<f64>)]) -> Panels {
    let column = |name: &str| columns.iter().find(|(known, _)| known == name).map_or(&[][..], |(_, values)| values);
    let time = column("time");
    let axis = || Axis::linear("time", interval(extremes(time.iter().copied()), Scale::default()));
    let curve = |label: String, values: Vec<f64>, colour: usize| {
        // Numbers without a logarithm are not drawn.
        let positive = values.into_iter().map(|value| if value > 0.0 { value } else { f64::NAN });
        let points = time.iter().copied().zip(positive).map(<[f64; 2]>::from).collect();
        Curve { label, points, colour: PALETTE[colour % PALETTE.len()], mark: Mark::Line(1.5) }
    };
    let panel = |name: &str, curves: Vec<Curve>| Panel {
        x: axis(),
        y: Axis::over_positive(name, curves.iter().flat_map(|curve| &curve.points).map(|point| point[1])),
        band: Vec::new(),
        curves,
    };
    let changes = [("per step", "change_per_step"), ("per unit of time", "change_per_time")];
    let changes = changes.into_iter().enumerate();
    let changes = changes.map(|(index, (label, name))| curve(label.into(), column(name).to_vec(), index));
    let integrals = columns.iter().filter_map(|(name, values)| Some((name.strip_prefix("integral_")?, values)));
    let integrals = integrals.enumerate().map(|(index, (name, values))| {
        let change = values.iter().map(|value| (value - values[0]).abs()).collect();
        curve(format!("∫ {name}"), change, index + 2)
    });
    Panels {
        title: title.into(),
        about: "changes of coefficients; length of steps; change of integrals since the start".into(),
        panels: vec![
            panel("change", changes.collect()),
            panel("dt", vec![curve(String::new(), column("dt").to_vec(), PALETTE.len() - 1)]),
            panel("change of integral", integrals.collect()),
        ],
        panel_size: SIZE,
        facts: json!({ "kind": "history", "title": title, "rows": time.len() }).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_drawn_with_what_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let history = folder.path().join("history.csv");
        let text = "time,step,integral_u,change_per_step,change_per_time,dt,rejected,element,wave\n0.0,0,2.0,,,,,,\n\
                    0.5,10,2.0,1e-3,2e-2,0.05,0,7,\"max(a, b)\"\n1.0,20,2.5,1e-4,2e-3,0.05,0,7,\"a\"\n";
        std::fs::write(&history, text).unwrap();
        let panels = draw("t", &csv::columns(&history).unwrap()).panels;
        let points = |panel: usize, curve: usize| panels[panel].curves[curve].points.clone();
        assert!(points(0, 0)[0][1].is_nan());
        assert_eq!(points(0, 0)[1..], [[0.5, 1e-3], [1.0, 1e-4]]);
        assert_eq!(points(0, 1)[2], [1.0, 2e-3]);
        assert_eq!(points(1, 0)[1], [0.5, 0.05]);
        assert_eq!(points(2, 0)[2], [1.0, 0.5]);
        write(&folder.path().join("h.png"), "t", &history).unwrap();
        // A run that has just begun.
        std::fs::write(&history, text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        let message = write(&folder.path().join("h.svg"), "t", &history).unwrap_err().to_string();
        assert!(message.contains("too few rows for lines") && message.contains("`history_every`"), "{message}");
        std::fs::write(&history, "x,y\n1,2\n").unwrap();
        let message = write(&folder.path().join("h.png"), "t", &history).unwrap_err().to_string();
        assert!(message.contains("it is neither the history of a run"), "{message}");
    }
}
