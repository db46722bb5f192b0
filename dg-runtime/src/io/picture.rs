//! Pictures of a scalar field, as PNG or SVG: in colours over the plane, as lines along a strip, or as numerical schlieren.
//!
//! Axes, lines and text are the chart crate's (`plotters`), in a font that comes along; a field is pixels of its own, since
//! it is a polynomial on each element and jumps between them.

use std::path::Path;

use serde_json::json;

use super::{Error, Nodes};
use axis::{Axis, significant};
use field::{Field, Frame, Plate};
use lines::{Curve, Mark, PALETTE, Panel, Panels};
use range::{bar, interval, usual_colours};
use sheet::{Drawing, GREY};

mod axis;
mod chart;
mod colours;
pub mod convergence;
mod field;
pub mod history;
mod lines;
mod profile;
mod range;
mod raster;
pub mod roofline;
mod schlieren;
mod sheet;

pub use colours::Colours;
pub use range::{extremes, hull};
pub use sheet::Format;

/// How a field is to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The files to write.
    pub formats: Vec<Format>,
    /// The most width and height of the picture, in pixels.
    pub size: [usize; 2],
    /// The lower left and the upper right corner of what is shown; `None` for everything.
    pub region: Option<[[f64; 2]; 2]>,
    /// What the colours or the axis of the values span.
    pub range: Range,
    /// `None` for diverging ones where the field has both signs, else viridis; of schlieren grey.
    pub colours: Option<Colours>,
    /// `None` for lines where the domain is a strip, else colours.
    pub kind: Option<Kind>,
    /// Whether the elements' sides are drawn.
    pub mesh: bool,
    /// Lines on which the field has a value.
    pub contours: Contours,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            formats: vec![Format::Png],
            size: [1200, 1050],
            region: None,
            range: Range::Own,
            colours: None,
            kind: None,
            mesh: false,
            contours: Contours::Count(0),
        }
    }
}

/// The smallest picture that has room for a field beside its axes, and the largest, in pixels.
pub const SIZES: [[usize; 2]; 2] = [[500, 350], [10_000, 10_000]];

/// What the colours span.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// The field's own values at the picture's time.
    Own,
    /// The field's values at all times that are drawn.
    Series,
    /// These two numbers.
    Given([f64; 2]),
}

/// What a picture shows of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Colours over the plane.
    Colours,
    /// Lines along the domain's longer side: the mean, and the least and largest value, across.
    Lines,
    /// How steep the field is.
    Schlieren,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Colours, Self::Lines, Self::Schlieren];

    /// What it is called in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Colours => "colours",
            Self::Lines => "lines",
            Self::Schlieren => "schlieren",
        }
    }
}

/// Lines on which a field has a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Contours {
    /// So many, evenly spread over what the colours span.
    Count(usize),
    /// Of these values.
    Levels(Vec<f64>),
}

/// What is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Where the values are.
    pub nodes: &'a Nodes<'a>,
    /// The field's name.
    pub name: &'a str,
    /// `[element][node]`. Between nodes the picture is linear on each of [`Nodes::sub_triangles`].
    pub values: &'a [f64],
    /// Time.
    pub time: f64,
    /// Law, case, order, …: the line below the title.
    pub about: &'a str,
    /// What lines along a strip are to be compared with.
    pub reference: Option<Reference<'a>>,
    /// The least and largest value at all times of the series.
    pub series: Option<[f64; 2]>,
}

/// An exact or other solution along a strip.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// What it is: "exact".
    pub label: &'a str,
    /// Positions along the strip with the field's values, by position.
    pub points: &'a [[f64; 2]],
}

/// Along which axis a picture shows its field as lines, between which ends; `None` where it does not. A reference is wanted there.
pub fn along(nodes: &Nodes<'_>, style: &Style) -> Option<(usize, [f64; 2])> {
    let axis = match style.kind {
        Some(Kind::Lines) => profile::longer_axis(nodes),
        Some(Kind::Colours | Kind::Schlieren) => return None,
        None => profile::long_axis(nodes)?,
    };
    let all = || extremes(nodes.positions.iter().skip(axis).step_by(2).copied()).map(|ends| interval(Some(ends)));
    let ends = style.region.map(|[lower, upper]| [lower[axis], upper[axis]]).or_else(all)?;
    Some((axis, ends))
}

