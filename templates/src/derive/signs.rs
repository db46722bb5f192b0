//! Proofs that a number is nowhere negative, or everywhere positive, whatever the state.
//!
//! [`Signs`] evaluates a law as its tower does, except that the larger of two numbers becomes a new variable `m`, which
//! is at least either of them and equals one of them: no sign at the base point decides anything. Whether a number
//! `n / d` is nowhere negative is a question about the polynomial `n d`, answered by these rules:
//!
//! * Even powers of factors do not matter, nor do factors that are known to be positive; and a radicand is not negative
//!   where the law is defined.
//! * `p ≥ 0` if `a p - b q ≥ 0`, where `q` is known to be positive, and so are the numbers a and b.
//! * `a x + b ≥ 0`, where `x` is known to be positive, if neither `a` nor `b` is negative.
//! * With a root `r`, taken with its factor: `r + b ≥ 0` if one of the two is not negative, and the other is not
//!   negative either or has a smaller square. The squares no longer contain the root.
//! * `a m + b ≥ 0`: for `a ≥ 0`, if it holds with one of the numbers or their mean for `m`; for `a ≤ 0`, if with both.
//! * `a x² + b x + c ≥ 0` where `a`, `c` and `4 a c - b²` are not negative.
//!
//! It is positive by the same rules, if in addition a summand of the rule, or the discriminant, is positive.
//!
//! A proof holds wherever the law is defined. Many true statements have no such proof.

use super::number::{Generator, Number, Stop};
use super::tower::Tower;
use crate::algebra::{Fraction, Integer, Polynomial, Rational, Real as _};
use crate::ir::{BinaryOp, Domain, MathFn, Span};

/// The most polynomials that are examined for one number.
const STEPS: usize = 500;

/// The most products of terms in one rule.
const PRODUCTS: usize = 50_000;

/// Evaluation in which minima and maxima do not branch, and proofs about its results.
pub struct Signs<'t> {
    tower: &'t mut Tower,
    either: Vec<Either>,
    /// Polynomials that are known to be positive.
    positive: Vec<Polynomial>,
    /// The largest number of terms of a polynomial that is examined.
    limit: usize,
    /// The largest number of terms of a number that stays itself if its sign is known.
    longest: usize,
    /// Longer numbers, and what stands for them.
    short: Vec<(Number, Number)>,
}

/// The variable of this index is one of two numbers.
struct Either {
    index: usize,
    of: [Number; 2],
    /// Whether it is the larger.
    larger: bool,
}

/// The sign to prove: nowhere negative, or everywhere positive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    NotNegative,
    Positive,
}

impl<'t> Signs<'t> {
    /// Evaluation over the numbers of a tower.
    pub fn new(tower: &'t mut Tower) -> Self {
        Self::within(tower, usize::MAX)
    }

    /// The same, with a limit on the number of terms of a polynomial that is examined.
    pub fn within(tower: &'t mut Tower, limit: usize) -> Self {
        Self { tower, either: Vec::new(), positive: Vec::new(), limit, longest: usize::MAX, short: Vec::new() }
    }

    /// Lets something short stand from now on for numbers of more terms than that: a positive variable for one that is proved to be
    /// positive, the square of a variable for one that is nowhere negative. What is proved of any such variable holds of the number.
    pub fn shorten(&mut self, longest: usize) {
        self.longest = longest;
    }

    /// The number, or what stands for it.
    fn shortened(&mut self, a: Number) -> Result<Number, Stop> {
        let Number::General(general) = &a else { return Ok(a) };
        if general.fraction.len() <= self.longest || a.is_negative() {
            return Ok(a);
        }
        for (long, short) in &self.short {
            if long.value() == general.value && self.tower.sub(&a, long)?.is_zero() {
                return Ok(short.clone());
            }
        }
        let short = if self.is_positive(&a)? {
            let variable = self.tower.push(Generator::Free("positive".into()), a.value())?;
            self.assume_positive(&variable)?;
            variable
        } else if self.is_at_least(&a, &Number::Rational(Rational::from(0)))? {
            let root = self.tower.push(Generator::Free("root".into()), a.value().sqrt())?;
            self.tower.mul(&root, &root)?
        } else {
            return Ok(a);
        };
        self.short.push((a, short.clone()));
        Ok(short)
    }

