//! Kernels under a device's roof: their arithmetic intensity and speed (S. Williams, A. Waterman,
//! D. Patterson: Roofline, Commun. ACM 52, 2009).

use std::path::Path;

use colorous::VIRIDIS;
use serde_json::json;

use super::axis::Axis;
use super::lines::{Curve, Mark, Panel, Panels};
use super::range::extremes;
use super::sheet::{self, Format, INK};
use crate::io::Error;

/// The two ceilings.
#[derive(Clone, Copy, Debug)]
pub struct Roof {
    /// That of memory traffic.
    pub bytes_per_second: f64,
    /// That of arithmetic.
    pub flops_per_second: f64,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub label: String,
    /// Flops for every byte.
    pub intensity: f64,
    /// Its speed.
    pub flops_per_second: f64,
}

const SIZE: [usize; 2] = [1000, 640];

/// Draws the kernels under the roof over logarithmic axes, as an SVG if the file's name ends so, else as a PNG; kernels without
/// flops are left out.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be written.
pub fn write(path: &Path, title: &str, roof: &Roof, points: &[Point]) -> Result<(), Error> {
    sheet::write(path, Format::of(path).unwrap_or_default(), &draw(title, roof, points))
}

fn draw(title: &str, roof: &Roof, points: &[Point]) -> Panels {
    let giga = |flops: f64| flops * 1e-9;
    let points: Vec<_> = points.iter().filter(|point| point.intensity * point.flops_per_second > 0.0).collect();
    let (bandwidth, peak) = (giga(roof.bytes_per_second), giga(roof.flops_per_second));
    let ridge = peak / bandwidth;
    let x = decades(points.iter().map(|point| point.intensity).chain([ridge]));
    let y = decades(points.iter().map(|point| giga(point.flops_per_second)).chain([peak]));

    // The memory ceiling runs from the left or lower end to the ridge, the arithmetic ceiling from there on.
    let foot = x[0].max(y[0] / bandwidth);
    let ceiling = Curve {
        label: String::new(),
        points: vec![[foot, foot * bandwidth], [ridge, peak], [x[1], peak]],
        colour: INK,
        mark: Mark::Line(3.0),
    };
    let kernels = points.iter().enumerate().map(|(index, point)| Curve {
        label: point.label.clone(),
        points: vec![[point.intensity, giga(point.flops_per_second)]],
        colour: VIRIDIS.eval_rational(index, points.len() + 1).into_array(),
        mark: Mark::Numbered(index + 1),
    });
    let panel = Panel {
        x: Axis::logarithmic("flops per byte", x),
        y: Axis::logarithmic("GFLOP/s", y),
        band: Vec::new(),
        curves: std::iter::once(ceiling).chain(kernels).collect(),
    };
    Panels {
        title: title.into(),
        about: format!("{bandwidth:.0} GB/s, {peak:.0} GFLOP/s"),
        panels: vec![panel],
        panel_size: SIZE,
        facts: json!({ "kind": "roofline", "device": title }).to_string(),
    }
}

/// The least interval of whole decades, at least one, that contains the positive numbers.
fn decades(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = extremes(numbers.map(f64::log10)).unwrap_or([0.0, 1.0]);
    [low.floor(), high.floor() + 1.0].map(|power| 10_f64.powf(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roofline_is_drawn_for_any_points() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roofline.png");
        let roof = Roof { bytes_per_second: 4e12, flops_per_second: 34e12 };
        let point = |intensity, flops_per_second| Point { label: "stage".into(), intensity, flops_per_second };
        for points in [vec![], vec![point(5.0, 1e13); 3], vec![point(0.0, 0.0), point(1e-9, 1e3), point(1e9, 1e15)]] {
            write(&path, "device", &roof, &points).unwrap();
            assert!(std::fs::read(&path).unwrap().starts_with(b"\x89PNG"));
        }
    }
}
