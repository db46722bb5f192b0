//! Curves over axes, in one panel or several side by side.

use plotters::prelude::*;

use super::axis::Axis;
use super::chart::{self, BELOW, BESIDE, Sides};
use super::sheet::{Anchor, Area, Colour, Drawing, Drawn, GREY, INK, Pen, rgb};

/// A picture of curves.
pub(super) struct Panels {
    pub title: String,
    /// The line below the title.
    pub about: String,
    pub panels: Vec<Panel>,
    /// Width and height of each panel's rectangle, in pixels.
    pub panel_size: [usize; 2],
    /// The facts stored in the file.
    pub facts: String,
}

/// Curves that share their axes.
pub(super) struct Panel {
    pub x: Axis,
    pub y: Axis,
    /// The range of the curve's points, drawn as a band: x, the least and the largest y.
    pub band: Vec<[f64; 3]>,
    pub curves: Vec<Curve>,
}

/// Points, or lines between them. Numbers that are not finite interrupt a line.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    /// Its name in the legend; empty if none is needed.
    pub label: String,
    pub points: Vec<[f64; 2]>,
    pub colour: Colour,
    pub mark: Mark,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mark {
    /// A line of this width in pixels.
    Line(f64),
    /// A line, and a sign at every point.
    Signed(Sign),
    /// A number at the point, explained in the legend.
    Numbered(usize),
}

/// The sign at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sign {
    Disc,
    Square,
    Triangle,
    Ring,
    Cross,
}

impl Sign {
    /// All signs, the most distinct ones first.
    pub const ALL: [Self; 5] = [Self::Disc, Self::Triangle, Self::Ring, Self::Square, Self::Cross];
}

pub(super) const TITLE: usize = 24;
const TOP: usize = 78;
/// More panels beside each other would be too small on a screen.
const MOST_IN_A_ROW: usize = 4;
const MARGIN: usize = 30;
/// The legend's distance from the panels, the height of one of its lines, and about the width of a character there.
const GAP: usize = 24;
const LINE: usize = 26;
const CHARACTER: usize = 10;
const RADIUS: f64 = 4.5;
/// The width of lines with signs.
const WIDTH: f64 = 2.0;

impl Panels {
    /// The curves in the legend: those of all panels, each label once.
    fn explained(&self) -> Vec<&Curve> {
        let mut curves: Vec<&Curve> = Vec::new();
        for curve in self.panels.iter().flat_map(|panel| &panel.curves) {
            if !curve.label.is_empty()
                && curves.iter().all(|known| known.label != curve.label || known.mark != curve.mark)
            {
                curves.push(curve);
            }
        }
        curves
    }

    /// Room for the legend.
    fn legend(&self) -> usize {
        let longest = self.explained().iter().map(|curve| curve.label.chars().count()).max();
        longest.map_or(0, |characters| 3 * GAP + characters * CHARACTER)
    }

    /// Rows and columns of panels: as few rows as there is room for.
    fn grid(&self) -> [usize; 2] {
        let rows = self.panels.len().div_ceil(MOST_IN_A_ROW).max(1);
        [rows, self.panels.len().div_ceil(rows)]
    }

    fn left(&self, column: usize) -> usize {
        BESIDE + column * (self.panel_size[0] + BESIDE + MARGIN)
    }

    fn top(&self, row: usize) -> usize {
        TOP + row * (self.panel_size[1] + BELOW + MARGIN / 2)
    }
}

impl Drawing for Panels {
    fn size(&self) -> [usize; 2] {
        let [rows, columns] = self.grid();
        let legend = TOP + LINE * (self.explained().len() + 1);
        [self.left(columns) - BESIDE + self.legend(), self.top(rows).max(legend)]
    }

    fn facts(&self) -> String {
        self.facts.clone()
    }

    fn draw<DB: DrawingBackend>(&self, area: &Area<'_, DB>, pen: Pen) -> Drawn<DB> {
        title(area, pen, [self.left(0), self.size()[0] - MARGIN / 2], [&self.title, &self.about])?;
        let [_, columns] = self.grid();
        for (index, panel) in self.panels.iter().enumerate() {
            let place = [self.left(index % columns), self.top(index / columns)];
            panel.draw(area, pen, [place, self.panel_size])?;
        }
        let left = (self.left(columns) - BESIDE - MARGIN + GAP) as f64;
        for (index, curve) in self.explained().into_iter().enumerate() {
            let y = (TOP + LINE * index + LINE / 2) as f64;
            let place = [left, y];
            let to = [left + GAP as f64, y];
            match curve.mark {
                Mark::Line(width) => {
                    area.draw(&PathElement::new(vec![pen.point(place), pen.point(to)], pen.line(curve.colour, width)))?;
                }
                Mark::Signed(sign) => {
                    area.draw(&PathElement::new(vec![pen.point(place), pen.point(to)], pen.line(curve.colour, WIDTH)))?;
                    sign.draw(area, pen, pen.point([0.5 * (place[0] + to[0]), y]), curve.colour)?;
                }
                Mark::Numbered(number) => {
                    Sign::Disc.draw(area, pen, pen.point(place), curve.colour)?;
                    pen.text(area, &number.to_string(), to, Anchor::Right, (INK, chart::TEXT - 3))?;
                }
            }
            pen.text(area, &curve.label, [to[0] + 10.0, y], Anchor::Left, (INK, chart::TEXT - 2))?;
        }
        Ok(())
    }
}