    fn max(&mut self, a: &Number, b: &Number) -> Result<Number, Stop> {
        let difference = self.tower.sub(a, b)?;
        let larger = if difference.is_negative() { b } else { a };
        if difference.as_rational().is_some() {
            return Ok(larger.clone());
        }
        self.either.push(Either { index: self.tower.generators().len(), of: [a.clone(), b.clone()], larger: true });
        let value = larger.value();
        self.tower.push(Generator::Free("max".into()), value)
    }

    /// A number that is one of two; which of them is not known.
    ///
    /// # Errors
    /// Where there are too many.
    pub fn either(&mut self, a: &Number, b: &Number) -> Result<Number, Stop> {
        if self.tower.sub(a, b)?.is_zero() {
            return Ok(a.clone());
        }
        self.either.push(Either { index: self.tower.generators().len(), of: [a.clone(), b.clone()], larger: false });
        let value = a.value();
        self.tower.push(Generator::Free("either".into()), value)
    }

    /// Assumes from now on that a number is positive.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn assume_positive(&mut self, a: &Number) -> Result<(), Stop> {
        let (_, p) = self.tower.square_parts(self.polynomial(a))?;
        let p = self.without_positive_factors(p);
        if p.as_constant().is_none() {
            self.positive.push(p);
        }
        Ok(())
    }

    /// A polynomial of the same sign, wherever the number is defined.
    fn polynomial(&self, a: &Number) -> Polynomial {
        let fraction = self.tower.fraction(a);
        fraction.numerator().mul(&fraction.denominator())
    }

    fn without_positive_factors(&self, mut p: Polynomial) -> Polynomial {
        for factor in &self.positive {
            while let Some(quotient) = divided(&p, factor) {
                p = quotient;
            }
        }
        p
    }

    /// Whether a variable is known to be positive.
    fn is_positive_variable(&self, index: usize) -> bool {
        // Powers have positive bases.
        if matches!(self.tower.generators()[index], Generator::Exp(_) | Generator::Power(..)) {
            return true;
        }
        self.positive.iter().any(|p| match p.terms().as_slice() {
            [(coefficient, powers)] => {
                !coefficient.is_negative() && powers.get(index) == Some(&1) && powers.iter().sum::<usize>() == 1
            }
            _ => false,
        })
    }

    /// The numbers' tower, for arithmetic that decides nothing.
    pub(super) fn tower(&self) -> &Tower {
        self.tower
    }

    /// Whether a sign decided something nevertheless: a condition, or the root of a square.
    pub fn branched(&self) -> bool {
        self.tower.branched()
    }

    /// `a - b`.
    ///
    /// # Errors
    /// Where it is too large.
    pub fn difference(&self, a: &Number, b: &Number) -> Result<Number, Stop> {
        self.tower.sub(a, b)
    }

    /// Whether it is proved that `a ≥ b` everywhere.
    ///
    /// # Errors
    /// Where the polynomials of the proof grow too large.
    pub fn is_at_least(&self, a: &Number, b: &Number) -> Result<bool, Stop> {
        let difference = self.difference(a, b)?;
        self.has(Sign::NotNegative, self.polynomial(&difference), &mut { STEPS })
    }

    /// Whether it is proved that `a > 0` everywhere.
    ///
    /// # Errors
    /// As [`Signs::is_at_least`].
    pub fn is_positive(&self, a: &Number) -> Result<bool, Stop> {
        self.has(Sign::Positive, self.polynomial(a), &mut { STEPS })
    }

    /// Whether it is proved that `a` vanishes nowhere.
    ///
    /// # Errors
    /// As [`Signs::is_at_least`].
    pub fn vanishes_nowhere(&self, a: &Number) -> Result<bool, Stop> {
        self.is_nonzero(&self.polynomial(a), &mut { STEPS })
    }

    fn is_nonzero(&self, p: &Polynomial, steps: &mut usize) -> Result<bool, Stop> {
        Ok(self.has(Sign::Positive, p.clone(), steps)? || self.has(Sign::Positive, negative(p), steps)?)
    }

    /// Whether it is proved that a polynomial has this sign.
    fn has(&self, wanted: Sign, p: Polynomial, steps: &mut usize) -> Result<bool, Stop> {
        let p = self.tower.reduce(p)?;
        if p.is_zero() {
            return Ok(wanted == Sign::NotNegative);
        }
        // The sign at the base point refutes most, before anything is factored.
        if *steps == 0 || p.len() > self.limit || self.tower.is_negative(&p) {
            return Ok(false);
        }
        let Ok((square, p)) = self.tower.square_parts(p) else { return Ok(false) };
        let p = self.without_positive_factors(p);
        if self.tower.is_negative(&p) {
            return Ok(false);
        }
        *steps -= 1;
        let strictly = wanted == Sign::Positive;
        if strictly && square.as_constant().is_none() && !self.is_nonzero(&square, steps)? {
            return Ok(false);
        }
        if let Some(constant) = p.as_constant() {
            return Ok(!constant.is_negative());
        }
        if let Some(index) =
            (0..self.tower.generators().len()).find(|&index| p.degree(index) == 1 && self.is_positive_variable(index))
        {
            let (a, b) = linear(&p, index);
            if self.has(Sign::NotNegative, a.clone(), steps)? && self.has(Sign::NotNegative, b.clone(), steps)? {
                return Ok(!strictly || self.has(wanted, a, steps)? || self.has(wanted, b, steps)?);
            }
        }
        if !strictly {
            for rest in self.positive.iter().flat_map(|known| without_a_term(&p, known)) {
                if self.has(wanted, rest, steps)? {
                    return Ok(true);
                }
            }
        }
        let squares = self.tower.generators().iter().filter_map(Generator::square);
        if !strictly && squares.into_iter().any(|square| is_positive_multiple(&p, square)) {
            return Ok(true);
        }
        for (index, generator) in self.tower.generators().iter().enumerate().rev() {
            if p.degree(index) != 1 {
                continue;
            }
            let (a, b) = linear(&p, index);
            if let Generator::Root(square, orientation) = generator {
                return self.with_root(wanted, &a, b, square, orientation, steps);
            }
            if let Some(either) = self.either.iter().find(|either| either.index == index) {
                return self.with_either(wanted, &a, &b, either, steps);
            }
        }
        let Some(index) = (0..self.tower.generators().len()).find(|&index| p.degree(index) == 2) else {
            return Ok(false);
        };
        let [a, b, c] = quadratic(&p, index);
        if a.len() * c.len() + b.len() * b.len() > PRODUCTS {
            return Ok(false);
        }
        let ac = a.mul(&c);
        let twice = ac.add(&ac);
        let discriminant = twice.add(&twice).sub(&b.mul(&b));
        let not_negative = Sign::NotNegative;
        Ok(self.has(not_negative, a, steps)?
            && self.has(not_negative, c, steps)?
            && self.has(wanted, discriminant, steps)?)
    }

    /// The sign of `a s + b`, with the root `s` of `square`, which has the sign of `orientation`.
    fn with_root(
        &self,
        wanted: Sign,
        a: &Polynomial,
        b: Polynomial,
        square: &Polynomial,
        orientation: &Number,
        steps: &mut usize,
    ) -> Result<bool, Stop> {
        if a.len() * a.len() * square.len() + b.len() * b.len() > PRODUCTS {
            return Ok(false);
        }
        let oriented = self.tower.fraction(orientation);
        let sign = a.mul(&oriented.numerator()).mul(&oriented.denominator());
        let difference = a.mul(a).mul(square).sub(&b.mul(&b));
        let root_is = self.has(Sign::NotNegative, sign.clone(), steps)?;
        let rest_is = self.has(Sign::NotNegative, b.clone(), steps)?;
        Ok(match (root_is, rest_is) {
            (true, true) => {
                wanted == Sign::NotNegative
                    || self.has(Sign::Positive, b, steps)?
                    || (self.has(Sign::Positive, sign, steps)? && self.has(Sign::Positive, square.clone(), steps)?)
            }
            (true, false) => self.has(wanted, difference, steps)?,
            (false, true) => self.has(wanted, negative(&difference), steps)?,
            (false, false) => false,
        })
    }

    /// The sign of `a m + b`, with `m` one of two numbers.
    fn with_either(
        &self,
        wanted: Sign,
        a: &Polynomial,
        b: &Polynomial,
        either: &Either,
        steps: &mut usize,
    ) -> Result<bool, Stop> {
        let mut holds_with = |m: &Number| {
            let m = self.tower.fraction(m);
            let (n, d) = (m.numerator(), m.denominator());
            // a n / d + b has the sign of (a n + b d) d.
            self.has(wanted, a.mul(&n).add(&b.mul(&d)).mul(&d), steps)
        };
        let [first, second] = &either.of;
        let (with_first, with_second) = (holds_with(first)?, holds_with(second)?);
        if with_first && with_second {
            return Ok(true);
        }
        if !either.larger {
            return Ok(false);
        }
        let mean = self.tower.mul(&self.tower.add(first, second)?, &Number::Rational(Rational::from((1, 2))))?;
        Ok((with_first || with_second || holds_with(&mean)?) && self.has(Sign::NotNegative, a.clone(), steps)?)
    }
}

