//! Pictures: a scalar field in colours, with axes, a colour bar and a title, as a PNG.
//!
//! The colours are viridis, which is perceptually uniform and can be read in grey and by colour-blind people; they
//! span the finite values of the field. Values that are not finite (or beyond 1e300) are magenta, which viridis has not.

use std::path::Path;
use std::sync::LazyLock;

use colorous::VIRIDIS;
use rayon::prelude::*;

use super::{Error, Nodes, atomic};
use canvas::{Anchor, Canvas, Colour};
use raster::{Raster, Sample};

mod canvas;
mod raster;
pub mod roofline;
mod ticks;

/// Width of the picture of a wide domain, in pixels.
const WIDTH: usize = 1200;
/// Largest height of the field.
const MOST_HEIGHT: usize = 900;
/// Least width and height of the field; a thinner domain gets empty space about it.
const LEAST_SIDE: usize = 200;

const LEFT: usize = 100;
const RIGHT: usize = 200;
const TOP: usize = 64;
const BOTTOM: usize = 50;

/// The colour bar's distance from the field, and its width.
const BAR_GAP: usize = 44;
const BAR_WIDTH: usize = 26;
const TICK: usize = 6;
/// The least distance of two ticks along the axes, which leaves room for a label, and along the colour bar.
const AXIS_SPACING: usize = 100;
const BAR_SPACING: usize = 60;

const BACKGROUND: Colour = [255; 3];
const INK: Colour = [40; 3];
const NOT_FINITE: Colour = [255, 0, 255];

/// Draws a field at one time. The scale is the same along both axes.
///
/// `values` is `[element][node]`. Between nodes the picture is linear on each of [`Nodes::sub_triangles`].
///
/// # Errors
///
/// [`Error::System`] where the file cannot be written.
///
/// # Panics
///
/// Where there is not one value for each node, or the dimension is not 2.
pub fn write(path: &Path, nodes: &Nodes<'_>, name: &str, values: &[f64], time: f64) -> Result<(), Error> {
    let canvas = draw(nodes, name, values, time);
    atomic::write(path, |file| canvas.encode(file))
}

fn draw(nodes: &Nodes<'_>, name: &str, values: &[f64], time: f64) -> Canvas {
    assert_eq!(nodes.dim, 2, "dimension of a picture");
    assert_eq!(values.len(), nodes.total(), "values of the field `{name}`");
    let frame = Frame::around(nodes);
    let range = Range::of(values);
    let mut canvas = Canvas::new(LEFT + frame.width + RIGHT, TOP + frame.height + BOTTOM, BACKGROUND);

    draw_field(&mut canvas, &frame, nodes, values, &range);
    draw_axes(&mut canvas, &frame);
    draw_bar(&mut canvas, &frame, &range);
    let title = format!("{name}, t = {}", ticks::significant(time, 5));
    canvas.text(&title, LEFT, TOP / 2 - 4, Anchor::Left, INK);
    if values.iter().any(|&value| !drawable(value)) {
        canvas.text("magenta: not finite", LEFT + frame.width, TOP / 2 - 4, Anchor::Right, NOT_FINITE);
    }
    canvas
}

/// Where the field lies in the picture and what part of the plane it shows.
struct Frame {
    width: usize,
    height: usize,
    /// Pixels per unit of length.
    scale: f64,
    /// The position shown at the lower left corner.
    origin: [f64; 2],
}

impl Frame {
    fn around(nodes: &Nodes<'_>) -> Self {
        let [x, y] = [0, 1].map(|axis| extent(nodes.positions.iter().skip(axis).step_by(2).copied()));
        let most_width = (WIDTH - LEFT - RIGHT) as f64;
        let scale = f64::min(most_width / (x[1] - x[0]), MOST_HEIGHT as f64 / (y[1] - y[0]));
        let pixels = |[low, high]: [f64; 2]| (((high - low) * scale).round() as usize).max(LEAST_SIDE);
        let (width, height) = (pixels(x), pixels(y));
        let low = |[low, high]: [f64; 2], pixels: usize| 0.5 * (low + high) - 0.5 * pixels as f64 / scale;
        Self { width, height, scale, origin: [low(x, width), low(y, height)] }
    }

    /// The interval shown along an axis.
    fn shown(&self, axis: usize) -> [f64; 2] {
        let pixels = [self.width, self.height][axis];
        [self.origin[axis], self.origin[axis] + pixels as f64 / self.scale]
    }
}

/// The least interval that holds the numbers; of length 1 where they are none or one.
fn extent(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let all = numbers.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    match all {
        [low, high] if low < high => all,
        [low, high] if low == high => [low - 0.5, high + 0.5],
        _ => [0.0, 1.0],
    }
}

fn drawable(value: f64) -> bool {
    value.abs() <= 1e300
}

/// The values that the colours span.
struct Range {
    /// Least and largest value, where there is one.
    found: Option<[f64; 2]>,
    /// The ends of the colour bar.
    bar: [f64; 2],
}

