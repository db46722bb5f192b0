//! Limiters: what keeps a discontinuous solution from oscillating and admissible.

use std::fmt;
use std::str::FromStr;

/// What is done to the solution after every stage. The kernels are those of `templates/kernels/limit.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limiter {
    /// How variation within elements is limited; `None` for positivity alone.
    pub method: Option<Method>,
    /// Where: in troubled elements alone; `None` for everywhere.
    pub indicator: Option<Indicator>,
    /// Whether the law's admissible quantities are kept positive wherever the scheme evaluates them.
    pub positivity: bool,
}

/// A way to limit the variation within elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Barth & Jespersen (1989), for order 1.
    BarthJespersen,
    /// Venkatakrishnan (1995), for order 1.
    Venkatakrishnan,
    /// The hierarchical vertex-based limiter of Kuzmin (2010, 2013), for any order.
    Moment,
    /// The modal filter by the law's minimum principle, of Dzanic & Witherden (2022), for any order.
    Filter,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::BarthJespersen, Self::Venkatakrishnan, Self::Moment, Self::Filter];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::BarthJespersen => "barth_jespersen",
            Self::Venkatakrishnan => "venkatakrishnan",
            Self::Moment => "moment",
            Self::Filter => "filter",
        }
    }

    /// What the text's `LIMITER` is defined to.
    fn define(self) -> &'static str {
        match self {
            Self::BarthJespersen => "BARTH_JESPERSEN",
            Self::Venkatakrishnan => "VENKATAKRISHNAN",
            Self::Moment => "MOMENT",
            Self::Filter => "FILTER",
        }
    }

    /// Whether it limits polynomials of this degree.
    pub fn suits(self, order: usize) -> bool {
        match self {
            Self::BarthJespersen | Self::Venkatakrishnan => order == 1,
            Self::Moment => order >= 1,
            Self::Filter => true,
        }
    }
}

/// What tells troubled elements from smooth ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indicator {
    /// Decay of the modes, of Persson & Peraire (2006).
    Decay,
}

impl Indicator {
    /// All indicators.
    pub const ALL: [Self; 1] = [Self::Decay];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decay => "decay",
        }
    }

    /// What the text's `INDICATOR` is defined to.
    fn define(self) -> &'static str {
        match self {
            Self::Decay => "DECAY",
        }
    }
}

impl Limiter {
    /// Whether it looks at derivatives of all elements around a vertex.
    pub(super) fn needs_moments(self) -> bool {
        self.method == Some(Method::Moment)
    }

    /// Whether it keeps to what the law's bounded quantities were before a step.
    pub(super) fn needs_bounds(self) -> bool {
        self.method == Some(Method::Filter)
    }

    /// What the generated code is to be compiled with.
    pub(super) fn defines(self) -> Vec<(String, String)> {
        let method = self.method.map_or("NO_LIMITER", Method::define);
        let positivity = if self.positivity { "1" } else { "0" };
        [("LIMITER", method), ("POSITIVITY", positivity)]
            .into_iter()
            .chain(self.indicator.map(|indicator| ("INDICATOR", indicator.define())))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|method| method.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|method| method.name()).collect();
            format!("no limiter `{name}`; there are {}", known.join(", "))
        })
    }
}
