//! Exponentials, powers and angles as generators of a [`Tower`].

use super::budget;
use super::number::{Generator, Number, Stop, Zero};
use super::tower::Tower;
use crate::algebra::{Rational, Real};

/// The largest exponent that is multiplied out.
const LARGEST_POWER: i64 = 64;

fn one() -> Number {
    Number::Rational(Rational::from(1))
}

/// The number as an integer of moderate size.
fn small_integer(a: &Rational) -> Option<i64> {
    let value = a.is_integer().then(|| a.numerator().to_i64())??;
    (value.abs() <= LARGEST_POWER).then_some(value)
}

impl Tower {
    /// `exp(a)`; integer multiples, halves and quarters of known exponents share a generator.
    ///
    /// # Errors
    /// When the tower is full.
    pub fn exp(&mut self, a: &Number) -> Result<Number, Stop> {
        if a.is_zero() {
            return Ok(one());
        }
        if self.approximate {
            budget::function();
            return Ok(Number::Real(a.value().exp()));
        }
        for index in 0..self.generators().len() {
            let Generator::Exp(known) = &self.generators()[index] else { continue };
            let known = known.clone();
            let ratio = self.div(a, &known)?;
            if let Some(ratio) = ratio.as_rational().cloned() {
                let known = self.variable_number(&[index])?;
                if let Some(power) = self.rational_power(&known, &ratio)? {
                    return Ok(power);
                }
            }
        }
        let value = a.value().exp();
        self.push(Generator::Exp(a.clone()), value)
    }

    /// `a^e` by multiplication and square roots, where `e` is a small multiple of a quarter.
    fn rational_power(&mut self, a: &Number, e: &Rational) -> Result<Option<Number>, Stop> {
        if let Some(n) = small_integer(e) {
            return self.powi(a, n).map(Some);
        }
        for roots in 1..=2 {
            if let Some(n) = small_integer(&(e * &Rational::from(1 << roots))) {
                let mut root = a.clone();
                for _ in 0..roots {
                    root = self.sqrt(&root)?;
                }
                return self.powi(&root, n).map(Some);
            }
        }
        Ok(None)
    }

    /// `ln(a)`.
    ///
    /// # Errors
    /// When `a` is not positive at the base point.
    pub fn ln(&mut self, a: &Number) -> Result<Number, Stop> {
        if !a.is_positive() {
            return Err(Stop::NotPositive);
        }
        if self.sub(a, &one())?.is_zero() {
            return Ok(Number::Rational(Rational::from(0)));
        }
        if self.approximate {
            budget::function();
            return Ok(Number::Real(a.value().log()));
        }
        for index in 0..self.generators().len() {
            match &self.generators()[index] {
                Generator::Ln(known) if self.sub(a, known)?.is_zero() => return self.variable_number(&[index]),
                Generator::Exp(known) if self.sub(a, &self.variable_number(&[index])?)?.is_zero() => {
                    return Ok(known.clone());
                }
                _ => {}
            }
        }
        let value = a.value().log();
        self.push(Generator::Ln(a.clone()), value)
    }

    /// `(sin(a), cos(a))`.
    ///
    /// # Errors
    /// When the tower is full.
    pub fn sin_cos(&mut self, a: &Number) -> Result<(Number, Number), Stop> {
        if a.is_zero() {
            return Ok((a.clone(), one()));
        }
        if self.approximate {
            budget::function();
            return Ok((Number::Real(a.value().sin()), Number::Real(a.value().cos())));
        }
        for index in 0..self.generators().len() {
            let Generator::Sin(known) = &self.generators()[index] else { continue };
            let (sin, cos) = (self.variable_number(&[index])?, self.variable_number(&[index + 1])?);
            if self.sub(a, known)?.is_zero() {
                return Ok((sin, cos));
            }
            if self.add(a, known)?.is_zero() {
                return Ok((self.neg(&sin), cos));
            }
        }
        let sin = self.push(Generator::Sin(a.clone()), a.value().sin())?;
        let square = self.sub(&one(), &self.mul(&sin, &sin)?)?;
        let square = self.fraction(&square).numerator();
        let cos = self.push(Generator::Cos(a.clone(), square), a.value().cos())?;
        Ok((sin, cos))
    }

