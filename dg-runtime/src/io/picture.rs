//! Pictures of a scalar field, as PNG or SVG: in colours over the plane, as lines along a strip, or as numerical schlieren.
//!
//! The chart crate (`plotters`) draws axes, lines and text, in a font that is included; a field is drawn as pixels by our own code,
//! because it is a polynomial on each element and jumps between them.

use std::path::Path;

use serde_json::json;

use super::nodes::for_sub_triangles;
use super::{Error, Nodes};
use axis::{Axis, apart};
use field::{Field, Frame, Plate};
use lines::{Curve, Mark, PALETTE, Panel, Panels};
use part::{Rectangle, part_in};
use range::{bar, drawable, interval, is_constant, usual_colours};
use sheet::{Drawing, GREY};

mod at;
mod axis;
mod chart;
mod colours;
pub mod convergence;
pub mod distributions;
mod field;
pub mod history;
mod lines;
pub mod mesh;
mod part;
pub mod planes;
mod profile;
mod range;
mod raster;
pub mod roofline;
mod schlieren;
mod sheet;
pub mod signals;

pub use at::At;
pub(crate) use axis::significant;
pub use colours::Colours;
pub use part::reaches_into;
pub use profile::Strip;
pub use range::{Scale, extremes, hull};
pub use sheet::Format;

/// The style of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// The files to write.
    pub formats: Vec<Format>,
    /// The largest width and height of the picture, in pixels.
    pub size: [usize; 2],
    /// The part of the plane to show; `None` for everything.
    pub region: Option<Rectangle>,
    /// The range of the colours, or of the axis of values.
    pub range: Range,
    /// `None` for diverging colours if the field has both signs, else viridis; for schlieren grey.
    pub colours: Option<Colours>,
    /// `None` for lines if the domain is a strip, else colours.
    pub kind: Option<Kind>,
    /// Whether the elements' sides are drawn.
    pub mesh: bool,
    /// Contour lines.
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

/// The smallest picture with room for a field beside its axes, and the largest, in pixels.
pub const SIZES: [[usize; 2]; 2] = [[500, 350], [10_000, 10_000]];

/// The range of the colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// The field's own values at the picture's time.
    Own,
    /// The field's values at all times of the series.
    Series,
    /// The interval between these numbers.
    Given([f64; 2]),
}

/// The representation of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Colours over the plane.
    Colours,
    /// Lines along the longer side of the part shown: the mean, and the least and largest value, across.
    Lines,
    /// The steepness of the field.
    Schlieren,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Colours, Self::Lines, Self::Schlieren];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Colours => "colours",
            Self::Lines => "lines",
            Self::Schlieren => "schlieren",
        }
    }
}

/// Contour lines of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Contours {
    /// So many, evenly spread over the range of the colours.
    Count(usize),
    /// At these values.
    Levels(Vec<f64>),
}

/// The content of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The positions of the values.
    pub nodes: &'a Nodes<'a>,
    /// The field's name.
    pub name: &'a str,
    /// `[element][node]`. Between nodes the picture is linear on each of [`NodesOfShape::sub_triangles`](super::nodes::NodesOfShape::sub_triangles).
    pub values: &'a [f64],
    /// Time.
    pub time: f64,
    /// Law, case, order, …, for the line below the title.
    pub about: &'a str,
    /// The solution to compare lines along a strip with.
    pub reference: Option<Reference<'a>>,
    /// The least and largest value at all times of the series.
    pub series: Option<[f64; 2]>,
    /// The field's size and rounding errors.
    pub scale: Scale,
}

/// An exact or other solution along a strip.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// Its name: "exact".
    pub label: &'a str,
    /// Positions along the strip with values of the field, sorted by position.
    pub points: &'a [[f64; 2]],
}

/// The strip along which a picture shows its field as lines; `None` for other pictures. Such a picture needs a reference.
pub fn strip(nodes: &Nodes<'_>, style: &Style) -> Option<Strip> {
    let told = match style.kind {
        Some(Kind::Colours | Kind::Schlieren) => return None,
        Some(Kind::Lines) => true,
        None => false,
    };
    Strip::shown(nodes, style.region, told)
}