/// Draws a field at one time, to a file of each format whose name is `stem` with the format's ending. The file says inside, as
/// JSON, what is drawn: `field`, `time`, `kind`, the least and largest value (`range`), and the ends of the colour bar or of the
/// axis of the values (`shown`).
///
/// # Errors
///
/// [`Error::System`] where a file cannot be written.
///
/// # Panics
///
/// Where there is not one value for each node, or the dimension is not 2.
pub fn write(stem: &Path, scene: &Scene<'_>, style: &Style) -> Result<(), Error> {
    assert_eq!(scene.nodes.dim, 2, "dimension of a picture");
    assert_eq!(scene.values.len(), scene.nodes.total(), "values of the field `{}`", scene.name);
    match along(scene.nodes, style) {
        Some((axis, ends)) => write_all(stem, style, &lines(scene, style, axis, ends)),
        None if style.kind == Some(Kind::Schlieren) => {
            let (steepness, found) = schlieren::schlieren(scene.nodes, scene.values);
            let colours = style.colours.unwrap_or(Colours::Grey);
            let shown = Axis::linear(format!("1 − exp(−15 |∇{0}| / max |∇{0}|)", scene.name), [0.0, 1.0]);
            let title = format!("schlieren of {}", scene.name);
            plate(stem, scene, style, Shown { values: &steepness, title, found, bar: shown, colours })
        }
        None => {
            let found = seen(scene.nodes, scene.values, style);
            let wanted = match style.range {
                Range::Given(range) => Some(range),
                Range::Series => hull(found, scene.series),
                Range::Own => found,
            };
            let colours = style.colours.unwrap_or_else(|| usual_colours(wanted));
            let ends = if let Range::Given(range) = style.range { range } else { bar(wanted, colours) };
            let shown = Axis::linear(scene.name, ends);
            plate(
                stem,
                scene,
                style,
                Shown { values: scene.values, title: scene.name.into(), found, bar: shown, colours },
            )
        }
    }
}

fn write_all(stem: &Path, style: &Style, drawing: &impl Drawing) -> Result<(), Error> {
    style.formats.iter().try_for_each(|&format| {
        // `with_extension` would take a part of a name with a point for one.
        let mut name = stem.as_os_str().to_owned();
        name.push(format!(".{}", format.name()));
        sheet::write(Path::new(&name), format, drawing)
    })
}

/// The least and largest value of a field at the nodes in the picture, or where that shows none, at those of the elements that reach
/// into it.
pub fn seen(nodes: &Nodes<'_>, values: &[f64], style: &Style) -> Option<[f64; 2]> {
    let Some([lower, upper]) = style.region else { return extremes(values.iter().copied()) };
    let inside = |position: &[f64]| (0..2).all(|d| (lower[d]..=upper[d]).contains(&position[d]));
    let within = nodes.positions.chunks_exact(2).zip(values).filter(|(position, _)| inside(position));
    let own = nodes.per_element();
    let reaches = |positions: &[f64]| {
        (0..2).all(|d| {
            let along = || positions.iter().skip(d).step_by(2).copied();
            along().fold(f64::INFINITY, f64::min) <= upper[d] && along().fold(f64::NEG_INFINITY, f64::max) >= lower[d]
        })
    };
    let elements = nodes.positions.chunks_exact(2 * own).zip(values.chunks_exact(own));
    let around = elements.filter(|(positions, _)| reaches(positions)).flat_map(|(_, values)| values.iter().copied());
    extremes(within.map(|(_, &value)| value)).or_else(|| extremes(around))
}

/// What the colours show.
struct Shown<'a> {
    values: &'a [f64],
    title: String,
    /// The least and largest value of the field, or of what is said in its place.
    found: Option<[f64; 2]>,
    bar: Axis,
    colours: Colours,
}

