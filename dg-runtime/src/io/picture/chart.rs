//! A rectangle with axes, from the chart crate.

use plotters::chart::{ChartContext, LabelAreaPosition};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::axis::Axis;
use super::sheet::{Area, FAINT, INK, Pen};

/// The area of curves, with coordinates along the axes ([`Axis::at`]).
pub(super) type Chart<'a, DB> = ChartContext<'a, DB, Cartesian2d<Along, Along>>;

/// The coordinates along an axis, for the chart crate.
pub(super) struct Along {
    numbers: RangedCoordf64,
    ticks: Vec<f64>,
    labels: Vec<String>,
}

impl Along {
    fn of(axis: &Axis, most: usize) -> Self {
        let ticks = axis.ticks(most);
        Self { numbers: axis.along().into(), labels: axis.labels(&ticks), ticks }
    }
}

impl Ranged for Along {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.numbers.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.numbers.range()
    }
}

impl ValueFormatter<f64> for Along {
    fn format_ext(&self, value: &f64) -> String {
        self.ticks.iter().position(|tick| tick == value).map_or(String::new(), |index| self.labels[index].clone())
    }
}

/// The places of labels and grid lines.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sides {
    /// Labels of x below, of y on the left.
    BelowAndLeft {
        /// Whether grid lines are drawn.
        grid: bool,
    },
    /// Labels of y only, on the right.
    Right,
}

/// Height of numbers and names along axes, in pixels.
pub(super) const TEXT: usize = 18;
/// Room below for labels and a name, and beside for labels of up to 8 characters and a name.
pub(super) const BELOW: usize = 58;
pub(super) const BESIDE: usize = 108;
/// Distance between the name of an axis and its neighbours.
const GAP: usize = 12;
const TICK: usize = 6;
/// The least distance of two labels along x and along y.
const SPACING: [usize; 2] = [100, 60];

/// Draws axes around the rectangle at `at` of this `size`, in pixels, and returns what to draw inside.
pub(super) fn axes<'a, DB: DrawingBackend + 'a>(
    area: &'a Area<'a, DB>,
    pen: Pen,
    [at, size]: [[usize; 2]; 2],
    [x, y]: [&Axis; 2],
    sides: Sides,
) -> Result<Chart<'a, DB>, DrawingAreaErrorKind<DB::ErrorType>> {
    let [below, left, right] = match sides {
        Sides::BelowAndLeft { .. } => [BELOW, BESIDE - GAP, 0],
        Sides::Right => [0, 0, BESIDE - GAP],
    };
    let part = pen.part(area, [at[0] - left, at[1]], [size[0] + left + right, size[1] + below]);
    let along = |axis: &Axis, side: usize| Along::of(axis, size[side] / SPACING[side] + 1);
    let mut chart = ChartBuilder::on(&part)
        .set_label_area_size(LabelAreaPosition::Bottom, pen.length(below))
        .set_label_area_size(LabelAreaPosition::Left, pen.length(left))
        .set_label_area_size(LabelAreaPosition::Right, pen.length(right))
        .build_cartesian_2d(along(x, 0), along(y, 1))?;
    let text = pen.font(INK, TEXT);
    let (x_name, x_height) = pen.fitted(area, &x.caption(), size[0], TEXT)?;
    let (y_name, y_height) = pen.fitted(area, &y.caption(), size[1], TEXT)?;
    let mut style = chart.configure_mesh();
    style
        .light_line_style(TRANSPARENT)
        .bold_line_style(if sides == (Sides::BelowAndLeft { grid: true }) {
            pen.line(FAINT, 1.0)
        } else {
            TRANSPARENT.into()
        })
        .axis_style(pen.line(INK, 1.0))
        .set_all_tick_mark_size(pen.length(TICK))
        .label_style(text)
        .y_label_offset(pen.lowered(TEXT))
        .axis_desc_style(pen.font(INK, x_height.min(y_height)))
        .y_desc(y_name);
    match sides {
        Sides::BelowAndLeft { .. } => style.x_desc(x_name),
        Sides::Right => style.disable_x_axis(),
    };
    style.draw()?;
    let [[left, top], [width, height]] = [at, size].map(|pair| pair.map(|pixels| pen.length(pixels)));
    area.draw(&Rectangle::new([(left, top), (left + width, top + height)], pen.line(INK, 1.0)))?;
    Ok(chart)
}
