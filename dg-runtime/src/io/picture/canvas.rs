//! An image of RGB pixels, text on it, and its encoding.

use std::convert::Infallible;
use std::io::Write;

use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::{MonoTextStyle, iso_8859_1::FONT_10X20};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::primitives::{Circle, Line, Primitive, PrimitiveStyle};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

/// Red, green and blue.
pub(super) type Colour = [u8; 3];

/// Which end of a text lies at its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Left,
    Centre,
    Right,
}

/// The image; pixel (0, 0) is at the top left. What would lie outside is left out.
pub(super) struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    pub(super) fn new(width: usize, height: usize, background: Colour) -> Self {
        Self { width, height, pixels: background.repeat(width * height) }
    }

    pub(super) fn set(&mut self, x: usize, y: usize, colour: Colour) {
        if x < self.width && y < self.height {
            self.pixels[3 * (y * self.width + x)..][..3].copy_from_slice(&colour);
        }
    }

    pub(super) fn fill(&mut self, left: usize, top: usize, width: usize, height: usize, colour: Colour) {
        for y in top..top + height {
            for x in left..left + width {
                self.set(x, y, colour);
            }
        }
    }

    /// Draws a line of one pixel around a rectangle.
    pub(super) fn outline(&mut self, left: usize, top: usize, width: usize, height: usize, colour: Colour) {
        for y in [top - 1, top + height] {
            self.fill(left - 1, y, width + 2, 1, colour);
        }
        for x in [left - 1, left + width] {
            self.fill(x, top, 1, height, colour);
        }
    }

    /// Draws a line of some thickness between two points.
    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], thickness: u32, colour: Colour) {
        let [red, green, blue] = colour;
        let style = PrimitiveStyle::with_stroke(Rgb888::new(red, green, blue), thickness);
        let [from, to] = [from, to].map(|[x, y]| Point::new(x.round() as i32, y.round() as i32));
        let Ok(()) = Line::new(from, to).into_styled(style).draw(self);
    }

    /// Draws a disc about a point.
    pub(super) fn disc(&mut self, centre: [f64; 2], diameter: u32, colour: Colour) {
        let [red, green, blue] = colour;
        let style = PrimitiveStyle::with_fill(Rgb888::new(red, green, blue));
        let centre = Point::new(centre[0].round() as i32, centre[1].round() as i32);
        let Ok(()) = Circle::with_center(centre, diameter).into_styled(style).draw(self);
    }

    /// Writes one line of text, vertically centred on `y`.
    pub(super) fn text(&mut self, text: &str, x: usize, y: usize, anchor: Anchor, colour: Colour) {
        let [red, green, blue] = colour;
        let style = MonoTextStyle::new(&FONT_10X20, Rgb888::new(red, green, blue));
        let alignment = match anchor {
            Anchor::Left => Alignment::Left,
            Anchor::Centre => Alignment::Center,
            Anchor::Right => Alignment::Right,
        };
        let layout = TextStyleBuilder::new().alignment(alignment).baseline(Baseline::Middle).build();
        let Ok(_) = Text::with_text_style(text, Point::new(x as i32, y as i32), style, layout).draw(self);
    }

    pub(super) fn encode(&self, file: &mut dyn Write) -> std::io::Result<()> {
        // In memory, since the encoder does not hand on what kind of error writing met.
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        // Colours come from a table: a filter, which makes differences of them, makes the file larger.
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        file.write_all(&bytes)
    }
}

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(self.width as u32, self.height as u32)
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, colour) in pixels {
            if let (Ok(x), Ok(y)) = (at.x.try_into(), at.y.try_into()) {
                self.set(x, y, [colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}
