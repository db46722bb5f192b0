//! Errors over the size of elements, the number of unknowns and the computing time.

use std::path::Path;

use serde_json::json;

use super::axis::Axis;
use super::lines::{Curve, Mark, PALETTE, Panel, Panels, Sign};
use super::sheet::{self, Format, GREY, INK};
use crate::io::Error;

/// A run of one order on one mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Polynomial degree.
    pub order: usize,
    /// The size of an element.
    pub size: f64,
    /// Number of degrees of freedom.
    pub unknowns: f64,
    /// Duration of the steps.
    pub seconds: f64,
    /// The error of the solution.
    pub error: f64,
}

/// Related runs, such as those with one integrator.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The name of the series.
    pub label: String,
    /// Its runs.
    pub points: Vec<Point>,
}

/// The number of series that can be distinguished.
pub const MOST_SERIES: usize = Sign::ALL.len();

const SIZE: [usize; 2] = [460, 460];

/// Draws errors over logarithmic axes, with the slope p + 1 beside each order's line; as an SVG if the file's name
/// ends so, else as a PNG. A colour is an order, a sign a series: with more than [`MOST_SERIES`] some signs repeat.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be written.
pub fn write(path: &Path, title: &str, about: &str, series: &[Series]) -> Result<(), Error> {
    sheet::write(path, Format::of(path).unwrap_or_default(), &draw(title, about, series))
}

fn draw(title: &str, about: &str, series: &[Series]) -> Panels {
    let points: Vec<Point> = series.iter().flat_map(|series| series.points.iter().copied()).collect();
    let mut orders: Vec<usize> = points.iter().map(|point| point.order).collect();
    orders.sort_unstable();
    orders.dedup();
    let coloured = || orders.iter().copied().zip(PALETTE.into_iter().cycle());
    let signed = || series.iter().zip(Sign::ALL.into_iter().cycle());
    let errors = Axis::over_positive("error in L2", points.iter().map(|point| point.error));
    let panel = |name: &str, x: fn(&Point) -> f64, others: Vec<Curve>| {
        let curves = signed().flat_map(|(series, sign)| {
            coloured().map(move |(order, colour)| {
                let own = series.points.iter().filter(|point| point.order == order);
                let points = own.map(|point| [x(point), positive(point.error)]).collect();
                Curve { label: String::new(), points, colour, mark: Mark::Signed(sign) }
            })
        });
        Panel {
            x: Axis::over_positive(name, points.iter().map(x)),
            y: errors.clone(),
            band: Vec::new(),
            curves: others.into_iter().chain(curves).collect(),
        }
    };
    let explained = |label: String, colour, mark| Curve { label, points: Vec::new(), colour, mark };
    let mark = if series.len() > 1 { Mark::Line(3.0) } else { Mark::Signed(Sign::Disc) };
    let legend = coloured().map(|(order, colour)| explained(format!("p = {order}"), colour, mark));
    let several = signed().filter(|_| series.len() > 1);
    let legend = legend.chain(several.map(|(series, sign)| explained(series.label.clone(), INK, Mark::Signed(sign))));
    let guides = orders.iter().filter_map(|&order| guide(&points, order, &errors));
    Panels {
        title: title.into(),
        about: about.into(),
        panels: vec![
            panel("h", |point| point.size, guides.chain(legend).collect()),
            panel("unknowns", |point| point.unknowns, Vec::new()),
            panel("seconds", |point| point.seconds, Vec::new()),
        ],
        panel_size: SIZE,
        facts: json!({ "kind": "convergence", "title": title, "about": about }).to_string(),
    }
}

/// Numbers without a logarithm are not drawn.
fn positive(number: f64) -> f64 {
    if number > 0.0 { number } else { f64::NAN }
}