fn plate(stem: &Path, scene: &Scene<'_>, style: &Style, shown: Shown<'_>) -> Result<(), Error> {
    let kind = style.kind.unwrap_or(Kind::Colours);
    let ends = shown.bar.ends();
    let levels = match &style.contours {
        // Lines of a constant field would show its rounding errors.
        _ if range::is_constant(shown.found) => Vec::new(),
        Contours::Count(count) => {
            (1..=*count).map(|i| ends[0] + (ends[1] - ends[0]) * i as f64 / (count + 1) as f64).collect()
        }
        Contours::Levels(levels) => levels.clone(),
    };
    // The bar of schlieren shows another number than what they are made of.
    let about = match (kind, shown.found) {
        (Kind::Schlieren, Some([_, most])) => {
            format!("{}; max |∇{}| = {}", scene.about, scene.name, significant(most, 5))
        }
        _ => scene.about.to_owned(),
    };
    let field = Field {
        nodes: scene.nodes,
        values: shown.values,
        title: timed(&shown.title, scene.time),
        about,
        facts: facts(scene, kind, shown.found, ends),
        bar: shown.bar,
        found: shown.found.filter(|_| kind != Kind::Schlieren),
        mesh: style.mesh,
        levels,
    };
    let frame = Frame::around(scene.nodes, style.region, style.size);
    write_all(stem, style, &Plate::new(field, frame, &colours::Shades::of(shown.colours)))
}

/// Lines of a profile per pixel of its width.
const LINES: usize = 2;
/// Room about the values of a line, as a part of their range.
const MARGIN: f64 = 0.05;

fn lines(scene: &Scene<'_>, style: &Style, axis: usize, ends: [f64; 2]) -> Panels {
    let width = (style.size[0].saturating_sub(380)).max(200);
    // Lines need less height than a plane.
    let height = (style.size[1].saturating_sub(180)).clamp(200, (width * 5 / 8).max(200));
    let columns = profile::profile(scene.nodes, scene.values, axis, ends, LINES * width);
    let found = extremes(columns.iter().flat_map(|column| [column.least, column.most]));
    let compared = scene.reference.and_then(|reference| extremes(reference.points.iter().map(|point| point[1])));
    let shown = match style.range {
        Range::Given(range) => range,
        Range::Series => margin(interval(hull(hull(found, scene.series), compared))),
        Range::Own => margin(interval(hull(found, compared))),
    };
    let points = columns.iter().map(|column| [column.at, column.mean]).collect();
    let solution = Curve { label: "solution".into(), points, colour: PALETTE[0], mark: Mark::Line(2.0) };
    let reference = scene.reference.map(|Reference { label, points }| Curve {
        label: label.into(),
        points: points.to_vec(),
        colour: GREY,
        mark: Mark::Line(1.5),
    });
    let band = columns.iter().filter(|column| column.least <= column.most);
    let panel = Panel {
        x: Axis::linear(["x", "y"][axis], ends),
        y: Axis::linear(scene.name, shown),
        band: band.map(|column| [column.at, column.least, column.most]).collect(),
        curves: std::iter::once(solution).chain(reference).collect(),
    };
    Panels {
        title: timed(scene.name, scene.time),
        about: format!("{}; mean across, and range", scene.about),
        panels: vec![panel],
        panel_size: [width, height],
        facts: facts(scene, Kind::Lines, found, shown),
    }
}

fn margin([low, high]: [f64; 2]) -> [f64; 2] {
    let room = MARGIN * (high - low);
    [low - room, high + room]
}

fn timed(what: &str, time: f64) -> String {
    format!("{what} at t = {}", significant(time, 6))
}

/// What is said inside a file.
fn facts(scene: &Scene<'_>, kind: Kind, found: Option<[f64; 2]>, shown: [f64; 2]) -> String {
    let about = scene.about;
    json!({ "field": scene.name, "time": scene.time, "kind": kind.name(), "range": found, "shown": shown, "about": about })
        .to_string()
}

#[cfg(test)]
mod tests;
