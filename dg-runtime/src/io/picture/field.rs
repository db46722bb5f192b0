//! A field over the plane in colours, with axes and a colour bar.

use plotters::prelude::*;

use super::axis::Axis;
use super::chart::{self, BELOW, BESIDE, Sides};
use super::colours::Shades;
use super::lines::title;
use super::part::Rectangle;
use super::range::{drawable, extremes};
use super::raster::{Raster, Sample};
use super::sheet::{Area, BACKGROUND, Colour, Drawing, Drawn, GREY, INK, Image, Pen, SAMPLES};
use crate::io::nodes::{FinerNodes, Nodes, NodesOfShape, for_sub_triangles};

const TOP: usize = 78;
/// The colour bar's distance from the field, its width, and room for its numbers.
const BAR_GAP: usize = 36;
const BAR_WIDTH: usize = 26;
const RIGHT: usize = BAR_GAP + BAR_WIDTH + BESIDE + 10;
/// Distance between text and its neighbours.
const GAP: usize = 8;
/// Room below the field, for the axis and the least value.
const BOTTOM: usize = BELOW + 12;
/// Least width and height of the field; a thinner domain is surrounded by empty space.
const LEAST_SIDE: usize = 200;

/// Width and height of a picture beside the field.
pub(super) const AROUND: [usize; 2] = [BESIDE + RIGHT, TOP + BOTTOM];

/// A side is drawn as one line if its nodes are less than so many pixels beside it.
const STRAIGHT: f64 = 0.1;

/// The sides of elements whose inscribed circles have the first diameter, in pixels, are invisible; they show fully from the second on.
const FADING: [f64; 2] = [2.0, 8.0];

/// The content of the picture.
pub(super) struct Field<'a> {
    pub nodes: &'a Nodes<'a>,
    /// The coloured values, at every node.
    pub values: &'a [f64],
    pub title: String,
    pub about: String,
    /// The axis of the colour bar.
    pub bar: Axis,
    /// The labels above and below the colour bar.
    pub labels: [String; 2],
    /// The colour of the elements' sides, if they are drawn.
    pub sides: Option<Colour>,
    pub levels: Vec<f64>,
    pub facts: String,
}

/// The field with its place in the picture.
pub(super) struct Plate<'a> {
    field: Field<'a>,
    frame: Frame,
    images: [Image; 2],
}

impl<'a> Plate<'a> {
    pub fn new(field: Field<'a>, frame: Frame, shades: &Shades) -> Self {
        let images = [colours(&field, &frame, shades), bar(&frame, shades)];
        Self { field, frame, images }
    }

    /// The sides of the elements with their opacities, if they are visible: where lines are close together, they fade, so that the
    /// field stays visible.
    fn sides(&self) -> Vec<([[f64; 2]; 2], f64)> {
        if self.field.sides.is_none() {
            return Vec::new();
        }
        self.field.nodes.by_shape().flat_map(|nodes| self.sides_of(&nodes)).collect()
    }

    /// The same of the elements of one shape.
    fn sides_of(&self, nodes: &NodesOfShape<'_>) -> Vec<([[f64; 2]; 2], f64)> {
        let faces = nodes.along_faces();
        let sides = |element: &[f64]| {
            let position = |node: usize| [element[2 * node], element[2 * node + 1]];
            let ends = |face: &Vec<usize>| [position(face[0]), position(face[face.len() - 1])];
            let straight: Vec<[[f64; 2]; 2]> = faces.iter().map(ends).collect();
            let opacity = (inscribed(&straight) * self.frame.scale - FADING[0]) / (FADING[1] - FADING[0]);
            let is_straight = |face: &Vec<usize>, [a, b]: [[f64; 2]; 2]| {
                let along = [b[0] - a[0], b[1] - a[1]];
                let off = |&node: &usize| {
                    let [x, y] = position(node);
                    ((x - a[0]) * along[1] - (y - a[1]) * along[0]).abs() / along[0].hypot(along[1])
                };
                face.iter().all(|node| off(node) * self.frame.scale < STRAIGHT)
            };
            let pieces = |(face, &chord): (&Vec<usize>, &[[f64; 2]; 2])| -> Vec<[[f64; 2]; 2]> {
                if is_straight(face, chord) {
                    return vec![chord];
                }
                face.windows(2).map(|pair| [position(pair[0]), position(pair[1])]).collect()
            };
            let sides: Vec<[[f64; 2]; 2]> = faces.iter().zip(&straight).flat_map(pieces).collect();
            (sides, opacity.min(1.0))
        };
        let visible = nodes.positions().map(sides).filter(|(_, opacity)| *opacity > 0.0);
        visible.flat_map(|(sides, opacity)| sides.into_iter().map(move |side| (side, opacity))).collect()
    }

