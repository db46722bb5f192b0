//! A drawing as a PNG and as an SVG: images of pixels, with a chart on top.

use std::io::Write;
use std::path::Path;
use std::sync::LazyLock;

use data_encoding::BASE64;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use crate::io::{Error, atomic, xml_attribute};
use crate::plain::plain;

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

pub(super) const BACKGROUND: Colour = [255; 3];
pub(super) const INK: Colour = [40; 3];
pub(super) const FAINT: Colour = [225; 3];
pub(super) const GREY: Colour = [110; 3];

/// Samples of a PNG per pixel along each axis: their mean smooths the drawing.
pub(super) const SAMPLES: usize = 2;
/// Units of an SVG's lines per pixel, because the chart crate draws at whole units only.
const FINENESS: usize = 16;

/// The least height of text that can be read, in pixels.
const LEAST_TEXT: usize = 10;

/// A drawing on a sheet.
pub(super) trait Drawing {
    /// Width and height in pixels.
    fn size(&self) -> [usize; 2];

    /// The images under the lines.
    fn images(&self) -> &[Image] {
        &[]
    }

    /// Facts about the drawing, stored in the file as JSON.
    fn facts(&self) -> String;

    /// Draws lines and text.
    fn draw<DB: DrawingBackend>(&self, area: &Area<'_, DB>, pen: Pen) -> Drawn<DB>;
}

pub(super) type Area<'a, DB> = DrawingArea<DB, Shift>;
pub(super) type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// Pixels in a part of a sheet.
pub(super) struct Image {
    /// The upper left corner on the sheet, in pixels.
    pub at: [usize; 2],
    /// Width and height in samples; a pixel has [`SAMPLES`] along each axis.
    pub samples: [usize; 2],
    /// Row by row, from the top.
    pub colours: Vec<Colour>,
}

/// Lengths and styles, in pixels of the sheet.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    unit: usize,
    /// The offset of the chart crate's text above the middle of a line, as a fraction of the text's height: it occurs in bitmaps.
    raised: f64,
}

/// The place of a text relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Right,
}

impl Pen {
    /// A number of pixels in the units of the chart crate.
    pub fn length(self, pixels: usize) -> i32 {
        (pixels * self.unit) as i32
    }

    /// A point of the sheet.
    pub fn point(self, [x, y]: [f64; 2]) -> (i32, i32) {
        let at = |pixels: f64| (pixels * self.unit as f64).round() as i32;
        (at(x), at(y))
    }

    /// A line so many pixels wide.
    pub fn line(self, colour: Colour, width: f64) -> ShapeStyle {
        self.faint_line(colour, width, 1.0)
    }

    /// A line through which the ground shows, with an opacity from 0 to 1.
    pub fn faint_line(self, colour: Colour, width: f64, opacity: f64) -> ShapeStyle {
        let stroke_width = ((width * self.unit as f64).round() as u32).max(1);
        ShapeStyle { color: rgb(colour).mix(opacity), filled: false, stroke_width }
    }

    /// The shift down of text of this height that puts the middle of its digits in the right place.
    pub fn lowered(self, height: usize) -> i32 {
        (self.raised * (height * self.unit) as f64).round() as i32
    }

    /// Text of this height in pixels.
    pub fn font(self, colour: Colour, height: usize) -> TextStyle<'static> {
        LazyLock::force(&FONT);
        let size = (height * self.unit) as f64;
        TextStyle { font: (FONT_FAMILY, size).into_font(), color: rgb(colour).to_backend_color(), pos: Pos::default() }
    }

    /// Writes one line of text, vertically centred on a point.
    pub fn text<DB: DrawingBackend>(
        self,
        area: &Area<'_, DB>,
        text: &str,
        at: [f64; 2],
        anchor: Anchor,
        (colour, height): (Colour, usize),
    ) -> Drawn<DB> {
        let across = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Right => HPos::Right,
        };
        let (x, y) = self.point(at);
        // No control character is allowed in an SVG.
        area.draw_text(
            &plain(text),
            &self.font(colour, height).pos(Pos::new(across, VPos::Center)),
            (x, y + self.lowered(height)),
        )
    }

    /// Writes one line of text to the right of a point, [fitted](Self::fitted) into a width.
    pub fn text_within<DB: DrawingBackend>(
        self,
        area: &Area<'_, DB>,
        text: &str,
        at: [f64; 2],
        room: usize,
        (colour, height): (Colour, usize),
    ) -> Drawn<DB> {
        let (text, height) = self.fitted(area, text, room, height)?;
        self.text(area, &text, at, Anchor::Left, (colour, height))
    }

    /// A text with a height at which it fits into this width in pixels: a long one is smaller, and cut if that is not
    /// enough.
    pub fn fitted<DB: DrawingBackend>(
        self,
        area: &Area<'_, DB>,
        text: &str,
        room: usize,
        height: usize,
    ) -> Result<(String, usize), DrawingAreaErrorKind<DB::ErrorType>> {
        let room = self.length(room).unsigned_abs() as usize;
        let width = |text: &str, height: usize| {
            area.estimate_text_size(text, &self.font(INK, height)).map(|(width, _)| width as usize)
        };
        let whole = width(text, height)?;
        if whole <= room {
            return Ok((text.to_owned(), height));
        }
        let height = (height * room / whole).max(LEAST_TEXT);
        let whole = width(text, height)?;
        if whole <= room {
            return Ok((text.to_owned(), height));
        }
        let kept = text.chars().count() * room / whole;
        let mut cut: String = text.chars().take(kept).chain(['…']).collect();
        while width(&cut, height)? > room && cut.chars().count() > 1 {
            cut = cut.chars().take(cut.chars().count() - 2).chain(['…']).collect();
        }
        Ok((cut, height))
    }

    /// A part of the sheet, by its corner and size.
    pub fn part<'a, DB: DrawingBackend>(self, area: &Area<'a, DB>, at: [usize; 2], size: [usize; 2]) -> Area<'a, DB> {
        let [at, size] = [at, size].map(|pair| pair.map(|pixels| self.length(pixels)));
        area.clone().shrink((at[0], at[1]), (size[0], size[1]))
    }
}

