//! The elements of a mesh with their sides, coloured by their quality, and its boundaries.

use std::path::Path;

use plotters::prelude::*;
use serde_json::json;

use super::axis::{Axis, significant};
use super::colours::Shades;
use super::field::{Field, Frame, Plate};
use super::lines::PALETTE;
use super::part::Rectangle;
use super::sheet::{self, Area, BACKGROUND, Colour, Drawing, Drawn, Format, GREY, INK, Image, Pen};
use super::{Style, chart, seen};
use crate::io::{Error, Nodes};

/// What a picture of a mesh shows.
#[derive(Clone, Copy, Debug)]
pub struct Elements<'a> {
    /// The corners of the elements.
    pub nodes: &'a Nodes<'a>,
    /// The quality of each element, from 0 to 1.
    pub quality: &'a [f64],
    /// The name of the measure of quality.
    pub measure: &'a str,
    /// The boundaries.
    pub boundaries: &'a [Outline],
    /// The title of the picture.
    pub title: &'a str,
    /// The line below the title.
    pub about: &'a str,
    /// The part of the plane to show; `None` for everything.
    pub region: Option<Rectangle>,
}

/// A boundary.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its name.
    pub name: String,
    /// The ends of its faces.
    pub faces: Vec<[[f64; 2]; 2]>,
}

/// Widths in pixels of a boundary and of the ground on which it is drawn.
const WIDTHS: [f64; 2] = [2.5, 4.5];
/// The legend: its distance from the picture above, the height of one of its rows, the length of a sample of a line, the distance of text
/// from its neighbours, and about the width of a character.
const GAP: usize = 14;
const ROW: usize = 26;
const SAMPLE: usize = 30;
const ASIDE: usize = 10;
const CHARACTER: usize = 10;
const GOLDEN: f64 = 0.618_033_988_749_894_9;
/// The most entries of a legend, and the most characters of a name there.
const MOST: usize = 36;
const LONGEST: usize = 40;

/// Draws a mesh.
///
/// # Errors
///
/// [`Error::System`] if the file cannot be written.
///
/// # Panics
///
/// If there is not one number for each element, or the dimension is not 2.
pub fn write(path: &Path, format: Format, elements: &Elements<'_>) -> Result<(), Error> {
    let Elements { nodes, quality, measure, boundaries, title, about, region } = *elements;
    assert_eq!(nodes.dim, 2, "dimension of a picture");
    assert_eq!(quality.len(), nodes.elements(), "numbers for the elements");
    let per_element =
        nodes.by_shape().flat_map(|of_shape| std::iter::repeat_n(of_shape.per_element(), of_shape.elements()));
    let values = quality.iter().zip(per_element).flat_map(|(&quality, nodes)| std::iter::repeat_n(quality, nodes));
    let values: Vec<f64> = values.collect();
    let style = Style { region, ..Style::default() };
    let found = seen(nodes, &values, &style);
    let [low, high] = found.unwrap_or_default().map(|quality| significant(quality, 3));
    let frame = Frame::around(nodes, region, style.size);
    let finer = frame.finer(nodes, &values);
    let finer = finer.as_ref().map(|finer| (finer.nodes(), &finer.values[..]));
    let (nodes, values) = finer.as_ref().map_or((nodes, &values[..]), |(nodes, values)| (nodes, *values));
    let field = Field {
        nodes,
        values,
        title: title.to_owned(),
        about: about.to_owned(),
        bar: Axis::linear(measure, [0.0, 1.0]),
        labels: [format!("max {high}"), format!("min {low}")],
        sides: Some(INK),
        levels: Vec::new(),
        facts: json!({ "mesh": title, "quality": measure, "range": found }).to_string(),
    };
    let plate = Plate::new(field, frame.clone(), &Shades::of_quality());
    sheet::write(path, format, &Map { plate, frame, boundaries })
}

/// A mesh with its boundaries and their legend.
struct Map<'a> {
    plate: Plate<'a>,
    frame: Frame,
    boundaries: &'a [Outline],
}

impl Map<'_> {
    /// The colours of the boundaries, as distinct as so many can be.
    fn colour(&self, boundary: usize) -> Colour {
        let count = self.boundaries.len();
        // Steps by the golden ratio keep hues apart, those of neighbours most.
        let hue = (boundary as f64 * GOLDEN).fract();
        if count <= PALETTE.len() { PALETTE[boundary] } else { colorous::SINEBOW.eval_continuous(hue).into_array() }
    }

    /// The names in the legend, each with the boundary's number; the last entry has none if some are left out.
    fn legend(&self) -> Vec<(Option<usize>, String)> {
        let count = self.boundaries.len();
        let shown = if count > MOST { MOST - 1 } else { count };
        let short = |name: &str| {
            if name.chars().count() > LONGEST {
                name.chars().take(LONGEST - 1).chain(['…']).collect()
            } else {
                name.to_owned()
            }
        };
        let entry = |(number, outline): (usize, &Outline)| (Some(number), short(&outline.name));
        let rest = (shown < count).then(|| (None, format!("and {} more", count - shown)));
        self.boundaries.iter().enumerate().take(shown).map(entry).chain(rest).collect()
    }

    /// The width of a column of the legend, and the number of columns.
    fn columns(&self) -> [usize; 2] {
        let longest = self.legend().iter().map(|(_, name)| name.chars().count()).max().unwrap_or(0);
        let width = SAMPLE + 3 * ASIDE + longest * CHARACTER;
        [width, ((self.plate.size()[0] - chart::BESIDE) / width).max(1)]
    }
}

impl Drawing for Map<'_> {
    fn size(&self) -> [usize; 2] {
        let ([width, height], rows) = (self.plate.size(), self.legend().len().div_ceil(self.columns()[1]));
        [width, height + if rows == 0 { 0 } else { rows * ROW + GAP }]
    }

    fn images(&self) -> &[Image] {
        self.plate.images()
    }

    fn facts(&self) -> String {
        self.plate.facts()
    }

    fn draw<DB: DrawingBackend>(&self, area: &Area<'_, DB>, pen: Pen) -> Drawn<DB> {
        self.plate.draw(area, pen)?;
        // The ground of all boundaries first, so that none covers another's end.
        for (width, is_ground) in [(WIDTHS[1], true), (WIDTHS[0], false)] {
            for (number, outline) in self.boundaries.iter().enumerate() {
                let style = pen.line(if is_ground { BACKGROUND } else { self.colour(number) }, width);
                for ends in outline.faces.iter().filter_map(|&face| self.frame.clip(face)) {
                    area.draw(&PathElement::new(ends.map(|end| pen.point(end)), style))?;
                }
            }
        }
        let [width, columns] = self.columns();
        let top = self.plate.size()[1];
        for (entry, (number, name)) in self.legend().into_iter().enumerate() {
            let left = (chart::BESIDE + width * (entry % columns)) as f64;
            let y = (top + ROW * (entry / columns) + ROW / 2) as f64;
            let end = left + SAMPLE as f64;
            if let Some(number) = number {
                let line = [[left, y], [end, y]].map(|point| pen.point(point));
                area.draw(&PathElement::new(line, pen.line(self.colour(number), WIDTHS[0])))?;
            }
            let colour = if number.is_some() { INK } else { GREY };
            let room = width - SAMPLE - 2 * ASIDE;
            pen.text_within(area, &name, [end + ASIDE as f64, y], room, (colour, chart::TEXT - 2))?;
        }
        Ok(())
    }
}
