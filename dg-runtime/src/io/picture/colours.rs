//! Maps from numbers to colours.

use colorous::Gradient;

use super::sheet::Colour;

/// A map of colours, of which each is perceptually uniform but `turbo`.
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

    /// What it is called in case files.
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

    /// Whether its middle stands for zero.
    pub fn is_diverging(self) -> bool {
        self == Self::BlueRed
    }

    /// The colour at a place from 0 to 1.
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

/// Colours of a map, more than eight bits can tell apart, looked up: a picture asks for millions.
pub(super) struct Shades(Vec<Colour>);

const SHADES: usize = 1 << 12;

/// What a value has that is not finite: a colour that no map has.
pub(super) const NOT_FINITE: Colour = [255, 0, 255];

impl Shades {
    pub fn of(colours: Colours) -> Self {
        Self((0..=SHADES).map(|i| colours.at(i as f64 / SHADES as f64)).collect())
    }

    /// The colour at a place, that of the nearer end outside 0 to 1.
    pub fn at(&self, place: f64) -> Colour {
        if place.is_nan() { NOT_FINITE } else { self.0[(place.clamp(0.0, 1.0) * SHADES as f64).round() as usize] }
    }
}
