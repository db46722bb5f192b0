//! Limiters: what keeps a discontinuous solution from oscillating and admissible.

use std::fmt;
use std::str::FromStr;

/// What is done to the solution after every stage. The kernels are those of `templates/kernels/limit.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limiter {
    /// How variation within elements is limited; `None` for positivity alone.
    pub method: Option<Method>,
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
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 2] = [Self::BarthJespersen, Self::Venkatakrishnan];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::BarthJespersen => "barth_jespersen",
            Self::Venkatakrishnan => "venkatakrishnan",
        }
    }

    /// What the text's `LIMITER` is defined to.
    fn define(self) -> &'static str {
        match self {
            Self::BarthJespersen => "BARTH_JESPERSEN",
            Self::Venkatakrishnan => "VENKATAKRISHNAN",
        }
    }

    /// Whether it limits polynomials of this degree.
    pub fn suits(self, order: usize) -> bool {
        match self {
            Self::BarthJespersen | Self::Venkatakrishnan => order == 1,
        }
    }
}

impl Limiter {
    /// What the generated code is to be compiled with.
    pub(super) fn defines(self) -> [(String, String); 2] {
        let method = self.method.map_or("NO_LIMITER", Method::define);
        [("LIMITER", method.to_owned()), ("POSITIVITY", u8::from(self.positivity).to_string())]
            .map(|(name, value)| (name.to_owned(), value))
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