/// Writes the title of a picture and the line below it, between two horizontal positions.
pub(super) fn title<DB: DrawingBackend>(
    area: &Area<'_, DB>,
    pen: Pen,
    [left, right]: [usize; 2],
    [title, about]: [&str; 2],
) -> Drawn<DB> {
    let room = right.saturating_sub(left);
    pen.text_within(area, title, [left as f64, 24.0], room, (INK, TITLE))?;
    pen.text_within(area, about, [left as f64, 52.0], room, (GREY, chart::TEXT - 2))
}

impl Sign {
    /// Draws the sign around a pixel.
    fn draw<DB: DrawingBackend>(self, area: &Area<'_, DB>, pen: Pen, at: (i32, i32), colour: Colour) -> Drawn<DB> {
        let radius = pen.point([RADIUS, 0.0]).0;
        let (filled, outline) = (rgb(colour).filled(), pen.line(colour, WIDTH));
        match self {
            Self::Disc => area.draw(&Circle::new(at, radius, filled)),
            Self::Triangle => area.draw(&TriangleMarker::new(at, radius * 3 / 2, filled)),
            Self::Ring => {
                area.draw(&Circle::new(at, radius, WHITE.filled()))?;
                area.draw(&Circle::new(at, radius, outline))
            }
            Self::Square => {
                let (x, y) = at;
                area.draw(&Rectangle::new([(x - radius, y - radius), (x + radius, y + radius)], filled))
            }
            Self::Cross => area.draw(&Cross::new(at, radius, outline)),
        }
    }
}

impl Panel {
    fn draw<DB: DrawingBackend>(&self, area: &Area<'_, DB>, pen: Pen, place: [[usize; 2]; 2]) -> Drawn<DB> {
        let mut chart = chart::axes(area, pen, place, [&self.x, &self.y], Sides::BelowAndLeft { grid: true })?;
        let at = |[x, y]: [f64; 2]| (self.x.at(x), self.y.at(y));
        if let Some(colour) = self.curves.first().map(|curve| curve.colour) {
            let lower = self.band.iter().map(|&[x, low, _]| [x, low]);
            let upper = self.band.iter().rev().map(|&[x, _, high]| [x, high]);
            let outline: Vec<_> = lower.chain(upper).filter_map(|point| self.inside(point)).map(at).collect();
            if outline.len() > 2 {
                chart.draw_series([Polygon::new(outline, rgb(colour).mix(0.2))])?;
            }
        }
        for curve in &self.curves {
            let points: Vec<_> = curve.points.iter().map(|&point| self.inside(point)).collect();
            let width = match curve.mark {
                Mark::Line(width) => width,
                Mark::Signed(_) => WIDTH,
                Mark::Numbered(_) => 0.0,
            };
            for run in points.split(Option::is_none).filter(|run| run.len() > 1 && width > 0.0) {
                let run: Vec<_> = run.iter().flatten().copied().map(at).collect();
                chart.draw_series([PathElement::new(run, pen.line(curve.colour, width))])?;
            }
            let sign = match curve.mark {
                Mark::Line(_) => continue,
                Mark::Signed(sign) => sign,
                Mark::Numbered(_) => Sign::Disc,
            };
            let places = points.into_iter().flatten().map(at);
            for place in places.clone() {
                sign.draw(area, pen, chart.backend_coord(&place), curve.colour)?;
            }
            if let Mark::Numbered(number) = curve.mark {
                let style = pen.font(INK, chart::TEXT - 3);
                let aside = (pen.length(8), -pen.length(8));
                let text = |place| EmptyElement::at(place) + Text::new(number.to_string(), aside, style.clone());
                chart.draw_series(places.map(text))?;
            }
        }
        Ok(())
    }

    /// A point as it is drawn: outside of the y axis it moves to its end; `None` if it is not finite or outside of the x axis.
    fn inside(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        (self.x.has(x) && !y.is_nan()).then(|| [x, self.y.clamp(y)])
    }
}

/// Distinct colours, also for colour-blind people (M. Okabe & K. Ito).
pub(super) const PALETTE: [Colour; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [0, 0, 0]];
