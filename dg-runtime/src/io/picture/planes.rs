//! Values in a plane, at one time of a file, in colours.

use std::path::Path;

use super::{At, Format, Kind, Scale, Scene, Style};
use crate::io::{Error, Nodes, csv};
use crate::law::Shape;
use crate::names::unknown;

/// Columns that say when and where a point is.
const PLACES: [&str; 3] = ["time", "x", "y"];

/// Draws a field of the file of a plane, the first if none is named, at the time that is asked for or else the last; as an SVG if the picture's name ends so, else as a PNG.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be read or the picture not written, [`Error::Content`] if there are several files, or the file has no
/// rows, lacks the field, or its rows are not those of a plane.
pub fn write(path: &Path, title: &str, files: &[&Path], field: Option<&str>, at: Option<At>) -> Result<(), Error> {
    let [file, others @ ..] = files else { return Ok(()) };
    if let Some(other) = others.first() {
        return Err(Error::content(other, "a picture shows one plane; plot each by itself"));
    }
    let columns = csv::columns(file)?;
    let fields: Vec<&str> =
        columns.iter().map(|(name, _)| name.as_str()).filter(|name| !PLACES.contains(name)).collect();
    let field = field.or_else(|| fields.first().copied()).unwrap_or_default();
    if !fields.contains(&field) {
        return Err(Error::content(file, unknown("field", field, &fields)));
    }
    let column = |name: &str| columns.iter().find(|(known, _)| known == name).map_or(&[][..], |(_, values)| values);
    let times: Vec<&[f64]> = column("time").chunk_by(|a, b| a == b).collect();
    let Some(size) = times.first().map(|rows| rows.len()) else {
        return Err(Error::content(file, "it has no rows yet"));
    };
    // A run may have written only a part of a time, mostly of its last.
    let mut first = 0;
    let begin = |rows: &&[f64]| {
        let begin = first;
        first += rows.len();
        (rows.len() == size).then_some((begin, rows[0]))
    };
    let (begins, whole): (Vec<usize>, Vec<f64>) = times.iter().filter_map(begin).unzip();
    let chosen = at.unwrap_or(At::Last).index(&whole);
    let shown = begins[chosen]..begins[chosen] + size;
    let points: Vec<[f64; 2]> =
        column("x")[shown.clone()].iter().zip(&column("y")[shown.clone()]).map(|(x, y)| [*x, *y]).collect();
    let values = &column(field)[shown];
    let row = row_of(&points);
    if row < 2 || !points.len().is_multiple_of(row) || points.len() < 2 * row {
        return Err(Error::content(file, "its rows are not the points of a plane, row by row"));
    }
    // A cell between four points each.
    let cells = (0..points.len() / row - 1).flat_map(|j| (0..row - 1).map(move |i| [i, j]));
    let corners = Shape::Quadrilateral.lattice(1);
    let nodes: Vec<usize> = cells.flat_map(|[i, j]| corners.iter().map(move |[a, b]| (j + b) * row + i + a)).collect();
    let positions: Vec<f64> = nodes.iter().flat_map(|&node| points[node]).collect();
    let values: Vec<f64> = nodes.iter().map(|&node| values[node]).collect();
    let scene = Scene {
        nodes: &Nodes::uniform(Shape::Quadrilateral, 1, 2, &positions),
        name: field,
        values: &values,
        time: whole[chosen],
        about: title,
        reference: None,
        series: None,
        scale: Scale::default(),
    };
    let formats = vec![Format::of(path).unwrap_or_default()];
    let style = Style { formats, kind: Some(Kind::Colours), ..Style::default() };
    super::write(&path.with_extension(""), &scene, &style)
}

/// The number of points in the first row of a plane: those along a straight line.
fn row_of(points: &[[f64; 2]]) -> usize {
    let [Some(a), Some(b)] = [points.first(), points.get(1)] else { return 0 };
    let step = [b[0] - a[0], b[1] - a[1]];
    let size = step[0].hypot(step[1]);
    let is_next = |pair: &&[[f64; 2]]| (0..2).all(|d| (pair[1][d] - pair[0][d] - step[d]).abs() < 1e-6 * size);
    1 + points.windows(2).take_while(is_next).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slanted_plane_becomes_a_picture_of_one_time() {
        let folder = tempfile::tempdir().unwrap();
        let (file, picture) = (folder.path().join("plane_a.csv"), folder.path().join("plane_a.svg"));
        let point = |i: usize, j: usize| [0.1 * i as f64 - 0.2 * j as f64, 0.3 * i as f64 + 0.1 * j as f64];
        let row = |t: usize, i: usize, j: usize| {
            let [x, y] = point(i, j);
            format!("{t}.0,{x:?},{y:?},{:?},{:?}\n", i + t, j)
        };
        let at = |t: usize| (0..4).flat_map(|j| (0..3).map(move |i| [i, j])).map(move |[i, j]| row(t, i, j));
        // Another run broke off while it wrote.
        let rows: String = at(0).chain(at(2).take(5)).chain(at(7)).collect();
        std::fs::write(&file, format!("time,x,y,u,v\n{rows}8.0,0.0,0.0,1.0,1.0\n")).unwrap();
        assert_eq!(row_of(&(0..12).map(|k| point(k % 3, k / 3)).collect::<Vec<_>>()), 3);
        let drawn = |field, at| {
            write(&picture, "measurements of a", &[&file], field, at).map_err(|error| error.to_string())?;
            std::fs::read_to_string(&picture).map_err(|error| error.to_string())
        };
        // The row that a run is writing does not count, and the values are those of the last time.
        let early = Some(At::Near(1.0));
        for (field, at, time, range) in
            [(None, None, "7.0", "7.0,9.0"), (Some("v"), None, "7.0", "0.0,3.0"), (Some("u"), early, "0.0", "0.0,2.0")]
        {
            let text = drawn(field, at).unwrap().replace("&quot;", "\"").replace(' ', "");
            assert!(
                text.contains(&format!("\"range\":[{range}]")) && text.contains(&format!("\"time\":{time}")),
                "{range}"
            );
        }
        assert!(drawn(Some("w"), None).unwrap_err().contains("unknown field `w`; there are `u`, `v`"));
        std::fs::write(&file, "time,x,y,u\n0.0,0.0,0.0,1.0\n0.0,1.0,0.0,1.0\n").unwrap();
        assert!(drawn(None, None).unwrap_err().contains("not the points of a plane"));
    }
}