/// Whether `p` is `q` times a positive number.
fn is_positive_multiple(p: &Polynomial, q: &Polynomial) -> bool {
    let leading = |p: &Polynomial| p.terms().into_iter().next().map(|(coefficient, _)| coefficient);
    match (leading(p), leading(q)) {
        (Some(m), Some(n)) => p.len() == q.len() && m.is_negative() == n.is_negative() && p.scaled(&n) == q.scaled(&m),
        _ => false,
    }
}

fn negative(p: &Polynomial) -> Polynomial {
    p.scaled(&Integer::from(-1))
}

/// `p / q`, where that is a polynomial.
fn divided(p: &Polynomial, q: &Polynomial) -> Option<Polynomial> {
    let quotient = Fraction::new(p, q)?;
    // A constant remains in the denominator where `q` has larger coefficients than `p`.
    let constant = quotient.denominator().as_constant()?;
    Some(if constant.is_negative() { negative(&quotient.numerator()) } else { quotient.numerator() })
}

/// The positive combinations `a p - b q` in which a term that both have, with one sign, is left out.
fn without_a_term(p: &Polynomial, q: &Polynomial) -> Vec<Polynomial> {
    let terms = p.terms();
    let of_p = |powers: &[usize]| terms.iter().find(|(_, others)| others == powers).map(|(coefficient, _)| coefficient);
    let pairs = q.terms().into_iter().filter_map(|(b, powers)| Some((of_p(&powers)?.clone(), b)));
    let alike = pairs.filter(|(a, b)| a.is_negative() == b.is_negative());
    let size = |a: Integer| if a.is_negative() { -a } else { a };
    alike.map(|(a, b)| p.scaled(&size(b)).sub(&q.scaled(&size(a)))).filter(|rest| rest.len() <= p.len()).collect()
}