pub(super) fn rgb([red, green, blue]: Colour) -> RGBColor {
    RGBColor(red, green, blue)
}

/// For an SVG, a browser uses its own font of this kind.
const FONT_FAMILY: &str = "sans-serif";
static FONT: LazyLock<()> = LazyLock::new(|| {
    let font = register_font(FONT_FAMILY, FontStyle::Normal, include_bytes!("font/DejaVuSans.ttf"));
    assert!(font.is_ok(), "the font that comes along can be read");
});

/// The format of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    #[default]
    Png,
    /// Lines and text as vectors; a field as an embedded image.
    Svg,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Png, Self::Svg];

    /// The name in case files, and the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
        }
    }

    /// The format for the extension of a file's name.
    pub fn of(path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| end.eq_ignore_ascii_case(format.name()))
    }
}

/// Writes a drawing.
pub(super) fn write(path: &Path, format: Format, drawing: &impl Drawing) -> Result<(), Error> {
    atomic::write(path, |file| match format {
        Format::Png => png(drawing, file),
        Format::Svg => svg(drawing, file),
    })
}

fn png(drawing: &impl Drawing, file: &mut dyn Write) -> std::io::Result<()> {
    let [width, height] = drawing.size();
    let row = 3 * SAMPLES * width;
    let mut samples = BACKGROUND.repeat(SAMPLES * width * SAMPLES * height);
    for image in drawing.images() {
        for (line, colours) in image.colours.chunks_exact(image.samples[0]).enumerate() {
            let start = (SAMPLES * image.at[1] + line) * row + 3 * SAMPLES * image.at[0];
            samples[start..][..3 * colours.len()].copy_from_slice(colours.as_flattened());
        }
    }
    let area = BitMapBackend::with_buffer(&mut samples, ((SAMPLES * width) as u32, (SAMPLES * height) as u32));
    draw(drawing, area, Pen { unit: SAMPLES, raised: 0.2 })?;

    let mean = |x: usize, y: usize, channel: usize| {
        let sum: u32 = (0..SAMPLES * SAMPLES)
            .map(|k| (SAMPLES * y + k / SAMPLES) * row + 3 * (SAMPLES * x + k % SAMPLES) + channel)
            .map(|sample| u32::from(samples[sample]))
            .sum();
        let count = (SAMPLES * SAMPLES) as u32;
        ((sum + count / 2) / count) as u8
    };
    let pixels: Vec<u8> = (0..height)
        .flat_map(|y| (0..width).flat_map(move |x| [0, 1, 2].map(|channel| (x, y, channel))))
        .map(|(x, y, channel)| mean(x, y, channel))
        .collect();
    encode(&pixels, [width, height], Some(&drawing.facts()), file)
}

/// Writes pixels as a PNG.
fn encode(
    pixels: &[u8],
    [width, height]: [usize; 2],
    facts: Option<&str>,
    file: &mut dyn Write,
) -> std::io::Result<()> {
    // In memory, because the encoder does not return the kind of a write error.
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(::png::ColorType::Rgb);
    // Colours come from a table: filters, which take differences, would make the file larger.
    encoder.set_filter(::png::Filter::NoFilter);
    if let Some(facts) = facts {
        encoder.add_itxt_chunk(FACTS.into(), facts.into())?;
    }
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    file.write_all(&bytes)
}

/// The keyword of the facts in a PNG.
pub(super) const FACTS: &str = "Description";

fn svg(drawing: &impl Drawing, file: &mut dyn Write) -> std::io::Result<()> {
    let [width, height] = drawing.size();
    let mut lines = String::new();
    let area = SVGBackend::with_string(&mut lines, ((FINENESS * width) as u32, (FINENESS * height) as u32));
    draw(drawing, area, Pen { unit: FINENESS, raised: 0.0 })?;
    writeln!(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <desc>{}</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        xml_attribute(&drawing.facts()).replace("&quot;", "\"")
    )?;
    for image in drawing.images() {
        let mut bytes = Vec::new();
        encode(image.colours.as_flattened(), image.samples, None, &mut bytes)?;
        let [[x, y], [width, height]] = [image.at, image.samples.map(|samples| samples / SAMPLES)];
        let data = BASE64.encode(&bytes);
        writeln!(
            file,
            "<image x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" preserveAspectRatio=\"none\" \
             href=\"data:image/png;base64,{data}\"/>"
        )?;
    }
    writeln!(file, "<g transform=\"scale({})\">\n{lines}</g>\n</svg>", 1.0 / FINENESS as f64)
}

fn draw<DB: DrawingBackend>(drawing: &impl Drawing, backend: DB, pen: Pen) -> std::io::Result<()> {
    let area = backend.into_drawing_area();
    drawing.draw(&area, pen).and_then(|()| area.present()).map_err(|error| std::io::Error::other(error.to_string()))
}
