//! Limiters, which keep discontinuous solutions free of oscillations and admissible.

use std::fmt;
use std::str::FromStr;

use crate::law::{CharacteristicVariables, Law, Role, Shape};

/// How the solution is limited after every stage. The kernels are those of `templates/kernels/limit.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limiter {
    /// How variation within elements is limited; `None` for positivity alone.
    pub method: Option<Method>,
    /// Which variables are limited, for methods with a choice.
    pub variables: Variables,
    /// Selects the troubled elements, which alone are limited; `None` limits everywhere.
    pub indicator: Option<Indicator>,
    /// Whether the law's admissible quantities are kept positive at every point where the scheme evaluates them.
    pub positivity: bool,
}

/// A way to limit the variation within elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Barth & Jespersen (1989), for order 1.
    BarthJespersen,
    /// Venkatakrishnan (1995), for order 1.
    Venkatakrishnan,
    /// The hierarchical vertex-based limiter of Kuzmin (2010, 2013) and, on quadrilaterals, the moment limiter of Krivodonova (2007), for
    /// any order.
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

    /// The value of `LIMITER` in the kernels.
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
            Self::Moment | Self::Filter => order >= 1,
        }
    }

    /// Whether it reads the means of neighbours.
    pub(super) fn needs_means(self) -> bool {
        matches!(self, Self::BarthJespersen | Self::Venkatakrishnan)
    }

    /// Makes sure that the method can limit a law at an order.
    ///
    /// # Errors
    /// The methods that would do instead.
    pub fn require(self, law: &Law, order: usize) -> Result<(), String> {
        if !self.suits(order) {
            let suitable = Self::ALL.into_iter().filter(|method| method.suits(order));
            let suitable: Vec<String> = suitable.map(|method| format!("`{method}`")).collect();
            return Err(match suitable[..] {
                [] => format!("order {order} does not vary within elements: there is nothing to limit"),
                _ => format!("`{self}` does not limit order {order}; of that order are {}", suitable.join(", ")),
            });
        }
        if self == Self::Filter && law.with_role(Role::MinimumPrinciple).next().is_none() {
            return Err(format!("`{self}` needs an `#[minimum_principle]`, which {} does not have", law.name));
        }
        Ok(())
    }
}

/// The variables that are limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variables {
    /// The components of the state.
    #[default]
    Conserved,
    /// Characteristic variables, by formulas that the compiler derived from the law, or computed numerically.
    Characteristic,
}

impl Variables {
    /// All choices.
    pub const ALL: [Self; 2] = [Self::Conserved, Self::Characteristic];

    /// The name in case files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conserved => "conserved",
            Self::Characteristic => "characteristic",
        }
    }

    /// Makes sure that a method limits these variables of a law.
    ///
    /// # Errors
    /// Why not, and which variables would do.
    pub fn require(self, method: Method, law: &Law) -> Result<(), String> {
        match (self, &law.algebra.characteristic) {
            (Self::Conserved, _) => Ok(()),
            (Self::Characteristic, _) if method != Method::Moment => {
                Err(format!("`{method}` limits conserved variables; `{}` limits characteristic ones", Method::Moment))
            }
            (Self::Characteristic, CharacteristicVariables::None { why: reason }) => {
                Err(format!("{} has no characteristic variables ({reason}); limit `conserved` ones", law.name))
            }
            (Self::Characteristic, _) => Ok(()),
        }
    }
}

/// A criterion for troubled elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indicator {
    /// Decay of the modes (Persson & Peraire 2006).
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

    /// The value of `INDICATOR` in the kernels.
    fn define(self) -> &'static str {
        match self {
            Self::Decay => "DECAY",
        }
    }
}

impl Limiter {
    /// Whether a law states which quantities must be positive.
    pub fn keeps_positive(law: &Law) -> bool {
        law.with_role(Role::Admissible).next().is_some()
    }

    /// Whether it reads moments of other elements.
    pub(super) fn needs_moments(self) -> bool {
        self.method == Some(Method::Moment)
    }

    /// Whether these are those of all elements around a vertex, as they may be where a mesh has several sections.
    pub(super) fn needs_stars(self, shape: Shape, has_several: bool) -> bool {
        self.needs_moments() && (has_several || !shape.is_product())
    }

    /// Whether it keeps quantities with a local minimum principle above their least values before a step: for the filter, or
    /// because the method alone lets extrema of a scalar law grow.
    pub(super) fn needs_bounds(self, law: &Law) -> bool {
        match self.method {
            Some(Method::Filter) => true,
            Some(Method::Moment | Method::Venkatakrishnan) => {
                law.state.len() == 1 && law.with_role(Role::MinimumPrinciple).next().is_some()
            }
            Some(Method::BarthJespersen) | None => false,
        }
    }

    /// The `#define`s for the generated code.
    pub(super) fn defines(self, law: &Law) -> Vec<(String, String)> {
        let flag = |is: bool| if is { "1" } else { "0" };
        let defines = [
            ("LIMITER", self.method.map_or("NO_LIMITER", Method::define)),
            ("KEEP_BOUNDS", flag(self.needs_bounds(law))),
            ("POSITIVITY", flag(self.positivity)),
            ("LIMIT_CHARACTERISTIC", flag(self.variables == Variables::Characteristic)),
        ];
        defines
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
        named("limiter", name, &Self::ALL, Self::name)
    }
}

impl FromStr for Indicator {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        named("indicator", name, &Self::ALL, Self::name)
    }
}

/// The item with this name.
fn named<T: Copy>(what: &str, name: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<T, String> {
    all.iter().copied().find(|&one| name_of(one) == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|&one| name_of(one)).collect();
        format!("no {what} `{name}`; there are {}", known.join(", "))
    })
}