    /// The line below the title.
    fn about(&self) -> String {
        let not_finite = self.field.values.iter().any(|&value| !drawable(value));
        let notes = [
            (not_finite, "; magenta: not finite"),
            (self.field.sides.is_some() && self.sides().is_empty(), "; the mesh is too fine to be seen"),
        ];
        let notes = notes.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note);
        std::iter::once(&*self.field.about).chain(notes).collect()
    }

    /// The segments on which the field equals one of the levels.
    fn contours(&self) -> Vec<[[f64; 2]; 2]> {
        let Field { nodes, values, levels, .. } = &self.field;
        let mut segments = Vec::new();
        for_sub_triangles(nodes, values, |positions, values, triangle| {
            if !levels.is_empty() {
                let corner = triangle.map(|n| ([positions[2 * n], positions[2 * n + 1]], values[n]));
                for &level in levels {
                    let crossings = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| {
                        let ((from, one), (to, other)) = (corner[a], corner[b]);
                        let part = (level - one) / (other - one);
                        ((one <= level) != (other <= level)).then(|| [0, 1].map(|d| from[d] + part * (to[d] - from[d])))
                    });
                    let mut crossings = crossings.into_iter().flatten();
                    if let (Some(from), Some(to)) = (crossings.next(), crossings.next()) {
                        segments.push([from, to]);
                    }
                }
            }
        });
        segments
    }
}

/// The diameter of a polygon's inscribed circle: four times its area over its perimeter.
fn inscribed(sides: &[[[f64; 2]; 2]]) -> f64 {
    let origin = sides[0][0];
    let doubled_area =
        |[a, b]: &[[f64; 2]; 2]| (a[0] - origin[0]) * (b[1] - origin[1]) - (a[1] - origin[1]) * (b[0] - origin[0]);
    let length = |[a, b]: &[[f64; 2]; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    2.0 * sides.iter().map(doubled_area).sum::<f64>().abs() / sides.iter().map(length).sum::<f64>()
}

impl Drawing for Plate<'_> {
    fn size(&self) -> [usize; 2] {
        [BESIDE + self.frame.width + RIGHT, TOP + self.frame.height + BOTTOM]
    }

    fn images(&self) -> &[Image] {
        &self.images
    }

    fn facts(&self) -> String {
        self.field.facts.clone()
    }

    fn draw<DB: DrawingBackend>(&self, area: &Area<'_, DB>, pen: Pen) -> Drawn<DB> {
        let Frame { width, height, .. } = self.frame;
        let colour = self.field.sides.unwrap_or(GREY);
        let sides = self.sides().into_iter().map(|(side, opacity)| (side, pen.faint_line(colour, 0.5, opacity)));
        let contours = self.contours().into_iter().map(|segment| (segment, pen.line(INK, 1.0)));
        for (segment, style) in sides.chain(contours) {
            if let Some(ends) = self.frame.clip(segment) {
                area.draw(&PathElement::new(ends.map(|end| pen.point(end)), style))?;
            }
        }
        let [x, y] = [("x", 0), ("y", 1)].map(|(name, axis)| Axis::linear(name, self.frame.shown(axis)));
        chart::axes(area, pen, [[BESIDE, TOP], [width, height]], [&x, &y], Sides::BelowAndLeft { grid: false })?;
        let left = BESIDE + width + BAR_GAP;
        let none = Axis::linear("", [0.0, 1.0]);
        chart::axes(area, pen, [[left, TOP], [BAR_WIDTH, height]], [&none, &self.field.bar], Sides::Right)?;

        title(area, pen, [BESIDE, BESIDE + width + BAR_GAP - GAP], [&self.field.title, &self.about()])?;
        let room = self.size()[0] - left - GAP;
        for (text, y) in self.field.labels.iter().zip([TOP - 16, TOP + height + 18]) {
            let at = [left as f64, y as f64];
            pen.text_within(area, text, at, room, (INK, chart::TEXT - 2))?;
        }
        Ok(())
    }
}

/// The place of the field in the picture and the part of the plane that it shows. The scale is the same along both axes.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    width: usize,
    height: usize,
    /// Pixels per unit of length.
    scale: f64,
    /// The position shown at the lower left corner.
    origin: [f64; 2],
}