/// `(a, b)` of `a x + b`.
fn linear(p: &Polynomial, x: usize) -> (Polynomial, Polynomial) {
    let [_, a, b] = quadratic(p, x);
    (a, b)
}

/// `[a, b, c]` of `a x² + b x + c`.
fn quadratic(p: &Polynomial, x: usize) -> [Polynomial; 3] {
    let zero = p.sub(p);
    let mut coefficients = [zero.clone(), zero.clone(), zero];
    for (coefficient, power) in p.coefficients_of(x) {
        coefficients[2 - power] = coefficient;
    }
    coefficients
}

impl Domain for Signs<'_> {
    type Real = Number;
    type Bool = bool;
    type Error = Stop;

    fn place(&mut self, span: Span) {
        self.tower.place = span;
    }

    fn literal(&mut self, text: &str) -> Result<Number, Stop> {
        self.tower.literal(text)
    }

    fn bool(&mut self, value: bool) -> bool {
        value
    }

    fn neg(&mut self, a: &Number) -> Result<Number, Stop> {
        Ok(Tower::neg(self.tower, a))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<Number, Stop> {
        let value = self.tower.arithmetic(op, a, b)?;
        self.shortened(value)
    }

    fn compare(&mut self, op: BinaryOp, a: &Number, b: &Number) -> Result<bool, Stop> {
        self.tower.compare(op, a, b)
    }

    fn logic(&mut self, op: BinaryOp, a: &bool, b: &bool) -> Result<bool, Stop> {
        self.tower.logic(op, a, b)
    }

    fn not(&mut self, a: &bool) -> Result<bool, Stop> {
        self.tower.not(a)
    }

    fn math(&mut self, f: MathFn, args: &[Number]) -> Result<Number, Stop> {
        let a = &args[0];
        match f {
            MathFn::Max => self.max(a, &args[1]),
            MathFn::Min => {
                let (a, b) = (Tower::neg(self.tower, a), Tower::neg(self.tower, &args[1]));
                let larger = self.max(&a, &b)?;
                Ok(Tower::neg(self.tower, &larger))
            }
            MathFn::Abs => self.max(a, &Tower::neg(self.tower, a)),
            _ => self.tower.math(f, args),
        }
    }

    fn decide(&mut self, condition: &bool) -> Option<bool> {
        Some(*condition)
    }

    fn select(&mut self, condition: &bool, a: &Number, b: &Number) -> Result<Number, Stop> {
        self.tower.select(condition, a, b)
    }
}