/// Draws a field at one time, to a file of each format named `stem` with the format's extension. The file contains, as
/// JSON, facts about the picture: `field`, `time`, `kind`, the least and largest value (`range`), and the ends of the colour bar or of the
/// axis of values (`shown`).
///
/// # Errors
///
/// [`Error::System`] if a file cannot be written.
///
/// # Panics
///
/// If there is not one value for each node, or the dimension is not 2.
pub fn write(stem: &Path, scene: &Scene<'_>, style: &Style) -> Result<(), Error> {
    assert_eq!(scene.nodes.dim, 2, "dimension of a picture");
    assert_eq!(scene.values.len(), scene.nodes.total(), "values of the field `{}`", scene.name);
    match strip(scene.nodes, style) {
        Some(strip) => write_all(stem, style, &lines(scene, style, &strip)),
        None if style.kind == Some(Kind::Schlieren) => {
            // The slope of rounding errors is a rounding error too.
            let constant = is_constant(extremes(scene.values.iter().copied()), scene.scale);
            let steepness = schlieren::steepness(scene.nodes, scene.values);
            let found = seen(scene.nodes, &steepness, style);
            let most = found.map_or(1.0, |[_, most]| most);
            let dark = |steep: f64| if constant && drawable(steep) { 0.0 } else { schlieren::darkness(steep, most) };
            let colours = style.colours.unwrap_or(Colours::Grey);
            let bar = Axis::linear(format!("1 − exp(−15 |∇{0}| / max |∇{0}|)", scene.name), [0.0, 1.0]);
            let values: Vec<f64> = steepness.into_iter().map(dark).collect();
            let title = format!("schlieren of {}", scene.name);
            plate(stem, scene, style, Shown { values: &values, title, found, constant, bar, colours })
        }
        None => {
            let found = seen(scene.nodes, scene.values, style);
            let wanted = match style.range {
                Range::Given(range) => Some(range),
                Range::Series => hull(found, scene.series),
                Range::Own => found,
            };
            let colours = style.colours.unwrap_or_else(|| usual_colours(wanted));
            let given = matches!(style.range, Range::Given(_));
            let ends = wanted.filter(|_| given).unwrap_or_else(|| bar(wanted, scene.scale, colours));
            let (values, bar) = (scene.values, Axis::linear(scene.name, ends));
            let constant = is_constant(found, scene.scale);
            plate(stem, scene, style, Shown { values, title: scene.name.into(), found, constant, bar, colours })
        }
    }
}

fn write_all(stem: &Path, style: &Style, drawing: &impl Drawing) -> Result<(), Error> {
    style.formats.iter().try_for_each(|&format| {
        // `with_extension` would replace the part of a name after a point.
        let mut name = stem.as_os_str().to_owned();
        name.push(format!(".{}", format.name()));
        sheet::write(Path::new(&name), format, drawing)
    })
}

/// The least and largest value shown in a picture of a field, which is linear on each of [`NodesOfShape::sub_triangles`](super::nodes::NodesOfShape::sub_triangles).
pub fn seen(nodes: &Nodes<'_>, values: &[f64], style: &Style) -> Option<[f64; 2]> {
    if style.region.is_none() {
        return extremes(values.iter().copied());
    }
    // A picture may show slightly more than the region.
    let frame = || Frame::around(nodes, style.region, style.size).rectangle();
    let rectangle = strip(nodes, style).map_or_else(frame, |strip| strip.rectangle());
    let mut inside = Vec::new();
    for_sub_triangles(nodes, values, |positions, values, triangle| {
        if may_reach_into(triangle.map(|n| [positions[2 * n], positions[2 * n + 1]]), rectangle) {
            let value = |n: usize| if drawable(values[n]) { values[n] } else { f64::NAN };
            let part = part_in(triangle.map(|n| ([positions[2 * n], positions[2 * n + 1]], value(n))), rectangle);
            inside.extend(part.into_iter().map(|(_, value)| value));
        }
    });
    extremes(inside.into_iter())
}

/// Whether the bounding rectangle of a triangle overlaps another rectangle.
fn may_reach_into(corners: [[f64; 2]; 3], [lower, upper]: Rectangle) -> bool {
    (0..2).all(|d| {
        let along = || corners.iter().map(|corner| corner[d]);
        along().fold(f64::INFINITY, f64::min) <= upper[d] && along().fold(f64::NEG_INFINITY, f64::max) >= lower[d]
    })
}

/// The values shown by the colours.
struct Shown<'a> {
    values: &'a [f64],
    title: String,
    /// The least and largest value of the field, or for schlieren of its steepness.
    found: Option<[f64; 2]>,
    /// Whether the field is constant up to rounding.
    constant: bool,
    bar: Axis,
    colours: Colours,
}

