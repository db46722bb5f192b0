//! Kernels under a device's roof: how much they compute for every byte, and how fast (S. Williams, A. Waterman,
//! D. Patterson: Roofline, Commun. ACM 52, 2009).

use std::path::Path;

use colorous::VIRIDIS;

use super::canvas::{Anchor, Canvas};
use super::{BACKGROUND, Error, INK, LEFT, TICK, TOP, atomic};

/// The two ceilings.
#[derive(Clone, Copy, Debug)]
pub struct Roof {
    /// Of what moves numbers.
    pub bytes_per_second: f64,
    /// Of what computes.
    pub flops_per_second: f64,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub label: String,
    /// Flops for every byte.
    pub intensity: f64,
    /// How fast it is.
    pub flops_per_second: f64,
}

const WIDTH: usize = 1000;
const HEIGHT: usize = 640;
/// Room for the names of the kernels.
const RIGHT: usize = 360;
const GAP: usize = 24;
const BOTTOM: usize = 90;
const MARKER: u32 = 11;
/// Height of a line of text.
const LINE: usize = 24;
const GRID: super::Colour = [225; 3];

/// Draws the kernels under the roof, both axes logarithmic; one without flops has no place there.
///
/// # Errors
///
/// [`Error::System`] where the file cannot be written.
pub fn write(path: &Path, title: &str, roof: &Roof, points: &[Point]) -> Result<(), Error> {
    let canvas = draw(title, roof, points);
    atomic::write(path, |file| canvas.encode(file))
}

/// A logarithmic axis over whole decades.
struct Axis {
    /// The powers of ten at its ends.
    decades: [i32; 2],
    pixels: usize,
}

impl Axis {
    /// Over positive numbers, at least one.
    fn over(numbers: impl Iterator<Item = f64>, pixels: usize) -> Self {
        let [low, high] = numbers
            .map(f64::log10)
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], power| [low.min(power), high.max(power)]);
        Self { decades: [low.floor() as i32, high.floor() as i32 + 1], pixels }
    }

    /// Pixels from the low end.
    fn place(&self, number: f64) -> f64 {
        let [low, high] = self.decades.map(f64::from);
        (number.log10() - low) / (high - low) * self.pixels as f64
    }

    fn ends(&self) -> [f64; 2] {
        self.decades.map(|power| 10_f64.powi(power))
    }

    /// 1, 2 and 5 of every decade.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let [low, high] = self.ends();
        let decades = self.decades[0]..=self.decades[1];
        decades.flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power))).filter(move |tick| {
            // Rounding shall not lose a tick at an end.
            (low * 0.999..=high * 1.001).contains(tick)
        })
    }
}

fn draw(title: &str, roof: &Roof, points: &[Point]) -> Canvas {
    let points: Vec<_> = points.iter().filter(|point| point.intensity * point.flops_per_second > 0.0).collect();
    let ridge = roof.flops_per_second / roof.bytes_per_second;
    let giga = |flops: f64| flops * 1e-9;
    let x = Axis::over(points.iter().map(|point| point.intensity).chain([ridge]), WIDTH);
    let peak = roof.flops_per_second;
    let y = Axis::over(points.iter().map(|point| giga(point.flops_per_second)).chain([giga(peak)]), HEIGHT);
    let bottom = TOP + HEIGHT;
    let at = |intensity: f64, flops: f64| [LEFT as f64 + x.place(intensity), bottom as f64 - y.place(giga(flops))];
    let mut canvas = Canvas::new(LEFT + WIDTH + RIGHT, bottom + BOTTOM, BACKGROUND);

    for tick in x.ticks() {
        let column = LEFT + x.place(tick).round() as usize;
        canvas.fill(column, TOP, 1, HEIGHT, GRID);
        canvas.fill(column, bottom, 1, TICK, INK);
        canvas.text(&format!("{tick:.0$}", decimals(tick)), column, bottom + TICK + 14, Anchor::Centre, INK);
    }
    for tick in y.ticks() {
        let row = bottom - y.place(tick).round() as usize;
        canvas.fill(LEFT, row, WIDTH, 1, GRID);
        canvas.fill(LEFT - TICK, row, TICK, 1, INK);
        canvas.text(&format!("{tick:.0$}", decimals(tick)), LEFT - TICK - 6, row, Anchor::Right, INK);
    }
    canvas.outline(LEFT, TOP, WIDTH, HEIGHT, INK);
    canvas.text(title, LEFT, TOP / 2 - 4, Anchor::Left, INK);
    canvas.text("GFLOP/s", LEFT - TICK - 6, TOP / 2 + 12, Anchor::Right, INK);
    canvas.text("flops per byte", LEFT + WIDTH / 2, bottom + 60, Anchor::Centre, INK);

    // Where memory limits, from the left or the lower end to the ridge; from there on what computes.
    let [left, right] = x.ends();
    let foot = left.max(y.ends()[0] * 1e9 / roof.bytes_per_second);
    canvas.line(at(foot, foot * roof.bytes_per_second), at(ridge, peak), 3, INK);
    canvas.line(at(ridge, peak), at(right, peak), 3, INK);
    let ceilings = format!("{:.0} GB/s, {:.0} GFLOP/s", roof.bytes_per_second * 1e-9, giga(peak));
    canvas.text(&ceilings, LEFT + WIDTH, TOP / 2 - 4, Anchor::Right, INK);

    // Numbers beside the points; what they are stands to the right of all.
    for (index, point) in points.iter().enumerate() {
        let colour = VIRIDIS.eval_rational(index, points.len() + 1).into_array();
        let place = at(point.intensity, point.flops_per_second);
        let legend = [(LEFT + WIDTH + GAP) as f64, (TOP + LINE / 2 + index * LINE) as f64];
        for (centre, label) in [(place, String::new()), (legend, format!("  {}", point.label))] {
            let [column, row] = centre.map(|pixel| pixel.round() as usize);
            canvas.disc(centre, MARKER, colour);
            canvas.text(&format!("{}{label}", index + 1), column + GAP / 2, row, Anchor::Left, INK);
        }
    }
    canvas
}

/// Digits after the point of a tick.
fn decimals(tick: f64) -> usize {
    (-tick.log10().floor()).max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_has_whole_decades_and_ticks_in_order() {
        let axis = Axis::over([0.3, 45.0].into_iter(), 300);
        assert_eq!(axis.decades, [-1, 2]);
        assert!((axis.place(1.0) - 100.0).abs() < 1e-9);
        let ticks: Vec<String> = axis.ticks().map(|tick| format!("{tick:.0$}", decimals(tick))).collect();
        assert_eq!(ticks, ["0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50", "100"]);
    }

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