    /// `base^exponent`; powers of powers, and exponents that differ by an integer, share a generator.
    ///
    /// # Errors
    /// When `base` is not positive at the base point and the exponent is no integer.
    pub fn powf(&mut self, base: &Number, exponent: &Number) -> Result<Number, Stop> {
        if let Some(n) = exponent.as_rational().and_then(small_integer) {
            return self.powi(base, n);
        }
        if base.as_rational().is_some_and(Rational::is_one) {
            return Ok(one());
        }
        if base.zero() != Zero::No && exponent.is_positive() {
            self.decide_zero(base);
            return Ok(Number::Rational(Rational::from(0)));
        }
        if !base.is_positive() {
            return Err(Stop::NotPositive);
        }
        if self.approximate {
            budget::function();
            return Ok(Number::Real((base.value().log() * exponent.value()).exp()));
        }
        for index in 0..self.generators().len() {
            let Generator::Power(known, e) = &self.generators()[index] else { continue };
            let (known, e) = (known.clone(), e.clone());
            let power = self.variable_number(&[index])?;
            if self.sub(base, &power)?.is_zero() {
                let exponent = self.mul(&e, exponent)?;
                return self.powf(&known, &exponent);
            }
            if !self.sub(base, &known)?.is_zero() {
                continue;
            }
            if let Some(n) = self.sub(exponent, &e)?.as_rational().and_then(small_integer) {
                let factor = self.powi(base, n)?;
                return self.mul(&power, &factor);
            }
            if let Some(n) = self.div(exponent, &e)?.as_rational().and_then(small_integer) {
                return self.powi(&power, n);
            }
        }
        for (power, known, e) in self.powers.clone() {
            if self.sub(base, &power)?.is_zero() {
                let exponent = self.mul(&e, exponent)?;
                return self.powf(&known, &exponent);
            }
        }
        if let Some(e) = exponent.as_rational().cloned()
            && let Some(power) = self.rational_power(base, &e)?
        {
            self.powers.push((power.clone(), base.clone(), exponent.clone()));
            return Ok(power);
        }
        let value = (base.value().log() * exponent.value()).exp();
        self.push(Generator::Power(base.clone(), exponent.clone()), value)
    }

    /// The cube root, which has the sign of `a`.
    ///
    /// # Errors
    /// When the tower is full.
    pub fn cbrt(&mut self, a: &Number) -> Result<Number, Stop> {
        let third = Number::Rational(Rational::from((1, 3)));
        if a.zero() == Zero::No && self.decide(a) {
            let root = self.powf(&self.neg(a), &third)?;
            return Ok(self.neg(&root));
        }
        self.powf(a, &third)
    }

    /// `atan2(y, x)`.
    ///
    /// # Errors
    /// When both are zero.
    pub fn atan2(&mut self, y: &Number, x: &Number) -> Result<Number, Stop> {
        if y.zero() != Zero::No && x.zero() != Zero::No {
            return Err(Stop::DivisionByZero);
        }
        if self.approximate {
            budget::function();
            return Ok(Number::Real(y.value().atan2(&x.value())));
        }
        for index in 0..self.generators().len() {
            let Generator::Atan2(b, a) = &self.generators()[index] else { continue };
            if self.sub(y, b)?.is_zero() && self.sub(x, a)?.is_zero() {
                return self.variable_number(&[index]);
            }
        }
        let value = y.value().atan2(&x.value());
        self.push(Generator::Atan2(y.clone(), x.clone()), value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::session;

    #[test]
    fn every_power_of_one_is_one() {
        let all_are_one = || {
            let mut tower = Tower::new(100);
            let mut power = |e| tower.powf(&one(), &Number::Rational(Rational::from(e))).unwrap();
            [(1, 2), (1, 4), (-7, 5), (7, 5)].map(|e| power(e).as_rational().is_some_and(Rational::is_one))
        };
        assert_eq!(session("tests", all_are_one).unwrap(), [true; 4]);
    }
}
