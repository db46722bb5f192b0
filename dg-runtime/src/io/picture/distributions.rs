//! Values along lines and walls: a panel for each field, a curve for each of several times, or for each file at one time.

use std::path::Path;

use serde_json::json;

use super::At;
use super::axis::Axis;
use super::lines::{Curve, Mark, PALETTE, Panel, Panels};
use super::range::{Scale, extremes, interval};
use super::sheet::{self, Format};
use crate::io::{Error, csv};
use crate::names::unknown;

const SIZE: [usize; 2] = [420, 400];

/// The most times of one file that are drawn.
const MOST_TIMES: usize = 5;

/// Columns that say where a point is, as [`What`](crate::case::What) has them.
const PLACES: [&str; 8] = ["time", "s", "x", "y", "z", "normal_x", "normal_y", "normal_z"];

/// The values at one time.
struct Distribution {
    label: String,
    /// Distances along the line or wall.
    lengths: Vec<f64>,
    /// The values of every field.
    values: Vec<Vec<f64>>,
}

/// Draws the values in these files along lines or walls, of all fields or of one, at the time of each that is asked for; if none is, at
/// several times or, of several files, at the last of each; as an SVG if the picture's name ends so, else as a PNG.
///
/// # Errors
///
/// [`Error::System`] if a file cannot be read or written, [`Error::Content`] if one has no rows, or lacks a field of the first.
pub fn write(path: &Path, title: &str, files: &[&Path], field: Option<&str>, at: Option<At>) -> Result<(), Error> {
    let (mut fields, mut found) = (Vec::<String>::new(), Vec::new());
    for file in files {
        let columns = csv::columns(file)?;
        let names: Vec<&str> =
            columns.iter().map(|(name, _)| name.as_str()).filter(|name| !PLACES.contains(name)).collect();
        if fields.is_empty() {
            fields = field.map_or_else(|| names.iter().map(|&name| name.into()).collect(), |field| vec![field.into()]);
        }
        if let Some(missing) = fields.iter().find(|field| !names.contains(&field.as_str())) {
            return Err(Error::content(file, unknown("field", missing, &names)));
        }
        let column = |name: &str| columns.iter().find(|(known, _)| known == name).map_or(&[][..], |(_, values)| values);
        let (time, lengths) = (column("time"), column("s"));
        let rows: Vec<&[f64]> = time.chunk_by(|a, b| a == b).collect();
        if rows.is_empty() || lengths.is_empty() {
            return Err(Error::content(file, "it has no rows yet"));
        }
        let several = rows.len().min(MOST_TIMES);
        let shown = match at.or((files.len() > 1 || several == 1).then_some(At::Last)) {
            Some(at) => vec![at.index(&rows.iter().map(|row| row[0]).collect::<Vec<_>>())],
            None => (0..several).map(|i| i * (rows.len() - 1) / (several - 1)).collect(),
        };
        for chosen in shown {
            let first: usize = rows[..chosen].iter().map(|row| row.len()).sum();
            let range = first..first + rows[chosen].len();
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let when = format!("t = {}", shortest(time[first]));
            found.push(Distribution {
                label: if files.len() > 1 { format!("{stem}, {when}") } else { when },
                lengths: lengths[range.clone()].to_vec(),
                values: fields.iter().map(|field| column(field)[range.clone()].to_vec()).collect(),
            });
        }
    }
    sheet::write(path, Format::of(path).unwrap_or_default(), &draw(title, &found, &fields))
}

/// A time in few digits.
fn shortest(time: f64) -> String {
    format!("{:.4e}", time).parse::<f64>().map_or_else(|_| format!("{time:?}"), |rounded| format!("{rounded}"))
}

fn draw(title: &str, distributions: &[Distribution], fields: &[String]) -> Panels {
    let range = |values: &dyn Fn(&Distribution) -> &[f64]| {
        let all = distributions.iter().flat_map(|of| values(of).iter().copied());
        interval(extremes(all), Scale::default())
    };
    let curve = |(index, of): (usize, &Distribution), field: usize| {
        let mut points: Vec<[f64; 2]> = Vec::new();
        for (&s, &value) in of.lengths.iter().zip(&of.values[field]) {
            // Where another curve of a wall begins, the line is interrupted.
            if points.last().is_some_and(|[before, _]| s < *before) {
                points.push([f64::NAN; 2]);
            }
            points.push([s, value]);
        }
        Curve { label: of.label.clone(), points, colour: PALETTE[index % PALETTE.len()], mark: Mark::Line(1.5) }
    };
    let panel = |(i, field): (usize, &String)| Panel {
        x: Axis::linear("s", range(&|of| &of.lengths)),
        y: Axis::linear(field.as_str(), range(&|of| &of.values[i])),
        band: Vec::new(),
        curves: distributions.iter().enumerate().map(|of| curve(of, i)).collect(),
    };
    let labels: Vec<&str> = distributions.iter().map(|of| of.label.as_str()).collect();
    Panels {
        title: title.into(),
        about: "over the distance s along the line or wall".into(),
        panels: fields.iter().enumerate().map(panel).collect(),
        panel_size: SIZE,
        facts: json!({ "kind": "distributions", "title": title, "curves": labels, "fields": fields }).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_curves_and_curves_of_a_wall_are_apart() {
        let folder = tempfile::tempdir().unwrap();
        let [line, wall] = ["line_a.csv", "wall_b.csv"].map(|name| folder.path().join(name));
        let rows = |time: f64| format!("{time},0.0,0,0,1.0\n{time},1.0,1,0,2.0\n{time},0.5,1,0,{time}\n");
        let text = |times: usize| (0..times).map(|i| rows(i as f64)).collect::<String>();
        std::fs::write(&line, format!("time,s,x,y,p\n{}", text(9))).unwrap();
        std::fs::write(&wall, format!("time,s,x,y,p,q\n{}", text(1))).unwrap();
        let written = |files: &[&Path], field, at| {
            let picture = folder.path().join("d.svg");
            write(&picture, "t", files, field, at).map_err(|error| error.to_string())?;
            Ok::<_, String>(std::fs::read_to_string(picture).unwrap())
        };
        let svg = written(&[&line], None, None).unwrap();
        for label in ["t = 0", "t = 2", "t = 4", "t = 6", "t = 8"] {
            assert!(svg.contains(label), "{label}");
        }
        let svg = written(&[&line], None, Some(At::Last)).unwrap();
        assert!(svg.contains("t = 8") && !svg.contains("t = 0"));
        let svg = written(&[&line], None, Some(At::Near(3.4))).unwrap();
        assert!(svg.contains("t = 3") && !svg.contains("t = 4"));
        let svg = written(&[&line, &wall], Some("p"), None).unwrap();
        assert!(svg.contains("line_a, t = 8") && svg.contains("wall_b, t = 0"));
        let message = written(&[&line], Some("r"), None).unwrap_err();
        assert!(message.contains("line_a.csv: unknown field `r`; there are `p`"), "{message}");
        std::fs::write(&line, "time,s,x,y,p\n").unwrap();
        assert!(written(&[&line], None, None).unwrap_err().contains("it has no rows yet"));

        let of = Distribution { label: String::new(), lengths: vec![0.0, 1.0, 0.2], values: vec![vec![1.0; 3]] };
        let points = &draw("t", &[of], &["p".to_owned()]).panels[0].curves[0].points;
        assert!(points.len() == 4 && points[2][0].is_nan());
    }
}