impl Frame {
    /// A frame around a part of the plane, or all nodes, in a picture of at most this size.
    pub fn around(nodes: &Nodes<'_>, region: Option<Rectangle>, most: [usize; 2]) -> Self {
        let [x, y] = [0, 1].map(|axis| match region {
            Some([lower, upper]) => [lower[axis], upper[axis]],
            None => extent(nodes.positions.iter().skip(axis).step_by(2).copied()),
        });
        let most = [0, 1].map(|axis| most[axis].saturating_sub(AROUND[axis]).max(LEAST_SIDE) as f64);
        let scale = f64::min(most[0] / (x[1] - x[0]), most[1] / (y[1] - y[0]));
        let pixels = |[low, high]: [f64; 2]| (((high - low) * scale).round() as usize).max(LEAST_SIDE);
        let (width, height) = (pixels(x), pixels(y));
        let low = |[low, high]: [f64; 2], pixels: usize| 0.5 * (low + high) - 0.5 * pixels as f64 / scale;
        Self { width, height, scale, origin: [low(x, width), low(y, height)] }
    }

    /// Nodes that follow curved sides, where those of the elements visibly do not.
    pub fn finer(&self, nodes: &Nodes<'_>, values: &[f64]) -> Option<FinerNodes> {
        nodes.finer(values, STRAIGHT / self.scale)
    }

    /// The part of the plane that is shown.
    pub fn rectangle(&self) -> Rectangle {
        let [x, y] = [0, 1].map(|axis| self.shown(axis));
        [[x[0], y[0]], [x[1], y[1]]]
    }

    /// The interval shown along an axis.
    pub fn shown(&self, axis: usize) -> [f64; 2] {
        let pixels = [self.width, self.height][axis];
        [self.origin[axis], self.origin[axis] + pixels as f64 / self.scale]
    }

    /// The place of a position on the sheet, in pixels.
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [right, up] = [(x - self.origin[0]) * self.scale, (y - self.origin[1]) * self.scale];
        [BESIDE as f64 + right, (TOP + self.height) as f64 - up]
    }

    /// The visible part of a segment, on the sheet (Y.-D. Liang & B. A. Barsky, ACM Trans. Graph. 3 (1984) 1–22).
    pub fn clip(&self, segment: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
        let [from, to] = segment.map(|position| self.place(position));
        let mut part = [0.0_f64, 1.0_f64];
        for (axis, low, length) in [(0, BESIDE, self.width), (1, TOP, self.height)] {
            let along = to[axis] - from[axis];
            let [mut enters, mut leaves] = [low, low + length].map(|end| (end as f64 - from[axis]) / along);
            if along == 0.0 {
                let inside = (low as f64..=(low + length) as f64).contains(&from[axis]);
                [enters, leaves] = if inside { [0.0, 1.0] } else { [1.0, 0.0] };
            } else if along < 0.0 {
                (enters, leaves) = (leaves, enters);
            }
            part = [part[0].max(enters), part[1].min(leaves)];
        }
        let at = |part: f64| [0, 1].map(|d| from[d] + part * (to[d] - from[d]));
        (part[0] < part[1]).then(|| part.map(at))
    }
}

/// The least interval that contains the numbers; its length is 1 if there are none or only one.
fn extent(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    match extremes(numbers) {
        Some([low, high]) if low < high => [low, high],
        Some([low, high]) => [low - 0.5, high + 0.5],
        None => [0.0, 1.0],
    }
}

fn colours(field: &Field<'_>, frame: &Frame, shades: &Shades) -> Image {
    let samples = [SAMPLES * frame.width, SAMPLES * frame.height];
    let mut raster = Raster::new(samples[0], samples[1]);
    let scale = SAMPLES as f64 * frame.scale;
    let along = field.bar.along();
    let place = |value: f64| {
        if drawable(value) { (field.bar.at(value) - along.start) / (along.end - along.start) } else { f64::NAN }
    };
    for_sub_triangles(field.nodes, field.values, |positions, values, triangle| {
        let at = triangle.map(|n| [0, 1].map(|d| (positions[2 * n + d] - frame.origin[d]) * scale));
        raster.fill(at, triangle.map(|n| place(values[n])));
    });
    let colour = |sample: Sample| match sample {
        Sample::Inside(place) => shades.at(place.into()),
        Sample::Outside => BACKGROUND,
    };
    // The raster's first row is the lowest.
    let rows = (0..samples[1]).rev().flat_map(|j| (0..samples[0]).map(move |i| (i, j)));
    let colours = rows.map(|(i, j)| colour(raster.sample(i, j))).collect();
    Image { at: [BESIDE, TOP], samples, colours }
}

fn bar(frame: &Frame, shades: &Shades) -> Image {
    let samples = [SAMPLES * BAR_WIDTH, SAMPLES * frame.height];
    let place = |row: usize| 1.0 - (row as f64 + 0.5) / samples[1] as f64;
    let colours = (0..samples[1]).flat_map(|row| std::iter::repeat_n(shades.at(place(row)), samples[0])).collect();
    Image { at: [BESIDE + frame.width + BAR_GAP, TOP], samples, colours }
}
