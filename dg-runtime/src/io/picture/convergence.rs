//! Errors over the size of elements and over the time that they take.

use std::path::Path;

use serde_json::json;

use super::axis::Axis;
use super::lines::{Curve, Mark, PALETTE, Panel, Panels};
use super::sheet::{self, Format, GREY};
use crate::io::Error;

/// A run of one order on one mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Polynomial degree.
    pub order: usize,
    /// The size of an element.
    pub size: f64,
    /// How long the run took.
    pub seconds: f64,
    /// How wrong its solution was.
    pub error: f64,
}

const SIZE: [usize; 2] = [520, 480];

/// Draws errors, both axes logarithmic, and beside each order's line the slope p + 1; as a PNG, or as an SVG where the file's name
/// ends so.
///
/// # Errors
///
/// [`Error::System`] where the file cannot be written.
pub fn write(path: &Path, title: &str, about: &str, points: &[Point]) -> Result<(), Error> {
    sheet::write(path, Format::of(path).unwrap_or_default(), &draw(title, about, points))
}

fn draw(title: &str, about: &str, points: &[Point]) -> Panels {
    let mut orders: Vec<usize> = points.iter().map(|point| point.order).collect();
    orders.sort_unstable();
    orders.dedup();
    let errors = Axis::over_positive("error in L2", points.iter().map(|point| point.error));
    let panel = |name: &str, x: fn(&Point) -> f64, guides: Vec<Curve>| {
        let of_order = orders.iter().enumerate().map(|(index, &order)| {
            let own = points.iter().filter(|point| point.order == order);
            let colour = PALETTE[index % PALETTE.len()];
            let points = own.map(|point| [x(point), positive(point.error)]).collect();
            Curve { label: format!("p = {order}"), points, colour, mark: Mark::DotsOnLine }
        });
        Panel {
            x: Axis::over_positive(name, points.iter().map(x)),
            y: errors.clone(),
            band: Vec::new(),
            curves: guides.into_iter().chain(of_order).collect(),
        }
    };
    Panels {
        title: title.into(),
        about: about.into(),
        panels: vec![
            panel("h", |point| point.size, orders.iter().filter_map(|&order| guide(points, order, &errors)).collect()),
            panel("seconds", |point| point.seconds, Vec::new()),
        ],
        panel_size: SIZE,
        facts: json!({ "kind": "convergence", "title": title, "about": about }).to_string(),
    }
}

/// What has no logarithm is not drawn.
fn positive(number: f64) -> f64 {
    if number > 0.0 { number } else { f64::NAN }
}

/// The slope h^(p + 1) through an order's error on the finest mesh, as far as the axis goes.
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

    #[test]
    fn errors_of_the_expected_order_lie_on_their_guide() {
        let point = |order: usize, level: i32| {
            let size = 0.5_f64.powi(level);
            Point { order, size, seconds: 8.0_f64.powi(level), error: 0.1 * size.powi(order as i32 + 1) }
        };
        let points: Vec<Point> =
            [1, 3].into_iter().flat_map(|order| (1..4).map(move |level| point(order, level))).collect();
        let drawn = draw("t", "a", &points);
        let [h, seconds] = &drawn.panels[..] else { panic!() };
        assert_eq!((h.curves.len(), seconds.curves.len()), (4, 2));
        let slope = |curve: &Curve| {
            let (first, last) = (curve.points[0], curve.points[curve.points.len() - 1]);
            (first[1] / last[1]).ln() / (first[0] / last[0]).ln()
        };
        for (guide, curve, power) in [(0, 2, 2.0), (1, 3, 4.0)] {
            assert!((slope(&h.curves[guide]) - power).abs() < 1e-9 && (slope(&h.curves[curve]) - power).abs() < 1e-9);
        }
        assert!((slope(&seconds.curves[0]) + 2.0 / 3.0).abs() < 1e-9);
        assert!(points.iter().all(|point| h.x.has(point.size) && h.y.has(point.error) && seconds.x.has(point.seconds)));
    }

    #[test]
    fn any_points_are_drawn() {
        let folder = tempfile::tempdir().unwrap();
        let point = Point { order: 2, size: 0.1, seconds: 0.0, error: 0.0 };
        for (file, points) in
            [("a.png", vec![]), ("b.svg", vec![point]), ("c.png", vec![Point { error: f64::NAN, ..point }; 2])]
        {
            write(&folder.path().join(file), "t", "a", &points).unwrap();
        }
    }
}