fn plate(stem: &Path, scene: &Scene<'_>, style: &Style, shown: Shown<'_>) -> Result<(), Error> {
    let kind = style.kind.unwrap_or(Kind::Colours);
    let ends = shown.bar.ends();
    let levels = match &style.contours {
        // Contours of a constant field would show its rounding errors.
        _ if shown.constant => Vec::new(),
        Contours::Count(count) => {
            (1..=*count).map(|i| ends[0] + (ends[1] - ends[0]) * i as f64 / (count + 1) as f64).collect()
        }
        Contours::Levels(levels) => levels.clone(),
    };
    let constant = shown.constant.then(|| constant(scene.values, scene.scale));
    let (mut about, mut labels) = (scene.about.to_owned(), [String::new(), String::new()]);
    match (constant, shown.found) {
        (Some(constant), _) => labels[0] = constant,
        // The bar of schlieren does not show |∇q| itself.
        (None, Some([_, most])) if kind == Kind::Schlieren => {
            about = format!("{about}; max |∇{}| = {}", scene.name, significant(most, 5));
        }
        (None, Some(found)) => {
            let [low, high] = apart(found);
            labels = [format!("max {high}"), format!("min {low}")];
        }
        (None, None) => {}
    }
    let frame = Frame::around(scene.nodes, style.region, style.size);
    let finer = frame.finer(scene.nodes, shown.values);
    let finer = finer.as_ref().map(|finer| (finer.nodes(), &finer.values[..]));
    let (nodes, values) = finer.as_ref().map_or((scene.nodes, shown.values), |(nodes, values)| (nodes, *values));
    let field = Field {
        nodes,
        values,
        title: timed(&shown.title, scene.time),
        about,
        facts: facts(scene, kind, shown.found, ends),
        bar: shown.bar,
        labels,
        sides: style.mesh.then_some(GREY),
        levels,
    };
    write_all(stem, style, &Plate::new(field, frame, &colours::Shades::of(shown.colours)))
}

/// The text for a field that is constant up to rounding.
fn constant(values: &[f64], scale: Scale) -> String {
    let [low, high] = extremes(values.iter().copied()).unwrap_or_default();
    let value = 0.5 * (low + high);
    // A value that is only rounding is shown as zero.
    let value = if value.abs() <= scale.rounding { 0.0 } else { value };
    format!("constant: {}", significant(value, 5))
}

/// Profile lines per pixel of width.
const LINES: usize = 2;
/// Margin beyond the values of a line, as a fraction of their range.
const MARGIN: f64 = 0.05;

fn lines(scene: &Scene<'_>, style: &Style, strip: &Strip) -> Panels {
    let width = (style.size[0].saturating_sub(380)).max(200);
    // Lines need less height than a plane.
    let height = (style.size[1].saturating_sub(180)).clamp(200, (width * 5 / 8).max(200));
    let columns = profile::profile(scene.nodes, scene.values, strip, LINES * width);
    let found = extremes(columns.iter().flat_map(|column| [column.least, column.most]));
    let compared = scene.reference.and_then(|reference| extremes(reference.points.iter().map(|point| point[1])));
    let shown = match style.range {
        Range::Given(range) => range,
        Range::Series => margin(interval(hull(hull(found, scene.series), compared), scene.scale)),
        Range::Own => margin(interval(hull(found, compared), scene.scale)),
    };
    let about = match is_constant(found, scene.scale) {
        true => format!("{}; {}", scene.about, constant(scene.values, scene.scale)),
        false => format!("{}; mean across, and range", scene.about),
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
        x: Axis::linear(["x", "y"][strip.axis], strip.along),
        y: Axis::linear(scene.name, shown),
        band: band.map(|column| [column.at, column.least, column.most]).collect(),
        curves: std::iter::once(solution).chain(reference).collect(),
    };
    Panels {
        title: timed(scene.name, scene.time),
        about,
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

/// The facts stored in a file.
fn facts(scene: &Scene<'_>, kind: Kind, found: Option<[f64; 2]>, shown: [f64; 2]) -> String {
    let about = scene.about;
    json!({ "field": scene.name, "time": scene.time, "kind": kind.name(), "range": found, "shown": shown, "about": about })
        .to_string()
}

#[cfg(test)]
mod tests;