impl Range {
    fn of(values: &[f64]) -> Self {
        let found = values.iter().copied().filter(|&value| drawable(value)).fold(None, |range, value| {
            let [low, high] = range.unwrap_or([value; 2]);
            Some([value.min(low), value.max(high)])
        });
        let [low, high] = found.unwrap_or([0.0, 1.0]);
        // The colours of a field that is constant up to rounding shall not show the rounding.
        let size = low.abs().max(high.abs());
        let size = if size > 1e-290 { size } else { 1.0 };
        let middle = 0.5 * (low + high);
        let bar = if high - low > 1e-9 * size { [low, high] } else { [middle - 0.5 * size, middle + 0.5 * size] };
        Self { found, bar }
    }

    /// Where a value lies on the colour bar, from 0 to 1; NaN where it is not drawable.
    fn place(&self, value: f64) -> f64 {
        if drawable(value) { (value - self.bar[0]) / (self.bar[1] - self.bar[0]) } else { f64::NAN }
    }
}

/// Colours of the bar, more than eight bits can tell apart: a picture asks for millions.
const SHADES: usize = 1 << 12;
static SHADE: LazyLock<Vec<Colour>> =
    LazyLock::new(|| (0..=SHADES).map(|i| VIRIDIS.eval_continuous(i as f64 / SHADES as f64).into_array()).collect());

fn colour(place: f64) -> Colour {
    if place.is_nan() { NOT_FINITE } else { SHADE[(place.clamp(0.0, 1.0) * SHADES as f64).round() as usize] }
}

/// Samples per pixel along each axis: smooths the boundary of the domain.
const SAMPLES: usize = 2;

fn draw_field(canvas: &mut Canvas, frame: &Frame, nodes: &Nodes<'_>, values: &[f64], range: &Range) {
    let mut raster = Raster::new(SAMPLES * frame.width, SAMPLES * frame.height);
    let scale = SAMPLES as f64 * frame.scale;
    let triangles = nodes.sub_triangles();
    for (positions, values) in
        nodes.positions.chunks_exact(2 * nodes.per_element()).zip(values.chunks_exact(nodes.per_element()))
    {
        for triangle in &triangles {
            let at = triangle.map(|n| [0, 1].map(|d| (positions[2 * n + d] - frame.origin[d]) * scale));
            raster.fill(at, triangle.map(|n| range.place(values[n])));
        }
    }
    let pixel = |row: usize, column: usize| {
        let mut colours = [BACKGROUND; SAMPLES * SAMPLES];
        for (k, shade) in colours.iter_mut().enumerate() {
            if let Sample::Inside(place) = raster.sample(SAMPLES * column + k % SAMPLES, SAMPLES * row + k / SAMPLES) {
                *shade = colour(place.into());
            }
        }
        mean(&colours)
    };
    let rows: Vec<Vec<Colour>> = (0..frame.height)
        .into_par_iter()
        .map(|row| (0..frame.width).map(|column| pixel(row, column)).collect())
        .collect();
    for (row, pixels) in rows.into_iter().enumerate() {
        for (column, colour) in pixels.into_iter().enumerate() {
            canvas.set(LEFT + column, TOP + frame.height - 1 - row, colour);
        }
    }
}

fn mean(colours: &[Colour]) -> Colour {
    let count = colours.len() as u32;
    [0, 1, 2].map(|channel| {
        let sum: u32 = colours.iter().map(|colour| u32::from(colour[channel])).sum();
        ((sum + count / 2) / count) as u8
    })
}

fn draw_axes(canvas: &mut Canvas, frame: &Frame) {
    let bottom = TOP + frame.height;
    canvas.outline(LEFT, TOP, frame.width, frame.height, INK);
    let pixel = |axis: usize, value: f64| ((value - frame.origin[axis]) * frame.scale).round() as usize;
    for (value, label) in ticks::ticks(frame.shown(0), frame.width / AXIS_SPACING) {
        let x = LEFT + pixel(0, value);
        canvas.fill(x, bottom, 1, TICK, INK);
        canvas.text(&label, x, bottom + TICK + 14, Anchor::Centre, INK);
    }
    for (value, label) in ticks::ticks(frame.shown(1), frame.height / AXIS_SPACING) {
        let y = bottom - pixel(1, value);
        canvas.fill(LEFT - TICK, y, TICK, 1, INK);
        canvas.text(&label, LEFT - TICK - 6, y, Anchor::Right, INK);
    }
}

fn draw_bar(canvas: &mut Canvas, frame: &Frame, range: &Range) {
    let left = LEFT + frame.width + BAR_GAP;
    for row in 0..frame.height {
        let place = (row as f64 + 0.5) / frame.height as f64;
        canvas.fill(left, TOP + frame.height - 1 - row, BAR_WIDTH, 1, colour(place));
    }
    canvas.outline(left, TOP, BAR_WIDTH, frame.height, INK);
    for (value, label) in ticks::ticks(range.bar, frame.height / BAR_SPACING) {
        let y = TOP + frame.height - (range.place(value) * frame.height as f64).round() as usize;
        canvas.fill(left + BAR_WIDTH, y, TICK, 1, INK);
        canvas.text(&label, left + BAR_WIDTH + TICK + 6, y, Anchor::Left, INK);
    }
    if let Some([low, high]) = range.found {
        canvas.text(&format!("max {}", ticks::significant(high, 5)), left, TOP - 20, Anchor::Left, INK);
        canvas.text(&format!("min {}", ticks::significant(low, 5)), left, TOP + frame.height + 20, Anchor::Left, INK);
    }
}

#[cfg(test)]
mod tests;
