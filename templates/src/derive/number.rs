//! The numbers of a [`Tower`](super::Tower).

use std::rc::Rc;

use crate::algebra::{Float, FloatLike, Fraction, PRECISION, Polynomial, Rational, RealLike, float};

/// Why an evaluation stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// A division by zero.
    #[error("a division by zero")]
    DivisionByZero,
    /// A root of a negative number.
    #[error("the root of a negative number")]
    NegativeRoot,
    /// A logarithm or a power of a number that is not positive.
    #[error("a logarithm or power of a number that is not positive")]
    NotPositive,
    /// The expressions outgrew the tower's limit.
    #[error("expressions that are too large")]
    TooLarge,
    /// A number that appears to be zero, without a proof.
    #[error("a number of which it cannot be decided whether it is zero")]
    Undecided,
    /// A number that is no decimal literal.
    #[error("a literal that is no decimal number")]
    Literal,
}

/// A real number in a [`Tower`](super::tower::Tower).
#[derive(Clone, Debug)]
pub enum Number {
    /// A rational number.
    Rational(Rational),
    /// A number that depends on variables or generators.
    General(Rc<General>),
    /// A number known by its value alone.
    Real(Float),
}

/// A fraction in a tower's variables, and its value at the base point.
#[derive(Debug)]
pub struct General {
    /// The fraction; no generator of a root occurs in its denominator.
    pub fraction: Fraction,
    /// Its value at the base point.
    pub value: Float,
}

/// Whether a number is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// By algebra.
    Exactly,
    /// To some 70 digits at the base point, though the algebra does not show it.
    Numerically,
    /// It differs from zero.
    No,
}

/// Whether a value is zero to some 70 digits. Only cancellation loses precision; a zero has lost 230 of 320 bits.
fn zero_value(value: &Float) -> Zero {
    let vanishes = *value == Float::with_val(PRECISION, 0);
    if vanishes || value.get_precision() < PRECISION - 230 { Zero::Numerically } else { Zero::No }
}

/// A variable of a tower.
#[derive(Clone, Debug)]
pub enum Generator {
    /// A free variable with its name.
    Free(String),
    /// A component of a unit normal that is determined by the others: its square is the polynomial.
    Normal(String, Polynomial),
    /// The root of the polynomial that has the sign of the number.
    Root(Polynomial, Number),
    /// `exp(a)`.
    Exp(Number),
    /// `ln(a)`.
    Ln(Number),
    /// `sin(a)`.
    Sin(Number),
    /// `cos(a)`; its square is the polynomial, `1 - sin(a)²`.
    Cos(Number, Polynomial),
    /// `base^exponent`.
    Power(Number, Number),
    /// `atan2(y, x)`.
    Atan2(Number, Number),
}

impl Generator {
    /// The polynomial that the generator's square equals.
    pub(super) fn square(&self) -> Option<&Polynomial> {
        match self {
            Self::Root(square, _) | Self::Cos(_, square) | Self::Normal(_, square) => Some(square),
            _ => None,
        }
    }
}

impl Number {
    /// Whether it is an exact zero.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Rational(value) => value.is_zero(),
            Self::General(general) => general.fraction.is_zero(),
            Self::Real(_) => false,
        }
    }

    /// The number, where it is rational.
    pub fn as_rational(&self) -> Option<&Rational> {
        match self {
            Self::Rational(value) => Some(value),
            Self::General(_) | Self::Real(_) => None,
        }
    }

    /// The value at the base point.
    pub fn value(&self) -> Float {
        match self {
            Self::Rational(value) => float(value),
            Self::General(general) => general.value.clone(),
            Self::Real(value) => value.clone(),
        }
    }

    /// The value at the base point, rounded once.
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Rational(value) => value.to_f64(),
            _ if self.zero() != Zero::No => 0.0,
            _ => self.value().to_f64(),
        }
    }

    /// Whether it is zero, at the base point if the algebra cannot tell.
    pub fn zero(&self) -> Zero {
        match self {
            _ if self.is_zero() => Zero::Exactly,
            Self::Rational(_) => Zero::No,
            Self::General(general) => zero_value(&general.value),
            Self::Real(value) => zero_value(value),
        }
    }

    /// Whether it is negative at the base point.
    pub fn is_negative(&self) -> bool {
        match self {
            Self::Rational(value) => value.is_negative(),
            Self::General(_) | Self::Real(_) => self.zero() == Zero::No && self.value().is_negative(),
        }
    }

    /// Whether it is positive at the base point.
    pub fn is_positive(&self) -> bool {
        self.zero() == Zero::No && !self.is_negative()
    }
}