/// The slope h^(p + 1) through an order's error on the finest mesh, within the axis.
fn guide(points: &[Point], order: usize, errors: &Axis) -> Option<Curve> {
    let own = || points.iter().filter(|point| point.order == order && point.error > 0.0);
    let finest = own().min_by(|a, b| a.size.total_cmp(&b.size))?;
    let coarsest = own().map(|point| point.size).fold(finest.size, f64::max);
    let power = order as f64 + 1.0;
    let least = finest.size * (errors.ends()[1] / finest.error).powf(1.0 / power);
    let size = coarsest.min(least);
    let end = [size, finest.error * (size / finest.size).powf(power)];
    let points = vec![[finest.size, finest.error], end];
    Some(Curve { label: "slope p + 1".into(), points, colour: GREY, mark: Mark::Line(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn powers() -> Vec<Point> {
        let point = |order: usize, level: i32| {
            let size = 0.5_f64.powi(level);
            let (unknowns, error) = (4.0_f64.powi(level), 0.1 * size.powi(order as i32 + 1));
            Point { order, size, unknowns, seconds: 8.0_f64.powi(level), error }
        };
        [1, 3].into_iter().flat_map(|order| (1..4).map(move |level| point(order, level))).collect()
    }

    fn series(label: &str, points: Vec<Point>) -> Series {
        Series { label: label.into(), points }
    }

    fn drawn_curves(panel: &Panel) -> Vec<&Curve> {
        panel.curves.iter().filter(|curve| !curve.points.is_empty()).collect()
    }

    #[test]
    fn errors_of_the_expected_order_lie_on_their_guide() {
        let points = powers();
        let drawn = draw("t", "a", &[series("", points.clone())]);
        let [h, unknowns, seconds] = &drawn.panels[..] else { panic!() };
        let slope = |curve: &Curve| {
            let (first, last) = (curve.points[0], curve.points[curve.points.len() - 1]);
            (first[1] / last[1]).ln() / (first[0] / last[0]).ln()
        };
        let slopes = |panel: &Panel, expected: &[f64]| {
            let curves = drawn_curves(panel);
            assert_eq!(curves.len(), expected.len());
            assert!(curves.iter().zip(expected).all(|(curve, expected)| (slope(curve) - expected).abs() < 1e-9));
        };
        // The guides, and then the curves.
        slopes(h, &[2.0, 4.0, 2.0, 4.0]);
        slopes(unknowns, &[-1.0, -2.0]);
        slopes(seconds, &[-2.0 / 3.0, -4.0 / 3.0]);
        assert!(points.iter().all(|point| h.x.has(point.size) && h.y.has(point.error)));
        assert!(points.iter().all(|point| unknowns.x.has(point.unknowns) && seconds.x.has(point.seconds)));
    }

    #[test]
    fn series_share_the_colours_of_orders_and_differ_in_signs() {
        let cubics = powers().into_iter().filter(|point| point.order == 3).collect();
        let drawn = draw("t", "a", &[series("one", powers()), series("other", cubics)]);
        let look = |curve: &&Curve| (curve.colour, curve.mark);
        let curves: Vec<_> = drawn_curves(&drawn.panels[2]).iter().map(look).collect();
        let [disc, triangle] = [Sign::Disc, Sign::Triangle].map(Mark::Signed);
        assert_eq!(curves, [(PALETTE[0], disc), (PALETTE[1], disc), (PALETTE[1], triangle)]);
        let legend = drawn.panels[0].curves.iter().filter(|curve| curve.points.is_empty() && !curve.label.is_empty());
        let legend: Vec<_> = legend.map(|curve| (&*curve.label, curve.colour)).collect();
        assert_eq!(legend, [("p = 1", PALETTE[0]), ("p = 3", PALETTE[1]), ("one", INK), ("other", INK)]);
    }

    #[test]
    fn any_points_are_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let point = Point { order: 2, size: 0.1, unknowns: 0.0, seconds: 0.0, error: 0.0 };
        let nan = Point { error: f64::NAN, ..point };
        for (file, points) in [("a.png", vec![]), ("b.svg", vec![point]), ("c.png", vec![nan; 2])] {
            write(&folder.path().join(file), "t", "a", &[series("", points)]).unwrap();
        }
        write(&folder.path().join("d.png"), "t", "a", &vec![series("many", powers()); MOST_SERIES]).unwrap();
    }
}
