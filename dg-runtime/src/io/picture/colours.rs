//! Maps from numbers to colours.

use colorous::Gradient;

use super::sheet::Colour;

/// A colour map; all except `turbo` are perceptually uniform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// From dark blue over green to yellow; can be read in grey and by colour-blind people.
    Viridis,
    /// From blue over red to yellow.
    Plasma,
    /// From black over red to light yellow.
    Inferno,
    /// From black over purple to light yellow.
    Magma,
    /// From blue over grey to yellow, the same to most colour-blind people.
    Cividis,
    /// A rainbow.
    Turbo,
    /// From white to black.
    Grey,
    /// From blue over white to red: for numbers of both signs, with white at zero.
    BlueRed,
}

impl Colours {
    /// All maps.
    pub const ALL: [Self; 8] = [
        Self::Viridis,
        Self::Plasma,
        Self::Inferno,
        Self::Magma,
        Self::Cividis,
        Self::Turbo,
        Self::Grey,
        Self::BlueRed,
    ];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Plasma => "plasma",
            Self::Inferno => "inferno",
            Self::Magma => "magma",
            Self::Cividis => "cividis",
            Self::Turbo => "turbo",
            Self::Grey => "grey",
            Self::BlueRed => "blue_red",
        }
    }

    /// Whether its middle means zero.
    pub fn is_diverging(self) -> bool {
        self == Self::BlueRed
    }

    /// The colour at a position from 0 to 1.
    pub(super) fn at(self, place: f64) -> Colour {
        let (gradient, place): (Gradient, f64) = match self {
            Self::Viridis => (colorous::VIRIDIS, place),
            Self::Plasma => (colorous::PLASMA, place),
            Self::Inferno => (colorous::INFERNO, place),
            Self::Magma => (colorous::MAGMA, place),
            Self::Cividis => (colorous::CIVIDIS, place),
            Self::Turbo => (colorous::TURBO, place),
            Self::Grey => (colorous::GREYS, place),
            Self::BlueRed => (colorous::RED_BLUE, 1.0 - place),
        };
        gradient.eval_continuous(place).into_array()
    }
}

/// A lookup table of a map's colours, finer than eight bits can distinguish: a picture needs millions of colours.
pub(super) struct Shades(Vec<Colour>);

const SHADES: usize = 1 << 12;

/// The colour of values that are not finite, which no map contains.
pub(super) const NOT_FINITE: Colour = [255, 0, 255];

impl Shades {
    pub fn of(colours: Colours) -> Self {
        Self::by(|place| colours.at(place))
    }

    /// The colours of elements by their quality: good ones are pale, bad ones dark red.
    pub fn of_quality() -> Self {
        Self::by(|place| colorous::YELLOW_ORANGE_RED.eval_continuous(1.0 - place).into_array())
    }

    fn by(colour: impl Fn(f64) -> Colour) -> Self {
        Self((0..=SHADES).map(|i| colour(i as f64 / SHADES as f64)).collect())
    }

    /// The colour at a position, clamped to 0 to 1.
    pub fn at(&self, place: f64) -> Colour {
        if place.is_nan() { NOT_FINITE } else { self.0[(place.clamp(0.0, 1.0) * SHADES as f64).round() as usize] }
    }
}
